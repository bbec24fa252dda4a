/**
 * A random history of a ledger: a branch, a pull request, the tags of a repository, or prompts
 * alone. Runs start late and out of order, overlap, and are re-run, cancelled, killed and frozen.
 * The rules, the call and the wait are the real ones; GitHub, git, Mintlify and time are here.
 * Everything follows from a seed.
 */
import type { Sent } from '../../../src/agent/client.ts';
import type { AgentJob } from '../../../src/agent/job.ts';
import type { Context } from '../../../src/context.ts';
import type { Clock } from '../../../src/effects.ts';
import { Cancelled, StepError } from '../../../src/errors.ts';
import { followToEnd, resume } from '../../../src/follow.ts';
import type { Pushed } from '../../../src/git/ledger-ref.ts';
import type { LedgerScope } from '../../../src/ledger/name.ts';
import { createLook, type LedgerRun, type Outside } from '../../../src/ledger/outside.ts';
import { record } from '../../../src/ledger/record.ts';
import { EMPTY, type State } from '../../../src/ledger/state.ts';
import type { Snapshot, Store } from '../../../src/ledger/store.ts';
import { takeTurn } from '../../../src/ledger/turn.ts';
import { send } from '../../../src/send.ts';
import type { Session } from '../../../src/session.ts';

const MINUTE = 60_000;

/** mulberry32: small, fast, and the same everywhere. */
export function randomOf(seed: number): () => number {
  let a = seed | 0;
  return () => {
    a = (a + 0x6d2b79f5) | 0;
    let t = Math.imul(a ^ (a >>> 15), 1 | a);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

export type What = 'branch' | 'pull' | 'tags' | 'prompt';

/** What can go wrong in a history. */
export interface Choices {
  what: What;
  wait: boolean;
  append: boolean;
  /** Minutes. */
  timeout: number;
  /** The service refuses calls, loses responses, and agents fail. */
  faults: boolean;
  /** Percent of effects before or after which the runner dies. */
  kills: number;
  forcePushes: boolean;
  typedSince: boolean;
  deletesLedger: boolean;
  /** Percent of pushes whose response is lost. */
  lostPushes: number;
  /** Runners freeze for minutes. */
  pauses: boolean;
  /** Agent jobs that take more than two hours, or for ever. */
  stuck: boolean;
  /** Agent jobs that the service forgets. */
  forgets: boolean;
  /** Minutes that a run may start late. */
  late: number;
  /** Two steps share one ledger by mistake. */
  twins: boolean;
}

/** One create or message call that the service took. */
export interface Prompt {
  /** Of its entry in the ledger. */
  readonly key: string;
  readonly run: number;
  readonly job: Job;
  readonly to: string | null;
  /** The commits, versions or fingerprints that it is about, as bits. */
  readonly range: number;
  readonly isTyped: boolean;
  readonly isMessage: boolean;
  readonly createdAt: number;
  readonly endsAt: number;
  readonly result: 'completed' | 'archived' | 'failed';
  /** How long a read still shows the end from before, in minutes. */
  readonly lag: number;
  /** With `wait: false`, accepted counts as done. */
  readonly isAcceptedDone: boolean;
  readonly isLost: boolean;
  /** A run saw 404 for it. */
  isGoneSeen: boolean;
  /** When the ledger first held its agent job. */
  recordedAt: number | undefined;
}

export interface Job {
  readonly id: string;
  readonly prompts: Prompt[];
  readonly goneAt: number;
  pull: { readonly openedAt: number; readonly mergedAt: number } | undefined;
  /** Two prompts worked at once, so that they share one status. */
  isShared: boolean;
  /** It was active for over two hours. */
  isSlow: boolean;
}

interface Version {
  readonly start: number;
  readonly commit: number;
  readonly isWithoutDocs: boolean;
}

interface WorldRun {
  readonly id: number;
  attempt: number;
  readonly head: number;
  readonly start: number | undefined;
  readonly since: number | undefined;
  readonly isAboutChanges: boolean;
  readonly append: boolean;
  readonly timeout: number;
  readonly version: number | undefined;
  readonly isTwin: boolean;
  readonly isFinal: boolean;
}

/** What the judge looks at. */
export interface History {
  readonly choices: Choices;
  /** For each commit, its ancestors and itself, as bits. */
  readonly ancestors: readonly number[];
  readonly isWithoutDocs: readonly boolean[];
  readonly fingerprints: readonly number[];
  readonly versions: readonly Version[];
  readonly tip: number;
  readonly isForced: boolean;
  readonly prompts: readonly Prompt[];
  readonly ends: readonly {
    readonly version: number | undefined;
    readonly end: string;
    readonly at: number;
  }[];
  readonly finalEnd: string;
  /** Calls that were sent with the warning that an earlier one is in doubt: since when, and about what. */
  readonly warnings: readonly { readonly at: number; readonly mask: number }[];
  /** Changes that are no longer owed, by why. */
  readonly beginning: number;
  readonly typed: number;
  readonly isDeleted: boolean;
  readonly frozen: number;
  readonly hasSharedSteps: boolean;
  readonly log: readonly string[];
}

const bit = (mask: number, at: number) => (mask >> at) & 1;
const number = (commit: string) => Number(commit.slice(1));
const name = (commit: number) => `c${commit}`;

/** Plays a history to its end, and returns what happened. Throws if a run never ends. */
export async function play(seed: number, set: Partial<Choices> = {}): Promise<History> {
  const random = randomOf(seed);
  const chance = (percent: number) => random() * 100 < percent;
  const choices = { ...choose(random, chance), ...set };
  limit(choices);
  const { what } = choices;
  const log: string[] = [];
  const say = (...words: readonly unknown[]) =>
    log.push(
      [
        minutes.toFixed(2),
        ...words.map((word) => (typeof word === 'string' ? word : JSON.stringify(word))),
      ].join(' '),
    );

  // Time: what happens next, and how many runs are between two effects.
  let minutes = 0;
  let sequence = 0;
  let busy = 0;
  let thrown: unknown;
  const agenda: { readonly at: number; readonly order: number; readonly happen: () => void }[] = [];
  const at = (when: number, happen: () => void) => {
    sequence += 1;
    agenda.push({ at: when, order: sequence, happen });
  };

  // The repository: commit 1 is the first.
  const ancestors = [0, 2];
  const isWithoutDocs = [true, true];
  const fingerprints = [0, 1];
  const versions: Version[] = [];
  let tip = 1;
  let isForced = false;
  function commit(parents: readonly number[], isSame = false): number {
    const id = ancestors.length;
    ancestors.push(parents.reduce((mask, parent) => mask | (ancestors[parent] ?? 0), 1 << id));
    isWithoutDocs.push(chance(10) && !isQuiet);
    fingerprints.push(isSame ? (fingerprints[parents[0] ?? 0] ?? 0) : id);
    return id;
  }
  const ancestorsOf = (commit: number) => ancestors[commit] ?? 0;
  const needsNoDocs = (mask: number) =>
    isWithoutDocs.every((without, id) => without || bit(mask, id) === 0);

  // The ledger and the service.
  let ledger: State | undefined;
  let version = 0;
  let hasBegun = false;
  const jobs = new Map<string, Job>();
  const prompts: Prompt[] = [];
  const ends: { version: number | undefined; end: string; at: number }[] = [];
  const warnings: { at: number; mask: number }[] = [];
  let beginning = 0;
  let typed = 0;
  let isDeleted = false;
  let frozen = 0;
  let isQuiet = false;
  let hasSharedSteps = false;
  let finalEnd = '';
  let nextRun = 1;
  let nextKey = 1;

  function rangeOf(to: string | null, from: number | undefined): number {
    if (what === 'prompt' || to === null) return 0;
    if (what === 'pull') return 1 << Number(to.slice(1));
    if (what === 'tags') return 1 << versions.findIndex((one) => versionTo(one) === to);
    return ancestorsOf(number(to)) & ~ancestorsOf(from ?? 0);
  }
  const versionTo = ({ start, commit }: Version) => `${name(start)}..${name(commit)}`;
  const fingerprint = () => `f${fingerprints[tip]}`;

  // Runs.
  function newRun(event: Partial<WorldRun>): void {
    const run: WorldRun = {
      id: nextRun++,
      attempt: 1,
      head: tip,
      start: undefined,
      since: undefined,
      isAboutChanges: what !== 'prompt',
      append: choices.append,
      timeout: choices.timeout,
      version: undefined,
      isTwin: false,
      isFinal: false,
      ...event,
    };
    if (!isQuiet && chance(12)) {
      say('cancelled before its start', run.id);
      maybeRerun(run);
      return;
    }
    const late = isQuiet ? 0 : random() * random() * choices.late;
    at(minutes + late, () => start(run));
    if (choices.twins && !isQuiet && chance(30))
      at(minutes + late + random() * random() * 30, () => start({ ...run, isTwin: true }));
  }

  function maybeRerun(run: WorldRun): void {
    if (isQuiet || run.isTwin || run.attempt >= 4 || !chance(30)) return;
    at(minutes + 0.5 + random() * 400, () => start({ ...run, attempt: run.attempt + 1 }));
  }

  function start(run: WorldRun): void {
    say('starts', run);
    busy += 1;
    execute(run).then(
      (end) => {
        busy -= 1;
        say('ends', run.id, run.attempt, end);
        if (end === 'shared') hasSharedSteps = true;
        ends.push({ version: run.version, end, at: minutes });
        if (run.isFinal) finalEnd = end;
        maybeRerun(run);
      },
      (error: unknown) => {
        busy -= 1;
        thrown ??= error;
      },
    );
  }

  async function execute(run: WorldRun): Promise<string> {
    const scope = scopeOf(what, run.isAboutChanges || run.append);
    const tracked: LedgerRun = {
      run: run.id,
      attempt: run.attempt,
      key: `k${nextKey++}`,
      scope,
      tracksChanges: run.isAboutChanges,
      appends: run.append,
      since: run.since === undefined ? undefined : name(run.since),
      isDryRun: false,
    };
    const world = worldOf(run, tracked);
    const { context, store, outside, clock } = world;
    /** Whether its claim may be in the ledger. */
    let isComposed = false;
    const session: Session = {
      recorder: { store, scope, outside, clock, signal: context.effects.signal },
      takeTurn: (isMessageRefused) => {
        const waitUntil = (began + run.timeout / 2) * MINUTE;
        return takeTurn(tracked, store, outside, {
          clock,
          signal: context.effects.signal,
          waitUntil,
          pollIntervalMs: 30_000,
          isMessageRefused,
          onWait: () => undefined,
          async compose({ start: from, head, warnings: told, claim }) {
            isComposed = true;
            world.sending = {
              from,
              to: claim.to,
              isWarned: told.some(({ kind }) => kind === 'doubt'),
            };
            world.since = head;
            return { codePullRequests: [] };
          },
        }).then(
          (turn) => (turn.kind === 'send' ? { ...turn, prompt: 'prompt' } : turn),
          async (error: unknown) => {
            const until = (minutes + 0.5) * MINUTE;
            if (isComposed)
              await record(
                session.recorder,
                { ...tracked, job: null },
                { kind: 'not-sent' },
                until,
              );
            throw error;
          },
        );
      },
    };
    const began = minutes;
    try {
      for (let isMessageRefused = false; ; ) {
        const turn = await session.takeTurn(isMessageRefused);
        if (turn.kind === 'skip') return `skipped ${turn.reason}`;
        if (turn.kind === 'resume') return (await resume(context, session, turn.call)).kind;
        const sent = await send(context, session, turn);
        if (sent.kind === 'accepted') return (await followToEnd(context, session, sent)).kind;
        isMessageRefused ||= sent.kind === 'message-refused';
      }
    } catch (error) {
      if (error instanceof Cancelled) return 'cancelled';
      if (!(error instanceof StepError)) throw error;
      return /same ledger/.test(error.message) ? 'shared' : `error ${error.topic}`;
    }
  }

  /** Everything outside, for one run. Each effect takes time, and the runner may die around it. */
  function worldOf(run: WorldRun, { since, key }: LedgerRun) {
    const world = {
      sending: {
        from: undefined as string | undefined,
        to: null as string | null,
        isWarned: false,
      },
      since: undefined as string | undefined,
      prompt: undefined as Prompt | undefined,
    };
    /** Does something outside. `takes` says how many minutes. */
    function effect<T>(kind: string, happen: () => T, takes = 0.02 + random() * 0.1): Promise<T> {
      return new Promise((resolve) => {
        busy -= 1;
        if (isKilled()) return die(`before ${kind}`);
        const go = () => {
          const result = happen();
          let duration = takes;
          if (!isQuiet && choices.pauses && chance(0.7)) duration += 5 + random() * 20;
          if (isKilled()) return at(minutes + 0.01, () => die(`after ${kind}`));
          at(minutes + duration, () => {
            busy += 1;
            resolve(result);
          });
        };
        if (kind === 'post' && !isQuiet && choices.pauses && chance(3)) {
          say('freezes before its call', run.id);
          frozen |= what === 'prompt' ? -1 : rangeOf(world.sending.to, fromOf(world.sending.from));
          at(minutes + 12 + random() * 20, go);
        } else go();
      });
    }
    const isKilled = () => !isQuiet && choices.kills > 0 && chance(choices.kills);
    function die(where: string): void {
      say('dies', where, run.id);
      maybeRerun(run);
    }
    const fromOf = (from: string | undefined) => (from === undefined ? undefined : number(from));

    const clock: Clock = {
      now: () => minutes * MINUTE,
      date: () => minutes * MINUTE,
      random,
      sleep: (ms) => effect('sleep', () => undefined, ms / MINUTE + random() * 0.2),
    };
    /** A run pushes on top of what it last read or wrote, first. */
    let latest: Snapshot = { tip: undefined, state: EMPTY };
    const read = () =>
      effect('read', () => {
        latest = ledger
          ? { tip: String(version), state: ledger }
          : { tip: undefined, state: EMPTY };
        return latest;
      });
    const store: Store = {
      ref: 'refs/docs-agent/x',
      read,
      latest: async () => latest,
      push: (tip, state) =>
        effect('push', (): Pushed => {
          const isFirst = tip === (ledger ? String(version) : undefined);
          if (!isFirst || (!isQuiet && chance(choices.lostPushes / 2.5)))
            return { kind: 'rejected' };
          write(state);
          latest = { tip: String(version), state };
          const isLost = !isQuiet && chance(choices.lostPushes);
          // The client reads it back, and finds its own commit or decides again.
          return isLost ? { kind: 'rejected' } : { kind: 'pushed', tip: latest.tip ?? '' };
        }),
    };
    function write(state: State): void {
      // What comes before the first start is not in the history.
      const begins = world.sending.from ?? state.covered;
      if (what === 'branch' && !hasBegun && begins !== null) {
        hasBegun = true;
        beginning |= ancestorsOf(number(begins));
      }
      if (since !== undefined && run.isAboutChanges) {
        typed |= ancestorsOf(number(since));
        if (needsNoDocs(rangeOf(name(run.head), number(since)))) typed |= ancestorsOf(run.head);
      }
      for (const prompt of prompts)
        if (state.runs.some((call) => call.key === prompt.key && call.job !== null))
          prompt.recordedAt ??= minutes;
      const [newest] = state.runs;
      if (world.sending.isWarned && newest?.run === run.id && newest.job === null) {
        const { from, to } = world.sending;
        warnings.push({ at: minutes, mask: since === undefined ? rangeOf(to, fromOf(from)) : -1 });
      }
      ledger = state;
      sequence += 1;
      version = sequence;
      say('ledger', run.id, state);
    }

    function post(into: string | undefined): Sent {
      const refuse = (status: number): Sent => ({ kind: 'refused', status, said: '' });
      const job = into === undefined ? undefined : jobs.get(into);
      if (job !== undefined && minutes >= job.goneAt) return refuse(404);
      if (!isQuiet && choices.faults && chance(6)) return refuse(chance(50) && job ? 422 : 401);
      const isLost = !isQuiet && choices.faults && chance(6);
      if (isLost && chance(50)) return { kind: 'in-doubt', said: '', jobId: undefined };
      const prompt = take(job, isLost);
      if (isLost) return { kind: 'in-doubt', said: '', jobId: undefined };
      return { kind: 'accepted', job: shown(prompt.job, 'active') };
    }
    function take(into: Job | undefined, isLost: boolean): Prompt {
      const { from, to } = world.sending;
      const isStuck = !isQuiet && choices.stuck && chance(10);
      const stuckFor = chance(50) ? Number.POSITIVE_INFINITY : 100 + random() * 100;
      const isFailing = !isQuiet && choices.faults && chance(18);
      const result = isFailing ? 'failed' : chance(10) ? 'archived' : 'completed';
      const endsAt = minutes + (isQuiet ? 5 : isStuck ? stuckFor : 2 + random() * 40);
      const goneAt =
        !isQuiet && choices.forgets && chance(15)
          ? minutes + random() * 200
          : Number.POSITIVE_INFINITY;
      const job: Job = into ?? {
        id: `j${jobs.size + 1}`,
        prompts: [],
        goneAt,
        pull:
          result === 'failed'
            ? undefined
            : {
                openedAt: endsAt,
                mergedAt:
                  isQuiet || chance(30)
                    ? Number.POSITIVE_INFINITY
                    : endsAt + random() * random() * 200,
              },
        isShared: false,
        isSlow: false,
      };
      if (
        job.prompts.some(
          (one) => one.endsAt > minutes || (one.isLost && one.recordedAt === undefined),
        )
      )
        job.isShared = true;
      const prompt: Prompt = {
        key,
        run: run.id,
        job,
        to,
        range: rangeOf(to, fromOf(from)),
        isTyped: since !== undefined,
        isMessage: into !== undefined,
        createdAt: minutes,
        endsAt,
        result,
        lag: random() * 0.4,
        isAcceptedDone: !choices.wait && !isLost,
        isLost,
        isGoneSeen: false,
        recordedAt: undefined,
      };
      job.prompts.push(prompt);
      jobs.set(job.id, job);
      prompts.push(prompt);
      say(
        'prompt',
        job.id,
        run.id,
        from ?? '',
        '..',
        to ?? '',
        result,
        'ends',
        endsAt,
        isLost ? 'LOST' : '',
      );
      return prompt;
    }
    const shown = (job: Job, status: string): AgentJob => ({
      id: job.id,
      status,
      prLink: status !== 'active' && status !== 'failed' && job.pull ? `https://x/${job.id}` : '',
      repository: '',
      ref: '',
      json: '',
    });
    const call = (into?: string) =>
      !isQuiet && chance(3)
        ? effect('post', () => undefined).then(() => Promise.reject(new Cancelled('SIGINT')))
        : effect('post', () => post(into), random() * (chance(5) ? 4.9 : 0.1));
    const agent = {
      deadline: Number.POSITIVE_INFINITY,
      create: () => call(),
      message: (into: string) => call(into),
      read: (id: string) =>
        effect('status', () => {
          const job = jobs.get(id);
          const last = job?.prompts.at(-1);
          if (job === undefined || last === undefined) throw new Error('no such agent job');
          if (minutes >= job.goneAt) {
            last.isGoneSeen = true;
            return { kind: 'not-found', said: '' } as const;
          }
          const isLagging = last.isMessage && minutes < last.createdAt + last.lag;
          const prompt = (isLagging ? job.prompts.at(-2) : last) ?? last;
          if (minutes < prompt.endsAt) {
            if (minutes > prompt.createdAt + 120) job.isSlow = true;
            return { kind: 'job', job: shown(job, 'active') } as const;
          }
          return { kind: 'job', job: shown(job, prompt.result) } as const;
        }),
    };
    const runner = {
      mask: () => undefined,
      info: () => undefined,
      debug: () => undefined,
      annotate: () => undefined,
      setOutput: () => undefined,
      writeSummary: async () => undefined,
    };
    const { signal } = new AbortController();
    const effects = { clock, runner, signal, lateSignal: signal, fetch };
    const outside: Outside = {
      now: () => clock.date(),
      async target() {
        const version = versions[run.version ?? -1];
        if (what === 'pull') return { to: fingerprint(), head: name(tip), start: name(1) };
        if (version !== undefined)
          return { to: versionTo(version), head: name(version.commit), start: name(version.start) };
        const start = run.start === undefined ? undefined : name(run.start);
        return { to: name(run.head), head: name(run.head), start };
      },
      isBehind: async (a, b) =>
        (ancestorsOf(number(b)) & ancestorsOf(number(a))) === ancestorsOf(number(a)),
      isOnBranch: async (head) => bit(ancestorsOf(tip), number(head)) === 1,
      async nothingToSend(start) {
        if (what === 'pull') return undefined;
        const version = versions[run.version ?? -1];
        if (version !== undefined) return version.isWithoutDocs ? 'all-skipped' : undefined;
        if (start === undefined) return 'no-start';
        return needsNoDocs(rangeOf(name(run.head), number(start))) ? 'all-skipped' : undefined;
      },
      look: createLook(agent, effects),
      async docsPullState(link) {
        const pull = jobs.get(link.replace('https://x/', ''))?.pull;
        return pull && pull.openedAt <= minutes && pull.mergedAt > minutes ? 'open' : 'merged';
      },
    };
    const context = {
      inputs: { wait: choices.wait, pollIntervalMs: 30_000 },
      effects,
      deadline: (minutes + run.timeout) * MINUTE,
      agent,
      github: () => ({ docsPull: async () => ({ kind: 'unreadable' }) }),
      tell: () => undefined,
      // The steps that are played read nothing else.
    } as unknown as Context & { readonly agent: NonNullable<Context['agent']> };
    return Object.assign(world, { context, store, outside, clock });
  }

  script();
  for (let steps = 0; agenda.length > 0; steps += 1) {
    agenda.sort((a, b) => b.at - a.at || b.order - a.order);
    const next = agenda.pop();
    minutes = next?.at ?? minutes;
    next?.happen();
    for (let turns = 0; busy > 0; turns += 1) {
      await undefined;
      if (turns > 20_000) throw new Error(`seed ${seed}: a run works without effects`);
    }
    if (thrown !== undefined) throw thrown;
    if (steps > 200_000) throw new Error(`seed ${seed}: a run never ends`);
  }
  return {
    choices,
    ancestors,
    isWithoutDocs,
    fingerprints,
    versions,
    tip,
    isForced,
    prompts,
    ends,
    finalEnd,
    warnings,
    beginning,
    typed,
    isDeleted,
    frozen,
    hasSharedSteps,
    log,
  };

  /** Puts the events of the history on the agenda. */
  function script(): void {
    const events = 2 + Math.floor(random() * 7);
    let when = 1;
    for (let event = 0; event < events; event += 1) {
      when += chance(40) ? random() * 3 : random() * 60;
      at(when, () => {
        if (ancestors.length > 25) return;
        if (what === 'tags') return release();
        if (what === 'prompt') return newRun({});
        push();
      });
      if (what !== 'branch' && what !== 'pull') continue;
      if (choices.append && chance(25))
        at(when + random() * 60, () => newRun({ isAboutChanges: false }));
      if (chance(25)) at(when + random() * 80, () => newRun({}));
      if (chance(20))
        at(when + random() * 60, () => {
          const isTyped = choices.typedSince && chance(50);
          const since = isTyped ? 1 + Math.floor(random() * (ancestors.length - 1)) : undefined;
          newRun({ since });
          if (chance(40)) newRun({});
        });
    }
    if (choices.deletesLedger)
      at(random() * when, () => {
        say('the ledger is deleted');
        if (ledger === undefined) return;
        hasBegun = false;
        ledger = undefined;
        isDeleted = true;
      });
    // One last event, long after the others, when nothing goes wrong.
    at(4_000, () => {
      isQuiet = true;
      const isFinal = { isFinal: true, timeout: 100 };
      if (what === 'prompt') return newRun(isFinal);
      if (what === 'tags') {
        const index = newVersion();
        return newRun({ ...isFinal, version: index });
      }
      const before = tip;
      tip = commit([tip]);
      isWithoutDocs[tip] = false;
      newRun({ ...isFinal, start: before });
    });
  }

  /** Mostly the next version, else a hotfix of an older one, or a second tag on the same commit. */
  function newVersion(): number {
    const last = versions.at(-1);
    const isSame = last !== undefined && chance(10);
    const older = versions[Math.floor(random() * versions.length)];
    const from = older !== undefined && chance(30) ? older.commit : (last?.commit ?? 1);
    if (!isSame) tip = commit([tip]);
    versions.push({
      start: isSame ? 1_000 + versions.length : from,
      commit: isSame ? last.commit : tip,
      isWithoutDocs: !isQuiet && chance(10),
    });
    return versions.length - 1;
  }

  /** GitHub starts a run for each of several events. */
  function release(): void {
    const index = newVersion();
    say('release', versions[index]);
    const spread = chance(50) ? 0 : random() * 90;
    for (let event = 0; event < 3; event += 1)
      at(minutes + (event === 0 ? 0 : random() * spread), () => newRun({ version: index }));
  }

  function push(): void {
    const before = tip;
    if (choices.forcePushes && chance(25) && tip > 1) {
      isForced = true;
      const back = 1 + Math.floor(random() * (ancestors.length - 1));
      tip = chance(40) ? back : commit([back]);
    } else if (what === 'pull' && chance(25)) tip = commit([tip], true);
    else {
      tip = commit([tip]);
      if (chance(25)) tip = commit([tip]);
      const base = 1 + Math.floor(random() * (ancestors.length - 1));
      const isMerging = what === 'branch' && chance(20) && bit(ancestorsOf(tip), base) === 1;
      if (isMerging) tip = commit([tip, commit([base])]);
    }
    say('push', before, tip, ancestorsOf(tip).toString(2));
    newRun({ start: before });
  }
}

function choose(random: () => number, chance: (percent: number) => boolean): Choices {
  const kind = random() * 100;
  return {
    what: kind < 70 ? 'branch' : kind < 80 ? 'pull' : kind < 91 ? 'tags' : 'prompt',
    wait: !chance(15),
    append: chance(25),
    timeout: 15 + random() * 75,
    faults: chance(70),
    kills: chance(60) ? 3 : 0,
    forcePushes: chance(25),
    typedSince: chance(30),
    deletesLedger: chance(3),
    lostPushes: chance(40) ? 5 : 0,
    pauses: chance(20),
    stuck: chance(10),
    forgets: chance(10),
    late: random() * 60,
    twins: chance(4),
  };
}

/** What does not go together. */
function limit(choices: Choices): void {
  if (choices.what !== 'branch') choices.typedSince = false;
  if (choices.what === 'tags' || choices.what === 'prompt') choices.forcePushes = false;
  if (!choices.wait) choices.append = false;
}

function scopeOf(what: What, isAbout: boolean): LedgerScope {
  if (what === 'pull' || what === 'tags') return what;
  return isAbout && what === 'branch' ? 'heads' : 'prompts';
}

/** A run in the world: the rules, the call and the wait are the real ones, on effects that may fail. */
import type { Read } from '../../../src/agent/agent.ts';
import type { Context } from '../../../src/context.ts';
import { Cancelled, StepError } from '../../../src/errors.ts';
import type { Pushed } from '../../../src/git/ledger-ref.ts';
import { createLook, type LedgerRun, type Outside } from '../../../src/ledger/outside.ts';
import type { Call, State } from '../../../src/ledger/state.ts';
import type { Snapshot, Store } from '../../../src/ledger/store.ts';
import { takeTurn } from '../../../src/ledger/turn.ts';
import { takeTurns } from '../../../src/run.ts';
import type { Session } from '../../../src/session.ts';
import { RecordingRunner } from '../runner.ts';
import type { World } from './world.ts';

const MINUTE_MS = 60_000;
const POLL_MS = 30_000;

export interface Run {
  readonly id: number;
  readonly attempt: number;
  /** The change that the event is about. */
  readonly head: number;
  readonly start: number | undefined;
  readonly since: number | undefined;
  readonly isPromptAlone: boolean;
  /** Minutes. */
  readonly timeout: number;
}

const nameOf = (change: number) => `c${change}`;
const numberOf = (name: string) => Number(name.slice(1));

/**
 * Runs the step, and adds its end to those of the world. If the
 * runner dies, this calls `die` and never resolves.
 */
export async function execute(world: World, run: Run, die: () => void): Promise<void> {
  const { choices, random } = world;
  const { scope, wait } = choices;
  const began = world.minutes;
  const { signal } = new AbortController();
  const runner = new RecordingRunner();
  /** What it would send. Of a pull request, that is known once it was read. */
  let to = scope === 'pull' && !run.isPromptAlone ? undefined : run.head;
  /** What it sends, as composed last. */
  let sending: { start: number | undefined; range: number; doubts: readonly number[] } | undefined;

  /** Does something outside, which takes some minutes. */
  function effect<T>(happen: () => T, minutes = 0.02 + random() * 0.1): Promise<T> {
    return new Promise((resolve) => {
      const result = happen();
      if (world.chance(choices.kills)) {
        world.doubtful.add(run.id);
        return die();
      }
      const isFreezing = world.chance(choices.freezes);
      if (isFreezing) world.doubtful.add(run.id);
      world.later(minutes + (isFreezing ? 5 + random() * 20 : 0), () => resolve(result));
    });
  }

  const clock = {
    now: () => world.minutes * MINUTE_MS,
    date: () => world.minutes * MINUTE_MS,
    random,
    sleep: (ms: number) => effect(() => undefined, ms / MINUTE_MS + random() * 0.2),
  };

  /** As this run last read or wrote it. */
  let latest: Snapshot | undefined;
  const read = () =>
    effect(() => {
      latest = world.ledger;
      return latest;
    });
  const store: Store = {
    ref: 'refs/docs-agent/x',
    read,
    latest: async () => latest ?? read(),
    push: (tip, state) =>
      effect((): Pushed => {
        latest = undefined;
        if (tip !== world.ledger.tip || world.chance(choices.lostPushes / 2))
          return { kind: 'rejected', said: '' };
        write(state);
        // The client reads it back, and finds its own commit or decides again.
        if (world.chance(choices.lostPushes)) return { kind: 'rejected', said: '' };
        latest = world.ledger;
        return { kind: 'pushed', tip: latest.tip ?? '' };
      }),
  };
  function write(state: State): void {
    const start = sending?.start ?? (state.covered === null ? undefined : numberOf(state.covered));
    if (scope === 'heads') world.beginning ||= world.ancestors(start);
    world.typed |= world.ancestors(run.since);
    world.ledger = { tip: `v${numberOf(world.ledger.tip ?? 'v0') + 1}`, state };
  }

  function call(into?: string) {
    const happen = () => {
      if (world.chance(3)) throw new Cancelled('SIGINT');
      if (sending === undefined) throw new Error('nothing was composed');
      const { range, doubts } = sending;
      world.falseDoubts.push(...doubts.filter((id) => !world.doubtful.has(id)));
      const isWarned = doubts.length > 0;
      const isTyped = run.since !== undefined;
      const sent = world.post({ range, isTyped, isWarned }, into);
      if (sent.kind === 'in-doubt') world.doubtful.add(run.id);
      return sent;
    };
    return effect(happen, random() * (random() < 0.05 ? 4.9 : 0.1));
  }
  const agent = {
    deadline: Number.POSITIVE_INFINITY,
    send: (_prompt: string, _until: number, into?: string) => call(into),
    async read(id: string): Promise<Read> {
      for (;;) {
        const asked = world.minutes;
        const job = await effect(() => world.read(id));
        // The client's limit for a read is 30 s, which a frozen runner misses.
        if (world.minutes > asked + 0.5) continue;
        if (world.chance(choices.faults)) return { kind: 'unreadable', said: 'HTTP 503' };
        return job ? { kind: 'job', job } : { kind: 'not-found', said: '' };
      }
    },
  };

  const rangeFrom = (start: number | undefined) =>
    world.ancestors(to) & ~world.ancestors(start) & ~world.needless;
  const outside: Outside = {
    now: clock.date,
    async target() {
      to = scope === 'pull' ? world.tip : run.head;
      const start = run.start === undefined ? undefined : nameOf(run.start);
      return { to: nameOf(to), head: nameOf(to), start };
    },
    since: async () => (run.since === undefined ? undefined : nameOf(run.since)),
    isBehind: async (a, b) => world.isBehind(numberOf(a), numberOf(b)),
    isOnBranch: async (head) => world.isBehind(numberOf(head), world.tip),
    async nothingToSend(start) {
      if (scope !== 'heads' || run.isPromptAlone) return undefined;
      if (start === undefined) return 'no-start';
      return rangeFrom(numberOf(start)) === 0 ? 'all-skipped' : undefined;
    },
    look: createLook(agent, { clock, runner, signal }),
    docsPullState: async (link) => world.docsPullState(link),
  };
  const context = {
    inputs: { wait, pollIntervalMs: POLL_MS },
    effects: { clock, runner, signal },
    deadline: (began + run.timeout) * MINUTE_MS,
    agent,
    github: { docsPull: async () => ({ kind: 'unreadable' }) },
    tell: () => undefined,
    // The steps that are played read nothing else.
  } as unknown as Context & { readonly agent: NonNullable<Context['agent']> };

  /** Whether a run may be calling: for 10 minutes from its claim on. */
  const mayCall = ({ at, end }: Call) => end === null && clock.date() < at + 10 * MINUTE_MS;

  const tracked: LedgerRun = {
    run: run.id,
    attempt: run.attempt,
    key: `k${random()}`,
    scope,
    tracksChanges: !run.isPromptAlone,
    appends: choices.append,
    isDryRun: false,
  };
  /** Only a claim can be cancelled. What became of a call is recorded for some seconds more. */
  async function push(...[tip, state, sentence]: Parameters<Store['push']>): Promise<Pushed> {
    const pushed = await store.push(tip, state, sentence);
    if (world.chance(2)) throw new Cancelled('SIGINT');
    return pushed;
  }
  const session: Session = {
    recorder: { store, scope, outside, clock, signal },
    outside,
    takeTurn: (isMessageRefused) =>
      takeTurn(tracked, { ...store, push }, outside, {
        ...{ clock, signal, deadline: context.deadline, isMessageRefused },
        recorder: session.recorder,
        waitUntil: (began + run.timeout / 2) * MINUTE_MS,
        pollIntervalMs: POLL_MS,
        onWait(call) {
          if (call.job === null && !mayCall(call)) world.missedDoubts.push(call.run);
        },
        async compose({ start: from, warnings }) {
          const start = from === undefined ? undefined : numberOf(from);
          const doubted = warnings.flatMap((one) => (one.kind === 'doubt' ? [one.call] : []));
          const early = doubted.filter((one) => one.run !== run.id && mayCall(one));
          world.falseDoubts.push(...early.map((one) => one.run));
          sending = { start, range: rangeFrom(start), doubts: doubted.map((one) => one.run) };
          return { prompt: 'prompt', codePullRequests: [] };
        },
      }),
  };

  const end = await takeTurns(context, session).then(
    (ending) => (ending.kind === 'skipped' ? `skipped ${ending.reason}` : ending.kind),
    (error: unknown) => {
      if (error instanceof Cancelled) return 'cancelled';
      if (error instanceof StepError) return `error ${error.topic}`;
      throw error;
    },
  );
  const isSent = end === 'skipped covered' || world.isQuiet;
  world.ends.push({ end, owed: isSent ? rangeFrom(undefined) : 0, at: world.minutes });
}

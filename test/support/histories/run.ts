/** A run in the world: the rules, the call and the wait are the real ones, on effects that may fail. */
import { type Standing, standingOf } from '../../../src/agent/job.ts';
import { Cancelled, StepError } from '../../../src/errors.ts';
import { openLedger } from '../../../src/ledger/ledger.ts';
import type { Outside, Pushed, Store } from '../../../src/ledger/outside.ts';
import type { Asked } from '../../../src/ledger/rules.ts';
import type { State } from '../../../src/ledger/state.ts';
import { type Ending, knowing } from '../../../src/report/ending.ts';
import { type TurnRooms, takeTurns } from '../../../src/run/turns.ts';
import { watchCalls } from '../../../src/run/with-ledger.ts';
import { effectsOf } from '../effects.ts';
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
  readonly tag: number | undefined;
  readonly isPromptAlone: boolean;
  /** Minutes. */
  readonly timeout: number;
}

const nameOf = (change: number) => `c${change}`;
const numberOf = (name: string) => Number(name.slice(1));

/** Runs the step, and adds its end to those of the world. If the runner dies, only calls `die`. */
export async function execute(world: World, run: Run, die: () => void): Promise<void> {
  const { choices, random } = world;
  const { scope, wait } = choices;
  const began = world.minutes;
  const runner = new RecordingRunner();
  /** What it would send. Of a pull request, that is known once it was read. */
  let to = scope === 'pull' && !run.isPromptAlone ? undefined : run.head;
  /** What it sends, as composed last. */
  let sending: { start: number | undefined; range: number } | undefined;

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

  const name = scope === 'tag' ? `tag/${run.tag}` : scope;
  const store: Store = {
    ref: `refs/docs-agent/${name}`,
    read: () => effect(() => ({ ...world.ledger(name), branchTip: nameOf(world.tip) })),
    tip: () => effect(() => world.ledger(name).tip),
    push: (tip, state) =>
      effect((): Pushed => {
        if (tip !== world.ledger(name).tip || world.chance(choices.lostPushes / 2))
          return { kind: 'rejected', said: '' };
        write(state);
        // The client reads it back, and finds its own commit or decides again.
        if (world.chance(choices.lostPushes)) return { kind: 'rejected', said: '' };
        return { kind: 'pushed', tip: world.ledger(name).tip ?? '' };
      }),
    with: () => store,
  };
  function write(state: State): void {
    const start = sending?.start ?? (state.covered === null ? undefined : numberOf(state.covered));
    if (scope === 'heads') world.beginning ||= world.ancestors(start);
    world.typed |= world.ancestors(run.since);
    const tip = `v${numberOf(world.ledger(name).tip ?? 'v0') + 1}`;
    world.ledgers.set(name, { tip, state, branchTip: nameOf(world.tip) });
  }

  const agent = {
    send(_prompt: string, _until: number, into?: string) {
      const happen = () => {
        if (world.chance(3)) throw new Cancelled('SIGINT');
        if (sending === undefined) throw new Error('nothing was composed');
        const { range } = sending;
        const doubts = doubtsIn(runner);
        world.falseDoubts.push(...doubts.filter((id) => !world.doubtful.has(id)));
        const [isTyped, isWarned] = [run.since !== undefined, doubts.length > 0];
        const sent = world.post({ range, isTyped, isWarned }, into);
        if (sent.kind === 'in-doubt') world.doubtful.add(run.id);
        return sent;
      };
      return effect(happen, random() * (random() < 0.05 ? 4.9 : 0.1));
    },
    async read(id: string): Promise<Standing> {
      for (;;) {
        const asked = world.minutes;
        const job = await effect(() => world.read(id));
        // The client's limit for a read is 30 s, which a frozen runner misses.
        if (world.minutes > asked + 0.5) continue;
        if (world.chance(choices.faults)) return { kind: 'unreadable', said: 'HTTP 503' };
        return job ? standingOf(job) : { kind: 'not-found', said: '' };
      }
    },
  };

  const rangeFrom = (start: number | undefined) =>
    world.ancestors(to) & ~world.ancestors(start) & ~world.needless;
  const deadline = (began + run.timeout) * MINUTE_MS;
  const effects = effectsOf({ clock, runner, deadline });
  const outside: Outside = {
    async target() {
      to = scope === 'pull' ? world.tip : run.head;
      const start = run.start === undefined ? undefined : nameOf(run.start);
      const typed = run.since === undefined ? undefined : nameOf(run.since);
      return {
        ...{ to: nameOf(to), head: nameOf(to), start },
        since: typed === undefined ? undefined : { typed, start: typed },
        isCurrent: run.tag === undefined || world.tags.get(run.tag) === run.head,
      };
    },
    isBehind: async (a, b) => world.isBehind(numberOf(a), numberOf(b)),
    async nothingFrom(start) {
      if (scope !== 'heads' || run.isPromptAlone) return undefined;
      if (start === undefined) return 'no-start';
      return rangeFrom(numberOf(start)) === 0 ? 'all-skipped' : undefined;
    },
    look: watchCalls(agent, effects),
    docsPullState: async (link) => world.docsPullState(link),
    with: () => ({
      isBehind: outside.isBehind,
      async docsPullState(link) {
        if (world.chance(choices.faults)) throw new StepError('github', 'HTTP 503');
        return world.docsPullState(link);
      },
    }),
  };

  const asked: Asked = {
    ...{ run: run.id, attempt: run.attempt, key: `k${random()}`, scope },
    ...{ sendsChanges: !run.isPromptAlone, appends: choices.append },
    ...{ isAskedFor: false, isDryRun: false },
  };
  /** Only a claim can be cancelled. What became of a call is recorded for some seconds more. */
  async function push(...[tip, state, sentence]: Parameters<Store['push']>): Promise<Pushed> {
    const pushed = await store.push(tip, state, sentence);
    if (world.chance(2)) throw new Cancelled('SIGINT');
    return pushed;
  }
  const ledger = openLedger(asked, { ...store, push }, outside, {
    ...{ ...effects, pollIntervalMs: POLL_MS },
    waitUntil: (began + run.timeout / 2) * MINUTE_MS,
  });
  const rooms: TurnRooms = {
    ...{ inputs: { wait, dryRun: false, pollIntervalMs: POLL_MS }, effects, agent, ledger },
    changes: {
      async compose(from) {
        const start = from === undefined ? undefined : numberOf(from);
        sending = { start, range: rangeFrom(start) };
        return { prompt: 'prompt', codePullRequests: [] };
      },
      overview: async () => undefined,
    },
    github: { with: () => ({ docsPull: async () => undefined }) },
  };

  const { ending } = await knowing({}, () => takeTurns(rooms));
  const end = ending.kind === 'skipped' ? `skipped ${ending.reason}` : nameOfEnd(ending);
  const isSent = end === 'skipped covered' || world.isQuiet;
  world.ends.push({ end, owed: isSent ? rangeFrom(undefined) : 0, at: world.minutes });
}

function nameOfEnd(ending: Ending): string {
  if (ending.kind !== 'stopped') return ending.kind;
  if (ending.error instanceof Cancelled) return 'cancelled';
  if (ending.error instanceof StepError) return `error ${ending.error.topic}`;
  throw ending.error;
}

/** The runs whose calls are in doubt, as the warnings say. */
const doubtsIn = ({ annotations }: RecordingRunner): readonly number[] =>
  annotations.flatMap(({ message }) => {
    const [, run] = /^It is unknown .* of workflow run (\d+),/.exec(message) ?? [];
    return run === undefined ? [] : [Number(run)];
  });

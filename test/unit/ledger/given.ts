/** What the tests give a ledger. Its branch has the commits `A` to `Z`, in this order. */
import type { Standing } from '../../../src/agent/job.ts';
import type { Effects } from '../../../src/effects.ts';
import { openLedger } from '../../../src/ledger/ledger.ts';
import type { Outside, Snapshot, Store } from '../../../src/ledger/outside.ts';
import type { Asked, Target } from '../../../src/ledger/rules.ts';
import type { Call, State } from '../../../src/ledger/state.ts';
import { shown } from '../../support/agent-job.ts';
import { TestClock } from '../../support/clock.ts';
import { effectsOf } from '../../support/effects.ts';

export const MINUTE_MS = 60_000;
export const HOUR_MS = 60 * MINUTE_MS;
/** When every test begins. */
export const NOW = new TestClock().date();

/** Run 2 sends the changes of a push. */
export const askedOf = (more: Partial<Asked> = {}): Asked => ({
  key: 'k2',
  run: 2,
  attempt: 1,
  scope: 'heads',
  sendsChanges: true,
  appends: false,
  isAskedFor: false,
  isDryRun: false,
  ...more,
});

/** From B to D. */
export const targetOf = (more: Partial<Target> = {}): Target => ({
  to: 'D',
  head: 'D',
  start: 'B',
  since: undefined,
  isCurrent: true,
  ...more,
});

/** A claim of run 1, made just now. */
export const callOf = (more: Partial<Call> = {}): Call => ({
  ...{ key: 'k1', run: 1, attempt: 1, to: 'C', at: NOW, job: null, codePullRequests: [] },
  ...{ messageTo: null, pull: null, end: null },
  ...more,
});

export const stateOf = (runs: readonly Call[], covered: string | null = null): State => {
  return { v: 1, covered, runs };
};

export interface Given {
  readonly asked?: Partial<Asked>;
  readonly runs?: readonly Call[];
  readonly covered?: string;
  readonly target?: Partial<Target>;
  /** What the looks at an agent job show in turn, the last one for ever. */
  readonly looks?: readonly Standing[];
  readonly outside?: Partial<Outside>;
  /** How many pushes the server takes. It refuses later ones. */
  readonly pushes?: number;
  readonly refusal?: 'rejected' | 'denied';
  /** After how many tries the server takes them again. */
  readonly triesRefused?: number;
  readonly signals?: Partial<Pick<Effects, 'signal' | 'lateSignal'>>;
  readonly waitUntil?: number;
}

/** A ledger on a server, its requests in order, and what it pushed. */
export function worldOf({ runs = [], covered, looks = [], ...given }: Given = {}) {
  const { pushes = Number.POSITIVE_INFINITY, refusal = 'rejected', waitUntil = HOUR_MS } = given;
  const { triesRefused = Number.POSITIVE_INFINITY } = given;
  const effects = { ...effectsOf({ clock: new TestClock() }), ...given.signals };
  const { clock } = effects;
  const requests: string[] = [];
  /** When, in seconds. */
  const tries: number[] = [];
  const pushed: State[] = [];
  let server: Snapshot = { tip: 'v', state: stateOf(runs, covered), branchTip: 'Z' };
  const outside: Outside = {
    target: async () => targetOf(given.target),
    isBehind: async (a, b) => ([a, b].includes('gone') ? undefined : a <= b),
    nothingFrom: async () => undefined,
    async look() {
      const before = requests.filter((name) => name === 'look').length;
      requests.push('look');
      return looks[Math.min(before, looks.length - 1)] ?? shown();
    },
    docsPullState: async () => 'open',
    with: () => outside,
    ...given.outside,
  };
  const store: Store = {
    ref: 'refs/docs-agent/x',
    async read() {
      requests.push('read');
      return server;
    },
    async tip() {
      requests.push('tip');
      return server.tip;
    },
    async push(tip, state) {
      tries.push(clock.now() / 1_000);
      const isRefused = pushed.length >= pushes && tries.length <= triesRefused;
      if (isRefused || tip !== server.tip) return { kind: refusal, said: `no ${tries.length}` };
      write(state);
      pushed.push(state);
      return { kind: 'pushed', tip: `${server.tip}` };
    },
    with: () => store,
  };
  /** As this run and others do. */
  function write(state: State): void {
    server = { ...server, tip: `${server.tip}+`, state };
  }
  const options = { ...effects, pollIntervalMs: 10_000, waitUntil };
  const ledger = openLedger(askedOf(given.asked), store, outside, options);
  return { ...effects, ledger, store, outside, requests, tries, pushed, write };
}

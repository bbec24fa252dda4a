/** The tables of "Many runs at once" in .github/BENCHMARKS.md. */
import {
  AS_IT_IS,
  type LimitName,
  type ManyResult,
  OUTAGES,
  type OutageKind,
  type Policy,
  pushToOneProject,
  type RunRecord,
  waitFor,
  waitThroughOutage,
} from './many.ts';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

export interface Table {
  readonly title: string;
  readonly head: readonly string[];
  readonly rows: readonly (readonly (string | number)[])[];
}

// --- Figures -----------------------------------------------------------------------------------------

const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);
const mean = (values: readonly number[]) => sum(values) / values.length;
const whole = (value: number) => Math.round(value).toLocaleString('en-US');

function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((one, other) => one - other);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

/** The most arrivals in any of the windows of `windowMs` that follow one another, a second each. */
function peakPerSecond(arrivals: readonly number[], windowMs: number): number {
  const counts = new Map<number, number>();
  for (const at of arrivals) {
    const window = Math.floor(at / windowMs);
    counts.set(window, (counts.get(window) ?? 0) + 1);
  }
  return (
    ([...counts.values()].reduce((most, count) => Math.max(most, count), 0) * SECOND) / windowMs
  );
}

/** GitHub bills each workflow job in whole minutes, rounded up. */
const billedMinutes = (runs: readonly RunRecord[]) =>
  sum(runs.map(({ heldMs }) => Math.ceil(heldMs / MINUTE)));

function mostAtOnce(runs: readonly RunRecord[]): number {
  const changes = runs
    .flatMap(({ startedAt, heldMs }) => [
      { at: startedAt, by: 1 },
      { at: startedAt + heldMs, by: -1 },
    ])
    .sort((one, other) => one.at - other.at);
  let [held, most] = [0, 0];
  for (const { by } of changes) {
    held += by;
    most = Math.max(most, held);
  }
  return most;
}

// --- Pushes to one project ---------------------------------------------------------------------------

/** A clock hour that begins with the first push, and one that begins in the middle of them. */
const PHASES: Readonly<Record<LimitName, readonly number[]>> = {
  'fixed hour': [0, 30 * MINUTE],
  'last 60 minutes': [0],
  'token bucket': [0],
};

const PUSH_HEAD = [
  'runs with a pull request',
  'failed without an agent job',
  'timed out, the agent job still running',
  'most agent jobs of one run',
  'runner minutes',
  'of failed runs',
  'median and p95 of a run, min',
  'most runners at once',
  'requests in vain',
  'most requests in a second',
];

async function pushRow(
  pushes: number,
  limit: LimitName,
  saysRetryAfter: boolean,
  policy: Policy,
): Promise<readonly string[]> {
  const results: ManyResult[] = [];
  for (const phaseMs of PHASES[limit]) {
    const scenario = { seed: 1, pushes, overMs: HOUR, limit, phaseMs, saysRetryAfter, policy };
    results.push(await pushToOneProject(scenario));
  }
  const all = results.flatMap(({ runs }) => runs);
  const of = (figure: (result: ManyResult) => number) => whole(mean(results.map(figure)));
  const ended = (outcome: string) =>
    of(({ runs }) => runs.filter((run) => run.outcome === outcome).length);
  const held = all.map(({ heldMs }) => heldMs / MINUTE);
  return [
    ended('pull-request'),
    ended('error'),
    ended('timed-out'),
    String(Math.max(...all.map(({ created }) => created))),
    of(({ runs }) => billedMinutes(runs)),
    of(({ runs }) => billedMinutes(runs.filter(({ outcome }) => outcome !== 'pull-request'))),
    `${quantile(held, 0.5).toFixed(1)} and ${quantile(held, 0.95).toFixed(1)}`,
    of(({ runs }) => mostAtOnce(runs)),
    of(({ inVain }) => inVain.length),
    of(({ arrivals }) => peakPerSecond(arrivals, SECOND)),
  ];
}

const LIMIT_NAMES: readonly LimitName[] = ['fixed hour', 'last 60 minutes', 'token bucket'];

/** What the action does, for each way in which the service may count. */
export async function limitTable(): Promise<Table> {
  const rows: (readonly string[])[] = [];
  for (const pushes of [1_000, 200, 120]) {
    for (const limit of LIMIT_NAMES) {
      for (const saysRetryAfter of [false, true]) {
        rows.push([
          whole(pushes),
          limit,
          saysRetryAfter ? 'yes' : 'no',
          ...(await pushRow(pushes, limit, saysRetryAfter, AS_IT_IS)),
        ]);
      }
    }
  }
  return {
    title: 'Pushes to one project in an hour, 100 creates an hour accepted',
    head: ['pushes', 'the service counts', '`Retry-After`', ...PUSH_HEAD],
    rows,
  };
}

const BEFORE = ['30 min, the whole `timeout` (before)', waitFor(30 * MINUTE)] as const;
const NOW = ['10 min, a third of `timeout` (now)', AS_IT_IS] as const;
const NOT_AT_ALL = ['not at all', waitFor(0)] as const;
const WITHOUT_RETRY_AFTER = [
  BEFORE,
  ['15 min', waitFor(15 * MINUTE)],
  NOW,
  ['5 min', waitFor(5 * MINUTE)],
  NOT_AT_ALL,
] as const;

/** How long a create should wait for the limit. */
export async function patienceTable(saysRetryAfter: boolean): Promise<Table> {
  const rows: (readonly string[])[] = [];
  const policies = saysRetryAfter ? [BEFORE, NOW, NOT_AT_ALL] : WITHOUT_RETRY_AFTER;
  for (const pushes of [1_000, 200, 120]) {
    for (const limit of ['fixed hour', 'last 60 minutes'] as const) {
      for (const [name, policy] of policies) {
        rows.push([
          whole(pushes),
          limit,
          name,
          ...(await pushRow(pushes, limit, saysRetryAfter, policy)),
        ]);
      }
    }
  }
  return {
    title: `How long a create waits for the limit, ${saysRetryAfter ? 'with' : 'without'} \`Retry-After\``,
    head: ['pushes', 'the service counts', 'a 429 is retried for', ...PUSH_HEAD],
    rows,
  };
}

// --- The service is away -----------------------------------------------------------------------------

const STEADY_FROM = 20 * SECOND;
const AWAY_FROM = 40 * SECOND;
const AWAY_MS = 10 * MINUTE;
const BACK_AT = AWAY_FROM + AWAY_MS;
const END_AT = BACK_AT + 80 * SECOND;

/** What 10,000 waiting runs ask of a service that goes away and returns. */
export async function outageTable(runs = 10_000): Promise<Table> {
  const rows: (readonly string[])[] = [];
  for (const kind of Object.keys(OUTAGES) as OutageKind[]) {
    const outage = { from: AWAY_FROM, to: BACK_AT, kind };
    rows.push([
      kind,
      ...outageFigures(await waitThroughOutage({ seed: 1, runs, outage, endAt: END_AT })),
    ]);
  }
  return {
    title: `${whole(runs)} runs wait, the service is away for 10 minutes`,
    head: [
      'while it is away',
      'steady requests a second',
      'in vain, a second',
      'in vain, for each run',
      'most in a second after the return',
      'most over 10 s, a second',
      'each run hears again after, median and last, s',
      'runs that failed',
    ],
    rows,
  };
}

function outageFigures({
  runs,
  arrivals,
  inVain,
  firstServedAfter,
}: ManyResult): readonly string[] {
  const within = (from: number, to: number) => arrivals.filter((at) => at >= from && at < to);
  const after = within(BACK_AT, END_AT);
  const lags = firstServedAfter(BACK_AT).map((at) => (at - BACK_AT) / SECOND);
  return [
    whole((within(STEADY_FROM, AWAY_FROM).length * SECOND) / (AWAY_FROM - STEADY_FROM)),
    whole((inVain.length * SECOND) / AWAY_MS),
    (inVain.length / runs.length).toFixed(1),
    whole(peakPerSecond(after, SECOND)),
    whole(peakPerSecond(after, 10 * SECOND)),
    `${quantile(lags, 0.5).toFixed(0)} and ${quantile(lags, 1).toFixed(0)}`,
    whole(runs.filter(({ outcome }) => outcome !== 'pull-request').length),
  ];
}

/** The tables of "Many runs at once" in .github/BENCHMARKS.md. */
import {
  AS_IT_IS,
  type LimitName,
  type ManyResult,
  OUTAGES,
  type OutageKind,
  type Policy,
  type PushScenario,
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

/** Arrivals per second from one time to another. */
function meanPerSecond(arrivals: readonly number[], from: number, to: number): number {
  return (arrivals.filter((at) => at >= from && at < to).length * SECOND) / (to - from);
}

const hasPullRequest = ({ outcome }: RunRecord) => outcome === 'pull-request';
/** Runs that got no agent job, or ran out of time while they waited for it. */
const hasFailed = ({ outcome }: RunRecord) => !['pull-request', 'started'].includes(outcome);

/** The most arrivals per second in any of the consecutive windows of `windowMs`. */
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

interface Column {
  readonly head: string;
  readonly cell: (results: readonly ManyResult[]) => string;
}

/** A column whose figure is the mean of several simulations. */
const meanOf = (head: string, figure: (result: ManyResult) => number): Column => ({
  head,
  cell: (results) => whole(mean(results.map(figure))),
});

const OUTCOMES: readonly Column[] = [
  meanOf('agent jobs', ({ agentJobs }) => agentJobs),
  meanOf('runs with a pull request', ({ runs }) => runs.filter(hasPullRequest).length),
  meanOf('failed runs', ({ runs }) => runs.filter(hasFailed).length),
  meanOf('runner minutes', ({ runs }) => billedMinutes(runs)),
  meanOf('of failed runs', ({ runs }) => billedMinutes(runs.filter(hasFailed))),
  {
    head: 'a run, median and p95, min',
    cell: (results) => {
      const held = results.flatMap(({ runs }) => runs.map(({ heldMs }) => heldMs / MINUTE));
      return `${quantile(held, 0.5).toFixed(1)} and ${quantile(held, 0.95).toFixed(1)}`;
    },
  },
  meanOf('most runners at once', ({ runs }) => mostAtOnce(runs)),
  meanOf('rejected requests', ({ rejectedRequests }) => rejectedRequests.length),
];

const REMEDY = OUTCOMES.filter(({ head }) => head !== 'runs with a pull request');

const REQUESTS: readonly Column[] = [
  {
    head: 'requests a second, second half hour',
    cell: (results) =>
      mean(results.map(({ arrivals }) => meanPerSecond(arrivals, HOUR / 2, HOUR))).toFixed(1),
  },
  meanOf('most in a second', ({ arrivals }) => peakPerSecond(arrivals, SECOND)),
  {
    head: 'most agent jobs of a run',
    cell: (results) => String(Math.max(...results.map(({ runs }) => mostForOneRun(runs)))),
  },
];

const mostForOneRun = (runs: readonly RunRecord[]) =>
  Math.max(...runs.map(({ created }) => created));

async function pushRow(
  columns: readonly Column[],
  pushes: number,
  limit: LimitName,
  saysRetryAfter: boolean,
  policy: Policy,
): Promise<readonly string[]> {
  const results: ManyResult[] = [];
  for (const phaseMs of PHASES[limit]) {
    const scenario = { seed: 1, pushes, overMs: HOUR, limit, phaseMs, saysRetryAfter, policy };
    results.push(await (policy === AS_IT_IS ? pushAsItIs(scenario) : pushToOneProject(scenario)));
  }
  return columns.map(({ cell }) => cell(results));
}

/** Several tables show the unchanged action. */
const asItIs = new Map<string, Promise<ManyResult>>();
function pushAsItIs(scenario: PushScenario): Promise<ManyResult> {
  const key = JSON.stringify(scenario);
  const result = asItIs.get(key) ?? pushToOneProject(scenario);
  asItIs.set(key, result);
  return result;
}

const headsOf = (columns: readonly Column[]) => columns.map(({ head }) => head);

const LIMIT_NAMES: readonly LimitName[] = ['fixed hour', 'last 60 minutes', 'token bucket'];

/** What the action does, for each way in which the service may count. */
export async function limitTable(): Promise<Table> {
  const columns = [...OUTCOMES, ...REQUESTS];
  const rows: (readonly string[])[] = [];
  for (const pushes of [1_000, 200, 120]) {
    for (const limit of LIMIT_NAMES) {
      for (const saysRetryAfter of [false, true]) {
        rows.push([
          whole(pushes),
          limit,
          saysRetryAfter ? 'yes' : 'no',
          ...(await pushRow(columns, pushes, limit, saysRetryAfter, AS_IT_IS)),
        ]);
      }
    }
  }
  return {
    title: 'Pushes to one project in an hour, 100 creates an hour accepted',
    head: ['pushes', 'the service counts', '`Retry-After`', ...headsOf(columns)],
    rows,
  };
}

const WHOLE_TIMEOUT = ['30 min, for the whole `timeout`', waitFor(30 * MINUTE)] as const;
const USED = ['10 min (used)', AS_IT_IS] as const;
const WITHOUT_RETRY_AFTER = [
  WHOLE_TIMEOUT,
  ['15 min', waitFor(15 * MINUTE)],
  USED,
  ['5 min', waitFor(5 * MINUTE)],
  ['not at all', waitFor(0)],
] as const;

/** How long a create should wait for the limit. */
export async function patienceTable(saysRetryAfter: boolean): Promise<Table> {
  const rows: (readonly string[])[] = [];
  const policies = saysRetryAfter ? [WHOLE_TIMEOUT, USED] : WITHOUT_RETRY_AFTER;
  for (const pushes of [1_000, 200, 120]) {
    for (const limit of ['fixed hour', 'last 60 minutes'] as const) {
      for (const [name, policy] of policies) {
        rows.push([
          whole(pushes),
          limit,
          name,
          ...(await pushRow(OUTCOMES, pushes, limit, saysRetryAfter, policy)),
        ]);
      }
    }
  }
  return {
    title: `How long a create waits for the limit, ${saysRetryAfter ? 'with' : 'without'} \`Retry-After\``,
    head: ['pushes', 'the service counts', 'a 429 is retried for', ...headsOf(OUTCOMES)],
    rows,
  };
}

/** What the workflows can do about the limit. */
export async function remedyTable(): Promise<Table> {
  const base = { seed: 1, pushes: 1_000, limit: 'last 60 minutes', phaseMs: 0 } as const;
  const usual = { ...base, saysRetryAfter: false, policy: AS_IT_IS, overMs: HOUR };
  const remedies: readonly (readonly [string, PushScenario])[] = [
    ['1,000 repositories, a push each in an hour', usual],
    ['the same with `wait: false`', { ...usual, inputs: { wait: 'false' } }],
    [
      'the same with `wait: false` and `timeout: 1m`',
      { ...usual, inputs: { wait: 'false', timeout: '1m' } },
    ],
    ['1,000 nightly runs, spread over 12 hours', { ...usual, overMs: 12 * HOUR }],
    ['the same with `wait: false`', { ...usual, overMs: 12 * HOUR, inputs: { wait: 'false' } }],
    [
      '10 repositories, 100 pushes each in an hour, a `concurrency` group',
      { ...usual, repositories: 10 },
    ],
  ];
  const rows: (readonly string[])[] = [];
  for (const [name, scenario] of remedies) {
    const result = await pushToOneProject(scenario);
    rows.push([name, whole(result.runs.length), ...REMEDY.map(({ cell }) => cell([result]))]);
  }
  return {
    title: 'What helps against the limit (100 in the last 60 minutes, no `Retry-After`)',
    head: ['', 'runs', ...headsOf(REMEDY)],
    rows,
  };
}

// --- The service is away -----------------------------------------------------------------------------

const STEADY_FROM = 20 * SECOND;
const AWAY_FROM = 30 * SECOND;
const AWAY_MS = 10 * MINUTE;
const BACK_AT = AWAY_FROM + AWAY_MS;
const END_AT = BACK_AT + 75 * SECOND;

/** The requests of 10,000 waiting runs to a service that goes away and returns. */
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
      'failed requests a second',
      'failed requests for each run',
      'most in a second after the return',
      'most over 10 s, a second',
      'until a run is answered again, median and last, s',
      'agent jobs',
      'most agent jobs of a run',
      'failed runs',
    ],
    rows,
  };
}

function outageFigures(result: ManyResult): readonly string[] {
  const { runs, agentJobs, arrivals, rejectedRequests, firstServedAfter } = result;
  const after = arrivals.filter((at) => at >= BACK_AT && at < END_AT);
  const lags = firstServedAfter(BACK_AT).map((at) => (at - BACK_AT) / SECOND);
  return [
    whole(meanPerSecond(arrivals, STEADY_FROM, AWAY_FROM)),
    whole((rejectedRequests.length * SECOND) / AWAY_MS),
    (rejectedRequests.length / runs.length).toFixed(1),
    whole(peakPerSecond(after, SECOND)),
    whole(peakPerSecond(after, 10 * SECOND)),
    `${quantile(lags, 0.5).toFixed(0)} and ${quantile(lags, 1).toFixed(0)}`,
    whole(agentJobs),
    String(mostForOneRun(runs)),
    whole(runs.filter(hasFailed).length),
  ];
}

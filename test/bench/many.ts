/**
 * Many runs of the action at once, in virtual time: each is the action's own `run` from
 * `src/run.ts` against a simulated service. All decisions are real (back-off, what may be sent
 * again, when to read, when to stop). The network, the service, the clock and the runner are
 * simulated.
 */
import type { Delivery, Http, HttpRequest, Runner } from '../../src/effects/effects.ts';
import type { RawInputs } from '../../src/inputs/inputs.ts';
import { type RunEffects, run } from '../../src/run.ts';
import { answer, FACTS, RecordingRunner } from '../support/fakes.ts';
import { START_DATE, VirtualTime } from './virtual-time.ts';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/** From a request to its answer. */
const LATENCY_MS = 100;
/** How many agent jobs the service creates for one project in an hour, by its documentation. */
const CREATES_AN_HOUR = 100;
/** How long agent jobs work: log-uniform between these. */
const [SHORTEST_JOB_MS, LONGEST_JOB_MS] = [MINUTE, 15 * MINUTE];

// --- The service's limit -----------------------------------------------------------------------------

/** 0 when a create is accepted now, else milliseconds until one may be. */
type Limit = (now: number) => number;

/** The service does not document which of these it uses. */
export const LIMITS = {
  /** 100 in each hour of the clock, which begins `phaseMs` after the first push. */
  'fixed hour': (phaseMs: number): Limit => {
    let [windowEnd, used] = [phaseMs, 0];
    return (now) => {
      while (now >= windowEnd) [windowEnd, used] = [windowEnd + HOUR, 0];
      if (used >= CREATES_AN_HOUR) return windowEnd - now;
      used += 1;
      return 0;
    };
  },
  /** 100 in the last 60 minutes. */
  'last 60 minutes': (): Limit => {
    const accepted: number[] = [];
    return (now) => {
      const oldest = accepted.at(-CREATES_AN_HOUR);
      if (oldest !== undefined && oldest > now - HOUR) return oldest + HOUR - now;
      accepted.push(now);
      return 0;
    };
  },
  /** 100 at the start, and one more every 36 seconds. */
  'token bucket': (): Limit => {
    let [tokens, filledAt] = [CREATES_AN_HOUR, 0];
    return (now) => {
      const earned = ((now - filledAt) / HOUR) * CREATES_AN_HOUR;
      [tokens, filledAt] = [Math.min(CREATES_AN_HOUR, tokens + earned), now];
      if (tokens < 1) return ((1 - tokens) / CREATES_AN_HOUR) * HOUR;
      tokens -= 1;
      return 0;
    };
  },
} as const;

export type LimitName = keyof typeof LIMITS;

// --- The service -------------------------------------------------------------------------------------

export interface Outage {
  readonly from: number;
  readonly to: number;
  readonly kind: OutageKind;
}

export const OUTAGES = {
  'connection refused, or 503': (): Delivery => ({
    kind: 'not-sent',
    error: 'connect ECONNREFUSED',
    code: 'ECONNREFUSED',
  }),
  '503, `Retry-After: 120`': () => answer(503, { error: 'down' }, '120'),
  '503, `Retry-After` is the date of the return': (to: number) =>
    answer(503, { error: 'down' }, new Date(START_DATE + to).toUTCString()),
} as const;

export type OutageKind = keyof typeof OUTAGES;

interface ServiceOptions {
  readonly time: VirtualTime;
  readonly limit?: Limit;
  readonly saysRetryAfter?: boolean;
  readonly outage?: Outage;
  /** The share of answers that are lost on the way back. */
  readonly lostAnswers?: number;
  /** How long an agent job works. */
  readonly jobMs: () => number;
}

const LOST: Delivery = { kind: 'lost', error: 'read ECONNRESET' };

class Service {
  readonly #arrivals: number[] = [];
  readonly #rejectedRequests: number[] = [];
  /** When each run was served. */
  readonly #served: { readonly runIndex: number; readonly at: number }[] = [];
  readonly #created = new Map<number, number>();
  readonly #endOfJob: number[] = [];
  readonly #options: ServiceOptions;

  constructor(options: ServiceOptions) {
    this.#options = options;
  }

  /**
   * The network of one run. The answer is decided when a request is sent, and arrives a latency
   * later.
   */
  httpOf(runIndex: number): Http {
    const { time, lostAnswers = 0 } = this.#options;
    return {
      isTlsVerified: true,
      send: async (request) => {
        const now = time.now();
        const delivery = this.#answer(request, runIndex, now);
        this.#arrivals.push(now);
        const isServed = delivery.kind === 'response' && delivery.status < 300;
        if (isServed) this.#served.push({ runIndex, at: now });
        else this.#rejectedRequests.push(now);
        await time.wait(LATENCY_MS);
        return isServed && time.random() < lostAnswers ? LOST : delivery;
      },
      close: () => undefined,
    };
  }

  /** How many agent jobs a run created. */
  createdBy(runIndex: number): number {
    return this.#created.get(runIndex) ?? 0;
  }

  result(runs: readonly RunRecord[]): ManyResult {
    return {
      runs,
      agentJobs: this.#endOfJob.length,
      arrivals: this.#arrivals,
      rejectedRequests: this.#rejectedRequests,
      served: this.#served.length,
      firstServedAfter: (time) => {
        const first = new Map<number, number>();
        for (const { runIndex, at } of this.#served) {
          if (at >= time && !first.has(runIndex)) first.set(runIndex, at);
        }
        return [...first.values()];
      },
    };
  }

  #answer({ method, url }: HttpRequest, runIndex: number, now: number): Delivery {
    const { outage } = this.#options;
    if (outage !== undefined && now >= outage.from && now < outage.to) {
      return OUTAGES[outage.kind](outage.to);
    }
    return method === 'POST' ? this.#create(runIndex, now) : this.#read(url, now);
  }

  #create(runIndex: number, now: number): Delivery {
    const { limit, saysRetryAfter, jobMs } = this.#options;
    const waitMs = limit?.(now) ?? 0;
    if (waitMs > 0) {
      const seconds = String(Math.ceil(waitMs / SECOND));
      return answer(429, { error: 'rate limit' }, saysRetryAfter ? seconds : undefined);
    }
    this.#created.set(runIndex, this.createdBy(runIndex) + 1);
    const id = this.#endOfJob.push(now + jobMs()) - 1;
    return answer(201, { id: `job_${id}`, status: 'active' });
  }

  #read(url: string, now: number): Delivery {
    const id = url.slice(url.lastIndexOf('/job_') + '/job_'.length);
    const isActive = now < (this.#endOfJob[Number(id)] ?? Number.NaN);
    return answer(
      200,
      isActive
        ? { id: `job_${id}`, status: 'active' }
        : { id: `job_${id}`, status: 'completed', prLink: 'https://github.com/acme/docs/pull/1' },
    );
  }
}

// --- One run -----------------------------------------------------------------------------------------

export interface RunRecord {
  readonly outcome: string;
  readonly startedAt: number;
  /** How long it held its runner. */
  readonly heldMs: number;
  /** Agent jobs that it created. */
  readonly created: number;
}

/** Keeps only the outputs, because ten thousand logs are large. */
class QuietRunner extends RecordingRunner {
  override info(): void {}
  override annotate(): void {}
  override async writeSummary(): Promise<void> {}
}

/** Changes the service's answers before the run sees them, to try another back-off. */
export type Policy = (http: Http, time: VirtualTime) => Http;

/** The unchanged action. */
export const AS_IT_IS: Policy = (http) => http;

/**
 * Retries a 429 for some time after the first one, and then fails. For that the run is shown a 503
 * with `Retry-After`, which it retries until `timeout`, and then a refusal.
 */
export const waitFor = (patienceMs: number): Policy => {
  return (http, time) => {
    let firstAt: number | undefined;
    return {
      ...http,
      async send(request) {
        const delivery = await http.send(request);
        if (delivery.kind !== 'response' || delivery.status !== 429) return delivery;
        firstAt ??= time.now();
        const retryAfter = delivery.retryAfter ?? '0';
        const nextAt = time.now() + Number(retryAfter) * SECOND;
        const isOver = patienceMs === 0 || nextAt > firstAt + patienceMs;
        return isOver ? { ...delivery, status: 403 } : { ...delivery, status: 503, retryAfter };
      },
    };
  };
};

async function oneRun(
  service: Service,
  time: VirtualTime,
  index: number,
  policy: Policy,
  inputs: RawInputs = {},
): Promise<RunRecord> {
  const startedAt = time.now();
  const runner: Runner & { readonly outputs: Record<string, string> } = new QuietRunner();
  const effects: RunEffects = {
    http: policy(service.httpOf(index), time),
    clock: time.clock(),
    runner,
    files: { read: () => Promise.reject(new Error('ENOENT')) },
    openGitHub: () => Promise.reject(new Error('no repository')),
    signal: NEVER,
  };
  await run({ ...INPUTS, ...inputs }, FACTS, effects);
  return {
    outcome: runner.outputs['outcome'] ?? '',
    startedAt,
    heldMs: time.now() - startedAt,
    created: service.createdBy(index),
  };
}

const INPUTS: RawInputs = { prompt: 'x', projectId: 'p', adminApiKey: 'mint_key' };
const NEVER = new AbortController().signal;

// --- Many pushes against the limit on creates --------------------------------------------------------

export interface PushScenario {
  readonly seed: number;
  readonly pushes: number;
  readonly overMs: number;
  readonly limit: LimitName;
  readonly phaseMs: number;
  readonly saysRetryAfter: boolean;
  readonly policy: Policy;
  /** The share of answers that are lost on the way back; none by default. */
  readonly lostAnswers?: number;
  readonly inputs?: RawInputs;
  /**
   * How many repositories push, each with a `concurrency` group: one run at a time, and of those
   * that wait only the newest runs. By default each push comes from a repository of its own.
   * https://docs.github.com/actions/how-tos/write-workflows/choose-when-workflows-run/control-workflow-concurrency
   */
  readonly repositories?: number;
}

/** The results of all runs, and when each request arrived, in ms. */
export interface ManyResult {
  readonly runs: readonly RunRecord[];
  /** How many agent jobs the service has in the end. */
  readonly agentJobs: number;
  readonly arrivals: readonly number[];
  /** Those that were answered with 429 or 503, or not at all. */
  readonly rejectedRequests: readonly number[];
  /** How many requests succeeded. */
  readonly served: number;
  /** For each run that was served after `time`, when it first was. */
  readonly firstServedAfter: (time: number) => readonly number[];
}

/** Runs of one project, started at random times within `overMs`. */
export async function pushToOneProject(scenario: PushScenario): Promise<ManyResult> {
  const time = new VirtualTime(scenario.seed);
  const service = new Service({
    time,
    limit: LIMITS[scenario.limit](scenario.phaseMs),
    saysRetryAfter: scenario.saysRetryAfter,
    lostAnswers: scenario.lostAnswers ?? 0,
    jobMs: () => SHORTEST_JOB_MS * (LONGEST_JOB_MS / SHORTEST_JOB_MS) ** time.random(),
  });
  const { pushes, overMs, policy, inputs, repositories = pushes } = scenario;
  const pushedAt = Array.from({ length: repositories }, (): number[] => []);
  for (let push = 0; push < pushes; push += 1) {
    pushedAt[push % repositories]?.push(time.random() * overMs);
  }
  let runs = 0;
  const tasks = pushedAt.map((times) => async () => {
    const records: RunRecord[] = [];
    for (const at of times.toSorted((one, other) => one - other)) {
      // The run before began later, so it covers this push as well.
      const last = records.at(-1);
      if (last !== undefined && at <= last.startedAt) continue;
      await time.wait(at - time.now());
      runs += 1;
      records.push(await oneRun(service, time, runs, policy, inputs));
    }
    return records;
  });
  return service.result((await time.runAll(tasks)).flat());
}

// --- Many runs that wait while the service is away ---------------------------------------------------

export interface OutageScenario {
  readonly seed: number;
  readonly runs: number;
  readonly outage: Outage;
  /** When all agent jobs end. */
  readonly endAt: number;
}

/** Runs of many projects that have their agent jobs before the service goes away. */
export async function waitThroughOutage(scenario: OutageScenario): Promise<ManyResult> {
  const time = new VirtualTime(scenario.seed);
  const service = new Service({
    time,
    outage: scenario.outage,
    jobMs: () => scenario.endAt - time.now(),
  });
  const tasks = Array.from({ length: scenario.runs }, (_, index) => async () => {
    await time.wait(time.random() * 10 * SECOND);
    return oneRun(service, time, index, AS_IT_IS);
  });
  return service.result(await time.runAll(tasks));
}

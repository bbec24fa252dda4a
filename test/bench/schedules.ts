/**
 * Compares schedules of reads for agent jobs of 30 s to 30 min: how many reads they need, and how
 * long after the end of an agent job the end is read. The best any schedule could do for the same
 * number of reads is the classic inspection problem (Barlow, Hunter and Proschan, "Optimum checking
 * procedures", 1963), solved here by dynamic programming over a grid of times.
 */

import { parseJob } from '../../src/agent/job.ts';
import { waitForEnd } from '../../src/agent/wait.ts';
import { type FakeClock, fakeEffects } from '../support/fakes.ts';

const SHORTEST_S = 30;
const LONGEST_S = 1_800;

/** The distribution of durations: the share of agent jobs that are done after some seconds. */
export interface Mix {
  readonly name: string;
  readonly done: (seconds: number) => number;
  /** The duration that a share of all agent jobs does not exceed. */
  readonly quantile: (share: number) => number;
}

export const MIXES: readonly Mix[] = [
  {
    name: 'log-uniform',
    done: (s) => Math.log(s / SHORTEST_S) / Math.log(LONGEST_S / SHORTEST_S),
    quantile: (share) => SHORTEST_S * (LONGEST_S / SHORTEST_S) ** share,
  },
  {
    name: 'uniform',
    done: (s) => (s - SHORTEST_S) / (LONGEST_S - SHORTEST_S),
    quantile: (share) => SHORTEST_S + share * (LONGEST_S - SHORTEST_S),
  },
];

export interface Cost {
  readonly reads: number;
  readonly lagS: number;
}

const JOBS = 2_000;

/** The cost of the action itself with an interval, on a fake clock with the agent jobs of a mix. */
export async function costOfInterval(mix: Mix, intervalS: number): Promise<Cost> {
  let reads = 0;
  let lagS = 0;
  for (let job = 0; job < JOBS; job += 1) {
    const durationMs = mix.quantile((job + 0.5) / JOBS) * 1_000;
    const effects = fakeEffects(() => ({ kind: 'lost', error: '' }));
    const clock: FakeClock = effects.clock;
    const plan = { pollIntervalMs: intervalS * 1_000, deadline: Number.MAX_SAFE_INTEGER };
    const body = (status: string) =>
      JSON.stringify({ id: 'job_1', status, prLink: 'https://github.com/a/b/pull/1' });
    await waitForEnd(
      plan,
      { job: undefined, firstPauseMs: plan.pollIntervalMs },
      async () => {
        reads += 1;
        const parsed = parseJob(body(clock.now() >= durationMs ? 'completed' : 'active'));
        if (parsed.kind !== 'job') throw new Error(parsed.error);
        return parsed;
      },
      () => undefined,
      effects,
    );
    lagS += (clock.now() - durationMs) / 1_000;
  }
  return { reads: reads / JOBS, lagS: lagS / JOBS };
}

/** The cost of a schedule, given as the times of its reads in seconds, for a mix. */
export function costOfSchedule(mix: Mix, times: readonly number[]): Cost {
  let reads = 0;
  let lagS = 0;
  for (let job = 0; job < JOBS; job += 1) {
    const duration = mix.quantile((job + 0.5) / JOBS);
    const index = times.findIndex((time) => time >= duration);
    reads += index + 1;
    lagS += (times[index] ?? Number.NaN) - duration;
  }
  return { reads: reads / JOBS, lagS: lagS / JOBS };
}

const STEP_S = 0.5;
const POINTS = Math.round((LONGEST_S - SHORTEST_S) / STEP_S) + 1;
const timeOf = (point: number) => SHORTEST_S + point * STEP_S;

/** The best schedule when a read costs as much as so many seconds of lag. */
function bestAtPrice(mix: Mix, price: number): readonly number[] {
  const done = Array.from({ length: POINTS }, (_, point) => mix.done(timeOf(point)));
  // The area under `done` up to each point: a read at s sees what ended since the read at t a mean
  // of (s - t) done(t) … late, which these sums give at once.
  const area = [0];
  for (let point = 1; point < POINTS; point += 1) {
    const slice = (((done[point] ?? 0) + (done[point - 1] ?? 0)) / 2) * STEP_S;
    area.push((area[point - 1] ?? 0) + slice);
  }
  const cost = new Float64Array(POINTS);
  const following = new Int32Array(POINTS);
  for (let from = POINTS - 2; from >= 0; from -= 1) {
    let best = Number.POSITIVE_INFINITY;
    for (let to = from + 1; to < POINTS; to += 1) {
      const lag =
        (area[to] ?? 0) - (area[from] ?? 0) - (timeOf(to) - timeOf(from)) * (done[from] ?? 0);
      if (lag >= best) break;
      const total = price * (1 - (done[from] ?? 0)) + lag + (cost[to] ?? 0);
      if (total < best) {
        best = total;
        following[from] = to;
      }
    }
    cost[from] = best;
  }
  const times: number[] = [];
  for (let point = 0; point < POINTS - 1; ) {
    point = following[point] ?? POINTS;
    times.push(timeOf(point));
  }
  return times;
}

/** The schedule with the smallest mean lag for a maximum number of reads. */
export function bestForReads(mix: Mix, reads: number): readonly number[] {
  let [low, high] = [0, 1_000];
  for (let round = 0; round < 40; round += 1) {
    const price = (low + high) / 2;
    if (costOfSchedule(mix, bestAtPrice(mix, price)).reads > reads) low = price;
    else high = price;
  }
  return bestAtPrice(mix, high);
}

import { beforeAll, describe, expect, test } from 'vitest';
import { AS_IT_IS, LIMITS, type LimitName, pushToOneProject } from '../bench/many.ts';

const MINUTE = 60_000;
const limits = Object.keys(LIMITS) as LimitName[];

/** More pushes than the service accepts, with one answer in ten lost. */
const scenario = (limit: LimitName, saysRetryAfter: boolean) => ({
  seed: 7,
  pushes: 150,
  overMs: 20 * MINUTE,
  limit,
  phaseMs: 10 * MINUTE,
  saysRetryAfter,
  policy: AS_IT_IS,
  lostAnswers: 0.1,
});

const rows = limits.flatMap((limit) =>
  [true, false].map((saysRetryAfter) => ({
    limit,
    saysRetryAfter,
    header: saysRetryAfter ? 'with Retry-After' : 'without Retry-After',
  })),
);

describe.each(rows)('many runs against a limit of the kind "$limit", $header', (row) => {
  let seen: Awaited<ReturnType<typeof pushToOneProject>>;
  beforeAll(async () => {
    seen = await pushToOneProject(scenario(row.limit, row.saysRetryAfter));
  });

  test('never create two agent jobs for one run, and every request is accounted for', () => {
    const { runs, agentJobs, arrivals, rejectedRequests, served } = seen;
    expect(runs).toHaveLength(150);
    expect(Math.max(...runs.map(({ created }) => created))).toBe(1);
    expect(runs.filter(({ created }) => created === 1)).toHaveLength(agentJobs);
    expect(arrivals).toHaveLength(served + rejectedRequests.length);
    // Each run without an agent job was refused at least once; each pull request was read.
    const [with429, done] = [
      runs.filter(({ created }) => created === 0),
      runs.filter(({ outcome }) => outcome === 'pull-request'),
    ];
    expect(rejectedRequests.length).toBeGreaterThanOrEqual(with429.length);
    expect(served).toBeGreaterThanOrEqual(agentJobs + done.length);
    expect(done.every(({ created }) => created === 1)).toBe(true);
  });

  test('have the same result each time', async () => {
    const { runs, arrivals } = await pushToOneProject(scenario(row.limit, row.saysRetryAfter));
    expect([runs, arrivals]).toEqual([seen.runs, seen.arrivals]);
  });
});

test.each(limits)(
  'a limit of the kind "%s" accepts 100 at once, and the next within an hour',
  (name) => {
    const limit = LIMITS[name](60 * MINUTE);
    const waits = Array.from({ length: 101 }, () => limit(1));
    expect(waits.slice(0, 100)).toEqual(Array(100).fill(0));
    const waitMs = waits[100] ?? Number.NaN;
    expect(waitMs).toBeGreaterThan(0);
    expect(waitMs).toBeLessThanOrEqual(60 * MINUTE);
    expect(limit(1 + waitMs)).toBe(0);
  },
);

import { describe, expect, test } from 'vitest';
import type { ReadResult } from '../../../src/agent/delivery.ts';
import type { Job } from '../../../src/agent/job.ts';
import {
  decideAfter,
  initialWaitState,
  pause,
  type WaitDecision,
  type WaitPlan,
  type WaitState,
} from '../../../src/agent/wait-decision.ts';

const plan: WaitPlan = { pollIntervalMs: 10_000, deadline: 1_800_000 };

function job(status: string, prLink = ''): Job {
  return {
    id: 'job_1',
    status,
    prLink,
    refusedPrLink: '',
    sourceRepository: '',
    sourceRef: '',
    model: '',
    createdAt: '',
    archivedAt: '',
    json: '{}',
  };
}

const read = (status: string, prLink?: string): ReadResult => ({
  kind: 'job',
  job: job(status, prLink),
});
const temporary = (retryAfterMs?: number): ReadResult => ({
  kind: 'temporary',
  error: 'HTTP 502',
  retryAfterMs,
});
const missing: ReadResult = { kind: 'not-found', error: 'HTTP 404', advice: 'Check.' };
const LINK = 'https://github.com/acme/docs/pull/1';

interface Seen {
  readonly at: number;
  readonly reading: ReadResult;
}

/** Takes the steps of several readings, each at its time. */
function take(
  given: Partial<WaitPlan>,
  seen: readonly Seen[],
  start: Job | undefined = job('active'),
): WaitDecision {
  let state: WaitState = initialWaitState(0, start);
  let step: WaitDecision = pause({ ...plan, ...given }, state, 0, 0);
  for (const { at, reading } of seen) {
    step = decideAfter({ ...plan, ...given }, state, reading, at, 0);
    state = step.state;
  }
  return step;
}

const shown = (step: WaitDecision) =>
  step.action === 'pause'
    ? step.ms
    : step.ending.kind === 'ended'
      ? step.ending.end
      : step.ending.kind;

describe('what is done after a reading', () => {
  const table: readonly {
    readonly when: string;
    readonly plan?: Partial<WaitPlan>;
    readonly start?: Job | undefined;
    readonly seen: readonly Seen[];
    readonly expected: number | string;
  }[] = [
    {
      when: 'active: the interval',
      seen: [{ at: 10_000, reading: read('active') }],
      expected: 10_000,
    },
    {
      when: 'an unknown status: the interval',
      seen: [{ at: 10_000, reading: read('dreaming') }],
      expected: 10_000,
    },
    {
      when: 'completed with a link: the end',
      seen: [{ at: 10_000, reading: read('completed', LINK) }],
      expected: 'pull-request',
    },
    {
      when: 'archived: the end',
      seen: [{ at: 10_000, reading: read('archived') }],
      expected: 'archived',
    },
    {
      when: 'failed: the end',
      seen: [{ at: 10_000, reading: read('failed') }],
      expected: 'failed',
    },

    {
      when: 'completed without a link: a short pause',
      seen: [{ at: 10_000, reading: read('completed') }],
      expected: 2_000,
    },
    {
      when: 'and without one again: no changes',
      seen: [
        { at: 10_000, reading: read('completed') },
        { at: 12_000, reading: read('completed') },
      ],
      expected: 'no-changes',
    },
    {
      when: 'and with one then: a pull request',
      seen: [
        { at: 10_000, reading: read('completed') },
        { at: 12_000, reading: read('completed', LINK) },
      ],
      expected: 'pull-request',
    },
    {
      when: 'and archived then: archived',
      seen: [
        { at: 10_000, reading: read('completed') },
        { at: 12_000, reading: read('archived') },
      ],
      expected: 'archived',
    },
    {
      when: 'and active then: the end that was read',
      seen: [
        { at: 10_000, reading: read('completed') },
        { at: 12_000, reading: read('active') },
      ],
      expected: 'no-changes',
    },
    {
      when: 'and a fault then: another look',
      seen: [
        { at: 10_000, reading: read('completed') },
        { at: 12_000, reading: temporary() },
      ],
      expected: 500,
    },
    {
      when: 'and faults for 30 s: the end that was read',
      seen: [
        { at: 10_000, reading: read('completed') },
        { at: 39_800, reading: temporary() },
      ],
      expected: 'no-changes',
    },
    {
      when: 'and refused then: the end that was read',
      seen: [
        { at: 10_000, reading: read('completed') },
        { at: 12_000, reading: { kind: 'refused', error: 'HTTP 401', advice: 'Check.' } },
      ],
      expected: 'no-changes',
    },

    {
      when: 'a first fault: half a second or more',
      seen: [{ at: 10_000, reading: temporary() }],
      expected: 500,
    },
    {
      when: 'a third fault in a row: doubled twice',
      seen: [1, 2, 3].map((n) => ({ at: n * 1_000, reading: temporary() })),
      expected: 2_000,
    },
    {
      when: 'a tenth fault in a row: at most a minute',
      seen: Array.from({ length: 10 }, (_, n) => ({ at: n * 1_000, reading: temporary() })),
      expected: 30_000,
    },
    {
      when: 'a fault after a good reading: from the start',
      seen: [
        { at: 1_000, reading: temporary() },
        { at: 2_000, reading: read('active') },
        { at: 12_000, reading: temporary() },
      ],
      expected: 500,
    },
    {
      when: 'Retry-After: as long as asked',
      seen: [{ at: 1_000, reading: temporary(90_000) }],
      expected: 90_000,
    },
    {
      when: 'Retry-After past the deadline: a last read before it',
      seen: [{ at: 1_000, reading: temporary(1e15) }],
      expected: 1_798_000,
    },

    {
      when: '404 of a young job: tried again',
      plan: { createdAt: 0 },
      seen: [{ at: 29_999, reading: missing }],
      expected: 500,
    },
    {
      when: '404 of a job that was young 30 s ago: the end',
      plan: { createdAt: 5_000 },
      seen: [
        { at: 34_999, reading: missing },
        { at: 35_000, reading: missing },
      ],
      expected: 'not-found',
    },
    {
      when: '404 of a job that is still young: tried again',
      plan: { createdAt: 5_000 },
      seen: [{ at: 34_999, reading: missing }],
      expected: 500,
    },
    {
      when: '404 of an older job: the end',
      plan: { createdAt: 0 },
      seen: [{ at: 30_000, reading: missing }],
      expected: 'not-found',
    },
    {
      when: '404 of a job that is followed: the end',
      seen: [{ at: 1, reading: missing }],
      expected: 'not-found',
    },
    {
      when: 'refused: the end',
      seen: [{ at: 1, reading: { kind: 'refused', error: 'HTTP 401', advice: 'Check.' } }],
      expected: 'unreadable',
    },
    {
      when: 'not trusted, and never was: the end',
      start: undefined,
      seen: [{ at: 1, reading: { kind: 'untrusted', error: 'certificate', advice: 'Check.' } }],
      expected: 'unreadable',
    },
    {
      when: 'not trusted, but was before: tried again',
      seen: [{ at: 1, reading: { kind: 'untrusted', error: 'certificate', advice: 'Check.' } }],
      expected: 500,
    },

    {
      when: 'an old end just after a message: the interval',
      plan: { messageAt: 0 },
      seen: [{ at: 10_000, reading: read('completed', LINK) }],
      expected: 10_000,
    },
    {
      when: 'an old end 25 s after a message: until 30 s',
      plan: { messageAt: 0 },
      seen: [{ at: 25_000, reading: read('completed', LINK) }],
      expected: 5_000,
    },
    {
      when: 'an end 30 s after a message: believed',
      plan: { messageAt: 0 },
      seen: [{ at: 30_000, reading: read('completed', LINK) }],
      expected: 'pull-request',
    },
    {
      when: 'an end after active: believed at once',
      plan: { messageAt: 0 },
      seen: [
        { at: 5_000, reading: read('active') },
        { at: 6_000, reading: read('failed') },
      ],
      expected: 'failed',
    },
    {
      when: 'an unknown status is not active',
      plan: { messageAt: 0 },
      seen: [
        { at: 5_000, reading: read('dreaming') },
        { at: 6_000, reading: read('failed') },
      ],
      expected: 10_000,
    },

    {
      when: 'wait: false and active: started',
      plan: { once: true },
      seen: [{ at: 1, reading: read('active') }],
      expected: 'started',
    },
    {
      when: 'wait: false and completed without a link: no changes, without another read',
      plan: { once: true },
      seen: [{ at: 1, reading: read('completed') }],
      expected: 'no-changes',
    },

    {
      when: 'near the deadline: a last read a second before it',
      seen: [{ at: 1_795_000, reading: read('active') }],
      expected: 4_000,
    },
    {
      when: 'in the last second: to the deadline',
      seen: [{ at: 1_799_400, reading: read('active') }],
      expected: 600,
    },
    {
      when: 'at the deadline: timed out',
      seen: [{ at: 1_800_000, reading: read('active') }],
      expected: 'timed-out',
    },
    {
      when: 'a fault at the deadline: timed out',
      seen: [{ at: 1_800_000, reading: temporary() }],
      expected: 'timed-out',
    },
    {
      when: 'an end at the deadline: the end',
      seen: [{ at: 1_800_500, reading: read('completed', LINK) }],
      expected: 'pull-request',
    },
    {
      when: 'completed without a link at the deadline: no changes',
      seen: [{ at: 1_800_000, reading: read('completed') }],
      expected: 'no-changes',
    },
    {
      when: 'an old end at the deadline: timed out',
      plan: { messageAt: 1_790_000 },
      seen: [{ at: 1_800_000, reading: read('completed') }],
      expected: 'timed-out',
    },
  ];
  test.each(table)('$when', ({ plan: given = {}, seen, expected, ...rest }) => {
    const start = 'start' in rest ? rest.start : job('active');
    let state: WaitState = initialWaitState(0, start);
    let step: WaitDecision | undefined;
    for (const { at, reading } of seen) {
      step = decideAfter({ ...plan, ...given }, state, reading, at, 0);
      state = step.state;
    }
    expect(step && shown(step)).toBe(expected);
    expect(state.reads).toBe(seen.length);
  });
});

describe('the error of a timeout', () => {
  const last = (...errors: readonly (readonly [at: number, error: string])[]) => {
    const seen = errors.map(([at, error]) => ({
      at,
      reading: { kind: 'temporary', error, retryAfterMs: undefined } as const,
    }));
    const decision = take({}, seen);
    return decision.action === 'stop' && 'lastError' in decision.ending
      ? decision.ending.lastError
      : undefined;
  };

  test.each([
    { promise: 'is that of the last read', errors: [[1_800_000, 'HTTP 502']], error: 'HTTP 502' },
    {
      promise: 'is that of the read before one that the deadline cut',
      errors: [
        [1_799_000, 'HTTP 502'],
        [1_800_000, 'no whole answer within 1 s'],
      ],
      error: 'HTTP 502',
    },
  ] as const)('$promise', ({ errors, error }) => {
    expect(last(...errors)).toBe(error);
  });

  test('is that of the last read before the deadline', () => {
    const state = take({}, [
      { at: 1_000, reading: { kind: 'temporary', error: 'HTTP 502', retryAfterMs: undefined } },
      { at: 2_000, reading: { kind: 'temporary', error: 'HTTP 503', retryAfterMs: undefined } },
    ]).state;
    expect(state.lastError).toBe('HTTP 503');
  });
});

describe('what is logged', () => {
  test('a change of the status at once', () => {
    expect(take({}, [{ at: 10_000, reading: read('dreaming') }])).toMatchObject({
      log: 'The agent job is `dreaming` after 10 s (1 read).',
      warning: 'The status `dreaming` is not known to this action. It keeps waiting.',
    });
  });

  test('an unknown status as a warning once', () => {
    const step = take({}, [
      { at: 10_000, reading: read('dreaming') },
      { at: 20_000, reading: read('musing') },
    ]);
    expect(step).toMatchObject({
      log: 'The agent job is `musing` after 20 s (2 reads).',
      warning: undefined,
    });
  });

  test('the same status at most once a minute', () => {
    const seen = Array.from({ length: 60 }, (_, n) => ({
      at: (n + 1) * 10_000,
      reading: read('active'),
    }));
    let state = initialWaitState(0, job('active'));
    const logged = seen.flatMap(({ at, reading }) => {
      const step = decideAfter(plan, state, reading, at, 0);
      state = step.state;
      return step.log ?? [];
    });
    expect(logged).toHaveLength(10);
    expect(logged[0]).toBe('The agent job is still `active` after 1 min (6 reads).');
  });

  test('the first failure of a row at once, and the others at most once a minute', () => {
    const line = (failures: string, pause: string) =>
      `The agent job could not be read: HTTP 502. Reading it again in ${pause} (${failures} in a row).`;
    const first = [{ at: 10_000, reading: temporary() }];
    expect(take({}, first)).toMatchObject({ log: line('1 failure', '1 s') });
    const second = [...first, { at: 11_000, reading: temporary() }];
    expect(take({}, second)).toMatchObject({ log: undefined });
    const third = [...second, { at: 70_000, reading: temporary() }];
    expect(take({}, third)).toMatchObject({ log: line('3 failures', '2 s') });
  });

  test('the time since the wait began', () => {
    const decided = (status: string, prLink?: string) =>
      decideAfter(plan, initialWaitState(60_000, job('active')), read(status, prLink), 70_000, 0);
    expect([decided('dreaming').log, decided('failed').log]).toEqual([
      'The agent job is `dreaming` after 10 s (1 read).',
      'The agent job is `failed` after 10 s (1 read).',
    ]);
  });

  test('nothing as a warning but a status that is not known', () => {
    const active = take({}, [{ at: 10_000, reading: read('active') }]);
    const old = take({ messageAt: 0 }, [{ at: 10_000, reading: read('failed') }]);
    const known = take({}, [
      { at: 10_000, reading: read('active') },
      { at: 20_000, reading: read('dreaming') },
    ]);
    expect([active, old, known].map((step) => 'warning' in step && step.warning)).toEqual([
      undefined,
      undefined,
      'The status `dreaming` is not known to this action. It keeps waiting.',
    ]);
  });

  test('a pause of a minute only when a line is due', () => {
    expect(
      take({}, [
        { at: 10_000, reading: temporary() },
        { at: 11_000, reading: temporary(60_000) },
      ]),
    ).toMatchObject({ ms: 60_000, log: undefined });
  });

  test('a pause of more than a minute, however recent the last line is', () => {
    expect(
      take({}, [
        { at: 10_000, reading: temporary() },
        { at: 11_000, reading: temporary(60_001) },
      ]),
    ).toMatchObject({ log: expect.stringContaining('Reading it again in 1 min (2 failures') });
  });

  test.each([{ retryAfterMs: 1e14 }, { retryAfterMs: Number.POSITIVE_INFINITY }])(
    'a pause that would go past the deadline as the one that is made: $retryAfterMs ms',
    ({ retryAfterMs }) => {
      expect(take({}, [{ at: 1_000, reading: temporary(retryAfterMs) }])).toMatchObject({
        ms: 1_798_000,
        log: 'The agent job could not be read: HTTP 502. Reading it again in 29 min 58 s (1 failure in a row).',
      });
    },
  );

  test('an old end as one from before the message', () => {
    const followed = { messageAt: 0, pollIntervalMs: 5_000 };
    expect(take(followed, [{ at: 5_000, reading: read('completed') }])).toMatchObject({
      log: 'The agent job still has the status `completed` from before the message. Waiting for the agent to begin.',
    });
  });
});

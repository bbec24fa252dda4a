import { describe, expect, test } from 'vitest';
import type { Job } from '../../../src/agent/job.ts';
import type { Result } from '../../../src/agent/results.ts';
import {
  decideAfter,
  initialWaitState,
  type Moment,
  pauseDecision,
  type WaitDecision,
  type WaitPlan,
  type WaitState,
} from '../../../src/agent/wait-decision.ts';
import { quote } from '../../../src/lib/text.ts';
import { fault } from '../../support/fakes.ts';

const plan: WaitPlan = { pollIntervalMs: 10_000, deadline: 1_800_000 };

const moment = (given: Partial<WaitPlan>, now: number): Moment => ({
  plan: { ...plan, ...given },
  now,
  random: 0,
  show: quote,
});

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

const read = (status: string, prLink?: string): Result => ({
  kind: 'job',
  job: job(status, prLink),
});
const temporary = (retryAfterMs?: number): Result => fault('unclear', 'HTTP 502', retryAfterMs);
const missing: Result = fault('not-found', 'HTTP 404');
const LINK = 'https://github.com/acme/docs/pull/1';

interface Seen {
  readonly at: number;
  readonly reading: Result;
}

/** Decides after several reads, each at its time. */
function take(
  given: Partial<WaitPlan>,
  seen: readonly Seen[],
  start: Job | undefined = job('active'),
): WaitDecision {
  let state: WaitState = initialWaitState(moment({}, 0), start);
  let step: WaitDecision = pauseDecision(moment(given, 0), state, 0);
  for (const { at, reading } of seen) {
    step = decideAfter(moment(given, at), state, reading);
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

describe('the wait for an agent job', () => {
  const table: readonly {
    readonly promise: string;
    readonly plan?: Partial<WaitPlan>;
    readonly start?: Job | undefined;
    readonly seen: readonly Seen[];
    readonly expected: number | string;
  }[] = [
    {
      promise: 'pauses for the poll interval after `active`',
      seen: [{ at: 10_000, reading: read('active') }],
      expected: 10_000,
    },
    {
      promise: 'pauses for the poll interval after an unknown status',
      seen: [{ at: 10_000, reading: read('dreaming') }],
      expected: 10_000,
    },
    {
      promise: 'ends after `completed` with a link',
      seen: [{ at: 10_000, reading: read('completed', LINK) }],
      expected: 'pull-request',
    },
    {
      promise: 'ends after `archived`',
      seen: [{ at: 10_000, reading: read('archived') }],
      expected: 'archived',
    },
    {
      promise: 'ends after `failed`',
      seen: [{ at: 10_000, reading: read('failed') }],
      expected: 'failed',
    },

    {
      promise: 'pauses for 2 s after `completed` without a link',
      seen: [{ at: 10_000, reading: read('completed') }],
      expected: 2_000,
    },
    {
      promise: 'ends with no changes when the second read has no link either',
      seen: [
        { at: 10_000, reading: read('completed') },
        { at: 12_000, reading: read('completed') },
      ],
      expected: 'no-changes',
    },
    {
      promise: 'ends with the pull request when the second read has a link',
      seen: [
        { at: 10_000, reading: read('completed') },
        { at: 12_000, reading: read('completed', LINK) },
      ],
      expected: 'pull-request',
    },
    {
      promise: 'ends as archived when the second read says so',
      seen: [
        { at: 10_000, reading: read('completed') },
        { at: 12_000, reading: read('archived') },
      ],
      expected: 'archived',
    },
    {
      promise: 'ends with no changes when the second read says `active`',
      seen: [
        { at: 10_000, reading: read('completed') },
        { at: 12_000, reading: read('active') },
      ],
      expected: 'no-changes',
    },
    {
      promise: 'retries the second read after an error',
      seen: [
        { at: 10_000, reading: read('completed') },
        { at: 12_000, reading: temporary() },
      ],
      expected: 500,
    },
    {
      promise: 'ends with no changes after 30 s of errors on the second read',
      seen: [
        { at: 10_000, reading: read('completed') },
        { at: 39_800, reading: temporary() },
      ],
      expected: 'no-changes',
    },
    {
      promise: 'ends with no changes when the second read is refused',
      seen: [
        { at: 10_000, reading: read('completed') },
        {
          at: 12_000,
          reading: fault('refused', 'HTTP 401'),
        },
      ],
      expected: 'no-changes',
    },

    {
      promise: 'pauses for at least half a second after an error',
      seen: [{ at: 10_000, reading: temporary() }],
      expected: 500,
    },
    {
      promise: 'doubles the pause with each error in a row',
      seen: [1, 2, 3].map((n) => ({ at: n * 1_000, reading: temporary() })),
      expected: 2_000,
    },
    {
      promise: 'pauses for at most a minute after ten errors in a row',
      seen: Array.from({ length: 10 }, (_, n) => ({ at: n * 1_000, reading: temporary() })),
      expected: 30_000,
    },
    {
      promise: 'starts again with a short pause for an error after a good read',
      seen: [
        { at: 1_000, reading: temporary() },
        { at: 2_000, reading: read('active') },
        { at: 12_000, reading: temporary() },
      ],
      expected: 500,
    },
    {
      promise: 'pauses as long as Retry-After asks',
      seen: [{ at: 1_000, reading: temporary(90_000) }],
      expected: 90_000,
    },
    {
      promise: 'pauses for 10 minutes at most, whatever Retry-After asks',
      seen: [{ at: 1_000, reading: temporary(1e15) }],
      expected: 600_000,
    },
    {
      promise: 'makes a last read before the deadline when Retry-After goes past it',
      seen: [{ at: 1_500_000, reading: temporary(1e15) }],
      expected: 299_000,
    },

    {
      promise: 'continues after a 404 in the first 30 s of an agent job',
      plan: { acceptedAtMs: 0 },
      seen: [{ at: 29_000, reading: missing }],
      expected: 500,
    },
    {
      promise: 'reads again when the 30 s of an agent job are over, and not later',
      plan: { acceptedAtMs: 0 },
      seen: [{ at: 29_900, reading: missing }],
      expected: 100,
    },
    {
      promise: 'ends after a 404 that is read 30 s after a later creation',
      plan: { acceptedAtMs: 5_000 },
      seen: [
        { at: 34_999, reading: missing },
        { at: 35_000, reading: missing },
      ],
      expected: 'not-found',
    },
    {
      promise: 'continues after a 404 that is read less than 30 s after a later creation',
      plan: { acceptedAtMs: 5_000 },
      seen: [{ at: 34_999, reading: missing }],
      expected: 1,
    },
    {
      promise: 'ends after a 404 when the agent job is 30 s old',
      plan: { acceptedAtMs: 0 },
      seen: [{ at: 30_000, reading: missing }],
      expected: 'not-found',
    },
    {
      promise: 'continues after a 404 in the first 30 s of following a recorded agent job',
      plan: { isFollowed: true },
      start: undefined,
      seen: [{ at: 34_999, reading: missing }],
      expected: 500,
    },
    {
      promise:
        'reads again when a recorded agent job was answered with 404 for 30 s, and not later',
      plan: { isFollowed: true },
      start: undefined,
      seen: [
        { at: 40_000, reading: missing },
        { at: 69_900, reading: missing },
      ],
      expected: 100,
    },
    {
      promise: 'ends when a recorded agent job was answered with 404 for 30 s',
      plan: { isFollowed: true },
      start: undefined,
      seen: [
        { at: 40_000, reading: missing },
        { at: 69_999, reading: missing },
        { at: 70_000, reading: missing },
      ],
      expected: 'not-found',
    },
    {
      promise: 'goes on after a 404 of a recorded agent job that could not be read before',
      plan: { isFollowed: true },
      start: undefined,
      seen: [
        { at: 5_000, reading: missing },
        { at: 32_000, reading: temporary() },
        { at: 36_000, reading: missing },
      ],
      expected: 2_000,
    },
    {
      promise: 'ends after a 404 of a recorded agent job that was seen before',
      plan: { isFollowed: true },
      start: undefined,
      seen: [
        { at: 1_000, reading: read('active') },
        { at: 2_000, reading: missing },
      ],
      expected: 'not-found',
    },
    {
      promise: 'continues after a 404 of a young agent job that was seen before',
      plan: { acceptedAtMs: 0 },
      seen: [
        { at: 1_000, reading: read('active') },
        { at: 2_000, reading: missing },
      ],
      expected: 500,
    },
    {
      promise: 'ends after a 404 of an agent job that was not created here',
      seen: [{ at: 1, reading: missing }],
      expected: 'not-found',
    },
    {
      promise: 'ends after a refused read',
      seen: [
        {
          at: 1,
          reading: fault('refused', 'HTTP 401'),
        },
      ],
      expected: 'unreadable',
    },
    {
      promise: 'ends after an untrusted connection',
      start: undefined,
      seen: [
        {
          at: 1,
          reading: fault('untrusted', 'certificate'),
        },
      ],
      expected: 'unreadable',
    },
    {
      promise: 'continues after an untrusted connection when one was trusted before',
      seen: [
        {
          at: 1,
          reading: fault('untrusted', 'certificate'),
        },
      ],
      expected: 500,
    },

    {
      promise: 'pauses for the poll interval after an end that is read just after a message',
      plan: { messageAtMs: 0 },
      seen: [{ at: 10_000, reading: read('completed', LINK) }],
      expected: 10_000,
    },
    {
      promise: 'pauses until 30 s after a message when an end is read after 25 s',
      plan: { messageAtMs: 0 },
      seen: [{ at: 25_000, reading: read('completed', LINK) }],
      expected: 5_000,
    },
    {
      promise: 'ends when an end is read 30 s after a message',
      plan: { messageAtMs: 0 },
      seen: [{ at: 30_000, reading: read('completed', LINK) }],
      expected: 'pull-request',
    },
    {
      promise: 'ends at once when an end is read after `active`',
      plan: { messageAtMs: 0 },
      seen: [
        { at: 5_000, reading: read('active') },
        { at: 6_000, reading: read('failed') },
      ],
      expected: 'failed',
    },
    {
      promise: 'continues when `active` follows an end without a link 30 s after a message',
      plan: { messageAtMs: 0 },
      seen: [
        { at: 30_000, reading: read('completed') },
        { at: 32_000, reading: read('active') },
      ],
      expected: 10_000,
    },
    {
      promise: 'does not take an unknown status for `active`',
      plan: { messageAtMs: 0 },
      seen: [
        { at: 5_000, reading: read('dreaming') },
        { at: 6_000, reading: read('failed') },
      ],
      expected: 10_000,
    },

    {
      promise: 'ends as started after `active` with wait: false',
      plan: { isSingleRead: true },
      seen: [{ at: 1, reading: read('active') }],
      expected: 'started',
    },
    {
      promise: 'ends without a second read for the link with wait: false',
      plan: { isSingleRead: true },
      seen: [{ at: 1, reading: read('completed') }],
      expected: 'no-changes',
    },

    {
      promise: 'makes a last read a second before the deadline',
      seen: [{ at: 1_795_000, reading: read('active') }],
      expected: 4_000,
    },
    {
      promise: 'pauses until the deadline in its last second',
      seen: [{ at: 1_799_400, reading: read('active') }],
      expected: 600,
    },
    {
      promise: 'times out at the deadline',
      seen: [{ at: 1_800_000, reading: read('active') }],
      expected: 'timed-out',
    },
    {
      promise: 'times out when a read fails at the deadline',
      seen: [{ at: 1_800_000, reading: temporary() }],
      expected: 'timed-out',
    },
    {
      promise: 'ends with an end that is read at the deadline',
      seen: [{ at: 1_800_500, reading: read('completed', LINK) }],
      expected: 'pull-request',
    },
    {
      promise: 'ends with no changes after `completed` without a link at the deadline',
      seen: [{ at: 1_800_000, reading: read('completed') }],
      expected: 'no-changes',
    },
    {
      promise: 'times out when an end from before a message is read at the deadline',
      plan: { messageAtMs: 1_790_000 },
      seen: [{ at: 1_800_000, reading: read('completed') }],
      expected: 'timed-out',
    },
  ];
  test.each(table)('$promise', ({ plan: given = {}, seen, expected, ...rest }) => {
    const start = 'start' in rest ? rest.start : job('active');
    let state: WaitState = initialWaitState(moment({}, 0), start);
    let step: WaitDecision | undefined;
    for (const { at, reading } of seen) {
      step = decideAfter(moment(given, at), state, reading);
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
      reading: fault('unclear', error),
    }));
    const decision = take({}, seen);
    return decision.action === 'stop' && decision.ending.kind === 'timed-out'
      ? decision.state.lastError
      : undefined;
  };

  test.each([
    {
      promise: 'is the error of the last read',
      errors: [[1_800_000, 'HTTP 502']],
      error: 'HTTP 502',
    },
    {
      promise: 'is the error of the read before one that the deadline cut short',
      errors: [
        [1_799_000, 'HTTP 502'],
        [1_800_000, 'no whole response within 1 s'],
      ],
      error: 'HTTP 502',
    },
  ] as const)('$promise', ({ errors, error }) => {
    expect(last(...errors)).toBe(error);
  });

  test('is the error of the last read before the deadline', () => {
    const state = take({}, [
      {
        at: 1_000,
        reading: fault('unclear', 'HTTP 502'),
      },
      {
        at: 2_000,
        reading: fault('unclear', 'HTTP 503'),
      },
    ]).state;
    expect(state.lastError).toBe('HTTP 503');
  });
});

describe('the log of the wait', () => {
  test('shows a change of the status at once', () => {
    expect(take({}, [{ at: 10_000, reading: read('dreaming') }])).toMatchObject({
      log: 'The agent job is `dreaming` after 10 s (1 check).',
      warning: {
        title: 'Docs agent: unknown status',
        message: 'The status `dreaming` is not known to this action. The step keeps waiting.',
      },
    });
  });

  test('shows one warning for an unknown status', () => {
    const step = take({}, [
      { at: 10_000, reading: read('dreaming') },
      { at: 20_000, reading: read('musing') },
    ]);
    expect(step).toMatchObject({
      log: 'The agent job is `musing` after 20 s (2 checks).',
      warning: undefined,
    });
  });

  test('shows the same status at most once a minute', () => {
    const seen = Array.from({ length: 60 }, (_, n) => ({
      at: (n + 1) * 10_000,
      reading: read('active'),
    }));
    let state = initialWaitState(moment({}, 0), job('active'));
    const logged = seen.flatMap(({ at, reading }) => {
      const step = decideAfter(moment({}, at), state, reading);
      state = step.state;
      return step.log ?? [];
    });
    expect(logged).toHaveLength(10);
    expect(logged[0]).toBe('The agent job is still `active` after 1 min (6 checks).');
  });

  test('shows the first failure in a row at once, and the others at most once a minute', () => {
    const line = (failures: string, pause: string) =>
      `The agent job could not be read: HTTP 502. Checking again in ${pause}, after ${failures}.`;
    const first = [{ at: 10_000, reading: temporary() }];
    expect(take({}, first)).toMatchObject({ log: line('1 failed check', '1 s') });
    const second = [...first, { at: 11_000, reading: temporary() }];
    expect(take({}, second)).toMatchObject({ log: undefined });
    const third = [...second, { at: 70_000, reading: temporary() }];
    expect(take({}, third)).toMatchObject({ log: line('3 failed checks', '2 s') });
  });

  test('shows the time since the wait began', () => {
    const decided = (status: string, prLink?: string) =>
      decideAfter(
        moment({}, 70_000),
        initialWaitState(moment({}, 60_000), job('active')),
        read(status, prLink),
      );
    expect([decided('dreaming').log, decided('failed').log]).toEqual([
      'The agent job is `dreaming` after 10 s (1 check).',
      'The agent job is `failed` after 10 s (1 check).',
    ]);
  });

  test('shows a warning only for an unknown status', () => {
    const active = take({}, [{ at: 10_000, reading: read('active') }]);
    const old = take({ messageAtMs: 0 }, [{ at: 10_000, reading: read('failed') }]);
    const known = take({}, [
      { at: 10_000, reading: read('active') },
      { at: 20_000, reading: read('dreaming') },
    ]);
    expect([active, old, known].map(({ warning }) => warning?.message)).toEqual([
      undefined,
      undefined,
      'The status `dreaming` is not known to this action. The step keeps waiting.',
    ]);
  });

  test.each([
    { askedMs: 599_000, ms: 599_000 },
    { askedMs: 600_000, ms: 600_000 },
    { askedMs: 601_000, ms: 600_000 },
    { askedMs: 1e14, ms: 600_000 },
  ])('pauses for 10 minutes at most: Retry-After asks for $askedMs ms', ({ askedMs, ms }) => {
    expect(take({}, [{ at: 10_000, reading: temporary(askedMs) }])).toMatchObject({ ms });
  });

  test('shows a pause of a minute only when a line is due', () => {
    expect(
      take({}, [
        { at: 10_000, reading: temporary() },
        { at: 11_000, reading: temporary(60_000) },
      ]),
    ).toMatchObject({ ms: 60_000, log: undefined });
  });

  test('shows a pause of more than a minute, however recent the last line is', () => {
    expect(
      take({}, [
        { at: 10_000, reading: temporary() },
        { at: 11_000, reading: temporary(60_001) },
      ]),
    ).toMatchObject({
      log: expect.stringContaining('Checking again in 1 min, after 2 failed checks'),
    });
  });

  test.each([{ retryAfterMs: 1e14 }, { retryAfterMs: Number.POSITIVE_INFINITY }])(
    'shows how long the pause really is when Retry-After goes past the deadline: $retryAfterMs ms',
    ({ retryAfterMs }) => {
      expect(take({}, [{ at: 1_500_000, reading: temporary(retryAfterMs) }])).toMatchObject({
        ms: 299_000,
        log: 'The agent job could not be read: HTTP 502. Checking again in 4 min 59 s, after 1 failed check.',
      });
    },
  );

  test('says that an old end is from before the message', () => {
    const followed = { messageAtMs: 0, pollIntervalMs: 5_000 };
    expect(take(followed, [{ at: 5_000, reading: read('completed') }])).toMatchObject({
      log: 'The agent job still has the status `completed` from before the message. Waiting for the agent to begin.',
    });
  });
});

describe('an end in the response to the create call', () => {
  const stepAfter = (response: Job, now: number, ...readings: readonly Result[]) => {
    const at = moment({ acceptedAtMs: 0 }, now);
    const first = pauseDecision(at, initialWaitState(at, response), 0);
    return readings.reduce((step, reading) => decideAfter(at, step.state, reading), first);
  };

  test.each<{ promise: string; step: WaitDecision; expected: number | string }>([
    {
      promise: 'is confirmed by a read at once',
      step: stepAfter(job('failed'), 5_000),
      expected: 0,
    },
    {
      promise: 'counts when the timeout has run out meanwhile',
      step: stepAfter(job('completed', LINK), 1_800_000),
      expected: 'pull-request',
    },
    {
      promise: 'counts when it cannot be read again',
      step: stepAfter(job('archived'), 5_000, fault('refused', 'HTTP 401')),
      expected: 'archived',
    },
    {
      promise: 'is read again after a fault, for 30 s',
      step: stepAfter(job('archived'), 5_000, fault('unclear', 'HTTP 502')),
      expected: 500,
    },
    {
      promise: 'gives way to the end that is read',
      step: stepAfter(job('failed'), 5_000, read('completed', LINK)),
      expected: 'pull-request',
    },
    {
      promise: 'is read again after a pause when it has no link',
      step: stepAfter(job('completed'), 5_000, read('completed')),
      expected: 2_000,
    },
    {
      promise: 'does not count once the agent job is read as `active`',
      step: stepAfter(job('failed'), 5_000, read('active')),
      expected: 10_000,
    },
  ])('$promise', ({ step, expected }) => {
    expect(shown(step)).toBe(expected);
  });

  test('does not count in the response to a message', () => {
    const at = moment({ messageAtMs: 0 }, 1_800_000);
    const state = initialWaitState(at, job('completed', LINK));
    expect(shown(pauseDecision(at, state, 0))).toBe('timed-out');
  });
});

test('an end without a link keeps the agent job as it was, whatever the second read says', () => {
  const last = take({}, [
    { at: 10_000, reading: read('completed') },
    { at: 12_000, reading: read('active') },
  ]);
  expect(last.state.job?.status).toBe('completed');
  expect(last).toMatchObject({ ending: { kind: 'ended' } });
});

describe('a warning that the end may be the one before the message', () => {
  const ends = [{ at: 30_000, reading: read('completed', LINK) }];

  test.each([
    { promise: 'is given when it was never seen active', plan: { messageAtMs: 0 }, seen: ends },
    {
      promise: 'is given when it is read only once',
      plan: { messageAtMs: 0, isSingleRead: true },
      seen: [{ at: 1, reading: read('failed') }],
    },
  ])('$promise', ({ plan: given, seen }) => {
    expect(take(given, seen)).toMatchObject({
      action: 'stop',
      warning: { message: expect.stringContaining('may be the one before the message') },
    });
  });

  test.each([
    {
      promise: 'is not given when it was seen active',
      plan: { messageAtMs: 0 },
      seen: [{ at: 5_000, reading: read('active') }, ...ends],
    },
    { promise: 'is not given without a message', plan: {}, seen: ends },
  ])('$promise', ({ plan: given, seen }) => {
    expect(take(given, seen)).toMatchObject({ action: 'stop', warning: undefined });
  });
});

test('the state says whether a read showed the agent job', () => {
  const seen = [{ at: 1_000, reading: temporary() }];
  expect(take({}, seen).state.wasSeen).toBe(false);
  expect(take({}, [...seen, { at: 2_000, reading: read('active') }]).state.wasSeen).toBe(true);
});

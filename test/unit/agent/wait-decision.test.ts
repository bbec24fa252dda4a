import { describe, expect, test } from 'vitest';
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
import { type Job, unreadJob } from '../../../src/model/agent-job.ts';
import { quote } from '../../../src/text/escape.ts';
import { fault } from '../../support/fakes.ts';

const plan: WaitPlan = {
  pollIntervalMs: 10_000,
  deadline: 1_800_000,
  messagedAtMs: undefined,
  isSingleRead: false,
};

const moment = (given: Partial<WaitPlan>, now: number): Moment => ({
  plan: { ...plan, ...given },
  now,
  random: 0,
  show: quote,
});

const job = (status: string, prLink = ''): Job => ({ ...unreadJob('job_1'), status, prLink });
const read = (status: string, prLink?: string): Result => {
  return { kind: 'job', job: job(status, prLink) };
};
const temporary = (retryAfterMs?: number): Result => fault('unclear', 'HTTP 502', retryAfterMs);
const LINK = 'https://github.com/acme/docs/pull/1';

type Seen = { readonly at: number; readonly reading: Result };

const READS: Readonly<Record<string, Result>> & { readonly linked: Result } = {
  linked: read('completed', LINK),
  error: temporary(),
  404: fault('not-found', 'HTTP 404'),
  refused: fault('refused', 'HTTP 401'),
  untrusted: fault('untrusted', 'certificate'),
};

/** Reads as `second what`, one after the other: a status, or one of {@link READS}. */
const readsOf = (text: string): readonly Seen[] =>
  text.split(', ').map((one) => {
    const [at, what = ''] = one.split(' ');
    return { at: Number(at) * 1_000, reading: READS[what] ?? read(what) };
  });

/** The decisions after several reads, each at its time. */
function takeAll(given: Partial<WaitPlan>, seen: readonly Seen[], start?: Job) {
  let state: WaitState = initialWaitState(0, start);
  return seen.map(({ at, reading }): WaitDecision => {
    const step = decideAfter(moment(given, at), state, reading);
    state = step.state;
    return step;
  });
}

/** The last of them, of an agent job that was active at first. */
function take(given: Partial<WaitPlan>, seen: readonly Seen[]): WaitDecision {
  const last = takeAll(given, seen, job('active')).at(-1);
  if (last === undefined) throw new Error('no read is given');
  return last;
}

const shown = (step: WaitDecision) =>
  step.action === 'pause'
    ? step.ms
    : step.ending.kind === 'ended'
      ? step.ending.end
      : step.ending.kind;

const messaged = (messagedAtMs: number): Partial<WaitPlan> => ({ messagedAtMs });
const MESSAGED = messaged(0);

test.each<readonly [string, Partial<WaitPlan>, string, number | string]>([
  // What a status means.
  ['pauses for the poll interval after `active`', {}, '10 active', 10_000],
  ['pauses for the poll interval after an unknown status', {}, '10 dreaming', 10_000],
  ['ends after `completed` with a link', {}, '10 linked', 'pull-request'],
  ['ends after `archived`', {}, '10 archived', 'archived'],

  // The link may be filled late.
  ['pauses for 2 s after `completed` without a link', {}, '10 completed', 2_000],
  ['ends when the second read has no link either', {}, '10 completed, 12 completed', 'no-changes'],
  ['ends when the second read has a link', {}, '10 completed, 12 linked', 'pull-request'],
  ['ends as archived when the second read says so', {}, '10 completed, 12 archived', 'archived'],
  ['goes on when the second read says `active`', {}, '10 completed, 12 active', 10_000],
  ['retries the second read after an error', {}, '10 completed, 12 error', 500],
  ['ends at the deadline without it', {}, '10 completed, 1800 error', 'no-changes'],
  ['ends when the second read is refused', {}, '10 completed, 12 refused', 'no-changes'],

  // Errors.
  ['pauses for at least half a second after an error', {}, '10 error', 500],
  ['doubles the pause with each error in a row', {}, '1 error, 2 error, 3 error', 2_000],
  ['begins anew after a good read', {}, '1 error, 2 active, 12 error', 500],
  ['ends after a refused read', {}, '1 refused', 'unreadable'],
  ['continues after an untrusted connection when one was trusted', {}, '1 untrusted', 500],

  // A 404 may come from a proxy, or from a service that does not know a new agent job yet.
  ['reads again after a 404', {}, '1 404', 500],
  ['reads again when 30 s of 404 are over, and not later', {}, '40 404, 69.9 404', 100],
  ['ends after 30 s of 404', {}, '40 404, 69.999 404, 70 404', 'not-found'],
  ['ends after 30 s of 404, although it was seen', {}, '1 active, 2 404, 32 404', 'not-found'],
  ['begins to count anew after another error', {}, '5 404, 32 error, 36 404', 2_000],
  ['begins to count anew after a good read', {}, '5 404, 32 active, 36 404', 500],

  // An end just after a message.
  ['reads an end just after a message again', MESSAGED, '10 linked', 10_000],
  ['reads it again when 30 s are over, and not later', MESSAGED, '25 linked', 5_000],
  ['believes it 30 s after the message', MESSAGED, '30 linked', 'pull-request'],
  ['believes it after `active`', MESSAGED, '5 active, 6 failed', 'failed'],
  ['takes no unknown status for `active`', MESSAGED, '5 dreaming, 6 failed', 10_000],
  ['goes on when the agent begins only then', MESSAGED, '30 completed, 32 active', 10_000],

  // wait: false
  ['ends as started after `active`', { isSingleRead: true }, '1 active', 'started'],
  ['ends without a second read', { isSingleRead: true }, '1 completed', 'no-changes'],

  // The deadline, after 1,800 s.
  ['makes a last read a second before the deadline', {}, '1795 active', 4_000],
  ['pauses until the deadline in its last second', {}, '1799.4 active', 600],
  ['times out at the deadline', {}, '1800 active', 'timed-out'],
  ['times out when a read fails at the deadline', {}, '1800 error', 'timed-out'],
  ['ends with an end that is read at the deadline', {}, '1800.5 linked', 'pull-request'],
  ['reads no second time at the deadline', {}, '1800 completed', 'no-changes'],
  ['times out with an old end', messaged(1_790_000), '1800 completed', 'timed-out'],
])('the wait for an agent job %s', (_promise, given, reads, expected) => {
  const seen = readsOf(reads);
  const step = take(given, seen);
  expect(shown(step)).toBe(expected);
  expect(step.state.reads).toBe(seen.length);
});

test.each<readonly [string, Partial<WaitPlan>, string, number | string]>([
  ['ends after an untrusted connection', {}, '1 untrusted', 'unreadable'],
])('the wait for an agent job that was never read %s', (_promise, given, reads, expected) => {
  expect(takeAll(given, readsOf(reads)).map(shown).at(-1)).toBe(expected);
});

test.each([
  { of: 'the last read', first: 1_000, last: 1_799_999, error: 'HTTP 503' },
  { of: 'the read before one that was cut', first: 1_000, last: 1_800_000, error: 'HTTP 502' },
  { of: 'a read that was cut, if it is the only one', last: 1_800_000, error: 'HTTP 503' },
])('the error of a timeout is that of $of', ({ first, last, error }) => {
  const before = first === undefined ? [] : [{ at: first, reading: temporary() }];
  const seen = [...before, { at: last, reading: fault('unclear', 'HTTP 503') }];
  expect(take({}, seen).state.lastError).toBe(error);
});

/** After failed reads, each with its time and what its `Retry-After` asks for. */
const afterFaults = (...seen: readonly (readonly [at: number, retryAfterMs?: number])[]) =>
  take(
    {},
    seen.map(([at, retryAfterMs]) => ({ at, reading: temporary(retryAfterMs) })),
  );

test.each([
  { askedMs: 599_000, ms: 599_000 },
  { askedMs: 601_000, ms: 600_000 },
  { askedMs: 1e14, ms: 600_000 },
])('a pause is 10 minutes at most: Retry-After asks for $askedMs ms', ({ askedMs, ms }) => {
  expect(afterFaults([10_000, askedMs])).toMatchObject({ ms });
});

describe('the log of the wait', () => {
  const logOf = (reads: string, given = {}) =>
    takeAll(given, readsOf(reads), job('active')).map(({ log }) => log);

  test('shows a change of the status at once, and warns of an unknown one once', () => {
    const [first, second] = takeAll({}, readsOf('10 dreaming, 20 musing'), job('active'));
    expect(first).toMatchObject({
      log: 'The agent job is `dreaming` after 10 s (1 check).',
      warning: {
        title: 'Docs agent: unknown status',
        message: 'The status `dreaming` is not known to this action. The step keeps waiting.',
      },
    });
    expect(second?.log).toBe('The agent job is `musing` after 20 s (2 checks).');
    expect(second?.warning).toBeUndefined();
  });

  test('shows the same status at most once a minute', () => {
    expect(logOf('10 active, 59.9 active, 60 active, 119 active, 120 active')).toEqual([
      undefined,
      undefined,
      'The agent job is still `active` after 1 min (3 checks).',
      undefined,
      'The agent job is still `active` after 2 min (5 checks).',
    ]);
  });

  test('shows the first failure in a row at once, and the others at most once a minute', () => {
    const line = (pause: string, failures: string) =>
      `The agent job could not be read: HTTP 502. Checking again in ${pause}, after ${failures}.`;
    expect(logOf('10 error, 11 error, 70 error')).toEqual([
      line('1 s', '1 failed check'),
      undefined,
      line('2 s', '3 failed checks'),
    ]);
  });

  test('shows the time since the wait began', () => {
    const begin = initialWaitState(60_000, job('active'));
    const logAfter = (status: string) => decideAfter(moment({}, 70_000), begin, read(status)).log;
    expect(logAfter('dreaming')).toBe('The agent job is `dreaming` after 10 s (1 check).');
    expect(logAfter('failed')).toBe('The agent job is `failed` after 10 s (1 check).');
  });

  test('says that an old end is from before the message', () => {
    expect(logOf('5 completed', MESSAGED)).toEqual([
      'The agent job still has the status `completed` from before the message. Waiting for the agent to begin.',
    ]);
    // Nor does it count in a cancel.
    expect(takeAll(MESSAGED, readsOf('10 linked'))[0]?.state.job?.end).toBeUndefined();
  });

  test('shows a pause of more than a minute, however recent the last line is', () => {
    expect(afterFaults([10_000], [11_000, 60_000])).toMatchObject({ ms: 60_000, log: undefined });
    expect(afterFaults([10_000], [11_000, 60_001])).toMatchObject({
      log: expect.stringContaining('Checking again in 1 min, after 2 failed checks'),
    });
  });

  test('shows how long the pause really is when Retry-After goes past the deadline', () => {
    expect(afterFaults([1_500_000, Number.POSITIVE_INFINITY])).toMatchObject({
      ms: 299_000,
      log: 'The agent job could not be read: HTTP 502. Checking again in 4 min 59 s, after 1 failed check.',
    });
  });
});

test('Retry-After of a 404, which may come from a proxy, is not heeded', () => {
  const reading = fault('not-found', 'HTTP 404', 20_000);
  expect(take({}, [{ at: 1_000, reading }])).toMatchObject({ ms: 500 });
});

test('an end in the response to a call does not count before it is read', () => {
  const state = initialWaitState(1_800_000, job('completed', LINK));
  expect(shown(pauseDecision(moment({}, 1_800_000), state, 0))).toBe('timed-out');
});

test('a single read soon after a message does not take an end that may be the one before it', () => {
  const step = take({ ...MESSAGED, isSingleRead: true }, readsOf('29 linked'));
  expect(step).toMatchObject({ action: 'stop', ending: { kind: 'started' } });
});

test('the state says whether a read showed the agent job', () => {
  expect(take({}, readsOf('1 error')).state.wasSeen).toBe(false);
  expect(take({}, readsOf('1 error, 2 active')).state.wasSeen).toBe(true);
});

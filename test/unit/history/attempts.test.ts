import { describe, expect, test } from 'vitest';
import type { AttemptRecords } from '../../../src/history/annotations.ts';
import { decideByAttempts, mayExistError, newestOf } from '../../../src/history/attempts.ts';
import type { Judged } from '../../../src/model/agent-job.ts';
import { newestWithRange, type StepRecord } from '../../../src/model/record.ts';
import { commit, judgeOf, known, recordOf, TODO, UNKNOWN } from '../../support/records.ts';

const RANGE = { range: { from: commit('a'), to: commit('b') } };
const HIDDEN: AttemptRecords = { kind: 'hidden' };
const FORGOTTEN: AttemptRecords = { kind: 'forgotten' };
const NOTHING: AttemptRecords = { kind: 'none' };
const own = (...records: readonly StepRecord[]): AttemptRecords => ({ kind: 'records', records });
const left = (...of: Parameters<typeof recordOf>) => own(recordOf(...of));

/** Attempts, the newest first. */
const attemptsWith = (kept: readonly AttemptRecords[]) =>
  kept.map((one, index) => ({ number: kept.length - index, read: async () => one }));

async function decide(
  kept: readonly AttemptRecords[],
  states: Readonly<Record<string, string | Judged>> = { j1: 'active', j2: 'active' },
  messagedJobId?: string,
) {
  const { judge } = judgeOf(states);
  return decideByAttempts(attemptsWith(kept), { messagedJobId, judge });
}

const follow = (jobId: string, attempt: number) => ({
  ...{ kind: 'follow', jobId, attempt },
  record: recordOf(jobId),
});
const stop = (attempt: number, why: string, record?: StepRecord) => ({
  ...{ kind: 'stop', attempt, why },
  ...(record && { record }),
});
const sends = (why: RegExp, wasAsked = false) => ({
  ...{ kind: 'go-on', wasAsked },
  why: expect.stringMatching(why),
});

/** What records alone decide, whole runs show: test/run/rerun.test.ts and advice.test.ts. */
describe('of attempts of which one cannot be known decides', () => {
  test.each<[promise: string, kept: readonly AttemptRecords[], decision: object]>([
    ['an agent job behind what is hidden', [HIDDEN, left('j1')], follow('j1', 1)],
    ['what is hidden before a doubt', [HIDDEN, left(UNKNOWN)], stop(2, 'hidden')],
    ['what is hidden before nothing', [NOTHING, HIDDEN, FORGOTTEN], stop(2, 'hidden')],
    ['what is forgotten', [FORGOTTEN, left(TODO)], stop(2, 'forgotten')],
  ])('%s', async (_, kept, decision) => {
    expect(await decide(kept)).toEqual(decision);
  });

  test('and an agent job of another message says nothing', async () => {
    const kept = [left('j2'), left('j1')];
    expect(await decide(kept, {}, 'j1')).toEqual(follow('j1', 1));
  });
});

describe('the agent job of an earlier attempt', () => {
  const archived = { ...known('archived'), cameToNothing: true } as Judged;
  test.each<[state: string | Judged | undefined, decision: object]>([
    ['archived', follow('j1', 1)],
    [{ kind: 'error', error: 'HTTP 401', isTemporary: false }, follow('j1', 1)],
    [undefined, sends(/^Agent job `j1` is no longer known to the service, so the prompt is sent/)],
    [archived, sends(/^Agent job `j1` had already ended as `archived`, so/)],
    ['missed', sends(/^The pull request of agent job `j1` was merged or closed before/)],
  ])('that is %o', async (state, decision) => {
    const states = state === undefined ? {} : { j1: state };
    expect(await decide([left('j1')], states)).toEqual(decision);
    // Behind a hidden attempt one that came to nothing proves nothing.
    const behind = await decide([HIDDEN, left('j1')], states);
    expect(behind).toEqual('jobId' in decision ? decision : stop(2, 'hidden'));
  });
});

test('the newest record with a range is that of the first attempt that has one', async () => {
  const attempts = attemptsWith([HIDDEN, left(TODO), left('j1', RANGE), left('j0', RANGE)]);
  expect(await newestOf(attempts, newestWithRange)).toEqual(recordOf('j1', RANGE));
});

test('an attempt that cannot be known stops what looks for the newest result, if nobody was asked', async () => {
  const attempts = attemptsWith([left(TODO), HIDDEN, left('j0', RANGE)]);
  const found = newestOf(attempts, newestWithRange, { stopsAtHidden: true });
  await expect(found).rejects.toThrow(/^what this step did in attempt 2 cannot be read: /);
  const known = attemptsWith([left('j1', RANGE), HIDDEN]);
  expect(await newestOf(known, newestWithRange, { stopsAtHidden: true })).toMatchObject(RANGE);
});

describe('the error of a step that stops', () => {
  const stopped = { kind: 'stop', attempt: 2 } as const;
  const after = { ifSent: 'rest', ifStopped: 'start a new run' };
  test.each([
    {
      stop: { ...stopped, why: 'unknown', record: recordOf(UNKNOWN) },
      task: 'create',
      heading: 'A re-run stopped: an agent job may exist',
      says: /^Nothing was sent, because attempt 2 may have created an agent job \(the service gave no usable response\)\. Look .*\. If you find one, rest; if not, press "Re-run failed jobs" again: that sends the prompt\.$/,
    },
    {
      stop: { ...stopped, why: 'unknown', record: recordOf(UNKNOWN, { last: { id: 'j', at: 1 } }) },
      task: 'create',
      heading: 'A re-run stopped: the prompt may have been sent',
      says: /attempt 2 may have sent the prompt .*for a new message to the last agent job/,
    },
    {
      stop: { ...stopped, why: 'hidden' },
      task: 'message',
      heading: 'A re-run stopped: the message may have been sent',
      says: /because attempt 2 may have sent the message, and what this step did in it cannot be read: .*; to prevent that, give this step a workflow job of its own .* that sends the prompt, or, if that stops as well, start a new run\.$/,
    },
    {
      stop: { ...stopped, why: 'forgotten' },
      task: 'create',
      heading: 'A re-run stopped: an agent job may exist',
      says: /because attempt 2 may have created an agent job, and GitHub no longer has its annotations\./,
    },
  ] as const)('$heading ($stop.why)', ({ stop: why, task, heading, says }) => {
    expect(mayExistError(why, task, after)).toMatchObject({
      heading,
      message: expect.stringMatching(says),
    });
  });
});

import { describe, expect, test } from 'vitest';
import { NO_JOB } from '../../../src/agent/job.ts';
import type { Press } from '../../../src/lib/press.ts';
import type { RunResult } from '../../../src/report/ending.ts';
import { type Outcome, wordingOf } from '../../../src/report/wording.ts';
import {
  cancelled,
  endedWith,
  FOLLOW,
  failedWith,
  INPUTS,
  jobOf,
  MESSAGE,
  plainReportOn,
  resultOf,
  TIMED_OUT,
  unread,
} from '../../support/results.ts';

interface Row {
  readonly promise: string;
  readonly result: RunResult;
  readonly level: 'notice' | 'warning' | 'error';
  readonly outcome: string;
  readonly isFollowable: boolean;
  readonly heading: string;
  readonly message: RegExp;
}

const LINK = 'https://github.com/acme/docs/pull/1';
const KNOWN = {
  kind: 'known',
  commits: 1,
  files: 2,
  selectedFiles: 0,
  base: 'v1',
  head: 'v2',
  patterns: ['docs/**', '!docs/a'],
  exampleFiles: ['a.ts', 'b.ts'],
  url: 'https://github.com/a/b/compare/v1...v2',
  leftOut: [],
} as const;
const dry = (more: Partial<RunResult>) =>
  resultOf({ kind: 'dry-run' }, { job: NO_JOB, isAccepted: false, ...more });

const ROWS: readonly Row[] = [
  {
    promise: 'a pull request is a notice with its link',
    result: endedWith('pull-request', jobOf({ status: 'completed', prLink: LINK })),
    level: 'notice',
    outcome: 'pull-request',
    isFollowable: false,
    heading: 'Docs pull request ready',
    message: /^The agent opened a pull request: https:\/\/github\.com\/acme\/docs\/pull\/1$/,
  },
  {
    promise: 'an agent job without changes is a notice',
    result: endedWith('no-changes', jobOf({ status: 'completed' })),
    level: 'notice',
    outcome: 'no-changes',
    isFollowable: false,
    heading: 'Completed: no files changed',
    message: /^Agent job `job_1` opened no pull request\.$/,
  },
  {
    promise: 'a link that must not be used is a warning',
    result: endedWith('no-changes', jobOf({ status: 'completed', prLink: 'javascript:x' })),
    level: 'warning',
    outcome: 'unusable-link',
    isFollowable: false,
    heading: 'Completed: the pull request link cannot be used',
    message:
      /^The link `javascript:x` contains credentials or is not an http\(s\) URL\. Look at agent job `job_1`/,
  },
  {
    promise: 'an archived agent job is a warning',
    result: endedWith('archived', jobOf({ status: 'archived' })),
    level: 'warning',
    outcome: 'archived',
    isFollowable: false,
    heading: 'The agent job was archived',
    message: /^Agent job `job_1` has no pull request\.$/,
  },
  {
    promise: 'an archived agent job with a link names it',
    result: endedWith('archived', jobOf({ status: 'archived', prLink: LINK })),
    level: 'warning',
    outcome: 'archived',
    isFollowable: false,
    heading: 'The agent job was archived',
    message: /^Its pull request: https:\/\/github\.com\/acme\/docs\/pull\/1$/,
  },
  {
    promise: 'a failed agent job is an error',
    result: endedWith('failed', jobOf({ status: 'failed' }), { press: 'sends' }),
    level: 'error',
    outcome: 'failed',
    isFollowable: false,
    heading: 'The agent job failed',
    message:
      /^The service gives no reason\. Look at agent job `job_1` in the Mintlify dashboard\. Then press "Re-run failed jobs", which creates a new one\.$/,
  },
  {
    promise: 'a failed agent job that is followed is not created again by a re-run',
    result: endedWith('failed', jobOf({ status: 'failed' }), { inputs: MESSAGE }),
    level: 'error',
    outcome: 'failed',
    isFollowable: false,
    heading: 'The agent job failed',
    message: /Look at agent job `job_1` in the Mintlify dashboard\.$/,
  },
  {
    promise: 'an agent job that is not waited for is a notice, and can be followed',
    result: resultOf({ kind: 'started' }),
    level: 'notice',
    outcome: 'started',
    isFollowable: true,
    heading: 'Agent job started; not waiting for it',
    message: /^This step does not wait for agent job `job_1` \(`wait: false`\)\.$/,
  },
  {
    promise: 'an agent job that is looked at once and is still running is not said to be started',
    result: resultOf({ kind: 'started' }, { inputs: { ...FOLLOW, wait: false } }),
    level: 'notice',
    outcome: 'started',
    isFollowable: true,
    heading: 'The agent job is still running',
    message: /^This step does not wait for agent job `job_1` \(`wait: false`\)\.$/,
  },
  {
    promise: 'a message that is not waited for is a notice, and can be followed',
    result: resultOf({ kind: 'started' }, { inputs: { ...MESSAGE, wait: false } }),
    level: 'notice',
    outcome: 'started',
    isFollowable: true,
    heading: 'Follow-up message sent; not waiting for the agent job',
    message: /^This step does not wait for agent job `job_1` \(`wait: false`\)\.$/,
  },
  {
    promise: 'a timeout says that the agent job is still running',
    result: resultOf(TIMED_OUT),
    level: 'error',
    outcome: 'timed-out',
    isFollowable: true,
    heading: 'Timed out; the agent job is still running',
    message:
      /^Agent job `job_1` did not end within 30 min \(`timeout`\)\. It may still open a pull request\.$/,
  },
  {
    promise: 'a timeout while reads failed has the error of the last one',
    result: resultOf(TIMED_OUT, { lastError: 'HTTP 502 (the service said `x`)' }),
    level: 'error',
    outcome: 'timed-out',
    isFollowable: true,
    heading: 'Timed out; the agent job may still be running',
    message: /\nThe last check failed: HTTP 502 \(the service said `x`\)\.$/,
  },
  {
    promise: 'a timeout of an agent job that was never read does not say that it is running',
    result: resultOf(TIMED_OUT, { job: unread('job_1') }),
    level: 'error',
    outcome: 'timed-out',
    isFollowable: true,
    heading: 'Timed out; the state of the agent job is not known',
    message:
      /was not seen to end within 30 min \(`timeout`\)\. It may still open a pull request\.$/,
  },
  {
    promise: 'a timeout with an end from before the message says which status was read last',
    result: resultOf(TIMED_OUT, { job: jobOf({ status: 'completed' }) }),
    level: 'error',
    outcome: 'timed-out',
    isFollowable: true,
    heading: 'Timed out; the agent job may still be running',
    message: /Its status was last `completed`\./,
  },
  {
    promise: 'an archived agent job with a link that cannot be used mentions the link',
    result: endedWith('archived', jobOf({ status: 'archived', prLink: 'https://u:s3cret@x/1' })),
    level: 'warning',
    outcome: 'archived',
    isFollowable: false,
    heading: 'The agent job was archived',
    message: /^The link of its pull request cannot be used: `https:\/\/\*\*\*@x\/1`\.$/,
  },
  {
    promise: 'a cancel before the create call has nothing to follow',
    result: resultOf(cancelled(), { job: NO_JOB, isAccepted: false }),
    level: 'error',
    outcome: 'cancelled',
    isFollowable: false,
    heading: 'Cancelled; no agent job was created',
    message: /^The step was cancelled \(SIGINT\) before an agent job was created\.$/,
  },
  {
    promise:
      'a cancel while creating says when an agent job may have been created, and has none to follow',
    result: resultOf(cancelled(true), { job: NO_JOB, isAccepted: false }),
    level: 'error',
    outcome: 'cancelled',
    isFollowable: false,
    heading: 'Cancelled; the request may have been accepted',
    message:
      /An agent job may exist\. .* from about 2026-11-21 08:00 UTC\. If there is one, do not send the prompt again\./,
  },
  {
    promise: 'a cancel while a message is sent names the agent job to look at',
    result: resultOf(cancelled(true), { isAccepted: false, inputs: MESSAGE }),
    level: 'error',
    outcome: 'cancelled',
    isFollowable: true,
    heading: 'Cancelled; the request may have been accepted',
    message:
      /look at agent job `job_1` in the Mintlify dashboard for one from about 2026-11-21 08:00 UTC\./,
  },
  {
    promise: 'a cancel before a message was sent says that it was not sent',
    result: resultOf(cancelled(), {
      inputs: MESSAGE,
      isAccepted: false,
    }),
    level: 'error',
    outcome: 'cancelled',
    isFollowable: false,
    heading: 'Cancelled; the follow-up message was not sent',
    message: /before the follow-up message to agent job `job_1` was sent\.$/,
  },
  {
    promise: 'a cancel while waiting says that the agent job is still running',
    result: resultOf(cancelled()),
    level: 'error',
    outcome: 'cancelled',
    isFollowable: true,
    heading: 'Cancelled; the agent job is still running',
    message:
      /^The step was cancelled \(SIGINT\)\. This does not cancel agent job `job_1`, because the service has no call for that\. It may still open a pull request\.$/,
  },
  {
    promise: 'a cancel while only following says that the agent job is still running',
    result: resultOf(cancelled(), {
      inputs: FOLLOW,
      prompt: undefined,
      isAccepted: false,
    }),
    level: 'error',
    outcome: 'cancelled',
    isFollowable: true,
    heading: 'Cancelled; the agent job is still running',
    message: /It may still open a pull request\.$/,
  },
  {
    promise: 'a cancel after the end was read says that the agent job had ended',
    result: resultOf(cancelled(), {
      end: 'no-changes',
      job: jobOf({ status: 'completed' }),
    }),
    level: 'error',
    outcome: 'cancelled',
    isFollowable: false,
    heading: 'Cancelled; the agent job had already ended',
    message: /had already ended: its status is `completed`\.$/,
  },
  {
    promise: 'an agent job that cannot be read can be followed',
    result: resultOf({ kind: 'unreadable', error: 'HTTP 401. Check.' }),
    level: 'error',
    outcome: 'error',
    isFollowable: true,
    heading: 'The agent job could not be read',
    message: /^Agent job `job_1` could not be read: HTTP 401\. Check\.$/,
  },
  {
    promise: 'an agent job that this run created is said to exist even if it is not found',
    result: resultOf({ kind: 'not-found', error: 'HTTP 404. Check.' }),
    level: 'error',
    outcome: 'error',
    isFollowable: true,
    heading: 'The agent job was not found',
    message: /exists, because the service accepted it in this run, but it still cannot be read/,
  },
  {
    promise: 'an agent job that is not found has nothing to follow',
    result: resultOf({ kind: 'not-found', error: 'HTTP 404. Check.' }, { isAccepted: false }),
    level: 'error',
    outcome: 'error',
    isFollowable: false,
    heading: 'The agent job was not found',
    message: /^Agent job `job_1` was not found: HTTP 404\. Check\.$/,
  },
  {
    promise: 'an error before the create call has nothing to follow',
    result: resultOf(failedWith('Why.'), { job: NO_JOB, isAccepted: false }),
    level: 'error',
    outcome: 'error',
    isFollowable: false,
    heading: 'It failed',
    message: /^Why\.$/,
  },
  {
    promise: 'an error after the create call has an agent job to follow',
    result: resultOf(failedWith('Why.')),
    level: 'error',
    outcome: 'error',
    isFollowable: true,
    heading: 'It failed',
    message: /^Why\.$/,
  },
  {
    promise: 'an error after which an agent job may exist says what to check',
    result: resultOf(failedWith('Why.', true), { job: NO_JOB, isAccepted: false }),
    level: 'error',
    outcome: 'error',
    isFollowable: false,
    heading: 'It failed',
    message:
      /^Why\.\nAn agent job may exist\. Before you run this again, look in the Mintlify dashboard/,
  },
  {
    promise: 'an error after which a message may have been accepted has an agent job to follow',
    result: resultOf(failedWith('Why.', true), { isAccepted: false, inputs: MESSAGE }),
    level: 'error',
    outcome: 'error',
    isFollowable: true,
    heading: 'It failed',
    message:
      /^Why\.\nThe message may have been accepted\. Before you run this again, look at agent job `job_1`/,
  },
  {
    promise: 'an error before a message was accepted has nothing to follow',
    result: resultOf(failedWith('Why.'), { isAccepted: false }),
    level: 'error',
    outcome: 'error',
    isFollowable: false,
    heading: 'It failed',
    message: /^Why\.$/,
  },
  {
    promise: 'a run in which no changed file matches is skipped',
    result: resultOf(
      { kind: 'skipped', reason: 'no-matching-file' },
      { changes: KNOWN, job: NO_JOB },
    ),
    level: 'notice',
    outcome: 'skipped',
    isFollowable: false,
    heading: 'Skipped; no relevant file changed',
    message:
      /^2 files changed since `v1`, and none of them matches `paths`\. No agent job was created\.\n`paths`: `docs\/\*\*`, `!docs\/a`\.\nChanged: `a\.ts`, `b\.ts`\.$/,
  },
  {
    promise: 'a run in which one file changed and does not match sends no message',
    result: resultOf(
      { kind: 'skipped', reason: 'no-matching-file' },
      { changes: { ...KNOWN, files: 1, exampleFiles: ['a.ts'] }, inputs: MESSAGE },
    ),
    level: 'notice',
    outcome: 'skipped',
    isFollowable: false,
    heading: 'Skipped; no relevant file changed',
    message:
      /^1 file changed since `v1`, and it does not match `paths`\. The message was not sent\.\n/,
  },
  {
    promise: 'a cancel of a re-run while the message of an earlier attempt is followed',
    result: resultOf(cancelled(), {
      inputs: MESSAGE,
      isAccepted: false,
      resumedFrom: 1,
    }),
    level: 'error',
    outcome: 'cancelled',
    isFollowable: true,
    heading: 'Cancelled; the agent job is still running',
    message: /This does not cancel agent job `job_1`/,
  },
  {
    promise: 'a run without any changes is skipped',
    result: resultOf(
      { kind: 'skipped', reason: 'no-matching-file' },
      { changes: { ...KNOWN, files: 0 }, job: NO_JOB },
    ),
    level: 'notice',
    outcome: 'skipped',
    isFollowable: false,
    heading: 'Skipped; no relevant file changed',
    message: /^No file changed since `v1`\. No agent job was created\.$/,
  },
  {
    promise: 'a skipped run names three changed files and ten patterns, and counts the others',
    result: resultOf(
      { kind: 'skipped', reason: 'no-matching-file' },
      {
        changes: {
          ...KNOWN,
          base: '0123456789abcdef0123456789abcdef01234567',
          files: 300,
          patterns: Array.from({ length: 12 }, (_, n) => `p${n}`),
          exampleFiles: ['a', 'b', 'c'],
        },
        job: NO_JOB,
      },
    ),
    level: 'notice',
    outcome: 'skipped',
    isFollowable: false,
    heading: 'Skipped; no relevant file changed',
    message:
      /^300 files changed since `0123456`, .*\n`paths`: `p0`, .*, `p9` and 2 more\.\nChanged: `a`, `b`, `c` and 297 more\.$/,
  },
  {
    promise: 'a run with nothing to start from is skipped, and says where the next one starts',
    result: resultOf(
      { kind: 'skipped', reason: 'nothing-to-start-from' },
      { changes: { kind: 'unknown', reason: 'this is the first run' }, job: NO_JOB },
    ),
    level: 'notice',
    outcome: 'skipped',
    isFollowable: false,
    heading: 'Skipped; nothing to start from',
    message:
      /^There is nothing to start from: this is the first run\. No agent job was created\. The next run starts at the commit of this one\.$/,
  },
  {
    promise: 'a dry run with nothing to start from does not say where the next run starts',
    result: resultOf(
      { kind: 'skipped', reason: 'nothing-to-start-from' },
      {
        changes: { kind: 'unknown', reason: 'this is the first run' },
        job: NO_JOB,
        inputs: { ...INPUTS, dryRun: true },
      },
    ),
    level: 'notice',
    outcome: 'skipped',
    isFollowable: false,
    heading: 'Skipped; nothing to start from',
    message: /^There is nothing to start from: this is the first run\. No agent job was created\.$/,
  },
  {
    promise: 'a re-run whose changes a newer run has is skipped',
    result: resultOf(
      { kind: 'skipped', reason: 'newer-run' },
      { changes: { kind: 'unknown', reason: 'run #8 has them' }, job: NO_JOB },
    ),
    level: 'notice',
    outcome: 'skipped',
    isFollowable: false,
    heading: 'Skipped; a newer run has these changes',
    message:
      /^The changes of this run were not sent: run #8 has them\. No agent job was created\.$/,
  },
  {
    promise: 'a pull request that was added to is a notice with its name and link',
    result: endedWith('pull-request', jobOf({ status: 'completed', prLink: LINK }), {
      isUpdated: true,
      appendedTo: 'acme/docs#1',
    }),
    level: 'notice',
    outcome: 'pull-request',
    isFollowable: false,
    heading: 'Docs pull request updated',
    message: /^The agent added to `acme\/docs#1`: https:\/\/github\.com\/acme\/docs\/pull\/1$/,
  },
  {
    promise: 'an agent job that added nothing to its pull request is a notice with the link',
    result: endedWith('no-changes', jobOf({ status: 'completed', prLink: LINK })),
    level: 'notice',
    outcome: 'no-changes',
    isFollowable: false,
    heading: 'Completed: no files changed',
    message: /^Agent job `job_1` added nothing to its pull request: https:\/\/github\.com\/acme/,
  },
  {
    promise: 'a prompt that was added and is not waited for says where it went',
    result: resultOf({ kind: 'started' }, { appendedTo: 'acme/docs#1' }),
    level: 'notice',
    outcome: 'started',
    isFollowable: true,
    heading: 'Follow-up message sent; not waiting for the agent job',
    message: /^The prompt was added to `acme\/docs#1` as a follow-up message\.\nThis step does not/,
  },
  {
    promise: 'a pull request that was closed too early is an error that says what sends it again',
    result: resultOf(
      { kind: 'missed', name: 'acme/docs#1' },
      { job: jobOf({ prLink: LINK }), press: 'sends', isCaughtUp: true },
    ),
    level: 'error',
    outcome: 'error',
    isFollowable: false,
    heading: 'The pull request was closed too early',
    message:
      /^Pull request `acme\/docs#1` was closed or merged before .*\nLook at the pull request: https:.*\/1\nThe next run under `since: last-success` sends these changes again\. "Re-run failed jobs" sends this prompt again\.$/,
  },
  {
    promise: 'a pull request that was closed too early promises nothing that is not certain',
    result: resultOf(
      { kind: 'missed', name: 'acme/docs#1' },
      { job: jobOf({ prLink: LINK }), press: undefined },
    ),
    level: 'error',
    outcome: 'error',
    isFollowable: false,
    heading: 'The pull request was closed too early',
    message: /\nLook at the pull request: https:\/\/github\.com\/acme\/docs\/pull\/1$/,
  },
  {
    promise: 'a dry run that would add to a pull request says so',
    result: dry({ appendedTo: 'acme/docs#1' }),
    level: 'notice',
    outcome: 'dry-run',
    isFollowable: false,
    heading: 'Dry run; nothing was sent',
    message: /would add to the open pull request `acme\/docs#1`: the prompt in the job summary/,
  },
  {
    promise: 'a dry run of a create call says what would be created',
    result: dry({}),
    level: 'notice',
    outcome: 'dry-run',
    isFollowable: false,
    heading: 'Dry run; nothing was sent',
    message: /would create an agent job with the prompt in the job summary\.$/,
  },
  {
    promise: 'a dry run of a message says which agent job would get it',
    result: dry({ job: unread('job_1') }),
    level: 'notice',
    outcome: 'dry-run',
    isFollowable: false,
    heading: 'Dry run; nothing was sent',
    message: /would send agent job `job_1` the follow-up message in the job summary\.$/,
  },
  {
    promise: 'a dry run of following says what would be followed',
    result: dry({ job: unread('job_1'), prompt: undefined }),
    level: 'notice',
    outcome: 'dry-run',
    isFollowable: false,
    heading: 'Dry run; nothing was sent',
    message: /would follow agent job `job_1`\.$/,
  },
];

test.each(ROWS)('$promise', ({ result, level, outcome, isFollowable, heading, message }) => {
  const wording = wordingOf(result);
  expect(wording).toMatchObject({ level, outcome, isFollowable, heading });
  expect(wording.isFailure).toBe(level === 'error');
  expect(wording.messages.filter((text) => text !== SPENT).join('\n')).toMatch(message);
});

const SPENT = 'The service accepted the prompt in this run, which costs credits.';

test.each([
  { promise: 'a failure after the prompt was accepted', result: resultOf(TIMED_OUT), isSaid: true },
  { promise: 'a success', result: resultOf({ kind: 'started' }), isSaid: false },
  {
    promise: 'a failure of a run that sent nothing',
    result: resultOf(TIMED_OUT, { isAccepted: false }),
    isSaid: false,
  },
])('that credits were spent is said after $promise: $isSaid', ({ result, isSaid }) => {
  expect(wordingOf(result).messages.includes(SPENT)).toBe(isSaid);
});

test.each<{ press: Press | undefined; says: RegExp }>([
  { press: 'asks', says: /press "Re-run failed jobs" twice: the first new attempt stops and asks/ },
  { press: 'checks', says: /follows that agent job if the service knows it\. Otherwise the new/ },
  { press: 'sends', says: /press "Re-run failed jobs": the new attempt sends the prompt\.$/ },
  { press: undefined, says: / If there is none, start a new run\.$/ },
  { press: 'follows', says: / If there is one, do not send the prompt again\.$/ },
])('after a doubt the advice is what a press will do ($press)', ({ press, says }) => {
  const doubt = resultOf(failedWith('Why.', true), { job: NO_JOB, isAccepted: false, press });
  expect(wordingOf(doubt).messages.at(-1)).toMatch(says);
});

test('an id in an unusable response is named, and not as certain', () => {
  const more = { job: NO_JOB, isAccepted: false, maybeId: 'req_42' };
  const { messages } = wordingOf(resultOf(failedWith('Why.', true), more));
  expect(messages.at(-1)).toContain('The response named `req_42`, which may be its id.');
});

/** The compiler asks for a row when there is a new outcome. */
const ICONS: Readonly<Record<Outcome, string>> = {
  'pull-request': '✅',
  'no-changes': '✅',
  archived: '⚠️',
  failed: '❌',
  'timed-out': '⏳',
  cancelled: '⏹️',
  skipped: '⏭️',
  started: '▶️',
  'dry-run': '📝',
  'unusable-link': '⚠️',
  error: '❌',
};

test.each(Object.entries(ICONS))('the outcome %s has the icon %s', (outcome, icon) => {
  const icons = ROWS.map(({ result }) => wordingOf(result))
    .filter((wording) => wording.outcome === outcome)
    .map((wording) => wording.icon);
  expect([...new Set(icons)]).toEqual([icon]);
});

describe('a step to paste is offered only when the agent job can be followed', () => {
  test.each(ROWS)('$promise', ({ result, isFollowable }) => {
    const { annotations, summary } = plainReportOn(result);
    const says = [annotations.at(-1)?.message.includes('- uses:'), summary.includes('- uses:')];
    expect(says).toEqual([isFollowable, isFollowable]);
  });
});

test('the timeout that is named is the one that was set', () => {
  const inputs = { ...INPUTS, timeoutMs: 90_000 };
  expect(wordingOf(resultOf(TIMED_OUT, { inputs })).messages[0]).toContain('within 1 min 30 s');
});

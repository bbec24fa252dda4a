/** Every way in which a run can end, by what the reader does. */
import { Cancelled, StepError, type Topic } from '../../../src/errors.ts';
import { type Ending, type Report, SKIPPED, type SkipReason } from '../../../src/report/ending.ts';
import { jobOf, PULL } from '../../support/agent-job.ts';
import { aloneOf, CHANGES, DOCS_PULL, FACTS, reportOf } from './known.ts';

const stopped = (error: Error): Ending => ({ kind: 'stopped', error });
const failing = (topic: Topic, text: string, detail?: string): Ending =>
  stopped(new StepError(topic, text, detail === undefined ? {} : { detail }));

const pullRequest: Ending = { kind: 'pull-request' };
const archived: Ending = { kind: 'archived' };
const failure: Ending = { kind: 'failed' };
const gone: Ending = { kind: 'not-found', said: 'HTTP 404, `no job`' };
const timedOut: Ending = { kind: 'timed-out', lastError: undefined };
const unreadable: Ending = { kind: 'timed-out', lastError: 'HTTP 503, `busy`' };
const dryRun: Ending = { kind: 'dry-run' };
const cancelled = stopped(new Cancelled('SIGINT'));
const badKey = failing('key-refused', 'Mintlify did not show agent job `job_1` (HTTP 401)');
const notShown = failing('service', 'Mintlify did not show agent job `job_1` (HTTP 400)');
const notAccepted = failing('service', 'Mintlify did not accept the prompt (HTTP 400)');
const lost = failing('in-doubt', 'The response was lost (HTTP 502)');
const denied = failing('write-denied', 'The token may not push (`403`)', 'start a new run');
const badInputs = new StepError('inputs', '`prompt` is empty.\n`wait` must be true or false.');

const notSent = { call: undefined };
const sends = { call: { kind: 'accepted', jobId: 'job_1', rerun: 'sends' } } as const;
const follows = { call: { kind: 'accepted', jobId: 'job_1', rerun: 'follows' } } as const;
const doubt = (jobId?: string) => ({ call: { kind: 'in-doubt', jobId } }) as const;
const follow = { jobId: 'job_1', prompt: undefined };
const message = { jobId: 'job_1', prompt: 'More.' };
const appends = { pullRequest: 'append' } as const;
const running = { job: jobOf() };
const completed = { job: jobOf('completed', PULL) };
const failed = { job: jobOf('failed') };
const appended = { appendedTo: PULL, inputs: appends };
const pull = { ref: 'refs/docs-agent/docs%2Eyml/docs/docs/pull/41', scope: 'pull' } as const;
const tag = { ref: 'refs/docs-agent/docs%2Eyml/docs/docs/tag/v1', scope: 'tag' } as const;
const { commits, selected } = CHANGES;
const first = { ...CHANGES, from: '', commits: commits.slice(1, 2), files: selected };

/** What ends before there is a prompt. */
function early({ prompt: _prompt, ...report }: Report): Report {
  return { ...report, isRemembered: false };
}

type EndingCase = readonly [what: string, report: Report];

const SKIP_REASONS = Object.keys(SKIPPED) as readonly SkipReason[];
const skipped = SKIP_REASONS.map(
  (reason): EndingCase => [`skipped: ${reason}`, reportOf({ kind: 'skipped', reason }, notSent)],
);

export const ENDINGS: readonly EndingCase[] = [
  ['a pull request', reportOf(pullRequest, { ...completed, docsPull: DOCS_PULL })],
  ['a pull request that was open before', reportOf(pullRequest, { ...completed, ...appended })],
  [
    'a pull request in place of the one from before',
    reportOf(pullRequest, { ...completed, appendedTo: PULL.replace('7', '6') }),
  ],
  ['no pull request', reportOf({ kind: 'no-changes' }, { job: jobOf('completed') })],
  ['archived with a pull request', reportOf(archived, { job: jobOf('archived', PULL) })],
  ['archived without one', reportOf(archived, { job: jobOf('archived') })],
  ['archived, a first release', reportOf(archived, { job: jobOf('archived'), changes: first })],
  ['failed', reportOf(failure, failed)],
  ['failed, with a typed `since`', reportOf(failure, { ...failed, inputs: { since: 'v1' } })],
  ['failed, of a tag', reportOf(failure, { ...failed, ledger: tag })],
  [
    'failed, a prompt alone that appends',
    reportOf(failure, { ...failed, inputs: { ...appends, sendsChanges: false } }),
  ],
  ['failed, followed by `jobId`', aloneOf(failure, { ...failed, inputs: follow })],
  ['merged too early', reportOf({ kind: 'merged', link: PULL }, { ...completed, ...appended })],
  ['closed too early', reportOf({ kind: 'closed', link: PULL }, { ...completed, ...appended })],
  ['not found', reportOf(gone)],
  ['not found, by `jobId`', aloneOf(gone, { inputs: follow })],
  ['timed out', reportOf(timedOut, running)],
  ['timed out after a check that failed', reportOf(unreadable, running)],
  ['timed out, an addition', reportOf(timedOut, { ...running, ...appended })],
  ['timed out shortly before two hours', reportOf(timedOut, { ...running, ...appended, ...sends })],
  ['timed out without a ledger', aloneOf(timedOut, running)],
  ['timed out, a message', aloneOf(timedOut, { ...running, inputs: message })],
  ['timed out, by `jobId`', aloneOf(timedOut, { ...running, ...follows, inputs: follow })],
  ['cancelled before the call', reportOf(cancelled, notSent)],
  ['cancelled before it had a prompt', early(reportOf(cancelled, notSent))],
  ['cancelled during the call', reportOf(cancelled, doubt())],
  ['cancelled while waiting', reportOf(cancelled, running)],
  ...skipped,
  ['started', reportOf({ kind: 'started' }, running)],
  ['a dry run', reportOf(dryRun, notSent)],
  ['a dry run that would append', reportOf(dryRun, { ...notSent, appendedTo: PULL })],
  ['a dry run that would follow', early(aloneOf(dryRun, { ...notSent, inputs: follow }))],
  ['bad inputs', { facts: FACTS, ending: stopped(badInputs) }],
  ['bad inputs, without a page', { facts: { ...FACTS, helpPage: '' }, ending: stopped(badInputs) }],
  ['a ledger that it may not write', reportOf(denied, notSent)],
  ['a prompt that is refused', reportOf(notAccepted, notSent)],
  ['a read that is refused', reportOf(notShown, running)],
  ['a key that is refused by then, without a ledger', aloneOf(badKey, running)],
  ['a fault of ours', reportOf(stopped(new TypeError('x is `y`\n::error::z')), notSent)],
  ['a lost response on a branch', reportOf(lost, doubt())],
  ['a lost response with an id', reportOf(lost, doubt('job_9'))],
  ['a lost response of a pull request', reportOf(lost, { ...doubt(), ledger: pull })],
  ['a lost response of a prompt alone', aloneOf(lost, doubt())],
  ['a lost response of a message', aloneOf(lost, { ...doubt(), inputs: message })],
  ['a lost response of an addition', reportOf(lost, { ...doubt(), ...appended })],
];

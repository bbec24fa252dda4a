/** Every way in which a run can end, by what the reader does. */
import { type Ending, type Known, SKIPPED, type SkipReason } from '../../../src/report/ending.ts';
import { aloneOf, CHANGES, DOCS_PULL, FACTS, jobOf, knownOf, PULL } from './known.ts';

type EndingCase = readonly [what: string, known: Known, ending: Ending];

const notSent = { call: { kind: 'not-sent' } } as const;
const unrecorded = { call: { kind: 'accepted', jobId: 'job_1', rerun: 'sends' } } as const;
const doubt = (jobId?: string) => ({ call: { kind: 'in-doubt', jobId } }) as const;
const pullLedger = { ref: 'refs/docs-agent/docs%2Eyml/docs/docs/pull/41', scope: 'pull' } as const;
const tags = { ref: 'refs/docs-agent/docs%2Eyml/docs/docs/tags', scope: 'tags' } as const;
const follow = { task: { kind: 'follow', jobId: 'job_1' } } as const;
const message = { task: { kind: 'message', jobId: 'job_1', instruction: 'More.' } } as const;
const alone = { sendsChanges: false };
const completed = { job: jobOf('completed', PULL) };
const failed = { job: jobOf('failed') };
const first = { from: '', commits: 1, skippedCommits: 0, files: 1 };
const firstRelease = { job: jobOf('archived'), changes: { ...CHANGES, ...first } };
const running = knownOf({ job: jobOf() });
const appended = knownOf({ ...completed, appendedTo: PULL });
const replaced = knownOf({ ...completed, appendedTo: PULL.replace('7', '6') });

const pullRequest: Ending = { kind: 'pull-request' };
const mergedEarly: Ending = { kind: 'pull-request-ended', link: PULL, how: 'merged' };
const failure: Ending = { kind: 'failed' };
const timedOut: Ending = { kind: 'timed-out', lastError: undefined };
const timedOutBusy: Ending = { kind: 'timed-out', lastError: 'HTTP 503, `busy`' };
const cancelled: Ending = { kind: 'cancelled', signal: 'SIGINT' };
const gone: Ending = { kind: 'gone', said: 'HTTP 404, `no job`' };
const error = (topic: Extract<Ending, { kind: 'error' }>['topic'], text: string): Ending => ({
  ...{ kind: 'error', topic, message: text },
});
const lost = error('in-doubt', 'The response was lost (HTTP 502).');
const badInputs = error('inputs', '`prompt` is empty.\n`wait` must be true or false.');
const badKey = error('key', 'Mintlify refused the key (HTTP 401). Replace it.');

const SKIP_REASONS = Object.keys(SKIPPED) as readonly SkipReason[];
const skipped = SKIP_REASONS.map(
  (reason): EndingCase => [`skipped: ${reason}`, knownOf(notSent), { kind: 'skipped', reason }],
);

/** Without a prompt there is nothing that a dry run shows. */
const { prompt: _prompt, ...dryFollow } = aloneOf({ ...notSent, inputs: follow });
/** A first run may end before it leaves a ledger. */
const { prompt: _none, ...early } = knownOf(notSent);

export const ENDINGS: readonly EndingCase[] = [
  ['a pull request', knownOf({ ...completed, docsPull: DOCS_PULL }), pullRequest],
  ['a pull request that was open before and that the token cannot read', appended, pullRequest],
  ['a pull request in place of the one from before', replaced, pullRequest],
  ['no pull request', knownOf({ job: jobOf('completed') }), { kind: 'no-changes' }],
  ['archived with a pull request', knownOf({ job: jobOf('archived', PULL) }), { kind: 'archived' }],
  ['archived without one', knownOf({ job: jobOf('archived') }), { kind: 'archived' }],
  ['archived, a first release', knownOf(firstRelease), { kind: 'archived' }],
  ['failed', knownOf(failed), failure],
  ['failed, with a typed `since`', knownOf({ ...failed, inputs: { since: 'v1' } }), failure],
  ['failed, of a tag', knownOf({ ...failed, ledger: tags }), failure],
  ['failed, a prompt alone that appends', knownOf({ ...failed, inputs: alone }), failure],
  ['failed, followed by `jobId`', aloneOf({ ...failed, inputs: follow }), failure],
  ['its pull request was merged before the end', appended, mergedEarly],
  ['gone', knownOf(), gone],
  ['gone, by `jobId`', aloneOf({ inputs: follow }), gone],
  ['timed out', running, timedOut],
  ['timed out after a check that failed', running, timedOutBusy],
  ['timed out without a ledger', aloneOf({ ...unrecorded, job: jobOf() }), timedOut],
  [
    'timed out after a message without a ledger',
    aloneOf({ ...unrecorded, inputs: message, job: jobOf() }),
    timedOut,
  ],
  ['cancelled before the call', knownOf(notSent), cancelled],
  ['cancelled before it had a prompt', early, cancelled],
  ['cancelled during the call', knownOf(doubt()), cancelled],
  ['cancelled while waiting', running, cancelled],
  ...skipped,
  ['started', running, { kind: 'started' }],
  ['a dry run', knownOf(notSent), { kind: 'dry-run' }],
  ['a dry run that would append', knownOf({ ...notSent, appendedTo: PULL }), { kind: 'dry-run' }],
  ['a dry run that would follow', dryFollow, { kind: 'dry-run' }],
  ['bad inputs', { facts: FACTS, ...notSent }, badInputs],
  ['a key that is refused while waiting', running, badKey],
  ['a lost response on a branch', knownOf(doubt()), lost],
  ['a lost response with an id', knownOf(doubt('job_9')), lost],
  ['a lost response of a pull request', knownOf({ ...doubt(), ledger: pullLedger }), lost],
  ['a lost response of a prompt alone', aloneOf(doubt()), lost],
  ['a lost response of a message', aloneOf({ ...doubt(), inputs: message }), lost],
  ['a lost response of an addition', knownOf({ ...doubt(), appendedTo: PULL }), lost],
];

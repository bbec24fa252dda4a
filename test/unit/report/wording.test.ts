/** Ways in which a run can end. What people then read is in `endings.md`. */
import { expect, test } from 'vitest';
import { unreadJob } from '../../../src/model/agent-job.ts';
import type { ChangesOverview, SkipReason } from '../../../src/model/changes.ts';
import type { StepRecord } from '../../../src/model/record.ts';
import type { RunResult } from '../../../src/report/ending.ts';
import { wordingOf } from '../../../src/report/wording.ts';
import { metadata } from '../../support/action.ts';
import { FACTS } from '../../support/fakes.ts';
import { unpairedTagsOf } from '../../support/markdown.ts';
import { plainText } from '../../support/plain-text.ts';
import {
  CHANGES,
  endedWith,
  FOLLOW,
  failed,
  INPUTS,
  jobOf,
  MESSAGE,
  plainReportOn,
  resultOf,
  timedOut,
} from '../../support/results.ts';
import { longErrorsIn } from '../../support/short-errors.ts';

const PULL_REQUEST = { prLink: 'https://github.com/acme/docs/pull/1' };
const SCRIPT = { prLink: 'javascript:x' };
const WITH_PASSWORD = { prLink: 'https://u:s3cret@x/1' };
const COMPLETED = { job: jobOf({ status: 'completed' }) };
const APPENDED = { appendedTo: 'acme/docs#1' };
const HAD_PULL = { pullBefore: { kind: 'existing', number: '1' } } as const;
const CHANGED = { ...HAD_PULL, hasChanged: true };
const NOTHING_SENT = { isAccepted: false };
const NO_MESSAGE_SENT = { ...NOTHING_SENT, inputs: MESSAGE };
const NO_AGENT_JOB = { job: unreadJob(''), isAccepted: false };
const NOT_WAITING = { inputs: { ...INPUTS, wait: false } };

const UNSELECTED: ChangesOverview = {
  ...{ ...CHANGES, commits: 1, files: 2, selectedFiles: 0, base: 'v1' },
  ...{ patterns: ['docs/**', '!docs/a'], exampleFiles: ['a.ts', 'b.ts'] },
};
const MANY_CHANGES = {
  ...UNSELECTED,
  base: '0123456789abcdef'.repeat(4),
  files: 300,
  patterns: Array.from({ length: 12 }, (_, n) => `p${n}`),
  exampleFiles: ['a', 'b', 'c'],
};
const unknown = (reason: string, isFirstRun = true) =>
  ({ kind: 'unknown', reason, isFirstRun }) as const;
const NOT_FOLLOWING = { ...FOLLOW, wait: false };
const left = (content: StepRecord) => ({ content, isWritten: false });
const NONE: StepRecord = {
  key: 'k',
  what: { kind: 'none' },
  range: { from: undefined, to: 'h' },
  pending: [],
  codePulls: [],
};
/** The first run for an event, with a record of where the next one starts. */
const firstRun = (eventName: string): Partial<RunResult> => ({
  ...{ changes: unknown('this is the first run'), record: left(NONE) },
  facts: { ...FACTS, eventName },
});
const NOT_NEEDED = {
  ...CHANGES,
  commits: 4,
  skipped: {
    commits: 4,
    by: ['`[skip docs]`', 'the label `skip-docs`', '`chore*` in `skip`'],
    undo: ['remove the label `skip-docs` from the pull request', 'change `skip`'],
    pulls: [41, 43],
  },
};
const BY_LABEL = {
  ...NOT_NEEDED.skipped,
  by: ['the label `skip-docs`'],
  undo: ['remove the label `skip-docs` from the pull request'],
};

const pullRequest = (more: Partial<RunResult> = {}) =>
  endedWith('pull-request', PULL_REQUEST, more);
const maybeCreated = (more: Partial<RunResult> = {}) =>
  failed('in-doubt', { ...NO_AGENT_JOB, ...more });
const named = (namedId: string) => {
  const ending = { kind: 'error', heading: 'It failed', message: 'Why.' } as const;
  return resultOf({ ...ending, call: { kind: 'in-doubt', namedId } }, NO_AGENT_JOB);
};
const started = (more: Partial<RunResult> = {}) =>
  resultOf({ kind: 'started' }, { ...NOT_WAITING, ...more });
const BY_SIGINT = { kind: 'cancelled', signal: 'SIGINT' } as const;
const cancelled = (more: Partial<RunResult> = {}) =>
  resultOf({ ...BY_SIGINT, call: { kind: 'not-accepted' } }, more);
const cancelledWhileSending = (more: Partial<RunResult>, namedId?: string) =>
  resultOf({ ...BY_SIGINT, call: { kind: 'in-doubt', namedId } }, more);
const unreadable = (more: Partial<RunResult> = {}) =>
  resultOf({ kind: 'unreadable', error: 'HTTP 401. Check.' }, more);
const notFound = (more: Partial<RunResult> = {}) =>
  resultOf({ kind: 'not-found', error: 'HTTP 404. Check.' }, more);
const skipped = (reason: SkipReason, more: Partial<RunResult>) =>
  resultOf({ kind: 'skipped', reason }, { ...NO_AGENT_JOB, ...more });
const missed = (how: 'merged' | 'closed' | undefined, more: Partial<RunResult>) =>
  resultOf(
    { kind: 'missed', name: 'acme/docs#1', link: 'https://github.com/acme/docs/pull/1', how },
    { job: jobOf(PULL_REQUEST), ...more },
  );
const lastAtWork = (more: Partial<RunResult>) =>
  resultOf(
    { kind: 'last-at-work', lastId: 'job_0', limitMs: 900_000, isHalf: true },
    { ...NO_AGENT_JOB, ...more },
  );
const overtaken = () => resultOf({ kind: 'overtaken', by: 8 }, NO_AGENT_JOB);
const dryRun = (more: Partial<RunResult> = {}) =>
  resultOf({ kind: 'dry-run' }, { ...NO_AGENT_JOB, ...more });
const badInputs = (...problems: readonly string[]) =>
  resultOf({ kind: 'bad-inputs', problems }, { ...NO_AGENT_JOB, inputs: undefined });

const ENDINGS: Readonly<Record<string, RunResult>> = {
  'a pull request': pullRequest(),
  'a pull request that has changed': pullRequest({ ...APPENDED, ...CHANGED }),
  'a pull request that was open before a message': pullRequest({
    inputs: MESSAGE,
    ...HAD_PULL,
  }),
  'completed without changes': endedWith('no-changes'),
  'completed without changes to an open pull request': endedWith('no-changes', PULL_REQUEST),
  'completed with a link that must not be used': endedWith('no-changes', SCRIPT),
  archived: endedWith('archived'),
  'archived with a pull request': endedWith('archived', PULL_REQUEST),
  'archived with a link that must not be used': endedWith('archived', WITH_PASSWORD),
  failed: endedWith('failed', {}, { rerunEffect: 'sends' }),
  'failed after a message to an open pull request that the service no longer names': endedWith(
    'failed',
    {},
    { ...APPENDED, ...HAD_PULL, pullLink: 'https://github.com/acme/docs/pull/1' },
  ),
  'failed, and a re-run does not create a new one': endedWith('failed', {}, { inputs: MESSAGE }),

  'created and not waited for': started(),
  'still running, and not waited for': started({ ...NOTHING_SENT, inputs: NOT_FOLLOWING }),
  'a follow-up message, not waited for': started({ inputs: { ...MESSAGE, wait: false } }),

  'timed out': timedOut(),
  'timed out after a minute and a half': timedOut({ inputs: { ...INPUTS, timeoutMs: 90_000 } }),
  'timed out, and an earlier attempt sent it': timedOut({ ...NOTHING_SENT, resumedFrom: 1 }),
  'timed out after a follow-up message': timedOut({ inputs: MESSAGE, ...HAD_PULL }),
  'timed out while only following': timedOut({ ...NOTHING_SENT, inputs: FOLLOW }),
  'timed out, and a re-run sends the prompt': timedOut({ rerunEffect: 'sends' }),
  'timed out, and a re-run asks first': timedOut({ rerunEffect: 'asks' }),
  'timed out, and nobody knows what a re-run does': timedOut({ rerunEffect: undefined }),
  'timed out while reads failed': timedOut({ lastError: 'HTTP 502 (the service said `x`)' }),
  'timed out before anything was read': timedOut({ job: unreadJob('job_1') }),
  'timed out, and this run never saw it active': timedOut({ wasSeen: false }),
  'timed out with an end from before the message': timedOut(COMPLETED),
  'timed out with an id that cannot be pasted': timedOut({ job: unreadJob('$' + '{{x}}') }),

  'cancelled before anything was created': cancelled(NO_AGENT_JOB),
  'cancelled while creating': cancelledWhileSending(NO_AGENT_JOB),
  'cancelled while creating, with an id in the response': cancelledWhileSending(
    NO_AGENT_JOB,
    'job_7',
  ),
  'cancelled before a message was sent': cancelled(NO_MESSAGE_SENT),
  'cancelled while a message was sent': cancelledWhileSending(NO_MESSAGE_SENT),
  'cancelled while waiting': cancelled(),
  'cancelled while only following': cancelled({ ...NOTHING_SENT, inputs: FOLLOW }),
  'cancelled after an earlier attempt sent it': cancelled({ ...NO_MESSAGE_SENT, resumedFrom: 1 }),
  'cancelled after the end was read': cancelled({
    job: jobOf({ status: 'completed' }, 'no-changes'),
  }),

  'cannot be read': unreadable(),
  'not found, although this run created it': notFound(),
  'not found': notFound(NOTHING_SENT),

  'an error before anything was sent': failed('not-accepted', NO_AGENT_JOB),
  'an error before a message was sent': failed('not-accepted', NOTHING_SENT),
  'an error after an agent job was created': failed('not-accepted'),
  'an error after which an agent job may exist': maybeCreated(),
  'the same with an id in a response that cannot be used': named('req_42'),
  'the same when a re-run asks': maybeCreated({ rerunEffect: 'asks' }),
  'the same when a re-run sends': maybeCreated({ rerunEffect: 'sends' }),
  'the same when nobody knows what a re-run does': maybeCreated({ rerunEffect: undefined }),
  'an error after which a message may have been accepted': failed('in-doubt', NO_MESSAGE_SENT),
  'a pull request that was merged too early': missed('merged', {
    changes: CHANGES,
    rerunEffect: 'sends',
    lookedAtBy: 'next',
  }),
  'one that was closed too early': missed('closed', { rerunEffect: 'sends' }),
  'one that was closed too early when nothing sends the changes again': missed('closed', {
    rerunEffect: undefined,
  }),
  'the last agent job is at work': lastAtWork({
    changes: CHANGES,
    rerunEffect: 'sends',
    lookedAtBy: 'next',
  }),
  'the last agent job is at work, and little of `timeout` was left': resultOf(
    { kind: 'last-at-work', lastId: 'job_0', limitMs: 60_000, isHalf: false },
    { ...NO_AGENT_JOB, rerunEffect: 'sends' },
  ),
  'the last agent job is at work, and the next run does not look': lastAtWork({
    rerunEffect: 'sends',
  }),
  'the last agent job is at work, and only the next run sends': lastAtWork({
    changes: CHANGES,
    rerunEffect: undefined,
    lookedAtBy: 'next',
  }),
  'an input that cannot be used': badInputs('`wait` is wrong.'),
  'inputs that cannot be used': badInputs('`wait` is wrong.', '`timeout` is wrong.'),

  'no changed file matches': skipped('no-matching-file', { changes: UNSELECTED }),
  'the only changed file does not match, and no message is sent': skipped('no-matching-file', {
    changes: { ...UNSELECTED, files: 1, exampleFiles: ['a.ts'] },
    inputs: MESSAGE,
  }),
  'none of many changed files matches': skipped('no-matching-file', { changes: MANY_CHANGES }),
  'nothing changed': skipped('nothing-changed', { changes: { ...UNSELECTED, files: 0 } }),
  'no documentation needed': skipped('no-documentation-needed', { changes: NOT_NEEDED }),
  'a pull request that was sent as it is': skipped('sent-as-it-is', {
    changes: { ...NOT_NEEDED, pull: 41 },
  }),
  'no documentation needed for the only commit': skipped('no-documentation-needed', {
    changes: {
      ...NOT_NEEDED,
      commits: 1,
      skipped: { commits: 1, by: ['`[skip docs]`'], undo: [], pulls: [] },
    },
  }),
  'no documentation needed on a pull request': skipped('no-documentation-needed', {
    changes: { ...NOT_NEEDED, pull: 41, skipped: BY_LABEL },
    facts: { ...FACTS, eventName: 'pull_request' },
  }),
  'none of the changed files of a pull request matches': skipped('no-matching-file', {
    changes: { ...MANY_CHANGES, pull: 41 },
    facts: { ...FACTS, eventName: 'pull_request' },
  }),
  'a fork without a key': skipped('fork', { inputs: undefined, prompt: undefined }),
  'nothing to start from on a schedule': skipped('nothing-to-start-from', firstRun('schedule')),
  'nothing to start from on a later night': skipped('nothing-to-start-from', {
    ...firstRun('schedule'),
    changes: unknown('no earlier run has a record', false),
  }),
  'nothing to start from, by hand': skipped('nothing-to-start-from', firstRun('workflow_dispatch')),
  'nothing to start from, by hand with `paths`': skipped('nothing-to-start-from', {
    ...firstRun('workflow_dispatch'),
    inputs: { ...INPUTS, paths: ['src/**'] },
  }),
  'nothing to start from for a tag, which has no next run': skipped('nothing-to-start-from', {
    ...{ ...firstRun('push'), record: left({ ...NONE, range: undefined }) },
    changes: unknown('there is no earlier tag like `nightly`', false),
  }),
  'a dry run with nothing to start from': skipped('nothing-to-start-from', {
    ...{ ...firstRun('workflow_dispatch'), record: undefined },
    inputs: { ...INPUTS, dryRun: true },
  }),
  'a newer run has the changes': overtaken(),

  'a dry run': dryRun(),
  'a dry run of adding to a pull request': dryRun(APPENDED),
  'a dry run of a message': dryRun({ job: unreadJob('job_1') }),
  'a dry run of following': dryRun({ job: unreadJob('job_1'), prompt: undefined }),
};

const GAPS = { ...CHANGES, leftOut: ['3 commits, oldest first', 'the patch of `a.ts`'] };

/** Whole summaries: each part of one is in some of them. */
const WHOLE: Readonly<Record<string, RunResult>> = {
  'A pull request, with everything that can be known': endedWith(
    'pull-request',
    {
      ...PULL_REQUEST,
      model: 'm',
      source: { repository: 'https://github.com/acme/docs', ref: 'main' },
      createdAt: '2026-11-21T08:00:00.123Z',
      archivedAt: 'yesterday',
    },
    {
      changes: CHANGES,
      whyNew: 'The follow-up message was refused: HTTP 404. A new agent job is created instead.',
    },
  ),
  'A pull request that has changed, and whose branch was rewritten': endedWith(
    'pull-request',
    PULL_REQUEST,
    {
      ...{ ...APPENDED, ...CHANGED },
      pullWarning: 'The branch of `acme/docs#1` no longer contains `e1`.',
    },
  ),
  'A pull request with its pages, its code pull requests and what was skipped': endedWith(
    'pull-request',
    PULL_REQUEST,
    {
      inputs: { ...INPUTS, changes: 'files' },
      changes: {
        ...CHANGES,
        commits: 5,
        skipped: {
          commits: 2,
          by: ['the label `skip-docs`', '`chore(*)*` in `skip`'],
          undo: [],
          pulls: [43, 44],
        },
      },
      codePulls: [41, 42],
      docs: {
        isOpen: true,
        title: 'Document the <retry> option',
        branch: 'docs',
        files: [
          { filename: 'docs/client.mdx', additions: 12, deletions: 3 },
          { filename: 'docs/a `b` & c.mdx', additions: 0, deletions: 1 },
        ],
        hasMore: true,
      },
    },
  ),
  'No documentation needed': resultOf(
    { kind: 'skipped', reason: 'no-documentation-needed' },
    {
      ...NO_AGENT_JOB,
      changes: {
        ...CHANGES,
        commits: 1,
        skipped: { commits: 1, by: ['`[skip docs]`'], undo: [], pulls: [] },
      },
    },
  ),
  'An archived agent job with a pull request': endedWith('archived', PULL_REQUEST, {
    ...HAD_PULL,
  }),
  'A failed agent job with a pull request': endedWith('failed', PULL_REQUEST),
  'A failed agent job with a pull request that stays open': endedWith('failed', PULL_REQUEST, {
    ...HAD_PULL,
    pullLink: PULL_REQUEST.prLink,
  }),
  'A timeout, with changes that are not all in the prompt': timedOut({
    inputs: { ...INPUTS, changes: 'files' },
    changes: { ...GAPS, selectedFiles: 2 },
  }),
  'A timeout after an earlier attempt, with gaps in a list that is not in the prompt': timedOut({
    resumedFrom: 2,
    job: jobOf(PULL_REQUEST),
    rerunEffect: undefined,
    isAccepted: false,
    checks: 0,
    changes: { ...GAPS, commits: 0, selectedFiles: 3 },
  }),
  'Long words, which wrap in the table and are copied whole': timedOut({
    job: jobOf({
      id: '0f3c5a9e7d414b1e9d552b6f5c1a8e70',
      model: 'a <b> c',
      source: {
        repository: 'https://gitlab.example/group/subgroup/docs-docs-docs-docs',
        ref: 'mintlify/update-the-docs-for-the-retry-option-of-the-client',
      },
    }),
  }),
  'An error after which an agent job may exist': failed('in-doubt', {
    ...NO_AGENT_JOB,
    changes: unknown('no base for `push`'),
  }),
  'An error before a message was sent': failed('not-accepted', {
    inputs: MESSAGE,
    isAccepted: false,
  }),
  'An error before the inputs were known': failed('not-accepted', {
    ...NO_AGENT_JOB,
    inputs: undefined,
    prompt: undefined,
  }),
  'A dry run': resultOf({ kind: 'dry-run' }, NO_AGENT_JOB),
  'Inputs that cannot be used': badInputs(
    'The id is on the API keys page of your Mintlify dashboard.',
    'Secrets are set at https://github.com/acme/app/settings/secrets/actions.',
    'Variables are set at https://github.com/acme/app/settings/variables/actions.',
  ),
};

/** What the step does, and its annotations. The icon is that of the summary. */
function seenOf(result: RunResult): string {
  const { isFailure, outputs, summary, annotations } = plainReportOn(result);
  const icon = summary.split(' ')[1];
  const step = `${icon} The step ${isFailure ? 'fails' : 'succeeds'} with the outcome ${outputs.outcome}.`;
  const shown = annotations.map(
    ({ level, title, message }) =>
      `[${level}] ${title}\n${message.replace(/- uses:[^}]*\}\}/, '(the step)')}`,
  );
  return [step, ...shown].join('\n');
}

test('each ending is told in its own words, and summaries hold what helps', async () => {
  const endings = Object.entries(ENDINGS).map(
    ([name, result]) => `# Ending: ${name}\n\n${seenOf(result)}\n`,
  );
  const summaries = Object.entries(WHOLE).map(
    // The headings stand with the endings.
    ([name, result]) =>
      `# Summary: ${name}\n\n${plainReportOn(result).summary.replace(/^(## \S+) .+?( · .*)?$/m, '$1 HEADING$2')}`,
  );
  await expect([...endings, ...summaries].join('\n')).toMatchFileSnapshot('endings.md');
});

test('a fourth sentence of an error is found, and dots in code and in addresses are none', () => {
  const message = 'A `b. c.` failed (HTTP 1.2). See https://x.example/a.b?c. Do this.\nOr that';
  const longer = `${message}\n\nOnce more.`;
  const error = { level: 'error', title: 'Docs agent: It failed' } as const;
  expect(
    longErrorsIn([
      { ...error, message },
      { ...error, message: longer },
    ]),
  ).toHaveLength(2);
  const short = { ...error, message: message.replace('\nOr that', '') };
  expect(longErrorsIn([short, { ...error, level: 'warning', message }])).toEqual([]);
});

test.each(Object.entries({ ...ENDINGS, ...WHOLE }))(
  'an error has at most three sentences: %s',
  (_name, result) => expect(longErrorsIn(plainReportOn(result).annotations)).toEqual([]),
);

test('each outcome of action.yml is among these endings, and no other', () => {
  const { description = '' } = metadata.outputs['outcome'] ?? {};
  const outcomes = [...description.matchAll(/`([a-z-]+)`/g)].map(([, name]) => name);
  const found = Object.values(ENDINGS).map((result) => plainReportOn(result).outputs.outcome);
  expect([...new Set(found)].toSorted()).toEqual(outcomes.toSorted());
});

const ALL = Object.entries({ ...ENDINGS, ...WHOLE });

test.each(ALL)(
  'the summary has the heading, the words and the advice of the annotation: %s',
  (_name, result) => {
    const { annotations, summary } = plainReportOn(result);
    const { title = '', message = '' } = annotations.at(-1) ?? {};
    expect(summary.split('\n', 1)[0]).toContain(title.replace('Docs agent:', ''));
    for (const offer of ['to keep waiting', 'To wait for it']) {
      expect(summary.includes(offer)).toBe(message.includes(offer));
    }
    const text = plainText(summary)
      .replaceAll(' (https://app.mintlify.com)', '')
      .replaceAll(/\(how \((\S+)\)\)/g, '($1)');
    const said = annotations.flatMap((one) => one.message.split('\n'));
    // Both are links in the summary.
    const { pullMessage } = wordingOf(result);
    const isLink = (line: string) => line.startsWith('Troubleshooting: ') || line === pullMessage;
    const missing = said
      .filter((line) => !isLink(line))
      .filter((line) => !text.includes(line.replaceAll('`', '')));
    expect(missing).toEqual([]);
  },
);

test.each(ALL)('every element of the summary is closed: %s', (_name, result) => {
  expect(unpairedTagsOf(plainReportOn(result).summary)).toEqual([]);
});

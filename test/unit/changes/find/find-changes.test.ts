import { describe, expect, test } from 'vitest';
import {
  type ChangesQuery,
  findChanges,
  skipReason,
} from '../../../../src/changes/find/find-changes.ts';
import { describeChanges, overviewOf } from '../../../../src/changes/overview/overview.ts';
import { GitHubError } from '../../../../src/github/errors.ts';
import type {
  CodePull,
  Commit,
  Comparison,
  GitHub,
  PullRequest,
  WorkflowEvent,
} from '../../../../src/github/github.ts';
import { CancelledError } from '../../../../src/model/run-error.ts';
import type { Start } from '../../../../src/model/start.ts';
import { eventOf as event } from '../../../support/fakes.ts';
import { commitOf as commit, pullOf as pull } from '../../../support/pulls.ts';

const ahead: Comparison = {
  ...{ status: 'ahead', url: 'u', mergeBase: 'm', totalCommits: 1 },
  ...{ commits: [], files: [] },
};
const file = (filename: string, previous_filename?: string, status = 'modified') => {
  return { filename, previous_filename, status, lines: { additions: 1, deletions: 1 } };
};

type Parts = Partial<GitHub>;
const failing = (kind: GitHubError['kind']) => () =>
  Promise.reject(new GitHubError(kind, `it is ${kind}`));
/** Every comparison is this one. It starts at its base if that is the common commit. */
const comparing = (more: Partial<Comparison> = {}): Parts => ({
  compare: async (base) => ({ ...ahead, mergeBase: base, ...more }),
});

/** Every name but a branch's is known, and no commit names its folder. */
const commits: Parts = {
  commit: async (ref) =>
    ref.startsWith('heads/')
      ? undefined
      : { sha: ref.replace('tags/', ''), parents: ['p'], tree: undefined },
  commitOfTag: async () => undefined,
  tree: async () => ({ entries: new Map(), truncated: false }),
};
const CONTENTS = ['contents: read'];
const AUTO = {
  ...({ since: 'auto', changes: 'files', start: undefined } as const),
  ...{ paths: [], skip: [], lookedAtBy: 'unknown' as const, permissions: CONTENTS },
};

/** The changes of an event. Without more GitHub has none of its commits but the head. */
function find(of: WorkflowEvent, parts: Parts, query: Partial<ChangesQuery> = {}) {
  const none = failing('not-found');
  const noPulls = {
    pull: failing('forbidden'),
    filesPage: (number: number) => `pull/${number}/files`,
    pullsBehind: async () => ({ found: [], error: undefined }),
  };
  const github = { event: of, compare: none, ...commits, ...noPulls, ...parts };
  return findChanges({ ...AUTO, github: async () => github as GitHub, ...query });
}
async function findKnown(...given: Parameters<typeof find>) {
  const found = await find(...given);
  if (found.kind !== 'known') throw new Error(found.kind);
  return found;
}

const push = event('push', { before: 'b' });
const schedule = event('schedule');
const typed = event('workflow_dispatch');
/** Where earlier runs say that the changes start. */
const from = (sha: string): Partial<ChangesQuery> => {
  return {
    since: 'last-success',
    permissions: [...CONTENTS, 'actions: read', 'checks: read'],
    start: { kind: 'from', sha, earlier: [], isSentBefore: false, pending: [] },
  };
};
/** So many earlier runs say nothing of where the changes start but these starts of their events. */
const nothing = (read: number, eventStarts: readonly string[] = []): Partial<ChangesQuery> => {
  const olderRuns = { read, recorded: read, unrecorded: 0 };
  const start: Start = { kind: 'not-recorded', eventStarts, olderRuns };
  return { since: 'last-success', start };
};
const gone = (...shas: readonly string[]): Parts => ({
  compare: async (base) =>
    shas.includes(base) ? failing('not-found')() : { ...ahead, mergeBase: base },
});

/** More than the tags that are tried. */
const manyGone = Array.from({ length: 30 }, (_, n) => `x${n}`);

describe('under `last-success`', () => {
  test.each([
    { of: schedule, since: 'auto' },
    { of: push, since: 'last-success' },
  ])('the changes of $of.name start behind what is covered ($since)', async ({ of, since }) => {
    const earlier = [{ jobId: 'j', state: 'failed', overlaps: true, prLink: '' }] as const;
    const start: Start = { kind: 'from', sha: 'covered', earlier, isSentBefore: true, pending: [] };
    expect(await find(of, comparing({ mergeBase: 'm' }), { since, start })).toMatchObject({
      ...{ kind: 'known', base: 'covered', head: 'h', earlier },
      ...{ range: { from: 'm', to: 'h' }, gaps: [] },
    });
  });

  test.each([
    { promise: 'that of this run, when they left none', begins: [], base: 'b' },
    { promise: 'the oldest', begins: ['b1', 'b2'], base: 'b1' },
    { promise: 'the oldest that GitHub has', begins: ['x1', 'b2'], base: 'b2' },
    { promise: 'that of this run, when GitHub has none', begins: ['x1', 'x2', 'x1'], base: 'b' },
    { promise: 'the oldest that GitHub has of many', begins: [...manyGone, 'b2'], base: 'b2' },
    { promise: 'the parent of a commit', begins: ['c2^', 'b2'], base: 'p' },
  ])('where runs left no more than the start of an event, it is $promise', async (row) => {
    const { begins, base } = row;
    const [first, ...others] = new Set(begins.filter((sha) => sha.startsWith('x')));
    const also = others.length === 0 ? '' : `, and neither are those of ${others.length} other`;
    const warning = new RegExp(
      `at \`${first}\`, but GitHub no longer has it\\. .* are not sent again${also}`,
    );
    expect(await find(push, gone(...manyGone), nothing(3, begins))).toMatchObject({
      base,
      warnings: first === undefined ? [] : [expect.stringMatching(warning)],
      range: { from: base, to: 'h' },
    });
  });
});

test('a start that a person named counts before the event, with a note if it leads elsewhere', async () => {
  const deleted = event('push', { deleted: true, before: 'b' });
  const v1 = { since: 'v1' };
  expect(await find(deleted, comparing(), v1)).toMatchObject({ base: 'v1', notes: [], gaps: [] });
  const elsewhere = comparing({ status: 'diverged', mergeBase: 'm' });
  expect(await find(push, elsewhere, v1)).toMatchObject({
    ...{ base: 'v1', gaps: [], range: { from: 'm', to: 'h' } },
    notes: [expect.stringContaining('`v1` does not lead to `h`')],
  });
});

describe('a pull request', () => {
  const opened = event('pull_request', {
    pull_request: { number: 5, base: { ref: 'main' }, head: { sha: 'p' } },
  });
  const own = { commits: [commit('s', 'p')], files: [{ ...file('own'), sha: 'o' }] };
  const at = (head: string, more: Partial<PullRequest> = {}): PullRequest => ({
    ...{ state: 'open', head: { sha: head }, base: { ref: 'main' }, commits: 1, ...more },
  });
  const listing = (more: Partial<typeof own> = {}, pull = at('p')): Parts => ({
    ...{ pull: async () => pull, pullRequest: async () => ({ ...own, ...more }) },
  });

  test('has its own files and commits, as they are now, and no range', async () => {
    const now = at('p2', { commits: 300, title: 'Now', labels: [{ name: 'x' }] });
    expect(await find(opened, listing({}, now), { since: 'last-success' })).toMatchObject({
      ...{ kind: 'known', base: 'main', head: 'p2', totalCommits: 300, url: 'pull/5/files' },
      ...{ selected: own.files, files: own.files, gaps: [], notes: [], status: 'ahead' },
      ...{ range: undefined, ownHash: expect.stringMatching(/^[0-9a-f]{16}$/) },
      ownPull: { number: 5, title: 'Now', labels: ['x'] },
    });
  });

  const gap = 'GitHub lists only the first 3000 files of a pull request; there may be more';
  test.each([
    { files: 2_999, gaps: [], ownHash: expect.any(String) },
    { files: 3_000, gaps: [gap], ownHash: undefined },
  ])('of $files files has the gaps $gaps, and a hash without any', async ({ files, ...more }) => {
    const many = Array.from({ length: files }, () => ({ ...file('own'), sha: 'o' }));
    expect(await find(opened, listing({ files: many }))).toMatchObject(more);
  });

  test('of which a file has neither a patch nor an object id has no hash', async () => {
    const bare = [file('own')] as unknown as typeof own.files;
    expect(await find(opened, listing({ files: bare }))).toMatchObject({ ownHash: undefined });
  });

  test('is read again while it gets new commits, three times', async () => {
    const heads = ['p', 'p2', 'p2'];
    const reads: string[] = [];
    const moving: Parts = {
      ...listing(),
      pull: async () => at(heads.shift() ?? `q${reads.length}`),
      pullRequest: async () => {
        reads.push('files');
        return own;
      },
    };
    expect(await find(opened, moving)).toMatchObject({ head: 'p2' });
    expect(reads).toHaveLength(2);
    await expect(find(opened, moving)).rejects.toThrow(
      'Pull request #5 got new commits each of the 3 times that its files were read,',
    );
    expect(reads).toHaveLength(5);
  });

  test.each([
    { by: 'label', now: at('p', { labels: [{ name: 'Skip-Docs' }] }) },
    { by: 'marker', now: at('p', { title: 'Rename [skip docs]' }) },
  ])('that its $by leaves out is not read, so that this helps where GitHub cannot', async (row) => {
    const parts = { ...listing({}, row.now), pullRequest: failing('unavailable') };
    const found = await find(opened, parts);
    expect(found).toMatchObject({ kind: 'left-out', by: { kind: row.by }, commits: 1 });
    expect(skipReason(found, AUTO)).toBe('no-documentation-needed');
  });

  /** GitHub does not list it, so `base` is compared with its head. */
  const unlisted = (kind: GitHubError['kind'], compared: Partial<Comparison> = {}): Parts => ({
    ...{ ...listing(), pullRequest: failing(kind) },
    commit: async (ref) =>
      ref === 'heads/main' ? { sha: 'tip', parents: [], tree: undefined } : undefined,
    compare: async (base, head) => {
      expect([base, head]).toEqual(['tip', 'p']);
      return { ...ahead, status: 'diverged', files: own.files, ...compared };
    },
  });

  test.each(['forbidden', 'not-found', 'unavailable'] as const)(
    'that GitHub does not list (%s) is compared from its base branch to its head',
    async (kind) => {
      const listed = await findKnown(opened, listing());
      expect(await find(opened, unlisted(kind))).toMatchObject({
        ...{ kind: 'known', url: 'pull/5/files', base: 'main', head: 'p', gaps: [] },
        ...{ files: own.files, ownHash: listed.ownHash, ownPull: { number: 5 } },
        notes: [expect.stringContaining(`it is ${kind}`)],
      });
    },
  );

  test('that the token may not read is compared as its event says', async () => {
    const parts = { ...unlisted('forbidden'), pull: failing('forbidden') };
    expect(await find(opened, parts)).toMatchObject({ base: 'main', head: 'p', files: own.files });
    const labels = [{ name: 'skip-docs' }];
    const payload = { pull_request: { number: 5, base: { ref: 'main' }, labels } };
    const labelled = await find(event('pull_request', payload), parts);
    expect(skipReason(labelled, AUTO)).toBe('no-documentation-needed');
  });

  test.each([
    ['was merged', { ...unlisted('forbidden'), pull: async () => at('p', { merged_at: 'x' }) }],
    ['was merged since its event', unlisted('forbidden', { totalCommits: 0 })],
    ['has no base branch any more', { ...unlisted('forbidden'), commit: async () => undefined }],
  ])('that GitHub does not list and that %s stops, naming the permission', async (_, parts) => {
    const query = { permissions: [...CONTENTS, 'pull-requests: read'] };
    const message = /it is forbidden.*`pull-requests: read`/;
    await expect(find(opened, parts, query)).rejects.toThrow(message);
  });

  test('without a commit stops', async () => {
    const parts = listing({ commits: [] }, at('b', { commits: 0 }));
    await expect(find(opened, parts)).rejects.toThrow('GitHub lists no commit of pull request #5');
  });

  test('of which GitHub lists fewer files than it counts has a gap, and is not skipped', async () => {
    const parts = listing({ files: [] }, at('p', { commits: 2, changed_files: 3 }));
    const found = await find(opened, parts);
    const gap = 'GitHub lists 0 files of this pull request and counts 3';
    expect(found).toMatchObject({ gaps: [gap], isUnchanged: false, ownHash: undefined });
    expect(skipReason(found, AUTO)).toBeUndefined();
  });

  test('is not guessed when GitHub fails', async () => {
    for (const kind of ['failed', 'rate-limited', 'bad-token'] as const) {
      await expect(find(opened, unlisted(kind))).rejects.toThrow(`it is ${kind}`);
    }
    const failed = { ...listing(), pull: failing('failed') };
    await expect(find(opened, failed)).rejects.toThrow('it is failed');
    const bug = () => Promise.reject(new TypeError('ours'));
    await expect(find(opened, { ...listing(), pullRequest: bug })).rejects.toThrow(TypeError);
  });

  test('that can be neither listed nor compared names both permissions', async () => {
    const parts = { ...unlisted('forbidden'), compare: failing('forbidden') };
    const both = '`contents: read` and `pull-requests: read`';
    const permissions = [...CONTENTS, 'pull-requests: read'];
    await expect(find(opened, parts, { permissions })).rejects.toThrow(both);
  });

  test('from a named start is a comparison like any other', async () => {
    expect(await find(opened, comparing(), { since: 'v1' })).toMatchObject({
      ...{ base: 'v1', head: 'p', ownPull: undefined, range: { from: 'v1', to: 'p' } },
    });
  });

  test('is skipped by `skip` if that leaves out every commit, whatever was sent and is missing', async () => {
    const many = Array.from({ length: 3_000 }, () => ({ ...file('own'), sha: 'o' }));
    const skip = ['s'];
    const found = await findKnown(opened, listing({ files: many }), { skip });
    expect(skipReason({ ...found, isSentBefore: true }, AUTO)).toBe('no-documentation-needed');
    expect(overviewOf(found, [], []).skipped).toMatchObject({ commits: 1, pulls: [5] });
  });

  test('is skipped by `skip` also after "Update branch", which merges the commits of others', async () => {
    const own = { ...commit('chore: x', 'c1'), parents: [{ sha: 'base' }] };
    const update = {
      ...commit("Merge branch 'main' into x", 'c2'),
      parents: [{ sha: 'c1' }, { sha: 'of others' }],
    };
    const more = { ...commit('feat: y', 'c3'), parents: [{ sha: 'c2' }] };
    const reasonOf = async (...commits: readonly Commit[]) =>
      skipReason(
        await find(opened, listing({ commits: [...commits] }), { skip: ['chore*'] }),
        AUTO,
      );
    expect(await reasonOf(own, update)).toBe('no-documentation-needed');
    expect(await reasonOf(own, update, more)).toBeUndefined();
    expect(await reasonOf(update)).toBeUndefined();
    const breaking = { ...update, commit: { message: 'Merge main\n\nBREAKING CHANGE: z' } };
    expect(await reasonOf(own, breaking)).toBeUndefined();
  });

  test('whose files were taken back is sent if an agent job got some of them, and else skipped', async () => {
    const found = await findKnown(opened, listing({ files: [] }));
    expect(skipReason(found, AUTO)).toBe('nothing-changed');
    expect(skipReason({ ...found, isSentBefore: true }, AUTO)).toBeUndefined();
    expect(skipReason({ ...found, isSentBefore: true, isSentAsItIs: true }, AUTO)).toBe(
      'sent-as-it-is',
    );
    const other = await findKnown(opened, listing(), { paths: ['x'] });
    expect(skipReason(other, AUTO)).toBe('no-matching-file');
    expect(skipReason({ ...other, isSentBefore: true }, AUTO)).toBeUndefined();
  });
});

test('a list of 300 files has a gap only when GitHub cuts a tree', async () => {
  const files = Array.from({ length: 300 }, (_, n) => file(`a/${n}`));
  const whole = async () => ({ entries: new Map(), truncated: false });
  const paths = ['b'];
  const found = await find(push, { ...comparing({ files }), tree: whole }, { paths });
  expect(found).toMatchObject({ gaps: [] });
  const cut = async () => ({ entries: new Map(), truncated: true });
  const unknown = await find(push, { ...comparing({ files }), tree: cut }, { paths });
  expect(unknown).toMatchObject({ gaps: [expect.stringContaining('first 300 files')] });
  expect(skipReason(unknown, AUTO)).toBeUndefined();
});

describe('nothing is sent', () => {
  type Row = Partial<Record<'when' | 'reason', string>> & {
    readonly compared: Partial<Comparison>;
    readonly paths?: readonly string[];
    readonly since?: string;
    readonly of?: WorkflowEvent;
  };
  const same: Partial<Comparison> = { status: 'identical', totalCommits: 0 };
  const other: Partial<Comparison> = { files: [file('a')] };
  const rewritten: Partial<Comparison> = { status: 'diverged', ...other };
  const renamed = { files: [file('a', 'b', 'renamed')] };
  const copied = { files: [file('a', 'b', 'copied')] };
  const moved = event('push', { before: 'b' }, 'refs/tags/v1');
  const noMatch = 'no-matching-file';

  test.each<Row>([
    { when: 'when no file matches', compared: other, reason: 'no-matching-file' },
    { when: 'but not when a file matches', compared: { files: [file('b')] } },
    { when: 'but not when one matched before its rename', compared: renamed },
    { when: 'when a file was only copied from a folder', compared: copied, reason: noMatch },
    { when: 'but not when `paths` is not used', compared: other, paths: [] },
    { when: 'when no commit is between', compared: same, paths: [], reason: 'nothing-changed' },
    { when: 'when no commit is between, with `paths`', compared: same, reason: 'nothing-changed' },
    { when: 'on an idle night', compared: same, of: schedule, reason: 'nothing-changed' },
    { when: 'but a typed prompt is', compared: same, paths: [], of: typed },
    {
      when: 'when a typed one names its start',
      ...{ compared: same, paths: [], of: typed, since: 'v1', reason: 'since-is-head' },
    },
    { when: 'when a typed one has `paths`', compared: same, of: typed, reason: 'nothing-changed' },
    { when: 'but not when commits were removed', compared: { ...same, status: 'behind' } },
    { when: 'but not when the branch was rewritten', compared: rewritten },
    { when: 'but not when it was rewritten since the last job', compared: rewritten, of: schedule },
    { when: 'but not when a tag was moved', compared: rewritten, of: moved },
  ])('$when', async ({ compared, paths = ['b'], since = 'auto', of = push, reason }) => {
    // Earlier runs are asked only where the event has no range of its own.
    const isAsked = since === 'auto' && (of === schedule || of === typed);
    const query = { paths, since, start: isAsked ? from('b').start : undefined };
    const found = await find(of, comparing(compared), query);
    expect(skipReason(found, { ...AUTO, ...query })).toBe(reason);
  });

  const pushed = (ref: string) =>
    event('push', { before: '000', repository: { default_branch: 'main' } }, ref);
  const first = (body?: string) =>
    event('release', { release: { tag_name: 'v1', body } }, 'refs/tags/v1');
  test.each<[what: string, of: WorkflowEvent, query?: Partial<ChangesQuery>]>([
    ['a schedule', schedule],
    ['a run by hand', typed],
    ['a run by hand with `paths`', typed, { paths: ['b'] }],
    ['the first push of the default branch', pushed('refs/heads/main')],
    ['the first tag', pushed('refs/tags/nightly')],
    ['the first release without a description', first(' ')],
    ['the first release where the prompt does not tell it', first('New'), { changes: 'none' }],
  ])('without a start: %s', async (_, of, query = {}) => {
    const none = { tags: async () => [], releases: async () => [] };
    const found = await find(of, none, query);
    expect(skipReason(found, { ...AUTO, ...query })).toBe('nothing-to-start-from');
  });

  test('but the first release with a description has that to tell', async () => {
    const found = await find(first('New: retries'), { releases: async () => [] });
    expect(skipReason(found, AUTO)).toBeUndefined();
  });
});

describe('commits that need no documentation', () => {
  const commits = [
    commit('chore: a (#3)', 'c1'),
    commit('Add retries (#4)', 'c2'),
    commit('Fix [skip docs]', 'c3'),
    commit('Rename', 'c4'),
  ];
  const world = (more: Partial<Comparison> = {}): Parts => {
    const all = { commits, totalCommits: commits.length, files: [file('a')], ...more };
    return { ...comparing(all), pullsBehind: async () => ({ found: [], error: undefined }) };
  };
  const skip = ['chore*'];
  const listing = (...listed: readonly CodePull[]): GitHub['pullsBehind'] => {
    return async (some) => ({
      found: some.map(({ sha }) => ({ sha, listed, named: undefined })),
      error: undefined,
    });
  };
  /** It fits every first line. */
  const all = { skip: ['*e*'] };
  const unasked = () => Promise.reject(new Error('GitHub was asked'));

  test('are known by their first lines, and named by them where GitHub lists none', async () => {
    const found = await findKnown(push, world(), { skip });
    expect([...found.skipped]).toEqual([
      ['c1', { kind: 'pattern', pattern: 'chore*' }],
      ['c3', { kind: 'marker', isInCommit: true }],
    ]);
    expect(skipReason(found, AUTO)).toBeUndefined();
    // What is told is only what GitHub lists.
    expect(overviewOf(found, [], [])).toMatchObject({
      codePulls: [],
      skipped: {
        commits: 2,
        by: ['`chore*` in `skip`', '`[skip docs]`'],
        undo: ['change `skip`'],
        pulls: [3],
      },
    });
  });

  test('are known by their pull requests as well, each of which is told once', async () => {
    const told = pull({ number: 9, title: 'Retries' });
    const labelled = pull({ number: 8, labels: ['skip-docs'] });
    const byCommit: Readonly<Record<string, CodePull>> = { c1: told, c2: told, c4: labelled };
    const pullsBehind: GitHub['pullsBehind'] = async (some) => ({
      found: some.map(({ sha }) => {
        const own = byCommit[sha];
        return { sha, listed: own === undefined ? [] : [own], named: undefined };
      }),
      error: undefined,
    });
    const found = await findKnown(push, { ...world(), pullsBehind });
    expect(overviewOf(found, [], [])).toMatchObject({
      codePulls: [9],
      skipped: {
        commits: 2,
        by: ['`[skip docs]`', 'the label `skip-docs`'],
        undo: ['remove the label `skip-docs` from the pull request'],
        pulls: [8],
      },
    });
  });

  test.each<{ what: string; parts: Parts; of?: WorkflowEvent; query?: Partial<ChangesQuery> }>([
    {
      what: 'the first lines say so of all',
      parts: { ...world(), pullsBehind: unasked },
      query: all,
    },
    {
      what: 'the pull requests do',
      parts: { ...world(), pullsBehind: listing(pull({ title: 'some' })) },
      query: { skip: ['some'] },
    },
    {
      what: 'a typed prompt has `paths`',
      parts: { ...world(), pullsBehind: unasked },
      of: typed,
      query: { ...all, paths: ['a'], ...from('b') },
    },
  ])('leave nothing to send where $what', async ({ parts, of = push, query }) => {
    expect(skipReason(await find(of, parts, query), AUTO)).toBe('no-documentation-needed');
  });

  const many = Array.from({ length: 301 }, (_, n) => commit('chore: x', `c${n}`));
  test.each<{ what: string; parts: Parts; of?: WorkflowEvent; query?: Partial<ChangesQuery> }>([
    { what: 'GitHub lists fewer commits than there are', parts: world({ totalCommits: 5 }) },
    {
      what: 'there are more than 300',
      parts: world({ commits: many, totalCommits: 301 }),
      query: { skip },
    },
    { what: 'commits were removed', parts: world({ status: 'diverged' }) },
    {
      what: 'a person typed the prompt',
      parts: world(),
      of: typed,
      query: { ...all, ...from('b') },
    },
  ])('leave something to send where $what', async ({ parts, of = push, query = all }) => {
    expect(skipReason(await find(of, parts, query), AUTO)).toBeUndefined();
  });

  test('are not asked for where no file matches or nothing changed', async () => {
    const parts = { ...world(), pullsBehind: unasked };
    expect(skipReason(await find(push, parts, { paths: ['b'] }), AUTO)).toBe('no-matching-file');
    const none = { ...world({ commits: [], files: [], totalCommits: 0 }), pullsBehind: unasked };
    expect(skipReason(await find(push, none), AUTO)).toBe('nothing-changed');
  });
});

test('the changes are described in one line, with short commits', async () => {
  const files = ['a', 'b', 'c', 'd'].map((path) => file(path));
  const found = await findKnown(push, comparing({ files }), { paths: ['b'] });
  const base = '0123456789'.repeat(4);
  const overview = overviewOf({ ...found, base }, ['b'], ['x']);
  expect(overview).toEqual({
    ...{ kind: 'known', commits: 1, files: 4, selectedFiles: 1, patterns: ['b'] },
    ...{ exampleFiles: ['a', 'b', 'c'], base, head: 'h', url: 'u', leftOut: ['x'] },
    ...{ codePulls: [], skipped: { commits: 0, by: [], undo: [], pulls: [] } },
  });
  expect(describeChanges(overview)).toBe(
    '1 commit and 4 changed files, 1 of them selected by `paths`, from `0123456` to `h`',
  );
  expect(describeChanges({ ...overview, selectedFiles: 4 })).toBe(
    '1 commit and 4 changed files, from `0123456` to `h`',
  );
});

describe('a failure of GitHub stops the step', () => {
  const messageOf = (of: WorkflowEvent, parts: Parts, query?: Partial<ChangesQuery>) =>
    find(of, parts, query).then(
      () => 'it was found',
      (error: Error) => `${error.name}: ${error.message}`,
    );
  const v1 = { since: 'v1' };
  const again = 'Press "Re-run failed jobs"';
  const permissions = (...others: readonly string[]) =>
    `Give the workflow job \`permissions:\` with ${['`contents: read`', ...others].join(', ')}`;
  const first =
    'start a new run with `dryRun: false` and `since` set to the commit before the first change to send';
  const toEnd = `. To leave these changes behind instead, start a new run with \`dryRun: false\` and \`since\` set to \`h\``;
  const later = '. Later events start at their own changes and do not need these';
  const label =
    '. To leave its changes behind instead, add the label `skip-docs` to the pull request';
  const opened = event('pull_request', {
    pull_request: { number: 5, base: { sha: 'b' }, head: { sha: 'p' } },
  });
  const group = event('merge_group', { merge_group: { base_sha: 'b', head_sha: 'h' } });
  const newTag = event('push', { before: 'b' }, 'refs/tags/v1');
  const covered = { ...from('b'), since: 'auto' };
  const looking = { ...from('b'), lookedAtBy: 'next' as const };
  const history = permissions('`actions: read`', 'and `checks: read`');

  /** What sends the changes, and what leaves them behind, differs by event and by `since`. */
  test.each<[GitHubError['kind'], WorkflowEvent, Partial<ChangesQuery>, string]>([
    ['failed', push, {}, `${again}, or ${first}${later}`],
    ['rate-limited', newTag, {}, `${again}, or ${first}${later}`],
    ['failed', push, from('b'), `${again}${toEnd}`],
    ['failed', schedule, covered, `${again}${toEnd}`],
    ['failed', typed, covered, `${again}${toEnd}`],
    [
      'failed',
      push,
      looking,
      `${again}, or wait for the next run, which sends these changes${toEnd}`,
    ],
    ['failed', group, nothing(0), `${again}, or ${first}${later}`],
    ['failed', newTag, nothing(0), `${again}, or ${first}${later}`],
    ['failed', opened, {}, `${again}${label} first`],
    ['failed', opened, from('b'), `${again}${label} first`],
    [
      'failed',
      push,
      v1,
      `${again}. To leave some of these changes behind instead, start a new run with a later \`since\``,
    ],
    ['forbidden', push, {}, `${permissions()}, then ${first}${later}`],
    ['forbidden', push, v1, `${permissions()}, then ${first}`],
    [
      'forbidden',
      push,
      from('b'),
      `${history}, then ${first}, or to \`h\` to leave all of them behind`,
    ],
    ['forbidden', push, looking, `${history}; the next run then sends these changes${toEnd}`],
    [
      'bad-token',
      opened,
      {},
      `Check \`githubToken\`, or leave it out to use the workflow's \`GITHUB_TOKEN\`, then push to the pull request${label} first`,
    ],
    ['too-large', push, {}, `S${first.slice(1)}${later}`],
    ['too-large', schedule, covered, `S${first.slice(1)}, or to \`h\` to leave all of them behind`],
  ])('to compare (%s, $1.name, since $2.since)', async (kind, of, query, says) => {
    const fails = { compare: failing(kind), pull: failing(kind) };
    const message = await messageOf(of, fails, query);
    expect(message).toBe(`RunError: it is ${kind}, so no prompt was sent. ${says}.`);
  });

  test('to compare commits that have none in common, and says so', async () => {
    const message = 'HTTP 404: No common ancestor between b and h.';
    const compare = () => Promise.reject(new GitHubError('not-found', message));
    expect(await messageOf(push, { compare })).toBe(
      `RunError: \`b\` and \`h\` have no commit in common, so GitHub cannot compare them, and no prompt was sent. S${first.slice(1)}${later}.`,
    );
  });

  test.each([{}, from('b'), v1])(
    'when it shows neither start nor head, because the token may not (%o)',
    async (query) => {
      const message = await messageOf(push, { commit: async () => undefined }, query);
      expect(message).toMatch(/^RunError: GitHub does not show commit `h` of `a\/b`/);
      expect(message).toContain('`contents: read`');
    },
  );

  test('and so does a `since` that GitHub does not find', async () => {
    const isHead = async (ref: string) =>
      ref === 'h' ? { sha: 'h', parents: [], tree: undefined } : undefined;
    expect(await messageOf(push, { commit: isHead }, { since: 'v9' })).toMatch(
      /^RunError: `since` is `v9`, and GitHub finds no such branch.* Check the name\.$/,
    );
  });

  test.each<[WorkflowEvent, Partial<ChangesQuery>, string]>([
    [push, {}, later],
    [push, from('b'), ', or to `h` to leave all of them behind'],
    [schedule, covered, ', or to `h` to leave all of them behind'],
    [group, {}, later],
    [newTag, {}, later],
    // No begin is left to take instead.
    [schedule, nothing(2, ['x1', 'x2']), ', or to `h` to leave all of them behind'],
  ])('and so does a start that is gone (%o, %o)', async (of, query, says) => {
    const message = await messageOf(of, {}, query);
    expect(message).toMatch(
      /^RunError: GitHub no longer has `(?:b|x1)`, where the changes of this/,
    );
    expect(message).toContain(says);
  });

  test('and a cancel or an unexpected error is passed on', async () => {
    const cancel = new CancelledError('SIGTERM');
    await expect(find(push, { compare: () => Promise.reject(cancel) })).rejects.toBe(cancel);
    const bug = new TypeError('x is not iterable');
    const newTag = event('push', { before: '000' }, 'refs/tags/v1');
    await expect(find(newTag, { tags: () => Promise.reject(bug) })).rejects.toBe(bug);
  });

  test('and no request is sent without `GITHUB_SHA`', async () => {
    await expect(find({ ...push, sha: '' }, {})).rejects.toThrow('`GITHUB_SHA` is not set');
  });
});

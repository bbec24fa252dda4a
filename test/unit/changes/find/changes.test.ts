import { describe, expect, test } from 'vitest';
import {
  type ChangesQuery,
  describeChanges,
  findChanges,
  overviewOf,
  skipReason,
} from '../../../../src/changes/find/changes.ts';
import type { CodePull, Comparison, GitHub, WorkflowEvent } from '../../../../src/github/github.ts';
import { CancelledError, GitHubError } from '../../../../src/model/errors.ts';
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

/** The changes of an event. Without more GitHub has none of its commits but the head. */
function find(of: WorkflowEvent, parts: Parts, query: Partial<ChangesQuery> = {}) {
  const none = failing('not-found');
  const noPulls = {
    pull: failing('forbidden'),
    pullsBehind: async () => ({ found: [], error: undefined }),
  };
  const parents = { parentsOf: async () => ['p'] };
  const github = { event: of, compare: none, ...parents, ...noPulls, ...parts };
  const auto = { since: 'auto', paths: [], skip: [], start: undefined, isNextRunLooking: false };
  return findChanges({ ...auto, github: async () => github as GitHub, ...query });
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
  return { since: 'last-success', start: { kind: 'from', sha, earlier: [], isSentBefore: false } };
};
/** So many earlier runs say nothing of where the changes start but these starts of their events. */
const nothing = (runs: number, begins: readonly string[] = []): Partial<ChangesQuery> => {
  const start: Start = { kind: 'nothing', begins, runs, recorded: runs, unrecorded: 0 };
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
    const start: Start = { kind: 'from', sha: 'covered', earlier, isSentBefore: true };
    expect(await find(of, comparing({ mergeBase: 'm' }), { since, start })).toMatchObject({
      ...{ kind: 'known', base: 'covered', head: 'h', earlier },
      ...{ range: { from: 'm', to: 'h' }, gaps: [] },
    });
  });

  test('a covered commit that GitHub no longer has counts as none', async () => {
    expect(await find(push, gone('x'), from('x'))).toMatchObject({ base: 'b' });
    expect(await find(schedule, gone('x'), from('x'))).toEqual({
      kind: 'nothing-to-start-from',
      event: schedule,
      reason: expect.stringContaining('no longer has `x`'),
      isFirstRun: false,
      isFirstPush: false,
      range: { from: undefined, to: 'h' },
    });
  });

  test.each([
    { promise: 'that of this run, when they left none', begins: [], base: 'b' },
    { promise: 'the oldest', begins: ['b1', 'b2'], base: 'b1' },
    { promise: 'the oldest that GitHub has', begins: ['x1', 'b2'], base: 'b2' },
    { promise: 'that of this run, when GitHub has none', begins: ['x1', 'x2'], base: 'b' },
    { promise: 'the oldest that GitHub has of many', begins: [...manyGone, 'b2'], base: 'b2' },
    { promise: 'the parent of a commit', begins: ['c2^', 'b2'], base: 'p' },
  ])('where runs left no more than the start of an event, it is $promise', async (row) => {
    const { begins, base } = row;
    const [first, ...others] = begins.filter((sha) => sha.startsWith('x'));
    const also = others.length === 0 ? '' : `, and neither are those of ${others.length} other`;
    const warning = new RegExp(`no longer has \`${first}\`.* are not sent again${also}`);
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
    pull_request: { number: 5, commits: 300, base: { sha: 'b' }, head: { sha: 'p' } },
  });
  const ofSha = (sha: string) => commit('s', sha);
  const own = { url: 'u', commits: [ofSha('p')], files: [file('own')] };

  test('has its own files, and the number of commits that its event names', async () => {
    expect(await find(opened, { pullRequest: async () => own })).toMatchObject({
      ...{ kind: 'known', base: 'b', head: 'p', totalCommits: 300, url: 'u', status: 'ahead' },
      ...{ selected: own.files, files: own.files, gaps: [], notes: [], isPullRequest: true },
    });
  });

  const many = Array.from({ length: 250 }, (_, n) => ofSha(`c${n}`));
  test.each([
    { promise: 'that got commits since its event', commits: many.slice(0, 2), head: 'other' },
    { promise: 'that lost all of its commits', commits: [], head: 'b' },
    { promise: 'of over 250 commits is its own list', commits: many, head: 'p' },
  ])('$promise ends at the head of its event', async ({ commits, head }) => {
    const found = await find(opened, {
      pullRequest: async () => ({ ...own, commits }),
      pull: async () => ({ state: 'open', head: { sha: head } }),
      compare: async (base, to) => ({ ...ahead, url: `${base}...${to}` }),
    });
    const notes = [expect.stringContaining('Pull request 5 has changed since')];
    expect(found).toMatchObject(head === 'p' ? { url: 'u', notes: [] } : { url: 'b...p', notes });
  });

  test.each(['forbidden', 'not-found'] as const)(
    'that GitHub does not list (%s) is compared from its base to its head',
    async (kind) => {
      const compare: GitHub['compare'] = async (base, head) => {
        return { ...ahead, status: 'diverged', url: `${base}...${head}`, files: [file('own')] };
      };
      expect(await find(opened, { pullRequest: failing(kind), compare })).toMatchObject({
        ...{ kind: 'known', url: 'b...p', gaps: [], files: own.files },
        notes: [expect.stringContaining(`it is ${kind}`)],
      });
    },
  );

  const gap = 'GitHub lists only the first 3000 files of a pull request; there may be more';
  test.each([
    { files: 2_999, gaps: [] },
    { files: 3_000, gaps: [gap] },
  ])('of $files files has the gaps $gaps', async ({ files, gaps }) => {
    const listed = { ...own, files: Array.from({ length: files }, () => file('own')) };
    expect(await find(opened, { pullRequest: async () => listed })).toMatchObject({ gaps });
  });

  test('that GitHub fails to list is not guessed', async () => {
    for (const kind of ['failed', 'rate-limited', 'bad-token'] as const) {
      const parts = { ...comparing(), pullRequest: failing(kind) };
      await expect(find(opened, parts)).rejects.toThrow(`it is ${kind}`);
    }
    const bug = () => Promise.reject(new TypeError('ours'));
    await expect(find(opened, { pullRequest: bug })).rejects.toThrow(TypeError);
  });

  test('that can be neither listed nor compared names both permissions', async () => {
    const parts = { pullRequest: failing('forbidden'), compare: failing('forbidden') };
    const both = '`contents: read` and `pull-requests: read`';
    await expect(find(opened, parts)).rejects.toThrow(both);
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
  expect(skipReason(unknown)).toBeUndefined();
});

describe('nothing is sent', () => {
  type Row = Partial<Record<'when' | 'reason', string>> & {
    readonly compared: Partial<Comparison>;
    readonly paths?: readonly string[];
    readonly of?: WorkflowEvent;
  };
  const same: Partial<Comparison> = { status: 'identical', totalCommits: 0 };
  const other: Partial<Comparison> = { files: [file('a')] };
  const rewritten: Partial<Comparison> = { status: 'diverged', ...other };
  const renamed = { files: [file('a', 'b', 'renamed')] };
  const copied = { files: [file('a', 'b', 'copied')] };
  const moved = event('push', { before: 'b' }, 'refs/tags/v1');
  const noMatch = 'no-matching-file';
  const opened = event('pull_request', {
    pull_request: { base: { sha: 'b' }, head: { sha: 'p' } },
  });

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
    { when: 'when a typed one has `paths`', compared: same, of: typed, reason: 'nothing-changed' },
    { when: 'but not when commits were removed', compared: { ...same, status: 'behind' } },
    { when: 'but not when the branch was rewritten', compared: rewritten },
    { when: 'but not when it was rewritten since the last job', compared: rewritten, of: schedule },
    { when: 'but not when a tag was moved', compared: rewritten, of: moved },
    { when: 'when a pull request is behind', compared: rewritten, of: opened, reason: noMatch },
  ])('$when', async ({ compared, paths = ['b'], of = push, reason }) => {
    // Earlier runs are asked only where the event has no range of its own.
    const { start } = of === schedule || of === typed ? from('b') : {};
    expect(skipReason(await find(of, comparing(compared), { paths, start }))).toBe(reason);
  });

  test('without a start only on a schedule, and after the first push of all', async () => {
    const repository = { default_branch: 'main' };
    const pushed = (ref: string) => event('push', { before: '000', repository }, ref);
    const reasonOf = async (of: WorkflowEvent) => skipReason(await find(of, {}));
    expect(await reasonOf(schedule)).toBe('nothing-to-start-from');
    expect(await reasonOf(pushed('refs/heads/main'))).toBe('nothing-to-start-from');
    expect(await reasonOf(pushed('refs/heads/x'))).toBeUndefined();
    expect(await reasonOf(typed)).toBeUndefined();
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
      ['c3', { kind: 'marker' }],
    ]);
    expect(skipReason(found)).toBeUndefined();
    // What is told is only what GitHub lists.
    expect(overviewOf(found, [], [])).toMatchObject({
      codePulls: [],
      skipped: { commits: 2, by: ['`chore*` in `skip`', '`[skip docs]`'], pulls: [3] },
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
      skipped: { commits: 2, by: ['`[skip docs]`', 'the label `skip-docs`'], pulls: [8] },
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
    expect(skipReason(await find(of, parts, query))).toBe('no-documentation-needed');
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
    expect(skipReason(await find(of, parts, query))).toBeUndefined();
  });

  test('are not asked for where no file matches or nothing changed', async () => {
    const parts = { ...world(), pullsBehind: unasked };
    expect(skipReason(await find(push, parts, { paths: ['b'] }))).toBe('no-matching-file');
    const none = { ...world({ commits: [], files: [], totalCommits: 0 }), pullsBehind: unasked };
    expect(skipReason(await find(push, none))).toBe('nothing-changed');
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
    ...{ codePulls: [], skipped: { commits: 0, by: [], pulls: [] } },
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
  const contents = 'Give the workflow job `permissions:` with `contents: read`.';
  const later =
    'To send these changes later, start a new run with `since` set to the commit before the first of them, and `dryRun: false`';
  const all =
    'Give the workflow job `permissions:` with `contents: read`, `actions: read`, and `checks: read`.';
  const next = 'The next run has all of these changes';
  const v1 = { since: 'v1' };
  const looking = { isNextRunLooking: true };

  test.each<[GitHubError['kind'], WorkflowEvent, Partial<ChangesQuery>, readonly string[]]>([
    ['forbidden', push, {}, [contents, later]],
    ['bad-token', push, {}, ['Check `githubToken`', later]],
    ['rate-limited', push, {}, ['Run this workflow job again']],
    [
      'too-large',
      push,
      {},
      [
        'Start a new run with `since` set to the commit before the first change to send, and `dryRun: false`.',
      ],
    ],
    ['failed', push, v1, ['Run this workflow job again']],
    ['forbidden', push, { ...from('b'), ...looking }, [all, next]],
    ['forbidden', push, from('b'), [all, later]],
    ['failed', schedule, { ...from('b'), ...looking, since: 'auto' }, [next]],
  ])('to compare (%s, $1.name, since $2.since)', async (kind, of, query, says) => {
    const message = await messageOf(of, { compare: failing(kind) }, query);
    expect(message).toMatch(new RegExp(`^RunError: it is ${kind}\\. .* No prompt was sent\\.$`));
    for (const part of says) expect(message).toContain(part);
  });

  test('to compare commits that have none in common, and says so', async () => {
    const message = 'HTTP 404: No common ancestor between b and h.';
    const compare = () => Promise.reject(new GitHubError('not-found', message));
    expect(await messageOf(push, { compare })).toMatch(
      /^RunError: `b` and `h` have no commit in common, .* No prompt was sent\.$/,
    );
  });

  test.each([{}, from('b'), v1])(
    'when it shows neither start nor head, because the token may not (%o)',
    async (query) => {
      const message = await messageOf(push, { parentsOf: async () => undefined }, query);
      expect(message).toMatch(/^RunError: GitHub does not show commit `h` of `a\/b`/);
      expect(message).toContain('`contents: read`');
    },
  );

  test('but a `since` that GitHub does not find is a matter of its name', async () => {
    expect(await messageOf(push, {}, { since: 'v9' })).toMatch(
      /^RunError: `since` is `v9`, and GitHub finds no such branch.* Check the name\. /,
    );
  });

  test('but a push whose start is gone has nothing to start from', async () => {
    expect(await find(push, {})).toMatchObject({
      kind: 'nothing-to-start-from',
      reason: expect.stringContaining('no longer has `b`'),
      range: undefined,
    });
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

import { describe, expect, test } from 'vitest';
import {
  type Changes,
  type ChangesQuery,
  describeChanges,
  findChanges as find,
  foldersIn,
  type KnownChanges,
  overviewOf,
  skipReason,
} from '../../../src/changes/changes.ts';
import { rangeOf } from '../../../src/changes/event.ts';
import type { Comparison, GitHub, WorkflowEvent } from '../../../src/github/github.ts';
import type { Covered } from '../../../src/lib/covered.ts';
import { CancelledError, GitHubError } from '../../../src/lib/errors.ts';
import { eventOf as event } from '../../support/fakes.ts';

const ahead: Comparison = {
  status: 'ahead',
  url: 'u',
  mergeBase: 'm',
  totalCommits: 1,
  commits: [],
  files: [],
};
const file = (filename: string, previous_filename?: string) => ({
  filename,
  previous_filename,
  status: 'modified',
  additions: 1,
  deletions: 1,
  patch: undefined,
});

function repository(of: WorkflowEvent, parts: Partial<GitHub>): GitHub {
  const none = () => Promise.reject(new GitHubError('not-found', 'none'));
  return {
    event: of,
    compare: none,
    mergeBase: none,
    pullRequest: none,
    pull: none,
    run: none,
    async *runs() {},
    tags: none,
    releases: none,
    hasCommit: async () => true,
    tree: none,
    blobs: none,
    workflowJob: none,
    workflowJobs: none,
    annotations: none,
    ...parts,
  };
}

type Query = Omit<ChangesQuery, 'github'>;
const findChanges = (github: GitHub, query: Query): Promise<Changes> =>
  find({ ...query, github: async () => github });
const pause = async () => undefined;
const auto: Query = { since: 'auto', paths: [], covered: undefined, pause };
const lastSuccess = (covered: Covered, since = 'last-success'): Query => ({
  since,
  paths: [],
  covered,
  pause,
});
const from = (sha: string): Covered => ({ kind: 'from', sha, earlier: [] });
const nothing = (isFirstRun: boolean, begins: readonly string[] = []): Covered => {
  return { kind: 'nothing', isFirstRun, begins, unrecorded: 0 };
};
const push = event('push', { before: 'b' });

describe('under `last-success`', () => {
  test.each([
    { of: event('schedule'), since: 'auto' },
    { of: event('workflow_dispatch'), since: 'auto' },
    { of: event('issue_comment'), since: 'auto' },
    { of: push, since: 'last-success' },
  ])('the changes of $of.name start behind what is covered ($since)', async ({ of, since }) => {
    const earlier = [{ jobId: 'j', state: 'failed', overlaps: true, prLink: '' }] as const;
    const github = repository(of, { compare: async () => ahead });
    const covered: Covered = { kind: 'from', sha: 'covered', earlier };
    expect(await findChanges(github, lastSuccess(covered, since))).toMatchObject({
      kind: 'known',
      base: 'covered',
      head: 'h',
      earlier,
      range: { from: 'm', to: 'h' },
      gaps: [],
    });
  });

  test('a commit that no longer leads to the head gives way to the common commit', async () => {
    const compare = async () => ({ ...ahead, status: 'diverged' as const });
    const github = repository(event('schedule'), { compare });
    expect(await findChanges(github, lastSuccess(from('old')))).toMatchObject({
      base: 'old',
      gaps: [expect.stringMatching(/^commits were removed/)],
      range: { from: 'm', to: 'h' },
    });
  });

  test('without any record, the changes start where the event says', async () => {
    const github = repository(push, { compare: async (base) => ({ ...ahead, mergeBase: base }) });
    expect(await findChanges(github, lastSuccess(nothing(true)))).toMatchObject({
      kind: 'known',
      base: 'b',
      range: { from: 'b', to: 'h' },
    });
  });

  test('a covered commit that GitHub no longer has counts as none', async () => {
    const compare = async (base: string) => {
      if (base === 'gone') throw new GitHubError('not-found', 'none');
      return ahead;
    };
    const query = lastSuccess(from('gone'));
    expect(await findChanges(repository(push, { compare }), query)).toMatchObject({ base: 'b' });
    const nightly = repository(event('schedule'), { compare });
    expect(await findChanges(nightly, query)).toEqual({
      kind: 'nothing-to-start-from',
      event: nightly.event,
      reason: expect.stringContaining('no longer has `gone`'),
      isFirstRun: false,
      isFirstPush: false,
      range: { from: undefined, to: 'h' },
    });
  });

  test.each([
    { isFirstRun: true, reason: 'this is the first run' },
    { isFirstRun: false, reason: 'no earlier run of this step' },
  ])('there may be nothing to start from: $reason', async ({ isFirstRun, reason }) => {
    const found = await findChanges(
      repository(event('schedule'), {}),
      lastSuccess(nothing(isFirstRun)),
    );
    expect(found).toMatchObject({
      kind: 'nothing-to-start-from',
      isFirstRun,
      reason: expect.stringContaining(reason),
      range: { from: undefined, to: 'h' },
    });
  });

  test.each([
    { promise: 'the oldest', gone: [], base: 'b1', warnings: [] },
    {
      promise: 'the oldest that GitHub still has',
      gone: ['b1'],
      base: 'b2',
      warnings: [expect.stringContaining('no longer has `b1`')],
    },
    {
      promise: 'that of this run, when GitHub has none of them',
      gone: ['b1', 'b2'],
      base: 'b',
      warnings: [
        expect.stringContaining('no longer has `b1`'),
        expect.stringContaining('no longer has `b2`'),
      ],
    },
  ])('where runs left only the start of their event, it is $promise', async (row) => {
    const compare = async (start: string) => {
      if (row.gone.some((sha) => sha === start)) throw new GitHubError('not-found', 'none');
      return { ...ahead, mergeBase: start };
    };
    const query = lastSuccess(nothing(false, ['b1', 'b2']));
    expect(await findChanges(repository(push, { compare }), query)).toMatchObject({
      base: row.base,
      warnings: row.warnings,
      range: { from: row.base, to: 'h' },
    });
  });

  test('a typed prompt whose changes a newer run has is sent without them', async () => {
    const github = repository(event('workflow_dispatch'), {});
    const found = await findChanges(github, lastSuccess({ kind: 'newer', runNumber: 8 }));
    expect(found).toMatchObject({
      kind: 'newer-run',
      reason: 'run #8 of this workflow is newer and has them',
      range: undefined,
    });
    expect(skipReason(found)).toBeUndefined();
  });
});

describe('a start that a person named', () => {
  test('is recorded with the common commit, and removes nothing', async () => {
    const compare = async () => ({ ...ahead, status: 'diverged' as const });
    const found = await findChanges(repository(push, { compare }), { ...auto, since: 'v1' });
    expect(found).toMatchObject({
      base: 'v1',
      gaps: [],
      notes: [expect.stringContaining('does not lead to `h`')],
      range: { from: 'm', to: 'h' },
    });
  });

  test('is not looked for in the event', async () => {
    const of = event('push', { deleted: true, before: 'b' });
    const found = await findChanges(repository(of, { compare: async () => ahead }), {
      ...auto,
      since: 'v1',
    });
    expect(found).toMatchObject({ kind: 'known', base: 'v1', notes: [] });
  });
});

describe('the tag or release before', () => {
  const tagPush = (tag: string) => event('push', { before: '0'.repeat(40) }, `refs/tags/${tag}`);
  const release = (tag_name: string, prerelease?: boolean) =>
    event('release', { release: { tag_name, prerelease } });
  const tags = (...names: readonly string[]) => ({ tags: async () => names });
  const releases = (...names: readonly string[]) => ({
    releases: async () =>
      names.map((tag_name) => ({ tag_name, draft: false, prerelease: /rc/.test(tag_name) })),
  });
  const many = Array.from({ length: 12 }, (_, n) => `v1.${n}`);

  test.each<{ of: WorkflowEvent; parts: Partial<GitHub>; reason: string }>([
    {
      of: tagPush('v2'),
      parts: tags('v2'),
      reason: 'there is no earlier tag whose name begins with `v`',
    },
    { of: tagPush('2.0'), parts: tags('2.0'), reason: 'there is no earlier tag' },
    {
      of: release('v2'),
      parts: releases('v2'),
      reason: 'there is no earlier release whose tag begins with `v`',
    },
    { of: release('2.0'), parts: releases('3.0'), reason: 'there is no earlier release' },
    {
      of: tagPush('v2'),
      parts: tags(...many),
      reason: 'there is no earlier tag whose name begins with `v`',
    },
  ])('may not be there: $reason', async ({ of, parts, reason }) => {
    expect(await findChanges(repository(of, parts), auto)).toMatchObject({
      kind: 'nothing-to-start-from',
      reason,
      range: undefined,
    });
  });

  test('is found with one comparison, also where it does not lead to the head', async () => {
    const asked: string[] = [];
    const compare = async (base: string, head: string) => {
      asked.push(`${base}...${head}`);
      return { ...ahead, status: 'diverged' as const };
    };
    const github = repository(tagPush('v2'), { ...tags(...many), compare });
    const found = await findChanges(github, auto);
    expect(found).toMatchObject({ base: 'v1.11', gaps: [], status: 'diverged' });
    expect(asked).toEqual(['v1.11...h']);
  });

  test('is searched for in at most ten tags when GitHub has none of them', async () => {
    let asked = 0;
    const compare = () => {
      asked += 1;
      return Promise.reject(new GitHubError('not-found', 'none'));
    };
    await findChanges(repository(tagPush('v2'), { ...tags(...many), compare }), auto);
    expect(asked).toBe(10);
  });

  test.each([
    { promise: 'may be a pre-release for one', prerelease: true, base: 'v2-rc' },
    { promise: 'is a final one for a final one', prerelease: false, base: 'v1' },
    { promise: 'is a final one when only the tag says what it is', base: 'v1' },
  ])('of a release $promise', async ({ prerelease, base }) => {
    const parts = { ...releases('v1', 'v2-rc'), compare: async () => ahead };
    const found = await findChanges(repository(release('v2', prerelease), parts), auto);
    expect(found).toMatchObject({ kind: 'known', base, gaps: [], notes: [] });
  });

  test('may be another version on the same commit', async () => {
    const compare = async (): Promise<Comparison> => ({ ...ahead, status: 'identical' });
    const parts = { ...tags('v1.9', 'v2'), compare };
    const found = await findChanges(repository(tagPush('v2'), parts), auto);
    expect(found).toMatchObject({ kind: 'known', base: 'v1.9' });
  });

  test('may be another name of the version that another commit has', async () => {
    const parts = { ...tags('v2.0.0', 'v1'), compare: async () => ahead };
    const found = await findChanges(repository(tagPush('v2.0.0.0'), parts), auto);
    expect(found).toMatchObject({ kind: 'known', base: 'v2.0.0' });
  });
});

describe('a pull request', () => {
  const pull = event('pull_request', {
    pull_request: { number: 5, commits: 300, base: { sha: 'b' }, head: { sha: 'p' } },
  });
  const own = { url: 'u', commits: [{ sha: 'p', commit: { message: 's' } }], files: [file('own')] };
  const failing = (kind: GitHubError['kind']) => () =>
    Promise.reject(new GitHubError(kind, `it is ${kind}`));

  test('has its own files, and the number of commits that its event names', async () => {
    const of = repository(pull, { pullRequest: async () => own });
    expect(await findChanges(of, auto)).toMatchObject({
      kind: 'known',
      base: 'b',
      head: 'p',
      selected: own.files,
      files: own.files,
      totalCommits: 300,
      url: 'u',
      gaps: [],
      notes: [],
    });
  });

  const many = Array.from({ length: 250 }, (_, n) => ({ sha: `c${n}`, commit: { message: 's' } }));
  test.each([
    { promise: 'that got commits since its event', commits: many.slice(0, 2), head: 'other' },
    { promise: 'of over 250 commits that got more', commits: many, head: 'other' },
    { promise: 'that lost all of its commits', commits: [], head: 'b' },
    { promise: 'of over 250 commits is its own list', commits: many, head: 'p' },
  ])('$promise ends at the head of its event', async ({ commits, head }) => {
    const live = { state: 'open', merged: false, head: { sha: head } };
    const parts = {
      pullRequest: async () => ({ ...own, commits }),
      pull: async () => live,
      compare: async (base: string, to: string) => ({ ...ahead, url: `${base}...${to}` }),
    };
    const found = await findChanges(repository(pull, parts), auto);
    const notes = [expect.stringContaining('Pull request 5 has changed since')];
    expect(found).toMatchObject(head === 'p' ? { url: 'u', notes: [] } : { url: 'b...p', notes });
  });

  test.each(['forbidden', 'not-found'] as const)(
    'that GitHub does not list (%s) is compared from its base to its head',
    async (kind) => {
      const asked: string[] = [];
      const compare = async (base: string, head: string) => {
        asked.push(`${base}...${head}`);
        return { ...ahead, status: 'diverged' as const, files: [file('own')] };
      };
      const of = repository(pull, { pullRequest: failing(kind), compare });
      const changes = await findChanges(of, auto);
      expect(changes).toMatchObject({ kind: 'known', gaps: [], files: own.files });
      expect(changes).toMatchObject({ notes: [expect.stringContaining(`it is ${kind}`)] });
      expect(asked).toEqual(['b...p']);
    },
  );

  test.each([
    { promise: 'of 2,999 files has no gap', files: 2_999, gaps: [] },
    {
      promise: 'of 3,000 files may have more',
      files: 3_000,
      gaps: ['GitHub lists only the first 3000 files of a pull request; there may be more'],
    },
  ])('$promise', async ({ files, gaps }) => {
    const listed = { ...own, files: Array.from({ length: files }, () => file('own')) };
    const of = repository(pull, { pullRequest: async () => listed });
    const changes = await findChanges(of, auto);
    expect(changes).toMatchObject({ kind: 'known', gaps, notes: [] });
    // A pull request is never behind its own base.
    expect(changes).toMatchObject({ status: 'ahead' });
  });

  test.each(['failed', 'rate-limited', 'bad-token'] as const)(
    'that GitHub fails to list (%s) is not guessed',
    async (kind) => {
      const of = repository(pull, { pullRequest: failing(kind), compare: async () => ahead });
      await expect(findChanges(of, auto)).rejects.toThrow(`it is ${kind}`);
    },
  );

  test('that can be neither listed nor compared names both permissions', async () => {
    const parts = { pullRequest: failing('forbidden'), compare: failing('forbidden') };
    await expect(findChanges(repository(pull, parts), auto)).rejects.toThrow(
      '`contents: read` and `pull-requests: read`',
    );
  });

  test('that cannot be read because of an unexpected error rethrows it', async () => {
    const of = repository(pull, { pullRequest: () => Promise.reject(new TypeError('ours')) });
    await expect(findChanges(of, auto)).rejects.toThrow(TypeError);
  });
});

describe('finding the changes', () => {
  test('rethrows a cancel', async () => {
    const compare = () => Promise.reject(new CancelledError('SIGTERM'));
    const of = repository(event('push', { before: 'b' }), { compare });
    await expect(findChanges(of, auto)).rejects.toThrow(CancelledError);
  });

  test.each([
    {
      of: 'listing tags',
      parts: { tags: () => Promise.reject(new TypeError('x is not iterable')) },
    },
    {
      of: 'comparing',
      parts: { compare: () => Promise.reject(new TypeError('x is not iterable')) },
    },
  ])('rethrows an unexpected error in $of', async ({ parts }) => {
    const newTag = event('push', { before: '000' }, 'refs/tags/v1');
    const named = Object.hasOwn(parts, 'tags') ? newTag : push;
    await expect(findChanges(repository(named, parts), auto)).rejects.toThrow(TypeError);
  });

  test('does not advise to run again what is too large each time', async () => {
    const tooLarge = () => Promise.reject(new GitHubError('too-large', 'it is too large'));
    const release = event('release', { release: { tag_name: 'v2' } });
    await expect(findChanges(repository(release, { releases: tooLarge }), auto)).rejects.toThrow(
      'it is too large. Name the start of the changes in `since`. No prompt was sent.',
    );
  });

  test('sends no request without `GITHUB_SHA`', async () => {
    const of = { ...push, sha: '' };
    await expect(findChanges(repository(of, {}), auto)).rejects.toThrow('`GITHUB_SHA` is not set');
  });
});

describe('a list of 300 files', () => {
  const listed = Array.from({ length: 300 }, (_, n) => file(`a/${n}`));
  const entry = (path: string, sha = path, mode = '100644', type = 'blob') => ({
    path,
    mode,
    type,
    sha,
  });
  const entries = (...paths: readonly string[]) => paths.map((path) => entry(path));
  type Entries = Awaited<ReturnType<GitHub['tree']>>['tree'];
  const trees = (before: Entries, after: Entries) => ({
    compare: async () => ({ ...ahead, files: listed }),
    tree: async (sha: string) => ({ tree: sha === 'm' ? before : after, truncated: false }),
  });

  test('is completed from the files and submodules of the common commit and of the head', async () => {
    const before = [
      ...entries('kept', 'removed', 'a/1'),
      entry('mode', 'x'),
      entry('folder', 'old', '040000', 'tree'),
      entry('submodule', 'old', '160000', 'commit'),
    ];
    const after = [
      ...entries('kept', 'added', 'a/2'),
      entry('mode', 'x', '100755'),
      entry('folder', 'new', '040000', 'tree'),
      entry('submodule', 'new', '160000', 'commit'),
    ];
    const found = await findChanges(repository(push, trees(before, after)), auto);
    expect(found).toMatchObject({ kind: 'known', gaps: [] });
    const others = found.kind === 'known' ? found.files.slice(300) : [];
    expect(
      others.map(({ filename, status, isUncounted }) => [filename, status, isUncounted]),
    ).toEqual([
      ['added', 'added', true],
      ['mode', 'modified', true],
      ['removed', 'removed', true],
      ['submodule', 'modified', true],
    ]);
  });

  test('counts no file twice that GitHub lists as renamed, but a file that was copied', async () => {
    const files = [
      ...listed.slice(2),
      { ...file('new', 'old'), status: 'renamed' },
      { ...file('copy', 'source'), status: 'copied' },
    ];
    const parts = {
      ...trees(entries('old', 'source'), [...entries('new', 'copy'), entry('source', 'x')]),
      compare: async () => ({ ...ahead, files }),
    };
    const found = await findChanges(repository(push, parts), auto);
    const others = found.kind === 'known' ? found.files.slice(300) : [];
    expect(others.map(({ filename }) => filename)).toEqual(['source']);
  });

  test('has a gap only when GitHub cuts a tree', async () => {
    const tree = async () => ({ tree: [], truncated: true });
    const github = repository(push, { ...trees([], []), tree });
    const found = await findChanges(github, { ...auto, paths: ['b'] });
    expect(found).toMatchObject({ gaps: [expect.stringContaining('first 300 files')] });
    expect(skipReason(found)).toBeUndefined();
  });
});

describe('nothing is sent', () => {
  const changesOf = (
    comparison: Partial<Comparison>,
    paths: readonly string[],
    of: WorkflowEvent = push,
  ) =>
    findChanges(repository(of, { compare: async () => ({ ...ahead, ...comparison }) }), {
      ...auto,
      paths,
      // Earlier runs are asked only where the event has no range of its own.
      covered: rangeOf(of).kind === 'none' ? from('b') : undefined,
    });
  const same = { status: 'identical', totalCommits: 0 } as const;

  test.each<
    readonly [
      string,
      Partial<Comparison>,
      readonly string[],
      WorkflowEvent,
      ReturnType<typeof skipReason>,
    ]
  >([
    ['when no file matches', { files: [file('a')] }, ['b'], push, 'no-matching-file'],
    ['but not when a file matches', { files: [file('b')] }, ['b'], push, undefined],
    [
      'but not when one matched before its rename',
      { files: [{ ...file('a', 'b'), status: 'renamed' }] },
      ['b'],
      push,
      undefined,
    ],
    [
      'when a file was only copied from a folder',
      { files: [{ ...file('a', 'b'), status: 'copied' }] },
      ['b'],
      push,
      'no-matching-file',
    ],
    ['but not when `paths` is not used', { files: [file('a')] }, [], push, undefined],
    ['when no commit is between', same, [], push, 'nothing-changed'],
    ['when no commit is between, with `paths`', same, ['b'], push, 'nothing-changed'],
    ['on an idle night', same, [], event('schedule'), 'nothing-changed'],
    ['but a typed prompt is', same, [], event('workflow_dispatch'), undefined],
    ['but that of another system is', same, [], event('repository_dispatch'), undefined],
    ['when a dispatch has `paths`', same, ['b'], event('workflow_dispatch'), 'nothing-changed'],
    [
      'but not when commits were removed',
      { status: 'behind', totalCommits: 0 },
      ['b'],
      push,
      undefined,
    ],
    [
      'but not when the branch was rewritten',
      { status: 'diverged', files: [file('a')] },
      ['b'],
      push,
      undefined,
    ],
    [
      'but not when the branch was rewritten since the last agent job',
      { status: 'diverged', files: [file('a')] },
      ['b'],
      event('schedule'),
      undefined,
    ],
  ])('%s', async (_name, comparison, paths, of, expected) => {
    expect(skipReason(await changesOf(comparison, paths, of))).toBe(expected);
  });

  test.each([
    { name: 'schedule', expected: 'nothing-to-start-from' },
    { name: 'workflow_dispatch', expected: undefined },
    { name: 'issue_comment', expected: undefined },
  ])('without a start only on a schedule: $name', async ({ name, expected }) => {
    const found = await findChanges(repository(event(name), {}), lastSuccess(nothing(true)));
    expect(skipReason(found)).toBe(expected);
  });

  test('when a tag was moved is not certain, and the gap does not name a force push', async () => {
    const moved = event('push', { before: 'b' }, 'refs/tags/v1');
    const changes = await changesOf({ status: 'diverged', files: [file('a')] }, ['b'], moved);
    expect(changes).toMatchObject({ gaps: [expect.stringMatching(/^the tag was moved/)] });
    expect(skipReason(changes)).toBeUndefined();
  });

  test('for a pull request that is behind its base and has no such file', async () => {
    const pull = event('pull_request', {
      pull_request: { base: { sha: 'b' }, head: { sha: 'p' } },
    });
    const changes = await changesOf({ status: 'diverged', files: [file('a')] }, ['b'], pull);
    expect(skipReason(changes)).toBe('no-matching-file');
  });

  test('is not decided after a cancel between two files', async () => {
    const of = repository(push, {
      compare: async () => ({ ...ahead, files: [file('a'), file('b'), file('c')] }),
    });
    let files = 0;
    const pause = async () => {
      files += 1;
      if (files === 2) throw new CancelledError('SIGINT');
    };
    const query = { ...auto, paths: ['b'], pause };
    await expect(findChanges(of, query)).rejects.toThrow(CancelledError);
    expect(files).toBe(2);
  });

  const known = async (comparison: Partial<Comparison>, paths: readonly string[]) => {
    const changes = await changesOf(comparison, paths);
    if (changes.kind !== 'known') throw new Error(changes.kind);
    return changes;
  };

  test('the changes are described in one line, with short commits', async () => {
    const found = await known({ files: ['a', 'b', 'c', 'd'].map((path) => file(path)) }, ['b']);
    const changes: KnownChanges = { ...found, base: '0123456789'.repeat(4) };
    const overview = overviewOf(changes, ['b'], ['x']);
    expect(overview).toEqual({
      kind: 'known',
      commits: 1,
      files: 4,
      selectedFiles: 1,
      patterns: ['b'],
      exampleFiles: ['a', 'b', 'c'],
      base: '0123456789'.repeat(4),
      head: 'h',
      url: 'u',
      leftOut: ['x'],
    });
    expect(describeChanges(overview)).toBe(
      '1 commit and 4 changed files, 1 of them selected by `paths`, from `0123456` to `h`',
    );
    expect(describeChanges({ ...overview, selectedFiles: 4 })).toBe(
      '1 commit and 4 changed files, from `0123456` to `h`',
    );
  });

  test('a pattern that is only the folder of a changed file is found', async () => {
    const paths = ['src', '!docs/old', 'lib', 'a*', 'x.md'];
    const files = ['src/a', 'docs/old/b', 'libs/c', 'a*/d', 'x.md'].map((path) => file(path));
    expect(foldersIn(paths, (await known({ files }, paths)).files)).toEqual(['src', '!docs/old']);
  });
});

describe('a failure of GitHub stops the step', () => {
  const failing = (kind: GitHubError['kind']) => () =>
    Promise.reject(new GitHubError(kind, `it is ${kind}`));
  const messageOf = (github: GitHub, query: Query) =>
    findChanges(github, query).then(
      () => 'it was found',
      (error: Error) => `${error.name}: ${error.message}`,
    );
  const contents = 'Give the workflow job `permissions:` with `contents: read`.';
  const later = 'To send these changes later, name the commit before them in `since`';
  const all =
    'Give the workflow job `permissions:` with `contents: read`, `actions: read`, and `checks: read`.';
  const next = 'The next run has all of these changes';

  const runs = lastSuccess(from('b'));
  const v1 = { ...auto, since: 'v1' };

  test.each<readonly [GitHubError['kind'], string, Query, readonly string[]]>([
    ['forbidden', 'push', auto, [contents, later]],
    ['bad-token', 'push', auto, ['Check `githubToken`', later]],
    ['rate-limited', 'push', auto, ['Run this workflow job again']],
    ['failed', 'push', v1, ['Run this workflow job again']],
    ['forbidden', 'push', v1, [contents]],
    ['forbidden', 'push', runs, [all, next]],
    ['failed', 'schedule', lastSuccess(from('b'), 'auto'), [next]],
  ])('to compare (%s, %s, since $2.since)', async (kind, name, query, says) => {
    const github = repository({ ...push, name }, { compare: failing(kind) });
    const message = await messageOf(github, query);
    expect(message).toMatch(new RegExp(`^RunError: it is ${kind}\\. .* No prompt was sent\\.$`));
    for (const part of says) expect(message).toContain(part);
  });

  test('to compare commits that have none in common, and says so', async () => {
    const compare = () =>
      Promise.reject(new GitHubError('not-found', 'HTTP 404: No common ancestor between b and h.'));
    const message = await messageOf(repository(push, { compare }), auto);
    expect(message).toMatch(
      /^RunError: `b` and `h` have no commit in common, .* No prompt was sent\.$/,
    );
  });

  test.each([auto, runs, v1])(
    'when it shows neither start nor head, because the token may not (since $since)',
    async (query) => {
      const github = repository(push, { hasCommit: async () => false });
      const message = await messageOf(github, query);
      expect(message).toMatch(/^RunError: GitHub does not show commit `h` of `a\/b`/);
      expect(message).toContain('`contents: read`');
    },
  );

  test('but a `since` that GitHub does not find is a matter of its name', async () => {
    const message = await messageOf(repository(push, {}), { ...auto, since: 'v9' });
    expect(message).toContain('RunError: `since` is `v9`, and GitHub finds no such branch');
    expect(message).toContain('Check the name.');
  });

  test('but a push whose start is gone has nothing to start from', async () => {
    expect(await findChanges(repository(push, {}), auto)).toMatchObject({
      kind: 'nothing-to-start-from',
      reason: expect.stringContaining('no longer has `b`'),
      range: undefined,
    });
  });
});

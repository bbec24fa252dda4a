import { describe, expect, test } from 'vitest';
import {
  describeChanges,
  findChanges,
  isNothingRelevant,
  overviewOf,
} from '../../../src/changes/changes.ts';
import type { Comparison, GitHub, WorkflowEvent, WorkflowRun } from '../../../src/github/github.ts';
import { CancelledError, GitHubError } from '../../../src/lib/errors.ts';

const event = (name: string, payload: unknown = {}, ref = 'refs/heads/main'): WorkflowEvent => ({
  name,
  payload,
  ref,
  sha: 'h',
  runId: 1,
  repository: 'a/b',
});

const ahead: Comparison = { status: 'ahead', url: 'u', totalCommits: 1, commits: [], files: [] };
const file = (path: string, previousPath?: string) => ({
  path,
  previousPath,
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
    pullRequest: none,
    run: none,
    async *successfulRuns() {},
    tags: none,
    releases: none,
    workflowJobs: none,
    annotations: none,
    ...parts,
  };
}

const run = (runNumber: number, headSha: string, more: Partial<WorkflowRun> = {}): WorkflowRun => ({
  id: runNumber,
  workflowId: 7,
  runNumber,
  headSha,
  headBranch: 'main',
  headRepository: 'a/b',
  ...more,
});

const auto = { since: 'auto', paths: [] };

const listing = (runs: readonly WorkflowRun[]) =>
  async function* () {
    yield* runs;
  };

describe('the last successful run', () => {
  test('is the newest earlier run whose commit leads to this one', async () => {
    const parts: Partial<GitHub> = {
      run: async () => run(5, 'h'),
      successfulRuns: listing([
        run(6, 'later'),
        run(4, 'fork', { headRepository: 'x/b' }),
        run(3, 'diverged'),
        run(2, 'good'),
        run(1, 'older'),
      ]),
      compare: async (base) => ({ ...ahead, status: base === 'diverged' ? 'diverged' : 'ahead' }),
    };
    const changes = await findChanges(repository(event('schedule'), parts), auto);
    expect(changes).toMatchObject({ kind: 'known', base: 'good', head: 'h' });
  });

  test('is searched for in at most ten commits', async () => {
    let tried = 0;
    const parts: Partial<GitHub> = {
      run: async () => run(100, 'h'),
      successfulRuns: listing(
        Array.from({ length: 90 }, (_, n) => run(n, `c${Math.floor(n / 2)}`)).reverse(),
      ),
      compare: async () => {
        tried += 1;
        return { ...ahead, status: 'diverged' };
      },
    };
    const changes = await findChanges(repository(event('schedule'), parts), auto);
    expect([tried, changes]).toEqual([
      10,
      { kind: 'unknown', reason: 'no commit of its last 10 successful runs leads to this one' },
    ]);
  });

  test('is found after any number of runs of forks', async () => {
    const forks = Array.from({ length: 500 }, (_, n) =>
      run(1_000 - n, 'x', { headRepository: 'x/b' }),
    );
    const parts: Partial<GitHub> = {
      run: async () => run(2_000, 'h'),
      successfulRuns: listing([...forks, run(1, 'good')]),
      compare: async () => ahead,
    };
    const changes = await findChanges(repository(event('schedule'), parts), auto);
    expect(changes).toMatchObject({ kind: 'known', base: 'good' });
  });

  test.each([undefined, ''])(
    'does not exist for a run without a branch (%j)',
    async (headBranch) => {
      const parts: Partial<GitHub> = {
        run: async () => run(5, 'h', { headBranch }),
        successfulRuns: listing([run(4, 'of another branch')]),
        compare: async () => ahead,
      };
      expect(await findChanges(repository(event('schedule'), parts), auto)).toEqual({
        kind: 'unknown',
        reason: 'this workflow has not succeeded on this branch before',
      });
    },
  );
});

describe('the tag or release before', () => {
  const tagPush = (tag: string) => event('push', { before: '0'.repeat(40) }, `refs/tags/${tag}`);
  const release = (tag_name: string, prerelease?: boolean) =>
    event('release', { release: { tag_name, prerelease } });
  const diverged = async (): Promise<Comparison> => ({ ...ahead, status: 'diverged' });
  const tags = (...names: readonly string[]) => ({ tags: async () => names });
  const releases = (...names: readonly string[]) => ({
    releases: async () => names.map((tag) => ({ tag, isPrerelease: /rc/.test(tag) })),
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
      parts: { ...tags(...many), compare: diverged },
      reason: 'no earlier tag whose name begins with `v` leads to this one (10 tags tried)',
    },
    {
      of: release('v2'),
      parts: { ...releases('v1'), compare: diverged },
      reason: 'no earlier release whose tag begins with `v` leads to this one (1 release tried)',
    },
  ])('is not known: $reason', async ({ of, parts, reason }) => {
    expect(await findChanges(repository(of, parts), auto)).toEqual({ kind: 'unknown', reason });
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
  const own = { url: 'u', commits: [{ sha: 'p', subject: 's' }], files: [file('own')] };
  const failing = (kind: GitHubError['kind']) => () =>
    Promise.reject(new GitHubError(kind, `it is ${kind}`));

  test('has its own files, and the number of commits that its event names', async () => {
    const of = repository(pull, { pullRequest: async () => own });
    expect(await findChanges(of, auto)).toMatchObject({
      kind: 'known',
      base: 'b',
      head: 'p',
      files: own.files,
      comparison: { totalCommits: 300, url: 'u' },
      gaps: [],
      notes: [],
    });
  });

  test.each(['forbidden', 'not-found', 'failed', 'rate-limited'] as const)(
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
    expect(changes).toMatchObject({ comparison: { status: 'ahead' } });
  });

  test('that can be neither listed nor compared makes the changes unknown', async () => {
    const parts = { pullRequest: failing('failed'), compare: failing('forbidden') };
    expect(await findChanges(repository(pull, parts), auto)).toMatchObject({
      kind: 'unknown',
      reason: expect.stringContaining('`pull-requests: read`'),
    });
    const gone = { pullRequest: failing('failed'), compare: failing('not-found') };
    expect(await findChanges(repository(pull, gone), auto)).toMatchObject({ kind: 'unknown' });
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
      of: 'listing runs',
      parts: { run: () => Promise.reject(new TypeError('x is not iterable')) },
    },
    {
      of: 'comparing',
      parts: { compare: () => Promise.reject(new TypeError('x is not iterable')) },
    },
  ])('rethrows an unexpected error in $of', async ({ parts }) => {
    const named = event(Object.hasOwn(parts, 'run') ? 'schedule' : 'push', { before: 'b' });
    await expect(findChanges(repository(named, parts), auto)).rejects.toThrow(TypeError);
  });

  test.each([
    { variable: 'GITHUB_SHA', of: { ...event('push', { before: 'b' }), sha: '' } },
    { variable: 'GITHUB_RUN_ID', of: { ...event('schedule'), runId: Number.NaN } },
  ])('sends no request without $variable', async ({ variable, of }) => {
    await expect(findChanges(repository(of, {}), auto)).rejects.toThrow(
      `\`${variable}\` is not set`,
    );
  });
});

describe('that nothing relevant changed', () => {
  const changesOf = (
    comparison: Partial<Comparison>,
    paths: readonly string[],
    of = event('push', { before: 'b' }),
  ) =>
    findChanges(repository(of, { compare: async () => ({ ...ahead, ...comparison }) }), {
      since: 'auto',
      paths,
    });

  test.each<readonly [string, Partial<Comparison>, readonly string[], boolean]>([
    ['is certain when no file matches', { files: [file('a')] }, ['b'], true],
    ['is not certain when a file matches', { files: [file('b')] }, ['b'], false],
    [
      'is not certain when a file matched before its rename',
      { files: [file('a', 'b')] },
      ['b'],
      false,
    ],
    ['is not certain when `paths` is not used', { files: [] }, [], false],
    ['is certain when nothing changed at all', { status: 'identical', files: [] }, ['b'], true],
    ['is not certain when commits were removed', { status: 'behind', files: [] }, ['b'], false],
    [
      'is not certain when the branch was rewritten',
      { status: 'diverged', files: [file('a')] },
      ['b'],
      false,
    ],
    [
      'is not certain when the list was cut',
      { files: Array.from({ length: 300 }, () => file('a')) },
      ['b'],
      false,
    ],
  ])('%s', async (_name, comparison, paths, expected) => {
    expect(isNothingRelevant(await changesOf(comparison, paths), paths)).toBe(expected);
  });

  test('is not certain when a tag was moved, and the gap does not name a force push', async () => {
    const moved = event('push', { before: 'b' }, 'refs/tags/v1');
    const changes = await changesOf({ status: 'diverged', files: [file('a')] }, ['b'], moved);
    expect(changes).toMatchObject({ gaps: [expect.stringMatching(/^the tag was moved/)] });
    expect(isNothingRelevant(changes, ['b'])).toBe(false);
  });

  test('is not checked any further after a cancel between two files', async () => {
    const of = repository(event('push', { before: 'b' }), {
      compare: async () => ({ ...ahead, files: [file('a'), file('b'), file('c')] }),
    });
    let files = 0;
    const pause = async () => {
      files += 1;
      if (files === 2) throw new CancelledError('SIGINT');
    };
    const query = { since: 'auto', paths: ['b'], pause };
    await expect(findChanges(of, query)).rejects.toThrow(CancelledError);
    expect(files).toBe(2);
  });

  test('is certain for a pull request that is behind its base', async () => {
    const pull = event('pull_request', {
      pull_request: { base: { sha: 'b' }, head: { sha: 'p' } },
    });
    const changes = await changesOf({ status: 'diverged', files: [file('a')] }, ['b'], pull);
    expect(isNothingRelevant(changes, ['b'])).toBe(true);
  });

  test('is not certain when the changes are not known', () => {
    expect(isNothingRelevant({ kind: 'unknown', reason: '' }, ['b'])).toBe(false);
  });

  test('the changes are described in one line', async () => {
    const changes = await changesOf({ files: [file('a'), file('b')] }, ['b']);
    if (changes.kind === 'unknown') throw new Error(changes.reason);
    const overview = overviewOf(changes, ['x']);
    expect(overview).toEqual({
      kind: 'known',
      commits: 1,
      files: 2,
      selectedFiles: 1,
      base: 'b',
      head: 'h',
      url: 'u',
      leftOut: ['x'],
    });
    expect(describeChanges(overview)).toBe(
      '1 commit and 2 changed files, 1 of them selected by `paths`, from `b` to `h`',
    );
    expect(describeChanges({ ...overview, selectedFiles: 2 })).toBe(
      '1 commit and 2 changed files, from `b` to `h`',
    );
  });
});

describe('a failure of GitHub', () => {
  const failing = (kind: GitHubError['kind']) => () =>
    Promise.reject(new GitHubError(kind, `it is ${kind}`));
  const push = event('push', { before: 'b' });

  test.each<readonly [GitHubError['kind'], RegExp]>([
    ['not-found', /finds nothing to compare at `b\.\.\.h` in `a\/b`: one of the commits is gone/],
    ['forbidden', /^it is forbidden\. Give the workflow job `permissions:` with `contents: read`/],
    ['bad-token', /^it is bad-token\. Check `githubToken`, or leave it out/],
    ['rate-limited', /^it is rate-limited$/],
    ['failed', /^it is failed$/],
  ])('to compare (%s) makes the changes unknown', async (kind, reason) => {
    const changes = await findChanges(repository(push, { compare: failing(kind) }), auto);
    expect(changes).toEqual({ kind: 'unknown', reason: expect.stringMatching(reason) });
  });

  test('to find the given `since` fails the step, except for a rate limit', async () => {
    const asked = { since: 'v9', paths: [] };
    await expect(findChanges(repository(push, {}), asked)).rejects.toThrow('`since` is `v9`');
    const forbidden = repository(push, { compare: failing('forbidden') });
    await expect(findChanges(forbidden, asked)).rejects.toMatchObject({
      name: 'RunError',
      message: expect.stringContaining('`contents: read`'),
      cause: expect.objectContaining({ kind: 'forbidden' }),
    });
    const limited = repository(push, { compare: failing('rate-limited') });
    expect(await findChanges(limited, asked)).toMatchObject({ kind: 'unknown' });
  });

  const permission = 'Give the workflow job `permissions:` with `actions: read`';
  test.each<readonly [GitHubError['kind'], string, boolean, string]>([
    ['forbidden', 'auto', false, permission],
    ['not-found', 'auto', false, permission],
    ['bad-token', 'auto', false, 'Check `githubToken`'],
    ['forbidden', 'last-success', true, permission],
    ['not-found', 'last-success', true, permission],
    ['bad-token', 'last-success', true, 'Check `githubToken`'],
    ['rate-limited', 'last-success', false, 'it is rate-limited'],
    ['failed', 'last-success', false, 'it is failed'],
  ])('to list runs (%s) with since %s fails the step: %s', async (kind, since, isFailure, says) => {
    const found = findChanges(repository(event('schedule'), { run: failing(kind) }), {
      since,
      paths: [],
    });
    const settled = await found.then(
      (changes) => ({ isFailure: false, said: changes.kind === 'unknown' ? changes.reason : '' }),
      (error: Error) => ({ isFailure: error.name === 'RunError', said: error.message }),
    );
    expect(settled.isFailure).toBe(isFailure);
    expect(settled.said).toContain(says);
  });
});

import { describe, expect, test } from 'vitest';
import { describeChanges, findChanges, isNothingRelevant } from '../../../src/changes/find.ts';
import { rangeOf } from '../../../src/changes/range.ts';
import type {
  Comparison,
  GitHub,
  WorkflowEvent,
  WorkflowRun,
} from '../../../src/effects/effects.ts';
import { CancelledError, GitHubError } from '../../../src/errors.ts';

const ZERO = '0'.repeat(40);
const event = (name: string, payload: unknown = {}, ref = 'refs/heads/main'): WorkflowEvent => ({
  name,
  payload,
  ref,
  sha: 'h',
  runId: 1,
  repository: 'a/b',
});

describe('the range of an event', () => {
  test.each<readonly [string, WorkflowEvent, unknown]>([
    [
      'push',
      event('push', { before: 'b' }),
      { kind: 'between', base: 'b', head: 'h', isLinear: true },
    ],
    [
      'push of a new branch',
      event('push', { before: ZERO, repository: { default_branch: 'main' } }, 'refs/heads/x'),
      { kind: 'between', base: 'main', head: 'h', isLinear: false },
    ],
    [
      'first push of the default branch',
      event('push', { before: ZERO, repository: { default_branch: 'main' } }),
      { kind: 'unknown', why: 'this is the first push to its branch' },
    ],
    [
      'push without a payload',
      event('push', undefined),
      { kind: 'unknown', why: 'this is the first push to its branch' },
    ],
    [
      'push that deletes',
      event('push', { before: 'b', deleted: true }),
      { kind: 'unknown', why: 'this push deleted its branch or tag' },
    ],
    [
      'new tag',
      event('push', { before: ZERO }, 'refs/tags/v1/x'),
      { kind: 'tag-before', tag: 'v1/x', head: 'h' },
    ],
    [
      'moved tag',
      event('push', { before: 'b' }, 'refs/tags/v1'),
      { kind: 'between', base: 'b', head: 'h', isLinear: true },
    ],
    [
      'pull request',
      event('pull_request', { pull_request: { base: { sha: 'b' }, head: { sha: 'p' } } }),
      { kind: 'between', base: 'b', head: 'p', isLinear: false },
    ],
    [
      'merged pull request',
      event('pull_request_target', {
        pull_request: {
          base: { sha: 'b' },
          head: { sha: 'p' },
          merged: true,
          merge_commit_sha: 'm',
        },
      }),
      { kind: 'between', base: 'b', head: 'm', isLinear: false },
    ],
    [
      'merge group',
      event('merge_group', { merge_group: { base_sha: 'b', head_sha: 'g' } }),
      { kind: 'between', base: 'b', head: 'g', isLinear: true },
    ],
    [
      'release',
      event('release', { release: { tag_name: 'v1', published_at: null } }),
      { kind: 'release-before', tag: 'v1', publishedAt: '', head: 'h' },
    ],
    ['release without a tag', event('release'), { kind: 'last-success', head: 'h' }],
    ['schedule', event('schedule'), { kind: 'last-success', head: 'h' }],
    [
      'a payload of other types',
      event('workflow_run', { pull_request: 1, merge_group: [], release: 'x', before: 3 }),
      { kind: 'last-success', head: 'h' },
    ],
    ['a payload that is no object', event('schedule', 'x'), { kind: 'last-success', head: 'h' }],
  ])('%s', (_name, given, range) => {
    expect(rangeOf(given, 'auto')).toEqual(range);
  });

  test('since is used as it is, up to the head of the event', () => {
    const pull = event('pull_request', {
      pull_request: { base: { sha: 'b' }, head: { sha: 'p' } },
    });
    expect(rangeOf(pull, 'v1')).toEqual({
      kind: 'between',
      base: 'v1',
      head: 'p',
      isLinear: false,
    });
    expect(rangeOf(pull, 'last-success')).toEqual({ kind: 'last-success', head: 'p' });
  });
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
  const none = () => Promise.reject(new GitHubError('missing', 'none'));
  return {
    event: of,
    compare: none,
    run: none,
    successfulRuns: none,
    tags: none,
    releases: none,
    async *history() {},
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

describe('the start that is looked up', () => {
  const bases = (parts: Partial<GitHub>, of: WorkflowEvent) => {
    const asked: string[] = [];
    const found = findChanges(
      repository(of, {
        compare: async (base) => {
          asked.push(base);
          return ahead;
        },
        ...parts,
      }),
      auto,
    );
    return found.then((changes) => ({ changes, asked }));
  };

  test('the nearest tag that leads to a new one', async () => {
    const { asked } = await bases(
      {
        tags: async () => [
          { name: 'v3', sha: 'h' },
          { name: 'v1', sha: 'c1' },
          { name: 'v2', sha: 'c2' },
          { name: 'other', sha: 'x' },
        ],
        async *history() {
          yield* ['h', 'c3', 'c2', 'c1'];
        },
      },
      event('push', { before: ZERO }, 'refs/tags/v3'),
    );
    expect(asked).toEqual(['v2']);
  });

  test('a tag further away than 1,000 commits is not looked for', async () => {
    let read = 0;
    const { changes } = await bases(
      {
        tags: async () => [{ name: 'v1', sha: 'c1' }],
        async *history() {
          for (;;) {
            read += 1;
            yield `x${read}`;
          }
        },
      },
      event('push', { before: ZERO }, 'refs/tags/v3'),
    );
    expect([read, changes]).toEqual([1_000, { kind: 'unknown', why: 'no tag leads to this one' }]);
  });

  test('the release published before this one', async () => {
    const releases = async () => [
      { tag: 'v3', publishedAt: '2026-03-01T00:00:00Z' },
      { tag: 'v1', publishedAt: '2026-01-01T00:00:00Z' },
      { tag: 'v2', publishedAt: '2026-02-01T00:00:00Z' },
    ];
    const of = (tag: string, published_at: string | null) =>
      event('release', { release: { tag_name: tag, published_at } });
    expect((await bases({ releases }, of('v2', '2026-02-01T00:00:00Z'))).asked).toEqual(['v1']);
    expect((await bases({ releases }, of('v4', null))).asked).toEqual(['v3']);
    expect((await bases({ releases }, of('v1', '2026-01-01T00:00:00Z'))).changes).toEqual({
      kind: 'unknown',
      why: 'there is no release before this one',
    });
  });

  test('the newest earlier success whose commit leads here', async () => {
    const parts: Partial<GitHub> = {
      run: async () => run(5, 'h'),
      successfulRuns: async () => [
        run(6, 'later'),
        run(4, 'fork', { headRepository: 'x/b' }),
        run(3, 'diverged'),
        run(2, 'good'),
        run(1, 'older'),
      ],
      compare: async (base) => ({ ...ahead, status: base === 'diverged' ? 'diverged' : 'ahead' }),
    };
    const changes = await findChanges(repository(event('schedule'), parts), auto);
    expect(changes).toMatchObject({ kind: 'known', base: 'good', head: 'h' });
  });

  test('at most ten commits are tried', async () => {
    let tried = 0;
    const parts: Partial<GitHub> = {
      run: async () => run(100, 'h', { headBranch: undefined }),
      successfulRuns: async () => Array.from({ length: 50 }, (_, n) => run(n, `c${n}`)),
      compare: async () => {
        tried += 1;
        return { ...ahead, status: 'diverged' };
      },
    };
    const changes = await findChanges(repository(event('schedule'), parts), auto);
    expect([tried, changes]).toEqual([
      10,
      { kind: 'unknown', why: 'no commit of its last 10 successful runs leads to this one' },
    ]);
  });

  test('a cancel is not a failure of GitHub', async () => {
    const compare = () => Promise.reject(new CancelledError('SIGTERM'));
    const of = repository(event('push', { before: 'b' }), { compare });
    await expect(findChanges(of, auto)).rejects.toThrow(CancelledError);
  });

  test('a fault that is not foreseen costs the answer, not the run', async () => {
    const successfulRuns = () => Promise.reject(new TypeError('x is not iterable'));
    const of = repository(event('schedule'), { run: async () => run(1, 'h'), successfulRuns });
    expect(await findChanges(of, auto)).toEqual({ kind: 'unknown', why: 'x is not iterable' });
  });
});

describe('what is certain', () => {
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
    ['no file matches', { files: [file('a')] }, ['b'], true],
    ['a file matches', { files: [file('b')] }, ['b'], false],
    ['a file matched before its rename', { files: [file('a', 'b')] }, ['b'], false],
    ['there are no paths', { files: [] }, [], false],
    ['nothing changed', { status: 'identical', files: [] }, ['b'], true],
    ['commits were taken back', { status: 'behind', files: [] }, ['b'], false],
    ['the branch was rewritten', { status: 'diverged', files: [file('a')] }, ['b'], false],
    ['the list was cut', { files: Array.from({ length: 300 }, () => file('a')) }, ['b'], false],
  ])('%s: %j', async (_name, comparison, paths, expected) => {
    expect(isNothingRelevant(await changesOf(comparison, paths), paths)).toBe(expected);
  });

  test('a pull request may have left its base behind', async () => {
    const pull = event('pull_request', {
      pull_request: { base: { sha: 'b' }, head: { sha: 'p' } },
    });
    const changes = await changesOf({ status: 'diverged', files: [file('a')] }, ['b'], pull);
    expect(isNothingRelevant(changes, ['b'])).toBe(true);
  });

  test('nothing is, when the changes are not known', () => {
    expect(isNothingRelevant({ kind: 'unknown', why: '' }, ['b'])).toBe(false);
  });

  test('changes in a line', async () => {
    expect(describeChanges(await changesOf({ files: [file('a'), file('b')] }, ['b']))).toBe(
      '1 commit and 2 changed files, 1 of them selected by `paths`, from `b` to `h`',
    );
    expect(describeChanges({ kind: 'unknown', why: '' })).toBe('not known');
  });
});

describe('a failure of GitHub', () => {
  const failing = (kind: GitHubError['kind']) => () =>
    Promise.reject(new GitHubError(kind, `it is ${kind}`));
  const push = event('push', { before: 'b' });

  test.each<readonly [GitHubError['kind'], RegExp]>([
    [
      'missing',
      /finds nothing to compare at `b\.\.\.h` in `a\/b`: the commit was force-pushed away/,
    ],
    ['forbidden', /^it is forbidden\. Give the job `permissions:` with `contents: read`$/],
    ['rate-limited', /^it is rate-limited$/],
    ['failed', /^it is failed$/],
  ])('to compare (%s) is told', async (kind, why) => {
    const changes = await findChanges(repository(push, { compare: failing(kind) }), auto);
    expect(changes).toEqual({ kind: 'unknown', why: expect.stringMatching(why) });
  });

  test('to find the `since` that was asked for fails', async () => {
    const asked = { since: 'v9', paths: [] };
    await expect(findChanges(repository(push, {}), asked)).rejects.toThrow('`since` is `v9`');
    const limited = repository(push, { compare: failing('rate-limited') });
    expect(await findChanges(limited, asked)).toMatchObject({ kind: 'unknown' });
  });

  test.each<readonly [GitHubError['kind'], string, boolean]>([
    ['forbidden', 'auto', false],
    ['missing', 'auto', false],
    ['forbidden', 'last-success', true],
    ['missing', 'last-success', true],
    ['rate-limited', 'last-success', false],
    ['failed', 'last-success', false],
  ])('to tell of runs (%s) with since %s fails the step: %s', async (kind, since, isFailure) => {
    const found = findChanges(repository(event('schedule'), { run: failing(kind) }), {
      since,
      paths: [],
    });
    const isPermission = kind === 'forbidden' || kind === 'missing';
    const settled = await found.then(
      (changes) => ({ isFailure: false, said: changes.kind === 'unknown' ? changes.why : '' }),
      (error: Error) => ({ isFailure: error.name === 'SinceError', said: error.message }),
    );
    expect(settled.isFailure).toBe(isFailure);
    expect(settled.said.includes('`actions: read`')).toBe(isPermission);
  });

  test('of another kind while runs are listed is told, too', async () => {
    const successfulRuns = () => Promise.reject(new CancelledError('SIGTERM'));
    const of = repository(event('schedule'), { run: async () => run(1, 'h'), successfulRuns });
    await expect(findChanges(of, auto)).rejects.toThrow(CancelledError);
  });
});

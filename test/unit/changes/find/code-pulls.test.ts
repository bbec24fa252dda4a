import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { findCodePulls, numberIn, pullBehind } from '../../../../src/changes/find/code-pulls.ts';
import { GitHubError } from '../../../../src/github/errors.ts';
import type { CodePull, CommitToAsk, GitHub } from '../../../../src/github/github.ts';
import { dose } from '../../../support/dose.ts';
import { eventOf } from '../../../support/fakes.ts';
import { commitOf as commit, pullOf as pull } from '../../../support/pulls.ts';

describe('of several pull requests of a commit', () => {
  const anyPull = fc
    .record({
      number: fc.nat(99),
      isMerged: fc.boolean(),
      day: fc.integer({ min: 10, max: 28 }),
      mergeCommit: fc.constantFrom('c', 'd', undefined),
    })
    .map(({ day, ...more }) => pull({ ...more, mergedAt: `2026-01-${day}T00:00:00Z` }));

  test('the one counts that a list of all, best first, begins with', () => {
    const listed = fc.uniqueArray(anyPull, { selector: ({ mergedAt }) => mergedAt, maxLength: 5 });
    fc.assert(
      fc.property(listed, fc.option(anyPull, { nil: undefined }), (some, named) => {
        // A commit is the merge of one pull request at most.
        fc.pre(some.filter(({ mergeCommit }) => mergeCommit === 'c').length <= 1);
        const isOfThis = named?.mergeCommit === 'c' || named?.mergeCommit === undefined;
        const [best] = [
          ...some.filter(({ mergeCommit }) => mergeCommit === 'c'),
          ...some.toSorted((a, b) => Date.parse(a.mergedAt) - Date.parse(b.mergedAt)),
          ...(named !== undefined && isOfThis ? [named] : []),
        ].filter(({ isMerged }) => isMerged);
        expect(pullBehind({ sha: 'c', listed: some, named })).toBe(best);
      }),
      { numRuns: dose(500, 10_000) },
    );
  });
});

test.each([
  ['Add retries (#41)', 41],
  ['Merge pull request #41 from octocat/feature-x', 41],
  ['Merge pull request #7 from a/b (#41)', 7],
  ['Revert "Add retries (#41)" (#43)', 43],
  ['Add retries (#41', undefined],
  ['Add retries (#41) for all', undefined],
  ['Revert "Add retries (#41)"', undefined],
  ['Add retries (acme/app#41)', undefined],
  ['Fix #41', undefined],
  ['(#0)', undefined],
  ['(#041)', undefined],
  ['(#999999999)', 999_999_999],
  // No number of GitHub's, which are 32 bits long.
  ['(#9999999999)', undefined],
  ['Merge pull request #9999999999 from a/b', undefined],
  ['Merge branch "main" #41', undefined],
  ['x Merge pull request #41', undefined],
  ['', undefined],
])('the subject %j names the pull request %s', (subject, number) => {
  expect(numberIn(subject)).toBe(number);
});

describe('GitHub', () => {
  const push = eventOf('push', { before: 'b' });

  /** What is found, and what was asked for. */
  async function find(
    parts: Partial<Pick<GitHub, 'pullsBehind'>>,
    of = push,
    commits = [commit('Add retries (#7)', 'c1')],
  ) {
    const asked: CommitToAsk[] = [];
    const github: Pick<GitHub, 'pullsBehind'> = {
      ...parts,
      async pullsBehind(some) {
        asked.push(...some);
        return parts.pullsBehind?.(some) ?? { found: [], error: undefined };
      },
    };
    return { found: await findCodePulls(github, { event: of, commits }), asked };
  }

  test('is asked for the 300 newest commits, with the numbers that they name', async () => {
    const commits = Array.from({ length: 305 }, (_, n) =>
      commit(`\n S${n} (#${n + 1})\r\nx`, `c${n}`),
    );
    const named = pull({ number: 305 });
    const { found, asked } = await find(
      {
        pullsBehind: async (some) => ({
          found: some.slice(-1).map(({ sha }) => ({ sha, listed: [], named })),
          error: undefined,
        }),
      },
      push,
      commits,
    );
    expect(asked).toHaveLength(300);
    expect(asked[0]).toEqual({ sha: 'c5', named: 6 });
    expect(asked.at(-1)).toEqual({ sha: 'c304', named: 305 });
    expect(found).toEqual({ byCommit: new Map([['c304', named]]), missing: undefined });
  });

  test('is not asked where there is no commit', async () => {
    const { found, asked } = await find({}, push, []);
    expect([found, asked]).toEqual([{ byCommit: new Map(), missing: undefined }, []]);
  });

  test.each(['forbidden', 'bad-token', 'failed'] as const)(
    'that fails (%s) leaves what it gave before',
    async (kind) => {
      const own = { sha: 'c1', listed: [pull({ number: 7 })], named: undefined };
      const error = new GitHubError(kind, 'HTTP 4xx');
      const { found } = await find({ pullsBehind: async () => ({ found: [own], error }) });
      expect(found.byCommit).toEqual(new Map([['c1', pull({ number: 7 })]]));
      expect(found.missing).toEqual({ isForbidden: kind === 'forbidden', reason: 'HTTP 4xx' });
    },
  );

  test('may have no GraphQL API', async () => {
    const missing = { isForbidden: false, reason: expect.stringContaining('GraphQL') };
    const { found } = await find({ pullsBehind: async () => undefined });
    expect(found).toEqual({ byCommit: new Map(), missing });
  });

  test('is not blamed for a bug', async () => {
    const bug = new TypeError('ours');
    await expect(find({ pullsBehind: () => Promise.reject(bug) })).rejects.toBe(bug);
  });

  test('is asked for the commits from a named start, which others may have merged, on a pull request too', async () => {
    const of = eventOf('pull_request', { pull_request: { number: 5, title: 'Then' } });
    const opened = pull({ number: 5, isMerged: false });
    const other = pull({ number: 3 });
    const listed: Readonly<Record<string, CodePull[]>> = {
      c1: [opened, other],
      c2: [pull({ number: 4, isMerged: false }), opened],
      c3: [pull({ number: 4, isMerged: false })],
    };
    const commits = ['c1', 'c2', 'c3'].map((sha) => commit('A', sha));
    const pullsBehind: GitHub['pullsBehind'] = async (some) => ({
      found: some.map(({ sha }) => ({ sha, listed: listed[sha] ?? [], named: undefined })),
      error: undefined,
    });
    const { found } = await find({ pullsBehind }, of, commits);
    expect([...found.byCommit]).toEqual([
      ['c1', other],
      ['c2', opened],
    ]);
  });
});

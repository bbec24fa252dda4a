/** Patches that GitHub does not give, made by the built action from both sides of each file. */
import { afterAll, describe, expect, test } from 'vitest';
import { runChanges, warningsOf } from '../../support/changes-run.ts';
import { GitRepository } from '../../support/git-repository.ts';
import { noGit, skipWhen } from '../../support/system.ts';

const FILES = 320;
const names = Array.from({ length: FILES }, (_, n) => `src/${String(n).padStart(3, '0')}.ts`);
const contents = (text: string) =>
  Object.fromEntries(names.map((name) => [name, `export const ${text} = 1;\n`]));
const git = noGit
  ? undefined
  : new GitRepository([
      { name: 'c1', parents: [], files: contents('before') },
      { name: 'c2', parents: ['c1'], files: contents('after') },
    ]);
afterAll(() => git?.[Symbol.dispose]());
skipWhen(noGit);

function given(graphql: 'graphql' | 'no graphql', more: object = {}) {
  if (git === undefined) throw new Error('no git');
  const { compare, matchingRefs, tree } = git;
  const backend =
    graphql === 'graphql'
      ? git
      : { compare: compare.bind(git), matchingRefs, tree: tree.bind(git) };
  return {
    ...{ event: 'push', payload: { before: git.sha('c1') }, sha: git.sha('c2') },
    github: { commits: [], git: backend },
    inputs: { changes: 'diff', paths: names.at(-1) ?? '' },
    ...more,
  };
}

const patch = `=== ${names.at(-1)}\n@@ -1,1 +1,1 @@\n-export const before = 1;\n+export const after = 1;\n`;

describe('a file past the first 300', () => {
  test.concurrent('has the patch that its two versions make', async () => {
    const seen = await runChanges(given('graphql'));
    expect(seen.prompt).toContain(patch);
    expect(warningsOf(seen)).toEqual([]);
    expect(seen.requests.map((path) => path.split(/[?/]/)[1])).toEqual([
      'repos',
      'repos',
      'repos',
      'graphql',
    ]);
  });

  test.concurrent('is named without one on an engine without GraphQL, and a warning says so', async () => {
    const seen = await runChanges(given('no graphql'));
    expect(seen.prompt).not.toContain('patches:');
    expect(seen.prompt).toContain(`- 1 patch that GitHub did not give: ${names.at(-1)}\n`);
    expect(warningsOf(seen)[0]).toContain('the prompt has no patch of the 1 file');
  });
});

test('a pull request of 3,000 files without patches needs at most 45 requests', async () => {
  if (git === undefined) throw new Error('no git');
  const [base, head] = [git.sha('c1'), git.sha('c2')];
  const files = Array.from({ length: 3_000 }, (_, n) => ({
    ...{ filename: names[n] ?? `x${n}`, status: 'modified', additions: 9, deletions: 0 },
  }));
  const commits = Array.from({ length: 250 }, () => ({ sha: head, parents: [] }));
  const live = { state: 'open', merged: false, head: { sha: head } };
  const pull_request = { number: 5, commits: 250, base: { sha: base }, head: { sha: head } };
  const seen = await runChanges({
    ...given('graphql', { event: 'pull_request', payload: { pull_request } }),
    github: {
      commits: [],
      git,
      pulls: { 5: { commits, files } },
      pullStates: { 'acme/app#5': live },
    },
    inputs: { changes: 'diff' },
  });
  expect(seen.prompt).toContain('\n+export const after = 1;\n');
  expect(seen.requests.length).toBeGreaterThan(40);
  expect(seen.requests.length).toBeLessThanOrEqual(45);
});

/** The block of a pull request: its own files and commits, wherever the default branch has moved. */
import { describe, expect, test } from 'vitest';
import type { GitHubOptions } from '../../support/github-service.ts';
import { exampleIn } from '../../support/pages.ts';
import { compared, filesOf, type Given, playChanges, subjectsOf } from '../../support/play.ts';

const modified = { filename: 'src/a.ts', status: 'modified', patch: '@@ -1 +1 @@\n-1\n+2' };
const added = { filename: 'src/own.ts', status: 'added', patch: '@@ -0,0 +1 @@\n+1' };
const readme = { filename: 'README.md' };
const OWN = [
  { sha: 'f1', parents: ['c1'], message: 'own 1', files: [modified] },
  { sha: 'f2', parents: ['f1'], message: 'own 2', files: [added] },
];
/** The pull request left main at c1; main moved on to c3 with other people's changes. */
const commits = [
  { sha: 'c1', parents: [], files: [modified, readme] },
  { sha: 'c2', parents: ['c1'], files: [{ filename: 'src/other.ts', status: 'added' }] },
  { sha: 'c3', parents: ['c2'], files: [readme] },
  ...OWN,
  { sha: 'd4', parents: ['c3'], message: 'squashed', files: [modified, added] },
];

/** The event of the pull request. GitHub does not keep the base commit in it current. */
const pullRequest = (
  main: string,
  { fail, merged = false }: Readonly<{ fail?: GitHubOptions['fail']; merged?: boolean }> = {},
): Given => ({
  eventName: 'pull_request',
  sha: merged ? 'd4' : 'c3',
  ref: merged ? 'refs/heads/main' : 'refs/pull/5/merge',
  event: {
    pull_request: {
      number: 5,
      base: { ref: 'main', sha: 'c1' },
      head: { sha: 'f2' },
      merged,
      merge_commit_sha: merged ? 'd4' : 'c3',
    },
  },
  github: {
    commits,
    refs: { main },
    pulls: { 5: { commits: OWN, files: [modified, added], isMerged: merged } },
    ...(fail && { fail }),
  },
});

/** The token may not read pull requests. */
const refuse = (path: string) =>
  path.includes('/pulls')
    ? { status: 403, body: { message: 'Resource not accessible' } }
    : undefined;

/** https://github.com/googleapis/repo-automation-bots/issues/4475 */
const takeTooLong = (path: string) =>
  path.includes('/pulls/5/files')
    ? {
        status: 422,
        body: { message: 'Server Error: Sorry, this diff is taking too long to generate.' },
      }
    : undefined;

describe('a pull request sends its own files and commits, and none of the default branch,', () => {
  test.concurrent.each([
    { when: 'when it is open', given: pullRequest('c3'), ranges: [] },
    { when: 'when it is merged', given: pullRequest('d4', { merged: true }), ranges: [] },
    {
      when: 'when it is open, without the permission',
      given: pullRequest('c3', { fail: refuse }),
      ranges: ['c3...f2'],
    },
    {
      when: 'when it is open, and its diff takes GitHub too long',
      given: pullRequest('c3', { fail: takeTooLong }),
      ranges: ['c3...f2'],
    },
  ])('$when', async ({ given, ranges }) => {
    const seen = await playChanges(given);
    expect(filesOf(seen)).toEqual(['modified src/a.ts', 'added src/own.ts']);
    expect(subjectsOf(seen)).toEqual(['own 1', 'own 2']);
    expect(compared(seen)).toEqual(ranges);
    expect(seen.warnings).toEqual([]);
    expect(seen.outputs['codePullRequests']).toBe('[5]');
    expect(seen.result.summary).toContain('<a href="https://github.com/acme/app/pull/5/files">');
    expect(seen.prompt).toMatch(/\nsee: \S+\/acme\/app\/pull\/5\/files\nfrom: main\nto: f2\n/);
  });

  // Its base branch has its commits.
  test.concurrent('and stops when it is merged, without the permission', async () => {
    const seen = await playChanges(pullRequest('d4', { merged: true, fail: refuse }));
    expect([seen.outputs['outcome'], seen.agent.requests]).toEqual(['error', []]);
    expect(seen.said.at(-1)).toContain('`pull-requests: read`');
  });
});

test.concurrent('the recipe for docs beside each pull request has the permissions that it needs', async () => {
  const recipe = exampleIn('.github/RECIPES.md', 'Docs beside each pull request');
  const mayRead = (name: string) => /^(read|write)$/.test(recipe.permissions[name] ?? '');
  const fail = (path: string) =>
    mayRead(path.includes('/pulls/') ? 'pull-requests' : 'contents') ? undefined : { status: 403 };
  const { changes, paths } = recipe.steps[0]?.with ?? {};
  const seen = await playChanges({
    ...pullRequest('d4', { merged: true, fail }),
    inputs: { changes: String(changes), paths: String(paths) },
  });
  expect(filesOf(seen)).toEqual(['modified src/a.ts', 'added src/own.ts']);
  expect(seen.warnings).toEqual([]);
  expect(recipe.events).toEqual(['pull_request']);
});

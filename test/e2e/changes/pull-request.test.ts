/**
 * Pull requests in real git repositories. The block contains their own files and commits as git
 * lists them, however they were merged and wherever the default branch has moved.
 */
import { afterAll, describe, expect, test } from 'vitest';
import {
  compared,
  filesOf,
  type Given,
  runChanges,
  subjectsOf,
  warningsOf,
} from '../../support/changes-run.ts';
import { type GitCommit, GitRepository } from '../../support/git-repository.ts';
import type { Failure } from '../../support/github-service.ts';
import { examples } from '../../support/pages.ts';
import { noGit, skipWhen } from '../../support/system.ts';

/** The pull request left main at m1; main moved on to m3 with other people's changes. */
const history: readonly GitCommit[] = [
  { name: 'm1', parents: [], files: { 'src/a.ts': '1', 'README.md': '1' } },
  { name: 'm2', parents: ['m1'], files: { 'src/other.ts': '1' } },
  { name: 'm3', parents: ['m2'], files: { 'README.md': '2' } },
  { name: 'own 1', parents: ['m1'], files: { 'src/a.ts': '2' } },
  { name: 'own 2', parents: ['own 1'], files: { 'src/own.ts': '1' } },
];
const own = { 'src/a.ts': '2', 'src/own.ts': '1' };
const ways: readonly { readonly way: string; readonly commits: readonly GitCommit[] }[] = [
  { way: 'open', commits: [] },
  { way: 'merged', commits: [{ name: 'merge', parents: ['m3', 'own 2'], files: own }] },
  { way: 'squashed', commits: [{ name: 'merge', parents: ['m3'], files: own }] },
  {
    way: 'rebased',
    commits: [
      { name: 'again 1', parents: ['m3'], files: { 'src/a.ts': '2' } },
      { name: 'merge', parents: ['again 1'], files: { 'src/own.ts': '1' } },
    ],
  },
];

/** The event of a pull request; `base` is where GitHub says that it starts. */
function given(git: GitRepository, isMerged: boolean, base: string, fail?: Failure): Given {
  const pull = git.pull(git.sha('m1'), git.sha('own 2'));
  const merge = isMerged ? git.sha('merge') : git.sha('m3');
  return {
    event: 'pull_request',
    sha: merge,
    ref: isMerged ? 'refs/heads/main' : 'refs/pull/5/merge',
    payload: {
      pull_request: {
        number: 5,
        commits: pull.commits.length,
        base: { sha: git.sha(base) },
        head: { sha: git.sha('own 2') },
        merged: isMerged,
        merge_commit_sha: merge,
      },
    },
    github: {
      commits: [],
      git,
      pulls: { 5: pull },
      ...(fail === undefined
        ? {}
        : { fail: (path) => (path.includes('/pulls/') ? fail : undefined) }),
    },
  };
}

skipWhen(noGit);

const repositories = ways.map(({ way, commits }) => ({
  way,
  isMerged: commits.length > 0,
  // Without git every test here is skipped.
  git: noGit === undefined ? new GitRepository([...history, ...commits]) : (undefined as never),
}));
afterAll(() => {
  for (const { git } of repositories) git?.[Symbol.dispose]();
});

describe('a pull request sends its own files and commits, and none of the default branch', () => {
  const refused: Failure = {
    status: 403,
    body: { message: 'Resource not accessible by integration' },
  };
  const refusedIn = ['open', 'squashed'];
  const rows = repositories.flatMap((repository) => [
    { ...repository, with: 'the permission', fail: undefined },
    ...(refusedIn.includes(repository.way)
      ? [{ ...repository, with: 'no permission', fail: refused }]
      : []),
  ]);
  test.concurrent.each(rows)('when it is $way, with $with', async ({ git, isMerged, fail }) => {
    // GitHub's base dates from the time when the pull request was opened or last updated.
    const seen = await runChanges(given(git, isMerged, fail === undefined ? 'm2' : 'm1', fail));
    expect(filesOf(seen)).toEqual(['modified src/a.ts', 'added src/own.ts']);
    const names = git.git('diff', '--name-only', git.sha('m1'), git.sha('own 2')).split('\n');
    expect(filesOf(seen).map((file) => file?.split(' ')[1])).toEqual(names);
    const subjects = git.git(
      'log',
      '--reverse',
      '--format=%s',
      `${git.sha('m1')}..${git.sha('own 2')}`,
    );
    expect(subjectsOf(seen)).toEqual(subjects.split('\n'));
    expect(compared(seen)).toEqual(
      fail === undefined ? [] : [`${git.sha('m1')}...${git.sha('own 2')}`],
    );
    expect(warningsOf(seen)).toEqual([]);
  });
});

test.concurrent('all files of a pull request count, even if there are more than 300', async () => {
  const files = Object.fromEntries(Array.from({ length: 450 }, (_, n) => [`src/${n}.ts`, 'x']));
  using git = new GitRepository([
    ...history.slice(0, 3),
    { name: 'own 2', parents: ['m1'], files: { ...files, 'zzz/last.md': 'x' } },
  ]);
  const event = given(git, false, 'm1');
  const seen = await runChanges({ ...event, inputs: { paths: 'zzz/**' } });
  expect(filesOf(seen)).toEqual(['added zzz/last.md']);
  const skipped = await runChanges({ ...event, inputs: { paths: 'nothing/**' } });
  expect(skipped.result.outputs['outcome']).toBe('skipped');
});

test.concurrent('a pull request with 3,000 files is not skipped, because GitHub lists no more', async () => {
  const [open] = repositories;
  if (open === undefined) throw new Error('no repository');
  const event = given(open.git, false, 'm1');
  const files = Array.from({ length: 3_000 }, (_, n) => ({ filename: `src/${n}.ts` }));
  const seen = await runChanges({
    ...event,
    github: {
      ...event.github,
      pulls: { 5: { files, commits: event.github.pulls?.[5]?.commits ?? [] } },
    },
    inputs: { paths: 'nothing/**' },
  });
  expect(seen.prompt).toContain(
    'left out: GitHub lists only the first 3000 files of a pull request',
  );
});

test.concurrent('the log says where the files are from without the permission, and skipping works', async () => {
  const [open] = repositories;
  if (open === undefined) throw new Error('no repository');
  const event = given(open.git, false, 'm1', { status: 404 });
  const seen = await runChanges({ ...event, inputs: { paths: 'nothing/**' } });
  expect(seen.result.outputs['outcome']).toBe('skipped');
  expect(seen.result.stdout).toContain('`pull-requests: read` gives the exact list');
});

describe('the recipe for docs beside each pull request', () => {
  const recipe = examples.find(({ title }) => title.endsWith('Docs beside a pull request'));
  const rights = (name: string) =>
    recipe?.permissions[name] === 'read' || recipe?.permissions[name] === 'write';

  test.concurrent('sends the changes of the pull request with the permissions in the recipe', async () => {
    const merged = repositories.find(({ way }) => way === 'squashed');
    if (merged === undefined) throw new Error('no repository');
    const event = given(merged.git, true, 'm2');
    const inputs = recipe?.steps[0]?.with ?? {};
    const seen = await runChanges({
      ...event,
      github: {
        ...event.github,
        fail: (path) => {
          const isAllowed = path.includes('/pulls/') ? rights('pull-requests') : rights('contents');
          return isAllowed ? undefined : { status: 403 };
        },
      },
      inputs: { changes: String(inputs['changes']), paths: String(inputs['paths']) },
    });
    expect(filesOf(seen)).toEqual(['modified src/a.ts', 'added src/own.ts']);
    expect(warningsOf(seen)).toEqual([]);
    expect(recipe?.events).toEqual(['pull_request']);
  });
});

/** The advice of a step that sent nothing of a merged pull request, which has no later run. */
import { expect, test } from 'vitest';
import { GitRepository } from '../../support/git-repository.ts';
import type { FakePull } from '../../support/github-service.ts';
import { filesOf, type PlayOptions, playChanges } from '../../support/play.ts';
import { noGit, skipWhen } from '../../support/system.ts';

skipWhen(noGit);

const COMMITS = [
  { name: 'before', parents: [] },
  { name: 'merged', parents: ['before'], files: { 'src/a.ts': 'a' } },
  { name: 'main', parents: ['merged'], files: { 'src/later.ts': 'b' } },
];

interface Given {
  readonly promise: string;
  readonly inputs?: Readonly<Record<string, string>>;
  readonly pull?: Partial<FakePull>;
  readonly fail?: NonNullable<PlayOptions['github']>['fail'];
}

test.each<Given>([
  { promise: 'no file that `paths` selects', inputs: { paths: 'docs/**' } },
  { promise: 'a commit that `skip` leaves out', inputs: { skip: 'fix: *' } },
  { promise: 'no commit', pull: { commits: [], files: [] } },
  { promise: 'files that the token may not read', fail: forbidden },
  { promise: 'files that GitHub cannot list', fail: unavailable },
])('of a merged pull request with $promise works in one run', async (given) => {
  using git = new GitRepository(COMMITS);
  const [sha, base] = [git.sha('merged'), git.sha('before')];
  const files = [{ filename: 'src/a.ts', patch: '@@ -0,0 +1 @@\n+a' }];
  const commits = [{ sha, parents: [base], message: 'fix: a' }];
  const pull = { files, commits, head: sha, isMerged: true, ...given.pull };
  for (const since of ['auto', 'last-success']) {
    const closed = await playChanges({
      eventName: 'pull_request',
      sha,
      event: {
        action: 'closed',
        pull_request: { number: 7, merged: true, head: { sha }, base: { ref: 'main', sha: base } },
      },
      inputs: { since, ...given.inputs },
      github: { git, pulls: { 7: pull }, ...(given.fail && { fail: given.fail }) },
    });
    expect(closed.prompt).toBeUndefined();
    const said = closed.said.join('\n');
    expect(said).not.toMatch(/next run|push to the pull request|push a commit/i);
    expect(said).toMatch(/start a new run with .*`since` set to the commit before the first /i);
  }
  // The commit before the first one, by hand on the base branch, with another `paths` and `skip`.
  const sent = await playChanges({
    eventName: 'workflow_dispatch',
    sha: git.sha('main'),
    inputs: { since: base },
    github: { git },
  });
  expect(filesOf(sent)).toContain('added src/a.ts');
});

function forbidden(path: string) {
  const message = 'Resource not accessible by integration';
  return /\/pulls\//.test(path) ? { status: 403, body: { message } } : undefined;
}

function unavailable(path: string) {
  return /\/pulls\/7\/files/.test(path) ? { status: 502, body: '' } : undefined;
}

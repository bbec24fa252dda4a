/** Tags that a project moves to each new version, like `v3`: they are no start for that version. */
import { expect, test } from 'vitest';
import { GitRepository } from '../../support/git-repository.ts';
import { playChanges, ZERO } from '../../support/play.ts';
import { noGit, skipWhen } from '../../support/system.ts';

skipWhen(noGit);

const names = ['a', 'b', 'c'];
const commits = names.map((name, n) => ({ name, parents: names.slice(n - 1, n) }));

test.each([
  ['v3.1.0', ['v3']],
  ['v3.1.0', ['v3', 'v3.1']],
  ['v3.1.4', ['v3', 'v3.1']],
  ['v3.0.0', ['v3', 'v3.0']],
])('%s starts at the version before it, and not at %j on its own commit', async (tag, moved) => {
  const tags = [tag, ...moved].map((name) => ({ name, commit: 'c' }));
  using git = new GitRepository(commits, [{ name: 'v2.9.0', commit: 'a' }, ...tags]);
  const seen = await playChanges({
    eventName: 'push',
    sha: git.sha('c'),
    ref: `refs/tags/${tag}`,
    event: { before: ZERO },
    github: { git },
  });
  expect(seen.outputs['outcome']).toBe('started');
  expect(seen.prompt).toContain('from: v2.9.0\n');
});

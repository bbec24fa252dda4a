import { expect, test } from 'vitest';
import { compared, runChanges, subjectsOf, warningsOf, ZERO } from '../../support/changes-run.ts';
import { GitRepository } from '../../support/git-repository.ts';
import { line } from '../../support/github-service.ts';
import { noGit } from '../../support/system.ts';

const foreign = Array.from({ length: 1_000 }, (_, n) => ({ name: `nightly-${n}`, sha: 'c4' }));
const tags = [
  { name: 'v1.9.0', sha: 'c2' },
  { name: 'v1.10.0', sha: 'c3' },
  { name: 'v2.0.0', sha: 'c5' },
  { name: 'v2.0.0-rc.1', sha: 'c4' },
  { name: 'cli/v9', sha: 'c4' },
  ...foreign,
];
const newTag = { event: 'push', ref: 'refs/tags/v2.0.0' } as const;

test.concurrent('the block of a new tag starts at the tag before it, among any other tags', async () => {
  const seen = await runChanges({
    ...newTag,
    // `after` of an annotated tag is the tag's own object, not a commit.
    payload: { before: ZERO, after: 'tag-object' },
    github: { commits: line(5), tags },
  });
  expect(seen.requests).toEqual([
    '/repos/acme/app/git/matching-refs/tags/v',
    '/repos/acme/app/compare/v1.10.0...c5?per_page=100&page=1',
  ]);
  expect(subjectsOf(seen)).toEqual(['Subject 4', 'Subject 5']);
  expect(warningsOf(seen)).toEqual([]);
});

test.concurrent('the first tag of its kind is sent without changes, and a warning says why', async () => {
  const seen = await runChanges({
    ...newTag,
    payload: { before: ZERO },
    github: { commits: line(5), tags: [{ name: 'v2.0.0', sha: 'c5' }, ...foreign] },
    inputs: { paths: 'nothing/**' },
  });
  expect(seen.prompt).toContain('\nwhat happened: tag v2.0.0\n');
  expect(seen.prompt).not.toContain('commits (');
  expect(warningsOf(seen)[0]).toContain(
    'nothing to start from: there is no earlier tag whose name begins with `v`',
  );
});

test.concurrent('the block of a tag that was moved to another branch says that it was moved', async ({
  skip,
}) => {
  skip(noGit !== undefined, noGit);
  using git = new GitRepository(
    [
      { name: 'c1', parents: [] },
      { name: 'old', parents: ['c1'] },
      { name: 'new', parents: ['c1'] },
    ],
    { tags: [{ name: 'v2', commit: 'new', isAnnotated: true }] },
  );
  const seen = await runChanges({
    ...newTag,
    sha: git.sha('new'),
    payload: { before: git.sha('old') },
    github: { commits: [], git },
    inputs: { paths: 'nothing/**' },
  });
  expect(compared(seen)).toEqual([`${git.sha('old')}...${git.sha('new')}`]);
  expect(seen.result.stdout).toContain('the tag was moved to a commit that does not follow');
  expect(seen.result.stdout).not.toContain('force push');
  expect(subjectsOf(seen)).toEqual(['new']);
});

/** Where the changes start, and whether anything is left of them. Git judges. */
import { describe, expect, test } from 'vitest';
import { type GitCommit, GitRepository } from '../../support/git-repository.ts';
import { type Given, playChanges, subjectsOf, ZERO } from '../../support/play.ts';
import { noGit, skipWhen } from '../../support/system.ts';

skipWhen(noGit);

/** Commits in a line, each with a file of its own. */
const lineOf = (...names: readonly string[]): GitCommit[] =>
  names.map((name, n) => ({ name, parents: names.slice(Math.max(0, n - 1), n) }));

/** Plays a step on a repository. Its head is the commit of this name. */
async function playOn(git: GitRepository, head: string, given: Partial<Given>) {
  const seen = await playChanges({
    ...{ eventName: 'push', sha: git.sha(head), github: { git } },
    ...given,
  });
  const { said, outputs, warnings } = seen;
  return { outcome: outputs['outcome'], subjects: subjectsOf(seen), said, warnings, seen };
}

/** The subjects of the commits that git lists, oldest first. */
const logOf = (git: GitRepository, range: string) =>
  git.git('log', '--reverse', '--format=%s', range).split('\n').filter(Boolean);

const release = (tag_name: string) => ({ eventName: 'release', event: { release: { tag_name } } });
const releases = (...names: readonly string[]) =>
  names.map((tag_name) => ({ tag_name, published_at: '2026-11-01T00:00:00Z' }));

describe('with a branch that has the name of a tag', () => {
  // The release branch was continued after its tag.
  const commits = lineOf('one', 'two', 'three', '1.0.2', 'five');
  const world = () =>
    new GitRepository(commits, [
      { name: '1.0.2', commit: 'two', isAnnotated: true },
      { name: '1.0.3', commit: 'five' },
    ]);

  test.each([
    { what: 'a release', head: 'five', ...release('1.0.3') },
    {
      ...{ what: 'a new tag', head: 'five', ref: 'refs/tags/1.0.3', event: { before: ZERO } },
    },
    { what: '`since` that says which', head: 'five', inputs: { since: 'tags/1.0.2' } },
    { what: 'a `since` in full', head: 'five', inputs: { since: 'refs/tags/1.0.2' } },
  ])('$what starts at the tag', async ({ what: _, head, ...given }) => {
    using git = world();
    const github = { git, releases: releases('1.0.2', '1.0.3') };
    const { subjects, seen } = await playOn(git, head, { ...given, github });
    expect(subjects).toEqual(logOf(git, 'refs/tags/1.0.2..five'));
    // People read the name.
    expect(seen.prompt).toMatch(/^from: (?:refs\/)?(?:tags\/)?1\.0\.2$/m);
  });

  test('a `since` that names the branch starts there', async () => {
    using git = world();
    const given = { inputs: { since: 'heads/1.0.2' } };
    const { subjects } = await playOn(git, 'five', given);
    expect(subjects).toEqual(logOf(git, 'refs/heads/1.0.2..five'));
  });

  test('a `since` that names both stops the step, which says what to write', async () => {
    using git = world();
    const { outcome, said, seen } = await playOn(git, 'five', { inputs: { since: '1.0.2' } });
    expect([outcome, seen.agent.requests]).toEqual(['error', []]);
    expect(said.at(-1)).toContain('Write `tags/1.0.2` or `heads/1.0.2`.');
  });

  test('a release that is behind that branch is not skipped', async () => {
    using git = new GitRepository(lineOf('one', 'two', 'v1.0'), [
      { name: 'v1.0', commit: 'one' },
      { name: 'v2.0', commit: 'two' },
    ]);
    const github = { git, releases: releases('v1.0', 'v2.0') };
    const { subjects } = await playOn(git, 'two', { ...release('v2.0'), github });
    expect(subjects).toEqual(logOf(git, 'refs/tags/v1.0..refs/tags/v2.0'));
  });
});

describe('a start', () => {
  test.each([
    { since: 'v1', start: 'refs/tags/v1' },
    { since: 'old', start: 'refs/heads/old' },
    { since: 'HEAD of two', start: 'two' },
    { since: 'short', start: 'two' },
    { since: 'SHORT', start: 'two' },
  ])('that a person names as $since is what git takes for it', async ({ since, start }) => {
    const tags = [{ name: 'v1', commit: 'two', isAnnotated: true }];
    using git = new GitRepository([...lineOf('old', 'two', 'three', 'four')], tags);
    const id = git.sha('two');
    const ids: Readonly<Record<string, string>> = {
      ...{ 'HEAD of two': id.toUpperCase(), short: id.slice(0, 9) },
      SHORT: git.git('rev-parse', 'refs/tags/v1').trim(),
    };
    const { subjects } = await playOn(git, 'four', { inputs: { since: ids[since] ?? since } });
    expect(subjects).toEqual(logOf(git, `${start}..four`));
  });

  test('of a moved annotated tag is the commit of its old one', async () => {
    const tags = [{ name: 'old', commit: 'one', isAnnotated: true }];
    using git = new GitRepository([...lineOf('one', 'two', 'three')], tags);
    const before = git.git('rev-parse', 'refs/tags/old').trim();
    expect(git.git('cat-file', '-t', before).trim()).toBe('tag');
    const given = { ref: 'refs/tags/v1', event: { before } };
    const { subjects } = await playOn(git, 'three', given);
    expect(subjects).toEqual(logOf(git, 'one..three'));
  });

  test.each([
    { what: 'a push', event: { before: 'f'.repeat(40) } },
    { what: 'a moved tag', event: { before: 'f'.repeat(40) }, ref: 'refs/tags/v1' },
    { what: 'a name', event: { before: ZERO }, inputs: { since: 'f'.repeat(40) } },
  ])('of $what that is gone stops the step', async ({ what: _, ...given }) => {
    using git = new GitRepository(lineOf('one', 'two'));
    const { outcome, said, seen } = await playOn(git, 'two', given);
    expect([outcome, seen.agent.requests]).toEqual(['error', []]);
    expect(said.at(-1)).toContain('#the-start-of-the-changes-was-not-found');
  });

  test('of a release gives way to the one before, if its tag is gone or for no commit', async () => {
    using git = new GitRepository(lineOf('one', 'two', 'three'), [{ name: 'v1', commit: 'one' }]);
    const blob = git.git('rev-parse', 'one:one').trim();
    git.git('update-ref', 'refs/tags/v1.2', blob);
    const github = { git, releases: releases('v1', 'v1.1', 'v1.2', 'v2') };
    const { subjects, warnings } = await playOn(git, 'three', { ...release('v2'), github });
    expect([subjects, warnings]).toEqual([logOf(git, 'v1..three'), []]);
  });
});

describe('commits that change no file in the end', () => {
  const content = (text: string) => ({ files: { 'src/a.ts': text } });
  const histories: Readonly<Record<string, readonly GitCommit[]>> = {
    'an empty commit': [
      { name: 'base', parents: [], ...content('1') },
      { name: 'head', parents: ['base'], files: {} },
    ],
    'a change and its revert': [
      { name: 'base', parents: [], ...content('1') },
      { name: 'change', parents: ['base'], ...content('2') },
      { name: 'head', parents: ['change'], ...content('1') },
    ],
    'a merge that keeps its first side': [
      { name: 'base', parents: [], ...content('1') },
      { name: 'side', parents: ['base'], ...content('2') },
      { name: 'head', parents: ['base', 'side'], ...content('1') },
    ],
  };
  const changed: readonly GitCommit[] = [
    { name: 'base', parents: [], ...content('1') },
    { name: 'head', parents: ['base'], ...content('2') },
  ];

  test.each(Object.entries(histories))('are skipped: %s', async (_, commits) => {
    using git = new GitRepository(commits);
    expect(git.git('diff', '--name-only', 'base', 'head')).toBe('');
    const given = { event: { before: git.sha('base') } };
    const { outcome, seen } = await playOn(git, 'head', given);
    expect([outcome, seen.agent.requests]).toEqual(['skipped', []]);
    // Both folders are named in the comparison.
    expect(seen.requests).toEqual([expect.stringContaining('/compare/')]);
  });

  test('are sent where GitHub lists no file and the folders differ', async () => {
    using git = new GitRepository(changed);
    const compare = (base: string, head: string) => {
      const body = git.compare(base, head);
      return body && { ...body, files: [] };
    };
    const backend = { compare, refs: () => git.refs(), tree: (sha: string) => git.tree(sha) };
    const given = { event: { before: git.sha('base') }, github: { git: backend } };
    const { subjects, seen } = await playOn(git, 'head', given);
    expect(subjects).toEqual(['head']);
    expect(seen.prompt).toContain('- modified src/a.ts');
  });
});

describe('on random histories with tags and branches of the same names', () => {
  /** A generator of numbers below a limit. https://en.wikipedia.org/wiki/Linear_congruential_generator */
  const numbersFrom = (seed: number) => {
    let state = seed;
    return (limit: number) => {
      state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
      return Math.floor((state / 2 ** 32) * limit);
    };
  };

  test.each([3, 4, 5])(
    'a release tells the commits that git lists since the tag before (seed %i)',
    async (seed) => {
      const below = numbersFrom(seed);
      const commits: GitCommit[] = [{ name: 'n0', parents: [] }];
      for (let n = 1; n < 12; n += 1) {
        // Some take back what was there, and some are empty.
        const files = below(5) === 0 ? {} : { [`f${below(4)}`]: `${below(3)}` };
        commits.push({ name: `n${n}`, parents: [`n${below(n)}`], files });
      }
      const at = { 'v1.0': below(11), 'v1.1': below(11), 'v1.2': 11 };
      const tags = Object.entries(at).map(([name, n]) => ({
        ...{ name, commit: `n${n}`, isAnnotated: below(2) === 0 },
      }));
      // Branches beside the tags, each anywhere.
      const beside = Object.keys(at).map((name) => ({
        name,
        parents: [`n${below(12)}`],
        files: {},
      }));
      using git = new GitRepository([...commits, ...beside], tags);
      const github = { git, releases: releases(...Object.keys(at)) };
      const { outcome, subjects } = await playOn(git, 'n11', { ...release('v1.2'), github });
      const range = 'refs/tags/v1.1...refs/tags/v1.2';
      const left = git.git('diff', '--name-only', range);
      const right = logOf(git, 'refs/tags/v1.1..refs/tags/v1.2');
      expect([outcome, [...subjects].sort()]).toEqual(
        left === '' ? ['skipped', []] : ['started', [...right].sort()],
      );
    },
  );
});

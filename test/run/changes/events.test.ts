import { describe, expect, test } from 'vitest';
import { line } from '../../support/github-service.ts';
import { compared, type Given, playChanges, subjectsOf, ZERO } from '../../support/play.ts';

const commits = line(5);
const push: Given = {
  eventName: 'push',
  event: { before: 'c3', after: 'c5' },
  github: { commits },
};
const firstPush = { before: ZERO, repository: { default_branch: 'main' } };

// `after` of an annotated tag is the tag's own object, not a commit.
const newTag: Given = {
  eventName: 'push',
  ref: 'refs/tags/v2.0.0',
  event: { before: ZERO, after: 'tag-object' },
  github: { commits, tags: [{ name: 'v2.0.0', sha: 'c5' }] },
};

const tags = Object.entries({ 'v1.0.0': 'c1', 'v2.0.0-rc.1': 'c3', '@acme/cli@1.0.0': 'c4' });
/** The release of a tag of c5, behind those of other tags. */
const release = (tag_name: string): Given => ({
  eventName: 'release',
  ref: `refs/tags/${tag_name}`,
  event: {
    action: 'published',
    release: { tag_name, name: 'Spring', body: '## New\r\n\r\n- retries' },
  },
  github: {
    commits,
    tags: [['v2.0.0', 'c5'] as const, ...tags].map(([name = '', sha = '']) => ({ name, sha })),
    releases: tags.map(([name]) => ({
      tag_name: name,
      published_at: '2026-01-01T00:00:00Z',
      prerelease: name.includes('-'),
    })),
  },
});

const mergeGroup: Given = {
  eventName: 'merge_group',
  ref: 'refs/heads/gh-readonly-queue/main/pr-5-c5',
  event: { merge_group: { base_sha: 'c3', head_sha: 'c5' } },
  github: { commits },
};

describe('the block starts', () => {
  const rows: readonly (Given & {
    readonly promise: string;
    readonly base: string;
    readonly to?: string;
  })[] = [
    { ...push, promise: 'for a push at the commit before it', base: 'c3' },
    {
      ...push,
      promise: 'for the push of a new branch at the default branch',
      ref: 'refs/heads/feature',
      event: firstPush,
      github: { commits, refs: { main: 'c3' } },
      base: 'main',
    },
    {
      ...push,
      promise: 'at `since` when that is given',
      inputs: { since: 'release/1.x' },
      github: { commits, refs: { 'release/1.x': 'c3' } },
      base: 'release/1.x',
    },
    {
      ...newTag,
      promise: 'for a new tag at the tag before it',
      github: {
        commits,
        tags: Object.entries({
          'v1.9.0': 'c2',
          'v1.10.0': 'c3',
          'v2.0.0': 'c5',
          'cli/v9': 'c4',
        }).map(([name, sha]) => ({ name, sha })),
      },
      base: 'v1.10.0',
      to: 'v2.0.0',
    },
    { ...mergeGroup, promise: 'for a merge group at its base', base: 'c3' },
    // Its branch has a new name each time, so no earlier run has a record on it.
    {
      ...mergeGroup,
      promise: 'for a merge group at its base under `last-success` as well',
      inputs: { since: 'last-success' },
      base: 'c3',
    },
  ];
  test.concurrent.each(rows)('$promise', async ({ base, to = 'c5', ...given }) => {
    const seen = await playChanges(given);
    // By its id: a branch may have the name of a tag.
    expect(compared(seen)).toEqual(['c3...c5']);
    expect(seen.prompt).toContain(`compare: https://github.com/acme/app/compare/${base}...${to}\n`);
    expect(subjectsOf(seen)).toEqual(['Subject 4', 'Subject 5']);
    expect([seen.outputs['outcome'], seen.warnings]).toEqual(['started', []]);
    expect([...seen.authorizations]).toEqual(['token ghs_local']);
  });

  test.concurrent('for a final release at the last final one, and holds its tags and notes', async () => {
    const seen = await playChanges(release('v2.0.0'));
    expect(compared(seen)).toEqual(['c1...c5']);
    expect(seen.prompt).toContain('\nwhat happened: release v2.0.0 (Spring)\n');
    expect(seen.prompt).toContain('/compare/v1.0.0...v2.0.0\nfrom: v1.0.0\nto: v2.0.0\n');
    expect(seen.prompt).toContain('\nrelease notes:\n    ## New\n\n    - retries\n');
  });
});

describe('without an earlier one', () => {
  test.concurrent('a tag is skipped, with a warning', async () => {
    const seen = await playChanges(newTag);
    expect([seen.outputs['outcome'], seen.prompt]).toEqual(['skipped', undefined]);
    expect(seen.warnings).toEqual([
      expect.stringContaining('nothing to start from: there is no earlier tag like `v2.0.0`'),
    ]);
  });

  test.concurrent('a release goes out with its notes, and with a warning', async () => {
    const given = release('@acme/lib@1.0.0');
    const seen = await playChanges({ ...given, inputs: { paths: 'nothing/**' } });
    expect(seen.prompt).toContain('\nwhat happened: release @acme/lib@1.0.0 (Spring)\n');
    expect(seen.prompt).toContain('\nrelease notes:\n    ## New\n');
    expect(seen.prompt).not.toContain('commits (');
    expect(seen.warnings).toEqual([
      expect.stringContaining('there is no earlier release like `@acme/lib@1.0.0`'),
    ]);
  });
});

describe('what is left since the common commit is sent, and the block says so, after', () => {
  test.concurrent.each([
    {
      promise: 'a force push',
      ref: 'refs/heads/main',
      says: 'commits were removed by a force push',
    },
    {
      promise: 'the move of a tag',
      ref: 'refs/tags/v2',
      says: 'the tag was moved to a commit that does not follow',
    },
  ])('$promise', async ({ ref, says }) => {
    const seen = await playChanges({
      ...push,
      ref,
      event: { before: 'x1', forced: true },
      github: { commits: [...commits, { sha: 'x1', parents: ['c4'] }] },
    });
    expect(subjectsOf(seen)).toEqual(['Subject 5']);
    expect(seen.prompt).toContain(says);
    expect(seen.result.stdout).toContain(says);
    expect(seen.result.stdout.includes('force push')).toBe(ref === 'refs/heads/main');
  });
});

test.concurrent('the block has all commits and files, also those that GitHub lists on no first page', async () => {
  const seen = await playChanges({
    ...push,
    event: { before: 'c1' },
    sha: 'c302',
    github: { commits: line(302) },
  });
  expect(subjectsOf(seen)).toEqual(Array.from({ length: 301 }, (_, n) => `Subject ${n + 2}`));
  expect(seen.prompt).toContain('files (301 of 301)');
  expect(seen.prompt).not.toContain('left out: GitHub lists only');
  expect(seen.requests.length).toBeLessThanOrEqual(12);
});

test.concurrent('no request is sent to GitHub without `changes` or `paths`', async () => {
  const seen = await playChanges({ ...push, inputs: { changes: 'none' } });
  expect([seen.prompt, seen.requests]).toEqual(['Document it.', []]);
});

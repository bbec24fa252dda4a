import { expect, test } from 'vitest';
import { compared, runChanges, subjectsOf, warningsOf } from '../../support/changes-run.ts';
import { line } from '../../support/github-service.ts';

const release = (tag_name: string, more = {}) => ({
  tag_name,
  published_at: '2026-01-01T00:00:00Z',
  ...more,
});
const tags = [
  { name: 'v1.0.0', sha: 'c1' },
  { name: 'v2.0.0-rc.1', sha: 'c3' },
  { name: 'v2.0.0-rc.2', sha: 'c5' },
  { name: 'v2.0.0', sha: 'c5' },
  { name: '@acme/cli@1.0.0', sha: 'c4' },
];
const published = (tag_name: string, prerelease: boolean, releases: readonly string[]) =>
  ({
    event: 'release',
    ref: `refs/tags/${tag_name}`,
    payload: { action: 'published', release: { tag_name, prerelease, draft: false } },
    github: {
      commits: line(5),
      tags,
      releases: releases.map((tag) => release(tag, { prerelease: tag.includes('-') })),
    },
  }) as const;
const all = ['v2.0.0', 'v2.0.0-rc.2', '@acme/cli@1.0.0', 'v2.0.0-rc.1', 'v1.0.0'];

test.concurrent('the block of a final release starts at the last final one, not at a candidate', async () => {
  const seen = await runChanges(published('v2.0.0', false, all));
  expect(compared(seen)).toEqual(['v1.0.0...c5']);
  expect(subjectsOf(seen)).toEqual(['Subject 2', 'Subject 3', 'Subject 4', 'Subject 5']);
});

test.concurrent('the block of a release names it by its tags, and holds its notes', async () => {
  const given = published('v2.0.0', false, all);
  const release = { ...given.payload.release, name: 'Spring', body: '## New\r\n\r\n- retries' };
  const { prompt } = await runChanges({ ...given, payload: { ...given.payload, release } });
  for (const lines of [
    '\nwhat happened: release v2.0.0 (Spring)\n',
    '\ncompare: https://github.com/acme/app/compare/v1.0.0...v2.0.0\nfrom: v1.0.0\nto: v2.0.0\n',
    '\nrelease notes:\n    ## New\n\n    - retries\n',
  ]) {
    expect(prompt).toContain(lines);
  }
});

test.concurrent('the block of a candidate starts at the candidate before it', async () => {
  const seen = await runChanges(published('v2.0.0-rc.2', true, all.slice(1)));
  expect(compared(seen)).toEqual(['v2.0.0-rc.1...c5']);
});

test.concurrent('the first release of a package is sent without changes, and a warning says why', async () => {
  const given = published('@acme/cli@1.0.0', false, all);
  const seen = await runChanges({ ...given, sha: 'c4', inputs: { paths: 'nothing/**' } });
  expect(seen.prompt).toContain('\nwhat happened: release @acme/cli@1.0.0\n');
  expect(seen.prompt).not.toContain('commits (');
  expect(warningsOf(seen)[0]).toContain(
    'there is no earlier release whose tag begins with `@acme/cli@`',
  );
});

test.concurrent('a list of releases that is cut in its body is requested again', async () => {
  const given = published('v2.0.0', false, all);
  let answers = 0;
  const seen = await runChanges({
    ...given,
    github: {
      ...given.github,
      fail: (path) => {
        answers += path.includes('/releases') ? 1 : 0;
        const isCut = path.includes('/releases') && answers === 1;
        return isCut
          ? { status: 200, body: '[{"tag_name"', headers: { 'content-length': 9_999 } }
          : undefined;
      },
    },
  });
  expect(answers).toBe(2);
  expect(compared(seen)).toEqual(['v1.0.0...c5']);
});

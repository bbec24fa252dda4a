import { expect, test } from 'vitest';
import { compared, runChanges, warningsOf } from '../../support/changes-run.ts';
import { line } from '../../support/github-service.ts';

const mergeGroup = {
  event: 'merge_group',
  ref: 'refs/heads/gh-readonly-queue/main/pr-5-c3',
  payload: { merge_group: { base_sha: 'c3', head_sha: 'c4' } },
  sha: 'c4',
} as const;

test.concurrent('the block of a merge group starts at its base', async () => {
  const seen = await runChanges({ ...mergeGroup, github: { commits: line(5) } });
  expect(compared(seen)).toEqual(['c3...c4']);
});

// A merge group's branch has a new name each time, so no earlier run has a record on it.
test.concurrent('under `last-success` the block of a merge group starts at its base as well', async () => {
  const seen = await runChanges({
    ...mergeGroup,
    inputs: { since: 'last-success' },
    github: { commits: line(5) },
  });
  expect(compared(seen)).toEqual(['c3...c4']);
  expect(warningsOf(seen)).toEqual([]);
});

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

// A merge group's branch has a new name each time, so no run has succeeded on it before.
test.concurrent('a merge group has no last successful run to start from', async () => {
  const seen = await runChanges({
    ...mergeGroup,
    inputs: { since: 'last-success' },
    github: {
      commits: line(5),
      runs: [
        { id: 500, run_number: 10, head_sha: 'c4', head_branch: 'gh-readonly-queue/main/pr-5-c3' },
        {
          id: 400,
          run_number: 9,
          head_sha: 'c3',
          head_branch: 'gh-readonly-queue/main/pr-4-c2',
          conclusion: 'success',
        },
      ],
    },
  });
  expect(seen.prompt).toBe('Document it.');
  expect(warningsOf(seen)[0]).toContain('this workflow has not succeeded on this branch before');
});

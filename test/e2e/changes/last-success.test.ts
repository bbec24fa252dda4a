import { describe, expect, test } from 'vitest';
import { compared, runChanges, subjectsOf, warningsOf } from '../../support/changes-run.ts';
import { line } from '../../support/github-service.ts';

const main = line(5);
const current = { id: 500, run_number: 10, head_sha: 'c5', conclusion: 'in_progress' };
const success = (run_number: number, head_sha: string, more = {}) => ({
  id: 400 + run_number,
  run_number,
  head_sha,
  conclusion: 'success',
  ...more,
});

test.concurrent('the block of a scheduled run starts at the last success and contains the changes of failed runs', async () => {
  const seen = await runChanges({
    event: 'schedule',
    github: {
      commits: main,
      runs: [
        current,
        success(9, 'c4', { conclusion: 'failure' }),
        success(8, 'c3', { conclusion: 'cancelled' }),
        success(7, 'c2'),
        success(6, 'c1'),
      ],
    },
  });
  expect(compared(seen)).toEqual(['c2...c5']);
  expect(subjectsOf(seen)).toEqual(['Subject 3', 'Subject 4', 'Subject 5']);
});

describe('the last successful run', () => {
  test.concurrent('for a re-run is the one before it, not itself or a later one', async () => {
    const seen = await runChanges({
      event: 'schedule',
      sha: 'c3',
      github: {
        commits: main,
        runs: [
          { ...current, run_number: 5, head_sha: 'c3' },
          success(6, 'c4'),
          success(5, 'c3', { id: 499 }),
          success(4, 'c2'),
        ],
      },
    });
    expect(compared(seen)).toEqual(['c2...c3']);
  });

  test.concurrent("is not one of a fork's branch with the same name, nor of another branch", async () => {
    const forks = Array.from({ length: 120 }, (_, n) =>
      success(900 - n, 'c4', { head_repository: { full_name: 'stranger/app' } }),
    );
    const seen = await runChanges({
      event: 'schedule',
      github: {
        commits: main,
        runs: [
          { ...current, run_number: 1_000 },
          ...forks,
          success(8, 'c4', { head_repository: null }),
          success(7, 'c4', { head_branch: 'other' }),
          success(6, 'c1'),
        ],
      },
    });
    expect(compared(seen)).toEqual(['c1...c5']);
  });

  test.concurrent('is not one whose commit no longer leads to this one', async () => {
    const seen = await runChanges({
      event: 'schedule',
      github: {
        commits: [...main, { sha: 'x1', parents: ['c2'] }],
        runs: [current, success(9, 'gone'), success(8, 'x1'), success(7, 'c2')],
      },
    });
    expect(compared(seen)).toEqual(['gone...c5', 'x1...c5', 'c2...c5']);
    expect(subjectsOf(seen)).toEqual(['Subject 3', 'Subject 4', 'Subject 5']);
  });

  test.concurrent('does not exist, and the agent job is created without the block', async () => {
    const seen = await runChanges({
      event: 'schedule',
      inputs: { since: 'last-success', paths: 'docs/**' },
      github: { commits: main, runs: [current] },
    });
    expect(seen.prompt).toBe('Document it.');
    expect(warningsOf(seen)[0]).toContain('this workflow has not succeeded on this branch before');
  });
});

/** Commits and the pull requests behind them, as GitHub returns them. */
import type { CodePull, Commit } from '../../src/github/github.ts';

export const commitOf = (message: string, sha = '0123456789abcdef'): Commit => ({
  sha,
  commit: { message },
});

/** A merged pull request. */
export const pullOf = (more: Partial<CodePull> = {}): CodePull => ({
  ...{ number: 1, title: 'T', body: '', author: 'octocat', labels: [] },
  ...{ isMerged: true, mergedAt: '2026-01-01T00:00:00Z', mergeCommit: undefined },
  ...more,
});

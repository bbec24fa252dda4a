/** Why nothing had to be sent. */
export const SKIPPED = {
  covered: 'An earlier run sent these changes or left them out.',
  'not-on-branch':
    'This commit is no longer on its branch: a force push removed it, or the branch was deleted.',
  'branch-deleted': 'This push deleted the branch.',
  'merge-group': 'The push after the merge sends these changes.',
  'no-changes': 'The commits leave every file as it was.',
  'no-matching-files': 'No changed file matches `paths`.',
  'all-skipped': 'Every commit is left out by `skip` or its built-in rules.',
  'no-start':
    'Neither the event nor an earlier run says where the changes start. To set it yourself, start a new run with `since`.',
  'since-ahead': "`since` is ahead of this run's commit.",
  'all-documented': "`since` is this run's commit, so everything up to it is documented.",
  'in-doubt': 'A newer run may have sent these changes. Its error says what to check.',
  'no-secrets':
    'GitHub gives no secrets to forks, pull requests from forks, or Dependabot, so `adminApiKey` is empty.',
} as const;

export type SkipReason = keyof typeof SKIPPED;

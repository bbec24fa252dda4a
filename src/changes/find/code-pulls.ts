/** Finds the pull requests behind the commits of a range, which say why a change was made. */

import { pullOfEvent } from '../../github/event.ts';
import type { CodePull, Commit, CommitToAsk, GitHub, PullsOfCommit } from '../../github/github.ts';
import type { CodePulls, KnownChanges } from './found.ts';

/** The most commits to ask about, newest first. */
export const MAX_ASKED = 300;

/**
 * Finds the pull request behind each commit. Never stops the run: the result says what is missing.
 * Rejects only with the signal's reason.
 */
export async function findCodePulls(
  github: Pick<GitHub, 'pullsBehind'>,
  { event, commits }: Pick<KnownChanges, 'event' | 'commits'>,
): Promise<CodePulls> {
  const none = new Map<string, CodePull>();
  if (commits.length === 0) return { byCommit: none, missing: undefined };
  const behind = await github.pullsBehind(commits.slice(-MAX_ASKED).map(questionOf));
  if (behind === undefined) {
    const reason = "GitHub's GraphQL API is not there";
    return { byCommit: none, missing: { isForbidden: false, reason } };
  }
  const { found, error } = behind;
  return {
    byCommit: pullsByCommit(found, pullOfEvent(event)?.number),
    missing: error && { isForbidden: error.kind === 'forbidden', reason: error.message },
  };
}

/** The numbers that GitHub writes into the subjects of merge commits and squashed commits. */
const SQUASHED = /\(#([1-9]\d{0,8})\)$/;
const MERGED = /^Merge pull request #([1-9]\d{0,8})\b/;

/** The first line of a commit's message. */
export const subjectOf = ({ commit }: Pick<Commit, 'commit'>) =>
  commit.message
    .trimStart()
    .split(/\r\n|\r|\n/, 1)[0]
    ?.trimEnd() ?? '';

/** The pull request that a commit's subject names. GitHub may take seconds to list it. */
export function numberIn(subject: string): number | undefined {
  const [, digits] = MERGED.exec(subject) ?? SQUASHED.exec(subject.slice(-20)) ?? [];
  return digits === undefined ? undefined : Number(digits);
}

const questionOf = (commit: Commit): CommitToAsk => ({
  sha: commit.sha,
  named: numberIn(subjectOf(commit)),
});

function pullsByCommit(
  found: readonly PullsOfCommit[],
  ownNumber: number | undefined,
): ReadonlyMap<string, CodePull> {
  const pulls = new Map<string, CodePull>();
  for (const one of found) {
    const pull = pullBehind(one, ownNumber);
    if (pull !== undefined) pulls.set(one.sha, pull);
  }
  return pulls;
}

/**
 * Picks a commit's pull request. Of several merged ones (a feature, then `develop` into `main`), it
 * is the one that became this commit, or else the one merged first. If GitHub lists none, the one
 * that the subject names counts, unless it became another commit. Of unmerged ones, only the
 * event's own counts.
 */
export function pullBehind(
  { sha, listed, named }: PullsOfCommit,
  ownNumber?: number,
): CodePull | undefined {
  const merged = listed.filter(({ isMerged }) => isMerged);
  const exact = merged.find(({ mergeCommit }) => mergeCommit === sha);
  if (exact !== undefined) return exact;
  const [first] = [...merged].sort((a, b) => (a.mergedAt < b.mergedAt ? -1 : 1));
  if (first !== undefined) return first;
  const isThis = named?.mergeCommit === undefined || named.mergeCommit === sha;
  if (named?.isMerged && isThis) return named;
  return listed.find(({ number }) => number === ownNumber);
}

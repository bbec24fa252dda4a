/** The pull requests behind the commits of a range: they say why a change was made. */
import type { CodePull, Commit, CommitToAsk, GitHub, PullsOfCommit } from '../../github/github.ts';
import { pullOfEvent } from './event.ts';
import type { CodePulls, KnownChanges } from './found.ts';

/** At most so many commits are asked about, the newest ones. */
export const MAX_ASKED = 300;

/**
 * The pull request behind each commit. Never stops the run: what is missing is said in the result.
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

/** The numbers that GitHub writes into the subjects of merges and of squashed commits. */
const SQUASHED = /\(#([1-9]\d{0,8})\)$/;
const MERGED = /^Merge pull request #([1-9]\d{0,8})\b/;

/** The first line of a commit's message. */
export const subjectOf = ({ commit }: Pick<Commit, 'commit'>) =>
  commit.message
    .trimStart()
    .split(/\r\n|\r|\n/, 1)[0]
    ?.trimEnd() ?? '';

/** The pull request that the subject of a commit names. GitHub may need seconds to list it. */
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
 * Of several merged pull requests (a feature, then `develop` into `main`) the one that became this
 * commit, else the one that was merged first. The one that the subject names counts where GitHub
 * lists none, if it became this commit, or GitHub does not know yet which commit it became. Of those
 * that are not merged only the event's own counts.
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

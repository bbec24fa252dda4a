/** Whether what a follow-up message asked for has certainly reached the agent job's pull request. */
import type { PullRequestCommit } from '../github/github.ts';
import type { Fate } from '../model/agent-job.ts';
import { reachableFrom } from '../model/commits.ts';
import { type Added, CALL_OVER_MS } from '../model/record.ts';
import type { PullState, Pulls } from './pulls.ts';

/** What this step itself has seen of the agent job. Times are ms since 1970. */
export interface Watch {
  /** When it was last seen `active` since the message. */
  readonly lastActiveMs: number | undefined;
  readonly nowMs: number;
}

export type AdditionFound =
  | { readonly kind: 'unknown'; readonly reason: string }
  | {
      readonly kind: 'known';
      readonly fate: Extract<Fate, 'covered' | 'missed' | 'uncertain'>;
      readonly pull: KnownPull;
      /** `undefined` when the commit before the message is not among those of the pull request. */
      readonly hasAgentCommit: boolean | undefined;
    };

type KnownPull = Exclude<PullState, { kind: 'unknown' }>;

/**
 * Looks at the pull request of an agent job that has ended well after a follow-up message. Throws a
 * `GitHubError` when GitHub fails, but not when it does not show the pull request to the token.
 */
export async function findAddition(
  pulls: Pulls,
  link: string,
  added: Added,
  watch: Watch,
): Promise<AdditionFound> {
  const pull = await pulls.read(link);
  if (pull.kind === 'unknown') return pull;
  const isSame = added !== 'missed' && added.number === pull.number;
  const commits = isSame ? await pulls.commits(pull) : [];
  if ('kind' in commits) return commits;
  const hasAgentCommit = isSame ? hasAgentCommitAfter(commits, added.head) : undefined;
  const fate = fateOfAddition(added, pull, hasAgentCommit, watch);
  return { kind: 'known', fate, pull, hasAgentCommit };
}

/** Certain by what the agent itself did: others push to its pull request, too. */
export function fateOfAddition(
  added: Added,
  pull: Pick<KnownPull, 'kind' | 'number' | 'endedMs'>,
  hasAgentCommit: boolean | undefined,
  { lastActiveMs, nowMs }: Watch,
): Extract<Fate, 'covered' | 'missed' | 'uncertain'> {
  if (added === 'missed') return 'missed';
  if (pull.number !== added.number) return 'covered';
  const isLate = (ms: number) => ms - added.at * 1_000 > CALL_OVER_MS;
  if (pull.kind === 'open') {
    const isCertain = lastActiveMs !== undefined || hasAgentCommit === true || isLate(nowMs);
    return isCertain ? 'covered' : 'uncertain';
  }
  const endedMs = pull.endedMs ?? nowMs;
  // The agent was not done, whatever it had pushed by then.
  if (lastActiveMs !== undefined && lastActiveMs > endedMs) return 'missed';
  return hasAgentCommit || isLate(endedMs) ? 'covered' : 'missed';
}

/**
 * Whether the agent has committed after `head`: a commit with one parent that is not reachable from
 * it, and whose author is that of the pull request's first commit. `undefined` when `head` is not
 * among the commits: the branch was rewritten, or GitHub does not list all of them.
 */
export function hasAgentCommitAfter(
  commits: readonly PullRequestCommit[],
  head: string,
): boolean | undefined {
  const before = reachableFrom([head], commits);
  if (!before.has(head)) return undefined;
  const [first] = commits;
  const agent = first && authorOf(first);
  return commits.some(
    (commit) =>
      !before.has(commit.sha) &&
      commit.parents.length === 1 &&
      agent !== undefined &&
      authorOf(commit) === agent,
  );
}

/** The account, or the email address of a commit whose author GitHub does not know. */
const authorOf = ({ author, commit }: PullRequestCommit) =>
  author?.login ?? commit.author?.email ?? undefined;

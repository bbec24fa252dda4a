/** The agent jobs of the service, and the docs pull requests that they open, at any moment. */
import type { PullRequest, PullRequestCommit } from '../../../src/github/github.ts';
import type { Attempt, Run } from './world.ts';

export const SECOND = 1_000;
export const MINUTE = 60 * SECOND;
export const HOUR = 60 * MINUTE;
export const NEVER = Number.POSITIVE_INFINITY;

/** One prompt that the service accepted. Times are the world's. */
export interface Unit {
  readonly job: AgentJob;
  readonly run: Run;
  readonly attempt: Attempt;
  /** The commits of which the prompt tells. */
  readonly commits: ReadonlySet<number>;
  readonly at: number;
  /** The agent job reads as it was before a message until the agent begins. */
  readonly startsAt: number;
  /** When the agent pushes to its pull request. None: it changed no file. */
  readonly pushes: readonly number[];
  readonly endsAt: number;
  readonly fate: 'completed' | 'failed' | 'archived';
}

/** What others do to the pull request. */
interface Deed {
  readonly at: number;
  readonly what: 'push' | 'merge-base' | 'agent-merges-base' | 'rewrite';
}

export interface AgentJob {
  readonly number: number;
  readonly id: string;
  /** The first one created it. */
  readonly units: Unit[];
  /** Until then the service does not know it yet. */
  readonly shownFrom: number;
  /** When the service forgets it. */
  forgottenAt: number;
  readonly deeds: Deed[];
  /** When, and how, its pull request is merged or closed. */
  endedAt: number;
  isMerged: boolean;
}

/** When the pull request is opened: when the agent is done with the first prompt. */
export function openedAt({ units: [first] }: AgentJob): number {
  if (first === undefined || first.fate === 'failed' || first.pushes.length === 0) return NEVER;
  return first.endsAt;
}

/** Whether all that the agent wrote reached the pull request before it was merged or closed. */
export function hasReached({ job, pushes }: Unit): boolean {
  return pushes.every((at) => at <= job.endedAt);
}

/** Whether what the agent did counts: it did all of its work, and that reached people. */
export const isGood = (unit: Unit): boolean => unit.fate !== 'failed' && hasReached(unit);

export const isMessage = (unit: Unit) => unit !== unit.job.units[0];

/** The agent job as the service shows it. */
export function shown(job: AgentJob, at: number) {
  const begun = job.units.filter(({ startsAt }) => startsAt <= at);
  const unit = begun.at(-1);
  const isAtWork = begun.some(({ endsAt }) => at < endsAt);
  const status = unit === undefined || isAtWork ? 'active' : unit.fate;
  const isLinked = status !== 'active' && openedAt(job) <= at;
  const prLink = isLinked ? `https://github.com/acme/docs/pull/${job.number}` : null;
  return { id: job.id, status, prLink };
}

export const pullState = (job: AgentJob, at: number): 'none' | 'open' | 'ended' =>
  openedAt(job) > at ? 'none' : job.endedAt > at ? 'open' : 'ended';

export function pullOf(job: AgentJob, at: number): PullRequest {
  const head = { sha: pullCommits(job, at).at(-1)?.sha ?? '' };
  if (pullState(job, at) === 'open') return { state: 'open', head };
  const closed_at = dateOf(job.endedAt);
  return { state: 'closed', head, closed_at, ...(job.isMerged && { merged_at: closed_at }) };
}

export const EPOCH = Date.UTC(2026, 0, 1);
export const dateOf = (at: number) => new Date(EPOCH + at).toISOString();

/** The commits of the pull request, oldest first. A rewrite gives all of them new ids. */
export function pullCommits(job: AgentJob, at: number): readonly PullRequestCommit[] {
  const until = Math.min(at, job.endedAt);
  const own = job.units.flatMap(({ pushes }) =>
    pushes.map((push) => ({ at: push, what: 'agent' })),
  );
  const changes = [...own, ...job.deeds].filter((one) => one.at <= until);
  changes.sort((a, b) => a.at - b.at);
  let commits: { id: string; what: string }[] = [];
  let rewrites = 0;
  for (const { what } of changes) {
    if (what === 'rewrite') {
      rewrites += 1;
      commits = commits.map((one, index) => ({ ...one, id: pullSha(job, rewrites, index) }));
    } else commits.push({ id: pullSha(job, rewrites, commits.length), what });
  }
  return commits.map(({ id, what }, index) => {
    const merged = what.endsWith('base') ? [{ sha: pullSha(job, 99, index) }] : [];
    const author = { login: what.startsWith('agent') ? 'mintlify[bot]' : 'octocat' };
    const parent = commits[index - 1]?.id ?? pullSha(job, 99, 99);
    return { sha: id, parents: [{ sha: parent }, ...merged], commit: {}, author };
  });
}

const pullSha = ({ number }: AgentJob, rewrites: number, index: number) =>
  `${1_000_000 * number + 1_000 * rewrites + index}`.padStart(40, 'b');

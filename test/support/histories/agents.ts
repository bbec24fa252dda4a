/** What the service and GitHub show about agent jobs and their pull requests, at any moment. */
import type { Comparison, PullRequest } from '../../../src/github/github.ts';
import type { AgentJob, Unit } from './facts.ts';

export const SECOND = 1_000;
export const MINUTE = 60 * SECOND;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;
export const NEVER = Number.POSITIVE_INFINITY;

/** When the pull request is opened: once the agent is done with the first prompt. */
export function openedAt({ units: [first], archivedAt }: AgentJob): number {
  if (first === undefined || first.fate === 'failed' || first.pushes.length === 0) return NEVER;
  return first.endsAt <= archivedAt ? first.endsAt : NEVER;
}

/** Whether everything the agent wrote reached the pull request before it was merged or closed. */
export function hasReached({ job, pushes }: Unit): boolean {
  return pushes.every((at) => at <= job.endedAt);
}

/** Whether a person archived the agent job before the agent was done with this. */
export const isCutShort = ({ job, endsAt }: Unit) => job.archivedAt < endsAt;

/** Whether the agent's work counts: it is complete and reached people. */
export const isGood = (unit: Unit): boolean =>
  unit.fate !== 'failed' && !isCutShort(unit) && hasReached(unit);

export const isMessage = (unit: Unit) => unit !== unit.job.units[0];

/** Everything the agent works on, in order. */
export const workOf = ({ units, asides }: AgentJob) =>
  [...units, ...asides].sort((a, b) => a.startsAt - b.startsAt);

/** The agent job as the service shows it. */
export function shown(job: AgentJob, at: number) {
  const begun = workOf(job).filter(({ startsAt }) => startsAt <= at);
  const last = begun.at(-1);
  const isAtWork = begun.some(({ endsAt }) => at < endsAt);
  const fate = last === undefined || isAtWork ? 'active' : last.fate;
  const isArchived = job.archivedAt < NEVER && job.archivedAt <= at;
  const status = isArchived ? 'archived' : fate;
  const isLinked = status !== 'active' && openedAt(job) < NEVER && openedAt(job) <= at;
  const prLink = isLinked ? `https://github.com/acme/docs/pull/${job.number}` : null;
  return { id: job.id, status, prLink };
}

export const pullState = (job: AgentJob, at: number): 'none' | 'open' | 'ended' =>
  openedAt(job) > at ? 'none' : job.endedAt > at ? 'open' : 'ended';

export function pullOf(job: AgentJob, at: number): PullRequest {
  const head = { sha: headAt(job, at) };
  if (pullState(job, at) === 'open') return { state: 'open', head };
  const closed_at = dateOf(job.endedAt);
  return { state: 'closed', head, closed_at, ...(job.isMerged && { merged_at: closed_at }) };
}

export const EPOCH = Date.UTC(2026, 0, 1);
export const dateOf = (at: number) => new Date(EPOCH + at).toISOString();

/**
 * The head of the pull request. Its ID encodes the agent job, how often its branch was rewritten,
 * and how many commits it has.
 */
function headAt(job: AgentJob, at: number): string {
  const until = Math.min(at, job.endedAt);
  const pushes = workOf(job)
    .flatMap((work) => work.pushes)
    .filter((push) => push <= Math.min(until, job.archivedAt));
  const deeds = job.deeds.filter((deed) => deed.at <= until);
  const rewrites = deeds.filter(({ what }) => what === 'rewrite').length;
  const commits = pushes.length + deeds.length - rewrites;
  return `${1_000_000 * job.number + 1_000 * rewrites + commits}`.padStart(40, 'b');
}

/** How two heads of one pull request relate. `base` is the older one. */
export function pullStatus(base: string, head: string): Comparison['status'] {
  const branchOf = (sha: string) => sha.slice(0, -3);
  if (base === head) return 'identical';
  return branchOf(base) === branchOf(head) ? 'ahead' : 'diverged';
}

import { MESSAGE_GRACE_MS } from '../effects/retry.ts';
import type { Judge } from '../model/agent-job.ts';
import { cameToNothing, fateOf, isActive, type Job } from '../model/agent-job.ts';
import { findAddition } from './addition.ts';
import type { Pulls } from './pulls.ts';

/** What a single read of an agent job gives. `undefined`: the service does not know it. */
export type JobRead = Job | { readonly error: string } | undefined;

/** What this run has read of an agent job. */
interface Seen {
  readonly job: Job;
  /** In ms since 1970. */
  readonly lastActiveMs: number | undefined;
}

export interface AgentJobs {
  /** What became of an agent job. It is read once a run, and again only where that failed. */
  readonly judge: Judge;
  /** Keeps what a wait has read, so that it is judged by that; `undefined` if the service forgot it. */
  learn(id: string, seen: Seen | undefined): void;
  /** Has it read again when it is next judged. */
  forget(id: string): void;
}

/**
 * Judges what became of agent jobs, in this place alone. `read` is missing in a dry run without a key.
 * `date`: now, in ms since 1970.
 */
export function createAgentJobs(
  read: ((id: string, isNew: boolean) => Promise<JobRead>) | undefined,
  pulls: Pulls,
  date: () => number,
): AgentJobs {
  const seenById = new Map<string, Seen | undefined>();
  const look = async (id: string, isNew: boolean) => {
    if (seenById.has(id) || read === undefined) return seenById.get(id);
    const job = await read(id, isNew);
    if (job === undefined || 'error' in job) return job;
    const seen = { job, lastActiveMs: isActive(job) ? date() : undefined };
    seenById.set(id, seen);
    return seen;
  };
  return {
    learn: (id, seen) => seenById.set(id, seen),
    forget: (id) => seenById.delete(id),
    async judge({ id, added, messagedAt, isNew = false }) {
      if (read === undefined) return { kind: 'not-read' };
      const seen = await look(id, isNew);
      if (seen === undefined) return { kind: 'forgotten' };
      if ('error' in seen) return { kind: 'error', error: seen.error };
      const { job, lastActiveMs } = seen;
      const { status, prLink } = job;
      const known = { kind: 'known', status, prLink, cameToNothing: false } as const;
      const fate = fateOf(job);
      const sentAt = messagedAt ?? (typeof added === 'object' ? added.at : undefined);
      const sinceMs = sentAt === undefined ? MESSAGE_GRACE_MS : date() - sentAt * 1_000;
      // Just after a follow-up message an agent job may still read as it was before.
      if (lastActiveMs === undefined && sinceMs >= 0 && sinceMs < MESSAGE_GRACE_MS) {
        return { ...known, fate: 'running' };
      }
      if (fate !== 'covered' || added === undefined) {
        return { ...known, fate, cameToNothing: cameToNothing(job) };
      }
      // What a step has seen needs no look.
      if (added === 'missed') return { ...known, fate: added, cameToNothing: true };
      const found = await findAddition(pulls, prLink, added, { lastActiveMs, nowMs: date() });
      if (found.kind === 'unknown') return { kind: 'error', error: found.reason };
      return { ...known, fate: found.fate, cameToNothing: found.fate === 'missed' };
    },
  };
}

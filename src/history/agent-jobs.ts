import { docsPullLinkOf, type ReadDocsPull } from '../github/docs-pull-reader.ts';
import { fateOfAddition } from '../model/addition.ts';
import {
  cameToNothing,
  fateOf,
  type Job,
  type JobRead,
  type Judge,
  type JudgeQuery,
  MESSAGE_GRACE_MS,
  unreadJob,
} from '../model/agent-job.ts';

export interface AgentJobs {
  /** Judges an agent job, and reads it at most once per run. */
  readonly judge: Judge;
  /** Whether the job is still working, as far as that can be read. */
  isAtWork(query: JudgeQuery): Promise<boolean>;
  /** Whether a read of this run showed the job as `active`. */
  wasActive(id: string): boolean;
  /** Why this run could not read the job, if it tried in vain. */
  errorOf(id: string): string | undefined;
  /** Keeps what a wait has read, so that it decides the judgment. */
  learn(id: string, read: JobRead): void;
}

const aboutJob = ({ status, prLink, sourceRepository }: Job) => {
  return { status, prLink, sourceRepository };
};

/**
 * Creates the only judge of agent jobs. `readJob` is missing in a dry run without a key. `date`
 * returns the current time in ms since 1970.
 */
export function createAgentJobs(
  readJob: ((id: string) => Promise<JobRead>) | undefined,
  readDocsPull: ReadDocsPull,
  date: () => number,
): AgentJobs {
  const reads = new Map<string, JobRead>();
  const readOf = async (id: string, read: NonNullable<typeof readJob>) => {
    const known = reads.get(id) ?? (await read(id));
    reads.set(id, known);
    return known;
  };
  /**
   * For a short time after a follow-up message, the service might still return the earlier state.
   */
  const mayBeOld = (
    { added, messagedAt }: JudgeQuery,
    read: Extract<JobRead, { kind: 'read' }>,
  ) => {
    if (read.wasActive || read.wasWaitedFor) return false;
    const sentAt = messagedAt ?? (typeof added === 'object' ? added.at : undefined);
    // The clock of the runner that sent the message may be ahead, so `sentAt` may be in the future.
    return sentAt !== undefined && date() - sentAt * 1_000 < MESSAGE_GRACE_MS;
  };
  return {
    learn: (id, read) => reads.set(id, read),
    wasActive(id) {
      const read = reads.get(id);
      return read?.kind === 'read' && read.wasActive;
    },
    errorOf(id) {
      const read = reads.get(id);
      return read?.kind === 'error' ? read.error : undefined;
    },
    async isAtWork(query) {
      if (readJob === undefined) return false;
      const read = await readOf(query.id, readJob);
      if (read.kind !== 'read') return false;
      return fateOf(read.job) === 'running' || mayBeOld(query, read);
    },
    async judge(query) {
      if (readJob === undefined) return { kind: 'not-read' };
      const read = await readOf(query.id, readJob);
      const { added } = query;
      // What a step has seen stays true, no matter what becomes of the agent job afterwards.
      if (added === 'missed') {
        const job = read.kind === 'read' ? read.job : unreadJob(query.id);
        return { kind: 'known', ...aboutJob(job), fate: added, cameToNothing: true };
      }
      if (read.kind !== 'read') return read;
      const { job, wasActive } = read;
      const known = { kind: 'known', ...aboutJob(job), cameToNothing: false } as const;
      if (mayBeOld(query, read)) return { ...known, fate: 'running' };
      const fate = fateOf(job);
      if (fate !== 'covered' || added === undefined) {
        return { ...known, fate, cameToNothing: cameToNothing(job) };
      }
      const pull = await readDocsPull(docsPullLinkOf(job, added.number));
      if (pull.kind === 'unknown') return { kind: 'error', error: pull.reason, isTemporary: false };
      const reached = fateOfAddition(added, pull, wasActive, date());
      return { ...known, fate: reached, cameToNothing: reached === 'missed' };
    },
  };
}

import type { Judge, Judged } from '../lib/covered.ts';
import { cameToNothing, fateOf, type Job } from './job.ts';

/** What a single read of an agent job gives. `undefined`: the service does not know it. */
export type JobRead = Job | { readonly error: string } | undefined;

/** What GitHub says of a pull request. */
type PullRead = { readonly kind: 'open' | 'closed' } | { kind: 'unknown'; reason: string };

/**
 * Judges what became of agent jobs. `read` is missing in a dry run without a key. `readPull` is asked
 * only about an agent job that has ended well after a follow-up message: what it added reached nobody
 * if its pull request was closed meanwhile. Each agent job is read until it was read once.
 */
export function createJudge(
  read: ((id: string, isNew: boolean) => Promise<JobRead>) | undefined,
  readPull: (link: string) => Promise<PullRead>,
): Judge {
  const reads = new Map<string, Job>();
  return async (id, { isUnseen = false, isNew = false, isAgain = false }): Promise<Judged> => {
    if (read === undefined) return { kind: 'not-read' };
    const known = isAgain ? undefined : reads.get(id);
    const job = known ?? (await read(id, isNew));
    if (job === undefined) return { kind: 'gone' };
    if ('error' in job) return { kind: 'error', error: job.error };
    reads.set(id, job);
    const { status, prLink } = job;
    const fate = fateOf(job);
    const shared = { kind: 'known', status, prLink } as const;
    if (fate !== 'covered' || !isUnseen) {
      return { ...shared, fate, cameToNothing: cameToNothing(job) };
    }
    const pull = prLink === '' ? { kind: 'closed' as const } : await readPull(prLink);
    if (pull.kind === 'unknown') return { kind: 'error', error: pull.reason };
    return pull.kind === 'open'
      ? { ...shared, fate, cameToNothing: false }
      : { ...shared, fate: 'missed', cameToNothing: true };
  };
}

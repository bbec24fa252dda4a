import { pullRequestOf } from '../text/pull-request-link.ts';
import type { RunResult } from './ending.ts';

/**
 * Whether the agent job's pull request existed before the call. An agent job can return another
 * pull request than the one that it had.
 */
export function existedBefore({ pullBefore, job, docs, record }: RunResult): boolean {
  switch (pullBefore.kind) {
    case 'none':
      return false;
    case 'existing': {
      // The repository may have been renamed.
      const now = pullRequestOf(job.prLink)?.number;
      const { number = now } = pullBefore;
      return now === undefined || number === now;
    }
    case 'unknown': {
      const calledAt = record?.content.at ?? 0;
      return docs?.createdMs !== undefined && docs.createdMs < calledAt * 1_000;
    }
  }
}

/** The output `prOperation`. */
export function operationOf(result: RunResult): 'created' | 'updated' | '' {
  const { job, ending } = result;
  const isUnchanged = ending.kind === 'ended' && ending.end === 'no-changes';
  if (job.prLink === '' || isUnchanged) return '';
  return existedBefore(result) ? 'updated' : 'created';
}

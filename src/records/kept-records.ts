import type { GitHub, WorkflowJob } from '../github/github.ts';
import type { RunFacts } from '../lib/run-facts.ts';
import { unlessNotFound } from '../lib/unless-not-found.ts';
import { MAX_ANNOTATIONS, recordIn, type StepRecord } from './record.ts';

/**
 * Why a record of a step may be missing: there was no room for it, one of a step cannot be read, or
 * GitHub has deleted the check run. What leaves most in doubt comes first: a re-run of a full one
 * must not create.
 */
const FLAWS = ['full', 'unreadable', 'gone'] as const;

/** The step that looks back. */
export interface Step extends Pick<RunFacts, 'runId' | 'attempt' | 'repository' | 'isComposite'> {
  readonly thisJob: WorkflowJob;
  /** These three are hashes, as in its record. */
  readonly key: string;
  readonly inputs: string;
  readonly pathsHash: string;
  /** The agent job that a follow-up message is for, `undefined` when one would be created. */
  readonly messagedJobId: string | undefined;
}

/** What one attempt of a workflow job has left behind for one step. */
export interface KeptRecords {
  readonly attempt: number;
  /** In the order in which they were written. */
  readonly records: readonly StepRecord[];
  /** Only when there are no records. */
  readonly flaw: (typeof FLAWS)[number] | undefined;
}

/**
 * The records of the step in these workflow jobs, newest attempt first. Names are not unique, so an
 * attempt may have several of them. GitHub deletes checks after some time, and responds with 404
 * then. That counts only if the annotations of this workflow job can be read. Throws a
 * `GitHubError` when GitHub fails.
 * https://docs.github.com/rest/checks/runs
 */
export async function* keptRecords(
  github: Pick<GitHub, 'annotations'>,
  jobs: readonly WorkflowJob[],
  { key, thisJob }: Step,
): AsyncGenerator<KeptRecords> {
  // `Map.groupBy` is missing in Node 20.
  const attempts = new Set(jobs.map(({ run_attempt }) => run_attempt));
  for (const attempt of [...attempts].sort((a, b) => b - a)) {
    const records: StepRecord[] = [];
    const flaws = new Set<KeptRecords['flaw']>();
    for (const { id } of jobs.filter(({ run_attempt }) => run_attempt === attempt)) {
      const annotations = await unlessNotFound(
        () => github.annotations(id),
        () => github.annotations(thisJob.id),
      );
      const found = annotations?.map(recordIn).filter((record) => record !== undefined) ?? [];
      const readable = found.filter((record) => record !== 'unreadable');
      records.push(...readable.filter((record) => record.key === key));
      if (annotations === undefined) flaws.add('gone');
      else if (annotations.length >= MAX_ANNOTATIONS) flaws.add('full');
      if (readable.length < found.length) flaws.add('unreadable');
    }
    const flaw = records.length === 0 ? FLAWS.find((one) => flaws.has(one)) : undefined;
    yield { attempt, records, flaw };
  }
}

import type { GitHub, WorkflowJob } from '../effects/effects.ts';
import { GitHubError, mayLackPermission, messageOf } from '../errors.ts';
import { quote } from '../text.ts';
import { isSameName, type JobRecord, recordIn } from './record.ts';

/** Which attempt this is, and which record it looks for. */
export interface EarlierJobQuery {
  readonly runId: number;
  /** `GITHUB_RUN_ATTEMPT`, from 2. */
  readonly attempt: number;
  /** `RUNNER_NAME` */
  readonly runnerName: string;
  readonly event: JobRecord['event'];
  readonly projectId: string;
  readonly step: string;
  readonly instructionHash: string;
  /**
   * The agent job that the message is for. `undefined` when one would be created: then any id
   * counts.
   */
  readonly jobId: string | undefined;
}

export interface EarlierJob {
  readonly jobId: string;
  readonly attempt: number;
}

export type EarlierJobs =
  | { readonly kind: 'known'; readonly jobs: readonly EarlierJob[] }
  | { readonly kind: 'unknown'; readonly reason: string };

/**
 * The agent jobs that the same step created, or sent the message to, in earlier attempts of this
 * workflow run. The newest attempt comes first, and within an attempt the one with the same
 * instruction. A workflow job has the same id as its check run, and the records are annotations of
 * that check run. A failure of GitHub's API makes the result `unknown`. Any other error is thrown.
 * https://docs.github.com/rest/actions/workflow-jobs#list-jobs-for-a-workflow-run
 * https://docs.github.com/rest/checks/runs#list-check-run-annotations
 */
export async function findEarlierJobs(
  github: Pick<GitHub, 'workflowJobs' | 'annotations'>,
  query: EarlierJobQuery,
): Promise<EarlierJobs> {
  const missing = REQUIRED_VARIABLES.filter(([isMissing]) => isMissing(query)).map(
    ([, name]) => name,
  );
  if (missing.length > 0)
    return { kind: 'unknown', reason: `\`${missing.join('`, `')}\` is not set` };
  const found: FoundRecord[] = [];
  try {
    const jobs = await withPermission('actions: read', () => github.workflowJobs(query.runId));
    const name = nameOfThisJob(jobs, query);
    if (typeof name !== 'string') return name;
    const earlier = jobs
      .filter((job) => job.name === name && job.runAttempt < query.attempt)
      .sort((a, b) => b.runAttempt - a.runAttempt);
    for (const { id, runAttempt: attempt } of earlier) {
      const notices = await withPermission('checks: read', () => github.annotations(id));
      const records = notices.map(recordIn).filter((record) => record !== undefined);
      found.push(...records.map((record) => ({ record, attempt })));
    }
  } catch (error) {
    if (!(error instanceof GitHubError)) throw error;
    if (jobsIn(found, query).length === 0) return { kind: 'unknown', reason: messageOf(error) };
  }
  const jobs = jobsIn(found, query);
  const unreadable = found.find(({ record }) => record === 'unreadable');
  if (jobs.length > 0 || unreadable === undefined) return { kind: 'known', jobs };
  return { kind: 'unknown', reason: `the record of attempt ${unreadable.attempt} cannot be read` };
}

interface FoundRecord {
  readonly record: JobRecord | 'unreadable';
  readonly attempt: number;
}

/** The name of the workflow job that runs this step. */
function nameOfThisJob(jobs: readonly WorkflowJob[], { attempt, runnerName }: EarlierJobQuery) {
  const names = new Set(
    jobs
      .filter((job) => job.runAttempt === attempt && job.status === 'in_progress')
      .filter((job) => job.runnerName === runnerName)
      .map(({ name }) => name),
  );
  const [name, ...others] = names;
  if (name !== undefined && others.length === 0) return name;
  const which = name === undefined ? 'no workflow job' : 'more than one workflow job';
  const reason = `GitHub lists ${which} of attempt ${attempt} in progress on runner ${quote(runnerName)}`;
  return { kind: 'unknown', reason } as const;
}

function jobsIn(found: readonly FoundRecord[], query: EarlierJobQuery): readonly EarlierJob[] {
  const rank = (record: JobRecord) => Number(record.instructionHash === query.instructionHash);
  return found
    .flatMap(({ record, attempt }) => (record === 'unreadable' ? [] : [{ record, attempt }]))
    .filter(({ record }) => isLookedFor(record, query))
    .sort((a, b) => b.attempt - a.attempt || rank(b.record) - rank(a.record))
    .map(({ record, attempt }) => ({ jobId: record.jobId, attempt }));
}

const REQUIRED_VARIABLES: readonly (readonly [(query: EarlierJobQuery) => boolean, string])[] = [
  [({ runId }) => !Number.isSafeInteger(runId) || runId <= 0, 'GITHUB_RUN_ID'],
  [({ attempt }) => !Number.isSafeInteger(attempt), 'GITHUB_RUN_ATTEMPT'],
  [({ runnerName }) => runnerName === '', 'RUNNER_NAME'],
  [({ step }) => step === '', 'GITHUB_ACTION'],
];

function isLookedFor(record: JobRecord, query: EarlierJobQuery): boolean {
  return (
    record.event === query.event &&
    isSameName(record.projectId, query.projectId) &&
    isSameName(record.step, query.step) &&
    (query.jobId === undefined || record.jobId === query.jobId)
  );
}

/** Calls `ask`. If that fails because `permission` may be missing, the error names it. */
async function withPermission<T>(permission: string, ask: () => Promise<T>): Promise<T> {
  try {
    return await ask();
  } catch (error) {
    if (!mayLackPermission(error)) throw error;
    const message = `${error.message}. Give the workflow job \`permissions:\` with \`${permission}\``;
    throw new GitHubError(error.kind, message, { cause: error });
  }
}

import type { GitHub, WorkflowJob } from '../github/github.ts';
import { GitHubError, messageOf, tokenAdvice } from '../lib/errors.ts';
import { quote } from '../lib/text.ts';
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

/** `job` is `undefined` when no earlier attempt has one. */
export type EarlierJobResult =
  | { readonly kind: 'known'; readonly job: EarlierJob | undefined }
  | { readonly kind: 'unknown'; readonly reason: string };

/**
 * The agent job that the same step created, or sent the message to, in the newest of the earlier
 * attempts of this workflow run. One with the same instruction is preferred. A workflow job has the
 * same id as its check run, and the records are annotations of that check run. A failure of GitHub's
 * API makes the result `unknown`. Any other error is thrown.
 * https://docs.github.com/rest/actions/workflow-jobs#list-jobs-for-a-workflow-run
 * https://docs.github.com/rest/checks/runs#list-check-run-annotations
 */
export async function findEarlierJob(
  github: Pick<GitHub, 'workflowJobs' | 'annotations'>,
  query: EarlierJobQuery,
): Promise<EarlierJobResult> {
  const missing = REQUIRED_VARIABLES.filter(([isMissing]) => isMissing(query)).map(
    ([, name]) => name,
  );
  if (missing.length > 0) {
    return { kind: 'unknown', reason: `\`${missing.join('`, `')}\` is not set` };
  }
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
      const records = notices.map(recordIn).filter((record) => isLookedFor(record, query));
      found.push(...records.map((record) => ({ record, attempt })));
      // Older attempts are needed only while no record with this instruction was found.
      if (found.some(({ record }) => isSameInstruction(record, query))) break;
    }
  } catch (error) {
    if (!(error instanceof GitHubError)) throw error;
    if (firstJobIn(found, query) === undefined) {
      return { kind: 'unknown', reason: messageOf(error) };
    }
  }
  const job = firstJobIn(found, query);
  const unreadable = found.find(({ record }) => record === 'unreadable');
  if (job !== undefined || unreadable === undefined) return { kind: 'known', job };
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

/**
 * The first record that has the same instruction, or else the first of the step. The steps of a
 * composite action share a name, so another instruction may be that of another step.
 */
function firstJobIn(found: readonly FoundRecord[], query: EarlierJobQuery): EarlierJob | undefined {
  const records = found.flatMap(({ record, attempt }) =>
    record === 'unreadable' ? [] : [{ record, attempt }],
  );
  const first = records.find(({ record }) => isSameInstruction(record, query)) ?? records[0];
  return first && { jobId: first.record.jobId, attempt: first.attempt };
}

function isSameInstruction(record: FoundRecord['record'], query: EarlierJobQuery): boolean {
  return record !== 'unreadable' && record.instructionHash === query.instructionHash;
}

const REQUIRED_VARIABLES: readonly (readonly [(query: EarlierJobQuery) => boolean, string])[] = [
  [({ runId }) => !Number.isSafeInteger(runId) || runId <= 0, 'GITHUB_RUN_ID'],
  [({ attempt }) => !Number.isSafeInteger(attempt), 'GITHUB_RUN_ATTEMPT'],
  [({ runnerName }) => runnerName === '', 'RUNNER_NAME'],
  [({ step }) => step === '', 'GITHUB_ACTION'],
];

/** Whether it is a record of this step, or one that cannot be read and may be. */
function isLookedFor(
  record: ReturnType<typeof recordIn>,
  query: EarlierJobQuery,
): record is FoundRecord['record'] {
  if (record === undefined || record === 'unreadable') return record !== undefined;
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
    if (!(error instanceof GitHubError)) throw error;
    const advice = tokenAdvice(error, `\`${permission}\``);
    if (advice === undefined) throw error;
    const message = `${error.message}. ${advice}`;
    throw new GitHubError(error.kind, message, { cause: error });
  }
}

/** Decides where the changes start from the outcomes of earlier runs' agent jobs. */

import type { Judge, JudgeQuery } from '../model/agent-job.ts';
import type { PendingJob, RangeRecord, StepRecord } from '../model/record.ts';
import { type EarlierWork, type Start, stateOf } from '../model/start.ts';
import { quote } from '../text/escape.ts';
import { withoutFullStop } from '../text/words.ts';
import { HistoryNotKnown } from './history-not-known.ts';
import type { RunWithRange } from './other-runs.ts';

/** An agent job of earlier runs, with where its changes start and its outcome. */
interface JudgedJob {
  readonly job: PendingJob;
  readonly state: EarlierWork['state'];
  /** It is uncertain whether the job is done. */
  readonly isPending: boolean;
  readonly prLink: string;
}

export interface AfterOptions {
  readonly judge: Judge;
  /** The step sends follow-up messages to the agent job in `jobId`. */
  readonly isMessage: boolean;
  /** What earlier attempts of this run recorded, if this one resends their changes. */
  readonly attemptsRecord: RangeRecord | undefined;
  /** The newest commit that both contain. `undefined` if GitHub lacks either. */
  readonly commonCommit: (a: string, b: string) => Promise<string | undefined>;
}

/** Whether an agent job got, or may have got, the prompt of this record. */
export const mayHaveBeenSent = ({ what }: StepRecord) =>
  what.kind !== 'none' && what.kind !== 'todo';

/**
 * Judges the range of one run and the agent jobs before it. The changes start again at the first
 * one that failed, or where an earlier attempt of this run started, if that comes before. Jobs that
 * may not be done are carried over if their changes come before the start. Throws `HistoryNotKnown`
 * when the service or GitHub can't answer. `warnings` are complete sentences.
 */
export async function startAfter(
  { record, runNumber }: RunWithRange,
  { judge, isMessage, attemptsRecord, commonCommit }: AfterOptions,
): Promise<{ readonly start: Start; readonly warnings: readonly string[] }> {
  const { what, at = 0, range, pending, added } = record;
  const { from, to } = range;
  const queries: (JudgeQuery & { readonly from: string })[] = [...pending];
  if (what.kind === 'job' && from !== undefined) {
    queries.push({ id: what.id, from, added, ...(isMessage && { messagedAt: at }) });
  }
  const warnings: string[] = [];
  const jobs: JudgedJob[] = [];
  for (const { from: jobFrom, ...query } of queries) {
    const judged = await judge(query);
    if (judged.kind === 'error') {
      const remedy = { isTemporary: judged.isTemporary, again: 'later' };
      throw new HistoryNotKnown(cannotBeRead(query.id, judged.error), remedy);
    }
    if (judged.kind === 'not-read' && warnings.length === 0) warnings.push(NOT_READ);
    // An agent job that the service no longer knows counts as covered.
    if (judged.kind !== 'known') continue;
    const { fate, prLink } = judged;
    const isPending = fate === 'running' || fate === 'uncertain';
    jobs.push({
      job: { id: query.id, from: jobFrom, added: query.added },
      state: stateOf(fate),
      isPending,
      prLink,
    });
  }
  // `pending` is ordered by where the changes start.
  const firstLost = jobs.findIndex(({ state }) => state === 'failed' || state === 'missed');
  const isInDoubt = what.kind === 'unknown';
  if (isInDoubt && from !== undefined) warnings.push(inDoubt(runNumber));
  const isLost = isInDoubt || what.kind === 'todo';
  const lostFrom = jobs[firstLost]?.job.from ?? (isLost ? from : undefined);
  const byRuns = lostFrom ?? to;
  const ownFrom = attemptsRecord?.range.from;
  const sha = (ownFrom && (await commonCommit(ownFrom, byRuns))) ?? byRuns;
  // If no changes are resent, an agent job that starts at `sha` has none of these changes.
  const againFrom = sha === byRuns ? lostFrom : sha;
  const earlier: EarlierWork[] = [];
  const carried: PendingJob[] = [];
  for (const [index, { job, state, isPending, prLink }] of jobs.entries()) {
    let overlaps = (firstLost !== -1 && index >= firstLost) || job.from === againFrom;
    if (!overlaps && sha !== byRuns) overlaps = (await commonCommit(sha, job.from)) === sha;
    earlier.push({ jobId: job.id, state, prLink, overlaps });
    if (isPending && !overlaps && job.from !== sha) carried.push(job);
  }
  const isInPart = earlier.some(({ overlaps }) => overlaps) || (isInDoubt && from !== undefined);
  const isSentBefore =
    isInPart || (attemptsRecord !== undefined && mayHaveBeenSent(attemptsRecord));
  const told = earlier.filter(isTold);
  return {
    start: { kind: 'from', sha, earlier: told, isSentBefore, pending: carried },
    warnings,
  };
}

/** The agent doesn't need to know about a completed job that had none of these changes. */
const isTold = ({ state, overlaps }: EarlierWork) => state !== 'covered' || overlaps;

export const NOT_READ =
  'Without `adminApiKey` the agent jobs of earlier runs cannot be read. Each of them counts as completed.';
const inDoubt = (runNumber: number) =>
  `The prompt of run #${runNumber} may have been sent: the service gave no usable response. Its changes are sent again.`;
/** Follows `because`. */
export const cannotBeRead = (id: string, error: string) =>
  `agent job ${quote(id)} of an earlier run could not be read: ${withoutFullStop(error)}`;

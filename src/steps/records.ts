/** The record of a step: before anything was asked, and where a person says that all is done. */
import { beginOf, headNamedBy, pullNumberOf } from '../changes/find/event.ts';
import type { Effects } from '../effects/effects.ts';
import { bodyOf, earlyBody, recordOf } from '../history/make-record.ts';
import { lineOf, RECORD_TITLE } from '../history/record-line.ts';
import { stepKey } from '../history/step-key.ts';
import { NOTHING_EARLIER } from '../history/verdict.ts';
import { isDryRun, isForLaterRuns, type RawInputs, taskKindOf } from '../inputs/inputs.ts';
import type { StepRecord } from '../model/record.ts';
import type { RunFacts } from '../model/run-facts.ts';
import type { LeftRecord } from '../report/ending.ts';
import { type RunEffects, readsChanges, type SendingContext } from './run-context.ts';

/** The record before anything was asked, whether or not the inputs can be used. */
export function firstRecord(
  raw: RawInputs,
  facts: RunFacts,
  { readEvent }: RunEffects,
): Pick<SendingContext, 'early' | 'isAlwaysRecorded'> {
  const { since = 'auto', workflowJob = '' } = raw;
  const kind = taskKindOf(raw);
  const pullNumber = pullNumberOf(readEvent);
  const key = stepKey({ kind, workflowJob, pullNumber }, facts);
  return {
    early: earlyBody(key, since === 'auto' ? undefined : beginOf(readEvent)),
    isAlwaysRecorded: kind !== 'follow' && !isDryRun(raw) && isForLaterRuns(raw),
  };
}

/** Whether `since` is the id of the commit at which the changes of this run end. */
export const isSinceHead = ({ since = '' }: RawInputs, { readEvent }: RunEffects) =>
  headNamedBy(since, readEvent) !== undefined;

/**
 * Whether a person says that everything up to the commit of this run is done: they typed its id as
 * `since`. Then later runs start there, whatever earlier runs and attempts did.
 */
export function isAllDone({ inputs, effects, early, isAlwaysRecorded, tell }: SendingContext) {
  if (!readsChanges(inputs)) return false;
  // On any other event than `workflow_dispatch` the inputs cannot be used.
  const head = headNamedBy(inputs.since, effects.readEvent);
  if (head === undefined) return false;
  const plan = bodyOf(early, NOTHING_EARLIER, { from: head, to: head }, []);
  if (isAlwaysRecorded) tell({ record: toWrite(recordOf(plan, { kind: 'none' })) });
  return true;
}

/** A record that is written when the run ends. */
export const toWrite = (content: StepRecord): LeftRecord => ({ content, isWritten: false });

/** Leaves the record where later attempts and runs read it. */
export function writeRecord(content: StepRecord, { runner }: Pick<Effects, 'runner'>): LeftRecord {
  runner.annotate('notice', RECORD_TITLE, lineOf(content));
  return { content, isWritten: true };
}

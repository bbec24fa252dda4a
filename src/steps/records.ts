/** Makes a step's first record, and the one for when a person declares everything done. */
import { eventStartCommit, headNamedBy, pullNumberOf } from '../changes/find/event.ts';
import type { Effects } from '../effects/effects.ts';
import { bodyOf, earlyBodyOf, uncalledRecord } from '../history/make-record.ts';
import { lineOf, RECORD_TITLE } from '../history/record-line.ts';
import { stepKey } from '../history/step-key.ts';
import { NOTHING_EARLIER } from '../history/verdict.ts';
import { isDryRun, isForLaterRuns, type RawInputs, taskKindOf } from '../inputs/inputs.ts';
import type { StepRecord } from '../model/record.ts';
import type { RunFacts } from '../model/run-facts.ts';
import type { LeftRecord } from '../report/ending.ts';
import { type RunEffects, readsChanges, type SendingContext } from './run-context.ts';

/** Makes the record for a step that has asked nothing yet, even if its inputs are unusable. */
export function earlyRecord(
  raw: RawInputs,
  facts: RunFacts,
  { readEvent }: RunEffects,
): Pick<SendingContext, 'earlyBody' | 'isAlwaysRecorded'> {
  const { since = 'auto', workflowJob = '' } = raw;
  const kind = taskKindOf(raw);
  const pullNumber = pullNumberOf(readEvent);
  const key = stepKey({ kind, workflowJob, pullNumber }, facts);
  return {
    earlyBody: earlyBodyOf(key, since === 'auto' ? undefined : eventStartCommit(readEvent)),
    isAlwaysRecorded: kind !== 'follow' && !isDryRun(raw) && isForLaterRuns(raw),
  };
}

/** Whether `since` is the ID of the commit at which this run's changes end. */
export const isHeadNamed = ({ since = '' }: RawInputs, { readEvent }: RunEffects) =>
  headNamedBy(since, readEvent) !== undefined;

/**
 * Whether a person declares everything up to this run's commit done by setting `since` to its ID.
 * Later runs then start at that commit, no matter what earlier runs and attempts did.
 */
export function recordIfAllDone({
  inputs,
  effects,
  earlyBody,
  isAlwaysRecorded,
  tell,
}: SendingContext) {
  if (!readsChanges(inputs)) return false;
  // `parseInputs` rejects this `since` on any event other than `workflow_dispatch`.
  const head = headNamedBy(inputs.since, effects.readEvent);
  if (head === undefined) return false;
  const body = bodyOf(earlyBody, NOTHING_EARLIER, { from: head, to: head }, []);
  if (isAlwaysRecorded) tell({ record: toWrite(uncalledRecord(body, { kind: 'none' })) });
  return true;
}

/** A record to write when the run ends. */
export const toWrite = (content: StepRecord): LeftRecord => ({ content, isWritten: false });

/** Writes the record as an annotation, where later attempts and runs find it. */
export function writeRecord(content: StepRecord, { runner }: Pick<Effects, 'runner'>): LeftRecord {
  runner.annotate('notice', RECORD_TITLE, lineOf(content));
  return { content, isWritten: true };
}

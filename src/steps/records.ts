/** Makes a step's first record and the one for when all is done, and writes records. */

import type { Effects } from '../effects/effects.ts';
import { outlineOf } from '../github/event.ts';
import { isDryRun, isForLaterRuns, type RawInputs, taskKindOf } from '../inputs/inputs.ts';
import type { StepRecord } from '../model/record.ts';
import type { RunFacts } from '../model/run-facts.ts';
import { completeBodyOf, earlyBodyOf, uncalledRecord } from '../record/make-record.ts';
import { lineOf, RECORD_TITLE } from '../record/record-line.ts';
import { stepKey } from '../record/step-key.ts';
import type { Ending, LeftRecord } from '../report/ending.ts';
import { type RunEffects, readsChanges, type SendingContext } from './run-context.ts';

/** What a step needs to leave a record, before it has asked anything. */
export type Outset = Pick<SendingContext, 'earlyBody' | 'isAlwaysRecorded' | 'namedHead'>;

/** Never throws, even if the inputs or the event are unusable. */
export function outsetOf(raw: RawInputs, facts: RunFacts, { readEvent }: RunEffects): Outset {
  const { since = 'auto', workflowJob = '' } = raw;
  const { head, eventStart, pullNumber } = outlineOf(readEvent);
  const kind = taskKindOf(raw);
  const key = stepKey({ kind, workflowJob, pullNumber }, facts);
  return {
    earlyBody: earlyBodyOf(key, since === 'auto' ? undefined : eventStart),
    isAlwaysRecorded: kind !== 'follow' && !isDryRun(raw) && isForLaterRuns(raw),
    namedHead: head !== undefined && isIdOf(since, head) ? head : undefined,
  };
}

/** Whether `since` is the commit's object ID, whole or at least the first 7 characters. */
const isIdOf = (since: string, commit: string) =>
  /^[0-9a-f]{7,64}$/i.test(since) && commit.startsWith(since.toLowerCase());

/**
 * Ends the run if a person declares everything up to its commit done by setting `since` to its ID.
 * Later runs then start at that commit, no matter what earlier runs and attempts did.
 */
export function endIfAllDone(context: SendingContext): Ending | undefined {
  const { inputs, earlyBody, isAlwaysRecorded, namedHead: head, tell } = context;
  // `parseInputs` rejects this `since` on any event other than `workflow_dispatch`.
  if (head === undefined || !readsChanges(inputs)) return undefined;
  const body = completeBodyOf(earlyBody, NOTHING_BEFORE, { from: head, to: head }, []);
  if (isAlwaysRecorded) tell({ record: toWrite(uncalledRecord(body, { kind: 'none' })) });
  return { kind: 'skipped', reason: 'all-done' };
}

const NOTHING_BEFORE = { start: undefined, last: undefined };

/** A record to write when the run ends. */
export const toWrite = (content: StepRecord): LeftRecord => ({ content, isWritten: false });

/** Writes the record as an annotation, where later attempts and runs find it. */
export function writeRecord(content: StepRecord, { runner }: Pick<Effects, 'runner'>): LeftRecord {
  runner.annotate('notice', RECORD_TITLE, lineOf(content));
  return { content, isWritten: true };
}

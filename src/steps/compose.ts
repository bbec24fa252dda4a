/** Composes the prompt with its changes, and decides where to send it. */
import { skipReason } from '../changes/find/find-changes.ts';
import type { Changes, ReadChanges } from '../changes/find/found.ts';
import { type News, newsOfChanges, newsOfPrompt } from '../changes/overview/warnings.ts';
import { withMissingPatches } from '../changes/patches/make-patches.ts';
import { bareMessage, composePrompt } from '../changes/write/compose-prompt.ts';
import type { Call } from '../core/send.ts';
import type { Runner } from '../effects/effects.ts';
import type { SentBefore } from '../history/pull-request-history.ts';
import type { Target } from '../history/target.ts';
import type { Sending } from '../history/verdict.ts';
import type { Inputs } from '../inputs/inputs.ts';
import type { ChangesOverview, SkipReason } from '../model/changes.ts';
import type { PullToAddTo } from '../model/docs-pull.ts';
import type { LookedAtBy, RecordBody, StepRecord } from '../model/record.ts';
import { completeBodyOf, settledRecord, uncalledRecord } from '../record/make-record.ts';
import type { Ending } from '../report/ending.ts';
import { quote } from '../text/escape.ts';
import { findRunChanges } from './find-run-changes.ts';
import { toWrite } from './records.ts';
import { permissionsOf, readsChanges, type SendingContext } from './run-context.ts';

export interface FoundChanges {
  readonly changes: ReadChanges;
  readonly overview: ChangesOverview;
}

/** Adds what earlier runs sent to a pull request's own changes. */
function withSent(changes: Changes, sent: SentBefore | undefined, level: Inputs['changes']) {
  if (changes.kind !== 'known' || sent === undefined) return changes;
  const { earlier, isDone, ownHash } = sent;
  // A prompt without changes can't describe what was reverted.
  const isSentBefore = level !== 'none';
  const isSentAsItIs = isDone && ownHash !== undefined && ownHash === changes.ownHash;
  return { ...changes, earlier, isSentBefore, isSentAsItIs };
}

/** Logs what was found, with its warnings. Returns what people read of it, and why to skip it. */
function announceFound({ inputs, effects }: SendingContext, changes: Changes, { start }: Sending) {
  const { paths, skip } = inputs;
  const reason = skipReason(changes, inputs);
  const { clean } = effects.runner;
  const told = { paths, skip, skipReason: reason, start, clean };
  const { overview, news } = newsOfChanges(changes, told);
  announce(news, effects.runner);
  return { overview, reason };
}

/** A run that knows its changes and has something to send. */
export interface Prepared {
  readonly kind: 'prepared';
  /** Missing when the step uses neither `changes` nor `paths`. */
  readonly found: FoundChanges | undefined;
  /** The record to complete with the result. */
  readonly body: RecordBody;
  readonly lookedAtBy: LookedAtBy;
  /** Where the prompt goes, under `pullRequest: append`. */
  readonly target: Target | undefined;
}

/** The calls in order. The second is made only if the service rejects the first as invalid. */
export type Calls = readonly [Call, Call?];

/**
 * Finds this run's changes, unless `ownChanges` already holds those of a pull request. Throws a
 * `RunError` when they can't be found.
 */
export async function findWhatToSend(
  context: SendingContext,
  sending: Sending,
  ownChanges?: Changes,
): Promise<Prepared | Extract<Ending, { kind: 'skipped' | 'last-at-work' }>> {
  const { inputs, earlyBody, isAlwaysRecorded, tell } = context;
  const { start, sent, target } = sending;
  const changes =
    ownChanges !== undefined
      ? withSent(ownChanges, sent, inputs.changes)
      : readsChanges(inputs)
        ? await findRunChanges(context, start, sending.lookedAtBy)
        : undefined;
  const { overview, reason } = changes ? announceFound(context, changes, sending) : {};
  // With `changes: none`, the changes only decide whether to send the prompt.
  const isIncluded =
    overview?.kind === 'known' && reason === undefined && inputs.changes !== 'none';
  const pulls = isIncluded ? overview.codePulls : [];
  const hash = ownChanges !== undefined && changes?.kind === 'known' ? changes.ownHash : undefined;
  // Later runs ignore a run whose `since` leaves no changes.
  const isPassedOver = reason === 'since-is-head';
  const first = isPassedOver ? { ...earlyBody, eventStart: undefined } : earlyBody;
  const body = completeBodyOf(first, sending, changes?.range, pulls, hash);
  // Without a start on record, the next run can't send these changes, except on a pull request,
  // where it sends everything.
  const canNextSend = body.range?.from !== undefined || ownChanges !== undefined;
  const isNextLooking = sending.lookedAtBy === 'next';
  const lookedAtBy = isNextLooking && !canNextSend ? 'unknown' : sending.lookedAtBy;
  const settled = recordIfSettled(sending, body, reason);
  const what = { kind: reason === undefined || isPassedOver ? 'todo' : 'none' } as const;
  tell({
    changes: overview,
    // Only those that fit the record, so that a re-run can set the same output.
    codePulls: body.codePulls,
    record: isAlwaysRecorded ? toWrite(settled ?? uncalledRecord(body, what)) : undefined,
    lookedAtBy,
  });
  if (reason !== undefined || changes?.kind === 'left-out') {
    return { kind: 'skipped', reason: reason ?? 'no-documentation-needed' };
  }
  // A step with nothing to send doesn't fail because the last agent job is still working.
  if (target?.kind === 'at-work') return { kind: 'last-at-work', ...target.lastAtWork };
  const found = changes && overview && { changes, overview };
  return { kind: 'prepared', found, body, lookedAtBy, target };
}

/**
 * Returns the record of a skipped run that spares later runs from reading the pull request's
 * earlier ones, if everything about those is certain.
 */
function recordIfSettled(
  { settled }: Sending,
  body: RecordBody,
  reason: SkipReason | undefined,
): StepRecord | undefined {
  if (settled === undefined || reason === undefined) return undefined;
  // What was sent proves nothing about other changes.
  const isAboutSent = reason === 'sent-as-it-is';
  if (isAboutSent !== (settled.ownHash !== undefined)) return undefined;
  const isOtherLast =
    isAboutSent && typeof body.last === 'object' && body.last.at !== settled.last?.at;
  return isOtherLast ? undefined : settledRecord(body, settled);
}

/**
 * Composes the calls. When the open pull request can't take the prompt, a new agent job gets it.
 * Throws a `RunError` when GitHub fails.
 */
export async function composeCalls(
  context: SendingContext,
  { found, lookedAtBy, target }: Prepared,
): Promise<Calls> {
  const { task, effects, tell } = context;
  if (target !== undefined) announceTarget(context, target);
  const appended = target?.kind === 'append' ? target.appended : undefined;
  const { prompt, followUp, overview } = await compose(context, found, appended, lookedAtBy);
  const create = { kind: 'create', prompt } as const;
  const calls: Calls =
    task.kind === 'message'
      ? [{ kind: 'message', prompt, jobId: task.jobId }]
      : appended === undefined
        ? [create]
        : [{ kind: 'message', prompt: followUp, jobId: appended.jobId, appended }, create];
  tell({
    ...(overview && { changes: overview }),
    prompt: calls[0].prompt,
    appendedTo: appended?.name,
    whyNew: target?.kind === 'create' && target.level !== 'none' ? target.why : undefined,
  });
  const { clock, signal } = effects;
  // Node handles no signals while it reads a large response. Handle a pending cancel before
  // sending.
  if (found !== undefined) await clock.handleSignals();
  signal.throwIfAborted();
  return calls;
}

/** The text to send. */
interface Composed {
  /** For an agent job of its own, or one that a person named. */
  readonly prompt: string;
  /** For the agent job of the open pull request to add to. */
  readonly followUp: string;
  readonly overview?: ChangesOverview;
}

async function compose(
  context: SendingContext,
  found: FoundChanges | undefined,
  addTo: PullToAddTo | undefined,
  lookedAtBy: LookedAtBy,
): Promise<Composed> {
  const { inputs, effects, task } = context;
  const { runner } = effects;
  const { instruction } = task;
  if (found === undefined) {
    const followUp =
      addTo === undefined ? instruction : bareMessage(instruction, addTo, runner.clean);
    return { prompt: instruction, followUp };
  }
  const { changes: level } = inputs;
  const isDiff = level === 'diff' && found.changes.kind === 'known';
  const permissions = permissionsOf(context);
  const changes = isDiff
    ? await withMissingPatches({ ...context, permissions }, found.changes, lookedAtBy)
    : found.changes;
  const options = { changes: level, clean: runner.clean, addTo };
  const { prompt, message, block } = composePrompt(instruction, changes, options);
  const { overview, news } = newsOfPrompt(changes, found, block, options);
  announce(news, runner);
  return { prompt, followUp: message, overview };
}

/** Logs where the prompt goes under `pullRequest: append`. */
function announceTarget({ inputs, effects }: SendingContext, target: Target): void {
  const { runner } = effects;
  if (target.kind === 'append') {
    const { name, jobId } = target.appended;
    const job = quote(runner.clean(jobId));
    runner.info(`Pull request ${quote(name)} of agent job ${job} is open. The prompt goes to it.`);
    return;
  }
  const sentence = `${target.why} A new agent job ${inputs.dryRun ? 'would be' : 'is'} created.`;
  if (target.level === 'notice' || target.level === 'warning') {
    runner.annotate(target.level, 'Docs agent: pull request', sentence);
  } else runner.info(sentence);
}

function announce({ log, warnings }: News, runner: Runner): void {
  for (const line of log) runner.info(line);
  for (const { title, message } of warnings) runner.annotate('warning', title, message);
}

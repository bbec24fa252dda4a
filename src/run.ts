import { begin } from './core/begin.ts';
import { isCalling, type Tell } from './core/core-context.ts';
import type { RawInputs } from './inputs/inputs.ts';
import type { RunFacts } from './model/run-facts.ts';
import { uncalledRecord } from './record/make-record.ts';
import { type Ending, endingOfError, nothingKnown } from './report/ending.ts';
import { reportOn, writeReport } from './report/report.ts';
import { callAgent } from './steps/call.ts';
import { composeCalls, findWhatToSend } from './steps/compose.ts';
import { followCalled, followEarlier, followGiven } from './steps/follow-up.ts';
import { lookBackOnAttempts } from './steps/look-back-on-attempts.ts';
import { lookBackOnPull } from './steps/look-back-on-pull.ts';
import { lookBackOnRuns } from './steps/look-back-on-runs.ts';
import { pastReader } from './steps/past.ts';
import { endIfAllDone, outsetOf, toWrite, writeRecord } from './steps/records.ts';
import { rerunEffectOf } from './steps/rerun-effect.ts';
import { type RunEffects, type SendingContext, withGitHub } from './steps/run-context.ts';

export type { RunEffects } from './steps/run-context.ts';

/**
 * Runs the action once: inputs, earlier attempts and runs, prompt, agent job, report. Every run
 * writes one report and at most one final record. Returns whether the step succeeds, and never
 * rejects.
 */
export async function run(raw: RawInputs, facts: RunFacts, effects: RunEffects): Promise<boolean> {
  const { clock, runner } = effects;
  const startedAtMs = clock.now();
  let known = nothingKnown(facts);
  const tell: Tell = (learned) => {
    known = { ...known, ...learned };
  };
  const ending = await runSteps(raw, facts, effects, tell).catch((error: unknown) =>
    endingOfError(error, runner.redact),
  );
  // Write the record before the closing annotations, because GitHub keeps only a limited number.
  if (known.record?.isWritten === false) writeRecord(known.record.content, effects);
  const times = { tookMs: clock.now() - startedAtMs, endedAtMs: clock.date() };
  const result = { ...known, ...times, ending, rerunEffect: rerunEffectOf(known, ending) };
  return writeReport(reportOn(result, runner.clean), runner);
}

/** Takes the steps in order until one of them ends the run. */
async function runSteps(
  raw: RawInputs,
  facts: RunFacts,
  effects: RunEffects,
  tell: Tell,
): Promise<Ending> {
  const outset = outsetOf(raw, facts, effects);
  if (outset.isAlwaysRecorded)
    tell({ record: toWrite(uncalledRecord(outset.earlyBody, { kind: 'todo' })) });
  const begun = await begin(raw, facts, effects, tell, outset.namedHead !== undefined);
  if (begun.kind === 'ended') return begun.ending;
  const runContext = withGitHub(begun.context, effects);
  const { task } = runContext.inputs;
  if (task.kind === 'follow') return followGiven(runContext, task.jobId);
  const context: SendingContext = { ...runContext, ...outset, task };
  const allDone = endIfAllDone(context);
  if (allDone !== undefined) return allDone;
  const past = pastReader(context);
  const attempts = await lookBackOnAttempts(context, past);
  if (attempts.kind === 'follow') return followEarlier(context, attempts);
  if (attempts.kind === 'overtaken') return attempts;
  const pull = await lookBackOnPull(context, past, attempts);
  const verdict = pull?.sending ?? (await lookBackOnRuns(context, past, attempts));
  if (verdict.kind === 'overtaken') return verdict;
  tell({ isSendingDecided: true });
  const prepared = await findWhatToSend(context, verdict, pull?.changes);
  if (prepared.kind !== 'prepared') return prepared;
  const calls = await composeCalls(context, prepared);
  if (!isCalling(context)) return { kind: 'dry-run' };
  const accepted = await callAgent(context, calls, prepared.body);
  return followCalled(context, accepted, prepared);
}

import { checkCertificates } from './agent/access.ts';
import { createAgentApi } from './agent/api.ts';
import { readOnce } from './agent/wait.ts';
import type { WaitOrigin } from './agent/wait-decision.ts';
import { pauseForSignals } from './changes/find/pause.ts';
import { once } from './effects/retry.ts';
import { askedRecord } from './history/plan.ts';
import { InputError, type Inputs, parseInputs, type RawInputs } from './inputs/inputs.ts';
import { readPromptFile } from './inputs/prompt-file.ts';
import { unread } from './model/agent-job.ts';
import type { RunFacts } from './model/run-facts.ts';
import { newerRunHasThem } from './model/start.ts';
import { endingOfError, type Known, nothingKnown } from './report/ending.ts';
import { reportOn, writeReport } from './report/report.ts';
import {
  type RunContext,
  type RunEffects,
  type SendingContext,
  type Story,
  setJobId,
  writeRecord,
} from './steps/context.ts';
import { checkKey, follow, waitsForEnd } from './steps/follow.ts';
import { earlyPlanOf, lookBack, todoOf } from './steps/past.ts';
import { pressAfter } from './steps/press.ts';
import { send } from './steps/send.ts';
import { quote } from './text/escape.ts';

export type { RunEffects } from './steps/context.ts';

/**
 * One run of the action: inputs, what came before, prompt, agent job, report. Every run ends with one
 * report. Returns whether the step succeeds, and never rejects.
 */
export async function run(raw: RawInputs, facts: RunFacts, effects: RunEffects): Promise<boolean> {
  const { clock, runner } = effects;
  const startedAtMs = clock.now();
  let known = nothingKnown(facts);
  let ending: Known['ending'];
  try {
    for await (known of story(known, raw, effects)) ending = known.ending;
  } catch (error) {
    ending = endingOfError(error, runner.redact);
  }
  ending ??= endingOfError(new Error('the run has no ending'), runner.redact);
  const ended = { ...known, ending };
  const result = {
    ...ended,
    press: pressAfter(ended),
    tookMs: clock.now() - startedAtMs,
    endedAtMs: clock.date(),
  };
  // Before the closing annotation: GitHub keeps a limited number of them.
  const { record, isRecordWritten } = result;
  if (record !== undefined && !isRecordWritten) writeRecord(record, runner);
  return writeReport(reportOn(result, runner.clean), runner);
}

async function* story(nothing: Known, raw: RawInputs, effects: RunEffects): Story {
  const { facts } = nothing;
  const { clock, runner } = effects;
  const inputs = await checkInputs(raw, facts, effects);
  if (inputs instanceof InputError) {
    // Inputs that cannot be used may still tell which step this is.
    const early = inputs.inputs && (await earlyPlanOf(inputs.inputs, facts, effects, true));
    const record = inputs.inputs && todoOf(inputs.inputs, early);
    const isKeyMissing = raw.adminApiKey === undefined && !inputs.inputs?.dryRun;
    const isForkWithoutKey = facts.isFork && isKeyMissing;
    yield {
      ...nothing,
      record,
      ending: isForkWithoutKey
        ? { kind: 'skipped', reason: 'fork' }
        : { kind: 'bad-inputs', problems: inputs.problems },
    };
    return;
  }
  const { task, timeoutMs, adminApiKey } = inputs;
  const early = await earlyPlanOf(inputs, facts, effects);
  const known: Known = {
    ...nothing,
    inputs,
    job: unread(task.kind === 'create' ? '' : task.jobId),
    prompt: task.kind === 'follow' ? undefined : task.instruction,
    record: todoOf(inputs, early),
  };
  yield known;
  runner.checkOutputs();
  runner.info(`Project ${quote(inputs.projectId)} at ${inputs.baseUrl}`);
  checkCertificates(effects.http);
  const deadline = clock.now() + timeoutMs;
  const api =
    adminApiKey === undefined
      ? undefined
      : createAgentApi({ ...inputs, adminApiKey, deadline }, effects);
  const access = { ...effects, token: inputs.githubToken, deadline, timeoutMs };
  const github = once(() => effects.openGitHub(access));
  // Agent jobs of earlier runs are read to know what they covered. Only a dry run has no key.
  const readJob =
    api &&
    ((id: string, isNew: boolean) => readOnce(api, id, { timeoutMs, deadline, isNew }, effects));
  const earlier = once(async () => {
    const { createAgentJobs } = await import('./history/judge.ts');
    const { createPulls } = await import('./history/pulls.ts');
    const pulls = createPulls(github, facts.serverUrl);
    return { pulls, agentJobs: createAgentJobs(readJob, pulls, () => clock.date()) };
  });
  const pause = pauseForSignals(effects, deadline);
  const used = { api, deadline, github, earlier, pause };
  const context: RunContext = { inputs, facts, effects, ...used };
  if (task.kind === 'follow' || early === undefined) {
    yield* follow(context, known, { origin: { kind: 'given' }, isSingleRead: !inputs.wait });
    return;
  }
  yield* sendOnce({ ...context, task, early }, known);
}

async function checkInputs(
  raw: RawInputs,
  facts: RunFacts,
  { runner, files }: RunEffects,
): Promise<Inputs | InputError> {
  for (const secret of [raw.adminApiKey, raw.githubToken]) {
    // A mask with white space around the secret would not cover the secret alone.
    if (secret !== undefined) runner.mask(secret.trim());
  }
  const isFileUsed = raw.promptFile !== undefined && raw.prompt === undefined;
  const file = isFileUsed ? await readPromptFile(raw.promptFile, files) : undefined;
  try {
    return parseInputs(raw, facts, runner.clean, file);
  } catch (error) {
    if (error instanceof InputError) return error;
    throw error;
  }
}

/** Sends the prompt, unless what came before says otherwise. */
async function* sendOnce(context: SendingContext, known: Known): Story {
  const { effects, inputs, early, task } = context;
  const { runner, clock } = effects;
  if (inputs.pullRequest === 'append' && !inputs.wait) {
    runner.annotate('warning', 'Docs agent: `wait: false` with `pullRequest: append`', BUSY_BRANCH);
  }
  const { verdict, query } = await lookBack(context);
  switch (verdict.kind) {
    case 'follow': {
      const { jobId, attempt, record, isSeen } = verdict;
      const id = quote(runner.clean(jobId));
      runner.info(`Following agent job ${id} from attempt ${attempt}. No prompt is sent.`);
      setJobId(jobId, runner);
      const isAppended = typeof record.last === 'object' && record.last.id === jobId;
      const isMessage = record.added !== undefined || task.kind === 'message';
      const followed: Known = {
        ...known,
        job: unread(jobId),
        prompt: undefined,
        resumedFrom: attempt,
        // The agent job is certain now, whatever the earlier attempt could know.
        record: { ...record, ...early.identity },
        sourcePulls: record.pulls,
        isUpdated: isMessage || isAppended,
      };
      yield followed;
      const isSingleRead = !waitsForEnd(context, verdict.isBehind);
      // An end that is read in the first 30 s may be the one before the message. A single read does
      // not wait for that, so it counts from when the message was sent.
      const sentAgoMs = clock.date() - (record.at ?? 0) * 1_000;
      const atMs = clock.now() - (isSingleRead ? Math.max(0, sentAgoMs) : 0);
      const origin = originOfFollowed(isMessage, isSeen, atMs);
      yield* follow(context, followed, { isSingleRead, origin });
      return;
    }
    case 'stop':
      yield { ...known, record: askedRecord(early, verdict.about) };
      throw verdict.error;
    case 'skip': {
      const reason = newerRunHasThem(verdict.runNumber);
      const changes = { kind: 'unknown', reason } as const;
      if (inputs.dryRun) await checkKey(context);
      yield { ...known, changes, ending: { kind: 'skipped', reason: 'newer-run' } };
      return;
    }
    case 'send':
      yield* send(context, { ...known, isSendingDecided: true }, verdict, query);
  }
}

const BUSY_BRANCH =
  'A run that starts while the agent is at work creates a new agent job, so a busy branch gets several pull requests. Without `wait: false` and with `concurrency:`, each run waits for the one before it.';

/** How the wait for an agent job of an earlier attempt begins. */
function originOfFollowed(isMessage: boolean, isSeen: boolean, atMs: number): WaitOrigin {
  if (isMessage) return { kind: 'messaged', atMs, isFollowed: !isSeen };
  return { kind: isSeen ? 'given' : 'followed' };
}

/** Begins a run: its inputs, its first record, and what it may call. */

import { createAgentApi } from '../agent/api.ts';
import { checkAccess, checkCertificates } from '../agent/preflight.ts';
import { beginOf, headNamedBy, pullNumberOf } from '../changes/find/event.ts';
import { once } from '../effects/retry.ts';
import { earlyPlan, recordOf } from '../history/plan.ts';
import { stepKey } from '../history/step-key.ts';
import {
  InputError,
  type Inputs,
  isDryRun,
  isForLaterRuns,
  parseInputs,
  type RawInputs,
  type Task,
  taskKindOf,
} from '../inputs/inputs.ts';
import { readPromptFile } from '../inputs/prompt-file.ts';
import { unread } from '../model/agent-job.ts';
import type { RecordBody } from '../model/record.ts';
import type { RunFacts } from '../model/run-facts.ts';
import type { Ending } from '../report/ending.ts';
import { quote } from '../text/escape.ts';
import type { RunContext, RunEffects, SendingContext, Tell } from './context.ts';

/** A run that goes on, or how it has ended because its inputs cannot be used. */
type Begun =
  | { readonly kind: 'ended'; readonly ending: Ending }
  | { readonly kind: 'follow'; readonly context: RunContext; readonly jobId: string }
  | { readonly kind: 'send'; readonly context: SendingContext };

/** Throws a `RunError` when outputs cannot be written, or certificates are not checked. */
export async function begin(
  raw: RawInputs,
  facts: RunFacts,
  effects: RunEffects,
  tell: Tell,
): Promise<Begun> {
  const { clock, runner } = effects;
  const inputs = await checkInputs(raw, facts, effects);
  const kind = taskKindOf(raw);
  const early = firstPlan(kind, raw, facts, effects);
  const isAlwaysRecorded = kind !== 'follow' && !isDryRun(raw) && isForLaterRuns(raw);
  if (isAlwaysRecorded) tell({ record: recordOf(early, { kind: 'todo' }) });
  if (inputs instanceof InputError) {
    const isForkWithoutKey = facts.isFork && raw.adminApiKey === undefined && !isDryRun(raw);
    const ending: Ending = isForkWithoutKey
      ? { kind: 'skipped', reason: 'fork' }
      : { kind: 'bad-inputs', problems: inputs.problems };
    return { kind: 'ended', ending };
  }
  const { task, timeoutMs, adminApiKey } = inputs;
  tell({
    inputs,
    job: unread(task.kind === 'create' ? '' : task.jobId),
    prompt: task.kind === 'follow' ? undefined : task.instruction,
  });
  runner.checkOutputs();
  runner.info(`Project ${quote(inputs.projectId)} at ${inputs.baseUrl}`);
  checkCertificates(effects.http);
  const deadline = clock.now() + timeoutMs;
  const api =
    adminApiKey === undefined
      ? undefined
      : createAgentApi({ ...inputs, adminApiKey, deadline }, effects);
  if (inputs.dryRun && api !== undefined) await checkAccess(api, effects);
  const access = { ...effects, token: inputs.githubToken, deadline, timeoutMs };
  const github = once(() => effects.openGitHub(access));
  const context: RunContext = { inputs, facts, effects, api, deadline, github, tell };
  return task.kind === 'follow'
    ? { kind: 'follow', context, jobId: task.jobId }
    : { kind: 'send', context: { ...context, task, early, isAlwaysRecorded } };
}

async function checkInputs(
  raw: RawInputs,
  facts: RunFacts,
  { runner, files, readEvent }: RunEffects,
): Promise<Inputs | InputError> {
  for (const secret of [raw.adminApiKey, raw.githubToken]) {
    if (secret !== undefined) runner.mask(secret);
  }
  const isFileUsed = raw.promptFile !== undefined && raw.prompt === undefined;
  const file = isFileUsed ? await readPromptFile(raw.promptFile, files) : undefined;
  const isSinceHead = headNamedBy(raw.since ?? '', readEvent) !== undefined;
  try {
    return parseInputs(raw, facts, runner.clean, file, isSinceHead);
  } catch (error) {
    if (error instanceof InputError) return error;
    throw error;
  }
}

/** The record of a step before anything was asked. */
function firstPlan(
  kind: Task['kind'],
  { since = 'auto', workflowJob = '' }: RawInputs,
  facts: RunFacts,
  { readEvent }: RunEffects,
): RecordBody {
  const pullNumber = pullNumberOf(readEvent);
  const key = stepKey({ kind, workflowJob, pullNumber }, facts);
  return earlyPlan(key, since === 'auto' ? undefined : beginOf(readEvent));
}

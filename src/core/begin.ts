/** Begins a run: validates its inputs and opens the agent API. */
import { createAgentApi } from '../agent/api.ts';
import { checkAccess, checkCertificates } from '../agent/preflight.ts';
import type { Effects } from '../effects/effects.ts';
import {
  InputError,
  type Inputs,
  isDryRun,
  parseInputs,
  type RawInputs,
} from '../inputs/inputs.ts';
import { readPromptFile } from '../inputs/prompt-file.ts';
import { unreadJob } from '../model/agent-job.ts';
import type { RunFacts } from '../model/run-facts.ts';
import type { Ending } from '../report/ending.ts';
import { quote } from '../text/escape.ts';
import type { CoreContext, Tell } from './core-context.ts';

/** A run that can proceed, or the ending of one whose inputs are unusable. */
type Begun =
  | { readonly kind: 'ended'; readonly ending: Ending }
  | { readonly kind: 'begun'; readonly context: CoreContext };

/**
 * Validates the inputs and, in a dry run with a key, checks access to the agent API. `isHeadNamed`
 * says that `since` is the ID of the commit at which this run's changes end. Throws a `RunError`
 * when outputs can't be written, when Node doesn't verify certificates, or when the service refuses
 * the key.
 */
export async function begin(
  raw: RawInputs,
  facts: RunFacts,
  effects: Effects,
  tell: Tell,
  isHeadNamed: boolean,
): Promise<Begun> {
  const { clock, runner } = effects;
  const inputs = await checkInputs(raw, facts, effects, isHeadNamed);
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
    job: unreadJob(task.kind === 'create' ? '' : task.jobId),
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
  return { kind: 'begun', context: { inputs, facts, effects, api, deadline, tell } };
}

async function checkInputs(
  raw: RawInputs,
  facts: RunFacts,
  { runner, files }: Effects,
  isHeadNamed: boolean,
): Promise<Inputs | InputError> {
  for (const secret of [raw.adminApiKey, raw.githubToken]) {
    if (secret !== undefined) runner.mask(secret);
  }
  const isFileUsed = raw.promptFile !== undefined && raw.prompt === undefined;
  const file = isFileUsed ? await readPromptFile(raw.promptFile, files) : undefined;
  try {
    return parseInputs(raw, facts, runner.clean, file, isHeadNamed);
  } catch (error) {
    if (error instanceof InputError) return error;
    throw error;
  }
}

/** What a dry run does instead of a call. */
import { checkAccess } from '../agent/access.ts';
import type { Ending } from '../report/ending.ts';
import type { RunContext } from './context.ts';

/** Ends a dry run. The report shows the prompt. */
export async function dryRun(context: RunContext): Promise<Ending> {
  await checkKey(context);
  return { kind: 'dry-run' };
}

/** In a dry run, one free read of an agent job that cannot exist tells whether the key is good. */
export async function checkKey({ inputs, api, effects }: RunContext): Promise<void> {
  if (!inputs.dryRun) return;
  if (api === undefined) effects.runner.info('No `adminApiKey` was given, so it was not checked.');
  else await checkAccess(api, effects);
}

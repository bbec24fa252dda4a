/** What a run has: its inputs, what it does to the world, and the services. */
import { type Agent, createAgent } from '../agent/agent.ts';
import type { Effects, Limits } from '../effects.ts';
import type { RunFacts } from '../github/event.ts';
import { type GitHub, openGitHub } from '../github/github.ts';
import type { Inputs } from '../inputs.ts';

/** What a call and its agent job need. */
export interface CallRooms {
  readonly inputs: Pick<Inputs, 'dryRun' | 'wait' | 'pollIntervalMs'>;
  readonly effects: Effects;
  readonly agent: Pick<Agent, 'send' | 'read'>;
  readonly github: { with(limits: Limits): Pick<GitHub, 'docsPull'> };
}

export type Rooms = ReturnType<typeof openRooms>;

export function openRooms(
  inputs: Inputs,
  facts: RunFacts,
  env: NodeJS.ProcessEnv,
  endless: Omit<Effects, 'deadline'>,
) {
  const effects = { ...endless, deadline: endless.clock.now() + inputs.timeoutMs };
  // Only a dry run lacks a key, and it does not call.
  const agent = createAgent({ ...inputs, ...effects, adminApiKey: inputs.adminApiKey ?? '' });
  const github = openGitHub({ ...effects, facts, token: inputs.githubToken });
  return { inputs, facts, env, effects, agent, github };
}

/** What git needs. */
export const repositoryAccess = ({ inputs, facts, env, effects }: Rooms) => ({
  ...facts,
  ...effects,
  env,
  token: inputs.githubToken,
});

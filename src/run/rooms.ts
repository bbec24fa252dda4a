/** What a run has: its inputs, what it does to the world, and the services. */
import { type Agent, createAgent } from '../agent/agent.ts';
import type { Limits, Runner } from '../effects.ts';
import type { RunFacts } from '../github/event.ts';
import { type GitHub, openGitHub } from '../github/github.ts';
import type { ReadableDocsPull } from '../github/pull-requests.ts';
import type { Fetch } from '../http.ts';
import type { Inputs } from '../inputs.ts';

/** What a run does to the world, and what ends it early. */
export interface Effects extends Omit<Limits, 'deadline'> {
  readonly runner: Runner;
  /** Reads the whole body before it resolves (`createFetch` in http.ts). */
  readonly fetch: Fetch;
  /** Aborts `CANCEL_MS` after `signal`, so that what became of a call can still be recorded. */
  readonly lateSignal: AbortSignal;
}

/** What a call and its agent job need. */
export interface CallRooms {
  readonly inputs: Pick<Inputs, 'dryRun' | 'wait' | 'pollIntervalMs'>;
  /** Until `timeout` is over. */
  readonly effects: Limits & Omit<Effects, 'fetch'>;
  readonly agent: Pick<Agent, 'send' | 'read'>;
  /** For the summary, until a time on the clock's scale. Rejects if the token may not read it. */
  showDocsPull(link: string, until: number): Promise<ReadableDocsPull | undefined>;
}

export interface Rooms extends CallRooms {
  readonly inputs: Inputs;
  readonly facts: RunFacts;
  readonly env: NodeJS.ProcessEnv;
  readonly effects: Limits & Effects;
  readonly agent: Agent;
  readonly github: GitHub;
}

export function openRooms(
  inputs: Inputs,
  facts: RunFacts,
  env: NodeJS.ProcessEnv,
  endless: Effects,
): Rooms {
  const effects = { ...endless, deadline: endless.clock.now() + inputs.timeoutMs };
  // Only a dry run lacks a key, and it does not call.
  const agent = createAgent({ ...inputs, ...effects, adminApiKey: inputs.adminApiKey ?? '' });
  const github = openGitHub({ ...effects, facts, token: inputs.githubToken });
  const showDocsPull = (link: string, until: number) =>
    github.with({ deadline: until }).docsPull(link);
  return { inputs, facts, env, effects, agent, github, showDocsPull };
}

/** What git needs. */
export const repositoryAccess = ({ inputs, facts, env, effects }: Rooms) => ({
  ...facts,
  ...effects,
  env,
  token: inputs.githubToken,
});

/** The rooms of a run, with the limits of its step. */
import { type Agent, createAgent } from '../agent/agent.ts';
import type { Clock, Runner } from '../effects.ts';
import type { RunFacts } from '../github/event.ts';
import { type GitHub, openGitHub } from '../github/github.ts';
import type { ReadableDocsPull } from '../github/pull-requests.ts';
import type { Fetch } from '../http.ts';
import type { Inputs } from '../inputs.ts';

/** What a run does to the world, and what ends it early. */
export interface Effects {
  readonly clock: Clock;
  readonly runner: Runner;
  /** Reads the whole body before it resolves (`createFetch` in http.ts). */
  readonly fetch: Fetch;
  /** Aborts when the runner cancels the step, with a `Cancelled` as its reason. */
  readonly signal: AbortSignal;
  /** Aborts `CANCEL_MS` later, so that what became of a call can still be recorded. */
  readonly lateSignal: AbortSignal;
}

export interface Rooms {
  readonly inputs: Inputs;
  readonly facts: RunFacts;
  readonly env: NodeJS.ProcessEnv;
  readonly effects: Effects;
  /** When `timeout` is over, on the clock's scale in ms. */
  readonly deadline: number;
  /** `undefined` without a key, which only a dry run may lack. */
  readonly agent: Agent | undefined;
  readonly github: GitHub;
  /** For the summary, until a time on the clock's scale. `undefined` if the token may not read it. */
  showDocsPull(link: string, until: number): Promise<ReadableDocsPull | undefined>;
}

export type CallingRooms = Rooms & { readonly agent: Agent };

export const hasAgent = (rooms: Rooms): rooms is CallingRooms => rooms.agent !== undefined;

export function openRooms(
  inputs: Inputs,
  facts: RunFacts,
  env: NodeJS.ProcessEnv,
  effects: Effects,
): Rooms {
  const deadline = effects.clock.now() + inputs.timeoutMs;
  const { adminApiKey, githubToken: token } = inputs;
  const agent =
    adminApiKey === undefined
      ? undefined
      : createAgent({ ...inputs, ...effects, adminApiKey, deadline });
  const github = openGitHub({ ...effects, facts, token, deadline });
  const showDocsPull = (link: string, until: number) =>
    github.with({ deadline: until }).docsPull(link);
  return { inputs, facts, env, effects, deadline, agent, github, showDocsPull };
}

/** What git needs. */
export const repositoryAccess = ({ inputs, facts, env, effects, deadline }: Rooms) => ({
  ...facts,
  ...effects,
  env,
  deadline,
  token: inputs.githubToken,
});

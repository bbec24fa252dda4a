/** What all parts of a run work with. */
import { type Agent, createAgent } from './agent/agent.ts';
import type { Clock, Runner } from './effects.ts';
import type { RunFacts } from './github/event.ts';
import { type GitHub, openGitHub } from './github/github.ts';
import type { Fetch } from './http.ts';
import type { Inputs } from './inputs.ts';
import type { Known } from './report/ending.ts';

export interface RunEffects {
  readonly clock: Clock;
  readonly runner: Runner;
  /** Reads the whole body before it resolves (`createFetch` in http.ts). */
  readonly fetch: Fetch;
  /** Aborts when the runner cancels the step, with a `Cancelled` as its reason. */
  readonly signal: AbortSignal;
  /** Aborts 5 s later, so that what became of a call can still be recorded. */
  readonly lateSignal: AbortSignal;
}

/** Adds to what is known about the run, so that the report of a later error includes it. */
export type Tell = (learned: Partial<Known>) => void;

export interface Context {
  readonly inputs: Inputs;
  readonly facts: RunFacts;
  readonly env: NodeJS.ProcessEnv;
  readonly effects: RunEffects;
  /** When `timeout` is over, on the clock's scale in ms. */
  readonly deadline: number;
  /** `undefined` without a key, which only a dry run may lack. */
  readonly agent: Agent | undefined;
  readonly github: GitHub;
  readonly lateGitHub: GitHub;
  readonly tell: Tell;
}

export type CallingContext = Context & { readonly agent: Agent };

export const hasAgent = (context: Context): context is CallingContext =>
  context.agent !== undefined;

export function openContext(
  inputs: Inputs,
  facts: RunFacts,
  env: NodeJS.ProcessEnv,
  effects: RunEffects,
  tell: Tell,
): Context {
  const deadline = effects.clock.now() + inputs.timeoutMs;
  const { adminApiKey, githubToken: token } = inputs;
  const agent =
    adminApiKey === undefined
      ? undefined
      : createAgent({ ...inputs, ...effects, adminApiKey, deadline });
  const access = { ...effects, facts, token, deadline };
  const github = openGitHub(access);
  const lateGitHub = openGitHub({ ...access, signal: effects.lateSignal });
  return { inputs, facts, env, effects, deadline, agent, github, lateGitHub, tell };
}

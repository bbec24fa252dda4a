/** The context of steps that call GitHub or leave a record. */
import type { CoreContext } from '../core/core-context.ts';
import type { Effects } from '../effects/effects.ts';
import { once } from '../effects/once.ts';
import { outlineOf } from '../github/event.ts';
import type { GitHub, GitHubAccess, WorkflowEvent } from '../github/github.ts';
import type { Inputs, SendingTask } from '../inputs/inputs.ts';
import type { RecordBody } from '../model/record.ts';

/** Everything that a run does outside its own memory. */
export interface RunEffects extends Effects {
  /** Called only when a step needs GitHub's API. */
  readonly openGitHub: (access: GitHubAccess) => Promise<GitHub>;
  /** Throws a `GitHubError` when the event's file can't be read. */
  readonly readEvent: () => WorkflowEvent;
}

export interface RunContext extends CoreContext {
  readonly effects: RunEffects;
  /** Opens GitHub's API on first use. */
  readonly github: () => Promise<GitHub>;
}

/** A run that sends a prompt, unless an earlier attempt or a newer run already did. */
export interface SendingContext extends RunContext {
  readonly task: SendingTask;
  /** The run's record before its changes are known. */
  readonly earlyBody: RecordBody;
  /** The run leaves a record even if it sends nothing, because later runs look for one. */
  readonly isAlwaysRecorded: boolean;
  /** The commit at which this run's changes end, if `since` is its ID. */
  readonly namedHead: string | undefined;
}

export function withGitHub(core: CoreContext, effects: RunEffects): RunContext {
  const { inputs, deadline } = core;
  const { githubToken: token, timeoutMs } = inputs;
  const access = { ...effects, token, deadline, timeoutMs };
  return { ...core, effects, github: once(() => effects.openGitHub(access)) };
}

/** Whether this is a re-run that may send a prompt, with that value of the input `rerun`. */
export const isRerunWith = (
  rerun: Inputs['rerun'],
  { facts, inputs }: Pick<SendingContext, 'facts' | 'inputs'>,
) => facts.attempt > 1 && inputs.rerun === rerun && !inputs.dryRun;

/**
 * The token permissions that the step needs, all of them, because a `permissions:` block replaces
 * the default.
 */
export function permissionsOf({ inputs, effects }: SendingContext): readonly string[] {
  const isAppending = inputs.pullRequest === 'append';
  const isPull = outlineOf(effects.readEvent).pullNumber !== undefined;
  const readsPulls = isAppending || (isPull && readsChanges(inputs));
  return [
    'contents: read',
    'actions: read',
    'checks: read',
    ...(readsPulls ? ['pull-requests: read'] : []),
  ];
}

export const readsChanges = ({ changes, paths }: Inputs) => changes !== 'none' || paths.length > 0;

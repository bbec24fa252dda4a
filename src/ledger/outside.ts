/** What the ledger's rules ask of the world and of the run. */
import type { Agent } from '../agent/agent.ts';
import { type Look, type Watch, watchJob } from '../agent/watch.ts';
import type { Clock, Runner } from '../effects.ts';
import type { Call, LedgerScope, SentCall } from './state.ts';

export interface LedgerRun extends Pick<Call, 'key' | 'run' | 'attempt'> {
  readonly scope: LedgerScope;
  /** Not for a prompt alone. */
  readonly tracksChanges: boolean;
  readonly appends: boolean;
  readonly isDryRun: boolean;
}

/** What the run would send now. */
export interface Target {
  readonly to: string;
  readonly head: string;
  /** By the event, if it says. */
  readonly start: string | undefined;
}

/** Everything outside that the rules ask. Each may throw a `StepError`. */
export interface Outside {
  now(): number;
  target(): Promise<Target>;
  /** Where the changes start, whatever is covered: a typed `since`, or where the event says. */
  since(): Promise<string | undefined>;
  /** Whether a commit is another one, or an ancestor of it. `undefined`: GitHub does not have both. */
  isBehind(commit: string, other: string): Promise<boolean | undefined>;
  /** Whether a commit is still on the branch. Not if that was deleted. */
  isOnBranch(commit: string): Promise<boolean>;
  /** Why nothing has to be sent from this start; `undefined` if something has to be. */
  nothingToSend(start: string | undefined): Promise<NothingReason | undefined>;
  /** One read of the call's agent job. */
  look(call: SentCall): Promise<Look>;
  docsPullState(link: string): Promise<'open' | 'merged' | 'closed' | 'unreadable'>;
}

export type NothingReason = 'no-changes' | 'no-matching-files' | 'all-skipped' | 'no-start';

/** Watches each call across reads, because only 404 for 30 s says that an agent job is gone. */
export function createLook(
  agent: Agent,
  effects: { readonly clock: Clock; readonly runner: Runner; readonly signal: AbortSignal },
): Outside['look'] {
  const watches = new Map<string, Watch>();
  return async ({ key, job, message, at }) => {
    const watch = watches.get(key) ?? watchJob(agent, job, message === null ? null : at, effects);
    watches.set(key, watch);
    return watch.look();
  };
}

/** What the ledger asks of the world: `run/` answers, and so do the tests' random histories. */
import type { Standing } from '../agent/job.ts';
import type { Limits } from '../effects.ts';
import type { Target } from './rules.ts';
import type { SentCall, State } from './state.ts';

export type NothingReason = 'no-changes' | 'no-matching-files' | 'all-skipped' | 'no-start';

export type DocsPullState = 'open' | 'merged' | 'closed' | 'unreadable' | 'elsewhere';

/** Each may throw a `StepError`. */
export interface Outside {
  /** What the run would send now: asked anew after each wait. */
  target(): Promise<Target>;
  /** Whether `commit` is `other` or its ancestor. `undefined`: GitHub does not have both. */
  isBehind(commit: string, other: string): Promise<boolean | undefined>;
  /** Why nothing has to be sent from this start; `undefined` if something has to be. */
  nothingFrom(start: string | undefined): Promise<NothingReason | undefined>;
  /** One read of a call's agent job. Only its 404 for 30 s, over several looks, is `not-found`. */
  look(call: SentCall): Promise<Standing>;
  /** Throws a `StepError` if it cannot be read now, but maybe later. */
  docsPullState(link: string): Promise<DocsPullState>;
  /** The same with other limits, for what follows the end of an agent job. */
  with(limits: Limits): Pick<Outside, 'isBehind' | 'docsPullState'>;
}

/** The state of the ledger at a commit. Without a ledger, `tip` is `undefined`. */
export interface Snapshot {
  readonly tip: string | undefined;
  readonly state: State;
  /** On a branch: its newest commit. `undefined` if it is gone. */
  readonly branchTip: string | undefined;
}

export type Pushed =
  | { readonly kind: 'pushed'; readonly tip: string }
  /** Somebody else wrote, or it failed for now. */
  | { readonly kind: 'rejected'; readonly said: string }
  /** The workflow job lacks `contents: write`. */
  | { readonly kind: 'denied'; readonly said: string };

/** The ledger as a place to read and write. Each may throw a `StepError`. */
export interface Store {
  readonly ref: string;
  read(): Promise<Snapshot>;
  /** Only where it is: one request of git. */
  tip(): Promise<string | undefined>;
  /** Writes the state, unless somebody else wrote since `tip`. `sentence` is for people. */
  push(tip: string | undefined, state: State, sentence: string): Promise<Pushed>;
  /** The same with other limits. */
  with(limits: Limits): Store;
}

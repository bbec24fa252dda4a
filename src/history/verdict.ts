import type { LastJob, LookedAtBy, Settled } from '../model/record.ts';
import type { Start } from '../model/start.ts';
import type { Follow } from './attempts.ts';
import type { SentBefore } from './pull-request-history.ts';
import type { AtWork, Target } from './target.ts';

/** What other runs of this step mean for this one. */
export type Verdict = Overtaken | Sending;

/** A newer run covers this run's changes. */
export interface Overtaken {
  readonly kind: 'overtaken';
  readonly by: number;
}

/** Follow the agent job of an earlier attempt. */
export interface FollowEarlier extends Follow {
  /** This attempt has read the agent job as `active`. */
  readonly wasActive: boolean;
  /** Why this attempt could not read the agent job, if it tried in vain. */
  readonly lastError: string | undefined;
}

/** Nothing stops this run: where its changes start and where its prompt goes. */
export interface Sending {
  readonly kind: 'send';
  /**
   * Where the changes start according to other runs or earlier attempts of this one. `undefined` if
   * the event or `since` decides, or the step reads no changes.
   */
  readonly start: Start | undefined;
  readonly lookedAtBy: LookedAtBy;
  /** The step's last agent job, under `pullRequest: append`. `undefined` if unknown. */
  readonly last: LastJob | 'none' | undefined;
  /** Where the prompt goes, under `pullRequest: append`. */
  readonly target: Target | AtWork | undefined;
  /** Under `last-success` on a pull request: the newest call that sent its changes. */
  readonly sent: SentBefore | undefined;
  /** What to record if the step is skipped: what was certain about the pull request. */
  readonly settled: Settled | undefined;
}

/** The defaults of `Sending`: nothing is known about earlier runs. */
export const NOTHING_EARLIER: Sending = {
  kind: 'send',
  start: undefined,
  lookedAtBy: 'unknown',
  last: undefined,
  target: undefined,
  sent: undefined,
  settled: undefined,
};

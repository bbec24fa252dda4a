import type { LastAtWork } from '../model/agent-job.ts';
import type { LastJob, OpenJob, Settled } from '../model/record.ts';
import type { Start } from '../model/start.ts';
import type { Follow } from './attempts.ts';
import type { SentBefore } from './pull-request-history.ts';
import type { Target } from './target.ts';

/** What other runs of this step say about this one. */
export type Verdict =
  /** A newer run has the changes of this one. */
  { readonly kind: 'overtaken'; readonly by: number } | Sending;

/** Follow the agent job of an earlier attempt. */
export interface Following extends Follow {
  /** This attempt has read it as `active`. */
  readonly wasActive: boolean;
}

/** Send, from here, with these earlier agent jobs. */
export interface Sending {
  readonly kind: 'send';
  /**
   * Where the changes start by what other runs or earlier attempts of this one have on record.
   * `undefined` where the event or `since` says so, or no changes are read.
   */
  readonly start: Start | undefined;
  /** What the record of this run carries over. */
  readonly open: readonly OpenJob[];
  /** The last agent job of this step, under `pullRequest: append`. `undefined`: it is not known. */
  readonly last: LastJob | 'none' | undefined;
  /**
   * Under `pullRequest: append`: the last agent job did not end within `limitMs`, so nothing may be sent.
   */
  readonly atWork: LastAtWork | undefined;
  /** Under `pullRequest: append`: where the prompt goes. */
  readonly target: Target | undefined;
  /**
   * Which later runs look at this one: the `next` one, unless a person gives it a start of its own; or
   * `none`, because a newer run has a range on record. Then this run waits for the end. `unknown`: nobody has looked.
   */
  readonly laterRuns: 'next' | 'none' | 'unknown';
  /** Under `last-success` on a pull request: the newest call that sent changes of it. */
  readonly sent: SentBefore | undefined;
  /** What the record says if the step is skipped: what was certain about the pull request. */
  readonly settled: Settled | undefined;
}

/** Nothing is known of earlier runs, and nothing has to be. */
export const NOTHING_EARLIER: Sending = {
  kind: 'send',
  start: undefined,
  open: [],
  last: undefined,
  atWork: undefined,
  target: undefined,
  laterRuns: 'unknown',
  sent: undefined,
  settled: undefined,
};

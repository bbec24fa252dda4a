import type { LastJob, OpenJob } from '../model/record.ts';
import type { Start } from '../model/start.ts';
import type { PartOfRun } from './runs.ts';

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
  /** The part of an earlier run that `start` follows from. */
  readonly part: PartOfRun | undefined;
  /**
   * Which later runs look at this one: the `next` one certainly, or `none`, because a newer run has a
   * part on record. Then this run waits for the end. `unknown`: nobody has looked.
   */
  readonly laterRuns: 'next' | 'none' | 'unknown';
}

/** Nothing is known of earlier runs, and nothing has to be. */
export const NOTHING_EARLIER: Sending = {
  kind: 'send',
  start: undefined,
  open: [],
  last: undefined,
  part: undefined,
  laterRuns: 'unknown',
};

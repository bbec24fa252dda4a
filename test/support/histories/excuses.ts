/**
 * Why a change may be missing from the docs or be sent twice even though the action keeps its
 * promises. The README tells people. Random histories count how often the judge needs each excuse.
 */

interface Excuse {
  /** What happens to a change: no agent job gets it, or a second one gets it too. */
  readonly what: 'lost' | 'twice';
  /** Words from the README's section "What can be lost or paid twice". */
  readonly readme: string;
  /**
   * In how many of 1,000 histories the judge may need the excuse. More suggests a fault in the
   * action.
   */
  readonly most: number;
}

export const EXCUSES = {
  namedStart: { what: 'lost', readme: 'before a `since` that you name', most: 65 },
  saidDone: { what: 'lost', readme: 'which says that all before it is done', most: 80 },
  beforeFirstRecord: { what: 'lost', readme: "before this step's first run", most: 400 },
  forgotten: { what: 'lost', readme: 'of runs that were deleted', most: 30 },
  longPause: {
    what: 'lost',
    readme: 'if the last 50 runs with the workflow job left no record',
    most: 20,
  },
  archived: {
    what: 'lost',
    readme: 'archived in the dashboard before anyone saw its end',
    most: 50,
  },
  unwatched: { what: 'lost', readme: 'whose step ended before the agent finished', most: 10 },
  farBehind: { what: 'lost', readme: 'starts behind more than 50 newer ones', most: 10 },
  staleRevert: {
    what: 'lost',
    readme: 'after a newer run that had both the change and its revert',
    most: 10,
  },
  hiddenByLater: { what: 'lost', readme: 'which shares one status with it', most: 10 },

  doubt: { what: 'twice', readme: 'a lost response', most: 120 },
  lostRunner: { what: 'twice', readme: 'a lost runner', most: 150 },
  asked: { what: 'twice', readme: 'a second re-run', most: 60 },
  create: { what: 'twice', readme: '`rerun: create`', most: 60 },
  namedAgain: { what: 'twice', readme: 'starts before changes that were already sent', most: 150 },
  failed: {
    what: 'twice',
    readme: 'together with later changes that another agent job covered',
    most: 150,
  },
  laterFailed: { what: 'twice', readme: 'a later message to the same agent job failed', most: 20 },
  closed: { what: 'twice', readme: 'before a step sees the agent finish', most: 50 },
  agentForgotten: { what: 'twice', readme: 'Mintlify no longer knows', most: 20 },
  oldList: { what: 'twice', readme: "GitHub's list of runs lacks a newer one", most: 20 },
  forcePush: { what: 'twice', readme: 'a force push removed', most: 60 },
  manyNewer: { what: 'twice', readme: 'more than 50 newer runs', most: 40 },
  forgottenAgain: { what: 'twice', readme: 'whose earlier attempts were deleted', most: 40 },
} as const satisfies Readonly<Record<string, Excuse>>;

export type ExcuseName = keyof typeof EXCUSES;

/** Limits that rules share, in ms. Those that follow from another one change with it. */

const SECOND_MS = 1_000;
export const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;

/** One request that reads, from the connection to the last byte. */
export const READ_MS = 30 * SECOND_MS;
/** For the response to a write: only that has the id of the agent job. */
export const WRITE_MS = 5 * MINUTE_MS;

/** A call is made, and made again where it certainly was not taken, this long after its claim. */
export const CALL_WITHIN_MS = 2 * MINUTE_MS;
/** How long what became of a call is pushed, and what is read after the end of an agent job. */
export const SETTLE_MS = MINUTE_MS;
/** How far the clocks of two runners may be apart, and how long a machine may stand still. */
const CLOCKS_MS = 2 * MINUTE_MS;
/** A claim that is older and has no agent job is in doubt: its run cannot be calling any more. */
export const CALLING_MS = CALL_WITHIN_MS + WRITE_MS + SETTLE_MS + CLOCKS_MS;

/** An agent job that is still active after this long counts as failed. Agents take minutes. */
export const STUCK_MS = 2 * HOUR_MS;
/** Advice stops recommending a re-run this long before `STUCK_MS`, so that a person is in time. */
export const RERUN_MS = 10 * MINUTE_MS;

/** The service may not know a new agent job at once, and one 404 may come from a gateway. */
export const NOT_FOUND_MS = 30 * SECOND_MS;
/** After a follow-up message, a read may still show the end from before it. */
export const OLD_END_MS = 30 * SECOND_MS;

/** For the report and the exit. The runner kills a step 10 s after a cancel. */
const REPORT_MS = 250;
/** The step ends 2 s after a cancel. */
export const CANCEL_END_MS = 2 * SECOND_MS - REPORT_MS;
/** If a call is out, it ends after 5 s. The response has 4 s of them; recording it has the rest. */
export const CANCEL_WRITE_MS = 4 * SECOND_MS;
export const CANCEL_MS = CANCEL_WRITE_MS + SECOND_MS - REPORT_MS;

/** As long as GitHub lets a run be re-run, an open call is remembered. */
export const RERUNNABLE_MS = 30 * 24 * HOUR_MS;

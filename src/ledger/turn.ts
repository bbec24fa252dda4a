/** Reading the ledger, waiting for other runs, and claiming what to send. */
import type { Limits } from '../effects.ts';
import { StepError } from '../errors.ts';
import { quote } from '../text/escape.ts';
import { shortRef } from '../text/words.ts';
import { type Decision, decide } from './decide.ts';
import type { LedgerRun, Outside } from './outside.ts';
import { type Recorder, record } from './settle.ts';
import { type Call, withCall } from './state.ts';
import type { Store } from './store.ts';

/** Eight writers at once needed eleven. */
const MAX_TRIES = 20;
const MAX_PAUSE_MS = 1_000;
/** How long to try to take back a claim that was not used. */
const TAKE_BACK_MS = 30_000;

interface TurnOptions extends Limits {
  readonly recorder: Recorder;
  /** When to stop waiting for other runs, on the clock's scale in ms. */
  readonly waitUntil: number;
  readonly pollIntervalMs: number;
  readonly isMessageRefused: boolean;
  onWait(call: Call): void;
  compose(decision: Sending): Promise<{
    readonly prompt: string;
    readonly codePullRequests: readonly number[];
  }>;
}

type Sending = Extract<Decision, { kind: 'send' }>;

export type Turn =
  | Extract<Decision, { kind: 'skip' | 'resume' }>
  /** `claimedAt` is on the clock's scale, in ms. */
  | (Sending & { readonly prompt: string; readonly claimedAt: number });

/**
 * Decides what the run does, waits for other runs while it has to, and records the decision: with
 * `send`, the ledger holds the claim, so no other run sends the same. Throws a `StepError` when other
 * runs take too long, and when the ledger cannot be read or written.
 */
export async function takeTurn(
  run: LedgerRun,
  store: Store,
  outside: Outside,
  options: TurnOptions,
): Promise<Turn> {
  const { clock, signal, deadline, recorder, waitUntil } = options;
  /** As the turn before left it, maybe with its claim. Then anew. */
  let read = store.latest;
  let mayHaveClaimed = false;
  let hasWaited = false;
  let said = '';
  try {
    for (let tries = 0; tries < MAX_TRIES; ) {
      const { tip, state } = await read();
      read = store.read;
      mayHaveClaimed ||= state.runs.some(({ key }) => key === run.key);
      const decision = await decide(run, state, outside, options);
      if (decision.kind === 'resume') return decision;
      if (decision.kind === 'wait') {
        if (!hasWaited) options.onWait(decision.call);
        hasWaited = true;
        if (clock.now() >= waitUntil) throw new StepError('other-run', waitedFor(decision.call));
        await clock.sleep(Math.min(options.pollIntervalMs, waitUntil - clock.now()), signal);
        continue;
      }
      const turn =
        decision.kind === 'send'
          ? { ...decision, ...(await claimOf(decision, outside, options)) }
          : decision;
      const next = turn.kind === 'send' ? withCall(turn.state, turn.claim) : turn.state;
      const isSame = JSON.stringify(next) === JSON.stringify(state);
      if (run.isDryRun || isSame) return turn;
      mayHaveClaimed ||= turn.kind === 'send';
      const pushed = await store.push(tip, next, turnSentence(run, turn));
      if (pushed.kind === 'rejected') {
        tries += 1;
        said = pushed.said;
        await clock.sleep(MAX_PAUSE_MS * clock.random(), signal);
        continue;
      }
      // Only a prompt alone may go out unrecorded.
      if (pushed.kind === 'denied' && run.scope !== 'prompts')
        throw denied(run, store.ref, pushed.said, turn);
      return turn;
    }
    const message = `The ledger ${quote(store.ref)} could not be written in ${MAX_TRIES} tries (${quote(said)}), so nothing was sent`;
    throw new StepError('ledger-busy', message);
  } catch (error) {
    // The claim may be on the server, and would make later runs wait for a call.
    const until = Math.min(deadline, clock.now() + TAKE_BACK_MS);
    if (mayHaveClaimed) await record(recorder, { ...run, job: null }, { kind: 'not-sent' }, until);
    throw error;
  }
}

async function claimOf(decision: Sending, outside: Outside, { clock, compose }: TurnOptions) {
  const { prompt, codePullRequests } = await compose(decision);
  const claim = { ...decision.claim, codePullRequests, at: outside.now() };
  return { claim, prompt, claimedAt: clock.now() };
}

function waitedFor({ run, job }: Call): string {
  const what =
    job === null
      ? `Workflow run ${run} is still calling Mintlify`
      : `Agent job ${quote(job)} of workflow run ${run} is not known to have ended`;
  return `${what} after half of \`timeout\`, so nothing was sent`;
}

function denied(run: LedgerRun, ref: string, said: string, decision: Sending | Skipping) {
  const since = decision.kind === 'skip' ? decision.since : (decision.start ?? '');
  const by = since === '' ? '' : ` with \`since\` set to ${quote(since)}`;
  const byHand = `start a new run${by}`;
  const again =
    run.scope === 'pull'
      ? `push to the pull request again, or, if it is merged, ${byHand} on its base branch`
      : byHand;
  const message = `The token may not push to ${quote(ref)} (${quote(said)}), so nothing was sent`;
  return new StepError('write-denied', message, { about: again });
}

type Skipping = Extract<Decision, { kind: 'skip' }>;

function turnSentence({ run, attempt }: LedgerRun, decision: Sending | Skipping): string {
  const who = `Run ${run}, attempt ${attempt}`;
  if (decision.kind === 'skip') return `${who}: nothing to send`;
  const { start, head, appendTo } = decision;
  const what =
    head === undefined ? 'a prompt' : `${start ? shortRef(start) : ''}..${shortRef(head)}`;
  const where = appendTo === undefined ? '' : ` to agent job ${appendTo.job}`;
  return `${who}: sending ${what}${where}`;
}

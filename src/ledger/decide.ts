/** What a run does next, by the rules of the ledger. */
import { type Ended, isRunning, type Standing } from '../agent/job.ts';
import { StepError } from '../errors.ts';
import { STUCK_MS } from '../limits.ts';
import { quote } from '../text/escape.ts';
import type { NothingReason, Outside, Snapshot } from './outside.ts';
import {
  type Asked,
  callBefore,
  callToAppendTo,
  covers,
  earlierAttempt,
  isCalling,
  isCovered,
  isShared,
  type Outcome,
  startOf,
  stateAfter,
  type Target,
} from './rules.ts';
import { type Call, hasEnded, hasJob, type SentCall, type State, withoutCall } from './state.ts';

export type SkippedReason =
  | NothingReason
  | 'covered'
  | 'not-on-branch'
  | 'tag-moved'
  | 'since-ahead'
  | 'in-doubt'
  | 'all-documented';

/** How the agent job of an earlier call ended, which nobody had recorded. */
export interface EarlierEnd {
  readonly call: SentCall;
  readonly end: Ended;
}

export type LedgerWarning =
  | { readonly kind: 'doubt'; readonly call: Call }
  | { readonly kind: 'unreadable' | 'elsewhere'; readonly link: string };

/** What a decision depends on, and, if `state` is not the one that was read, what is recorded with it. */
interface Situation {
  readonly asked: Asked;
  readonly outside: Outside;
  readonly read: Snapshot;
  /** The ledger with what this run has settled. */
  readonly state: State;
  readonly earlier: readonly EarlierEnd[];
  /** `undefined` for a prompt without changes. */
  readonly target: Target | undefined;
  /** Where the changes start, if anything says. */
  readonly start: string | undefined;
}

export interface Skip extends Situation {
  readonly kind: 'skip';
  readonly reason: SkippedReason;
}

export interface Send extends Situation {
  readonly kind: 'send';
  /** The call whose agent job gets the prompt as a follow-up message. */
  readonly recipient: SentCall | undefined;
  readonly warnings: readonly LedgerWarning[];
}

export type Decision =
  /** A re-run continues with the call of an earlier attempt, which may have ended. */
  | { readonly kind: 'follow'; readonly call: SentCall }
  /** Another run calls, or its agent job runs. */
  | { readonly kind: 'wait'; readonly call: Call }
  | Skip
  | Send;

/**
 * Decides what the run does. `now` is in ms since 1970: a machine may stand still between two requests.
 * Throws a `StepError` if two steps share the ledger.
 */
export async function decide(
  asked: Asked,
  read: Snapshot,
  outside: Outside,
  now: () => number,
): Promise<Decision> {
  if (isShared(read.state, asked)) throw new StepError('ledger-shared', SHARED);
  // Its own claim, if it was not used, is ignored.
  let state = withoutCall(read.state, asked.key);
  const earlier: EarlierEnd[] = [];

  const attempt = earlierAttempt(state, asked);
  if (attempt !== undefined) {
    const standing = hasEnded(attempt) ? undefined : await standingNow(attempt, outside, now);
    if (standing === undefined || isRunning(standing) || covers(standing))
      return { kind: 'follow', call: attempt };
    state = withoutCall(state, attempt.key);
    earlier.push({ call: attempt, end: standing });
  }

  for (;;) {
    const target = asked.sendsChanges ? await outside.target() : undefined;
    const start = startOf(state, target);
    const situation = { asked, outside, read, state, earlier, target, start };
    const reason = await reasonNotToSend(situation);
    if (reason !== undefined) return { ...situation, kind: 'skip', reason };
    const call = callBefore(state, asked, target, now());
    const isDoubt = call && !hasJob(call) && !isCalling(call, asked, now());
    if (call === undefined || isDoubt) return sendOrSkip(situation, call);
    // A dry run assumes that it will cover its changes.
    if (asked.isDryRun) {
      state = await nextState(state, call, { kind: 'started' }, asked, outside);
      continue;
    }
    if (!hasJob(call)) return { kind: 'wait', call };
    const standing = await standingNow(call, outside, now);
    if (isRunning(standing)) return { kind: 'wait', call };
    state = await nextState(state, call, standing, asked, outside);
    earlier.push({ call, end: standing });
  }
}

/** On a branch, whether a commit is covered. `undefined`: GitHub does not have both. */
const isBehindCovered = async (
  to: string | null,
  covered: string | null,
  { isBehind }: Pick<Outside, 'isBehind'>,
): Promise<boolean | undefined> =>
  to === null || covered === null ? false : isBehind(to, covered);

/** (3) Whatever other runs do. */
async function reasonNotToSend(situation: Situation): Promise<SkippedReason | undefined> {
  const { asked, read, state, target, outside } = situation;
  if (target === undefined || target.since !== undefined) return undefined;
  const isBehind = await isBehindCovered(target.to, state.covered, outside);
  if (isCovered(state, asked, target.to, isBehind === true)) return 'covered';
  if (!target.isCurrent) return 'tag-moved';
  if (asked.scope !== 'heads') return undefined;
  const tip = read.branchTip;
  if (tip === undefined || !(await outside.isBehind(target.head, tip))) return 'not-on-branch';
  if (isBehind !== undefined) return undefined;
  throw new StepError('covered-gone', goneMessage(state.covered ?? ''));
}

/** (4) to (6), once nothing has to be waited for. `doubt` is a call of which nobody knows more. */
async function sendOrSkip(situation: Situation, doubt: Call | undefined): Promise<Skip | Send> {
  const { asked, outside, read, state, target, start } = situation;
  const { since, head } = target ?? {};
  const skip = { ...situation, kind: 'skip' } as const;
  const isDoubtful = doubt !== undefined && !(await isDoubtCovered(situation, doubt));
  if (isDoubtful && (await isOlderThan(situation, doubt))) return { ...skip, reason: 'in-doubt' };
  const isOwn = since !== undefined && since.typed === head;
  if (since?.typed && head && !isOwn && (await outside.isBehind(head, since.typed)))
    // A mistake, which changes nothing.
    return { ...skip, reason: 'since-ahead', state: read.state, earlier: [] };

  const reason = isOwn ? 'all-documented' : await outside.nothingFrom(start);
  if (reason !== undefined) {
    if (asked.scope !== 'heads' || target === undefined) return { ...skip, reason };
    const isBehind = await isBehindCovered(target.to, state.covered, outside);
    return { ...skip, reason, state: isBehind ? state : { ...state, covered: target.to } };
  }

  const last = asked.appends ? callToAppendTo(state) : undefined;
  const link = last?.pull ?? '';
  const docsPull = last && (await outside.docsPullState(link));
  const recipient = docsPull === 'open' ? last : undefined;
  const warnings: LedgerWarning[] = isDoubtful ? [{ kind: 'doubt', call: doubt }] : [];
  if (docsPull === 'unreadable' || docsPull === 'elsewhere')
    warnings.push({ kind: docsPull, link });
  // A first run that fails would otherwise lose where its changes start.
  const covered = asked.scope === 'heads' ? (state.covered ?? start ?? null) : null;
  return { ...situation, kind: 'send', state: { ...state, covered }, recipient, warnings };
}

/** Ignores a doubt whose changes are covered by now, or come before the typed `since`. */
async function isDoubtCovered(
  { asked, state, target, outside }: Situation,
  { to }: Call,
): Promise<boolean> {
  if (asked.scope !== 'heads') return false;
  const covered = target?.since?.typed ?? state.covered;
  return (await isBehindCovered(to, covered, outside)) === true;
}

/** Whether the head is older than what was sent in doubt: a newer run decides about that. */
async function isOlderThan({ asked, target, outside }: Situation, { to }: Call): Promise<boolean> {
  if (asked.scope !== 'heads' || to === null || target === undefined || to === target.to)
    return false;
  return (await outside.isBehind(target.to, to)) === true;
}

/** The ledger after what became of a call. Asks GitHub only about an outcome that covers. */
export async function nextState(
  state: State,
  call: Call,
  outcome: Outcome,
  { scope }: Asked,
  outside: Pick<Outside, 'isBehind'>,
): Promise<State> {
  const isOld = covers(outcome) && (await isBehindCovered(call.to, state.covered, outside));
  return stateAfter(state, call, outcome, scope, isOld === true);
}

/** How the agent job of a call stands, by one look. A docs pull request that cannot be read is open. */
async function standingNow(call: SentCall, outside: Outside, now: () => number): Promise<Standing> {
  const seen = await lookAt(call, outside, now());
  return isRunning(seen) ? seen : ((await endOf(call, seen, outside.docsPullState)) ?? seen);
}

/** By one look, whose response may come late: `now` is from before it. */
async function lookAt(call: SentCall, outside: Outside, now: number): Promise<Standing> {
  const seen = await outside.look(call);
  return seen.kind === 'active' && now - call.at >= STUCK_MS ? { kind: 'stuck' } : seen;
}

/**
 * (8) The end of a message is that of its agent job only if its pull request was still open.
 * `undefined` if that cannot be read now.
 */
export async function endOf(
  { messageTo }: Call,
  seen: Ended,
  docsPullState: Outside['docsPullState'],
): Promise<Ended | undefined> {
  if (messageTo === null || !covers(seen)) return seen;
  try {
    const state = await docsPullState(messageTo);
    // The agent's last additions may have reached nobody.
    const isTooEarly = state === 'merged' || state === 'closed';
    return isTooEarly ? { kind: state, job: seen.job, link: messageTo } : seen;
  } catch (error) {
    if (error instanceof StepError) return undefined;
    throw error;
  }
}

/** Whether a call of another run goes on, as seen in a round of waiting. */
export async function goesOn(asked: Asked, call: Call, outside: Outside, now: number) {
  return hasJob(call) ? isRunning(await lookAt(call, outside, now)) : isCalling(call, asked, now);
}

const SHARED = 'Another step of this run has the same ledger, so nothing was sent';

const goneMessage = (covered: string) =>
  `The ledger says that everything up to ${quote(covered)} is covered, and the repository does not have this commit any more`;

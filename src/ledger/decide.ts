/** What a run does next, by the rules of the ledger. */
import { type Ended, isRunning, type Standing } from '../agent/job.ts';
import { StepError } from '../errors.ts';
import { STUCK_MS } from '../limits.ts';
import { quote } from '../text/escape.ts';
import type { DocsPullState, NothingReason, Outside, Snapshot } from './outside.ts';
import {
  type Asked,
  callBefore,
  callToAppendTo,
  claimOf,
  covers,
  earlierAttempt,
  isCalling,
  isCovered,
  isShared,
  settled,
  startOf,
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

export interface Skip {
  readonly kind: 'skip';
  readonly reason: SkippedReason;
  /** Where the changes start, if they were looked at. */
  readonly start: string | undefined;
  /** What to type as `since` if this decision cannot be recorded. */
  readonly since: string;
}

export interface Send {
  readonly kind: 'send';
  readonly claim: Call;
  /** Where the changes start; `undefined` for a prompt without changes and for a first release. */
  readonly start: string | undefined;
  readonly head: string | undefined;
  /** The call whose agent job gets the prompt as a follow-up message. */
  readonly appendTo: SentCall | undefined;
}

export type Decision =
  /** A re-run continues with the call of an earlier attempt, which may have ended. */
  | { readonly kind: 'follow'; readonly call: SentCall }
  /** Another run calls, or its agent job runs. */
  | { readonly kind: 'wait'; readonly call: Call }
  | ((Skip | Send) & {
      /** To record, if it is not the one that was read. */
      readonly state: State;
      readonly earlier: readonly EarlierEnd[];
      readonly warnings: readonly LedgerWarning[];
    });

interface DecideOptions {
  /** In ms since 1970: a machine may stand still between two requests. */
  readonly now: () => number;
  readonly isMessageRefused: boolean;
  /** Keys of calls that do not count as covering. */
  readonly ignored: ReadonlySet<string>;
}

/** Decides what the run does. Throws a `StepError` if two steps share the ledger. */
export async function decide(
  asked: Asked,
  { state: read, branchTip }: Snapshot,
  outside: Outside,
  options: DecideOptions,
): Promise<Decision> {
  const { now, ignored } = options;
  if (isShared(read, asked)) throw new StepError('ledger-shared', SHARED);
  // Its own claim, if it was not used, is ignored.
  let state = withoutCall(read, asked.key);
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
    const about = { asked, state, target, outside };
    const reason = await reasonNotToSend(about, branchTip, ignored);
    if (reason !== undefined) return { ...skipFor(about, reason), state, earlier, warnings: [] };
    const call = callBefore(state, asked, target, now());
    if (call === undefined) return sendOrSkip(about, read, earlier, options, undefined);
    if (!hasJob(call)) {
      if (!isCalling(call, asked, now())) return sendOrSkip(about, read, earlier, options, call);
      if (!asked.isDryRun) return { kind: 'wait', call };
    }
    // A dry run takes it for one that will cover.
    const standing =
      asked.isDryRun || !hasJob(call) ? undefined : await standingNow(call, outside, now);
    if (standing !== undefined && isRunning(standing)) return { kind: 'wait', call };
    const end = standing ?? ({ kind: 'started' } as const);
    const isBehind = await isBehindCovered(about, call.to);
    state = settled(state, call, end, asked.scope, isBehind === true);
    if (standing !== undefined && hasJob(call)) earlier.push({ call, end: standing });
  }
}

interface About {
  readonly asked: Asked;
  readonly state: State;
  readonly target: Target | undefined;
  readonly outside: Outside;
}

/** On a branch, whether a commit is covered. `undefined`: GitHub does not have both. */
async function isBehindCovered(
  { asked, state, outside }: Pick<About, 'asked' | 'state' | 'outside'>,
  to: string | null,
  covered = state.covered,
): Promise<boolean | undefined> {
  if (asked.scope !== 'heads' || to === null || covered === null) return false;
  return outside.isBehind(to, covered);
}

/** (3) Whatever other runs do. */
async function reasonNotToSend(
  about: About,
  branchTip: string | undefined,
  ignored: ReadonlySet<string>,
): Promise<SkippedReason | undefined> {
  const { asked, state, target, outside } = about;
  if (target === undefined || target.since !== undefined) return undefined;
  const isBehind = await isBehindCovered(about, target.to);
  if (isCovered(state, asked, target.to, isBehind === true, ignored)) return 'covered';
  if (!target.isCurrent) return 'tag-moved';
  if (asked.scope === 'heads') {
    const isOnBranch = branchTip !== undefined && (await outside.isBehind(target.head, branchTip));
    if (isOnBranch !== true) return 'not-on-branch';
    if (isBehind === undefined)
      throw new StepError('covered-gone', goneMessage(state.covered ?? ''));
  }
  return undefined;
}

/** (4) to (6), once nothing has to be waited for. `doubt` is a call of which nobody knows more. */
async function sendOrSkip(
  about: About,
  read: State,
  earlier: readonly EarlierEnd[],
  { isMessageRefused }: DecideOptions,
  doubt: Call | undefined,
): Promise<Decision> {
  const { asked, state, target, outside } = about;
  const skip = (reason: SkippedReason, after: State): Decision => {
    return { ...skipFor(about, reason), state: after, earlier, warnings: [] };
  };
  const isDoubtful = doubt !== undefined && !(await isDoubtCovered(about, doubt));
  if (isDoubtful && (await isOlderThan(about, doubt))) return skip('in-doubt', state);
  const { since, head } = target ?? {};
  const isOwn = since !== undefined && since.typed === head;
  if (since && head && !isOwn && (await outside.isBehind(head, since.typed)))
    // A mistake, which changes nothing.
    return { ...skipFor(about, 'since-ahead'), state: read, earlier: [], warnings: [] };

  const start = startOf(state, target);
  const reason = isOwn ? 'all-documented' : await outside.nothingFrom(start);
  if (reason !== undefined) {
    const isAhead = asked.scope === 'heads' && target && !(await isBehindCovered(about, target.to));
    return skip(reason, isAhead ? { ...state, covered: target.to } : state);
  }

  const last = asked.appends && !isMessageRefused ? callToAppendTo(state) : undefined;
  const link = last?.pull ?? '';
  const docsPull = last && (await outside.docsPullState(link));
  const appendTo = docsPull === 'open' ? last : undefined;
  // A first run that fails would otherwise lose where its changes start.
  const covered = asked.scope === 'heads' ? (state.covered ?? start ?? null) : null;
  return {
    ...{ kind: 'send', claim: claimOf(asked, target, appendTo), start, head, appendTo },
    ...{ state: { ...state, covered }, earlier },
    warnings: [
      ...(isDoubtful ? [{ kind: 'doubt', call: doubt } as const] : []),
      ...(docsPull === 'unreadable' || docsPull === 'elsewhere' ? [{ kind: docsPull, link }] : []),
    ],
  };
}

/** Ignores a doubt whose changes are covered by now, or come before the typed `since`. */
async function isDoubtCovered(about: About, { to }: Call): Promise<boolean> {
  const covered = about.target?.since?.typed ?? about.state.covered;
  return (await isBehindCovered(about, to, covered)) === true;
}

/** Whether the head is older than what was sent in doubt: a newer run decides about that. */
async function isOlderThan({ asked, target, outside }: About, { to }: Call): Promise<boolean> {
  if (asked.scope !== 'heads' || to === null || target === undefined || to === target.to)
    return false;
  return (await outside.isBehind(target.to, to)) === true;
}

const skipFor = ({ state, target }: About, reason: SkippedReason): Skip => {
  const start = startOf(state, target);
  const since = target?.since?.typed ?? state.covered ?? target?.start ?? target?.head ?? '';
  return { kind: 'skip', reason, start, since };
};

/** How the agent job of a call stands, by one look. A docs pull request that cannot be read is open. */
async function standingNow(call: SentCall, outside: Outside, now: () => number): Promise<Standing> {
  const seen = await lookAt(call, outside, now());
  if (isRunning(seen)) return seen;
  const state = await docsPullStateAt(call, seen, outside.docsPullState);
  return endOf(call, seen, state ?? 'open');
}

/** By one look, whose response may come late: `now` is from before it. */
async function lookAt(call: SentCall, outside: Outside, now: number): Promise<Standing> {
  const seen = await outside.look(call);
  return seen.kind === 'active' && now - call.at >= STUCK_MS ? { kind: 'stuck' } : seen;
}

/** Where it matters for a message. `undefined` if it cannot be read now. */
export async function docsPullStateAt(
  { message }: Call,
  seen: Ended,
  docsPullState: Outside['docsPullState'],
): Promise<DocsPullState | undefined> {
  if (message === null || !covers(seen)) return 'open';
  try {
    return await docsPullState(message);
  } catch (error) {
    if (error instanceof StepError) return undefined;
    throw error;
  }
}

/** The end of a message is that of its agent job only if its pull request was still open. */
export function endOf({ message }: Call, seen: Ended, state: DocsPullState): Ended {
  // The agent's last additions may have reached nobody.
  const isTooEarly = state === 'merged' || state === 'closed';
  return covers(seen) && isTooEarly ? { kind: state, job: seen.job, link: message ?? '' } : seen;
}

/** Whether a call of another run goes on, as seen in a round of waiting. */
export async function goesOn(asked: Asked, call: Call, outside: Outside, now: number) {
  return hasJob(call) ? isRunning(await lookAt(call, outside, now)) : isCalling(call, asked, now);
}

const SHARED = 'Another step of this run has the same ledger, so nothing was sent';

const goneMessage = (covered: string) =>
  `The ledger says that everything up to ${quote(covered)} is covered, and the repository does not have this commit any more`;

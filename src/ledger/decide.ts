/** The rules of the ledger: what a run does next. Their numbers are those of CONTRIBUTING.md. */
import { StepError } from '../errors.ts';
import { quote } from '../text/escape.ts';
import type { LedgerRun, NothingReason, Outside, Target } from './outside.ts';
import { type CallStanding, type EndedStanding, movedTo, readStanding, settled } from './settle.ts';
import { type Call, isOpen, type SentCall, type State, withoutCall } from './state.ts';

/** A run calls within 2 minutes of its claim, and waits for the response for 5. */
const CALLING_MS = 10 * 60_000;

export type SkippedReason =
  | NothingReason
  | 'covered'
  | 'not-on-branch'
  | 'since-ahead'
  | 'in-doubt'
  | 'all-documented';

export type LedgerWarning =
  | { readonly kind: 'doubt'; readonly call: Call }
  | { readonly kind: 'gone' | 'stuck'; readonly call: Call }
  | { readonly kind: 'docs-pull-unreadable'; readonly link: string };

export type Decision = {
  /** The state to record, which may be the one that was read. */
  readonly state: State;
  readonly warnings: readonly LedgerWarning[];
} & (
  | {
      readonly kind: 'skip';
      readonly reason: SkippedReason;
      /** What to type as `since` if this decision cannot be recorded. */
      readonly since: string;
    }
  /** A re-run continues with the call of an earlier attempt, which may have ended. */
  | { readonly kind: 'resume'; readonly call: SentCall }
  /** Another run calls, or its agent job is active. */
  | { readonly kind: 'wait'; readonly call: Call }
  | {
      readonly kind: 'send';
      readonly claim: Call;
      /** Where the changes start; `undefined` for a prompt alone and for a first release. */
      readonly start: string | undefined;
      readonly head: string | undefined;
      /** The call whose agent job gets the prompt as a follow-up message. */
      readonly appendTo: SentCall | undefined;
    }
);

/** Decides what the run does. Throws a `StepError` if two steps share the ledger. */
export async function decide(
  run: LedgerRun,
  read: State,
  outside: Outside,
  { isMessageRefused }: { readonly isMessageRefused: boolean },
): Promise<Decision> {
  // (1) Its own claim, if it was not used, is ignored.
  let state = withoutCall(read, run.key);
  let target: Target | undefined;
  let since: string | undefined;
  const warnings: LedgerWarning[] = [];
  const isShared = state.runs.some(
    ({ run: id, attempt }) => id === run.run && attempt === run.attempt,
  );
  if (isShared) throw new StepError('ledger-shared', SHARED);
  return (
    (await followEarlierAttempt()) ??
    (await settleOtherRuns()) ??
    (await skipWithoutChanges()) ??
    send()
  );

  function skip(reason: SkippedReason, after: State): Decision {
    const toType = since ?? after.covered ?? target?.start ?? target?.head ?? '';
    // A doubt says that the changes are sent again.
    const others = warnings.filter((warning) => warning.kind !== 'doubt');
    return { kind: 'skip', reason, since: toType, state: after, warnings: others };
  }

  async function settle(call: Call, standing: EndedStanding): Promise<void> {
    state = await settled(state, call.key, standing, run.scope, outside);
    if (standing.kind === 'failed' && (standing.why === 'gone' || standing.why === 'stuck'))
      warnings.push({ kind: standing.why, call });
  }

  /** (2) */
  async function followEarlierAttempt(): Promise<Decision | undefined> {
    const call = state.runs.find((one) => one.run === run.run);
    if (run.isDryRun || call === undefined || !hasJob(call)) return undefined;
    const standing = isOpen(call) ? await readStanding(call, outside) : undefined;
    if (standing?.kind !== 'failed') return { kind: 'resume', call, state, warnings };
    await settle(call, standing);
    return undefined;
  }

  /** (3) and (4), again after each call that was settled. */
  async function settleOtherRuns(): Promise<Decision | undefined> {
    for (;;) {
      if (run.tracksChanges) target = await outside.target();
      since = await outside.since();
      if (target !== undefined && since === undefined) {
        const reason = await reasonNotToSend(run, state, target, outside);
        if (reason !== undefined) return skip(reason, state);
      }
      const call = earlierCall(run, state, target, outside.now());
      if (call === undefined) return undefined;
      if (!hasJob(call) && !isCalling(call, run, outside.now())) return passDoubt(call);
      const standing = await standingNow(call);
      if (standing.kind === 'running') return { kind: 'wait', call, state, warnings };
      await settle(call, standing);
    }
  }

  async function standingNow(call: Call): Promise<CallStanding> {
    if (run.isDryRun) return { kind: 'covered', end: 'started', pull: null };
    return hasJob(call) ? readStanding(call, outside) : { kind: 'running' };
  }

  /** The response to a call was lost, or its runner: this run skips it, or warns and sends. */
  async function passDoubt(call: Call): Promise<Decision | undefined> {
    if (run.scope === 'heads' && call.to !== null && target !== undefined) {
      // A person who types a `since` says what is done.
      const covered = since ?? state.covered;
      if (await isCovered(run, { ...state, covered }, call.to, outside)) return undefined;
      const isOlder = call.to !== target.to && (await outside.isBehind(target.to, call.to));
      if (isOlder) return skip('in-doubt', state);
    }
    warnings.push({ kind: 'doubt', call });
    return undefined;
  }

  /** (5) */
  async function skipWithoutChanges(): Promise<Decision | undefined> {
    const isOwn = since !== undefined && since === target?.head;
    if (since && target && !isOwn && (await outside.isBehind(target.head, since)))
      // A mistake, which changes nothing.
      return skip('since-ahead', read);
    const reason = isOwn ? 'all-documented' : await outside.nothingToSend(start());
    if (reason === undefined) return undefined;
    const covered = await movedTo(state, target?.to ?? null, run.scope, outside);
    return skip(reason, { ...state, covered });
  }

  function start(): string | undefined {
    return since ?? state.covered ?? target?.start;
  }

  /** (6) */
  async function send(): Promise<Decision> {
    const appendTo =
      run.appends && !isMessageRefused ? await callToAppendTo(state, outside, warnings) : undefined;
    const claim: Call = {
      key: run.key,
      run: run.run,
      attempt: run.attempt,
      to: target?.to ?? null,
      at: outside.now(),
      job: null,
      message: appendTo?.pull ?? null,
      pull: null,
      codePullRequests: [],
      end: null,
    };
    // A first run that fails would otherwise lose where its changes start.
    const covered = run.scope === 'heads' ? (state.covered ?? start() ?? null) : null;
    const ends = { start: start(), head: target?.head };
    return { kind: 'send', claim, ...ends, appendTo, state: { ...state, covered }, warnings };
  }
}

const SHARED = 'Another step of this run has the same ledger, so nothing was sent';

const goneMessage = (covered: string) =>
  `The ledger says that everything up to ${quote(covered)} is covered, and the repository does not have this commit any more`;

const hasJob = (call: Call): call is SentCall => call.job !== null;

const isCalling = (call: Call, { run }: LedgerRun, now: number) =>
  call.end === null && call.run !== run && now - call.at < CALLING_MS;

/** Whether a call is about what this run sends. */
function isAlike(call: Call, run: LedgerRun, target: Target | undefined): boolean {
  if (!run.tracksChanges) return call.run === run.run;
  return run.scope === 'heads' ? call.to !== null : call.to === target?.to;
}

/** (4) The newest of all, because agent jobs go one at a time, or else the newest for these changes. */
function earlierCall(
  run: LedgerRun,
  { runs }: State,
  target: Target | undefined,
  now: number,
): Call | undefined {
  // Prompts alone do not wait for each other.
  const newest = run.tracksChanges || run.appends ? runs[0] : undefined;
  const alike = runs.find((call) => isAlike(call, run, target));
  const isWaitedFor = (call: Call) => hasJob(call) || isCalling(call, run, now);
  const found = [newest, alike].find(
    (call) => call && isOpen(call) && (call === alike || isWaitedFor(call)),
  );
  // A push to a pull request in doubt has another `to`, and sends all of its changes again.
  const isPull = run.scope === 'pull' && run.tracksChanges;
  const isDoubt = isPull && newest && isOpen(newest) && newest.to !== null;
  return found ?? (isDoubt ? newest : undefined);
}

/** (3) Whatever other runs do. */
async function reasonNotToSend(
  run: LedgerRun,
  state: State,
  { to, head }: Target,
  outside: Outside,
): Promise<'covered' | 'not-on-branch' | undefined> {
  const isSent = await isCovered(run, state, to, outside);
  if (isSent) return 'covered';
  if (run.scope === 'heads' && !(await outside.isOnBranch(head))) return 'not-on-branch';
  if (isSent === undefined) throw new StepError('covered-gone', goneMessage(state.covered ?? ''));
  return undefined;
}

/** A pull request's changes are covered if they were sent last, a tag's if they were ever sent. */
async function isCovered(
  run: LedgerRun,
  { covered, runs }: State,
  to: string,
  { isBehind }: Outside,
): Promise<boolean | undefined> {
  if (run.scope === 'heads') return covered !== null && (await isBehind(to, covered));
  const ended = runs.filter((call) => !isOpen(call) && call.to !== null);
  return run.scope === 'pull' ? ended[0]?.to === to : ended.some((call) => call.to === to);
}

async function callToAppendTo(
  { runs }: State,
  { docsPullState }: Outside,
  warnings: LedgerWarning[],
): Promise<SentCall | undefined> {
  const last = runs.find((call) => call.pull !== null);
  if (last === undefined || last.pull === null || !hasJob(last)) return undefined;
  const state = await docsPullState(last.pull);
  if (state === 'unreadable') warnings.push({ kind: 'docs-pull-unreadable', link: last.pull });
  return state === 'open' ? last : undefined;
}

/** The ledger of a run: waiting for a decision, claiming, and recording what became of the call. */
import type { Ended } from '../agent/job.ts';
import { createPause } from '../agent/watch.ts';
import type { Effects } from '../effects.ts';
import { messageOf, StepError } from '../errors.ts';
import { CANCEL_END_MS, SETTLE_MS } from '../limits.ts';
import { quote } from '../text/escape.ts';
import { shortRef } from '../text/words.ts';
import {
  type Decision,
  decide,
  type EarlierEnd,
  endOf,
  goesOn,
  nextState,
  type Send,
  type Skip,
} from './decide.ts';
import type { Outside, Snapshot, Store } from './outside.ts';
import type { Asked, Outcome } from './rules.ts';
import {
  type Call,
  type EndedCall,
  hasEnded,
  type SentCall,
  type State,
  withClaim,
} from './state.ts';

/** Eight writers at once needed eleven. */
const MAX_TRIES = 20;
const MAX_PAUSE_MS = 1_000;

export type Turn = Exclude<Decision, { readonly kind: 'wait' }>;

/** As this run knows its call, which the ledger may not know yet. */
type Called = Pick<Call, 'key' | 'run' | 'job' | 'at'>;

export type Recorded =
  | { readonly kind: 'recorded' }
  /** Another run has settled the call, or the ledger has no entry of it. */
  | { readonly kind: 'not-open'; readonly found: EndedCall | undefined }
  | { readonly kind: 'failed'; readonly said: string };

interface LedgerOptions extends Effects {
  readonly pollIntervalMs: number;
  /** When to stop waiting for other runs, on the clock's scale in ms. */
  readonly waitUntil: number;
}

export type Ledger = ReturnType<typeof openLedger>;

export function openLedger(asked: Asked, store: Store, outside: Outside, options: LedgerOptions) {
  const { clock, signal, lateSignal, deadline, runner, pollIntervalMs, waitUntil } = options;
  const pause = createPause(options);
  /** As this run last read or wrote it. `undefined` while nobody knows what became of a push. */
  let latest: Snapshot | undefined;
  /** The claim may be on the server, and would make later runs wait for a call. */
  let mayHaveClaimed = false;
  let isRemembered: boolean | undefined;
  let lostPushes = 0;
  let ignored: ReadonlySet<string> | undefined;
  let waitsFor: string | undefined;
  const earlier: EarlierEnd[] = [];

  function know(snapshot: Snapshot): Snapshot {
    latest = snapshot;
    isRemembered ||= snapshot.state.covered !== null;
    return snapshot;
  }

  async function pushTo(to: Store, read: Snapshot, state: State, sentence: string) {
    latest = undefined;
    const pushed = await to.push(read.tip, state, sentence);
    if (pushed.kind === 'pushed') know({ ...read, tip: pushed.tip, state });
    return pushed;
  }

  /** Returns whether nobody else wrote. Throws a `StepError` once too many pushes were lost. */
  async function push(decision: Skip | Send, state = decision.state): Promise<boolean> {
    const pushed = await pushTo(store, decision.read, state, sentenceOf(asked, decision));
    if (pushed.kind === 'denied') throw denied(asked, store.ref, pushed.said, decision);
    if (pushed.kind === 'pushed') {
      earlier.push(...decision.earlier);
      return true;
    }
    lostPushes += 1;
    if (lostPushes === MAX_TRIES) {
      const message = `The ledger ${quote(store.ref)} could not be written in ${MAX_TRIES} tries (${quote(pushed.said)}), so nothing was sent`;
      throw new StepError('ledger-busy', message);
    }
    await clock.sleep(MAX_PAUSE_MS * clock.random(), signal);
    return false;
  }

  /** Waits until the ledger has moved, or the call has ended. */
  async function wait(call: Call, tip: string | undefined): Promise<void> {
    if (waitsFor !== call.key) runner.info(`${waitingLine(call)}.`);
    waitsFor = call.key;
    do {
      const leftMs = waitUntil - clock.now();
      if (leftMs <= 0) throw new StepError('other-run', waitedFor(call));
      await pause(Math.min(pollIntervalMs, leftMs), (duration) => {
        return `${waitingLine(call)}. Waiting for ${duration}.`;
      });
    } while ((await store.tip()) === tip && (await goesOn(asked, call, outside, clock.date())));
    latest = undefined;
  }

  async function recordOnce(call: Called, outcome: Outcome, until: number): Promise<Recorded> {
    mayHaveClaimed = false;
    const limits = { signal: lateSignal, deadline: until };
    const late = store.with(limits);
    try {
      const read = latest ?? know(await late.read());
      const found = read.state.runs.find(({ key }) => key === call.key);
      if (found === undefined || hasEnded(found)) return { kind: 'not-open', found };
      const called = { ...found, job: call.job, at: call.at };
      const state = await nextState(read.state, called, outcome, asked, outside.with(limits));
      const of = call.job === null ? '' : ` (agent job ${call.job})`;
      const pushed = await pushTo(late, read, state, `Run ${call.run}: ${outcome.kind}${of}`);
      return pushed.kind === 'pushed'
        ? { kind: 'recorded' }
        : { kind: 'failed', said: pushed.said };
    } catch (error) {
      return { kind: 'failed', said: messageOf(error) };
    }
  }

  async function record(
    call: Called,
    outcome: Outcome,
    what: string,
    until: number,
  ): Promise<Recorded> {
    for (let failures = 1; ; failures += 1) {
      const recorded = await recordOnce(call, outcome, until);
      if (recorded.kind !== 'failed') return recorded;
      // Short enough for the seconds after a cancel.
      const pauseMs = MAX_PAUSE_MS * Math.min(failures, 3) * (0.5 + clock.random());
      if (lateSignal.aborted || clock.now() + pauseMs >= until) {
        const message = `${what} could not be written to the ledger (${quote(recorded.said)}). The next run may send these changes again.`;
        runner.annotate('warning', 'Docs agent: the ledger could not be written', message);
        return recorded;
      }
      await clock.sleep(pauseMs, lateSignal).catch(() => undefined);
    }
  }

  return {
    /** What the report says of it. `isRemembered` is `undefined` if it could not be read. */
    known: () => ({ isRemembered, earlier }),

    /**
     * Reads the ledger, decides what the run does, and waits for other runs while it has to. A
     * decision to skip is recorded. Throws a `StepError` if other runs take too long, and if the
     * ledger cannot be read or written.
     */
    async next({ isMessageRefused }: { readonly isMessageRefused: boolean }): Promise<Turn> {
      for (;;) {
        const read = latest ?? know(await store.read());
        const { runs } = read.state;
        ignored ??= new Set(asked.isAskedFor ? runs.filter(hasEnded).map(({ key }) => key) : []);
        const asking = { ...asked, appends: asked.appends && !isMessageRefused, ignored };
        const decision = await decide(asking, read, outside, clock.date);
        if (decision.kind === 'wait') await wait(decision.call, read.tip);
        else if (decision.kind !== 'skip') return decision;
        else if (asked.isDryRun || isSame(read.state, decision.state)) return decision;
        else if (await push(decision)) return decision;
      }
    },

    /**
     * Records that this run is about to make a call. `undefined` if another run wrote meanwhile: then
     * decide again. Throws a `StepError` like `next`.
     */
    async claim(turn: Send, codePullRequests: readonly number[]) {
      const { key, run, attempt } = asked;
      const { target, recipient } = turn;
      const to = target?.to ?? null;
      const call: Call = {
        ...{ key, run, attempt, to, at: clock.date(), job: null, codePullRequests },
        ...{ messageTo: recipient?.pull ?? null, pull: null, end: null },
      };
      const claimedAt = clock.now();
      mayHaveClaimed = true;
      const isPushed = await push(turn, withClaim(turn.state, call, call.at));
      return isPushed ? { call, claimedAt } : undefined;
    },

    /** (8) Returns how a call ended: by its agent job, or, if another run has settled it, its entry. */
    async settle(call: SentCall, seen: Ended, until: number): Promise<Ended | EndedCall> {
      const end = await endOf(call, seen, outside.with({ deadline: until }).docsPullState);
      if (end === undefined) {
        const message = `Whether ${quote(call.messageTo ?? '')} is still open could not be read, so the ledger keeps this call open. The next run looks again.`;
        runner.annotate('warning', 'Docs agent: the pull request could not be read', message);
        return seen;
      }
      const recorded = await record(call, end, `How agent job ${quote(call.job)} ended`, until);
      // Later runs build on what another run has recorded.
      return recorded.kind === 'not-open' ? (recorded.found ?? end) : end;
    },

    /**
     * Records what became of a call, also after a cancel. Tries until `until`, on the clock's scale in
     * ms, and then warns that `what` is not recorded. Never rejects.
     */
    record,
    /** The same, but tries once, and does not warn. */
    recordOnce,

    /** Takes back a claim that led to no call. */
    async takeBack(): Promise<void> {
      if (!mayHaveClaimed) return;
      const limitMs = signal.aborted ? CANCEL_END_MS : SETTLE_MS;
      const until = Math.min(deadline, clock.now() + limitMs);
      const call = { ...asked, job: null, at: 0 };
      await record(call, { kind: 'not-sent' }, 'That nothing was sent', until);
    },
  };
}

const isSame = (a: State, b: State) => JSON.stringify(a) === JSON.stringify(b);

export const waitingLine = ({ run, job }: Call): string =>
  job === null
    ? `Workflow run ${run} is calling Mintlify`
    : `Agent job ${quote(job)} of workflow run ${run} is still active`;

function waitedFor({ run, job }: Call): string {
  const what =
    job === null
      ? `Workflow run ${run} is still calling Mintlify`
      : `Agent job ${quote(job)} of workflow run ${run} is not known to have ended`;
  return `${what} after half of \`timeout\`, so nothing was sent`;
}

function denied({ scope }: Asked, ref: string, said: string, decision: Skip | Send) {
  const { kind, start, target } = decision;
  const since = start ?? (kind === 'skip' ? target?.head : undefined);
  const by = since === undefined ? '' : ` with \`since\` set to ${quote(since)}`;
  const detail =
    scope === 'pull'
      ? 'push to the pull request again, or start a new run with its number as `codePullRequest`'
      : `start a new run${by}`;
  const message = `The token may not push to ${quote(ref)} (${quote(said)}), so nothing was sent`;
  return new StepError('write-denied', message, { detail });
}

function sentenceOf({ run, attempt }: Asked, decision: Skip | Send): string {
  const who = `Run ${run}, attempt ${attempt}`;
  if (decision.kind === 'skip') return `${who}: nothing to send`;
  const { start, target, recipient } = decision;
  const what =
    target === undefined ? 'a prompt' : `${shortRef(start ?? '')}..${shortRef(target.head)}`;
  const where = recipient === undefined ? '' : ` to agent job ${recipient.job}`;
  return `${who}: sending ${what}${where}`;
}

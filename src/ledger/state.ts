/** What a ledger remembers. */
import * as z from 'zod/mini';
import { StepError } from '../errors.ts';
import { RERUNNABLE_MS } from '../limits.ts';
import { quote, safeLink } from '../text/escape.ts';

/** Ends that cover what was sent. A call that covers nothing leaves no entry. */
export const COVERING_ENDS = ['pull-request', 'no-changes', 'archived', 'started'] as const;
export type CoveringEnd = (typeof COVERING_ENDS)[number];

/** As `safeLink` gives it: it becomes an output. */
const linkSchema = z.string().check(z.refine((link) => safeLink(link) === link));

// Fields that this version does not know are kept, so that older and newer versions share a ledger.
const callSchema = z.looseObject({
  /** Random: two equal claims in one second would be the same commit. */
  key: z.string(),
  run: z.number(),
  attempt: z.number(),
  /**
   * What is sent: on a branch its head, of a tag its name and commit, of a pull request the
   * fingerprint of its own changes. `null` for a prompt without changes.
   */
  to: z.nullable(z.string()),
  /** When the call was claimed, or accepted, in ms since 1970. */
  at: z.number(),
  /** The id of the agent job; `null` until the service has accepted the call. */
  job: z.nullable(z.string()),
  /** The link of the open pull request that a follow-up message goes to. */
  messageTo: z.nullable(linkSchema),
  /** The link of the agent job's pull request, once it has ended with one. */
  pull: z.nullable(linkSchema),
  codePullRequests: z.readonly(z.array(z.number())),
  /** `null`: open. `unknown`: the response was lost, so an agent job may exist. */
  end: z.nullable(z.enum([...COVERING_ENDS, 'unknown'])),
});

const stateSchema = z.looseObject({
  v: z.literal(1),
  /** On a branch: the commit up to which everything is covered or left behind. */
  covered: z.nullable(z.string()),
  runs: z.readonly(z.array(callSchema)),
});

export type Call = Readonly<z.infer<typeof callSchema>>;
export type SentCall = Call & { readonly job: string };
export type EndedCall = Call & { readonly end: CoveringEnd };
export type State = Readonly<z.infer<typeof stateSchema>>;

export const EMPTY: State = { v: 1, covered: null, runs: [] };

/** From a commit's message. Throws a `StepError` for anything that this version cannot act on. */
export function parseState(ref: string, message: string): State {
  try {
    return stateSchema.parse(JSON.parse(message.trimEnd().split('\n').at(-1) ?? ''));
  } catch (cause) {
    throw new StepError(
      'ledger-unreadable',
      `The ledger ${quote(ref)} contains data that this version cannot read, so nothing was sent`,
      { detail: `\`git push origin --delete ${ref}\``, cause },
    );
  }
}

export const hasJob = (call: Call): call is SentCall => call.job !== null;

export const hasEnded = (call: Call): call is EndedCall =>
  call.end !== null && call.end !== 'unknown';

const MAX_ENDED_CALLS = 20;

/**
 * Adds a claim. Of the calls before it, the newest stays, and so do the open ones that a re-run may
 * still ask for, and the newest 20 that ended. `now` is in ms since 1970.
 */
export function withClaim(state: State, claim: Call, now: number): State {
  const ended = state.runs.filter(hasEnded).slice(0, MAX_ENDED_CALLS);
  const isKept = (call: Call, index: number) =>
    index === 0 || (hasEnded(call) ? ended.includes(call) : now - call.at < RERUNNABLE_MS);
  return { ...state, runs: [claim, ...state.runs.filter(isKept)] };
}

export const withoutCall = (state: State, key: string): State => ({
  ...state,
  runs: state.runs.filter((call) => call.key !== key),
});

export const editCall = (state: State, key: string, edit: Partial<Call>): State => ({
  ...state,
  runs: state.runs.map((call) => (call.key === key ? { ...call, ...edit } : call)),
});

/** What a ledger is about: a branch, a pull request, a tag, or, with `append`, all tags. */
export type LedgerScope = 'heads' | 'pull' | 'tag' | 'tags';

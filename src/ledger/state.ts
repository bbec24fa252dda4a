/** What a ledger remembers: the state, its schema, and the changes to it that need nothing else. */
import * as z from 'zod';
import { StepError } from '../errors.ts';
import { quote } from '../text/escape.ts';

/** Ends that cover what was sent. A call that covers nothing leaves no entry. */
export const COVERING_ENDS = ['pull-request', 'no-changes', 'archived', 'started'] as const;
export type CoveringEnd = (typeof COVERING_ENDS)[number];

const callSchema = z.strictObject({
  /** Random: two equal claims in one second would be the same commit. */
  key: z.string(),
  /** The workflow run and its attempt. */
  run: z.number(),
  attempt: z.number(),
  /**
   * What is sent: on a branch its head, of a tag its start and commit, of a pull request the
   * fingerprint of its own changes. `null` for a prompt without changes.
   */
  to: z.string().nullable(),
  /** When the call was claimed, or accepted, in ms since 1970. */
  at: z.number(),
  /** The id of the agent job; `null` until the service has accepted the call. */
  job: z.string().nullable(),
  /** The link of the open pull request that a follow-up message goes to. */
  message: z.string().nullable(),
  /** The link of the agent job's pull request, once it has ended with one. */
  pull: z.string().nullable(),
  codePullRequests: z.array(z.number()).readonly(),
  /** `null`: open. `unknown`: the response was lost, so an agent job may exist. */
  end: z.enum([...COVERING_ENDS, 'unknown']).nullable(),
});

const stateSchema = z.strictObject({
  v: z.literal(1),
  /** On a branch: the commit up to which everything is covered or left behind. */
  covered: z.string().nullable(),
  /** Newest first. */
  runs: z.array(callSchema).readonly(),
});

/** One create or message call of a run, as the ledger remembers it. */
export type Call = Readonly<z.infer<typeof callSchema>>;
/** A call whose agent job is known. */
export type SentCall = Call & { readonly job: string };
export type State = Readonly<z.infer<typeof stateSchema>>;

export const EMPTY: State = { v: 1, covered: null, runs: [] };

const MAX_CALLS = 20;

/**
 * Reads the last line of a ledger commit's message. Throws a `StepError` for anything that this
 * version did not write.
 */
export function parseState(ref: string, message: string): State {
  try {
    return stateSchema.parse(JSON.parse(message.trimEnd().split('\n').at(-1) ?? ''));
  } catch (cause) {
    const advice = `Delete the ref to start over: \`git push origin --delete ${ref}\`.`;
    throw new StepError(
      'ledger',
      `The ledger ${quote(ref)} holds something that this version cannot read, so nothing was sent. ${advice}`,
      { cause },
    );
  }
}

export const isCovering = (end: Call['end']): end is CoveringEnd =>
  end !== null && end !== 'unknown';

/** Whether it is not known yet how the call ended. */
export const isOpen = ({ end }: Call): boolean => !isCovering(end);

export const withCall = (state: State, call: Call): State => ({
  ...state,
  runs: [call, ...state.runs].slice(0, MAX_CALLS),
});

export const withoutCall = (state: State, key: string): State => ({
  ...state,
  runs: state.runs.filter((call) => call.key !== key),
});

export const editCall = (state: State, key: string, edit: Partial<Call>): State => ({
  ...state,
  runs: state.runs.map((call) => (call.key === key ? { ...call, ...edit } : call)),
});

/** What a ledger remembers, and its name. */
import { createHash } from 'node:crypto';
import { z } from 'zod';
import { StepError } from '../errors.ts';
import { quote, safeLink } from '../text/escape.ts';

/** Ends that cover what was sent. A call that covers nothing leaves no entry. */
const COVERING_ENDS = ['pull-request', 'no-changes', 'archived', 'started'] as const;
export type CoveringEnd = (typeof COVERING_ENDS)[number];

/** As `safeLink` gives it: it becomes an output. */
const linkSchema = z.string().refine((link) => safeLink(link) === link);

const callSchema = z.strictObject({
  /** Random: two equal claims in one second would be the same commit. */
  key: z.string(),
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
  message: linkSchema.nullable(),
  /** The link of the agent job's pull request, once it has ended with one. */
  pull: linkSchema.nullable(),
  codePullRequests: z.array(z.number()).readonly(),
  /** `null`: open. `unknown`: the response was lost, so an agent job may exist. */
  end: z.enum([...COVERING_ENDS, 'unknown']).nullable(),
});

const stateSchema = z.strictObject({
  v: z.literal(1),
  /** On a branch: the commit up to which everything is covered or left behind. */
  covered: z.string().nullable(),
  runs: z.array(callSchema).readonly(),
});

export type Call = Readonly<z.infer<typeof callSchema>>;
export type SentCall = Call & { readonly job: string };
export type State = Readonly<z.infer<typeof stateSchema>>;

export const EMPTY: State = { v: 1, covered: null, runs: [] };

const MAX_CALLS = 20;

/** From a commit's message. Throws a `StepError` for anything that this version did not write. */
export function parseState(ref: string, message: string): State {
  try {
    return stateSchema.parse(JSON.parse(message.trimEnd().split('\n').at(-1) ?? ''));
  } catch (cause) {
    throw new StepError(
      'ledger-unreadable',
      `The ledger ${quote(ref)} contains data that this version cannot read, so nothing was sent`,
      { about: `\`git push origin --delete ${ref}\``, cause },
    );
  }
}

export const isCovering = (end: Call['end']): end is CoveringEnd =>
  end !== null && end !== 'unknown';

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

/** GitHub refuses refs over 255 bytes (GH005). Before these six parts, there are 17. */
const MAX_PART_BYTES = 40;
const HASH_LENGTH = 16;

const hashOf = (text: string, length: number) =>
  createHash('sha256').update(text).digest('hex').slice(0, length);

/** Percent-encodes all but letters, digits, `_` and `-`: `a` and `a/b` could not both be refs. */
function encodePart(text: string): string {
  const encoded = encodeURIComponent(text.toWellFormed()).replace(
    /[.!~*'()]/g,
    (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  if (encoded.length <= MAX_PART_BYTES) return encoded;
  const beginning = encoded.slice(0, MAX_PART_BYTES - HASH_LENGTH - 1).replace(/%.?$/, '');
  return `${beginning}+${hashOf(text, HASH_LENGTH)}`;
}

export type LedgerScope = 'heads' | 'pull' | 'tags' | 'prompts';

interface StepNames {
  readonly workflowFile: string;
  readonly workflowJob: string;
  readonly step: string;
  /** `toJSON(matrix)`: `null` outside a matrix. */
  readonly matrix: string;
}

/** `refs/docs-agent/<workflow file>/<workflow job>/<step>[/<hash of the matrix>]/<what>` */
export function ledgerRef(
  { workflowFile, workflowJob, step, matrix }: StepNames,
  what: readonly [LedgerScope, ...string[]],
): string {
  const leg = ['', 'null', '{}'].includes(matrix) ? [] : [hashOf(matrix, 12)];
  const names = [workflowFile, workflowJob, step, ...leg, ...what];
  return `refs/docs-agent/${names.map(encodePart).join('/')}`;
}

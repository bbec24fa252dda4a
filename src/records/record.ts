import type { Annotation } from '../lib/annotation.ts';
import { isUsableId } from '../lib/id.ts';

/**
 * What came of a step.
 * - `job`: the service accepted its call.
 * - `none`: nothing was to be documented.
 * - `todo`: certainly nothing was sent by this attempt.
 * - `unknown`: the service may have accepted the call.
 * - `asked`: a re-run stopped and asked a person. The rest of its record is a copy of the attempt's
 *   that it asked about.
 */
export type Recorded =
  | { readonly kind: 'job'; readonly id: string }
  | { readonly kind: 'none' | 'todo' | 'unknown' | 'asked' };

/** An agent job that had not ended, with the commit that its changes start from. */
export interface OpenJob {
  readonly id: string;
  readonly from: string;
  /** A follow-up message to it has them, and its end was not seen yet. */
  readonly isAdded?: boolean;
}

/** What a run says about changes and about the agent jobs of its step. Commits are object ids. */
export interface Part {
  /** Where the event's own changes start, if its payload says so. */
  readonly begin?: string | undefined;
  /** The changes from here to `to` are this step's part. Missing when there was no start. */
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  /** Earlier agent jobs that had not ended. The one that starts first comes first. */
  readonly open: readonly OpenJob[];
  /**
   * The agent job of this step before this run, for `pullRequest: append`; null when there is
   * certainly none to add to, so that no older run has to be looked at.
   */
  readonly last?: string | null | undefined;
}

/** What tells the records of a step from others: 64-bit hashes in hexadecimal. */
export interface Identity {
  /** Of what tells this step and its task from others. */
  readonly key: string;
  /** Of everything that makes the prompt. */
  readonly inputs: string;
}

/** What a step leaves behind. GitHub keeps it as an annotation, where later runs read it. */
export interface StepRecord extends Identity, Part {
  readonly what: Recorded;
  /** A follow-up message was accepted, and what the agent added was not seen yet. */
  readonly isUnseen?: boolean;
}

/** A record that says which changes are its step's part. */
export type RangeRecord = StepRecord & { readonly to: string };
export const hasRange = (record: StepRecord): record is RangeRecord => record.to !== undefined;

/** The title of the annotation that holds a record, and nothing else. */
export const RECORD_TITLE = 'Docs agent: for later runs';

/** GitHub keeps at most this many annotations of a workflow job. */
export const MAX_ANNOTATIONS = 50;
// The runner cuts an annotation's message after this many UTF-16 units.
// https://github.com/actions/runner/blob/main/src/Runner.Worker/ExecutionContext.cs
const MAX_MESSAGE_LENGTH = 4_096;
/** Room for the id of an agent job that is not created yet, with its special characters encoded. */
const EXPECTED_ID_LENGTH = 1_000;

/** Whether GitHub keeps the whole record. One that is cut cannot be read again. */
export const fitsAnnotation = (record: StepRecord) => lineOf(record).length <= MAX_MESSAGE_LENGTH;

/** Whether the record will fit an annotation once the agent job exists. */
export const hasRoomForJob = (record: Omit<StepRecord, 'what'>) =>
  fitsAnnotation({ ...record, what: { kind: 'job', id: 'x'.repeat(EXPECTED_ID_LENGTH) } });

/** The record in one line of ASCII without `*`, `:` or line breaks. `end` shows that it is whole. */
export function lineOf(record: StepRecord): string {
  const { what, key, inputs, begin, from, to, open, last, isUnseen } = record;
  const fields = {
    v: '1',
    job: what.kind === 'job' ? encodeJobId(what.id) : what.kind,
    key,
    inputs,
    begin,
    from,
    to,
    open: open.map(openText).join(',') || undefined,
    last: last === null ? NO_JOB : last && encodeJobId(last),
    added: isUnseen ? 'unseen' : undefined,
  };
  const given = Object.entries(fields).filter(([, value]) => value !== undefined);
  return `${given.map((field) => field.join('=')).join(' ')} end`;
}

const openText = ({ id, from, isAdded }: OpenJob) =>
  `${encodeId(id)}@${from}${isAdded ? '@added' : ''}`;

/** Encodes `*` as well, so that an id that contains `***` differs from a masked one. */
const encodeId = (id: string) => encodeURIComponent(id.toWellFormed()).replaceAll('*', '%2A');

const NO_JOB = 'none';
const WORDS = ['none', 'todo', 'unknown', 'asked'] as const;

/** An agent job may be called `none`. Then its first letter is encoded. */
function encodeJobId(id: string): string {
  const encoded = encodeId(id);
  if (wordIn(encoded) === undefined) return encoded;
  return `%${encoded.charCodeAt(0).toString(16).toUpperCase()}${encoded.slice(1)}`;
}

/** How a record begins. A mask may hide its title. */
const BEGINNING = /^v=\d+ job=/;

/**
 * The record in an annotation, or `undefined` when it is about something else. `unreadable` when it
 * was cut or masked, has an unknown version, or differs in any way from what is written here. Takes
 * time linear in the text's length, whatever it holds, and throws nothing.
 */
export function recordIn({
  title,
  message,
}: Omit<Annotation, 'level'>): StepRecord | 'unreadable' | undefined {
  if (title !== RECORD_TITLE && !BEGINNING.test(message)) return undefined;
  if (message.length > MAX_MESSAGE_LENGTH) return 'unreadable';
  try {
    const record = parseLine(message);
    return isValid(record) && lineOf(record) === message ? record : 'unreadable';
  } catch {
    // An encoded character is not one.
    return 'unreadable';
  }
}

/** What the line says, if it is what {@link lineOf} writes. The caller checks that. */
function parseLine(line: string): StepRecord {
  const parts = line.split(' ');
  const pairs = parts.map((part) => part.split('='));
  const fields: Partial<Record<string, string>> = Object.fromEntries(pairs);
  const { job = '', key = '', inputs = '', begin, from, to, added } = fields;
  const open = (fields['open']?.split(',') ?? []).map((text) => {
    const [id = '', start = '', isAdded] = text.split('@');
    return { id: decodeURIComponent(id), from: start, isAdded: isAdded !== undefined };
  });
  const last = fields['last'] === NO_JOB ? null : decoded(fields['last']);
  const isUnseen = added !== undefined;
  return { what: whatOf(job), key, inputs, begin, from, to, open, last, isUnseen };
}

const decoded = (text: string | undefined) =>
  text === undefined ? undefined : decodeURIComponent(text);

const wordIn = (job: string) => WORDS.find((word) => word === job);

function whatOf(job: string): Recorded {
  const word = wordIn(job);
  return word === undefined ? { kind: 'job', id: decodeURIComponent(job) } : { kind: word };
}

const HASH = /^[0-9a-f]{16}$/;
/** Object ids. Those of other engines than GitHub differ in length. */
const COMMIT = /^[0-9a-f]{1,64}$/;
export const isCommitId = (text: string) => COMMIT.test(text);

function isValid({ what, key, inputs, begin, from, to, open, last }: StepRecord): boolean {
  const ownId = what.kind === 'job' ? what.id : undefined;
  const ids = [ownId, last ?? undefined, ...open.map(({ id }) => id)];
  const commits = [begin, from, to, ...open.map((job) => job.from)];
  return (
    [key, inputs].every((hash) => HASH.test(hash)) &&
    ids.every((id) => id === undefined || isUsableId(id)) &&
    commits.every((commit) => commit === undefined || isCommitId(commit)) &&
    (from === undefined || to !== undefined)
  );
}

import type { Annotation } from '../lib/annotation.ts';
import { cut, escapeInvisible, isUsableId, linesOf, logLine } from '../lib/text.ts';

/**
 * What came of a step.
 * - `job`: the service accepted its call.
 * - `none`: nothing relevant had changed, under the `paths` with this hash.
 * - `todo`: certainly nothing was sent by this attempt.
 * - `unknown`: the service may have accepted the call. `maybe` is the id in a response to a create
 *   call that could not be used. It may be an agent job's, or a request's.
 * - `asked`: a re-run stopped and asked a person. The rest of its record is a copy of the attempt's
 *   that it asked about.
 */
export type Recorded =
  | { readonly kind: 'job'; readonly id: string }
  | { readonly kind: 'none'; readonly pathsHash: string }
  | { readonly kind: 'todo' }
  | { readonly kind: 'unknown' | 'asked'; readonly maybe?: string | undefined };

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

/** The titles of the annotations that exist only for a record. */
export const TITLES = {
  create: 'Docs agent: agent job created',
  message: 'Docs agent: follow-up message accepted',
} as const;
/** Those that earlier versions wrote as well. If the line of one is missing, it was cut. */
const ALL_TITLES: readonly string[] = [
  ...Object.values(TITLES),
  'Docs agent: no agent job needed',
  'Docs agent: an agent job may exist',
  'Docs agent: the message may have been sent',
  'Docs agent: re-run stopped',
];

/** GitHub keeps at most this many annotations of a workflow job. */
export const MAX_ANNOTATIONS = 50;
// The runner cuts an annotation's message after this many UTF-16 units.
// https://github.com/actions/runner/blob/main/src/Runner.Worker/ExecutionContext.cs
const MAX_MESSAGE_LENGTH = 4_096;
/** Room for what an annotation tells people. */
const MIN_TEXT_LENGTH = 1_000;
/** Room for the id of an agent job that is not created yet, with its special characters encoded. */
const EXPECTED_ID_LENGTH = 500;

/** A text for people, cut to fit, with the record in its last line. */
export function withRecord(text: string, record: StepRecord): string {
  const line = lineOf(record);
  // As it will be written, so that nothing is cut after the record was added.
  const shown = linesOf(text)
    .map((each) => logLine(escapeInvisible(each)))
    .join('\n');
  return `${cut(shown, Math.max(1, MAX_MESSAGE_LENGTH - line.length - 1))}\n${line}`;
}

/** Whether GitHub keeps the whole record. One that is cut cannot be read again. */
export const fitsAnnotation = (record: StepRecord) =>
  lineOf(record).length < MAX_MESSAGE_LENGTH - 2;

/** Whether the record will fit an annotation once the agent job exists. */
export function hasRoomForJob(record: Omit<StepRecord, 'what'>): boolean {
  const line = lineOf({ ...record, what: { kind: 'job', id: 'x'.repeat(EXPECTED_ID_LENGTH) } });
  return line.length < MAX_MESSAGE_LENGTH - MIN_TEXT_LENGTH;
}

const MARK = '(for later runs) ';

/** The record in one line of ASCII without `*`, `:` or line breaks. `end` shows that it is whole. */
function lineOf({ what, key, inputs, begin, from, to, open, last, isUnseen }: StepRecord): string {
  const maybe = 'maybe' in what ? what.maybe : undefined;
  const fields = {
    v: '1',
    job: what.kind === 'job' ? encodeJobId(what.id) : what.kind,
    key,
    inputs,
    maybe: maybe === undefined ? undefined : encodeId(maybe),
    paths: what.kind === 'none' ? what.pathsHash : undefined,
    begin,
    from,
    to,
    open: open.map(openText).join(',') || undefined,
    last: last === null ? NO_JOB : last && encodeJobId(last),
    added: isUnseen ? 'unseen' : undefined,
  };
  const given = Object.entries(fields).filter(([, value]) => value !== undefined);
  return `${MARK}${given.map((field) => field.join('=')).join(' ')} end`;
}

const openText = ({ id, from, isAdded }: OpenJob) =>
  `${encodeId(id)}@${from}${isAdded ? '@added' : ''}`;

/** Encodes `*` as well, so that an id that contains `***` differs from a masked one. */
const encodeId = (id: string) => encodeURIComponent(id.toWellFormed()).replaceAll('*', '%2A');

const NO_JOB = 'none';
const WORDS = [NO_JOB, 'todo', 'unknown', 'asked'];

/** An agent job may be called `none`. Then its first letter is encoded. */
function encodeJobId(id: string): string {
  const encoded = encodeId(id);
  if (!WORDS.includes(encoded)) return encoded;
  return `%${encoded.charCodeAt(0).toString(16).toUpperCase()}${encoded.slice(1)}`;
}

/**
 * The record in an annotation, or `undefined` when it is about something else. `unreadable` when it
 * was cut or masked, has an unknown version, or differs in any way from what is written here. Takes
 * time linear in the text's length, whatever it holds, and throws nothing.
 */
export function recordIn({
  title,
  message,
}: Omit<Annotation, 'level'>): StepRecord | 'unreadable' | undefined {
  const lines = message.trimEnd().split(/\r?\n/);
  const [line, ...others] = lines.filter((candidate) => candidate.startsWith(MARK));
  if (line === undefined) return ALL_TITLES.includes(title) ? 'unreadable' : undefined;
  const isLast = others.length === 0 && line === lines.at(-1);
  if (!isLast || line.length > MAX_MESSAGE_LENGTH) return 'unreadable';
  try {
    const record = parseLine(line);
    return isValid(record) && lineOf(record) === line ? record : 'unreadable';
  } catch {
    // An encoded character is not one.
    return 'unreadable';
  }
}

/** What the line says, if it is what {@link lineOf} writes. The caller checks that. */
function parseLine(line: string): StepRecord {
  const parts = line.slice(MARK.length).split(' ');
  const pairs = parts.map((part) => part.split('='));
  const fields: Partial<Record<string, string>> = Object.fromEntries(pairs);
  const { job = '', key = '', inputs = '', begin, from, to, added } = fields;
  const open = (fields['open']?.split(',') ?? []).map((text) => {
    const [id = '', start = '', isAdded] = text.split('@');
    return { id: decodeURIComponent(id), from: start, isAdded: isAdded !== undefined };
  });
  const last = fields['last'] === NO_JOB ? null : decoded(fields['last']);
  const isUnseen = added !== undefined;
  return { what: whatOf(job, fields), key, inputs, begin, from, to, open, last, isUnseen };
}

const decoded = (text: string | undefined) =>
  text === undefined ? undefined : decodeURIComponent(text);

function whatOf(job: string, fields: Partial<Record<string, string>>): Recorded {
  if (job === 'none') return { kind: job, pathsHash: fields['paths'] ?? '' };
  if (job === 'todo') return { kind: job };
  if (job === 'unknown' || job === 'asked') return { kind: job, maybe: decoded(fields['maybe']) };
  return { kind: 'job', id: decodeURIComponent(job) };
}

const HASH = /^[0-9a-f]{16}$/;
/** Object ids. Those of other engines than GitHub differ in length. */
const COMMIT = /^[0-9a-f]{1,64}$/;
export const isCommitId = (text: string) => COMMIT.test(text);

function isValid({ what, key, inputs, begin, from, to, open, last }: StepRecord): boolean {
  const maybe = 'maybe' in what ? what.maybe : undefined;
  const ownId = what.kind === 'job' ? what.id : undefined;
  const ids = [ownId, maybe, last ?? undefined, ...open.map(({ id }) => id)];
  const hashes = [key, inputs, what.kind === 'none' ? what.pathsHash : key];
  const commits = [begin, from, to, ...open.map((job) => job.from)];
  return (
    hashes.every((hash) => HASH.test(hash)) &&
    ids.every((id) => id === undefined || isUsableId(id)) &&
    commits.every((commit) => commit === undefined || isCommitId(commit)) &&
    (from === undefined || to !== undefined)
  );
}

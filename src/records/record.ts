import { createHash } from 'node:crypto';
import { cut, escapeInvisible, isUsableId } from '../lib/text.ts';

/**
 * What came of a step: an agent job; nothing relevant changed; the create call may have been
 * accepted; or a re-run stopped and asked its person, which says nothing about changes.
 */
export type Recorded =
  | { readonly kind: 'job'; readonly id: string }
  | { readonly kind: 'none'; readonly pathsHash: string }
  | { readonly kind: 'unknown' }
  | { readonly kind: 'asked' };

/** An agent job that had not ended, with the commit that its changes start from. */
export interface OpenJob {
  readonly id: string;
  readonly from: string;
}

/**
 * What a step leaves behind. It is written as a notice, which GitHub keeps as an annotation of the
 * check run. Later attempts and later runs read it from there. Commits are object ids,
 * or names where the engine tells no ids.
 */
export interface StepRecord {
  readonly what: Recorded;
  /** {@link keyOf} the step: which records are its own. */
  readonly key: string;
  /** {@link hashOfInputs}: everything that makes the prompt. */
  readonly inputs: string;
  /** The changes from here to `to` are this step's part. Missing when there was no start. */
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  /** Earlier agent jobs that had not ended. The one that starts first comes first. */
  readonly open: readonly OpenJob[];
}

/** Which call a step makes. A record of one says nothing about the other. */
export type Call = 'create' | 'message';

export interface StepIdentity {
  readonly call: Call;
  readonly projectId: string;
  /** `GITHUB_JOB` */
  readonly job: string;
  /** JSON, empty without a matrix. */
  readonly matrix: string;
  /** `GITHUB_ACTION`: the step's id, or a name that the runner made from the action's. */
  readonly step: string;
}

export function keyOf({ call, projectId, job, matrix, step }: StepIdentity): string {
  return hashOf([call, projectId, job, matrix, step]);
}

export interface PromptInputs {
  readonly instruction: string;
  readonly changes: string;
  readonly paths: readonly string[];
  readonly since: string;
  readonly jobId: string | undefined;
}

export function hashOfInputs(inputs: PromptInputs): string {
  const { instruction, changes, paths, since, jobId } = inputs;
  return hashOf([instruction, changes, paths, since, jobId ?? null]);
}

export function hashOfPaths(paths: readonly string[]): string {
  return hashOf(paths);
}

/** The first 64 bits of the SHA-256 of the values as JSON, which keeps them apart. */
function hashOf(values: readonly unknown[]): string {
  return createHash('sha256').update(JSON.stringify(values)).digest('hex').slice(0, 16);
}

export interface Notice {
  readonly title: string;
  /** Lines are separated by `\n`. */
  readonly message: string;
}

const TITLES: Readonly<Record<Recorded['kind'] | 'message', string>> = {
  job: 'Docs agent: agent job created',
  message: 'Docs agent: follow-up message accepted',
  none: 'Docs agent: no agent job needed',
  unknown: 'Docs agent: an agent job may exist',
  asked: 'Docs agent: re-run stopped',
};
const TITLES_OF_RECORDS: ReadonlySet<string> = new Set(Object.values(TITLES));

/**
 * The notice that holds a record: a sentence for people, which is cut where there is no room for
 * it, and a line for {@link recordIn}.
 */
export function noticeOf(record: StepRecord, sentence: string, call: Call = 'create'): Notice {
  const { kind } = record.what;
  const line = lineOf(record);
  const room = Math.max(MIN_SENTENCE_LENGTH, MAX_MESSAGE_LENGTH - line.length - 1);
  return {
    title: TITLES[kind === 'job' && call === 'message' ? 'message' : kind],
    message: `${cut(escapeInvisible(sentence), room)}\n${line}`,
  };
}

/**
 * The runner cuts an annotation's message after this many UTF-16 units.
 * https://github.com/actions/runner/blob/main/src/Runner.Worker/ExecutionContext.cs
 */
const MAX_MESSAGE_LENGTH = 4_096;
const MIN_SENTENCE_LENGTH = 100;
/** Room for the id of an agent job that is not created yet, with its special characters encoded. */
const EXPECTED_ID_LENGTH = 500;

/** Whether GitHub keeps the whole notice. One that is cut cannot be read again. */
export function fitsAnnotation({ message }: Notice): boolean {
  return message.length <= MAX_MESSAGE_LENGTH;
}

/** Whether the record will fit a notice once the agent job exists. Its `what` does not count. */
export function hasRoomForJob(record: StepRecord): boolean {
  const what = { kind: 'job', id: 'x'.repeat(EXPECTED_ID_LENGTH) } as const;
  return fitsAnnotation(noticeOf({ ...record, what }, ''.padEnd(MIN_SENTENCE_LENGTH, '.')));
}

const MARK = '(for later runs) ';
const END = 'end';

/** The record as one line of ASCII letters without `*`, `:` or line breaks. `end` shows that it is whole. */
function lineOf({ what, key, inputs, from, to, open }: StepRecord): string {
  const fields = [
    'v=1',
    `job=${what.kind === 'job' ? encodeJobId(what.id) : what.kind}`,
    `key=${key}`,
    `inputs=${inputs}`,
    what.kind === 'none' ? `paths=${what.pathsHash}` : undefined,
    from === undefined ? undefined : `from=${from}`,
    to === undefined ? undefined : `to=${to}`,
    open.length === 0
      ? undefined
      : `open=${open.map((job) => `${encodeId(job.id)}@${job.from}`).join(',')}`,
    END,
  ];
  return `${MARK}${fields.filter((field) => field !== undefined).join(' ')}`;
}

/** Encodes `*` as well, so that an id that contains `***` differs from a masked one. */
function encodeId(id: string): string {
  return encodeURIComponent(id.toWellFormed()).replaceAll('*', '%2A');
}

const NOT_AN_ID: ReadonlySet<string> = new Set<Recorded['kind']>(['none', 'unknown', 'asked']);

/** An agent job may be called `none`. Then its first letter is encoded. */
function encodeJobId(id: string): string {
  const encoded = encodeId(id);
  if (!NOT_AN_ID.has(encoded)) return encoded;
  return `%${encoded.charCodeAt(0).toString(16).toUpperCase()}${encoded.slice(1)}`;
}

/**
 * The record in an annotation, or `undefined` when it is about something else. `unreadable` when it
 * was cut or masked, has an unknown version, or differs in any way from what {@link noticeOf}
 * writes. Takes time linear in the text's length, whatever it holds, and throws nothing.
 */
export function recordIn({ title, message }: Notice): StepRecord | 'unreadable' | undefined {
  const lines = message.trimEnd().split(/\r?\n/);
  const marked = lines.filter((line) => line.startsWith(MARK));
  const [line] = marked;
  if (line === undefined) return TITLES_OF_RECORDS.has(title) ? 'unreadable' : undefined;
  const isWhole = marked.length === 1 && line === lines.at(-1);
  if (!isWhole || line.length > MAX_MESSAGE_LENGTH) return 'unreadable';
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
  const fields = new Map<string, string>();
  for (const part of line.slice(MARK.length).split(' ')) {
    const separator = part.indexOf('=');
    if (separator > 0) fields.set(part.slice(0, separator), part.slice(separator + 1));
  }
  const field = (name: string) => fields.get(name) ?? '';
  return {
    what: whatOf(field('job'), field('paths')),
    key: field('key'),
    inputs: field('inputs'),
    from: fields.get('from'),
    to: fields.get('to'),
    open: fields.get('open')?.split(',').map(openJobOf) ?? [],
  };
}

function whatOf(job: string, pathsHash: string): Recorded {
  if (job === 'none') return { kind: job, pathsHash };
  if (job === 'unknown' || job === 'asked') return { kind: job };
  return { kind: 'job', id: decodeURIComponent(job) };
}

function openJobOf(text: string): OpenJob {
  const separator = text.lastIndexOf('@');
  return {
    id: decodeURIComponent(text.slice(0, Math.max(separator, 0))),
    from: text.slice(separator + 1),
  };
}

const HASH = /^[0-9a-f]{16}$/;
/** The ids of engines differ in length, and a start may be a name. */
const COMMIT = /^[\w./-]{1,100}$/;

function isValid({ what, key, inputs, from, to, open }: StepRecord): boolean {
  const ids = [...(what.kind === 'job' ? [what.id] : []), ...open.map(({ id }) => id)];
  const hashes = [key, inputs, ...(what.kind === 'none' ? [what.pathsHash] : [])];
  const commits = [from, to, ...open.map((job) => job.from)].filter((sha) => sha !== undefined);
  return (
    ids.every(isUsableId) &&
    hashes.every((hash) => HASH.test(hash)) &&
    commits.every((commit) => COMMIT.test(commit))
  );
}

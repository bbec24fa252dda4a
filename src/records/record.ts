import type { Annotation } from '../lib/annotation.ts';
import { cut, escapeInvisible, isUsableId } from '../lib/text.ts';

/**
 * What came of a step: an agent job; nothing relevant changed; the create call may have been
 * accepted; or a re-run stopped and asked the user, which says nothing about changes.
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
 * What a step leaves behind: a notice, which GitHub keeps as an annotation of the check run, where
 * later attempts and runs read it. Commits are object ids, or names where the engine gives no ids.
 */
export interface StepRecord {
  readonly what: Recorded;
  /** The hash of what tells this step and its call from others: which records are its own. */
  readonly key: string;
  /** The hash of everything that makes the prompt. */
  readonly inputs: string;
  /** The changes from here to `to` are this step's part. Missing when there was no start. */
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  /** Earlier agent jobs that had not ended. The one that starts first comes first. */
  readonly open: readonly OpenJob[];
}

export type Notice = Omit<Annotation, 'level'>;

const CREATE_TITLES: Readonly<Record<Recorded['kind'], string>> = {
  job: 'Docs agent: agent job created',
  none: 'Docs agent: no agent job needed',
  unknown: 'Docs agent: an agent job may exist',
  asked: 'Docs agent: re-run stopped',
};
const TITLES = {
  create: CREATE_TITLES,
  message: {
    ...CREATE_TITLES,
    job: 'Docs agent: follow-up message accepted',
    unknown: 'Docs agent: the message may have been sent',
  },
};
/** Which call a step makes. A record of one says nothing about the other. */
export type Call = keyof typeof TITLES;
const ALL_TITLES = Object.values(TITLES).flatMap((titles) => Object.values(titles));

/** The notice with a record: a sentence for people, cut to fit, and a line for {@link recordIn}. */
export function noticeOf(record: StepRecord, sentence: string, call: Call = 'create'): Notice {
  const line = lineOf(record);
  const room = Math.max(MIN_SENTENCE_LENGTH, MAX_MESSAGE_LENGTH - line.length - 1);
  const message = `${cut(escapeInvisible(sentence), room)}\n${line}`;
  return { title: TITLES[call][record.what.kind], message };
}

/** GitHub keeps at most this many annotations of a workflow job. */
export const MAX_ANNOTATIONS = 50;
// The runner cuts an annotation's message after this many UTF-16 units.
// https://github.com/actions/runner/blob/main/src/Runner.Worker/ExecutionContext.cs
const MAX_MESSAGE_LENGTH = 4_096;
const MIN_SENTENCE_LENGTH = 100;
/** Room for the id of an agent job that is not created yet, with its special characters encoded. */
const EXPECTED_ID_LENGTH = 500;

/** Whether GitHub keeps the whole notice. One that is cut cannot be read again. */
export const fitsAnnotation = ({ message }: Notice) => message.length <= MAX_MESSAGE_LENGTH;

/** Whether the record will fit a notice once the agent job exists. */
export function hasRoomForJob(record: Omit<StepRecord, 'what'>): boolean {
  const line = lineOf({ ...record, what: { kind: 'job', id: 'x'.repeat(EXPECTED_ID_LENGTH) } });
  return line.length < MAX_MESSAGE_LENGTH - MIN_SENTENCE_LENGTH;
}

const MARK = '(for later runs) ';

/** The record in one line of ASCII without `*`, `:` or line breaks. `end` shows that it is whole. */
function lineOf({ what, key, inputs, from, to, open }: StepRecord): string {
  const fields = {
    v: '1',
    job: what.kind === 'job' ? encodeJobId(what.id) : what.kind,
    key,
    inputs,
    paths: what.kind === 'none' ? what.pathsHash : undefined,
    from,
    to,
    open: open.map((job) => `${encodeId(job.id)}@${job.from}`).join(',') || undefined,
  };
  const given = Object.entries(fields).filter(([, value]) => value !== undefined);
  return `${MARK}${given.map((field) => field.join('=')).join(' ')} end`;
}

/** Encodes `*` as well, so that an id that contains `***` differs from a masked one. */
const encodeId = (id: string) => encodeURIComponent(id.toWellFormed()).replaceAll('*', '%2A');

/** An agent job may be called `none`. Then its first letter is encoded. */
function encodeJobId(id: string): string {
  const encoded = encodeId(id);
  if (!['none', 'unknown', 'asked'].includes(encoded)) return encoded;
  return `%${encoded.charCodeAt(0).toString(16).toUpperCase()}${encoded.slice(1)}`;
}

/**
 * The record in an annotation, or `undefined` when it is about something else. `unreadable` when it
 * was cut or masked, has an unknown version, or differs in any way from what {@link noticeOf}
 * writes. Takes time linear in the text's length, whatever it holds, and throws nothing.
 */
export function recordIn({ title, message }: Notice): StepRecord | 'unreadable' | undefined {
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
  const { job = '', key = '', inputs = '', paths = '', from, to } = fields;
  const open = (fields['open']?.split(',') ?? []).map((text) => {
    const [id = '', from = ''] = text.split('@');
    return { id: decodeURIComponent(id), from };
  });
  return { what: whatOf(job, paths), key, inputs, from, to, open };
}

function whatOf(job: string, pathsHash: string): Recorded {
  if (job === 'none') return { kind: job, pathsHash };
  if (job === 'unknown' || job === 'asked') return { kind: job };
  return { kind: 'job', id: decodeURIComponent(job) };
}

const HASH = /^[0-9a-f]{16}$/;
/** The ids of engines differ in length, and a start may be a name. */
const COMMIT = /^[\w./-]{1,100}$/;

function isValid({ what, key, inputs, from, to, open }: StepRecord): boolean {
  const ids = [...(what.kind === 'job' ? [what.id] : []), ...open.map(({ id }) => id)];
  const hashes = [key, inputs, ...(what.kind === 'none' ? [what.pathsHash] : [])];
  const commits = [from, to, ...open.map((job) => job.from)].filter((sha) => sha !== undefined);
  const areHashes = hashes.every((hash) => HASH.test(hash));
  return areHashes && ids.every(isUsableId) && commits.every((commit) => COMMIT.test(commit));
}

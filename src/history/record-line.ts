/** A record as the one line that GitHub keeps as an annotation. */
import type { Annotation } from '../model/annotation.ts';
import type { Added, CalledJob, OpenJob, Recorded, StepRecord } from '../model/record.ts';
import { isUsableId } from '../text/id.ts';

/** The title of the annotation that holds a record, and nothing else. */
export const RECORD_TITLE = 'Docs agent: for later runs';

/** GitHub keeps at most this many annotations of a workflow job. */
export const MAX_ANNOTATIONS = 50;
// The runner cuts an annotation's message after this many UTF-16 units.
// https://github.com/actions/runner/blob/main/src/Runner.Worker/ExecutionContext.cs
const MAX_MESSAGE_LENGTH = 4_096;
/** Room for the id of an agent job that is not created yet, with its special characters encoded. */
const EXPECTED_ID_LENGTH = 1_000;
/** As many source pull requests as a record holds. */
export const MAX_PULLS = 100;

/** Whether GitHub keeps the whole record. One that is cut cannot be read again. */
export const fitsAnnotation = (record: StepRecord) => lineOf(record).length <= MAX_MESSAGE_LENGTH;

/** Whether the record will fit an annotation once the agent job exists. */
export function hasRoomForJob(record: Omit<StepRecord, 'what'>): boolean {
  const what = { kind: 'job', id: 'x'.repeat(EXPECTED_ID_LENGTH) } as const;
  const added = { number: 1e9, head: 'f'.repeat(64), at: 1e10 };
  return fitsAnnotation({ ...record, what, added, at: added.at });
}

/** The record in one line of ASCII without `*` or line breaks. `end` shows that it is whole. */
export function lineOf(record: StepRecord): string {
  const { what, key, inputs, at, begin, from, to, open, last, added, pulls } = record;
  const fields = {
    v: '1',
    job: what.kind === 'job' ? encodeJobId(what.id) : what.kind,
    key,
    inputs,
    at: at?.toString(),
    begin,
    from,
    to,
    open: open.map(openText).join(',') || undefined,
    last: last && lastText(last),
    added: added && addedText(added),
    pulls: pulls.join(',') || undefined,
  };
  const given = Object.entries(fields).filter(([, value]) => value !== undefined);
  return `${given.map((field) => field.join('=')).join(' ')} end`;
}

const openText = ({ id, from, added }: OpenJob) =>
  [encodeId(id), from, ...(added === undefined ? [] : [addedText(added)])].join('@');

const lastText = (last: CalledJob | 'none') =>
  last === 'none' ? last : `${encodeId(last.id)}@${last.at}`;

const addedText = (added: Added) =>
  added === 'missed' ? added : `${added.number}:${added.head}@${added.at}`;

/** Encodes `*` as well, so that an id that contains `***` differs from a masked one. */
const encodeId = (id: string) => encodeURIComponent(id.toWellFormed()).replaceAll('*', '%2A');

const WORDS = ['none', 'todo', 'unknown', 'asked'] as const;
const wordIn = (job: string) => WORDS.find((word) => word === job);

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
}: Pick<Annotation, 'title' | 'message'>): StepRecord | 'unreadable' | undefined {
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
  const pairs = line.split(' ').map((part) => part.split('='));
  const fields: Partial<Record<string, string>> = Object.fromEntries(pairs);
  const { job = '', key = '', inputs = '', at, begin, from, to, open, last, added, pulls } = fields;
  return {
    what: whatOf(job),
    key,
    inputs,
    at: at === undefined ? undefined : Number(at),
    begin,
    from,
    to,
    open: open?.split(',').map(openIn) ?? [],
    last: last === undefined ? undefined : lastIn(last),
    added: added === undefined ? undefined : addedIn(added),
    pulls: pulls?.split(',').map(Number) ?? [],
  };
}

function whatOf(job: string): Recorded {
  const word = wordIn(job);
  return word === undefined ? { kind: 'job', id: decodeURIComponent(job) } : { kind: word };
}

function openIn(text: string): OpenJob {
  const [id = '', from = '', ...added] = text.split('@');
  const job = { id: decodeURIComponent(id), from };
  return added.length === 0 ? job : { ...job, added: addedIn(added.join('@')) };
}

function lastIn(text: string): CalledJob | 'none' {
  if (text === 'none') return text;
  const [id = '', at] = text.split('@');
  return { id: decodeURIComponent(id), at: Number(at) };
}

function addedIn(text: string): Added {
  if (text === 'missed') return text;
  const [number, head = '', at] = text.split(/[:@]/);
  return { number: Number(number), head, at: Number(at) };
}

const HASH = /^[0-9a-f]{16}$/;
/** Object ids. Those of other engines than GitHub differ in length. */
const COMMIT = /^[0-9a-f]{1,64}$/;
export const isCommitId = (text: string) => COMMIT.test(text);

function isValid(record: StepRecord): boolean {
  const { what, key, inputs, at, begin, from, to, open, last, added, pulls } = record;
  const called = last === undefined || last === 'none' ? [] : [last];
  const additions = [added, ...open.map((job) => job.added)].filter(
    (one) => typeof one === 'object',
  );
  const ids = [
    ...(what.kind === 'job' ? [what.id] : []),
    ...[...open, ...called].map(({ id }) => id),
  ];
  const commits = [
    begin?.replace(/\^$/, ''),
    ...[from, to, ...open.map((job) => job.from), ...additions.map(({ head }) => head)],
  ];
  const times = [at, ...[...called, ...additions].map((one) => one.at)];
  const numbers = [...pulls, ...additions.map(({ number }) => number)];
  return (
    [key, inputs].every((hash) => HASH.test(hash)) &&
    ids.every(isUsableId) &&
    commits.every((commit) => commit === undefined || isCommitId(commit)) &&
    times.every((time) => time === undefined || isCount(time)) &&
    numbers.every((number) => isCount(number) && number > 0) &&
    pulls.length <= MAX_PULLS &&
    (from === undefined || to !== undefined)
  );
}

const isCount = (value: number) => Number.isSafeInteger(value) && value >= 0;

/** Converts a record to and from the one line that GitHub keeps as an annotation. */
import { type Annotation, MAX_MESSAGE_LENGTH } from '../model/annotation.ts';
import type { Added, CalledJob, PendingJob, Recorded, StepRecord } from '../model/record.ts';
import { isUsableId, OBJECT_ID } from '../text/id.ts';

/** The title of an annotation with a record, and of no other. */
export const RECORD_TITLE = 'Docs agent: for later runs';

/** Room for the ID of an agent job to be created, with its special characters encoded. */
const EXPECTED_ID_LENGTH = 1_000;

/** The most pull requests of this repository in a record. */
export const MAX_CODE_PULLS = 100;

/** Whether GitHub keeps the whole record. A cut record is unreadable. */
export const fitsAnnotation = (record: StepRecord) => lineOf(record).length <= MAX_MESSAGE_LENGTH;

/** Whether the record will fit an annotation once the agent job exists. */
export function hasRoomForJob(record: Omit<StepRecord, 'what'>): boolean {
  const what = { kind: 'job', id: 'x'.repeat(EXPECTED_ID_LENGTH) } as const;
  const added = { number: 1e9, head: 'f'.repeat(64), at: 1e10 };
  return fitsAnnotation({ ...record, what, added, at: added.at });
}

/**
 * Writes the record on one line of ASCII without `*` or line breaks. `end` shows that it is
 * complete.
 */
export function lineOf(record: StepRecord): string {
  const { what, key, at, eventStart, range, ownHash, pending, last, added, codePulls } = record;
  const fields = {
    v: '1',
    job: what.kind === 'job' ? jobText(what.id) : what.kind,
    key,
    at,
    begin: eventStart,
    from: range?.from,
    to: range?.to,
    own: ownHash,
    open: listText(
      pending.map((job) => partsText(encodeId(job.id), job.from, addedText(job.added))),
    ),
    last: typeof last === 'object' ? partsText(encodeId(last.id), last.at) : last,
    added: addedText(added),
    pulls: listText(codePulls),
  };
  const given = Object.entries(fields).filter(([, value]) => value !== undefined);
  return `${given.map((field) => field.join('=')).join(' ')} end`;
}

type Value = string | number | undefined;

const listText = (values: readonly Value[]) => values.join(',') || undefined;
const partsText = (...values: readonly Value[]) =>
  values.filter((value) => value !== undefined).join('@');

const addedText = (added: Added | undefined) =>
  typeof added === 'object' ? partsText(`${added.number}:${added.head}`, added.at) : added;

/** Also encodes `*`, so that an ID that contains `***` differs from a masked one. */
const encodeId = (id: string) => encodeURIComponent(id.toWellFormed()).replaceAll('*', '%2A');

const WORDS = ['none', 'todo', 'unknown', 'asked'] as const;
const wordIn = (job: string) => WORDS.find((word) => word === job);

/** Encodes the first letter of an ID like `none`, to distinguish an agent job from the word. */
function jobText(id: string): string {
  const encoded = encodeId(id);
  if (wordIn(encoded) === undefined) return encoded;
  return `%${encoded.charCodeAt(0).toString(16).toUpperCase()}${encoded.slice(1)}`;
}

/** The first 64 bits of a SHA-256. */
const HASH = '[0-9a-f]{16}';
const ID = '[^\\s=@,:]+';
/** `recordIn` rejects a number that JavaScript writes differently. */
const NUMBER = '[1-9]\\d{0,15}';
const TIME = '\\d{1,16}';
const ADDED = `(?:missed|${NUMBER}:${OBJECT_ID}@${TIME})`;
const OPEN = `${ID}@${OBJECT_ID}(?:@${ADDED})?`;

/** Everything that {@link lineOf} writes. IDs are checked after decoding. */
const LINE = new RegExp(
  [
    `^v=1 job=(?<job>${ID}) key=(?<key>${HASH})`,
    `(?: at=(?<at>${TIME}))?`,
    `(?: begin=(?<begin>${OBJECT_ID}\\^?))?`,
    `(?:(?: from=(?<from>${OBJECT_ID}))? to=(?<to>${OBJECT_ID}))?`,
    `(?: own=(?<own>${HASH}))?`,
    `(?: open=(?<open>${OPEN}(?:,${OPEN})*))?`,
    `(?: last=(?<last>none|${ID}@${TIME}))?`,
    `(?: added=(?<added>${ADDED}))?`,
    `(?: pulls=(?<pulls>${NUMBER}(?:,${NUMBER}){0,${MAX_CODE_PULLS - 1}}))? end$`,
  ].join(''),
);

/** How a record starts. A mask may hide its title. */
const BEGINNING = /^v=\d+ job=/;

/**
 * Returns the record in an annotation, or `undefined` if it is about something else. Returns
 * `unreadable` if the record was cut or masked, has an unknown version, or differs in any way from
 * what is written here. Takes time linear in the text's length, and never throws.
 */
export function recordIn({
  title,
  message,
}: Pick<Annotation, 'title' | 'message'>): StepRecord | 'unreadable' | undefined {
  if (title !== RECORD_TITLE && !BEGINNING.test(message)) return undefined;
  if (message.length > MAX_MESSAGE_LENGTH) return 'unreadable';
  const fields = LINE.exec(message)?.groups;
  try {
    const record = fields && readFields(fields);
    return record && areIdsUsable(record) && lineOf(record) === message ? record : 'unreadable';
  } catch {
    // An encoded character isn't valid.
    return 'unreadable';
  }
}

function readFields(fields: Readonly<Partial<Record<string, string>>>): StepRecord {
  const { job = '', key = '', at, begin, from, to, own, open, last, added, pulls } = fields;
  return {
    what: readWhat(job),
    key,
    at: at === undefined ? undefined : Number(at),
    eventStart: begin,
    range: to === undefined ? undefined : { from, to },
    ownHash: own,
    pending: open?.split(',').map(readOpen) ?? [],
    last: last === undefined ? undefined : readLast(last),
    added: added === undefined ? undefined : readAdded(added),
    codePulls: pulls?.split(',').map(Number) ?? [],
  };
}

function readWhat(job: string): Recorded {
  const word = wordIn(job);
  return word === undefined ? { kind: 'job', id: decodeURIComponent(job) } : { kind: word };
}

function readOpen(text: string): PendingJob {
  const [id = '', from = '', ...added] = text.split('@');
  const job = { id: decodeURIComponent(id), from };
  return added.length === 0 ? job : { ...job, added: readAdded(added.join('@')) };
}

function readLast(text: string): CalledJob | 'none' {
  if (text === 'none') return text;
  const [id = '', at] = text.split('@');
  return { id: decodeURIComponent(id), at: Number(at) };
}

function readAdded(text: string): Added {
  if (text === 'missed') return text;
  const [number, head = '', at] = text.split(/[:@]/);
  return { number: Number(number), head, at: Number(at) };
}

function areIdsUsable({ what, pending, last }: StepRecord): boolean {
  const called = typeof last === 'object' ? [last] : [];
  const jobs = [...(what.kind === 'job' ? [what] : []), ...pending, ...called];
  return jobs.every(({ id }) => isUsableId(id));
}

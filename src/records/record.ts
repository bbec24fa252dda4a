import { createHash } from 'node:crypto';
import { quote } from '../lib/text.ts';

/**
 * What a step records as soon as its agent job exists. It is written as a notice, which GitHub
 * keeps as an annotation of the check run. A later attempt of the same workflow run reads it from
 * there.
 */
export interface JobRecord {
  readonly event: 'created' | 'accepted-message';
  readonly jobId: string;
  readonly projectId: string;
  /** The step, as the runner names it in `GITHUB_ACTION`. */
  readonly step: string;
  /** Tells apart the steps of a composite action, which share a name. */
  readonly instructionHash: string;
}

export function hashOf(instruction: string): string {
  return createHash('sha256').update(instruction).digest('hex').slice(0, 8);
}

/** GitHub keeps this much of an annotation's message, so a longer record cannot be read again. */
const MAX_MESSAGE_LENGTH = 4_096;

export interface Notice {
  readonly title: string;
  /** Lines are separated by `\n`. */
  readonly message: string;
}

const TITLES: Readonly<Record<JobRecord['event'], string>> = {
  created: 'Docs agent: agent job created',
  'accepted-message': 'Docs agent: follow-up message accepted',
};

/** The notice that holds a record: a sentence for people, and a line for {@link recordIn}. */
export function noticeOf(record: JobRecord): Notice {
  const job = `Agent job ${quote(record.jobId)}`;
  const sentence =
    record.event === 'created' ? `${job} was created.` : `${job} accepted the message.`;
  return { title: TITLES[record.event], message: `${sentence}\n${recordLine(record)}` };
}

/**
 * Whether GitHub keeps the whole notice. A notice with an id of a thousand non-ASCII letters is too
 * long, for example.
 */
export function fitsAnnotation({ message }: Notice): boolean {
  return message.length <= MAX_MESSAGE_LENGTH;
}

/**
 * Names may contain any character. They are encoded, so that neither the log nor GitHub changes
 * them.
 */
function recordLine({ jobId, projectId, step, instructionHash }: JobRecord): string {
  const [job, project, name] = [jobId, projectId, step].map(encode);
  return `Record for re-runs: job=${job} project=${project} step=${name} prompt=${instructionHash} end`;
}

/** Encodes `*` as well, so that an id that contains `***` differs from a masked one. */
const encode = (text: string) => encodeURIComponent(text.toWellFormed()).replaceAll('*', '%2A');

const LINE =
  /^Record for re-runs: job=(?<job>\S+) project=(?<project>\S+) step=(?<step>\S*) prompt=(?<prompt>\S+) end$/;

/**
 * The record in a notice, or `undefined` when the notice is about something else. `unreadable` when
 * it has the title of a record, but is incomplete, or differs from what {@link noticeOf} writes.
 */
export function recordIn({ title, message }: Notice): JobRecord | 'unreadable' | undefined {
  const event = title === TITLES.created ? 'created' : 'accepted-message';
  if (title !== TITLES[event]) return undefined;
  const [, line = '', ...more] = message.trimEnd().split(/\r?\n/);
  const fields = LINE.exec(line)?.groups;
  if (fields === undefined || more.length > 0) return 'unreadable';
  const field = (name: string) => decodeURIComponent(fields[name] ?? '');
  try {
    const record: JobRecord = {
      event,
      jobId: field('job'),
      projectId: field('project'),
      step: field('step'),
      instructionHash: field('prompt'),
    };
    // The runner masks secrets in annotations, and a masked id cannot be used.
    const isMasked = fields['job']?.includes(MASK) === true;
    const isWhole = recordLine(record) === line.replaceAll(MASK, encode(MASK));
    return isWhole && !isMasked ? record : 'unreadable';
  } catch {
    return 'unreadable';
  }
}

/** What the runner puts in the place of a secret, in annotations too. */
const MASK = '***';

/** Whether a recorded name is the given one. The runner may have masked it, or a part of it. */
export function isSameName(recorded: string, given: string): boolean {
  const parts = recorded.split(MASK).map((part) => RegExp.escape(part));
  return new RegExp(`^${parts.join('.*')}$`, 's').test(given);
}

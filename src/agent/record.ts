import { quote } from '../text.ts';

/**
 * What a step leaves behind the moment its agent job exists: a notice, which GitHub keeps as an
 * annotation of the check run, and which a later attempt of the same workflow run reads.
 */
export interface JobRecord {
  readonly event: 'created' | 'accepted-message';
  readonly jobId: string;
  readonly projectId: string;
  /** The step, as the runner names it in `GITHUB_ACTION`. */
  readonly step: string;
}

export interface Notice {
  readonly title: string;
  /** Lines are separated by `\n`. */
  readonly message: string;
}

const TITLES: Readonly<Record<JobRecord['event'], string>> = {
  created: 'Docs agent: agent job created',
  'accepted-message': 'Docs agent: follow-up message accepted',
};

/** The notice that holds a record: a sentence for people, and a line that is read again. */
export function noticeOf(record: JobRecord): Notice {
  const job = `Agent job ${quote(record.jobId)}`;
  const sentence =
    record.event === 'created' ? `${job} was created.` : `${job} accepted the message.`;
  return { title: TITLES[record.event], message: `${sentence}\n${recordLine(record)}` };
}

/** Names may hold anything, so they are encoded: nothing that a log or GitHub changes is left. */
function recordLine({ jobId, projectId, step }: JobRecord): string {
  const [job, project, name] = [jobId, projectId, step].map(encode);
  return `Record for re-runs: job=${job} project=${project} step=${name} end`;
}

const encode = (text: string) => encodeURIComponent(text.toWellFormed());

const LINE = /^Record for re-runs: job=(?<job>\S+) project=(?<project>\S+) step=(?<step>\S*) end$/;

/**
 * The record in a notice, or `undefined` when it is not one that {@link noticeOf} wrote, is not
 * whole, or is not spelled as it would be written.
 */
export function recordIn({ title, message }: Notice): JobRecord | undefined {
  const event = title === TITLES.created ? 'created' : 'accepted-message';
  if (title !== TITLES[event]) return undefined;
  const [, line = '', ...more] = message.trimEnd().split(/\r?\n/);
  const { job, project, step } = LINE.exec(line)?.groups ?? {};
  if (more.length > 0 || job === undefined || project === undefined || step === undefined) {
    return undefined;
  }
  try {
    const [jobId = '', projectId = '', name = ''] = [job, project, step].map(decodeURIComponent);
    const record: JobRecord = { event, jobId, projectId, step: name };
    return recordLine(record) === line ? record : undefined;
  } catch {
    return undefined;
  }
}

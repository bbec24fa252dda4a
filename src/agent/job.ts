import * as z from 'zod/mini';
import { tolerant, tolerantText } from '../schema.ts';
import { quote, safeLink } from '../text.ts';

/**
 * Whether a text can be an id and stand as one segment of a request's path. Ids are the service's
 * to choose, but one that cannot be sent back is of no use.
 */
export function isId(text: string): boolean {
  return /^[\x21-\x7e]{1,200}$/.test(text) && !/[/\\?#%]/.test(text) && !/^\.\.?$/.test(text);
}

const idSchema = z.string().check(z.refine(isId));

/**
 * The agent job, as the published contract describes it (`AgentJob` in the service's OpenAPI
 * document). No field is promised there: `id` and `status` are needed, and everything else may be
 * missing, null, of another type, or joined by fields not known today.
 */
const jobSchema = z.looseObject({
  id: idSchema,
  status: z.string().check(z.minLength(1)),
  source: tolerant(z.object({ repository: tolerantText, ref: tolerantText })),
  model: tolerantText,
  prLink: tolerantText,
  createdAt: tolerantText,
  archivedAt: tolerantText,
});

export interface Job {
  readonly id: string;
  readonly status: string;
  readonly sourceRepository: string;
  readonly sourceRef: string;
  readonly model: string;
  /** An http(s) URL without credentials, or empty. */
  readonly prLink: string;
  /** What stood there instead, when it may not be put out; else empty. */
  readonly refusedPrLink: string;
  readonly createdAt: string;
  readonly archivedAt: string;
  /** What the service said, whole, as JSON; a `prLink` that may not be put out is null in it. */
  readonly json: string;
}

export type ParsedJob =
  | { readonly kind: 'job'; readonly job: Job }
  /** `id` is there when at least that much could be read. */
  | { readonly kind: 'not-a-job'; readonly why: string; readonly id?: string };

/**
 * Reads an answer's body as a job, the one with that id if one is given. Throws nothing: what is no
 * job is told, not thrown.
 */
export function parseJob(body: string, expectedId?: string): ParsedJob {
  let value: unknown;
  try {
    value = JSON.parse(body);
  } catch {
    return { kind: 'not-a-job', why: 'the answer is not JSON' };
  }
  const parsed = jobSchema.safeParse(value);
  if (!parsed.success) {
    const fields = [...new Set(parsed.error.issues.map((issue) => issue.path.join('.')))];
    const why = `the answer is not a job (${fields[0] === '' ? 'not an object' : `no usable ${fields.join(', ')}`})`;
    const id = z.object({ id: idSchema }).safeParse(value).data?.id;
    return { kind: 'not-a-job', why, ...(id === undefined ? {} : { id }) };
  }
  const { data } = parsed;
  if (expectedId !== undefined && data.id !== expectedId) {
    return { kind: 'not-a-job', why: `the answer is not job ${quote(expectedId)}` };
  }
  const prLink = data.prLink === undefined ? undefined : safeLink(data.prLink);
  const raw = value as Record<string, unknown>;
  const job: Job = {
    id: data.id,
    status: data.status,
    sourceRepository: data.source?.repository ?? '',
    sourceRef: data.source?.ref ?? '',
    model: data.model ?? '',
    prLink: prLink ?? '',
    refusedPrLink: prLink === undefined ? (data.prLink ?? '') : '',
    createdAt: data.createdAt ?? '',
    archivedAt: data.archivedAt ?? '',
    json: JSON.stringify('prLink' in raw ? { ...raw, prLink: prLink ?? null } : raw),
  };
  return { kind: 'job', job };
}

/** How a job that has ended came out. */
export type JobEnd = 'pull-request' | 'no-changes' | 'archived' | 'failed';

/** What the job's status means: still working, ended, or a word that is not known today. */
export type JobState = 'active' | 'unknown' | JobEnd;

export function stateOf(job: Job): JobState {
  switch (job.status) {
    case 'active':
      return 'active';
    case 'completed':
      return job.prLink === '' ? 'no-changes' : 'pull-request';
    case 'archived':
    case 'failed':
      return job.status;
    default:
      return 'unknown';
  }
}

const errorSchema = z.object({ error: z.string() });

/** What the service said in an error answer (`{"error": string}`), else the body as it is. */
export function parseError(body: string): string {
  try {
    return errorSchema.parse(JSON.parse(body)).error;
  } catch {
    return body.trim();
  }
}

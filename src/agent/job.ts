import * as z from 'zod/mini';
import type { Runner } from '../effects/effects.ts';
import { quote } from '../lib/escape.ts';
import { isUsableId } from '../lib/id.ts';
import { mapStrings, parseJson } from '../lib/json.ts';
import { safeLink } from '../lib/url.ts';
import { membersOf } from './json.ts';

/** A lone surrogate cannot be written in a URL or in a UTF-8 file, so it is replaced. */
const idSchema = z.string().check(
  z.overwrite((text) => text.toWellFormed()),
  z.refine(isUsableId),
);

/** Empty when it is missing, null or of another type. */
const text = z.catch(z.string(), '');

/** `AgentJob` in the service's OpenAPI document promises no field. `id` and `status` are needed. */
const jobSchema = z.object({
  id: idSchema,
  status: z.string().check(z.minLength(1)),
  source: z.catch(z.object({ repository: text, ref: text }), { repository: '', ref: '' }),
  model: text,
  prLink: text,
  createdAt: text,
  archivedAt: text,
});

/** A job of which nothing is known: every field is empty. */
const NO_JOB = {
  id: '',
  status: '',
  sourceRepository: '',
  sourceRef: '',
  model: '',
  /** An http(s) URL without credentials, or empty. */
  prLink: '',
  /** The link that the service gave, when it must not be used; else empty. */
  refusedPrLink: '',
  createdAt: '',
  archivedAt: '',
  /** The whole job as the service wrote it; only a `prLink` that must not be used is null in it. */
  json: '',
};

export type Job = Readonly<typeof NO_JOB>;

/** An agent job that a run follows. */
export type FollowedJob = Job & {
  /** How it ended, once an end was read that counts. */
  readonly end: JobEnd | undefined;
};

/** An agent job of which only the id is known; with an empty id none is known. */
export const unread = (id: string): FollowedJob => ({ ...NO_JOB, id, end: undefined });

/**
 * Reads a response's body as an agent job: the one with `expectedId`, if that is given. Takes time
 * linear in the body's size, and throws nothing, whatever the body contains.
 */
export function parseJob(body: string, expectedId?: string, show = quote) {
  const notAJob = (error: string) => ({ kind: 'not-a-job', error }) as const;
  const json = parseJson(body);
  if (json === undefined) return notAJob('the response is not JSON');
  const { data, error } = jobSchema.safeParse(json);
  if (data === undefined) {
    const fields = [...new Set(error.issues.map((issue) => issue.path.join('.')))];
    const missing = fields[0] === '' ? 'not an object' : `no usable ${fields.join(', ')}`;
    return notAJob(`the response is not an agent job (${missing})`);
  }
  if (expectedId !== undefined && data.id !== expectedId) {
    return notAJob(`the response is about agent job ${show(data.id)}, not ${show(expectedId)}`);
  }
  const { source, prLink: given, ...texts } = data;
  const prLink = safeLink(given);
  const job: Job = {
    ...texts,
    sourceRepository: source.repository,
    sourceRef: source.ref,
    prLink: prLink ?? '',
    refusedPrLink: prLink === undefined ? given : '',
    json: jsonOf(body.trim(), prLink),
  };
  return { kind: 'job', job } as const;
}

/** The id in a body that is not a complete agent job, for example because it was cut. */
export function idIn(body: string): string | undefined {
  for (const { key, value } of membersOf(body)) {
    if (key === 'id' && value.startsWith('"')) return idSchema.safeParse(parseJson(value)).data;
  }
  return undefined;
}

/** The body with only its `prLink` replaced. Parsing all of it would round numbers over 2^53. */
function jsonOf(body: string, prLink: string | undefined): string {
  const parts: string[] = [];
  let copied = 0;
  for (const { key, start, end } of membersOf(body)) {
    if (key !== 'prLink') continue;
    parts.push(body.slice(copied, start), JSON.stringify(prLink ?? null));
    copied = end;
  }
  return parts.join('') + body.slice(copied);
}

/** The agent job as it is shown: without secrets, which `clean` removes before any text is cut. */
export const shownJob = (
  { json, end, ...texts }: FollowedJob,
  clean: Runner['clean'],
): FollowedJob => ({ ...mapStrings(texts, clean), json, end });

/**
 * What each status of the service means for the changes that an agent job has: it is still at work,
 * it has ended well, or its prompt has to be sent again. A status that is missing here is not known.
 */
const FATES = {
  active: 'running',
  completed: 'covered',
  archived: 'covered',
  failed: 'failed',
} as const;

type Status = keyof typeof FATES;
export type Fate = (typeof FATES)[Status];
type EndStatus = { [S in Status]: (typeof FATES)[S] extends 'running' ? never : S }[Status];

/** How an agent job ended. One that completed did so with a pull request, or without changes. */
export type JobEnd = 'pull-request' | 'no-changes' | Exclude<EndStatus, 'completed'>;

const isKnown = (status: string): status is Status => Object.hasOwn(FATES, status);
const isEnd = (status: Status): status is EndStatus => FATES[status] !== 'running';

/** It is at work, and its status is known today. */
export const isActive = ({ status }: Job): boolean => isKnown(status) && !isEnd(status);

/** What became of an agent job. One whose status is not known today is still at work. */
export const fateOf = ({ status }: Job): Fate => (isKnown(status) ? FATES[status] : 'running');

/** It ended without a result, so that its prompt may be sent again. */
export const cameToNothing = (job: Job): boolean =>
  fateOf(job) === 'failed' || (endOf(job) === 'archived' && job.prLink === '');

/** `undefined` while it is active, or has a status that is not known today. */
export function endOf({ status, prLink }: Job): JobEnd | undefined {
  if (!isKnown(status) || !isEnd(status)) return undefined;
  if (status === 'completed') return prLink === '' ? 'no-changes' : 'pull-request';
  return status;
}

/** The result of following an agent job. What was read of it is in the state of the wait. */
export type WaitEnding =
  | { readonly kind: 'ended'; readonly end: JobEnd }
  /** It has not ended, and the step does not wait for it (`wait: false`). */
  | { readonly kind: 'started' }
  | { readonly kind: 'timed-out' }
  /** The service does not know it, or no longer knows it. */
  | { readonly kind: 'not-found'; readonly error: string }
  /** The service refuses to show it, or the connection to the service is not trusted. */
  | { readonly kind: 'unreadable'; readonly error: string };

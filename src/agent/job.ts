import * as z from 'zod/mini';
import { isUsableId, mapStrings, parseJson, quote, safeLink } from '../lib/text.ts';
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

/** The job while nothing is known of it: every field is empty. */
export const NO_JOB = {
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

/** An agent job of which only the id is known. */
export const unread = (id: string): Job => ({ ...NO_JOB, id });

/**
 * Reads a response's body as an agent job: the one with `expectedId`, if that is given. Takes time
 * linear in the body's size, and throws nothing, whatever the body contains.
 */
export function parseJob(body: string, expectedId?: string, show = quote) {
  const notAJob = (error: string) => ({ kind: 'not-a-job', error, id: idIn(body) }) as const;
  const json = parseJson(body);
  if (json === undefined) return notAJob('the response is not JSON');
  const { data, error } = jobSchema.safeParse(json);
  if (data === undefined) {
    const fields = [...new Set(error.issues.map((issue) => issue.path.join('.')))];
    const missing = fields[0] === '' ? 'not an object' : `no usable ${fields.join(', ')}`;
    return notAJob(`the response is not an agent job (${missing})`);
  }
  if (expectedId !== undefined && data.id !== expectedId) {
    const error = `the response is about agent job ${show(data.id)}, not ${show(expectedId)}`;
    return { kind: 'not-a-job', error, id: undefined } as const;
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
export const shownJob = ({ json, ...texts }: Job, clean: (text: string) => string): Job => ({
  ...mapStrings(texts, clean),
  json,
});

export type JobEnd = 'pull-request' | 'no-changes' | 'archived' | 'failed';

export const isActive = ({ status }: Job): boolean => status === 'active';

/** `undefined` while it is active, or has a status that is not known today. */
export function endOf({ status, prLink }: Job): JobEnd | undefined {
  if (status === 'completed') return prLink === '' ? 'no-changes' : 'pull-request';
  return status === 'archived' || status === 'failed' ? status : undefined;
}

/** Whether the agent job has ended without a result, so that a new one is needed. */
export function cameToNothing({ status, prLink }: Job): boolean {
  return status === 'failed' || (status === 'archived' && prLink === '');
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

// https://docs.github.com/rest/pulls/pulls#get-a-pull-request
const PULL_REQUEST = /^\/([\w.-]+\/[\w.-]+)\/pull\/([1-9]\d*)(?:\/|$)/;
// https://docs.gitlab.com/api/merge_requests/#get-single-mr
const MERGE_REQUEST = /^\/([\w.-]+(?:\/[\w.-]+)+)\/-\/merge_requests\/([1-9]\d*)(?:\/|$)/;

/** The repository and the number of the pull request that a link names, on any host. */
export function pullRequestOf(link: string) {
  const path = URL.canParse(link) ? new URL(link).pathname : '';
  const [, repository, number] = PULL_REQUEST.exec(path) ?? MERGE_REQUEST.exec(path) ?? [];
  return repository && number ? { repository, number } : undefined;
}

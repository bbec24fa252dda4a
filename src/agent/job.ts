/** Reads agent jobs from what the service sends. */
import * as z from 'zod/mini';
import type { Job } from '../model/agent-job.ts';
import { quote } from '../text/escape.ts';
import { isUsableId } from '../text/id.ts';
import { parseJson } from '../text/json.ts';
import { safeLink } from '../text/url.ts';
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

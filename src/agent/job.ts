/** Parses agent jobs from the service's responses. */
import * as z from 'zod/mini';
import type { Job } from '../model/agent-job.ts';
import { quote } from '../text/escape.ts';
import { isUsableId } from '../text/id.ts';
import { mapStrings, parseJson } from '../text/json.ts';
import { safeLink } from '../text/url.ts';

/** Replaces lone surrogates, which neither a URL nor a UTF-8 file can hold. */
const idSchema = z.string().check(
  z.overwrite((text) => text.toWellFormed()),
  z.refine(isUsableId),
);

/** Empty when the field is missing, null, or of another type. */
const text = z.catch(z.string(), '');

/**
 * Requires only `id` and `status`. `AgentJob` in the service's OpenAPI document promises no field.
 */
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
 * Parses a response's body as an agent job, which must have `expectedId` if that is given. Takes
 * time linear in the body's size, and never throws.
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
  const { prLink: sent } = json as { readonly prLink?: unknown };
  const isLinkUsable = prLink !== undefined || !sent;
  const job: Job = {
    ...texts,
    sourceRepository: source.repository,
    sourceRef: source.ref,
    prLink: prLink ?? '',
    refusedPrLink: prLink === undefined ? given : '',
    // Keep the text as sent, because parsing and serializing it would round large numbers.
    json: isLinkUsable ? body.trim() : withoutLink(json),
  };
  return { kind: 'job', job } as const;
}

/** Drops what is nested too deeply to serialize. */
const withoutLink = (json: unknown) =>
  JSON.stringify(mapStrings({ ...(json as object), prLink: null }, (text) => text));

/** An `id` member and its string, in a JSON text that may be cut off. */
const ID = /"id"\s*:\s*("(?:[^"\\]|\\.)*")/s;

/** The first ID in a body that isn't a complete agent job, for example because it was cut off. */
export function idIn(body: string): string | undefined {
  return idSchema.safeParse(parseJson(ID.exec(body)?.[1] ?? '')).data;
}

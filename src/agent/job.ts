import { z } from 'zod';
import { safeLink } from '../text/escape.ts';

/** Mintlify's agent job. A text that is missing, null, or of another type is empty. */
export interface AgentJob {
  readonly id: string;
  readonly status: string;
  /** An http(s) URL without credentials, or empty. */
  readonly prLink: string;
  /** The URL of the docs repository, and the branch in it that the agent works on. */
  readonly repository: string;
  readonly ref: string;
  readonly json: string;
}

export type JobEnd = 'pull-request' | 'no-changes' | 'archived' | 'failed';

/** `undefined` while the agent job is active or has an unknown status. */
export function endOf({ status, prLink }: AgentJob): JobEnd | undefined {
  switch (status) {
    case 'completed':
      return prLink === '' ? 'no-changes' : 'pull-request';
    case 'archived':
    case 'failed':
      return status;
    default:
      return undefined;
  }
}

/** An id becomes an output and a part of a path, where `.` and `..` have a meaning. */
const idSchema = z.string().regex(/^(?!\.{1,2}$)[^\p{Cc}\p{Cs}]{1,1000}$/u);
const text = z.string().catch('');

const jobSchema = z.object({
  id: idSchema,
  status: z.string().min(1),
  source: z.object({ repository: text, ref: text }).catch({ repository: '', ref: '' }),
  prLink: text,
});

/** The agent job in the body of a response. `undefined` if there is none. */
export function parseJob(body: string): AgentJob | undefined {
  const { data } = jobSchema.safeParse(parseJson(body));
  if (data === undefined) return undefined;
  const { source, ...fields } = data;
  const prLink = safeLink(fields.prLink) ?? '';
  return { ...fields, ...source, prLink, json: body.trim() };
}

export function parseJson(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}

/** The first id in a body that is not a whole agent job, for example because it was cut. */
export function idIn(body: string): string | undefined {
  const [, id] = /"id"\s*:\s*"([^"\\]+)"/.exec(body) ?? [];
  return idSchema.safeParse(id).data;
}

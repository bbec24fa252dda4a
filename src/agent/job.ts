import * as z from 'zod/mini';
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

/** How an agent job stands: the names from the first read of it to the report. */
export type Standing = Running | Ended;

export type Running =
  | { readonly kind: 'active'; readonly job: AgentJob }
  /** Maybe it can be read later, and not before `retryAfterMs`. */
  | {
      readonly kind: 'unreadable';
      readonly said: string;
      readonly retryAfterMs?: number | undefined;
    };

export type Ended =
  | { readonly kind: 'pull-request' | 'no-changes' | 'archived' | 'failed'; readonly job: AgentJob }
  | { readonly kind: 'not-found'; readonly said: string }
  /** Active for over two hours. */
  | { readonly kind: 'stuck' }
  /** Of a follow-up message: its pull request was open no more at the end. */
  | { readonly kind: 'merged' | 'closed'; readonly job: AgentJob; readonly link: string };

export const isRunning = (standing: Standing): standing is Running =>
  standing.kind === 'active' || standing.kind === 'unreadable';

/** How an agent job with this status stands. An unknown status is one that goes on. */
export function standingOf(job: AgentJob): Standing {
  switch (job.status) {
    case 'completed':
      return { kind: job.prLink === '' ? 'no-changes' : 'pull-request', job };
    case 'archived':
    case 'failed':
      return { kind: job.status, job };
    default:
      return { kind: 'active', job };
  }
}

/** An id becomes an output and a part of a path, where `.` and `..` have a meaning. */
const idSchema = z.string().check(z.regex(/^(?!\.{1,2}$)[^\p{Cc}\p{Cs}]{1,1000}$/u));
const text = z.catch(z.string(), '');

const jobSchema = z.object({
  id: idSchema,
  status: z.string().check(z.minLength(1)),
  source: z.catch(z.object({ repository: text, ref: text }), { repository: '', ref: '' }),
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

/** What can go wrong with a request to GitHub's API, and what a person does about it. */
import { z } from 'zod';
import { StepError, type Topic } from '../errors.ts';
import { describeFault, parseRetryAfter } from '../http.ts';
import { quote } from '../text/escape.ts';

/** The permission of the workflow job that a request needs. */
export type Permission = 'contents: read' | 'pull-requests: read';

/** Why one try of a request failed. */
export interface Failure {
  /** `undefined` without a whole response, and for one of an unexpected shape. */
  readonly status: number | undefined;
  /** What GitHub said, or what failed on the way. Untrusted. */
  readonly said: string;
  /** Another try may succeed. */
  readonly mayPass: boolean;
  /** How long GitHub asks to wait. */
  readonly retryAfterMs: number | undefined;
}

/** A request to GitHub's API failed. */
export class GitHubError extends StepError {
  override readonly name = 'GitHubError';
  readonly status: number | undefined;
  /** What GitHub said, or what failed on the way. Untrusted. */
  readonly said: string;

  /** `what` names the request, like `Comparing two commits`. */
  constructor(what: string, permission: Permission, failure: Failure) {
    const [topic, next] = adviceFor(failure, permission);
    super(topic, `${failedText(what, failure)}. ${next}.`);
    this.status = failure.status;
    this.said = failure.said;
  }
}

/** Without a period, so that text can follow. */
export const failedText = (what: string, { status, said }: Failure) =>
  `${what} with GitHub's API failed: ${status === undefined ? '' : `HTTP ${status}, `}${quote(said)}`;

function adviceFor({ status, said }: Failure, permission: Permission): readonly [Topic, string] {
  if (status === undefined) {
    return ['network', 'Make sure that the runner reaches it, then re-run the failed jobs'];
  }
  if (status === 401) {
    return ['permissions', 'Correct `githubToken`, or leave it out, and start a new run'];
  }
  // Other causes of a 403 are a list of allowed IP addresses, or single sign-on.
  if (status === 404 || said.includes('not accessible by')) {
    return ['permissions', `Give the workflow job \`${permission}\`, and start a new run`];
  }
  return ['github', 'Re-run the failed jobs once that is resolved'];
}

export interface Response {
  readonly status: number;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly data?: unknown;
}

const messageSchema = z.object({ message: z.string() });
/** GraphQL reports errors, limits on requests included, with HTTP 200. */
const graphqlSchema = z.object({ errors: z.array(messageSchema).min(1) });
/** What Octokit throws, if there was a response. */
const thrownSchema = z.object({
  response: z.object({
    status: z.number(),
    headers: z.record(z.string(), z.unknown()),
    data: z.unknown(),
  }),
});

/** The failure that a response reports. `date` is now, in ms since 1970. */
export function failureIn({ status, headers, data }: Response, date: number): Failure | undefined {
  const errors = graphqlSchema.safeParse(data).data?.errors;
  if (status < 400 && errors === undefined) return undefined;
  const said = (errors?.[0] ?? messageSchema.safeParse(data).data)?.message ?? 'no message';
  const isLimit = status === 429 || /rate limit/i.test(said);
  const mayPass = isLimit || status >= 500 || status === 408 || status === 425;
  const asked = parseRetryAfter(String(headers['retry-after'] ?? ''), date);
  const retryAfterMs = asked ?? (isLimit ? limitMs(headers, date) : undefined);
  return { status, said, mayPass, retryAfterMs };
}

/** https://docs.github.com/rest/using-the-rest-api/rate-limits-for-the-rest-api#exceeding-the-rate-limit */
function limitMs(headers: Response['headers'], date: number): number {
  if (headers['x-ratelimit-remaining'] !== '0') return 60_000;
  // GitHub gives whole seconds.
  return Math.max(0, Number(headers['x-ratelimit-reset']) * 1_000 - date) + 1_000;
}

/** The failure behind an error that Octokit threw. */
export function failureOf(error: unknown, date: number): Failure {
  const { data: thrown } = thrownSchema.safeParse(error);
  const reported = thrown && failureIn(thrown.response, date);
  if (reported !== undefined) return reported;
  return { status: undefined, said: describeFault(error), mayPass: true, retryAfterMs: undefined };
}

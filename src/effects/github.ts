import { context, getOctokit } from '@actions/github';
import { defaults } from '@actions/github/lib/utils';
import * as z from 'zod/mini';
import { formatDuration } from '../duration.ts';
import { GitHubError, messageOf, WorkflowContextError } from '../errors.ts';
import { backoffMs, parseRetryAfter, requestTimeoutMs } from '../retry.ts';
import { count, quote } from '../text.ts';
import type { ChangedFile, GitHub, GitHubAccess, WorkflowRun } from './effects.ts';
import { proxyFor } from './proxy.ts';

const MAX_TRIES = 3;
const PAGE_SIZE = 100;
/** GitHub ends most lists at 10,000 entries. */
const MAX_PAGES = 100;
/** Longest time that one run waits for GitHub's rate limits. */
const MAX_LIMIT_WAIT_MS = 5 * 60_000;
/** What GitHub asks to wait for when a secondary limit names no time. */
const SECONDARY_LIMIT_WAIT_MS = 60_000;
/** GitHub's largest answers, pages of patches, are a few megabytes. */
const MAX_ANSWER_BYTES = 32 * 1024 * 1024;
/** GitHub lists at most this much of a comparison. */
const MAX_COMPARED_COMMITS = 250;
const MAX_COMPARED_FILES = 300;

/**
 * GitHub's REST API through the toolkit's Octokit, at the API URL that the runner names
 * (`GITHUB_API_URL`, so GitHub Enterprise Server as well). Only reads, so each is tried three times,
 * and again after a rate limit. Throws a `WorkflowContextError` outside a workflow.
 */
export function openGitHub(access: GitHubAccess): GitHub {
  const [owner = '', repo = ''] = (process.env['GITHUB_REPOSITORY'] ?? '').split('/');
  if (owner === '' || repo === '') throw new WorkflowContextError('GITHUB_REPOSITORY');
  if (access.token === '') throw new GitHubError('forbidden', '`githubToken` is empty');
  checkAddress(process.env['GITHUB_API_URL'] ?? 'https://api.github.com');
  const here = { owner, repo };
  const { request } = getOctokit(access.token, { request: { fetch: boundedFetch, log: silent } });
  const limits = { waitedMs: 0 };

  /** One answer of the expected shape. Rejects with a `GitHubError`, or with the signal's reason. */
  async function ask<S extends z.ZodMiniType>(
    what: string,
    schema: S,
    route: string,
    parameters: Readonly<Record<string, unknown>> = {},
  ): Promise<Answer<z.infer<S>>> {
    const { clock, signal, deadline } = access;
    for (let tries = 1; ; tries += 1) {
      signal.throwIfAborted();
      const timeoutMs = requestTimeoutMs(deadline - clock.now());
      const timeout = AbortSignal.timeout(timeoutMs);
      let failure: Failure;
      try {
        const { data, headers } = await request(route, {
          ...here,
          ...parameters,
          request: { signal: AbortSignal.any([signal, timeout]) },
        });
        const parsed = schema.safeParse(data);
        if (parsed.success) return { data: parsed.data, hasMore: hasNextPage(headers.link) };
        failure = { kind: 'failed', why: `GitHub's answer is not ${shapeOf(parsed.error)}` };
      } catch (error) {
        signal.throwIfAborted();
        failure = failureOf(error, timeout.aborted ? timeoutMs : undefined);
      }
      const waitMs = waitAfter(failure, tries);
      if (waitMs === undefined || clock.now() + waitMs >= deadline) throw errorOf(what, failure);
      await clock.sleep(waitMs, signal);
    }
  }

  /** Milliseconds to wait before the next try, `undefined` when there is none. */
  function waitAfter(failure: Failure, tries: number): number | undefined {
    const { clock, deadline, runner } = access;
    const pauseMs = backoffMs(tries, undefined, clock.random());
    if (failure.kind === 'failed') {
      return failure.isFinal === true || tries >= MAX_TRIES ? undefined : pauseMs;
    }
    if (failure.kind !== 'rate-limited') return undefined;
    const waitMs = Math.max(pauseMs, limitWaitMs(failure.headers ?? {}, clock.date()));
    if (limits.waitedMs + waitMs > MAX_LIMIT_WAIT_MS || clock.now() + waitMs >= deadline) {
      return undefined;
    }
    limits.waitedMs += waitMs;
    runner.info(`GitHub's rate limit was reached. Retrying in ${formatDuration(waitMs)}.`);
    return waitMs;
  }

  function errorOf(what: string, { kind, why, text, cause }: Failure): GitHubError {
    const said = text === undefined ? '' : `: ${quote(access.runner.redact(text))}`;
    const limited = kind === 'rate-limited' ? " (a limit on requests to GitHub's API)" : '';
    return new GitHubError(kind, `${what} failed. ${why}${limited}${said}`, { cause });
  }

  /** The entries of all pages. */
  async function* pages<E extends z.ZodMiniType, S extends z.ZodMiniType>(
    what: string,
    schema: S,
    entriesOf: (data: z.infer<S>) => readonly z.infer<E>[],
    route: string,
    parameters: Readonly<Record<string, unknown>> = {},
  ): AsyncGenerator<z.infer<E>> {
    for (let page = 1; page <= MAX_PAGES; page += 1) {
      const paged = { ...parameters, per_page: PAGE_SIZE, page };
      const { data, hasMore } = await ask(what, schema, route, paged);
      yield* entriesOf(data);
      if (!hasMore) return;
    }
  }

  /** The entries of all pages of a list that is an array. */
  const list = <E extends z.ZodMiniType>(what: string, entry: E, route: string, parameters = {}) =>
    Array.fromAsync(
      pages<E, z.ZodMiniArray<E>>(what, z.array(entry), (data) => data, route, parameters),
    );

  return {
    event: {
      name: context.eventName ?? '',
      payload: context.payload,
      sha: context.sha ?? '',
      ref: context.ref ?? '',
      runId: context.runId,
      repository: `${owner}/${repo}`,
    },
    // https://docs.github.com/rest/commits/commits#compare-two-commits
    async compare(base, head) {
      const { data } = await ask(
        'Comparing commits',
        comparisonSchema,
        'GET /repos/{owner}/{repo}/compare/{basehead}',
        { basehead: `${base}...${head}` },
      );
      return {
        status: data.status,
        url: data.html_url,
        totalCommits: data.total_commits,
        commits: data.commits.slice(0, MAX_COMPARED_COMMITS).map(subjectOf),
        files: data.files.slice(0, MAX_COMPARED_FILES).map(fileOf),
      };
    },
    // https://docs.github.com/rest/pulls/pulls#list-pull-requests-files
    // https://docs.github.com/rest/pulls/pulls#list-commits-on-a-pull-request
    async pullRequest(number) {
      const pull = 'GET /repos/{owner}/{repo}/pulls/{pull_number}';
      const parameters = { pull_number: number };
      const what = `Reading pull request ${number}`;
      const files = await list(what, fileSchema, `${pull}/files`, parameters);
      const commits = await list(what, commitSchema, `${pull}/commits`, parameters);
      return {
        url: `${context.serverUrl}/${owner}/${repo}/pull/${number}/files`,
        commits: commits.map(subjectOf),
        files: files.map(fileOf),
      };
    },
    // https://docs.github.com/rest/actions/workflow-runs#get-a-workflow-run
    async run(id) {
      const { data } = await ask(
        'Reading the workflow run',
        runSchema,
        'GET /repos/{owner}/{repo}/actions/runs/{run_id}',
        { run_id: id },
      );
      return runOf(data);
    },
    // https://docs.github.com/rest/actions/workflow-runs#list-workflow-runs-for-a-workflow
    async *successfulRuns(workflowId, branch) {
      const runs = pages<typeof runSchema, typeof runsSchema>(
        'Listing successful runs',
        runsSchema,
        ({ workflow_runs }) => workflow_runs,
        'GET /repos/{owner}/{repo}/actions/workflows/{workflow_id}/runs',
        { workflow_id: workflowId, branch, status: 'success' },
      );
      for await (const run of runs) yield runOf(run);
    },
    // https://docs.github.com/rest/git/refs#list-matching-references
    // It has no pages: all come in one answer.
    async tags(beginning) {
      const path = beginning.split('/').map(encodeURIComponent).join('/');
      const { data } = await ask(
        'Listing tags',
        z.array(refSchema),
        `GET /repos/{owner}/{repo}/git/matching-refs/tags${path === '' ? '' : `/${path}`}`,
      );
      return data
        .map(({ ref }) => ref)
        .filter((ref) => ref.startsWith('refs/tags/'))
        .map((ref) => ref.slice('refs/tags/'.length));
    },
    // https://docs.github.com/rest/releases/releases#list-releases
    async releases() {
      const releases = await list(
        'Listing releases',
        releaseSchema,
        'GET /repos/{owner}/{repo}/releases',
      );
      return releases
        .filter(({ draft }) => !draft)
        .map(({ tag_name: tag, prerelease: isPrerelease }) => ({ tag, isPrerelease }));
    },
    // https://docs.github.com/rest/actions/workflow-jobs#list-jobs-for-a-workflow-run
    async workflowJobs(runId) {
      const jobs = await Array.fromAsync(
        pages<typeof jobSchema, typeof jobsSchema>(
          'Listing the workflow jobs',
          jobsSchema,
          ({ jobs }) => jobs,
          'GET /repos/{owner}/{repo}/actions/runs/{run_id}/jobs',
          { run_id: runId, filter: 'all' },
        ),
      );
      return jobs.map((job) => ({
        id: job.id,
        name: job.name,
        runAttempt: job.run_attempt,
        status: job.status,
        runnerName: job.runner_name ?? undefined,
      }));
    },
    // https://docs.github.com/rest/checks/runs#list-check-run-annotations
    async annotations(checkRunId) {
      const annotations = await list(
        'Listing annotations',
        annotationSchema,
        'GET /repos/{owner}/{repo}/check-runs/{check_run_id}/annotations',
        { check_run_id: checkRunId },
      );
      return annotations.map(({ annotation_level, title, message }) => ({
        level: annotation_level ?? '',
        title: title ?? '',
        message: message ?? '',
      }));
    },
  };
}

// --- What is read of GitHub's answers -------------------------------------------------------------

interface Answer<T> {
  readonly data: T;
  readonly hasMore: boolean;
}

const commitSchema = z.object({ sha: z.string(), commit: z.object({ message: z.string() }) });

const fileSchema = z.object({
  filename: z.string(),
  previous_filename: z.nullish(z.string()),
  status: z.string(),
  additions: z.number(),
  deletions: z.number(),
  patch: z.nullish(z.string()),
});

const comparisonSchema = z.object({
  status: z.enum(['ahead', 'behind', 'identical', 'diverged']),
  html_url: z.string(),
  total_commits: z.number(),
  commits: z.array(commitSchema),
  files: z.array(fileSchema),
});

const runSchema = z.object({
  id: z.number(),
  workflow_id: z.number(),
  run_number: z.number(),
  head_sha: z.string(),
  head_branch: z.nullish(z.string()),
  head_repository: z.nullish(z.object({ full_name: z.string() })),
});

const runsSchema = z.object({ workflow_runs: z.array(runSchema) });

const refSchema = z.object({ ref: z.string() });

const releaseSchema = z.object({
  tag_name: z.string(),
  draft: z.boolean(),
  prerelease: z.boolean(),
});

const jobSchema = z.object({
  id: z.number(),
  name: z.string(),
  run_attempt: z.number(),
  status: z.string(),
  runner_name: z.nullish(z.string()),
});

const jobsSchema = z.object({ jobs: z.array(jobSchema) });

const annotationSchema = z.object({
  annotation_level: z.nullish(z.string()),
  title: z.nullish(z.string()),
  message: z.nullish(z.string()),
});

function subjectOf({ sha, commit }: z.infer<typeof commitSchema>) {
  return { sha, subject: commit.message.split(/\r\n|\r|\n/, 1)[0] ?? '' };
}

function fileOf(file: z.infer<typeof fileSchema>): ChangedFile {
  return {
    path: file.filename,
    previousPath: file.previous_filename ?? undefined,
    status: file.status,
    additions: file.additions,
    deletions: file.deletions,
    patch: file.patch ?? undefined,
  };
}

function runOf(run: z.infer<typeof runSchema>): WorkflowRun {
  return {
    id: run.id,
    workflowId: run.workflow_id,
    runNumber: run.run_number,
    headSha: run.head_sha,
    headBranch: run.head_branch ?? undefined,
    headRepository: run.head_repository?.full_name,
  };
}

/** Where an answer differs from what GitHub's documentation shows. */
function shapeOf({ issues }: z.core.$ZodError): string {
  const path = issues[0]?.path.join('.') ?? '';
  return path === '' ? 'of the expected shape' : `of the expected shape at ${quote(path)}`;
}

/** https://docs.github.com/rest/using-the-rest-api/using-pagination-in-the-rest-api#using-link-headers */
const hasNextPage = (link: string | undefined) => /;\s*rel="?next"?/.test(link ?? '');

// --- Failures -------------------------------------------------------------------------------------

interface Failure {
  readonly kind: GitHubError['kind'];
  /** A sentence of our own. */
  readonly why: string;
  /** What GitHub, or the network, said. */
  readonly text?: string;
  /** Whether another try would fail the same way. */
  readonly isFinal?: boolean;
  readonly headers?: Headers;
  readonly cause?: unknown;
}

type Headers = Readonly<Record<string, string | number | undefined>>;

/**
 * What an error of Octokit's means. It carries the HTTP status, and the answer if there was one.
 * Any other error is a fault of our own, and thrown on.
 */
function failureOf(error: unknown, timedOutAfterMs: number | undefined): Failure {
  const { status, response } = error as { status?: unknown; response?: ErrorResponse };
  const cause = error;
  if (timedOutAfterMs !== undefined) {
    const why = `GitHub's API did not answer within ${count(Math.ceil(timedOutAfterMs / 1_000), 'second')}`;
    return { kind: 'failed', why, cause };
  }
  if (typeof status !== 'number') throw error;
  if (response === undefined) {
    return { kind: 'failed', why: "GitHub's API gave no answer", text: messageOf(error), cause };
  }
  const text = textOf(response.data);
  const headers = response.headers ?? {};
  const kind = kindOf(status, headers, text);
  const isFinal = status < 500 && status !== 408 && status !== 425;
  return { kind, why: `GitHub's API answered HTTP ${status}`, text, isFinal, headers, cause };
}

interface ErrorResponse {
  readonly data?: unknown;
  readonly headers?: Headers;
}

const messageSchema = z.object({ message: z.string() });

function textOf(data: unknown): string {
  const parsed = messageSchema.safeParse(data);
  if (parsed.success) return parsed.data.message;
  return typeof data === 'string' && data !== '' ? data : 'no message';
}

/** https://docs.github.com/rest/using-the-rest-api/rate-limits-for-the-rest-api#exceeding-the-rate-limit */
function kindOf(status: number, headers: Headers, text: string): GitHubError['kind'] {
  const isLimited =
    headers['x-ratelimit-remaining'] === '0' ||
    headers['retry-after'] !== undefined ||
    /rate limit|abuse detection/i.test(text);
  if (status === 429 || (status === 403 && isLimited)) return 'rate-limited';
  if (status === 401 || status === 403) return 'forbidden';
  return status === 404 ? 'missing' : 'failed';
}

/** Milliseconds that a rate limit asks to wait, from now (`date`, ms since 1970). */
function limitWaitMs(headers: Headers, date: number): number {
  const asked = parseRetryAfter(headers['retry-after']?.toString(), date);
  if (asked !== undefined) return asked;
  const reset = Number(headers['x-ratelimit-reset'] ?? Number.NaN);
  const isPrimary = headers['x-ratelimit-remaining'] === '0' && Number.isFinite(reset);
  // One second more, because GitHub gives whole seconds.
  return isPrimary ? reset * 1_000 - date + 1_000 : SECONDARY_LIMIT_WAIT_MS;
}

// --- Octokit --------------------------------------------------------------------------------------

/** Octokit would log to stderr, which the runner parses for commands and may show before a mask. */
const silent = { debug() {}, info() {}, warn() {}, error() {} };

/**
 * The toolkit's `fetch`, which knows the runner's proxy, with the body read whole and bounded.
 * Octokit makes an empty string of a body that was cut, and holds one of any size.
 */
const boundedFetch: typeof fetch = async (url, options) => {
  const toolkitFetch: typeof fetch = defaults.request?.fetch;
  const { body, status, headers } = await toolkitFetch(url, options);
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of body ?? []) {
    chunks.push(chunk);
    bytes += chunk.byteLength;
    if (bytes > MAX_ANSWER_BYTES) {
      throw new Error(`the answer is larger than ${MAX_ANSWER_BYTES} bytes`);
    }
  }
  const text = new TextDecoder().decode(Buffer.concat(chunks));
  const isEmpty = [204, 205, 304].includes(status);
  // Whatever it says it is, it is read as JSON.
  const entries = [...headers].filter(([name]) => name !== 'content-type');
  return new Response(isEmpty ? null : text, {
    status,
    headers: [...entries, ['content-type', 'application/json']],
  });
};

/** Throws a `GitHubError` for an address, or a proxy on the way to it, that cannot be used. */
function checkAddress(url: string): void {
  if (!URL.canParse(url)) throw new GitHubError('failed', '`GITHUB_API_URL` is not a URL');
  try {
    proxyFor(new URL(url));
  } catch (cause) {
    const message = `GitHub's API cannot be reached: ${messageOf(cause)}. Set \`https_proxy\` to an \`http://\` or \`https://\` proxy, or add the host to \`no_proxy\``;
    throw new GitHubError('failed', message, { cause });
  }
}

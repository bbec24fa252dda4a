import { context, getOctokit } from '@actions/github';
import { GitHubError, messageOf } from '../errors.ts';
import { backoffMs, requestTimeoutMs } from '../retry.ts';
import { quote } from '../text.ts';
import type { GitHub, GitHubAccess, WorkflowRun } from './effects.ts';

const MAX_TRIES = 3;
const PAGE_SIZE = 100;
/** 1,000 tags or releases. */
const MAX_PAGES = 10;

/**
 * GitHub's REST API through the toolkit's Octokit, at the API URL that the runner names
 * (`GITHUB_API_URL`, so GitHub Enterprise Server as well). Only reads, so each is tried three times.
 */
export function openGitHub(access: GitHubAccess): GitHub {
  const { rest } = getOctokit(access.token, { log: silent });
  const { owner, repo } = context.repo;

  /** Asks once or more; rejects with a `GitHubError`, or with the signal's reason. */
  async function ask<T>(
    what: string,
    request: (options: Options) => Promise<{ data: T }>,
  ): Promise<T> {
    const { clock, signal, deadline } = access;
    for (let tries = 1; ; tries += 1) {
      signal.throwIfAborted();
      const timeout = AbortSignal.timeout(requestTimeoutMs(deadline - clock.now()));
      const limit = AbortSignal.any([signal, timeout]);
      try {
        return (await request({ request: { signal: limit } })).data;
      } catch (error) {
        signal.throwIfAborted();
        const failure = repositoryError(what, error);
        const waitMs = backoffMs(tries, undefined, clock.random());
        const isOver = tries >= MAX_TRIES || clock.now() + waitMs >= deadline;
        if (failure.kind !== 'failed' || isOver) throw failure;
        await clock.sleep(waitMs, signal);
      }
    }
  }

  const runOf = (run: RunData): WorkflowRun => ({
    id: run.id,
    workflowId: run.workflow_id,
    runNumber: run.run_number,
    headSha: run.head_sha,
    headBranch: run.head_branch ?? undefined,
    headRepository: run.head_repository?.full_name,
  });

  async function* pages<T>(
    what: string,
    request: (page: { page: number; per_page: number }, options: Options) => Promise<{ data: T[] }>,
  ): AsyncGenerator<T> {
    for (let page = 1; page <= MAX_PAGES; page += 1) {
      const items = await ask(what, (options) => request({ page, per_page: PAGE_SIZE }, options));
      yield* items;
      if (items.length < PAGE_SIZE) return;
    }
  }

  return {
    event: {
      name: context.eventName,
      payload: context.payload,
      sha: context.sha,
      ref: context.ref,
      runId: context.runId,
      repository: `${owner}/${repo}`,
    },
    // https://docs.github.com/rest/commits/commits#compare-two-commits
    async compare(base, head) {
      const data = await ask('Comparing commits', (options) =>
        rest.repos.compareCommitsWithBasehead({
          owner,
          repo,
          basehead: `${base}...${head}`,
          ...options,
        }),
      );
      return {
        status: data.status,
        url: data.html_url,
        totalCommits: data.total_commits,
        commits: data.commits.map(({ sha, commit }) => ({
          sha,
          subject: commit.message.split(/\r\n|\r|\n/, 1)[0] ?? '',
        })),
        files: (data.files ?? []).map((file) => ({
          path: file.filename,
          previousPath: file.previous_filename,
          status: file.status,
          additions: file.additions,
          deletions: file.deletions,
          patch: file.patch,
        })),
      };
    },
    // https://docs.github.com/rest/actions/workflow-runs#get-a-workflow-run
    async run(id) {
      const data = await ask('Reading the workflow run', (options) =>
        rest.actions.getWorkflowRun({ owner, repo, run_id: id, ...options }),
      );
      return runOf(data);
    },
    // https://docs.github.com/rest/actions/workflow-runs#list-workflow-runs-for-a-workflow
    async successfulRuns(workflowId, branch) {
      const data = await ask('Listing successful runs', (options) =>
        rest.actions.listWorkflowRuns({
          owner,
          repo,
          workflow_id: workflowId,
          branch,
          status: 'success',
          per_page: PAGE_SIZE,
          ...options,
        }),
      );
      return data.workflow_runs.map(runOf);
    },
    // https://docs.github.com/rest/repos/repos#list-repository-tags
    async tags() {
      const tags = pages('Listing tags', (page, options) =>
        rest.repos.listTags({ owner, repo, ...page, ...options }),
      );
      return Array.fromAsync(tags, ({ name, commit }) => ({ name, sha: commit.sha }));
    },
    // https://docs.github.com/rest/commits/commits#list-commits
    async *history(sha) {
      const commits = pages('Listing commits', (page, options) =>
        rest.repos.listCommits({ owner, repo, sha, ...page, ...options }),
      );
      for await (const commit of commits) yield commit.sha;
    },
    // https://docs.github.com/rest/releases/releases#list-releases
    async releases() {
      const releases = await Array.fromAsync(
        pages('Listing releases', (page, options) =>
          rest.repos.listReleases({ owner, repo, ...page, ...options }),
        ),
      );
      return releases
        .filter((release) => !release.draft)
        .map((release) => ({ tag: release.tag_name, publishedAt: release.published_at ?? '' }));
    },
  };
}

/** Octokit would log to stderr, which the runner parses for commands and may show before a mask. */
const silent = { debug() {}, info() {}, warn() {}, error() {} };

type Options = { readonly request: { readonly signal: AbortSignal } };

interface RunData {
  readonly id: number;
  readonly workflow_id: number;
  readonly run_number: number;
  readonly head_sha: string;
  readonly head_branch: string | null;
  readonly head_repository: { readonly full_name: string } | null;
}

/** Octokit's errors carry the HTTP status and the answer's headers; anything else is a network fault. */
function repositoryError(what: string, error: unknown): GitHubError {
  const { status, response } = error as {
    status?: number;
    response?: { headers?: Record<string, string | undefined> };
  };
  const message = `${what}: GitHub's API said ${quote(messageOf(error))}`;
  return new GitHubError(kindOf(status, response?.headers ?? {}), message, { cause: error });
}

/** https://docs.github.com/rest/using-the-rest-api/rate-limits-for-the-rest-api#exceeding-the-rate-limit */
function kindOf(
  status: number | undefined,
  headers: Readonly<Record<string, string | undefined>>,
): GitHubError['kind'] {
  const isLimited =
    headers['x-ratelimit-remaining'] === '0' || headers['retry-after'] !== undefined;
  if (status === 429 || (status === 403 && isLimited)) return 'rate-limited';
  if (status === 401 || status === 403) return 'forbidden';
  return status === 404 ? 'missing' : 'failed';
}

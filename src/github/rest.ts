import { existsSync, readFileSync } from 'node:fs';
import * as z from 'zod/mini';
import type { Annotation } from '../lib/annotation.ts';
import { GitHubError, messageOf } from '../lib/errors.ts';
import { quote } from '../lib/text.ts';
import { GitHubClient } from './client.ts';
import {
  type ChangedFile,
  type Commit,
  type Comparison,
  type GitHub,
  type GitHubAccess,
  MAX_COMPARED_FILES,
  type PullRequestChanges,
  type Release,
  type Tree,
  type WorkflowEvent,
  type WorkflowJob,
  type WorkflowRun,
} from './github.ts';

/** GitHub lists at most this many commits of a comparison. */
const MAX_COMPARED_COMMITS = 250;

/**
 * GitHub's REST API, as far as the action reads it. Throws what the constructor of
 * {@link GitHubClient} throws.
 */
export function createGitHub(access: GitHubAccess): GitHub {
  return new RestGitHub(new GitHubClient(access));
}

class RestGitHub implements GitHub {
  readonly #client: GitHubClient;
  #event: WorkflowEvent | undefined;

  constructor(client: GitHubClient) {
    this.#client = client;
  }

  /** Read when it is needed, because a re-run needs only the API. Throws a `GitHubError`. */
  get event(): WorkflowEvent {
    const { env } = process;
    const { owner, repo } = this.#client;
    this.#event ??= {
      name: env['GITHUB_EVENT_NAME'] ?? '',
      payload: readPayload(env['GITHUB_EVENT_PATH']),
      sha: env['GITHUB_SHA'] ?? '',
      ref: env['GITHUB_REF'] ?? '',
      runId: Number.parseInt(env['GITHUB_RUN_ID'] ?? '', 10),
      repository: `${owner}/${repo}`,
    };
    return this.#event;
  }

  // https://docs.github.com/rest/commits/commits#compare-two-commits
  async compare(base: string, head: string): Promise<Comparison> {
    const { data } = await this.#client.ask(
      'Comparing commits',
      comparisonSchema,
      'GET /repos/{owner}/{repo}/compare/{basehead}',
      { basehead: `${base}...${head}` },
    );
    return {
      status: data.status,
      url: data.html_url,
      mergeBase: data.merge_base_commit?.sha ?? base,
      totalCommits: data.total_commits,
      commits: data.commits.slice(0, MAX_COMPARED_COMMITS).map(commitOf),
      files: data.files.slice(0, MAX_COMPARED_FILES).map(fileOf),
    };
  }

  // https://docs.github.com/rest/pulls/pulls#list-pull-requests-files
  // https://docs.github.com/rest/pulls/pulls#list-commits-on-a-pull-request
  async pullRequest(number: number): Promise<PullRequestChanges> {
    const { owner, repo } = this.#client;
    const pull = 'GET /repos/{owner}/{repo}/pulls/{pull_number}';
    const parameters = { pull_number: number };
    const what = `Reading pull request ${number}`;
    const files = await this.#client.list(what, fileSchema, `${pull}/files`, parameters);
    const commits = await this.#client.list(what, commitSchema, `${pull}/commits`, parameters);
    return {
      url: `${process.env['GITHUB_SERVER_URL'] || 'https://github.com'}/${owner}/${repo}/pull/${number}/files`,
      commits: commits.map(commitOf),
      files: files.map(fileOf),
    };
  }

  // https://docs.github.com/rest/actions/workflow-runs#get-a-workflow-run
  async run(id: number): Promise<WorkflowRun> {
    const { data } = await this.#client.ask(
      'Reading the workflow run',
      runSchema,
      'GET /repos/{owner}/{repo}/actions/runs/{run_id}',
      { run_id: id },
    );
    return runOf(data);
  }

  // https://docs.github.com/rest/actions/workflow-runs#list-workflow-runs-for-a-workflow
  async *runs(workflowId: number, branch: string): AsyncGenerator<WorkflowRun> {
    const runs = this.#client.pages<typeof runSchema, typeof runsSchema>(
      'Listing workflow runs',
      runsSchema,
      ({ workflow_runs }) => workflow_runs,
      'GET /repos/{owner}/{repo}/actions/workflows/{workflow_id}/runs',
      { workflow_id: workflowId, branch },
    );
    for await (const run of runs) yield runOf(run);
  }

  // https://docs.github.com/rest/git/refs#list-matching-references
  // This list has no pages: all tags come in one answer.
  async tags(beginning: string): Promise<readonly string[]> {
    const path = beginning.split('/').map(encodeURIComponent).join('/');
    const { data } = await this.#client.ask(
      'Listing tags',
      z.array(refSchema),
      `GET /repos/{owner}/{repo}/git/matching-refs/tags${path === '' ? '' : `/${path}`}`,
    );
    return data
      .map(({ ref }) => ref)
      .filter((ref) => ref.startsWith('refs/tags/'))
      .map((ref) => ref.slice('refs/tags/'.length));
  }

  // https://docs.github.com/rest/releases/releases#list-releases
  async releases(): Promise<readonly Release[]> {
    const releases = await this.#client.list(
      'Listing releases',
      releaseSchema,
      'GET /repos/{owner}/{repo}/releases',
    );
    return releases
      .filter(({ draft }) => !draft)
      .map(({ tag_name: tag, prerelease: isPrerelease }) => ({ tag, isPrerelease }));
  }

  // https://docs.github.com/rest/actions/workflow-jobs#list-jobs-for-a-workflow-run
  async workflowJobs(runId: number): Promise<readonly WorkflowJob[]> {
    const jobs = await Array.fromAsync(
      this.#client.pages<typeof workflowJobSchema, typeof workflowJobsSchema>(
        'Listing the workflow jobs',
        workflowJobsSchema,
        ({ jobs }) => jobs,
        'GET /repos/{owner}/{repo}/actions/runs/{run_id}/jobs',
        { run_id: runId, filter: 'all' },
      ),
    );
    return jobs.map(workflowJobOf);
  }

  // https://docs.github.com/rest/actions/workflow-jobs#get-a-job-for-a-workflow-run
  async workflowJob(id: number): Promise<WorkflowJob> {
    const { data } = await this.#client.ask(
      'Reading the workflow job',
      workflowJobSchema,
      'GET /repos/{owner}/{repo}/actions/jobs/{job_id}',
      { job_id: id },
    );
    return workflowJobOf(data);
  }

  // https://docs.github.com/rest/commits/commits#get-a-commit
  async hasCommit(sha: string): Promise<boolean> {
    try {
      await this.#client.ask(
        'Reading a commit',
        z.object({ sha: z.string() }),
        'GET /repos/{owner}/{repo}/commits/{sha}',
        { sha },
      );
      return true;
    } catch (error) {
      if (error instanceof GitHubError && error.kind === 'not-found') return false;
      throw error;
    }
  }

  // https://docs.github.com/rest/git/trees#get-a-tree
  async tree(sha: string): Promise<Tree> {
    const { data } = await this.#client.ask(
      'Reading a tree',
      treeSchema,
      'GET /repos/{owner}/{repo}/git/trees/{sha}',
      { sha, recursive: '1' },
    );
    const files = data.tree.filter(({ type }) => type !== 'tree');
    return {
      entries: new Map(files.map(({ path, mode, sha }) => [path, `${mode} ${sha}`])),
      isTruncated: data.truncated,
    };
  }

  // https://docs.github.com/rest/checks/runs#list-check-run-annotations
  async annotations(checkRunId: number): Promise<readonly Annotation[]> {
    const annotations = await this.#client.list(
      'Listing annotations',
      annotationSchema,
      'GET /repos/{owner}/{repo}/check-runs/{check_run_id}/annotations',
      { check_run_id: checkRunId },
    );
    return annotations.map(({ annotation_level, title, message }) => ({
      level: annotation_level,
      title: title ?? '',
      message: message ?? '',
    }));
  }
}

/** Many events need no payload, so a file that is not there is an empty one. */
function readPayload(path = ''): unknown {
  if (!existsSync(path)) return undefined;
  try {
    return JSON.parse(readFileSync(path, 'utf8').replace(/^\ufeff/, ''));
  } catch (cause) {
    const message = `The event in \`GITHUB_EVENT_PATH\` could not be read: ${quote(messageOf(cause))}`;
    throw new GitHubError('failed', message, { cause });
  }
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
  merge_base_commit: z.nullish(z.object({ sha: z.string() })),
  total_commits: z.number(),
  commits: z.array(commitSchema),
  files: z.array(fileSchema),
});

const runSchema = z.object({
  id: z.number(),
  workflow_id: z.number(),
  run_number: z.number(),
  status: z.nullish(z.string()),
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

const treeSchema = z.object({
  tree: z.array(
    z.object({ path: z.string(), mode: z.string(), type: z.string(), sha: z.nullish(z.string()) }),
  ),
  truncated: z.boolean(),
});

const workflowJobSchema = z.object({
  id: z.number(),
  run_id: z.number(),
  name: z.string(),
  run_attempt: z.number(),
  status: z.string(),
  runner_name: z.nullish(z.string()),
});

const workflowJobsSchema = z.object({ jobs: z.array(workflowJobSchema) });

const annotationSchema = z.object({
  annotation_level: z.catch(z.enum(['notice', 'warning', 'error']), 'notice'),
  title: z.nullish(z.string()),
  message: z.nullish(z.string()),
});

function commitOf({ sha, commit }: z.infer<typeof commitSchema>): Commit {
  return { sha, message: commit.message };
}

function workflowJobOf(job: z.infer<typeof workflowJobSchema>): WorkflowJob {
  return {
    id: job.id,
    runId: job.run_id,
    name: job.name,
    runAttempt: job.run_attempt,
    status: job.status,
    runnerName: job.runner_name ?? undefined,
  };
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
    status: run.status ?? '',
    headSha: run.head_sha,
    headBranch: run.head_branch ?? undefined,
    headRepository: run.head_repository?.full_name,
  };
}

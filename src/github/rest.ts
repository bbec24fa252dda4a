import * as z from 'zod/mini';
import type { Annotation } from '../lib/annotation.ts';
import { GitHubError } from '../lib/errors.ts';
import { allOf, apiPath, GitHubClient } from './client.ts';
import type { Workflow } from './context.ts';
import {
  type ChangedFile,
  type Commit,
  type Comparison,
  type GitHub,
  type GitHubAccess,
  MAX_COMPARED_COMMITS,
  MAX_COMPARED_FILES,
  type PullRequestChanges,
  type Release,
  type Tree,
  type WorkflowEvent,
  type WorkflowJob,
  type WorkflowRun,
} from './github.ts';

/** GitHub lists this many commits of a comparison without pages, and this many in a page. */
const COMMITS_WITHOUT_PAGES = 250;
const COMMITS_OF_A_PAGE = 100;

/**
 * GitHub's REST API, as far as the action reads it. Throws what the constructor of
 * {@link GitHubClient} throws.
 */
export function createGitHub(access: GitHubAccess, workflow: Workflow): GitHub {
  return new RestGitHub(new GitHubClient(access, workflow), workflow);
}

class RestGitHub implements GitHub {
  readonly #client: GitHubClient;
  readonly #workflow: Workflow;

  constructor(client: GitHubClient, workflow: Workflow) {
    this.#client = client;
    this.#workflow = workflow;
  }

  get event(): WorkflowEvent {
    return this.#workflow.event;
  }

  // https://docs.github.com/rest/commits/commits#compare-two-commits
  // Without pages it lists the newest 250 commits, with pages the oldest first.
  async compare(base: string, head: string): Promise<Comparison> {
    const what = 'Comparing commits';
    const path = apiPath`/compare/${`${base}...${head}`}`;
    const { data } = await this.#client.ask(what, comparisonSchema, path);
    const { total_commits: totalCommits } = data;
    const isWhole = totalCommits <= COMMITS_WITHOUT_PAGES;
    const commits = isWhole ? data.commits : await this.#oldestCommits(what, path, totalCommits);
    return {
      // Gitea's comparisons have no status, and no common commit.
      status: data.status ?? (totalCommits > 0 ? 'ahead' : 'identical'),
      url: data.html_url ?? this.#page(`compare/${base}...${head}`),
      mergeBase: data.merge_base_commit?.sha ?? base,
      totalCommits,
      commits: commits.slice(0, MAX_COMPARED_COMMITS).map(commitOf),
      files: data.files.slice(0, MAX_COMPARED_FILES).map(fileOf),
    };
  }

  async #oldestCommits(what: string, path: string, total: number) {
    const commits: z.infer<typeof commitSchema>[] = [];
    for (let page = 1; commits.length < Math.min(total, MAX_COMPARED_COMMITS); page += 1) {
      const query = { per_page: COMMITS_OF_A_PAGE, page };
      const { data } = await this.#client.ask(what, commitsSchema, path, query);
      if (data.commits.length === 0) break;
      commits.push(...data.commits);
    }
    return commits;
  }

  /** The address of a page of the repository, for people. */
  #page(path: string): string {
    return `${this.#workflow.facts.serverUrl}/${this.#client.repository}/${path}`;
  }

  // https://docs.github.com/rest/pulls/pulls#list-pull-requests-files
  // https://docs.github.com/rest/pulls/pulls#list-commits-on-a-pull-request
  async pullRequest(number: number): Promise<PullRequestChanges> {
    const what = `Reading pull request ${number}`;
    const files = await this.#client.list(what, fileSchema, apiPath`/pulls/${number}/files`);
    const commits = await this.#client.list(what, commitSchema, apiPath`/pulls/${number}/commits`);
    return {
      url: this.#page(`pull/${number}/files`),
      commits: commits.map(commitOf),
      files: files.map(fileOf),
    };
  }

  // https://docs.github.com/rest/actions/workflow-runs#get-a-workflow-run
  async run(id: number): Promise<WorkflowRun> {
    const { data } = await this.#client.ask(
      'Reading the workflow run',
      runSchema,
      apiPath`/actions/runs/${id}`,
    );
    return runOf(data);
  }

  // https://docs.github.com/rest/actions/workflow-runs#list-workflow-runs-for-a-workflow
  async *runs(workflowId: number, branch: string): AsyncGenerator<WorkflowRun> {
    const runs = this.#client.pages<typeof runSchema, typeof runsSchema>(
      'Listing workflow runs',
      runsSchema,
      ({ workflow_runs }) => workflow_runs,
      apiPath`/actions/workflows/${workflowId}/runs`,
      { branch },
    );
    for await (const run of runs) yield runOf(run);
  }

  // https://docs.github.com/rest/git/refs#list-matching-references
  // This list has no pages: all tags come in one answer.
  async tags(beginning: string): Promise<readonly string[]> {
    const segments = beginning.split('/').map((segment) => apiPath`${segment}`);
    const path = ['/git/matching-refs/tags', ...(beginning === '' ? [] : segments)].join('/');
    const { data } = await this.#client.ask('Listing tags', z.array(refSchema), path);
    return data
      .map(({ ref }) => ref)
      .filter((ref) => ref.startsWith('refs/tags/'))
      .map((ref) => ref.slice('refs/tags/'.length));
  }

  // https://docs.github.com/rest/releases/releases#list-releases
  async releases(): Promise<readonly Release[]> {
    const releases = await this.#client.list('Listing releases', releaseSchema, '/releases');
    return releases
      .filter(({ draft }) => !draft)
      .map(({ tag_name: tag, prerelease: isPrerelease }) => ({ tag, isPrerelease }));
  }

  // https://docs.github.com/rest/actions/workflow-jobs#list-jobs-for-a-workflow-run
  async workflowJobs(runId: number): Promise<readonly WorkflowJob[]> {
    const jobs = await allOf(
      this.#client.pages<typeof workflowJobSchema, typeof workflowJobsSchema>(
        'Listing the workflow jobs',
        workflowJobsSchema,
        ({ jobs }) => jobs,
        apiPath`/actions/runs/${runId}/jobs`,
        { filter: 'all' },
      ),
    );
    return jobs.map(workflowJobOf);
  }

  // https://docs.github.com/rest/actions/workflow-jobs#get-a-job-for-a-workflow-run
  async workflowJob(id: number): Promise<WorkflowJob> {
    const { data } = await this.#client.ask(
      'Reading the workflow job',
      workflowJobSchema,
      apiPath`/actions/jobs/${id}`,
    );
    return workflowJobOf(data);
  }

  // https://docs.github.com/rest/commits/commits#get-a-commit
  async hasCommit(sha: string): Promise<boolean> {
    try {
      await this.#client.ask(
        'Reading a commit',
        z.object({ sha: z.string() }),
        apiPath`/commits/${sha}`,
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
      apiPath`/git/trees/${sha}`,
      { recursive: 1 },
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
      apiPath`/check-runs/${checkRunId}/annotations`,
    );
    return annotations.map(({ annotation_level, title, message }) => ({
      level: annotation_level,
      title: title ?? '',
      message: message ?? '',
    }));
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
  status: z.optional(z.enum(['ahead', 'behind', 'identical', 'diverged'])),
  html_url: z.optional(z.string()),
  merge_base_commit: z.nullish(z.object({ sha: z.string() })),
  total_commits: z.number(),
  commits: z.array(commitSchema),
  files: z.array(fileSchema),
});

const commitsSchema = z.object({ commits: z.array(commitSchema) });

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
  run_id: z.optional(z.number()),
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

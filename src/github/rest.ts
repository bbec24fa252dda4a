import * as z from 'zod/mini';
import { unlessNotFound } from '../lib/errors.ts';
import { apiPath, createClient } from './client.ts';
import type { Workflow } from './context.ts';
import {
  type ChangedFile,
  type Commit,
  type GitHubAccess,
  MAX_COMPARED_COMMITS,
  MAX_COMPARED_FILES,
} from './github.ts';

/** A text that GitHub may leave out or give as null. */
const textOr = <F extends string | undefined>(fallback: F) => {
  const filled = z.transform((text: string | null | undefined) => text ?? fallback);
  return z.pipe(z.nullish(z.string()), filled);
};

export const fileSchema = z.object({
  filename: z.string(),
  /** The name before a rename, or of the file that was copied. */
  previous_filename: textOr(undefined),
  status: z.string(),
  additions: z.number(),
  deletions: z.number(),
  /** Missing for binary files, and for those that GitHub considers too large. */
  patch: textOr(undefined),
});

/** The whole message: subject and body. */
const messageSchema = z.object({ message: z.string() });
export const commitSchema = z.object({ sha: z.string(), commit: messageSchema });
const commitsSchema = z.array(commitSchema);
const shaSchema = z.object({ sha: z.string() });
const comparisonSchema = z.object({
  status: z.optional(z.enum(['ahead', 'behind', 'identical', 'diverged'])),
  html_url: z.optional(z.string()),
  merge_base_commit: z.nullish(shaSchema),
  total_commits: z.number(),
  commits: commitsSchema,
  files: z.array(fileSchema),
});

const treeEntrySchema = z.object({
  path: z.string(),
  mode: z.string(),
  /** `blob`, `tree` for a folder, or `commit` for a submodule. */
  type: z.string(),
  sha: z.nullish(z.string()),
});
/** Every file of a commit. GitHub lists at most 100,000 entries. */
const treeSchema = z.object({ tree: z.array(treeEntrySchema), truncated: z.boolean() });

const releasesSchema = z.array(
  z.object({ tag_name: z.string(), draft: z.boolean(), prerelease: z.boolean() }),
);

const runSchema = z.object({
  id: z.number(),
  workflow_id: z.number(),
  run_number: z.number(),
  /** `completed`, `in_progress`, `queued`, `waiting` and others. */
  status: textOr(undefined),
  head_branch: textOr(undefined),
  /** `owner/name`: another one for a run of a fork, and null after that was deleted. */
  head_repository: z.nullish(z.object({ full_name: z.string() })),
});
const runsSchema = z.pipe(
  z.object({ workflow_runs: z.array(runSchema) }),
  z.transform(({ workflow_runs }) => workflow_runs),
);

/** GitHub's workflow job, in one attempt of its run. */
const workflowJobSchema = z.object({
  /** Also the id of its check run. */
  id: z.number(),
  /** GitHub promises it, and other engines leave it out. */
  run_id: z.optional(z.number()),
  name: z.string(),
  run_attempt: z.number(),
  status: z.string(),
  runner_name: textOr(undefined),
});
const workflowJobsSchema = z.pipe(
  z.object({ jobs: z.array(workflowJobSchema) }),
  z.transform(({ jobs }) => jobs),
);

const annotationsSchema = z.array(z.object({ title: textOr(''), message: textOr('') }));

/** Without pages GitHub lists the newest commits of a comparison, in pages the oldest first. */
const COMMITS_WITHOUT_PAGES = 250;
const COMMITS_OF_A_PAGE = 100;
const COMPARING = 'Comparing commits';
const TAGS = 'refs/tags/';

/** GitHub's REST API, as far as the action reads it. Throws what {@link createClient} throws. */
export function createGitHub(access: GitHubAccess, workflow: Workflow) {
  const { repository, serverUrl } = workflow.facts;
  const client = createClient(access, workflow);
  /** The address of a page of the repository, for people. */
  const pageUrl = (path: string) => `${serverUrl}/${repository}/${path}`;

  /** The first commits of a comparison. No page links to the next one, so they are counted. */
  async function oldestCommits(path: string, total: number) {
    const commits: Commit[] = [];
    for (let page = 1; commits.length < Math.min(total, MAX_COMPARED_COMMITS); page += 1) {
      const query = { per_page: COMMITS_OF_A_PAGE, page };
      const more = await client.ask(COMPARING, z.object({ commits: commitsSchema }), path, query);
      if (more.commits.length === 0) break;
      commits.push(...more.commits);
    }
    return commits;
  }

  return {
    /** Throws a `GitHubError` when the file that the runner names cannot be read. */
    get event() {
      return workflow.event;
    },
    // https://docs.github.com/rest/commits/commits#compare-two-commits
    async compare(base: string, head: string) {
      const path = apiPath`/compare/${`${base}...${head}`}`;
      const data = await client.ask(COMPARING, comparisonSchema, path);
      const { total_commits: totalCommits } = data;
      const isWhole = totalCommits <= COMMITS_WITHOUT_PAGES;
      const all = isWhole ? data.commits : await oldestCommits(path, totalCommits);
      const commits: readonly Commit[] = all.slice(0, MAX_COMPARED_COMMITS);
      const files: readonly ChangedFile[] = data.files.slice(0, MAX_COMPARED_FILES);
      return {
        // Gitea's comparisons have no status, and no common commit.
        status: data.status ?? (totalCommits > 0 ? 'ahead' : 'identical'),
        url: data.html_url ?? pageUrl(`compare/${base}...${head}`),
        /** The last commit that both ends have: where the list of commits and files starts. */
        mergeBase: data.merge_base_commit?.sha ?? base,
        totalCommits,
        /** Oldest first. */
        commits,
        files,
      };
    },
    // https://docs.github.com/rest/pulls/pulls#list-pull-requests-files
    // https://docs.github.com/rest/pulls/pulls#list-commits-on-a-pull-request
    // Its own files and commits, whatever happened to its base: at most 3,000 files and 250 commits,
    // oldest first. `url` is the page of its files.
    async pullRequest(number: number) {
      const what = `Reading pull request ${number}`;
      const files = await client.list(what, z.array(fileSchema), apiPath`/pulls/${number}/files`);
      const commits = await client.list(what, commitsSchema, apiPath`/pulls/${number}/commits`);
      return { url: pageUrl(`pull/${number}/files`), commits, files };
    },
    // https://docs.github.com/rest/actions/workflow-runs#get-a-workflow-run
    run: (id: number) =>
      client.ask('Reading the workflow run', runSchema, apiPath`/actions/runs/${id}`),
    // https://docs.github.com/rest/actions/workflow-runs#list-workflow-runs-for-a-workflow
    /** Those of any status, newest first. */
    runs(id: number, branch: string) {
      const path = apiPath`/actions/workflows/${id}/runs`;
      return client.pages('Listing workflow runs', runsSchema, path, { branch });
    },
    // https://docs.github.com/rest/git/refs#list-matching-references
    /** The names of the tags with this beginning. There are no pages: all come in one response. */
    async tags(beginning: string): Promise<readonly string[]> {
      const segments = beginning.split('/').map((segment) => apiPath`${segment}`);
      const path = ['/git/matching-refs/tags', ...(beginning === '' ? [] : segments)].join('/');
      const refs = await client.ask('Listing tags', z.array(z.object({ ref: z.string() })), path);
      return refs.flatMap(({ ref }) => (ref.startsWith(TAGS) ? ref.slice(TAGS.length) : []));
    },
    /** Without drafts. https://docs.github.com/rest/releases/releases#list-releases */
    async releases() {
      const all = await client.list('Listing releases', releasesSchema, '/releases');
      return all.filter(({ draft }) => !draft);
    },
    // https://docs.github.com/rest/actions/workflow-jobs#list-jobs-for-a-workflow-run
    /** Those of every attempt. */
    workflowJobs(runId: number) {
      const path = apiPath`/actions/runs/${runId}/jobs`;
      return client.list('Listing the workflow jobs', workflowJobsSchema, path, { filter: 'all' });
    },
    // https://docs.github.com/rest/actions/workflow-jobs#get-a-job-for-a-workflow-run
    workflowJob: (id: number) =>
      client.ask('Reading the workflow job', workflowJobSchema, apiPath`/actions/jobs/${id}`),
    /** Whether GitHub shows it. https://docs.github.com/rest/commits/commits#get-a-commit */
    async hasCommit(sha: string) {
      const read = () => client.ask('Reading a commit', shaSchema, apiPath`/commits/${sha}`);
      return (await unlessNotFound(read)) !== undefined;
    },
    // https://docs.github.com/rest/git/trees#get-a-tree
    tree: (sha: string) =>
      client.ask('Reading a tree', treeSchema, apiPath`/git/trees/${sha}`, { recursive: 1 }),
    // https://docs.github.com/rest/checks/runs#list-check-run-annotations
    annotations(checkRunId: number) {
      const path = apiPath`/check-runs/${checkRunId}/annotations`;
      return client.list('Listing annotations', annotationsSchema, path);
    },
  };
}

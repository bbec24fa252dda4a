import * as z from 'zod/mini';
import { unlessNotFound } from '../lib/errors.ts';
import { apiPath, createClient } from './client.ts';
import type { Workflow } from './context.ts';
import {
  type Commit,
  type GitHub,
  type GitHubAccess,
  MAX_COMPARED_COMMITS,
  MAX_COMPARED_FILES,
} from './github.ts';

/** A text that GitHub may leave out or give as null. */
const textOr = <F extends string | undefined>(fallback: F) => {
  const filled = z.transform((text: string | null | undefined) => text ?? fallback);
  return z.pipe(z.nullish(z.string()), filled);
};

const fileSchema = z.object({
  filename: z.string(),
  previous_filename: textOr(undefined),
  status: z.string(),
  additions: z.number(),
  deletions: z.number(),
  patch: textOr(undefined),
});

const messageSchema = z.object({ message: z.string() });
const commitSchema = z.object({ sha: z.string(), commit: messageSchema });
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
  type: z.string(),
  sha: z.nullish(z.string()),
});
const treeSchema = z.object({ tree: z.array(treeEntrySchema), truncated: z.boolean() });

const pullSchema = z.object({ state: z.string(), merged: z.boolean(), head: shaSchema });

const releasesSchema = z.array(
  z.object({ tag_name: z.string(), draft: z.boolean(), prerelease: z.boolean() }),
);

const runSchema = z.object({
  id: z.number(),
  workflow_id: z.number(),
  run_number: z.number(),
  status: textOr(undefined),
  head_branch: textOr(undefined),
  head_repository: z.nullish(z.object({ full_name: z.string() })),
});
const runsSchema = z.pipe(
  z.object({ total_count: z.number(), workflow_runs: z.array(runSchema) }),
  z.transform(({ total_count: total, workflow_runs: runs }) => ({ total, runs })),
);

const workflowJobSchema = z.object({
  id: z.number(),
  run_id: z.optional(z.number()),
  name: z.string(),
  run_attempt: z.number(),
  status: z.string(),
  conclusion: textOr(undefined),
  completed_at: textOr(undefined),
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
export function createGitHub(access: GitHubAccess, workflow: Workflow): GitHub {
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
    get event() {
      return workflow.event;
    },
    async compare(base, head) {
      const path = apiPath`/compare/${`${base}...${head}`}`;
      const data = await client.ask(COMPARING, comparisonSchema, path);
      const { total_commits: totalCommits } = data;
      const isWhole = totalCommits <= COMMITS_WITHOUT_PAGES;
      const commits = isWhole ? data.commits : await oldestCommits(path, totalCommits);
      return {
        // Gitea's comparisons have no status, and no common commit.
        status: data.status ?? (totalCommits > 0 ? 'ahead' : 'identical'),
        url: data.html_url ?? pageUrl(`compare/${base}...${head}`),
        mergeBase: data.merge_base_commit?.sha ?? base,
        totalCommits,
        commits: commits.slice(0, MAX_COMPARED_COMMITS),
        files: data.files.slice(0, MAX_COMPARED_FILES),
      };
    },
    async pullRequest(number) {
      const what = `Reading pull request ${number}`;
      const files = await client.list(what, z.array(fileSchema), apiPath`/pulls/${number}/files`);
      const commits = await client.list(what, commitsSchema, apiPath`/pulls/${number}/commits`);
      return { url: pageUrl(`pull/${number}/files`), commits, files };
    },
    pull: (inRepository, number) =>
      client.askAbout(
        inRepository,
        `Reading pull request ${number}`,
        pullSchema,
        apiPath`/pulls/${number}`,
      ),
    run: (id) => client.ask('Reading the workflow run', runSchema, apiPath`/actions/runs/${id}`),
    runs(id, branch) {
      const path = apiPath`/actions/workflows/${id}/runs`;
      return client.pages('Listing workflow runs', runsSchema, path, { branch });
    },
    async tags(beginning) {
      const segments = beginning.split('/').map((segment) => apiPath`${segment}`);
      const path = ['/git/matching-refs/tags', ...(beginning === '' ? [] : segments)].join('/');
      // There are no pages: all come in one response.
      const refs = await client.ask('Listing tags', z.array(z.object({ ref: z.string() })), path);
      return refs.flatMap(({ ref }) => (ref.startsWith(TAGS) ? ref.slice(TAGS.length) : []));
    },
    async releases() {
      const all = await client.list('Listing releases', releasesSchema, '/releases');
      return all.filter(({ draft }) => !draft);
    },
    workflowJobs(runId) {
      const path = apiPath`/actions/runs/${runId}/jobs`;
      return client.list('Listing the workflow jobs', workflowJobsSchema, path, { filter: 'all' });
    },
    workflowJob: (id) =>
      client.ask('Reading the workflow job', workflowJobSchema, apiPath`/actions/jobs/${id}`),
    async hasCommit(sha) {
      const read = () => client.ask('Reading a commit', shaSchema, apiPath`/commits/${sha}`);
      return (await unlessNotFound(read)) !== undefined;
    },
    tree: (sha) =>
      client.ask('Reading a tree', treeSchema, apiPath`/git/trees/${sha}`, { recursive: 1 }),
    annotations(checkRunId) {
      const path = apiPath`/check-runs/${checkRunId}/annotations`;
      return client.list('Listing annotations', annotationsSchema, path);
    },
  };
}

import * as z from 'zod/mini';
import { GitHubError, isNotFound, unlessNotFound } from '../model/errors.ts';
import { apiPath, createClient, repositoryQuery } from './client.ts';
import type { Workflow } from './context.ts';
import {
  type ChangedFile,
  type Commit,
  type GitHub,
  type GitHubAccess,
  MAX_COMPARED_COMMITS,
  MAX_COMPARED_FILES,
  type Tree,
  type TreeEntry,
} from './github.ts';
import { pullsBehind } from './pulls-behind.ts';

/** A text that GitHub may leave out or give as null. */
const textOr = <F extends string | undefined>(fallback: F) => {
  const filled = z.transform((text: string | null | undefined) => text ?? fallback);
  return z.pipe(z.nullish(z.string()), filled);
};

const fileSchema = z.object({
  filename: z.string(),
  previous_filename: textOr(undefined),
  status: z.string(),
  sha: textOr(undefined),
  additions: z.number(),
  deletions: z.number(),
  patch: textOr(undefined),
});

const shaSchema = z.object({ sha: z.string() });
const commitSchema = z.object({
  sha: z.string(),
  parents: z.nullish(z.array(shaSchema)),
  commit: z.object({ message: z.string(), author: z.nullish(z.object({ name: z.string() })) }),
  // An account that was deleted is null, and one that GitHub does not know an empty object.
  author: z.nullish(z.object({ login: z.optional(z.string()), type: z.optional(z.string()) })),
});
const commitsSchema = z.array(commitSchema);
const commitParentsSchema = z.object({ parents: z.optional(z.array(shaSchema)) });
const moreCommitsSchema = z.object({ commits: commitsSchema });
const mergeBaseSchema = z.object({ merge_base_commit: z.nullish(shaSchema) });
const comparisonSchema = z.object({
  status: z.optional(z.enum(['ahead', 'behind', 'identical', 'diverged'])),
  html_url: z.optional(z.string()),
  merge_base_commit: z.nullish(shaSchema),
  total_commits: z.number(),
  commits: commitsSchema,
  files: z.array(fileSchema),
});

/** Written out, because 100,000 copies of entries would take much time and memory. */
const entriesSchema = z.pipe(
  z.custom<readonly unknown[]>(Array.isArray),
  z.transform((list, { issues }) => {
    const entries = new Map<string, TreeEntry>();
    for (const [index, entry] of list.entries()) {
      if (!isTreeEntry(entry)) {
        issues.push({ code: 'custom', input: entry, path: [index] });
        break;
      }
      const { path, mode, type, sha, size } = entry;
      if (type !== 'tree')
        entries.set(path, { mode, type, sha: sha ?? undefined, size: size ?? 0 });
    }
    return entries;
  }),
);
const treeSchema = z.pipe(
  z.object({ tree: entriesSchema, truncated: z.boolean() }),
  z.transform(({ tree: entries, truncated }) => ({ entries, truncated })),
);

interface GivenTreeEntry {
  readonly path: string;
  readonly mode: string;
  readonly type: string;
  readonly sha?: string | null;
  readonly size?: number | null;
}

function isTreeEntry(value: unknown): value is GivenTreeEntry {
  if (typeof value !== 'object' || value === null) return false;
  const { path, mode, type, sha, size }: Partial<Record<keyof GivenTreeEntry, unknown>> = value;
  const areTexts = [path, mode, type, sha ?? ''].every((text) => typeof text === 'string');
  return areTexts && typeof (size ?? 0) === 'number';
}

const pullSchema = z.object({
  state: z.string(),
  head: shaSchema,
  merged_at: textOr(undefined),
  closed_at: textOr(undefined),
  title: textOr(undefined),
  labels: z.optional(z.array(z.object({ name: z.string() }))),
});
/** At most this many pages of a docs pull request are shown. */
const PAGES_SHOWN = 20;
const pageSchema = z.object({
  filename: z.string(),
  additions: z.number(),
  deletions: z.number(),
});
const pullCommitsSchema = z.array(
  z.object({
    sha: z.string(),
    parents: z.array(shaSchema),
    commit: z.object({ author: z.nullish(z.object({ email: z.optional(z.string()) })) }),
    author: z.nullish(z.object({ login: z.optional(z.string()) })),
  }),
);

const releasesSchema = z.array(
  z.object({ tag_name: z.string(), draft: z.boolean(), prerelease: z.boolean() }),
);

const runSchema = z.object({
  id: z.number(),
  workflow_id: z.number(),
  run_number: z.number(),
  status: textOr(undefined),
  head_branch: textOr(undefined),
  head_sha: textOr(undefined),
  head_repository: z.nullish(z.object({ full_name: z.string() })),
});
const runsSchema = z.pipe(
  // Other engines may leave the count out.
  z.object({ total_count: z.optional(z.number()), workflow_runs: z.array(runSchema) }),
  z.transform(({ total_count: total = 0, workflow_runs: runs }) => ({ total, runs })),
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

const annotationSchema = z.pipe(
  z.object({ annotation_level: textOr(''), title: textOr(''), message: textOr('') }),
  z.transform(({ annotation_level: level, ...texts }) => ({ level, ...texts })),
);
const annotationsSchema = z.array(annotationSchema);

const blobSchema = z.object({
  text: textOr(undefined),
  isBinary: z.nullish(z.boolean()),
  isTruncated: z.boolean(),
});
const blobsSchema = z.object({ data: z.nullish(z.object({ repository: z.unknown() })) });

const COMMITS_OF_A_PAGE = 100;
const COMPARING = 'Comparing commits';
const TAGS = 'refs/tags/';

/** GitHub's REST API, as far as the action reads it. Throws what {@link createClient} throws. */
export function createGitHub(access: GitHubAccess, workflow: Workflow): GitHub {
  const { repository, serverUrl } = workflow.facts;
  const client = createClient(access, workflow);
  /** They are large, and needed twice: for the list of files and for patches. */
  const trees = new Map<string, Promise<Tree>>();
  /** The address of a page of the repository, for people. */
  const pageUrl = (path: string) => `${serverUrl}/${repository}/${path}`;

  return {
    get event() {
      return workflow.event;
    },
    async mergeBase(base, head) {
      const path = apiPath`/compare/${`${base}...${head}`}`;
      // A later page has no files.
      const query = { per_page: 1, page: 2 };
      const data = await client.ask(COMPARING, mergeBaseSchema, path, query);
      return data.merge_base_commit?.sha ?? base;
    },
    async compare(base, head) {
      const path = apiPath`/compare/${`${base}...${head}`}`;
      // Without pages GitHub lists the newest commits, in pages the oldest first. Only the first page
      // has the files, and none links to the next one.
      const page = (number: number) => ({ per_page: COMMITS_OF_A_PAGE, page: number });
      const data = await client.ask(COMPARING, comparisonSchema, path, page(1));
      const { total_commits: totalCommits } = data;
      // Of more than are read, the oldest are left out.
      const leftOut = Math.ceil(
        Math.max(0, totalCommits - MAX_COMPARED_COMMITS) / COMMITS_OF_A_PAGE,
      );
      const wanted = totalCommits - leftOut * COMMITS_OF_A_PAGE;
      const commits: Commit[] = leftOut === 0 ? [...data.commits] : [];
      const next = leftOut === 0 ? 2 : leftOut + 1;
      for (let number = next; data.commits.length > 0 && commits.length < wanted; number += 1) {
        const more = await client.ask(COMPARING, moreCommitsSchema, path, page(number));
        // Other engines have no pages, and give the first one again.
        if (more.commits.length === 0 || more.commits[0]?.sha === data.commits[0]?.sha) break;
        commits.push(...more.commits);
      }
      return {
        // Gitea's comparisons have no status, and no common commit.
        status: data.status ?? (totalCommits > 0 ? 'ahead' : 'identical'),
        url: data.html_url ?? pageUrl(`compare/${base}...${head}`),
        mergeBase: data.merge_base_commit?.sha ?? base,
        totalCommits,
        commits: (commits.length > 0 ? commits : data.commits).slice(-MAX_COMPARED_COMMITS),
        files: markUncounted(data.files.slice(0, MAX_COMPARED_FILES)),
      };
    },
    async pullRequest(number) {
      const what = `Reading pull request ${number}`;
      const pages = client.pages(what, z.array(fileSchema), apiPath`/pulls/${number}/files`);
      const files: ChangedFile[] = [];
      for await (const page of pages) files.push(...markUncounted(page));
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
    pullCommits: (inRepository, number) =>
      client.listAbout(
        inRepository,
        `Reading the commits of pull request ${number}`,
        pullCommitsSchema,
        apiPath`/pulls/${number}/commits`,
      ),
    async pullPages(inRepository, number, limitMs) {
      const what = `Reading pull request ${number}`;
      const options = { giveUpAt: access.clock.now() + limitMs };
      const path = apiPath`/pulls/${number}`;
      const pull = await client.askAbout(inRepository, what, pullSchema, path, {}, options);
      const query = { per_page: PAGES_SHOWN + 1 };
      const schema = z.array(pageSchema);
      const files = await client.askAbout(
        inRepository,
        what,
        schema,
        `${path}/files`,
        query,
        options,
      );
      const hasMore = files.length > PAGES_SHOWN;
      return { title: pull.title ?? '', files: files.slice(0, PAGES_SHOWN), hasMore };
    },
    pullsBehind: (commits) => pullsBehind(client.query, repository ?? '', commits),
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
    async parentsOf(sha) {
      const read = () =>
        client.ask('Reading a commit', commitParentsSchema, apiPath`/commits/${sha}`);
      const commit = await unlessNotFound(read);
      return commit && (commit.parents ?? []).map((parent) => parent.sha);
    },
    tree(sha) {
      const path = apiPath`/git/trees/${sha}`;
      const kept = trees.get(sha);
      // Not kept any longer: two trees may take 60 MB.
      if (trees.delete(sha) && kept !== undefined) return kept;
      const tree = client.ask('Reading a tree', treeSchema, path, { recursive: 1 });
      trees.set(sha, tree);
      return tree;
    },
    async blobs(ids) {
      const fields = ids
        .filter((id) => OBJECT_ID.test(id))
        .map((id) => `_${id}: object(oid: "${id}") { ... on Blob { text isBinary isTruncated } }`);
      const request = repositoryQuery(repository ?? '', fields);
      const response = await client
        .query('Reading files', blobsSchema, request)
        .catch((error: unknown) => {
          const isRefused = error instanceof GitHubError && error.kind === 'forbidden';
          if (!isRefused && !isNotFound(error)) throw error;
        });
      const blobs = response?.data?.repository;
      if (typeof blobs !== 'object' || blobs === null) return undefined;
      const found = Object.entries(blobs).flatMap(([field, value]) => {
        // An object that is no file has no fields, and one that GitHub does not have is null.
        const { data } = blobSchema.safeParse(value);
        if (data === undefined) return [];
        const isBinary = data.isBinary === true;
        const text = isBinary || data.isTruncated ? undefined : data.text;
        return [[field.slice(1), { text, isBinary }] as const];
      });
      return new Map(found);
    },
    annotations(checkRunId) {
      const path = apiPath`/check-runs/${checkRunId}/annotations`;
      return client.list('Listing annotations', annotationsSchema, path);
    },
  };
}

const OBJECT_ID = /^(?:[\da-f]{40}|[\da-f]{64})$/;

/**
 * GitHub stops giving counts and patches at about 20,000 lines or 1 MB of patches in a response, and
 * then gives zeros. From this many on, a zero may be such a one.
 */
const MANY_LINES = 10_000;
const MANY_BYTES = 500_000;

function markUncounted(files: readonly ChangedFile[]): readonly ChangedFile[] {
  const sum = (of: (file: ChangedFile) => number) => files.reduce((all, file) => all + of(file), 0);
  const lines = sum(({ additions, deletions }) => additions + deletions);
  if (lines < MANY_LINES && sum(({ patch = '' }) => patch.length) < MANY_BYTES) return files;
  return files.map((file) => {
    const isCounted = file.patch !== undefined || file.additions + file.deletions > 0;
    return isCounted ? file : { ...file, isUncounted: true };
  });
}

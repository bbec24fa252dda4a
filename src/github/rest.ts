import * as z from 'zod/mini';
import { timeIn } from '../text/duration.ts';
import { apiPath, createClient, repositoryQuery } from './client.ts';
import { GitHubError, isHidden, unlessNotFound } from './errors.ts';
import {
  type ChangedFile,
  type Commit,
  type GitHub,
  type GitHubAccess,
  MAX_COMPARED_COMMITS,
  MAX_COMPARED_FILES,
} from './github.ts';
import { pullsBehind } from './pulls-behind.ts';
import {
  annotationsSchema,
  blobSchema,
  commitEndSchema,
  commitsSchema,
  comparisonEndsSchema,
  comparisonPageSchema,
  comparisonSchema,
  fileSchema,
  pagesSchema,
  pullSchema,
  refsSchema,
  releaseSchema,
  repositorySchema,
  runSchema,
  runsSchema,
  tagObjectSchema,
  treeSchema,
  workflowJobSchema,
  workflowJobsSchema,
} from './shapes.ts';
import type { Workflow } from './workflow.ts';

/** How many pages of a docs pull request to show. */
const PAGES_SHOWN = 20;
const COMMITS_OF_A_PAGE = 100;
const COMPARING = 'Comparing commits';
const comparisonPath = (base: string, head: string) => apiPath`/compare/${`${base}...${head}`}`;
const readingPull = (number: number) => `Reading pull request ${number}`;
const TAGS = 'refs/tags/';
/** A tag can point to another tag. */
const MAX_NESTED_TAGS = 5;

/** Reads GitHub's REST API. Throws what {@link createClient} throws. */
export function createGitHub(access: GitHubAccess, workflow: Workflow): GitHub {
  const { repository, serverUrl } = workflow.facts;
  const client = createClient(access, workflow);
  const { askAbout } = client;
  /** The URL of a web page of the repository. */
  const pageUrl = (path: string) => `${serverUrl}/${repository}/${path}`;
  type Limit = Partial<ReturnType<typeof giveUpAfter>>;
  const giveUpAfter = (limitMs: number) => ({ giveUpAt: access.clock.now() + limitMs });

  function readPull(inRepository: string, number: number, options: Limit = {}) {
    const what = readingPull(number);
    return askAbout(inRepository, what, pullSchema, apiPath`/pulls/${number}`, {}, options);
  }

  /** Compares two commits without reading files, which only the first page has. */
  function compareEnds(inRepository: string, base: string, head: string, options: Limit = {}) {
    const path = comparisonPath(base, head);
    const query = { per_page: 1, page: 2 };
    return askAbout(inRepository, COMPARING, comparisonEndsSchema, path, query, options);
  }

  /** Like `blobs`, but splits a request whose response is too large. */
  async function readBlobs(names: readonly string[]): ReturnType<GitHub['blobs']> {
    const fields = names.map(
      (name, n) =>
        `b${n}: object(expression: ${JSON.stringify(name.toWellFormed())}) { ... on Blob { text isBinary isTruncated } }`,
    );
    const request = repositoryQuery(repository ?? '', fields);
    try {
      const response = await client.query('Reading files', repositorySchema, request);
      const blobs = response?.data?.repository;
      return blobs ? names.map((_, n) => blobSchema.safeParse(blobs[`b${n}`]).data) : undefined;
    } catch (error) {
      if (!(error instanceof GitHubError)) throw error;
      if (isHidden(error)) return undefined;
      if (error.kind !== 'too-large') throw error;
    }
    if (names.length < 2) return names.map(() => undefined);
    const half = Math.ceil(names.length / 2);
    const first = await readBlobs(names.slice(0, half));
    const second = await readBlobs(names.slice(half));
    return first && second && [...first, ...second];
  }

  return {
    get event() {
      return workflow.event;
    },
    async mergeBase(base, head) {
      const { merge_base_commit: common } = await compareEnds(repository ?? '', base, head);
      return common?.sha ?? base;
    },
    async compare(base, head) {
      const path = comparisonPath(base, head);
      // Without pages, GitHub lists the newest commits. With pages, it lists the oldest first. Only
      // the first page has the files, and none links to the next one.
      const page = (number: number) => ({ per_page: COMMITS_OF_A_PAGE, page: number });
      const data = await client.ask(COMPARING, comparisonSchema, path, page(1));
      const { total_commits: totalCommits } = data;
      // Skip the oldest commits beyond the limit.
      const leftOut = Math.ceil(
        Math.max(0, totalCommits - MAX_COMPARED_COMMITS) / COMMITS_OF_A_PAGE,
      );
      const wanted = totalCommits - leftOut * COMMITS_OF_A_PAGE;
      const commits: Commit[] = leftOut === 0 ? [...data.commits] : [];
      const next = leftOut === 0 ? 2 : leftOut + 1;
      for (let number = next; data.commits.length > 0 && commits.length < wanted; number += 1) {
        const more = await client.ask(COMPARING, comparisonPageSchema, path, page(number));
        // Other engines have no pages, and return the first one again.
        if (more.commits.length === 0 || more.commits[0]?.sha === data.commits[0]?.sha) break;
        commits.push(...more.commits);
      }
      return {
        // Gitea's comparisons have no status and no common commit.
        status: data.status ?? (totalCommits > 0 ? 'ahead' : 'identical'),
        url: data.html_url ?? pageUrl(`compare/${base}...${head}`),
        mergeBase: data.merge_base_commit?.sha ?? base,
        baseTree: data.merge_base_commit?.commit?.tree?.sha,
        totalCommits,
        commits: (commits.length > 0 ? commits : data.commits).slice(-MAX_COMPARED_COMMITS),
        files: data.files.slice(0, MAX_COMPARED_FILES),
      };
    },
    async pullRequest(number) {
      const what = readingPull(number);
      const pages = client.pages(what, z.array(fileSchema), apiPath`/pulls/${number}/files`);
      const files: ChangedFile[] = [];
      for await (const page of pages) files.push(...page);
      const commits = await client.list(what, commitsSchema, apiPath`/pulls/${number}/commits`);
      return { commits, files };
    },
    filesPage: (number) => pageUrl(`pull/${number}/files`),
    pull: (inRepository, number) => readPull(inRepository, number),
    async compareStatus(inRepository, base, head, limitMs) {
      const options = limitMs === undefined ? {} : giveUpAfter(limitMs);
      return (await compareEnds(inRepository, base, head, options)).status;
    },
    async docsPull(inRepository, number, limitMs) {
      const options = giveUpAfter(limitMs);
      const pull = await readPull(inRepository, number, options);
      const { state, title = '', head, created_at: created = '' } = pull;
      const path = apiPath`/pulls/${number}/files`;
      const query = { per_page: PAGES_SHOWN + 1 };
      const read = askAbout(inRepository, readingPull(number), pagesSchema, path, query, options);
      const files = await read.catch(() => []);
      return {
        isOpen: state === 'open',
        title,
        branch: head.ref ?? '',
        createdMs: timeIn(created),
        files: files.slice(0, PAGES_SHOWN),
        hasMore: files.length > PAGES_SHOWN,
      };
    },
    pullsBehind: (commits) => pullsBehind(client.query, repository ?? '', commits),
    run: (id) => client.ask('Reading the workflow run', runSchema, apiPath`/actions/runs/${id}`),
    runs(id, branch) {
      const path = apiPath`/actions/workflows/${id}/runs`;
      const query = branch === undefined ? {} : { branch };
      return client.pages('Listing workflow runs', runsSchema, path, query);
    },
    async tags(beginning) {
      const segments = beginning.split('/').map((segment) => apiPath`${segment}`);
      const path = ['/git/matching-refs/tags', ...(beginning === '' ? [] : segments)].join('/');
      // This list has no pages: one response has all tags.
      const refs = await client.ask('Listing tags', refsSchema, path);
      return refs.flatMap(({ ref }) => (ref.startsWith(TAGS) ? ref.slice(TAGS.length) : []));
    },
    async releases() {
      const all = await client.list('Listing releases', z.array(releaseSchema), '/releases');
      return all.filter(({ draft }) => !draft);
    },
    workflowJobs(runId) {
      const path = apiPath`/actions/runs/${runId}/jobs`;
      return client.list('Listing the workflow jobs', workflowJobsSchema, path, { filter: 'all' });
    },
    workflowJob: (id) =>
      client.ask('Reading the workflow job', workflowJobSchema, apiPath`/actions/jobs/${id}`),
    async commit(ref) {
      // A URL treats these as path steps. Git allows no such name.
      if (['', '.', '..'].includes(ref)) return undefined;
      const path = apiPath`/commits/${ref}`;
      // A page holds the commit's files with their patches, so ask for only one.
      const read = () => client.ask('Reading a commit', commitEndSchema, path, { per_page: 1 });
      return unlessNotFound(read);
    },
    async commitOfTag(sha) {
      let object = { sha, type: 'tag' };
      for (let tags = 0; object.type === 'tag' && tags < MAX_NESTED_TAGS; tags += 1) {
        const path = apiPath`/git/tags/${object.sha}`;
        const read = () => client.ask('Reading a tag', tagObjectSchema, path);
        const tag = await unlessNotFound(read);
        if (tag === undefined) return undefined;
        object = tag.object;
      }
      return object.type === 'commit' ? object.sha : undefined;
    },
    tree(sha) {
      const path = apiPath`/git/trees/${sha}`;
      return client.ask('Reading a tree', treeSchema, path, { recursive: 1 });
    },
    blobs: readBlobs,
    annotations(checkRunId) {
      const path = apiPath`/check-runs/${checkRunId}/annotations`;
      return client.list('Listing annotations', annotationsSchema, path);
    },
  };
}

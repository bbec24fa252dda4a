/**
 * A fake of the parts of GitHub's REST API that the action reads, on a small history of commits.
 * Answers have the shape that GitHub's documentation shows.
 */
import { once } from 'node:events';
import http from 'node:http';
import https from 'node:https';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

export interface FakeFile {
  readonly filename: string;
  readonly previous_filename?: string;
  readonly status?: string;
  readonly sha?: string;
  readonly additions?: number;
  readonly deletions?: number;
  readonly patch?: string;
}

export interface FakeCommit {
  readonly sha: string;
  readonly parents: readonly string[];
  readonly message?: string;
  readonly files?: readonly FakeFile[];
}

export interface FakeRun {
  readonly id: number;
  readonly run_number: number;
  readonly head_sha: string;
  readonly head_branch?: string;
  readonly event?: string;
  readonly conclusion?: string;
  /** `completed` by default, or `in_progress` when that is the conclusion. */
  readonly status?: string;
  readonly workflow_id?: number;
  readonly head_repository?: { readonly full_name: string } | null;
}

export interface FakeJob {
  readonly id: number;
  readonly name: string;
  readonly run_id?: number;
  readonly run_attempt: number;
  readonly status: string;
  readonly runner_name: string | null;
  readonly conclusion?: string;
  readonly completed_at?: string;
}

export interface FakeAnnotation {
  readonly annotation_level: string;
  readonly title: string | null;
  readonly message: string | null;
}

export interface FakeTree {
  readonly tree: readonly {
    readonly path: string;
    readonly mode: string;
    readonly type: string;
    readonly sha?: string | null;
    readonly size?: number;
  }[];
  readonly truncated: boolean;
}

export interface FakePull {
  readonly files: readonly FakeFile[];
  readonly commits: readonly FakeCommit[];
}

export interface FakePullState {
  readonly state: string;
  readonly merged: boolean;
  readonly head: { readonly sha: string };
}

/** A comparison as GitHub's API returns it, without the links. */
export interface ComparisonBody {
  readonly status: string;
  readonly merge_base_commit?: { readonly sha: string };
  readonly total_commits: number;
  readonly commits: readonly {
    readonly sha: string;
    readonly commit: { readonly message: string; readonly author?: { readonly name: string } };
  }[];
  readonly files: readonly FakeFile[];
}

export interface GitBackend {
  /** `undefined` when one of the two does not exist. */
  compare(base: string, head: string): ComparisonBody | undefined;
  /** The full names of the refs that begin with `refs/` and this text, with what they point to. */
  matchingRefs(beginning: string): readonly { readonly ref: string; readonly sha: string }[];
  hasCommit?(sha: string): boolean;
  tree?(sha: string): FakeTree;
  blob?(id: string): Buffer | undefined;
}

export interface GitHubOptions {
  readonly commits: readonly FakeCommit[];
  /** Branches and tags. */
  readonly refs?: Readonly<Record<string, string>>;
  readonly tags?: readonly { readonly name: string; readonly sha: string }[];
  readonly releases?: readonly {
    readonly tag_name: string;
    readonly published_at: string | null;
    readonly draft?: boolean;
    readonly prerelease?: boolean;
  }[];
  readonly runs?: readonly FakeRun[];
  /** The workflow jobs of every run, in all attempts. */
  readonly jobs?: readonly FakeJob[];
  /** By the id of their check run, which is the workflow job's id. */
  readonly annotations?: Readonly<Record<number, readonly FakeAnnotation[]>>;
  /** The files and commits of pull requests, by number. */
  readonly pulls?: Readonly<Record<number, FakePull>>;
  /** The state of pull requests in any repository, by `owner/name#1`. */
  readonly pullStates?: Readonly<Record<string, FakePullState>>;
  /** The files of commits, by object id. */
  readonly trees?: Readonly<Record<string, FakeTree>>;
  /** The contents of files by their object ids. Without it there is no GraphQL API. */
  readonly blobs?: Readonly<Record<string, string | Buffer>>;
  /** Answers comparisons and tags instead of `commits`, `refs` and `tags`. */
  readonly git?: GitBackend;
  /** Answers some paths itself, never answers them, or closes their connection. */
  readonly fail?: (path: string) => Failure | 'silence' | 'close' | undefined;
  readonly tls?: { readonly key: string; readonly cert: string };
}

export interface Failure {
  readonly status: number;
  readonly body?: unknown;
  readonly headers?: http.OutgoingHttpHeaders;
}

export const REPOSITORY = 'acme/app';
const MAX_COMMITS = 250;
const MAX_FILES = 300;
const MAX_PULL_FILES = 3_000;
const MAX_BLOB_BYTES = 512_000;
const GRAPHQL = '/graphql';

export class GitHubService {
  readonly requests: string[] = [];
  readonly authorizations = new Set<string | undefined>();
  readonly #server: http.Server;
  readonly #options: GitHubOptions;
  readonly #commits: ReadonlyMap<string, FakeCommit>;

  private constructor(options: GitHubOptions) {
    this.#options = options;
    this.#commits = new Map(options.commits.map((commit) => [commit.sha, commit]));
    const listener: http.RequestListener = (request, response) => {
      const url = decodeURIComponent(request.url ?? '');
      this.requests.push(url);
      this.authorizations.add(request.headers.authorization);
      const failure = this.#options.fail?.(url);
      if (failure === 'silence') return;
      if (failure === 'close') {
        request.socket.destroy();
        return;
      }
      const send = ({ status, body, headers }: Failure) => {
        const type = { 'content-type': 'application/json; charset=utf-8' };
        response.writeHead(status, { ...type, ...headers });
        response.end(typeof body === 'string' ? body : JSON.stringify(body));
      };
      if (failure !== undefined) send({ body: { message: 'told to fail' }, ...failure });
      else if (request.method === 'POST' && url === GRAPHQL) {
        void text(request).then((query) => send(this.#blobs(query)));
      } else send(this.#answer(request.url ?? ''));
    };
    this.#server =
      options.tls === undefined
        ? http.createServer(listener)
        : https.createServer(options.tls, listener);
  }

  static async start(options: GitHubOptions): Promise<GitHubService> {
    const service = new GitHubService(options);
    service.#server.listen(0, '127.0.0.1');
    await once(service.#server, 'listening');
    return service;
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  /** For `GITHUB_API_URL`. */
  get url(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  /** For `GITHUB_GRAPHQL_URL`. */
  get graphqlUrl(): string {
    return `http://127.0.0.1:${this.port}${GRAPHQL}`;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  #answer(url: string): Failure {
    const { pathname, searchParams } = new URL(url, 'http://github.test');
    const prefix = '/repos/';
    const [, name, number] = /^(.+)\/pulls\/(\d+)$/.exec(pathname.slice(prefix.length)) ?? [];
    if (number !== undefined) return found(this.#options.pullStates?.[`${name}#${number}`]);
    const base = `${prefix}${REPOSITORY}`;
    if (!pathname.startsWith(base)) return NOT_FOUND;
    const path = decodeURIComponent(pathname.slice(base.length));
    const page = Number(searchParams.get('page') ?? 1);
    const size = Number(searchParams.get('per_page') ?? 30);
    /** One page of a list, and the header that links to the next one. */
    const paged = <T>(
      items: readonly T[],
      bodyOf: (part: readonly T[]) => unknown = (part) => part,
    ): Failure => ({
      status: 200,
      body: bodyOf(items.slice((page - 1) * size, page * size)),
      headers: page * size < items.length ? { link: `<${this.url}>; rel="next"` } : {},
    });

    const [, from = '', to] = /^\/compare\/(.+?)\.\.\.(.+)$/.exec(path) ?? [];
    if (to !== undefined) {
      const isPaged = searchParams.has('page') || searchParams.has('per_page');
      return this.#compare(from, to, isPaged ? { page, size } : undefined);
    }
    const tree = /^\/git\/trees\/(.+)$/.exec(path)?.[1];
    if (tree !== undefined) {
      const { trees, git } = this.#options;
      return found(trees?.[tree] ?? git?.tree?.(tree) ?? this.#tree(tree));
    }
    const commit = /^\/commits\/(.+)$/.exec(path)?.[1];
    if (commit !== undefined) {
      const isOfGit = this.#options.git?.hasCommit?.(commit) === true;
      const known = isOfGit
        ? { sha: commit, parents: [] }
        : this.#commits.get(this.#resolve(commit));
      return known === undefined
        ? { status: 422, body: { message: `No commit found for SHA: ${commit}` } }
        : found(commitBody(known));
    }
    const job = /^\/actions\/jobs\/(\d+)$/.exec(path)?.[1];
    if (job !== undefined) {
      const known = this.#options.jobs?.find(({ id }) => id === Number(job));
      return found(known && jobBody(known));
    }
    const refs = /^\/git\/matching-refs\/(.+)$/.exec(path)?.[1];
    if (refs !== undefined) return found(this.#matchingRefs(refs));
    const pull = /^\/pulls\/(\d+)\/(files|commits)$/.exec(path);
    if (pull !== null) {
      const known = this.#options.pulls?.[Number(pull[1])];
      if (known === undefined) return NOT_FOUND;
      // https://docs.github.com/rest/pulls/pulls: at most 3,000 files and 250 commits.
      return pull[2] === 'files'
        ? paged(known.files.slice(0, MAX_PULL_FILES).map(fileBody))
        : paged(known.commits.slice(0, MAX_COMMITS).map(commitBody));
    }
    const jobs = /^\/actions\/runs\/(\d+)\/jobs$/.exec(path)?.[1];
    if (jobs !== undefined) {
      const ofRun = (this.#options.jobs ?? []).filter(
        ({ run_id = Number(jobs) }) => run_id === Number(jobs),
      );
      const newest = Math.max(...ofRun.map(({ run_attempt }) => run_attempt));
      const isAll = searchParams.get('filter') === 'all';
      const listed = ofRun
        .filter(({ run_attempt }) => isAll || run_attempt === newest)
        .map((job) => jobBody(job, Number(jobs)));
      return paged(listed, (part) => ({ total_count: listed.length, jobs: part }));
    }
    const checkRun = /^\/check-runs\/(\d+)\/annotations$/.exec(path)?.[1];
    if (checkRun !== undefined) return paged(this.#annotations(Number(checkRun)));
    const run = /^\/actions\/runs\/(\d+)$/.exec(path)?.[1];
    if (run !== undefined) {
      const known = this.#options.runs?.find(({ id }) => id === Number(run));
      return found(known && runBody(known));
    }
    if (/^\/actions\/workflows\/7\/runs$/.test(path)) {
      const runs = (this.#options.runs ?? [])
        .filter(({ head_branch = 'main' }) => head_branch === searchParams.get('branch'))
        .sort((a, b) => b.run_number - a.run_number)
        .map(runBody);
      // A filtered list ends at 1,000 results.
      const listed = runs.slice(0, 1_000);
      return paged(listed, (part) => ({ total_count: runs.length, workflow_runs: part }));
    }
    if (path === '/releases') {
      const usual = { draft: false, prerelease: false };
      return paged((this.#options.releases ?? []).map((release) => ({ ...usual, ...release })));
    }
    return NOT_FOUND;
  }

  /** The one query of the action. https://docs.github.com/graphql/reference/objects#blob */
  #blobs(request: string): Failure {
    const { blobs, git } = this.#options;
    if (blobs === undefined && git?.blob === undefined) return NOT_FOUND;
    const { query, variables } = JSON.parse(request);
    if (`${variables.owner}/${variables.name}` !== REPOSITORY) {
      return { status: 200, body: { data: { repository: null }, errors: [{ type: 'NOT_FOUND' }] } };
    }
    const fields = String(query).matchAll(/(\w+): object\(oid: "(\w+)"\)/g);
    const found = Array.from(fields, ([, alias = '', id = '']) => {
      const content = blobs?.[id] ?? git?.blob?.(id);
      if (content === undefined) return [alias, null] as const;
      const bytes = Buffer.from(content);
      const isBinary = bytes.subarray(0, 8_000).includes(0);
      const isTruncated = bytes.length > MAX_BLOB_BYTES;
      const shown = isBinary ? null : bytes.toString('utf8', 0, MAX_BLOB_BYTES);
      return [alias, { text: shown, isBinary, isTruncated }] as const;
    });
    return { status: 200, body: { data: { repository: Object.fromEntries(found) } } };
  }

  /** The runner sends them when the workflow job completes. */
  #annotations(id: number): readonly FakeAnnotation[] {
    const { jobs, annotations } = this.#options;
    const isOver = jobs?.find((job) => job.id === id)?.status === 'completed';
    return isOver ? (annotations?.[id] ?? []) : [];
  }

  /** GitHub gives them all in one answer, in the order of their names. */
  #matchingRefs(beginning: string) {
    const { git, tags = [] } = this.#options;
    const own = tags.map(({ name, sha }) => ({ ref: `refs/tags/${name}`, sha }));
    const refs = git?.matchingRefs(beginning) ?? own;
    return refs
      .filter(({ ref }) => ref.startsWith(`refs/${beginning}`))
      .sort((a, b) => (a.ref < b.ref ? -1 : 1))
      .map(({ ref, sha }) => ({ ref, object: { sha, type: 'commit' } }));
  }

  #resolve(ref: string): string {
    const tag = this.#options.tags?.find(({ name }) => name === ref)?.sha;
    return this.#options.refs?.[ref] ?? tag ?? ref;
  }

  /** A commit and those that lead to it, itself first. */
  #history(sha: string): readonly FakeCommit[] {
    const seen = new Map<string, FakeCommit>();
    const queue = [sha];
    for (const next of queue) {
      const commit = this.#commits.get(next);
      if (commit === undefined || seen.has(next)) continue;
      seen.set(next, commit);
      queue.push(...commit.parents);
    }
    return [...seen.values()];
  }

  /** What a commit and those before it leave behind. */
  #tree(sha: string): FakeTree | undefined {
    if (!this.#commits.has(sha)) return undefined;
    const entries = new Map<string, string>();
    for (const commit of this.#history(sha).toReversed()) {
      for (const { filename, previous_filename = '', status } of commit.files ?? []) {
        if (status === 'renamed') entries.delete(previous_filename);
        if (status === 'removed') entries.delete(filename);
        else entries.set(filename, commit.sha);
      }
    }
    const kind = { mode: '100644', type: 'blob' };
    const tree = Array.from(entries, ([path, id]) => ({ path, ...kind, sha: id }));
    return { tree, truncated: false };
  }

  /** Without pages the newest 250 commits are listed, with pages the oldest first. */
  #compare(
    baseRef: string,
    headRef: string,
    paging: { readonly page: number; readonly size: number } | undefined,
  ): Failure {
    const html_url = `https://github.com/${REPOSITORY}/compare/${baseRef}...${headRef}`;
    const body = this.#options.git?.compare(baseRef, headRef) ?? this.#comparison(baseRef, headRef);
    if (body === undefined) return NOT_FOUND;
    const { page, size } = paging ?? { page: 1, size: 0 };
    const commits =
      paging === undefined
        ? body.commits.slice(-MAX_COMMITS)
        : body.commits.slice((page - 1) * size, page * size);
    const files = page === 1 ? body.files.slice(0, MAX_FILES).map(fileBody) : [];
    return { status: 200, body: { html_url, ...body, commits, files } };
  }

  #comparison(baseRef: string, headRef: string): ComparisonBody | undefined {
    const [base, head] = [this.#resolve(baseRef), this.#resolve(headRef)];
    if (this.#options.git !== undefined) return undefined;
    if (!this.#commits.has(base) || !this.#commits.has(head)) return undefined;
    const reachable = new Set(this.#history(base).map(({ sha }) => sha));
    const ofHead = this.#history(head);
    const ahead = ofHead.filter(({ sha }) => !reachable.has(sha));
    const inHead = new Set(ofHead.map(({ sha }) => sha));
    const isBehind = [...reachable].some((sha) => !inHead.has(sha));
    const mergeBase = ofHead.find(({ sha }) => reachable.has(sha))?.sha ?? base;
    const commits = ahead.toReversed();
    const same = isBehind ? 'behind' : 'identical';
    const other = isBehind ? 'diverged' : 'ahead';
    return {
      status: ahead.length === 0 ? same : other,
      merge_base_commit: { sha: mergeBase },
      total_commits: ahead.length,
      commits: commits.map(commitBody),
      files: commits.flatMap(({ files = [] }) => files),
    };
  }
}

const NOT_FOUND = { status: 404, body: { message: 'Not Found' } };
const found = (body: unknown): Failure => (body === undefined ? NOT_FOUND : { status: 200, body });

const commitBody = ({ sha, message = `Change ${sha}` }: FakeCommit) => ({
  sha,
  commit: { message },
});

const fileBody = (file: FakeFile) => ({
  status: 'modified',
  additions: 1,
  deletions: 1,
  ...file,
});

function runBody({ head_branch = 'main', workflow_id = 7, ...run }: FakeRun) {
  const status = run.conclusion === 'in_progress' ? 'in_progress' : 'completed';
  return { status, head_repository: { full_name: REPOSITORY }, ...run, head_branch, workflow_id };
}

const jobBody = ({ run_id = 1, ...job }: FakeJob, runId = run_id) => ({ ...job, run_id: runId });

/** A line of commits `c1`, `c2`, …, each changing one file. */
export function line(
  count: number,
  file: (n: number) => string = (n) => `src/${n}.ts`,
): FakeCommit[] {
  return Array.from({ length: count }, (_, index) => ({
    sha: `c${index + 1}`,
    parents: index === 0 ? [] : [`c${index}`],
    message: `Subject ${index + 1}\n\nBody ${index + 1}`,
    files: [
      { filename: file(index + 1), patch: `@@ -1 +1 @@\n-old ${index + 1}\n+new ${index + 1}` },
    ],
  }));
}

/** What the runner passes to the action for a push of the commits after `before`, up to `sha`. */
export function onPush(apiUrl: string, before: string, sha: string) {
  return {
    event: { before },
    env: { GITHUB_EVENT_NAME: 'push', GITHUB_SHA: sha, GITHUB_API_URL: apiUrl },
  };
}

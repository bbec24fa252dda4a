/**
 * A fake of the parts of GitHub's REST API that the action reads, on a small history of commits.
 * Answers have the shape that GitHub's documentation shows.
 */
import { once } from 'node:events';
import http from 'node:http';
import https from 'node:https';
import type { AddressInfo } from 'node:net';

export interface FakeFile {
  readonly filename: string;
  readonly previous_filename?: string;
  readonly status?: string;
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
  readonly workflow_id?: number;
  readonly head_repository?: { readonly full_name: string } | null;
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
  }[];
  readonly runs?: readonly FakeRun[];
  /** Answers a path itself, or does not answer at all. */
  readonly fail?: (path: string) => Failure | 'silence' | undefined;
  readonly tls?: { readonly key: string; readonly cert: string };
  /** GitHub Enterprise Server has its API below `/api/v3`. */
  readonly prefix?: string;
}

export interface Failure {
  readonly status: number;
  readonly body?: unknown;
  readonly headers?: http.OutgoingHttpHeaders;
}

export const REPOSITORY = 'acme/app';
const MAX_COMMITS = 250;
const MAX_FILES = 300;

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
      const { status, body, headers } =
        failure === undefined
          ? this.#answer(url)
          : { body: { message: 'told to fail' }, ...failure };
      response.writeHead(status, { 'content-type': 'application/json; charset=utf-8', ...headers });
      response.end(JSON.stringify(body));
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
    return `http://127.0.0.1:${this.port}${this.#options.prefix ?? ''}`;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  #answer(url: string): Failure {
    const { pathname, searchParams } = new URL(url, 'http://github.test');
    const base = `${this.#options.prefix ?? ''}/repos/${REPOSITORY}`;
    if (!pathname.startsWith(base)) return NOT_FOUND;
    const path = pathname.slice(base.length);
    const page = Number(searchParams.get('page') ?? 1);
    const size = Number(searchParams.get('per_page') ?? 30);
    const paged = <T>(items: readonly T[]) => items.slice((page - 1) * size, page * size);

    const compare = /^\/compare\/(.+?)\.\.\.(.+)$/.exec(path);
    if (compare !== null) return this.#compare(compare[1] ?? '', compare[2] ?? '');
    const run = /^\/actions\/runs\/(\d+)$/.exec(path);
    if (run !== null) {
      const found = this.#options.runs?.find(({ id }) => id === Number(run[1]));
      return found === undefined ? NOT_FOUND : { status: 200, body: runBody(found) };
    }
    if (/^\/actions\/workflows\/7\/runs$/.test(path)) {
      const runs = (this.#options.runs ?? [])
        .filter((candidate) => candidate.conclusion === searchParams.get('status'))
        .filter(({ head_branch = 'main' }) => head_branch === searchParams.get('branch'))
        .sort((a, b) => b.run_number - a.run_number)
        .map(runBody);
      return { status: 200, body: { total_count: runs.length, workflow_runs: paged(runs) } };
    }
    if (path === '/tags') {
      const tags = (this.#options.tags ?? []).map(({ name, sha }) => ({ name, commit: { sha } }));
      return { status: 200, body: paged(tags) };
    }
    if (path === '/releases') {
      const releases = (this.#options.releases ?? []).map((release) => ({
        draft: false,
        ...release,
      }));
      return { status: 200, body: paged(releases) };
    }
    if (path === '/commits') {
      const history = this.#history(this.#resolve(searchParams.get('sha') ?? ''));
      return { status: 200, body: paged(history.map(({ sha }) => ({ sha }))) };
    }
    return NOT_FOUND;
  }

  #resolve(ref: string): string {
    const tag = this.#options.tags?.find(({ name }) => name === ref)?.sha;
    return this.#options.refs?.[ref] ?? tag ?? ref;
  }

  /** The commits that lead to one, itself first. */
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

  #compare(baseRef: string, headRef: string) {
    const [base, head] = [this.#resolve(baseRef), this.#resolve(headRef)];
    if (!this.#commits.has(base) || !this.#commits.has(head)) return NOT_FOUND;
    const reachable = new Set(this.#history(base).map(({ sha }) => sha));
    const behind = new Set(this.#history(head).map(({ sha }) => sha));
    const ahead = this.#history(head).filter(({ sha }) => !reachable.has(sha));
    const behindBy = [...reachable].filter((sha) => !behind.has(sha)).length;
    const commits = ahead.toReversed();
    const status =
      ahead.length === 0
        ? behindBy === 0
          ? 'identical'
          : 'behind'
        : behindBy === 0
          ? 'ahead'
          : 'diverged';
    const body = {
      html_url: `https://github.com/${REPOSITORY}/compare/${baseRef}...${headRef}`,
      status,
      ahead_by: ahead.length,
      behind_by: behindBy,
      total_commits: ahead.length,
      commits: commits
        .slice(0, MAX_COMMITS)
        .map(({ sha, message = `Change ${sha}` }) => ({ sha, commit: { message } })),
      files: commits
        .flatMap(({ files = [] }) => files)
        .slice(0, MAX_FILES)
        .map((file) => ({ status: 'modified', additions: 1, deletions: 1, ...file })),
    };
    return { status: 200, body };
  }
}

const NOT_FOUND = { status: 404, body: { message: 'Not Found' } };

function runBody({ head_branch = 'main', workflow_id = 7, ...run }: FakeRun) {
  return { head_repository: { full_name: REPOSITORY }, ...run, head_branch, workflow_id };
}

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

/** What the runner hands the action for a push of the commits after `before`, up to `sha`. */
export function onPush(apiUrl: string, before: string, sha: string) {
  return {
    event: { before },
    env: { GITHUB_EVENT_NAME: 'push', GITHUB_SHA: sha, GITHUB_API_URL: apiUrl },
  };
}

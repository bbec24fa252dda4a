/**
 * A fake of the parts of GitHub's REST API that the action reads, on a small commit history.
 * Responses have the shape in GitHub's documentation.
 */
import type http from 'node:http';
import { text } from 'node:stream/consumers';
import { httpServer, LoopbackServer } from './loopback.ts';

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
  /** The author's account. */
  readonly login?: string;
  readonly files?: readonly FakeFile[];
}

export interface FakeRun {
  readonly id: number;
  readonly run_number: number;
  readonly head_sha: string;
  readonly head_branch?: string;
  readonly event?: string;
  readonly updated_at?: string;
  /** Defaults to `completed`. */
  readonly status?: string;
  readonly head_repository?: { readonly full_name: string } | null;
}

export interface FakeJob {
  readonly id: number;
  readonly name: string;
  readonly run_id: number;
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

export interface FakePullState {
  readonly state: string;
  readonly head: { readonly sha: string; readonly ref?: string };
  readonly created_at?: string;
  readonly merged_at?: string | null;
  readonly closed_at?: string | null;
  /** The commits of its branch. The last one is the head. */
  readonly commits?: readonly string[];
  readonly title?: string;
  readonly labels?: readonly { readonly name: string }[];
  readonly files?: readonly FakeFile[];
}

/** A pull request of the repository, with its own files and commits. */
export interface FakePull {
  readonly files: readonly FakeFile[];
  readonly commits: readonly FakeCommit[];
  /** Defaults to its last commit. */
  readonly head?: string;
  readonly base?: string;
  readonly title?: string;
  readonly labels?: readonly string[];
  readonly isMerged?: boolean;
}

/** A merged pull request of the repository. */
export interface FakeCodePull {
  readonly number: number;
  readonly title: string;
  readonly body?: string;
  readonly labels?: readonly string[];
  /** The commits for which GitHub lists the pull request. */
  readonly commits: readonly string[];
}

/** The parts of a comparison that the fake uses. */
export interface Comparison {
  readonly commits: readonly object[];
  readonly files: readonly FakeFile[];
  readonly [other: string]: unknown;
}

export interface GitBackend {
  compare(base: string, head: string): Comparison | undefined;
  /** The full names of all refs, with what they point to. */
  refs(): readonly { readonly ref: string; readonly sha: string }[];
  tree(sha: string): object;
  /** By an object ID, `tags/<name>` or `heads/<name>`. */
  commit?(ref: string): object | undefined;
  /** An annotated tag, by its own object ID. */
  tagObject?(id: string): object | undefined;
  blob?(id: string): Buffer | undefined;
}

export interface GitHubOptions {
  readonly commits: readonly FakeCommit[];
  /** Branches and tags. */
  readonly refs?: Readonly<Record<string, string>>;
  readonly tags?: readonly {
    readonly name: string;
    readonly sha: string;
    /** The tag's own object ID, if it is annotated. */
    readonly object?: string;
  }[];
  readonly releases?: readonly {
    readonly tag_name: string;
    readonly published_at: string | null;
    readonly draft?: boolean;
    readonly prerelease?: boolean;
  }[];
  readonly runs?: readonly FakeRun[];
  /**
   * Changes the list of runs of a branch, or of all branches. The correct list has the newest
   * first.
   */
  readonly listRuns?: (right: readonly FakeRun[], branch: string | undefined) => readonly FakeRun[];
  /** The workflow jobs of every run, in all attempts. */
  readonly jobs?: readonly FakeJob[];
  /** By check run ID, which is the workflow job's ID. */
  readonly annotations?: Readonly<Record<number, readonly FakeAnnotation[]>>;
  /** Pull requests by number. */
  readonly pulls?: Readonly<Record<number, FakePull>>;
  /** The state of pull requests in any repository, by `owner/name#1`. */
  readonly pullStates?: Readonly<Record<string, FakePullState>>;
  /** The pull requests behind commits, for the GraphQL API. */
  readonly codePulls?: readonly FakeCodePull[];
  /** The contents of files by object ID, for the GraphQL API. */
  readonly blobs?: Readonly<Record<string, string>>;
  /** Responds instead of `commits`, `refs`, `tags` and `blobs`. */
  readonly git?: GitBackend;
  /** Overrides the response to some paths, or leaves them without one. */
  readonly fail?: (path: string) => Failure | 'silence' | undefined;
  readonly tls?: { readonly key: string; readonly cert: string };
}

export interface Failure {
  readonly status: number;
  readonly body?: unknown;
  readonly headers?: http.OutgoingHttpHeaders;
}

const REPOSITORY = 'acme/app';
const MAX_FILES = 300;
const MAX_BLOB_BYTES = 512_000;
const GRAPHQL = '/graphql';

export class GitHubService extends LoopbackServer {
  readonly requests: string[] = [];
  /** The bodies of the requests to the GraphQL API. */
  readonly queries: string[] = [];
  readonly authorizations = new Set<string | undefined>();
  readonly #options: GitHubOptions;
  readonly #commits: ReadonlyMap<string, FakeCommit>;

  private constructor(options: GitHubOptions) {
    const server = httpServer(options.tls);
    super(server);
    this.#options = options;
    this.#commits = new Map(options.commits.map((commit) => [commit.sha, commit]));
    server.on('request', (request, response) => {
      const url = decodeURIComponent(request.url ?? '');
      this.requests.push(url);
      this.authorizations.add(request.headers.authorization);
      const failure = this.#options.fail?.(url);
      if (failure === 'silence') return;
      const send = ({ status, body, headers }: Failure) => {
        const type = { 'content-type': 'application/json; charset=utf-8' };
        response.writeHead(status, { ...type, ...headers });
        response.end(typeof body === 'string' ? body : JSON.stringify(body));
      };
      if (failure !== undefined) send({ body: { message: 'told to fail' }, ...failure });
      else if (request.method === 'POST' && url === GRAPHQL) {
        void text(request).then((query) => {
          this.queries.push(query);
          send(query.includes('associatedPullRequests') ? this.#pulls(query) : this.#blobs(query));
        });
      } else send(this.#answer(request.url ?? ''));
    });
  }

  static start = (options: GitHubOptions): Promise<GitHubService> =>
    new GitHubService(options).listen();

  /** For `GITHUB_GRAPHQL_URL`. */
  get graphqlUrl(): string {
    return `${this.url}${GRAPHQL}`;
  }

  #answer(url: string): Failure {
    const { pathname, searchParams } = new URL(url, 'http://github.test');
    const prefix = '/repos/';
    const PULL = /^(.+)\/pulls\/(\d+)(\/files)?$/;
    const [, name, number, part] = PULL.exec(pathname.slice(prefix.length)) ?? [];
    const pull = this.#options.pullStates?.[`${name}#${number}`];
    const size = Number(searchParams.get('per_page') ?? 30);
    if (pull !== undefined && part === undefined) {
      return found({ ...pull, commits: pull.commits?.length, files: undefined });
    }
    if (part === '/files' && pull?.files !== undefined) {
      return found(pull.files.map(fileBody).slice(0, size));
    }
    const base = `${prefix}${REPOSITORY}`;
    if (!pathname.startsWith(base)) return this.#compareInPull(pathname.slice(prefix.length));
    const path = decodeURIComponent(pathname.slice(base.length));
    const page = Number(searchParams.get('page') ?? 1);
    /** One page of a list, and the header that links to the next one. */
    const paged = <T>(
      items: readonly T[],
      bodyOf: (part: readonly T[]) => unknown = (part) => part,
    ): Failure => ({
      status: 200,
      body: bodyOf(items.slice((page - 1) * size, page * size)),
      headers: page * size < items.length ? { link: `<${this.url}>; rel="next"` } : {},
    });

    const { git, jobs = [], runs = [], pulls = {}, releases = [], listRuns } = this.#options;
    const routes: readonly (readonly [RegExp, (first: string, second: string) => Failure])[] = [
      [/^\/compare\/(.+?)\.\.\.(.+)$/, (from, to) => this.#compare(from, to, page, size)],
      [/^\/git\/trees\/(.+)$/, (sha) => found(git?.tree(sha) ?? this.#treeBody(sha))],
      [
        /^\/commits\/(.+)$/,
        (name) => {
          const known = git?.commit?.(name) ?? this.#commitBody(name);
          const message = `No commit found for SHA: ${name}`;
          return known ? found(known) : { status: 422, body: { message } };
        },
      ],
      [/^\/git\/tags\/(.+)$/, (id) => found(git?.tagObject?.(id) ?? this.#tagBody(id))],
      [/^\/git\/matching-refs\/(.+)$/, (beginning) => found(this.#matchingRefs(beginning))],
      [
        /^\/pulls\/(\d+)$/,
        (number) => {
          const known = pulls[Number(number)];
          return found(known && ownPullBody(known));
        },
      ],
      [
        /^\/pulls\/(\d+)\/(files|commits)$/,
        (number, what) => {
          const known = pulls[Number(number)];
          if (known === undefined) return NOT_FOUND;
          const { files, commits } = known;
          return what === 'files' ? paged(files.map(fileBody)) : paged(commits.map(commitBody));
        },
      ],
      [/^\/actions\/jobs\/(\d+)$/, (job) => found(jobs.find(({ id }) => id === Number(job)))],
      [
        /^\/actions\/runs\/(\d+)\/jobs$/,
        (run) => {
          const listed = jobs.filter(({ run_id }) => run_id === Number(run));
          return found({ total_count: listed.length, jobs: listed });
        },
      ],
      [/^\/check-runs\/(\d+)\/annotations$/, (job) => paged(this.#annotations(Number(job)))],
      [
        /^\/actions\/runs\/(\d+)$/,
        (run) => {
          const known = runs.find(({ id }) => id === Number(run));
          return found(known && runBody(known));
        },
      ],
      [
        /^\/actions\/workflows\/7\/runs$/,
        () => {
          const branch = searchParams.get('branch') ?? undefined;
          const right = runs
            .filter(({ head_branch = 'main' }) => branch === undefined || head_branch === branch)
            .sort((a, b) => b.run_number - a.run_number);
          const listed = (listRuns?.(right, branch) ?? right).map(runBody);
          return paged(listed, (part) => ({ total_count: listed.length, workflow_runs: part }));
        },
      ],
      [
        /^\/releases$/,
        () => paged(releases.map((release) => ({ draft: false, prerelease: false, ...release }))),
      ],
    ];
    for (const [pattern, answer] of routes) {
      const match = pattern.exec(path);
      if (match !== null) return answer(match[1] ?? '', match[2] ?? '');
    }
    return NOT_FOUND;
  }

  /** A comparison with the head of a pull request in another repository. */
  #compareInPull(path: string): Failure {
    const [, name, base = '', head] = /^(.+)\/compare\/(.+)\.\.\.(.+)$/.exec(path) ?? [];
    const pulls = Object.entries(this.#options.pullStates ?? {});
    const own = pulls.find(
      ([pull, { head: end }]) => pull.startsWith(`${name}#`) && end.sha === head,
    );
    if (own === undefined) return NOT_FOUND;
    const isThere = own[1].commits?.includes(base) === true;
    return found({ status: isThere ? 'ahead' : 'diverged', merge_base_commit: { sha: base } });
  }

  /** https://docs.github.com/graphql/reference/objects#commit */
  #pulls(request: string): Failure {
    const { codePulls = [] } = this.#options;
    const { query } = JSON.parse(request);
    const commits = [...String(query).matchAll(/(\w+): object\(oid: "(\w+)"\)/g)];
    const numbers = [...String(query).matchAll(/(\w+): pullRequest\(number: (\d+)\)/g)];
    const ofCommits = commits.map(([, alias = '', sha = '']) => {
      const nodes = codePulls.filter(({ commits: own }) => own.includes(sha)).map(pullBody);
      return [alias, { associatedPullRequests: { nodes } }];
    });
    const ofNumbers = numbers.map(([, alias = '', number]) => {
      const known = codePulls.find((pull) => pull.number === Number(number));
      return [alias, known === undefined ? null : pullBody(known)];
    });
    const repository = Object.fromEntries([...ofCommits, ...ofNumbers]);
    return { status: 200, body: { data: { repository } } };
  }

  /** https://docs.github.com/graphql/reference/objects#blob */
  #blobs(request: string): Failure {
    const { blobs, git } = this.#options;
    if (blobs === undefined && git?.blob === undefined) return NOT_FOUND;
    const { query, variables } = JSON.parse(request);
    if (`${variables.owner}/${variables.name}` !== REPOSITORY) return NOT_FOUND;
    const fields = String(query).matchAll(/(\w+): object\(expression: ("(?:[^"\\]|\\.)*")\)/g);
    const found = Array.from(fields, ([, alias = '', name = '']) => {
      const [, sha = '', path = ''] = /^(\w+):(.*)$/s.exec(JSON.parse(name)) ?? [];
      const id = this.#tree(sha)?.get(path)?.sha ?? '';
      const content = blobs?.[id] ?? git?.blob?.(JSON.parse(name));
      if (content === undefined) return [alias, null] as const;
      const bytes = Buffer.from(content);
      const isBinary = bytes.subarray(0, 8_000).includes(0);
      const isTruncated = bytes.length > MAX_BLOB_BYTES;
      const shown = isBinary ? null : bytes.toString('utf8', 0, MAX_BLOB_BYTES);
      return [alias, { text: shown, isBinary, isTruncated }] as const;
    });
    return { status: 200, body: { data: { repository: Object.fromEntries(found) } } };
  }

  /** The runner sends annotations when the workflow job completes. */
  #annotations(id: number): readonly FakeAnnotation[] {
    const { jobs, annotations } = this.#options;
    const isOver = jobs?.find((job) => job.id === id)?.status === 'completed';
    return isOver ? (annotations?.[id] ?? []) : [];
  }

  /** GitHub returns all of them in one response, in alphabetical order. */
  #matchingRefs(beginning: string) {
    const { git, tags = [] } = this.#options;
    const own = tags.map(({ name, sha }) => ({ ref: `refs/tags/${name}`, sha }));
    const refs = git?.refs() ?? own;
    return refs
      .filter(({ ref }) => ref.startsWith(`refs/${beginning}`))
      .sort((a, b) => (a.ref < b.ref ? -1 : 1))
      .map(({ ref, sha }) => ({ ref, object: { sha, type: 'commit' } }));
  }

  /** If a branch and a tag have the same name, GitHub picks the branch. */
  #resolve(ref: string): string {
    const { refs = {}, tags = [] } = this.#options;
    const [, kind = '', name = ref] = /^(heads|tags)\/(.*)$/.exec(ref) ?? [];
    const tag = tags.find((one) => one.name === name)?.sha;
    if (kind === 'heads') return refs[name] ?? '';
    return kind === 'tags' ? (tag ?? '') : (refs[ref] ?? tag ?? ref);
  }

  #commitBody(ref: string) {
    const known = this.#commits.get(this.#resolve(ref));
    if (known === undefined) return undefined;
    const files = [...(this.#tree(known.sha)?.values() ?? [])];
    const tree = { sha: files.map(({ path, sha }) => `${path} ${sha}`).join('\n') };
    const body = commitBody(known);
    return { ...body, commit: { ...body.commit, tree } };
  }

  #tagBody(id: string) {
    const tag = this.#options.tags?.find(({ object }) => object === id);
    return tag && { sha: id, object: { sha: tag.sha, type: 'commit' } };
  }

  /** A commit and its ancestors, with the commit itself first. */
  #history(sha: string): readonly FakeCommit[] {
    const seen = new Set<FakeCommit>();
    const queue = [sha];
    for (const next of queue) {
      const commit = this.#commits.get(next);
      if (commit !== undefined) seen.add(commit);
      queue.push(...(commit?.parents ?? []));
    }
    return [...seen];
  }

  /** Every file in a commit and its ancestors, each in its latest version. */
  #tree(sha: string) {
    if (!this.#commits.has(sha)) return undefined;
    const entries = new Map<string, { path: string; mode: string; type: string; sha: string }>();
    for (const { files = [], sha: id } of this.#history(sha).toReversed()) {
      for (const { filename: path } of files) {
        entries.set(path, { path, mode: '100644', type: 'blob', sha: id });
      }
    }
    return entries;
  }

  #treeBody(sha: string) {
    const entries = this.#tree(sha);
    return entries && { tree: [...entries.values()], truncated: false };
  }

  /** Only the first page has the files. */
  #compare(base: string, head: string, page: number, size: number): Failure {
    const html_url = `https://github.com/${REPOSITORY}/compare/${base}...${head}`;
    const body = this.#options.git?.compare(base, head) ?? this.#comparison(base, head);
    if (body === undefined) return NOT_FOUND;
    const commits = body.commits.slice((page - 1) * size, page * size);
    const files = page === 1 ? body.files.slice(0, MAX_FILES).map(fileBody) : [];
    return { status: 200, body: { html_url, ...body, commits, files } };
  }

  #comparison(baseRef: string, headRef: string): Comparison | undefined {
    const [base, head] = [this.#resolve(baseRef), this.#resolve(headRef)];
    if (!this.#commits.has(base) || !this.#commits.has(head)) return undefined;
    const [ofBase, ofHead] = [this.#history(base), this.#history(head)];
    const commits = ofHead.filter((commit) => !ofBase.includes(commit)).toReversed();
    const isBehind = ofBase.some((commit) => !ofHead.includes(commit));
    const [none, some] = isBehind ? ['behind', 'diverged'] : ['identical', 'ahead'];
    return {
      status: commits.length === 0 ? none : some,
      merge_base_commit: { sha: ofHead.find((commit) => ofBase.includes(commit))?.sha ?? base },
      total_commits: commits.length,
      commits: commits.map(commitBody),
      files: commits.flatMap(({ files = [] }) => files),
    };
  }
}

const NOT_FOUND = { status: 404, body: { message: 'Not Found' } };
const found = (body: unknown): Failure => (body === undefined ? NOT_FOUND : { status: 200, body });

const commitBody = ({ sha, parents, message = `Change ${sha}`, login }: FakeCommit) => ({
  sha,
  parents: parents.map((parent) => ({ sha: parent })),
  commit: { message },
  author: login === undefined ? null : { login },
});

const fileBody = (file: FakeFile) => ({ status: 'modified', additions: 1, deletions: 1, ...file });

const ownPullBody = ({ head, base = 'main', isMerged = false, ...pull }: FakePull) => ({
  state: isMerged ? 'closed' : 'open',
  title: pull.title ?? 'A pull request',
  labels: (pull.labels ?? []).map((name) => ({ name })),
  head: { sha: head ?? pull.commits.at(-1)?.sha ?? base },
  base: { ref: base },
  ...{ commits: pull.commits.length, changed_files: pull.files.length },
  merged_at: isMerged ? '2026-11-01T00:00:00Z' : null,
});

const pullBody = ({ number, title, body = '', labels = [] }: FakeCodePull) => ({
  ...{ number, title, body },
  ...{ merged: true, mergedAt: '2026-11-01T00:00:00Z', mergeCommit: null },
  ...{
    author: { __typename: 'User', login: 'octocat' },
    labels: { nodes: labels.map((name) => ({ name })) },
  },
  baseRepository: { nameWithOwner: REPOSITORY },
});

const runBody = ({ head_branch = 'main', ...run }: FakeRun) => ({
  ...{ status: 'completed', head_repository: { full_name: REPOSITORY }, workflow_id: 7 },
  ...{ ...run, head_branch },
});

/** A line of commits `c1`, `c2`, …, each of which changes one file. */
export const line = (count: number): FakeCommit[] =>
  Array.from({ length: count }, (_, index) => index + 1).map((n) => ({
    sha: `c${n}`,
    parents: n === 1 ? [] : [`c${n - 1}`],
    message: `Subject ${n}\n\nBody ${n}`,
    files: [{ filename: `src/${n}.ts`, patch: `@@ -1 +1 @@\n-old ${n}\n+new ${n}` }],
  }));

/** What the runner passes to the action for a push of the commits after `before`, up to `sha`. */
export const onPush = (apiUrl: string, before: string, sha: string) => ({
  event: { before },
  env: { GITHUB_EVENT_NAME: 'push', GITHUB_SHA: sha, GITHUB_API_URL: apiUrl },
});

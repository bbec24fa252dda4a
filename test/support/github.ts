/**
 * A GitHub for tests, on one loopback port: a real git repository with its branches, tags, pull
 * requests and releases, served over git, REST and GraphQL. What happens in it returns what the
 * runner gives the workflow run that it starts.
 */
import http from 'node:http';
import { GitHandler } from './git-handler.ts';
import { type ApiFault, type ApiRequest, pullBody, releaseBody, serveApi } from './github-api.ts';
import { LoopbackServer } from './loopback.ts';
import { type NewCommit, Origin } from './origin.ts';

/** What the runner gives a run: its environment variables, and the payload of its event. */
export interface RunStart {
  readonly env: Readonly<Record<string, string>>;
  readonly payload: object;
}

export interface FakePull {
  readonly number: number;
  readonly title: string;
  readonly body: string;
  /** An account like `octocat` or `renovate[bot]`. */
  readonly author: string;
  labels: readonly string[];
  readonly branch: string;
  readonly isFromFork: boolean;
  readonly base: string;
  state: 'open' | 'merged' | 'closed';
  head: string;
  mergeCommit: string | undefined;
  mergedAt: string | undefined;
  /** The commits that brought it to its base. */
  readonly merged: string[];
}

export interface FakeRelease {
  readonly tag: string;
  readonly body?: string;
  readonly prerelease?: boolean;
  readonly draft?: boolean;
}

/** A pull request of another repository, without one in git. */
export interface FakeDocsPull {
  /** Like `acme/docs#1`. */
  readonly name: string;
  title: string;
  /** `hidden`: the token may not read it. */
  state: 'open' | 'merged' | 'closed' | 'hidden';
  readonly branch: string;
  files: readonly { filename: string; additions: number; deletions: number }[];
}

/** What differs from an event on `main` without a payload. */
interface EventFacts {
  readonly ref?: string;
  readonly sha?: string;
  readonly actor?: string;
  readonly payload?: object;
}

const ZEROS = '0'.repeat(40);

export class FakeGitHub extends LoopbackServer {
  /** `owner/name` */
  readonly repository: string;
  /** What GraphQL calls it, if not the same. */
  renamedTo: string | undefined;
  isFork = false;
  readonly origin = new Origin();
  /** Serves git, with requests and a fault. The token `writer` may push, `reader` may not. */
  readonly git: GitHandler;
  /** Requests to REST and GraphQL. */
  readonly requests: ApiRequest[] = [];
  fault: ((request: ApiRequest) => ApiFault | undefined) | undefined;
  /** Whether tokens have `pull-requests: read`. */
  showsPulls = true;
  readonly pulls: FakePull[] = [];
  readonly docsPulls = new Map<string, FakeDocsPull>();
  /** Newest first. */
  readonly releases: FakeRelease[] = [];
  #runs = 0;

  private constructor(repository: string) {
    const server = http.createServer((request, response) => {
      if (this.git.handle(request, response)) return;
      if (request.url?.startsWith('/api/')) serveApi(this, request, response);
      else response.writeHead(404, { 'content-type': 'text/plain' }).end('Repository not found.\n');
    });
    super(server);
    this.repository = repository;
    this.git = new GitHandler(this.origin, repository);
  }

  static start = (repository = 'acme/app'): Promise<FakeGitHub> =>
    new FakeGitHub(repository).listen();

  override async [Symbol.asyncDispose](): Promise<void> {
    await super[Symbol.asyncDispose]();
    this.origin[Symbol.dispose]();
  }

  /** The newest commit of a branch. */
  tip(branch = 'main'): string {
    const sha = this.origin.find(`refs/heads/${branch}`);
    if (sha === undefined) throw new Error(`There is no branch ${branch}.`);
    return sha;
  }

  /** Adds commits to a branch, each on the one before unless it has parents. */
  push(branch: string, ...commits: readonly NewCommit[]): RunStart {
    return this.pushTo(branch, this.#add(this.origin.find(`refs/heads/${branch}`), commits));
  }

  #add(head: string | undefined, commits: readonly NewCommit[]): string {
    return commits.reduce(
      (parent, commit) => this.origin.commit({ parents: parent === '' ? [] : [parent], ...commit }),
      head ?? '',
    );
  }

  /** Sets a branch to a commit, which may be a force push, or deletes it. */
  pushTo(branch: string, sha: string | null): RunStart {
    const ref = `refs/heads/${branch}`;
    const { origin } = this;
    const before = origin.find(ref) ?? ZEROS;
    const forced = sha !== null && before !== ZEROS && origin.mergeBase(before, sha) !== before;
    const flags = { created: before === ZEROS, deleted: sha === null, forced };
    const payload = { ref, before, after: sha ?? ZEROS, ...flags };
    origin.setRef(ref, sha);
    // GitHub starts the run of a deletion on the default branch.
    if (sha === null) return this.event('push', { payload });
    const ofBranch = (pull: FakePull) =>
      pull.branch === branch && !pull.isFromFork && pull.state === 'open';
    for (const pull of this.pulls.filter(ofBranch)) this.#setHead(pull, sha);
    return this.event('push', { ref, payload });
  }

  tag(name: string, sha = this.tip(), { isAnnotated = false } = {}): RunStart {
    const ref = `refs/tags/${name}`;
    const after = isAnnotated ? this.origin.annotate(name, sha) : sha;
    const payload = { ref, before: this.origin.find(ref) ?? ZEROS, after, deleted: false };
    this.origin.setRef(ref, after);
    return this.event('push', { ref, payload });
  }

  /** Publishes a release, and creates its tag on `main` if there is none. */
  release(release: FakeRelease): RunStart {
    const ref = `refs/tags/${release.tag}`;
    if (this.origin.find(ref) === undefined) this.origin.setRef(ref, this.tip());
    this.releases.unshift(release);
    const payload = { action: 'published', release: releaseBody(release) };
    return this.event('release', { ref, payload });
  }

  schedule(): RunStart {
    return this.event('schedule', { payload: { schedule: '0 6 * * 1' } });
  }

  dispatch(): RunStart {
    return this.event('workflow_dispatch', { payload: { ref: 'refs/heads/main', inputs: {} } });
  }

  /** What the runner gives the step `docs` of the workflow job `update`, for any event. */
  event(name: string, about: EventFacts = {}): RunStart {
    this.#runs += 1;
    const { repository, url, isFork } = this;
    const { ref = 'refs/heads/main', actor = 'octocat', payload = {} } = about;
    const env = {
      GITHUB_ACTIONS: 'true',
      GITHUB_ACTION: 'docs',
      GITHUB_ACTOR: actor,
      GITHUB_API_URL: `${url}/api/v3`,
      GITHUB_EVENT_NAME: name,
      GITHUB_JOB: 'update',
      GITHUB_REF: ref,
      GITHUB_REPOSITORY: repository,
      GITHUB_RUN_ATTEMPT: '1',
      GITHUB_RUN_ID: `${this.#runs}`,
      GITHUB_SERVER_URL: url,
      GITHUB_SHA: about.sha ?? this.origin.find(ref) ?? ZEROS,
      GITHUB_WORKFLOW: 'Docs',
      GITHUB_WORKFLOW_REF: `${repository}/.github/workflows/docs.yml@${ref}`,
    };
    const inPayload = { full_name: repository, default_branch: 'main', fork: isFork };
    return { env, payload: { ...payload, repository: inPayload } };
  }

  /** "Re-run failed jobs". */
  rerun({ env, payload }: RunStart): RunStart {
    const attempt = Number(env['GITHUB_RUN_ATTEMPT']) + 1;
    return { env: { ...env, GITHUB_RUN_ATTEMPT: `${attempt}` }, payload };
  }

  /** Opens a pull request from a new branch with these commits. */
  open(
    given: Partial<FakePull> & { readonly branch: string },
    ...commits: readonly NewCommit[]
  ): RunStart {
    const number = this.pulls.length + 1;
    this.pulls.push({
      ...{ number, title: `Pull request ${number}`, body: '', author: 'octocat', labels: [] },
      ...{ isFromFork: false, mergeCommit: undefined, mergedAt: undefined, merged: [] },
      ...{ base: 'main', state: 'open', head: this.tip(given.base), ...given },
    });
    this.synchronize(number, ...commits);
    return this.pullEvent(number, 'opened');
  }

  /** Adds commits to the branch of a pull request. */
  synchronize(number: number, ...commits: readonly NewCommit[]): RunStart {
    const pull = this.pull(number);
    const head = this.#add(pull.head, commits);
    if (!pull.isFromFork) this.origin.setRef(`refs/heads/${pull.branch}`, head);
    this.#setHead(pull, head);
    return this.pullEvent(number, 'synchronize');
  }

  /** Presses "Update branch": merges the base into the branch of a pull request. */
  updateBranch(number: number): RunStart {
    const { base, branch, head } = this.pull(number);
    const parents = [head, this.tip(base)];
    const message = `Merge branch '${base}' into ${branch}`;
    const files = this.origin.changes(head, this.tip(base));
    return this.synchronize(number, { parents, message, files });
  }

  /** Merges a pull request. The result is the push to its base, and `pullEvent` its other event. */
  merge(number: number, how: 'merge' | 'squash' | 'rebase' = 'merge'): RunStart {
    const pull = this.pull(number);
    const { title, branch, base, head, merged } = pull;
    const { origin } = this;
    const tip = this.tip(base);
    const files = origin.changes(tip, head);
    const own = origin
      .between(tip, head)
      .filter((sha) => (origin.commits.get(sha)?.parents.length ?? 0) < 2);
    if (how === 'merge') {
      const message = `Merge pull request #${number} from acme/${branch}\n\n${title}`;
      merged.push(...own, origin.commit({ parents: [tip, head], message, files }));
    } else if (how === 'squash') {
      merged.push(origin.commit({ parents: [tip], message: `${title} (#${number})`, files }));
    } else {
      for (const sha of own) {
        const { message = '', author, parents: [before = ''] = [] } = origin.commits.get(sha) ?? {};
        const same = origin.changes(before, sha, before);
        const parents = [merged.at(-1) ?? tip];
        merged.push(origin.commit({ parents, message, files: same, ...(author && { author }) }));
      }
    }
    pull.mergeCommit = merged.at(-1);
    // A later time at each merge.
    pull.mergedAt = new Date(1.8e12 + 1_000 * origin.commits.size).toISOString();
    pull.state = 'merged';
    return this.pushTo(base, pull.mergeCommit ?? null);
  }

  pull(number: number): FakePull {
    const pull = this.pulls[number - 1];
    if (pull === undefined) throw new Error(`There is no pull request ${number}.`);
    return pull;
  }

  /** The event `pull_request` as it is now. */
  pullEvent(number: number, action: string): RunStart {
    const pull = this.pull(number);
    const { origin } = this;
    const tip = this.tip(pull.base);
    const message = `Merge ${pull.head} into ${tip}`;
    const files = origin.changes(tip, pull.head);
    const ref = `refs/pull/${number}/merge`;
    origin.setRef(ref, origin.commit({ parents: [tip, pull.head], message, files }));
    const payload = { action, number, pull_request: pullBody(this, pull) };
    return this.event('pull_request', { ref, actor: pull.author, payload });
  }

  #setHead(pull: FakePull, sha: string): void {
    pull.head = sha;
    this.origin.setRef(`refs/pull/${pull.number}/head`, sha);
  }

  /** Opens a pull request in another repository, and returns its link. */
  openDocsPull(name = `acme/docs#${this.docsPulls.size + 1}`): string {
    const files = [{ filename: 'guide.mdx', additions: 3, deletions: 1 }];
    const pull = { name, title: 'Update the docs', branch: 'mintlify/update', files };
    this.docsPulls.set(name, { ...pull, state: 'open' });
    return `${this.url}/${name.replace('#', '/pull/')}`;
  }

  /** The pull request of another repository that a link points to, to change it. */
  docsPull(link: string): FakeDocsPull {
    const name = link.slice(this.url.length + 1).replace('/pull/', '#');
    const pull = this.docsPulls.get(name);
    if (pull === undefined) throw new Error(`There is no pull request ${name}.`);
    return pull;
  }
}

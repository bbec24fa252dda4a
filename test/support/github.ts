/**
 * A GitHub for tests, on one loopback port: a real git repository with its branches, tags, pull
 * requests and releases, served over git, REST and GraphQL. What happens in it returns what the
 * runner gives the workflow run that it starts.
 */
import { once } from 'node:events';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { type GitHandler, serveGit } from './git-server.ts';
import { type ApiFault, type ApiRequest, serveApi } from './github-api.ts';
import { FakeRepository } from './github-repository.ts';
import { changesOf, type FakeDocsPull, type FakePull, type RunStart } from './github-world.ts';
import type { NewCommit } from './origin.ts';

export type { RunStart } from './github-world.ts';

export interface GitHubOptions {
  /** The default is `acme/app`. */
  readonly repository?: string;
  readonly isFork?: boolean;
}

export class FakeGitHub extends FakeRepository {
  /** What GraphQL calls the repository, if not the same. */
  renamedTo: string | undefined;
  /** Serves git, with requests and a fault. The token `writer` may push, `reader` may not. */
  readonly git: GitHandler;
  /** Requests to REST and GraphQL. */
  readonly requests: ApiRequest[] = [];
  fault: ((request: ApiRequest) => ApiFault | undefined) | undefined;
  /** Whether tokens have `pull-requests: read`. */
  showsPulls = true;
  readonly pulls: FakePull[] = [];
  readonly docsPulls = new Map<string, FakeDocsPull>();
  readonly #server: http.Server;

  private constructor({ repository = 'acme/app', isFork = false }: GitHubOptions) {
    super(repository, isFork);
    this.git = serveGit(this.origin, { repository });
    const api = serveApi(this);
    this.#server = http.createServer((request, response) => {
      if (!this.git(request, response)) api(request, response);
    });
  }

  static async start(options: GitHubOptions = {}): Promise<FakeGitHub> {
    const github = new FakeGitHub(options);
    github.#server.listen(0, '127.0.0.1');
    await once(github.#server, 'listening');
    return github;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
    this.origin[Symbol.dispose]();
  }

  /** What the runner calls the server. */
  override get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  override pushTo(branch: string, sha: string | null, actor?: string): RunStart {
    for (const pull of this.pulls) {
      const isIt = pull.branch === branch && !pull.isFromFork && pull.state === 'open';
      if (isIt && sha !== null) this.#setHead(pull, sha);
    }
    return super.pushTo(branch, sha, actor);
  }

  /** Opens a pull request from a new branch with these commits. */
  open(
    {
      branch,
      base = 'main',
      isFromFork = false,
      ...texts
    }: Partial<FakePull> & { readonly branch: string },
    ...commits: readonly NewCommit[]
  ): RunStart {
    let head = this.tip(base);
    for (const commit of commits) head = this.origin.commit({ parents: [head], ...commit });
    if (!isFromFork) this.origin.setRef(`refs/heads/${branch}`, head);
    const number = this.pulls.length + 1;
    const pull: FakePull = {
      ...{ title: `Pull request ${number}`, body: '', author: 'octocat', labels: [] },
      ...{ mergeCommit: undefined, mergedAt: undefined, merged: [] },
      ...texts,
      ...{ number, branch, base, isFromFork, head, state: 'open' },
    };
    this.pulls.push(pull);
    this.#setHead(pull, head);
    return this.pullEvent(number, 'opened');
  }

  /** Adds commits to the branch of a pull request. */
  synchronize(number: number, ...commits: readonly NewCommit[]): RunStart {
    const pull = this.pull(number);
    let { head } = pull;
    for (const commit of commits) head = this.origin.commit({ parents: [head], ...commit });
    if (!pull.isFromFork) this.origin.setRef(`refs/heads/${pull.branch}`, head);
    this.#setHead(pull, head);
    return this.pullEvent(number, 'synchronize');
  }

  /** Presses "Update branch": merges the base into the branch of a pull request. */
  updateBranch(number: number): RunStart {
    const { base, branch, head } = this.pull(number);
    const parents = [head, this.tip(base)];
    const message = `Merge branch '${base}' into ${branch}`;
    return this.synchronize(number, {
      parents,
      message,
      files: changesOf(this.origin, head, this.tip(base)),
    });
  }

  /** Merges a pull request. The result is the push to its base, and `pullEvent` its other event. */
  merge(number: number, how: 'merge' | 'squash' | 'rebase' = 'merge'): RunStart {
    const pull = this.pull(number);
    const { title, branch, base, head } = pull;
    const tip = this.tip(base);
    const files = changesOf(this.origin, tip, head);
    const own = this.origin
      .git('rev-list', '--reverse', '--no-merges', `${tip}..${head}`)
      .split('\n');
    if (how === 'merge') {
      const message = `Merge pull request #${number} from acme/${branch}\n\n${title}`;
      pull.merged.push(...own, this.origin.commit({ parents: [tip, head], message, files }));
    } else if (how === 'squash') {
      const message = `${title} (#${number})`;
      pull.merged.push(this.origin.commit({ parents: [tip], message, files }));
    } else {
      for (const sha of own) {
        const [author = '', message = ''] = this.origin
          .git('log', '-1', '--format=%an <%ae>%x00%B', sha)
          .split('\0');
        const parents = [pull.merged.at(-1) ?? tip];
        const same = changesOf(this.origin, `${sha}^`, sha, `${sha}^`);
        pull.merged.push(
          this.origin.commit({ parents, message: message.trim(), author, files: same }),
        );
      }
    }
    pull.mergeCommit = pull.merged.at(-1);
    pull.mergedAt = this.time();
    pull.state = 'merged';
    return this.pushTo(base, pull.mergeCommit ?? null);
  }

  close(number: number): RunStart {
    this.pull(number).state = 'closed';
    return this.pullEvent(number, 'closed');
  }

  pull(number: number): FakePull {
    const pull = this.pulls[number - 1];
    if (pull === undefined) throw new Error(`There is no pull request ${number}.`);
    return pull;
  }

  /** The event `pull_request` as it is now. */
  pullEvent(number: number, action: string, actor?: string): RunStart {
    const pull = this.pull(number);
    const { head, base, branch, isFromFork, state } = pull;
    const tip = this.tip(base);
    const sha = this.origin.commit({
      parents: [tip, head],
      message: `Merge ${head} into ${tip}`,
      files: changesOf(this.origin, tip, head),
    });
    this.origin.setRef(`refs/pull/${number}/merge`, sha);
    const repo = { full_name: this.repository };
    const from = isFromFork ? { full_name: 'stranger/fork' } : repo;
    const payload = {
      ...{ action, number },
      pull_request: {
        ...{ number, title: pull.title, body: pull.body, merged: state === 'merged' },
        ...{ head: { ref: branch, sha: head, repo: from }, base: { ref: base, sha: tip, repo } },
      },
    };
    return this.event('pull_request', {
      ref: `refs/pull/${number}/merge`,
      sha,
      actor: actor ?? pull.author,
      payload,
    });
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

  #setHead(pull: FakePull, sha: string): void {
    pull.head = sha;
    this.origin.setRef(`refs/pull/${pull.number}/head`, sha);
  }
}

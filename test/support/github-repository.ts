/** The branches, tags and releases of a fake GitHub, and the runs that they start. */
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import {
  type EventFacts,
  type FakeRelease,
  mergeBase,
  type RunStart,
  runStart,
} from './github-world.ts';
import { createOrigin, type NewCommit, type Origin } from './origin.ts';

const ZEROS = '0'.repeat(40);

export abstract class FakeRepository {
  /** `owner/name` */
  repository: string;
  readonly isFork: boolean;
  readonly origin: Origin = createOrigin();
  /** Newest first. */
  readonly releases: FakeRelease[] = [];
  #runs = 0;
  #seconds = 1_750_000_000;

  constructor(repository: string, isFork: boolean) {
    this.repository = repository;
    this.isFork = isFork;
  }

  /** The address of the server. */
  abstract get url(): string;

  /** The id of the commit that a ref, an id, or anything else that git knows names. */
  find(name: string): string | undefined {
    const { path, git } = this.origin;
    // Without a process, as most are asked for so.
    if (name.startsWith('refs/heads/')) {
      const file = join(path, name);
      return existsSync(file) ? readFileSync(file, 'utf8').trim() : undefined;
    }
    if (/^[0-9a-f]{40}$/.test(name) && existsSync(this.#file(name))) return name;
    try {
      return git('rev-parse', '--verify', '--quiet', '--end-of-options', `${name}^{commit}`);
    } catch {
      return undefined;
    }
  }

  /** The newest commit of a branch. */
  tip(branch = 'main'): string {
    const sha = this.find(`refs/heads/${branch}`);
    if (sha === undefined) throw new Error(`There is no branch ${branch}.`);
    return sha;
  }

  /** Adds commits to a branch, each on the one before unless it has parents. */
  push(branch: string, ...commits: readonly NewCommit[]): RunStart {
    let head = this.find(`refs/heads/${branch}`);
    for (const commit of commits) {
      head = this.origin.commit({ parents: head === undefined ? [] : [head], ...commit });
    }
    return this.pushTo(branch, head ?? null);
  }

  /** Sets a branch to a commit, which may be a force push, or deletes it. */
  pushTo(branch: string, sha: string | null, actor = 'octocat'): RunStart {
    const ref = `refs/heads/${branch}`;
    const before = this.find(ref) ?? ZEROS;
    const forced =
      sha !== null && before !== ZEROS && mergeBase(this.origin, before, sha) !== before;
    this.origin.setRef(ref, sha);
    // GitHub starts the run of a deletion on the default branch.
    const run =
      sha === null
        ? { ref: 'refs/heads/main', sha: this.find('refs/heads/main') ?? '' }
        : { ref, sha };
    const flags = { created: before === ZEROS, deleted: sha === null, forced };
    return this.event('push', {
      ...run,
      actor,
      payload: { ref, before, after: sha ?? ZEROS, ...flags },
    });
  }

  tag(name: string, sha = this.tip(), { isAnnotated = false } = {}): RunStart {
    const ref = `refs/tags/${name}`;
    const before = this.find(ref) ?? ZEROS;
    const after = isAnnotated ? this.origin.annotate(name, sha) : sha;
    this.origin.setRef(ref, after);
    return this.event('push', { ref, sha, payload: { ref, before, after, deleted: false } });
  }

  /** Publishes a release, and creates its tag on `main` if there is none. */
  release(release: FakeRelease): RunStart {
    const { tag, name = tag, body = '', prerelease = false, draft = false } = release;
    const ref = `refs/tags/${tag}`;
    if (this.find(ref) === undefined) this.origin.setRef(ref, this.tip());
    this.releases.unshift(release);
    const payload = {
      action: 'published',
      release: { tag_name: tag, name, body, prerelease, draft },
    };
    return this.event('release', { ref, sha: this.find(ref) ?? '', payload });
  }

  schedule(): RunStart {
    return this.event('schedule', { payload: { schedule: '0 6 * * 1' } });
  }

  dispatch(branch = 'main'): RunStart {
    const ref = `refs/heads/${branch}`;
    return this.event('workflow_dispatch', {
      ref,
      sha: this.tip(branch),
      payload: { ref, inputs: {} },
    });
  }

  mergeGroup(sha = this.tip()): RunStart {
    const ref = `refs/heads/gh-readonly-queue/main/pr-1-${sha}`;
    const merge_group = {
      head_ref: ref,
      head_sha: sha,
      base_ref: 'refs/heads/main',
      base_sha: this.tip(),
    };
    return this.event('merge_group', {
      ref,
      sha,
      payload: { action: 'checks_requested', merge_group },
    });
  }

  /** What the runner gives a run of any event. It is on `main` unless a ref is given. */
  event(name: string, about: Partial<EventFacts> = {}): RunStart {
    this.#runs += 1;
    const { ref = 'refs/heads/main' } = about;
    const sha = this.find(ref) ?? ZEROS;
    return runStart(this, this.#runs, { name, ref, sha, actor: 'octocat', payload: {}, ...about });
  }

  /** "Re-run failed jobs". */
  rerun({ env, payload }: RunStart): RunStart {
    const attempt = Number(env['GITHUB_RUN_ATTEMPT']) + 1;
    return { env: { ...env, GITHUB_RUN_ATTEMPT: `${attempt}` }, payload };
  }

  /** Drops a commit, as GitHub does some time after a force push. */
  forget(sha: string): void {
    rmSync(this.#file(sha));
  }

  /** A later time at each call, in ISO 8601. */
  time(): string {
    this.#seconds += 1;
    return new Date(this.#seconds * 1_000).toISOString();
  }

  #file(id: string): string {
    return join(this.origin.path, 'objects', id.slice(0, 2), id.slice(2));
  }
}

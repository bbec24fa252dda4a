/** What a fake GitHub holds, what the runner gives a run, and how git merges. */
import { execFileSync } from 'node:child_process';
import { type FileContent, type Origin, plainGitEnvironment } from './origin.ts';

/** What the runner gives a run: its environment variables, and the payload of its event. */
export interface RunStart {
  readonly env: Readonly<Record<string, string>>;
  readonly payload: object;
}

export interface FakePull {
  readonly number: number;
  title: string;
  body: string;
  /** An account like `octocat` or `renovate[bot]`, or empty if it was deleted. */
  readonly author: string;
  labels: readonly string[];
  readonly branch: string;
  readonly isFromFork: boolean;
  base: string;
  state: 'open' | 'merged' | 'closed';
  head: string;
  mergeCommit: string | undefined;
  mergedAt: string | undefined;
  /** The commits that brought it to its base. */
  readonly merged: string[];
}

export interface FakeRelease {
  readonly tag: string;
  readonly name?: string;
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

export interface EventFacts {
  /** Like `push`. */
  readonly name: string;
  readonly ref: string;
  readonly sha: string;
  readonly actor: string;
  readonly payload: object;
}

/** The variables that the runner sets, for the step `docs` of the workflow job `update`. */
export function runStart(
  { repository, url, isFork }: { repository: string; url: string; isFork: boolean },
  runId: number,
  { name, ref, sha, actor, payload }: EventFacts,
): RunStart {
  const env = {
    GITHUB_ACTIONS: 'true',
    GITHUB_ACTION: 'docs',
    GITHUB_ACTOR: actor,
    GITHUB_API_URL: `${url}/api/v3`,
    GITHUB_EVENT_NAME: name,
    GITHUB_GRAPHQL_URL: `${url}/api/graphql`,
    GITHUB_JOB: 'update',
    GITHUB_REF: ref,
    GITHUB_REPOSITORY: repository,
    GITHUB_RUN_ATTEMPT: '1',
    GITHUB_RUN_ID: `${runId}`,
    GITHUB_SERVER_URL: url,
    GITHUB_SHA: sha,
    GITHUB_WORKFLOW: 'Docs',
    GITHUB_WORKFLOW_REF: `${repository}/.github/workflows/docs.yml@${ref}`,
  };
  const about = { full_name: repository, default_branch: 'main', fork: isFork };
  return { env, payload: { ...payload, repository: about } };
}

/** The last commit that both contain. */
export function mergeBase(origin: Origin, a: string, b: string): string | undefined {
  const others = origin.ancestors(b);
  const common = [...origin.ancestors(a)].filter((sha) => others.has(sha));
  const sizes = common.map((sha) => origin.ancestors(sha).size);
  return common[sizes.indexOf(Math.max(...sizes))];
}

/**
 * What a merge of `head` into `base` changes there, or what `head` changes since `from`. A file that
 * both changed is taken from `head`.
 */
export function changesOf(
  origin: Origin,
  base: string,
  head: string,
  from = mergeBase(origin, base, head) ?? base,
): Readonly<Record<string, FileContent | null>> {
  const rows = origin.git('diff-tree', '-r', '-z', '--no-renames', from, head).split('\0');
  const files: Record<string, FileContent | null> = {};
  for (let at = 0; at + 1 < rows.length; at += 2) {
    const [, mode = '', , id = ''] = (rows[at] ?? '').split(' ');
    files[rows[at + 1] ?? ''] = mode === '000000' ? null : contentOf(origin, mode, id);
  }
  return files;
}

function contentOf({ path }: Origin, mode: string, id: string): FileContent {
  if (mode === '160000') return { mode, content: id };
  const options = { cwd: path, env: plainGitEnvironment(), maxBuffer: 1e9 };
  const content = execFileSync('git', ['cat-file', 'blob', id], options);
  return mode === '100755' || mode === '120000' ? { mode, content: `${content}` } : content;
}

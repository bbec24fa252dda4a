/** What a fake GitHub holds, and what the runner gives a run. */

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

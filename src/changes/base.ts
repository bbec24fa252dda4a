import type { Comparison, GitHub, WorkflowRun } from '../github/github.ts';
import { GitHubError, SinceError, tokenAdvice, WorkflowContextError } from '../lib/errors.ts';
import { pluralize, quote } from '../lib/text.ts';
import {
  compareVersions,
  isPrerelease,
  isSameVersion,
  type Version,
  versionOf,
} from './version.ts';

/** How many tags, or commits of earlier runs, are tried as the start of the changes. */
const MAX_TRIED = 10;

/** The start of the changes, and the comparison from there to the head. */
export type FoundBase =
  | { readonly base: string; readonly comparison: Comparison }
  | { readonly kind: 'unknown'; readonly reason: string };

/**
 * The tag before `tag`. Only tags with the same text before their version count. Of those that are
 * smaller in natural order and lead to `head`, it is the greatest. A pre-release counts only when
 * `tag` is one.
 */
export async function tagBefore(github: GitHub, tag: string, head: string): Promise<FoundBase> {
  const current = versionOf(tag);
  const tags = await github.tags(current.text);
  const earlier = earlierVersions(
    current,
    isPrerelease(current),
    tags.map((name) => {
      const version = versionOf(name);
      return { tag: name, version, isPrerelease: isPrerelease(version) };
    }),
  );
  return firstAncestor(github, earlier, head, 'tag', current);
}

/**
 * The release before the one of `tag`: the rule of {@link tagBefore}, applied to the published
 * releases and with GitHub's own `prerelease` flag.
 */
export async function releaseBefore(
  github: GitHub,
  release: { readonly tag: string; readonly isPrerelease: boolean | undefined },
  head: string,
): Promise<FoundBase> {
  const current = versionOf(release.tag);
  const releases = await github.releases();
  const earlier = earlierVersions(
    current,
    release.isPrerelease ?? isPrerelease(current),
    releases.map((other) => ({ ...other, version: versionOf(other.tag) })),
  );
  return firstAncestor(github, earlier, head, 'release', current);
}

interface Candidate {
  readonly tag: string;
  readonly version: Version;
  readonly isPrerelease: boolean;
}

/** The versions before `current`, greatest first. */
function earlierVersions(
  current: Version,
  withPrereleases: boolean,
  candidates: readonly Candidate[],
): readonly Candidate[] {
  return candidates
    .filter(({ version }) => version.text === current.text)
    .filter((candidate) => withPrereleases || !candidate.isPrerelease)
    .filter(({ version }) => compareVersions(version, current) < 0)
    .sort((a, b) => compareVersions(b.version, a.version));
}

async function firstAncestor(
  github: GitHub,
  candidates: readonly Candidate[],
  head: string,
  noun: 'tag' | 'release',
  current: Version,
): Promise<FoundBase> {
  for (const { tag: base, version } of candidates.slice(0, MAX_TRIED)) {
    const comparison = await compareIfThere(github, base, head);
    if (comparison === undefined || !isAncestor(comparison)) continue;
    // `v3` and `v3.1` may have been moved to the new `v3.1.0`. Then they are other names for it.
    const isAlias = comparison.status === 'identical' && isSameVersion(version, current);
    if (!isAlias) return { base, comparison };
  }
  const { text } = current;
  const alike =
    text === '' ? '' : ` whose ${noun === 'tag' ? 'name' : 'tag'} begins with ${quote(text)}`;
  const reason =
    candidates.length === 0
      ? `there is no earlier ${noun}${alike}`
      : `no earlier ${noun}${alike} leads to this one (${pluralize(Math.min(candidates.length, MAX_TRIED), noun)} tried)`;
  return { kind: 'unknown', reason };
}

/**
 * The head commit of this workflow's last successful run on this branch, so that the changes of a
 * failed, cancelled or superseded run are not lost. Runs after this one do not count, because this
 * one may be a re-run. Neither do runs of a fork with a branch of the same name, nor commits that
 * do not lead to `head`.
 */
export async function lastSuccess(github: GitHub, head: string, since: string): Promise<FoundBase> {
  const tried = new Set<string>();
  for await (const { headSha: base } of earlierSuccesses(github, since)) {
    if (tried.has(base)) continue;
    tried.add(base);
    const comparison = await compareIfThere(github, base, head);
    if (comparison !== undefined && isAncestor(comparison)) return { base, comparison };
    if (tried.size === MAX_TRIED) break;
  }
  const reason =
    tried.size === 0
      ? 'this workflow has not succeeded on this branch before'
      : `no commit of its last ${pluralize(tried.size, 'successful run')} leads to this one`;
  return { kind: 'unknown', reason };
}

/**
 * This workflow's successful runs on this branch before the current one, newest first. Throws a
 * `SinceError` when `since` asks for them and the token may not see them.
 */
async function* earlierSuccesses(github: GitHub, since: string): AsyncGenerator<WorkflowRun> {
  const { event } = github;
  if (!Number.isSafeInteger(event.runId)) throw new WorkflowContextError('GITHUB_RUN_ID');
  const runs = runsOnThisBranch(github)[Symbol.asyncIterator]();
  for (;;) {
    const next = await runs.next().catch((error: unknown) => {
      throw withPermissionNamed(error, since);
    });
    if (next.done === true) return;
    if (next.value.headRepository === event.repository) yield next.value;
  }
}

async function* runsOnThisBranch(github: GitHub): AsyncGenerator<WorkflowRun> {
  const current = await github.run(github.event.runId);
  // Without a branch GitHub would list the runs of every branch.
  if (current.headBranch === undefined || current.headBranch === '') return;
  for await (const run of github.runs(current.workflowId, current.headBranch)) {
    if (run.runNumber < current.runNumber) yield run;
  }
}

/** Adds the permission that may be missing to the error. */
function withPermissionNamed(error: unknown, since: string): unknown {
  if (!(error instanceof GitHubError)) return error;
  const advice = tokenAdvice(error, '`actions: read` and `contents: read`');
  if (advice === undefined) return error;
  const message = `The last successful run cannot be looked up: ${error.message}. ${advice}`;
  const options = { cause: error };
  return since === 'last-success'
    ? new SinceError(`${message}.`, options)
    : new GitHubError('failed', message, options);
}

/** Whether the base of a comparison leads to its head. */
export const isAncestor = ({ status }: Comparison) => status === 'ahead' || status === 'identical';

/** The comparison, or `undefined` when GitHub does not have one of its ends. */
export async function compareIfThere(
  github: GitHub,
  base: string,
  head: string,
): Promise<Comparison | undefined> {
  try {
    return await github.compare(base, head);
  } catch (error) {
    if (error instanceof GitHubError && error.kind === 'not-found') return undefined;
    throw error;
  }
}

import type { Comparison, GitHub } from '../github/github.ts';
import { GitHubError } from '../lib/errors.ts';
import { quote } from '../lib/text.ts';
import {
  compareVersions,
  isPrerelease,
  isSameVersion,
  type Version,
  versionOf,
} from './version.ts';

/** How many tags are tried as the start of the changes when GitHub no longer knows the first ones. */
const MAX_TRIED = 10;

/** The start of the changes, and the comparison from there to the head. */
export interface FoundBase {
  readonly base: string;
  readonly comparison: Comparison;
}

export type BaseResult = FoundBase | { readonly reason: string };

/**
 * The tag before `tag`: of those with the same prefix, the greatest that is smaller in natural
 * order. A pre-release counts only when `tag` is one. The tag need not lead to `head`: many projects
 * tag on release branches.
 */
export async function tagBefore(github: GitHub, tag: string, head: string): Promise<BaseResult> {
  const current = versionOf(tag);
  const tags = await github.tags(current.prefix);
  const candidates = tags.map((name) => {
    const version = versionOf(name);
    return { tag: name, version, isPrerelease: isPrerelease(version) };
  });
  const earlier = earlierVersions(current, isPrerelease(current), candidates);
  return firstKnown(github, earlier, head, 'tag', current);
}

/**
 * The release before the one of `tag`: the rule of {@link tagBefore}, applied to the published
 * releases and with GitHub's own `prerelease` flag.
 */
export async function releaseBefore(
  github: GitHub,
  release: { readonly tag: string; readonly isPrerelease: boolean | undefined },
  head: string,
): Promise<BaseResult> {
  const current = versionOf(release.tag);
  const releases = await github.releases();
  const earlier = earlierVersions(
    current,
    release.isPrerelease ?? isPrerelease(current),
    releases.map((other) => ({ ...other, version: versionOf(other.tag) })),
  );
  return firstKnown(github, earlier, head, 'release', current);
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
    .filter(({ version }) => version.prefix === current.prefix)
    .filter((candidate) => withPrereleases || !candidate.isPrerelease)
    .filter(({ version }) => compareVersions(version, current) < 0)
    .sort((a, b) => compareVersions(b.version, a.version));
}

/** The first that GitHub still has, and that is not another name of the version on its commit. */
async function firstKnown(
  github: GitHub,
  candidates: readonly Candidate[],
  head: string,
  noun: 'tag' | 'release',
  current: Version,
): Promise<BaseResult> {
  let isAnyGone = false;
  for (const { tag: base, version } of candidates.slice(0, MAX_TRIED)) {
    const comparison = await compareIfThere(github, base, head);
    isAnyGone ||= comparison === undefined;
    // `v3` and `v3.1` may have been moved to the new `v3.1.0`. Then they are other names for it.
    const isAlias = comparison?.status === 'identical' && isSameVersion(version, current);
    if (comparison !== undefined && !isAlias) return { base, comparison };
  }
  if (isAnyGone) await checkHead(github, head);
  const { prefix } = current;
  const alike =
    prefix === '' ? '' : ` whose ${noun === 'tag' ? 'name' : 'tag'} begins with ${quote(prefix)}`;
  return { reason: `there is no earlier ${noun}${alike}` };
}

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

/**
 * Throws a `GitHubError` when GitHub does not show the head either. Then the token may not read the
 * repository: GitHub answers that with 404, too.
 */
export async function checkHead(github: GitHub, head: string): Promise<void> {
  if (await github.hasCommit(head)) return;
  const message = `GitHub does not show commit ${quote(head)} of ${quote(github.event.repository)} (HTTP 404)`;
  throw new GitHubError('not-found', message);
}

import type { Comparison, GitHub } from '../github/github.ts';
import { badStart, GitHubError, isNotFound } from '../lib/errors.ts';
import { quote } from '../lib/text.ts';
import { compareVersions, isPrerelease, isSameVersion, versionOf } from './version.ts';

/** How many tags are tried as the start of the changes when GitHub no longer knows the first ones. */
const MAX_TRIED = 10;

/** The start of the changes, the comparison from there to the head, and what to say about them. */
export interface Found {
  readonly base: string;
  readonly comparison: Comparison;
  readonly gaps?: readonly string[];
  readonly notes?: readonly string[];
  /** The list of files is not one of a comparison. */
  readonly isWhole?: boolean;
}

export interface NotFound {
  readonly reason: string;
  readonly isFirstRun?: boolean;
}

interface Named {
  readonly tag_name: string;
  /** GitHub's own flag. Without it, the tag tells. */
  readonly prerelease?: boolean | undefined;
}

/**
 * The tag before `tag`: of those with the same prefix, the greatest that is smaller in natural
 * order. A pre-release counts only when `tag` is one. The tag need not lead to `head`: many projects
 * tag on release branches.
 */
export async function tagBefore(
  github: GitHub,
  tag: string,
  head: string,
): Promise<Found | NotFound> {
  const tags = await github.tags(versionOf(tag).prefix);
  const others = tags.map((tag_name) => ({ tag_name }));
  return firstBefore(github, 'tag', { tag_name: tag }, others, head);
}

/** The release before the one of `release.tag_name`: the rule of {@link tagBefore}, for published ones. */
export async function releaseBefore(
  github: GitHub,
  release: Named,
  head: string,
): Promise<Found | NotFound> {
  return firstBefore(github, 'release', release, await github.releases(), head);
}

async function firstBefore(
  github: GitHub,
  noun: 'tag' | 'release',
  named: Named,
  others: readonly Named[],
  head: string,
): Promise<Found | NotFound> {
  const current = candidateOf(named);
  const { prefix } = current.version;
  const earlier = others
    .map(candidateOf)
    .filter(({ version }) => version.prefix === prefix)
    .filter((other) => current.isPrerelease || !other.isPrerelease)
    .filter(({ version }) => compareVersions(version, current.version) < 0)
    .sort((a, b) => compareVersions(b.version, a.version));
  let isAnyGone = false;
  for (const { tag: base, version } of earlier.slice(0, MAX_TRIED)) {
    const comparison = await compareIfThere(github, base, head);
    isAnyGone ||= comparison === undefined;
    // `v3` and `v3.1` may have been moved to the new `v3.1.0`. Then they are other names for it.
    const isAlias = comparison?.status === 'identical' && isSameVersion(version, current.version);
    if (comparison !== undefined && !isAlias) return { base, comparison };
  }
  if (isAnyGone) await checkHead(github, head);
  const alike =
    prefix === '' ? '' : ` whose ${noun === 'tag' ? 'name' : 'tag'} begins with ${quote(prefix)}`;
  return { reason: `there is no earlier ${noun}${alike}` };
}

function candidateOf({ tag_name: tag, prerelease }: Named) {
  const version = versionOf(tag);
  return { tag, version, isPrerelease: prerelease ?? isPrerelease(version) };
}

/**
 * The comparison, or `undefined` when GitHub does not have one of its ends. Throws a `RunError` when
 * both have nothing in common.
 */
export async function compareIfThere(
  github: GitHub,
  base: string,
  head: string,
): Promise<Comparison | undefined> {
  try {
    return await github.compare(base, head);
  } catch (error) {
    if (!isNotFound(error)) throw error;
    // GitHub's words for commits of unrelated histories, which it shows both.
    if (!/no common ancestor/i.test(error.message)) return undefined;
    throw badStart(
      `${quote(base)} and ${quote(head)} have no commit in common, so GitHub cannot compare them. Name another start in \`since\`. No prompt was sent.`,
    );
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

/** Orders the tags or releases before a given one by their versions. */
import type { Tag } from '../../github/event.ts';
import { compareVersions, isPrerelease, type Version, versionOf } from './version.ts';

interface VersionedTag {
  readonly name: string;
  readonly version: Version;
  readonly isPrerelease: boolean;
}

/** How many tags or releases to try as the start when GitHub no longer has the first ones. */
const MAX_TAGS_TRIED = 10;

/**
 * Returns the tags that may be the start of the changes of `tag`, greatest first: those with the
 * same prefix that are smaller in natural order. A pre-release counts only before another
 * pre-release. Keeps at most ten in order, because a repository may have tens of thousands of tags.
 */
export function tagsBefore(tag: Tag, others: readonly Tag[]): readonly VersionedTag[] {
  const current = versionedTag(tag);
  const greatest: VersionedTag[] = [];
  for (const one of others) {
    const other = versionedTag(one);
    const { version } = other;
    if (version.prefix !== current.version.prefix) continue;
    if (other.isPrerelease && !current.isPrerelease) continue;
    if (compareVersions(version, current.version) >= 0) continue;
    const last = greatest.findLastIndex((kept) => compareVersions(kept.version, version) >= 0);
    greatest.splice(last + 1, 0, other);
    if (greatest.length > MAX_TAGS_TRIED) greatest.pop();
  }
  return greatest;
}

/** Adds the version to a tag. A release has its own flag for a pre-release. */
export function versionedTag({ tag_name: name, prerelease }: Tag): VersionedTag {
  const version = versionOf(name);
  return { name, version, isPrerelease: prerelease ?? isPrerelease(version) };
}

/** A tag parsed as a version: `v1.2.0`, `@acme/h3@1.0.0-rc.1`, `REL_15_9`, `release-2024-02-01`. */
export interface Version {
  readonly prefix: string;
  /** Digits with dots or underscores between them. Empty if the tag isn't a version. */
  readonly number: string;
  /** What follows: a pre-release part, build metadata, a word for a final version, or nothing. */
  readonly suffix: string;
}

/** The first number that stands alone (`10` in `h3-10`) or has several parts (`9.4` in `REL9.4`). */
const VERSION = /^(.*?(?:(?<![\p{L}\d.])[vV]?|(?<=\p{L})(?=\d+[._]\d)))(\d+(?:[._]\d+)*)(.*)$/su;
const FIRST_DIGITS = /^(\D*)(\d+(?:[._]\d+)*)(.*)$/s;
/** GitHub refuses longer refs. */
const MAX_TAG_LENGTH = 255;

/** What ends in `/` or `@` is the name of a package, whatever numbers it has. */
export function versionOf(tag: string): Version {
  const at = Math.max(tag.lastIndexOf('/'), tag.lastIndexOf('@')) + 1;
  const rest = tag.slice(at);
  const isShort = tag.length <= MAX_TAG_LENGTH;
  const match = isShort ? (VERSION.exec(rest) ?? FIRST_DIGITS.exec(rest)) : null;
  const [, before = rest, number = '', suffix = ''] = match ?? [];
  return { prefix: tag.slice(0, at) + before, number, suffix };
}

const FINAL_WORD = /^(?:ga|final|release|stable|lts|sp|p|post|patch|hotfix|v)$/i;

/** Any other word after the number marks a pre-release, and `-0`: https://semver.org/#spec-item-9 */
function isPrerelease({ suffix }: Version): boolean {
  const [part = ''] = suffix.split('+', 1);
  const words = part.match(/\p{L}+/gu) ?? [];
  return words.some((word) => !FINAL_WORD.test(word)) || /^-\d+$/.test(part);
}

let collator: Intl.Collator | undefined;

/** Negative when `a` is before `b`. A pre-release is before the final version with its number. */
function compareVersions(a: Version, b: Version): number {
  // Making it takes 10 ms.
  collator ??= new Intl.Collator('en', { numeric: true });
  const { compare } = collator;
  return (
    compare(a.number.replaceAll('_', '.'), b.number.replaceAll('_', '.')) ||
    Number(isPrerelease(b)) - Number(isPrerelease(a)) ||
    compare(a.suffix, b.suffix)
  );
}

/**
 * Whether a tag of the same commit is another name for a version: `3` and `3.1` for `3.1.4`, and,
 * for a final version, the pre-releases of its number.
 */
export const isAliasOf = (alias: Version, version: Version): boolean =>
  `${version.number}.`.startsWith(`${alias.number}.`) &&
  (alias.suffix === version.suffix || !isPrerelease(version));

/** Without GitHub's own flag for a pre-release, the tag's name decides. */
export interface VersionTag {
  readonly tag: string;
  readonly isPrerelease?: boolean | undefined;
}

/**
 * Of the tags with the same text before their version (or else the same words), the greatest that is
 * smaller. A final version looks at pre-releases only if there is no final one. The tag need not be
 * an ancestor: many projects tag on release branches. `compared` are all tags with the same words.
 */
export function tagBefore(current: VersionTag, others: readonly VersionTag[]) {
  const now = parsed(current);
  const words = wordsOf(now);
  const alike = others.map(parsed).filter((one) => one.number !== '' && wordsOf(one) === words);
  const smaller = alike.filter((one) => compareVersions(one, now) < 0);
  const closest = preferred(smaller, (one) => one.prefix === now.prefix);
  const [first, ...more] = preferred(closest, (one) => now.isPrerelease || !one.isPrerelease);
  const before = first && more.reduce((a, b) => (compareVersions(a, b) < 0 ? b : a), first).tag;
  return { before, compared: alike.map(({ tag }) => tag) };
}

function parsed({ tag, isPrerelease: flag }: VersionTag) {
  const version = versionOf(tag);
  return { ...version, tag, isPrerelease: flag ?? isPrerelease(version) };
}

/** Projects change between `v`, `v.`, `V`, and nothing, and between `lib@` and `lib-v`. */
function wordsOf({ prefix }: Version): string {
  const words = prefix.toLowerCase().match(/[\p{L}\d]+/gu) ?? [];
  return words.filter((word) => word !== 'v').join(' ');
}

function preferred<T>(all: readonly T[], isPreferred: (one: T) => boolean): readonly T[] {
  const some = all.filter(isPreferred);
  return some.length > 0 ? some : all;
}

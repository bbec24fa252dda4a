/** The order of tags: `v1.2.0`, `@acme/h3@1.0.0-rc.1`, `REL_15_9`, `release-2024-02-01`. */

/** Without GitHub's own flag for a pre-release, the tag's name decides. */
export interface VersionTag {
  readonly tag: string;
  readonly isPrerelease?: boolean | undefined;
  /** Whether it is at the commit of the tag that is looked for. */
  readonly isHere?: boolean;
}

/** The first number that stands alone (`10` in `h3-10`) or has several parts (`9.4` in `REL9.4`). */
const VERSION = /^(.*?(?:(?<![\p{L}\d.])[vV]?|(?<=\p{L})(?=\d+[._]\d)))(\d+(?:[._]\d+)*)(.*)$/su;
const FIRST_DIGITS = /^(\D*)(\d+(?:[._]\d+)*)(.*)$/s;
/** GitHub refuses longer refs. */
const MAX_TAG_LENGTH = 255;

/** `number` is empty if the tag is no version. What ends in `/` or `@` is the name of a package. */
function versionOf(tag: string) {
  const at = Math.max(tag.lastIndexOf('/'), tag.lastIndexOf('@')) + 1;
  const rest = tag.length > MAX_TAG_LENGTH ? '' : tag.slice(at);
  const [, before = rest, number = '', suffix = ''] =
    VERSION.exec(rest) ?? FIRST_DIGITS.exec(rest) ?? [];
  return { prefix: tag.slice(0, at) + before, number, suffix };
}

const FINAL_WORD = /^(?:ga|final|release|stable|lts|sp|p|post|patch|hotfix|v)$/i;

/** Any other word after the number marks a pre-release, and `-0`: https://semver.org/#spec-item-9 */
function isPrereleaseSuffix(suffix: string): boolean {
  const [part = ''] = suffix.split('+', 1);
  const words = part.match(/\p{L}+/gu) ?? [];
  return words.some((word) => !FINAL_WORD.test(word)) || /^-\d+$/.test(part);
}

/**
 * Of the tags with the same text before their version (or else the same words), the greatest that is
 * smaller. A final version looks at pre-releases only if there is no final one. The tag need not be
 * an ancestor: many projects tag on release branches. `compared` are all tags with the same words.
 */
export function tagBefore(current: VersionTag, others: readonly VersionTag[]) {
  // Making it takes 10 ms.
  const { compare } = new Intl.Collator('en', { numeric: true });
  const order = (a: ParsedTag, b: ParsedTag) =>
    compare(a.number.replaceAll('_', '.'), b.number.replaceAll('_', '.')) ||
    Number(b.isPrereleaseByName) - Number(a.isPrereleaseByName) ||
    compare(a.suffix, b.suffix);
  const now = parsed(current);
  // `v3` and `v3.1` may have moved to the new `v3.1.0`, and are then just other names for it, as is
  // its release candidate.
  const isAlias = ({ isHere, number, suffix }: ParsedTag) =>
    isHere === true &&
    `${now.number}.`.startsWith(`${number}.`) &&
    (suffix === now.suffix || !now.isPrereleaseByName);
  const alike = others
    .map(parsed)
    .filter((one) => one.number !== '' && one.words === now.words && !isAlias(one));
  const smaller = alike.filter((one) => order(one, now) < 0);
  const closest = preferred(smaller, (one) => one.prefix === now.prefix);
  const eligible = preferred(closest, (one) => now.isPrerelease || !one.isPrerelease);
  return { before: eligible.toSorted(order).at(-1)?.tag, compared: alike.map(({ tag }) => tag) };
}

type ParsedTag = ReturnType<typeof parsed>;

function parsed({ isPrerelease, ...given }: VersionTag) {
  const version = versionOf(given.tag);
  const isPrereleaseByName = isPrereleaseSuffix(version.suffix);
  // Projects change between `v`, `v.`, `V`, and nothing, and between `lib@` and `lib-v`.
  const words = version.prefix.toLowerCase().match(/[\p{L}\d]+/gu) ?? [];
  return {
    ...given,
    ...version,
    words: words.filter((word) => word !== 'v').join(' '),
    isPrereleaseByName,
    isPrerelease: isPrerelease ?? isPrereleaseByName,
  };
}

function preferred<T>(all: readonly T[], isPreferred: (one: T) => boolean): readonly T[] {
  const some = all.filter(isPreferred);
  return some.length > 0 ? some : all;
}

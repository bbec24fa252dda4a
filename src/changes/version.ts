/** A tag parsed as a version: `v1.2.0`, `@acme/h3@1.0.0-rc.1`, `release-2024-02-01`, `REL_15_9`. */
export interface Version {
  readonly prefix: string;
  /** Groups of digits with dots, with underscores, or (in a date) with hyphens between them. */
  readonly number: string;
  /** What follows: a pre-release part, build metadata, a word for a final version, or nothing. */
  readonly suffix: string;
}

/** A word that neither of these lists has marks a pre-release as well. */
const PRERELEASE_WORDS =
  'alpha|beta|rc|cr|pre|preview|prerelease|dev|snapshot|next|canary|nightly|milestone|eap|ea|insiders?|experimental|test|unstable';
const NAMES_OF_FINALS = 'ga|release|final|stable|lts|jre|android';
/** Words after a final version, mostly with a number: service packs, patches, a time. */
const FOLLOW_UPS = 'sp|sr|p|pl|patch|post|hotfix|r|rev|u|update|v|t|z|incubating';
const FINAL_WORDS = new RegExp(`^(?:${NAMES_OF_FINALS}|${FOLLOW_UPS})$`, 'i');
const PLAIN_FINAL = new RegExp(`^(?:${NAMES_OF_FINALS})$`, 'i');
const KNOWN_WORD = new RegExp(
  `^[-_.~]?(?:(?:${PRERELEASE_WORDS}|${NAMES_OF_FINALS}|sp|sr|pl|patch|post)(?!\\p{L})|[abcmpr]\\d+$)`,
  'iu',
);

const DATE = String.raw`(?:19|20)\d\d-(?:\d\d?-\d\d?|0[1-9]|1[0-2])(?!\d)(?:\.\d+)*`;
const NUMBER = String.raw`${DATE}|\d+(?:_\d+)+|\d+(?:\.\d+)*`;
const SUFFIX = String.raw`(?:[-+~_.]?[\p{L}+]|[-_]\d)[^@/]*`;
const VERSION = new RegExp(`^(?<number>${NUMBER})(?<suffix>(?:${SUFFIX})?)$`, 'su');
const FIRST_NUMBER = /^(\D*)(\d+(?:\.\d+)*)(.*)$/s;

/** Parsing longer names would take a while. */
const MAX_TAG_LENGTH = 128;

/**
 * A version begins at the first place from which the rest of the tag reads as one, or else at the
 * first digit. A number alone can be part of a name (`h3-10`, `k8s-1.28.0`).
 */
export function versionOf(tag: string): Version {
  if (tag.length > MAX_TAG_LENGTH) return { prefix: tag, number: '', suffix: '' };
  for (const { index } of tag.matchAll(/(?<=^|[\p{L}@/_.-])\d/gu)) {
    const { number = '', suffix = '' } = VERSION.exec(tag.slice(index))?.groups ?? {};
    const version = { prefix: tag.slice(0, index), number, suffix };
    if (number !== '' && isCredible(version)) return version;
  }
  const [, prefix = tag, number = '', suffix = ''] = FIRST_NUMBER.exec(tag) ?? [];
  return { prefix, number, suffix };
}

const DATE_LENGTH = '20240205'.length;

function isCredible({ prefix, number, suffix }: Version): boolean {
  if (/\D/.test(number)) return true;
  const isMarked = /(?:^|[@/_.-])v$|^$/i.test(prefix);
  // `86` in `v3-x86` isn't a version.
  if (!isMarked && /\d.*\p{L}$/su.test(prefix)) return false;
  if (suffix === '' || suffix.startsWith('+')) return true;
  if (/\d\.\d/.test(suffix)) return false;
  const isSeparated = /^[-~_.]/.test(suffix) && (isMarked || number.length >= DATE_LENGTH);
  return KNOWN_WORD.test(suffix) || isSeparated;
}

/**
 * Whether a word follows the number, other than those of final versions (`-GA`, `.Final`, `-jre`).
 * `-0` after three numbers also marks a pre-release: https://semver.org/#spec-item-9
 */
export function isPrerelease({ number, suffix }: Version): boolean {
  const [part = ''] = suffix.split('+', 1);
  const words = part.match(/\p{L}+/gu);
  if (words !== null) return !words.every((word) => FINAL_WORDS.test(word));
  return /^-\d+$/.test(part) && /^\d+\.\d+\.\d+$/.test(number);
}

/** Negative when `a` is before `b`. A pre-release is before the final version with its number. */
export function compareVersions(a: Version, b: Version): number {
  return (
    compareNaturally(plainNumber(a), plainNumber(b)) ||
    Number(isPrerelease(b)) - Number(isPrerelease(a)) ||
    compareNaturally(plainSuffix(a), plainSuffix(b))
  );
}

/**
 * Whether `alias` can be another name for `version`: `3` and `3.1` for `3.1.4`, and `3.1` for
 * `3.1.0` in both directions. Projects move such tags along.
 */
export function isAliasOf(alias: Version, version: Version): boolean {
  const parts = (number: string) => number.replace(/(\.0+)+$/, '').split('.');
  const [short, long] = [parts(plainNumber(alias)), parts(plainNumber(version))];
  const number = long.slice(0, short.length).join('.');
  const beginning = { ...version, number };
  return compareVersions({ ...alias, number: short.join('.') }, beginning) === 0;
}

const plainNumber = ({ number }: Version) => number.replace(/[_-]/g, '.');

function plainSuffix({ suffix }: Version): string {
  const plain = suffix.replace(/^[-_.~]/, '').toLowerCase();
  return PLAIN_FINAL.test(plain) ? '' : plain;
}

/** Compares texts, with runs of digits of any length compared as numbers: `9` before `10`. */
function compareNaturally(a: string, b: string): number {
  const left = runsOf(a);
  const right = runsOf(b);
  for (const [index, run] of left.entries()) {
    const other = right[index] ?? '';
    const areNumbers = /^\d/.test(run) && /^\d/.test(other);
    const order = areNumbers ? compare(BigInt(run), BigInt(other)) : compare(run, other);
    if (order !== 0) return order;
  }
  return left.length - right.length;
}

const runsOf = (text: string): readonly string[] => text.match(/\d+|\D+/g) ?? [];
const compare = <T extends string | bigint>(a: T, b: T) => (a < b ? -1 : a > b ? 1 : 0);

/** Without GitHub's own flag for a pre-release, the tag's name decides. */
interface VersionTag {
  readonly tag: string;
  readonly isPrerelease?: boolean | undefined;
}

/**
 * Of the tags with the same text before their version, the greatest that is smaller. A final version
 * looks only at final ones. It need not be an ancestor: many projects tag on release branches.
 */
export function tagBefore(current: VersionTag, others: Iterable<VersionTag>): string | undefined {
  const now = parsed(current);
  let greatest: ReturnType<typeof parsed> | undefined;
  for (const tag of others) {
    const other = parsed(tag);
    if (other.version.prefix !== now.version.prefix) continue;
    if (other.isPrerelease && !now.isPrerelease) continue;
    if (compareVersions(other.version, now.version) >= 0) continue;
    if (greatest === undefined || compareVersions(other.version, greatest.version) > 0) {
      greatest = other;
    }
  }
  return greatest?.tag;
}

function parsed({ tag, isPrerelease: flag }: VersionTag) {
  const version = versionOf(tag);
  return { tag, version, isPrerelease: flag ?? isPrerelease(version) };
}

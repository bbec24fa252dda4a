/**
 * Versions in the names of tags, as maintainers write them: `v1.2.0`, `@acme/h3@1.0.0-rc.1`,
 * `cli/v2`, `go1.22`, `release-3`.
 */
export interface Version {
  /** The text before the version. Tags with the same text name versions of the same thing. */
  readonly text: string;
  /** The part of numbers and dots. */
  readonly number: string;
  /** What follows: a pre-release part, build metadata, or nothing. */
  readonly rest: string;
}

/**
 * The version in a tag. It begins after the last `@`, `/` or `-` that is directly followed by a
 * digit, or by a `v` and a digit. From there it must be numbers and dots up to a pre-release part;
 * otherwise it begins at the first digit.
 */
export function versionOf(tag: string): Version {
  const separated = /^(?<text>.*[@/-]v?)(?=\d)(?<version>.*)$/su.exec(tag)?.groups;
  if (separated !== undefined) {
    const { text = '', version = '' } = separated;
    const parts = /^(?<number>\d+(?:\.\d+)*)(?<rest>(?:[-+~_.]?[\p{L}+].*)?)$/su.exec(version);
    if (parts?.groups !== undefined && !/[@/]/.test(version)) return { text, ...partsOf(version) };
  }
  const start = tag.search(/\d/);
  if (start === -1) return { text: tag, number: '', rest: '' };
  return { text: tag.slice(0, start), ...partsOf(tag.slice(start)) };
}

function partsOf(version: string) {
  const number = /^\d+(?:\.\d+)*/.exec(version)?.[0] ?? '';
  return { number, rest: version.slice(number.length) };
}

/** Whether a letter follows the digits (`-rc.1`, `beta2`); what follows a `+` does not count. */
export function isPrerelease({ rest }: Version): boolean {
  return /\p{L}/u.test(rest.split('+', 1)[0] ?? '');
}

/**
 * Below zero when `a` comes before `b`: in natural order, and a pre-release before the final
 * version of the same number.
 */
export function compareVersions(a: Version, b: Version): number {
  const byNumber = compareNaturally(a.number, b.number);
  if (byNumber !== 0) return byNumber;
  const byKind = Number(isPrerelease(b)) - Number(isPrerelease(a));
  return byKind !== 0 ? byKind : compareNaturally(a.rest, b.rest);
}

/** Whether two versions are the same, as `3.1` and `3.1.0` are. */
export function isSameVersion(a: Version, b: Version): boolean {
  const shortest = ({ number, rest }: Version) => `${number.replace(/(\.0+)+$/, '')} ${rest}`;
  return shortest(a) === shortest(b);
}

/** Compares texts with their runs of digits taken as numbers: `9` comes before `10`. */
function compareNaturally(a: string, b: string): number {
  const [left, right] = [runsOf(a), runsOf(b)];
  for (const [index, run] of left.entries()) {
    const other = right[index];
    if (other === undefined) return 1;
    const isNumber = /^\d/.test(run) && /^\d/.test(other);
    const order = isNumber ? compareNumbers(run, other) : compareTexts(run, other);
    if (order !== 0) return order;
  }
  return left.length - right.length;
}

const runsOf = (text: string): readonly string[] => text.match(/\d+|\D+/g) ?? [];

/** The numbers may have any length, so they are not parsed as JavaScript numbers. */
function compareNumbers(a: string, b: string): number {
  const [left, right] = [a.replace(/^0+/, ''), b.replace(/^0+/, '')];
  return left.length - right.length || compareTexts(left, right);
}

const compareTexts = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0);

/** Lists the commits with what their messages and pull requests say. */
import type { CodePull } from '../github/pull-requests.ts';
import { cut, linesOf } from '../text/escape.ts';
import { pluralize } from '../text/words.ts';
import {
  beginningOf,
  bytesOf,
  firstLineOf,
  firstOf,
  indented,
  lineBytes,
  oneLine,
  quoted,
  readable,
  shareOf,
  withoutMarkup,
} from './lines.ts';
import type { RangeCommit } from './skip.ts';

const MAX_BYTES = 50_000;
const MAX_SUBJECT_LENGTH = 500;
const MAX_AUTHOR_LENGTH = 100;
const MAX_DESCRIPTION_LENGTH = 2_000;

/** Matches a login, or the author's name if GitHub knows no account. All others count as people. */
const BOT = /^(?:dependabot|renovate|github-actions|pre-commit-ci)(?:\[bot\])?$/i;
/** GitHub writes the dashes above the trailers of a squashed pull request. */
const TRAILER = /^[ \t]{0,20}(?:[a-z][a-z-]{0,50}-by: |change-id: |\(cherry picked from |-{9}$)/i;

const INDENT = '    ';

/**
 * At most `maxBytes` or 50 kB: cuts all bodies and descriptions to one length, then leaves out the
 * oldest commits. `described` is the number of the pull request that is described elsewhere.
 */
export function commitLines(
  commits: readonly RangeCommit[],
  described: number | undefined,
  maxBytes: number,
) {
  const telling = commits.filter(({ isRedundant }) => !isRedundant);
  const bots = telling.filter(isBots);
  const others = telling.filter((commit) => !isBots(commit));
  const botLines = bots.slice(0, 1).map((commit) => {
    const example = quoted(firstLineOf(commit.message), MAX_SUBJECT_LENGTH);
    return `- ${pluralize(bots.length, 'commit')} by bots, such as ${example}`;
  });
  const room = Math.min(MAX_BYTES, maxBytes) - bytesOf([...botLines, olderLine(others.length)]);
  const newest = firstOf(others.toReversed(), (commit) => lineBytes(entryLine(commit)), room);
  const shown = newest.toReversed();
  const older = others.length - shown.length;
  const entries = entriesOf(
    shown.filter(({ isSkipped }) => !isSkipped),
    described,
  );
  const length = shareOf(
    entries.flatMap(({ texts }) => texts.map(bytesOf)),
    room - bytesOf(shown.map(entryLine)),
  );
  const needed = [
    ...(older > 0 ? [olderLine(older)] : []),
    ...entries.flatMap(({ line, texts }) => [
      line,
      ...texts.flatMap((text) => beginningOf(text, length)),
    ]),
    ...botLines,
  ];
  return { needed, skipped: shown.filter(({ isSkipped }) => isSkipped).map(entryLine) };
}

const olderLine = (count: number) => `- ${pluralize(count, 'older commit')}`;

const entryLine = (commit: RangeCommit) =>
  `- ${commit.sha.slice(0, 12)} ${oneLine(firstLineOf(commit.message), MAX_SUBJECT_LENGTH)}`;

const isBots = ({ author, authorName, isSkipped }: RangeCommit) =>
  !isSkipped && BOT.test(author ?? authorName);

function entriesOf(commits: readonly RangeCommit[], described: number | undefined) {
  const known = new Set([described]);
  return commits.map((commit) => {
    const { pull } = commit;
    const body = bodyOf(commit);
    const isFirst = pull !== undefined && !known.has(pull.number);
    known.add(pull?.number);
    const description = isFirst ? descriptionLines(pull, firstLineOf(commit.message), body) : [];
    return { line: entryLine(commit), texts: [indented(body, INDENT), description] };
  });
}

/** A squash merge copies the description into it, with its comments and task lists. */
function bodyOf({ message }: RangeCommit): string {
  const [, ...lines] = linesOf(readable(message));
  return withoutMarkup(lines.filter((line) => !TRAILER.test(line)).join('\n'));
}

/** The pull request with its description, unless the commit says the same. */
function descriptionLines(
  { number, title, author = 'ghost', body: description }: CodePull,
  subject: string,
  body: string,
): readonly string[] {
  const text = withoutMarkup(readable(description));
  const isRepeated = squeezed(body).includes(squeezed(text));
  if (isRepeated && subject.startsWith(title.trim())) return [];
  const by = oneLine(author, MAX_AUTHOR_LENGTH);
  const line = `${INDENT}pull request #${number} ${quoted(title, MAX_SUBJECT_LENGTH)} by ${by}`;
  if (isRepeated) return [line];
  return [`${line}:`, ...indented(cut(text, MAX_DESCRIPTION_LENGTH), INDENT + INDENT)];
}

/** A squash merge may wrap the lines of a description. */
const squeezed = (text: string) => text.replace(/\s+/g, ' ');

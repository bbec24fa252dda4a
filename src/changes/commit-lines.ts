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
const BOT_LOGIN = /^(?:dependabot|renovate|github-actions|pre-commit-ci)(?:\[bot\])?$/i;
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
  const bots = telling.filter(isByBot);
  const example = quoted(firstLineOf(bots[0]?.message ?? ''), MAX_SUBJECT_LENGTH);
  const botLine = `- ${pluralize(bots.length, 'commit')} by bots, such as ${example}`;
  const botLines = bots.length > 0 ? [botLine] : [];
  const people = telling.filter((commit) => !isByBot(commit));
  const room = Math.min(MAX_BYTES, maxBytes) - bytesOf([...botLines, olderLine(people.length)]);
  const newest = firstOf(people.toReversed(), (commit) => lineBytes(entryLine(commit)), room);
  const shown = newest.toReversed();
  const older = people.length - shown.length;
  const olderLines = older > 0 ? [olderLine(older)] : [];
  const skipped = shown.filter(({ isSkipped }) => isSkipped).map(entryLine);
  const needed = shown.filter(({ isSkipped }) => !isSkipped);
  const texts = textsOf(needed, described);
  const length = shareOf(texts.flat().map(bytesOf), room - bytesOf(shown.map(entryLine)));
  const entries = needed.flatMap((commit, index) => [
    entryLine(commit),
    ...(texts[index] ?? []).flatMap((text) => beginningOf(text, length)),
  ]);
  return { needed: [...olderLines, ...entries, ...botLines], skipped };
}

const olderLine = (count: number) => `- ${pluralize(count, 'older commit')}`;

const entryLine = ({ sha, message }: RangeCommit) =>
  `- ${sha.slice(0, 12)} ${oneLine(firstLineOf(message), MAX_SUBJECT_LENGTH)}`;

const isByBot = ({ author, authorName, isSkipped }: RangeCommit) =>
  !isSkipped && BOT_LOGIN.test(author ?? authorName);

/** The body of each commit, and the description of its pull request if it is the first one of it. */
function textsOf(commits: readonly RangeCommit[], described: number | undefined) {
  const numbers = new Set([described]);
  return commits.map(({ message, pull }) => {
    const body = bodyOf(message);
    const isFirst = pull !== undefined && !numbers.has(pull.number);
    numbers.add(pull?.number);
    const description = isFirst ? descriptionLines(pull, firstLineOf(message), body) : [];
    return [indented(body, INDENT), description];
  });
}

/** A squash merge copies the description into it, with its comments and task lists. */
function bodyOf(message: string): string {
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

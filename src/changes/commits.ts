import type { Commit } from '../github/github.ts';
import { cut, escapeInvisible, escapeInvisibleInLines, linesOf } from '../lib/text.ts';
import { bytes, portionOf, type Sharer, shareRoom } from './room.ts';

const MAX_SUBJECT_LENGTH = 200;
const MAX_BODY_LENGTH = 500;
/** Of a longer message the rest is not read. */
const MAX_MESSAGE_LENGTH = 5_000;

/** The commits that fit, each as its subject and, indented below it, its body. */
export function commitLines(commits: readonly Commit[], maxBytes: number) {
  const portions = shareRoom(commits.map(commitSharer), maxBytes);
  return { lines: portions.flatMap(({ lines }) => lines), count: portions.length };
}

/** A commit whose body may be cut, but not its subject. */
function commitSharer({ sha, commit: { message } }: Commit): Sharer {
  const all = linesOf(message.slice(0, MAX_MESSAGE_LENGTH));
  const [title = '', ...rest] = withoutTrailers(all);
  const subject = cut(escapeInvisible(title), MAX_SUBJECT_LENGTH);
  const line = `- ${escapeInvisible(sha.slice(0, 12))} ${subject}`;
  const body = indented(rest.join('\n'), MAX_BODY_LENGTH).text;
  const withBody = (text: string) => (text === '' ? [line] : [line, ...text.split('\n')]);
  const minBytes = portionOf([line]).bytes;
  const cutTo = (maxBytes: number) => {
    const room = new Uint8Array(Math.max(0, maxBytes - minBytes - 1 - bytes('…')));
    const part = body.slice(0, new TextEncoder().encodeInto(body, room).read).trimEnd();
    return portionOf(withBody(part === '' ? '' : `${part}…`), true);
  };
  return { minBytes, whole: portionOf(withBody(body)), cutTo };
}

/** A text whose lines are all indented, so that none can be taken for a line of the block itself. */
export function indented(text: string, maxLength: number) {
  const shown = escapeInvisibleInLines(text)
    .replace(/^[ \t]+$/gm, '')
    .replace(/\n{3,}/g, '\n\n')
    .replace(/^\n+/, '')
    .trimEnd();
  const isCut = shown.length > maxLength;
  return { text: cut(shown, maxLength).replace(/^(?=.)/gm, '    '), isCut };
}

const GENERATED_BY_GIT = /^(?:Signed-off-by: |\(cherry picked from commit )/;
const TRAILER = /^(?<name>[A-Za-z0-9-]+)[ \t]*:/;
const CONTINUATION = /^[ \t]/;
/** GitHub writes it above the trailers of a squashed pull request. */
const ABOVE_TRAILERS = '-'.repeat(9);
const isBlank = (line: string) => /^[ \t]*$/.test(line);

/**
 * The lines of a message without its trailers, such as `Signed-off-by: …`. Of what git calls a
 * trailer, only names with a hyphen are taken out: `feat: …` (the title of a merged pull request),
 * `Note: …` and `BREAKING-CHANGE: …` are trailers to git as well, but they say what changed.
 * https://git-scm.com/docs/git-interpret-trailers
 */
export function withoutTrailers(lines: readonly string[]): readonly string[] {
  const start = trailersStart(lines);
  let isDropped = false;
  const kept = lines.filter((line, index) => {
    if (index < start) return true;
    // A trailer may go on in indented lines.
    if (!CONTINUATION.test(line)) {
      const { name = '' } = TRAILER.exec(line)?.groups ?? {};
      isDropped = name.includes('-') && name !== 'BREAKING-CHANGE';
    }
    return !isDropped;
  });
  const last = kept.findLastIndex((line) => !isBlank(line));
  return kept[last] === ABOVE_TRAILERS ? kept.slice(0, last) : kept;
}

/**
 * Where the trailers start; after the last line when there are none. They are the last paragraph,
 * if it is not the first: only trailers, or at least a quarter and one that git itself writes.
 */
function trailersStart(lines: readonly string[]): number {
  const titleEnd = lines.findIndex(isBlank);
  const lastIndex = lines.findLastIndex((line) => !isBlank(line) && !line.startsWith('#'));
  if (titleEnd === -1 || lastIndex < titleEnd) return lines.length;
  const start = lines.slice(0, lastIndex).findLastIndex(isBlank) + 1;
  const paragraph = lines.slice(start, lastIndex + 1);
  let [trailers, others, isInTrailer] = [0, 0, false];
  for (const line of paragraph) {
    if (isInTrailer && CONTINUATION.test(line)) continue;
    isInTrailer = GENERATED_BY_GIT.test(line) || TRAILER.test(line);
    if (isInTrailer) trailers += 1;
    else if (!line.startsWith('#')) others += 1;
  }
  const isByGit = paragraph.some((line) => GENERATED_BY_GIT.test(line));
  const isBlock = isByGit ? trailers * 3 >= others : trailers > 0 && others === 0;
  return isBlock ? start : lines.length;
}

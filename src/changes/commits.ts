import type { Commit } from '../github/github.ts';
import { cut, escapeInvisible, escapeInvisibleInLines } from '../lib/text.ts';
import { bytes, portionOf, type Sharer, shareRoom } from './room.ts';
import { withoutTrailers } from './trailers.ts';

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
  const all = message.slice(0, MAX_MESSAGE_LENGTH).split(/\r\n|\r|\n/);
  const [title = '', ...rest] = withoutTrailers(all);
  const subject = cut(escapeInvisible(title), MAX_SUBJECT_LENGTH);
  const line = `- ${escapeInvisible(sha.slice(0, 12))} ${subject}`;
  const body = indented(rest.join('\n'), MAX_BODY_LENGTH).text;
  const minBytes = portionOf([line]).bytes;
  return {
    minBytes,
    whole: portionOf(body === '' ? [line] : [line, ...body.split('\n')]),
    cutTo(maxBytes) {
      const room = new Uint8Array(Math.max(0, maxBytes - minBytes - 1 - bytes('…')));
      const part = body.slice(0, new TextEncoder().encodeInto(body, room).read).trimEnd();
      return portionOf(part === '' ? [line] : [line, ...`${part}…`.split('\n')], true);
    },
  };
}

/** A text whose lines are all indented, so that none can be taken for a line of the block itself. */
export function indented(text: string, maxLength: number) {
  const shown = escapeInvisibleInLines(text)
    .replace(/^[ \t]+$/gm, '')
    .replace(/\n{3,}/g, '\n\n')
    .replace(/^\n+/, '')
    .trimEnd();
  return {
    text: cut(shown, maxLength).replace(/^(?=.)/gm, '    '),
    isCut: shown.length > maxLength,
  };
}

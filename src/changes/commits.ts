import type { Commit } from '../github/github.ts';
import { cut, escapeInvisible, escapeInvisibleInLines } from '../lib/text.ts';
import { bytes, portionOf, type Sharer, shareRoom, takeLines } from './room.ts';
import { withoutTrailers } from './trailers.ts';

const MAX_SUBJECT_LENGTH = 200;
const MAX_BODY_LENGTH = 500;
/** Of a longer message the rest is not read. */
const MAX_MESSAGE_LENGTH = 5_000;

/** The commits that fit, each as its subject and, indented below it, its body. */
export function commitLines(commits: readonly Commit[], maxBytes: number) {
  const messages = commits.map(({ sha, commit: { message } }) => {
    const all = message.slice(0, MAX_MESSAGE_LENGTH).split(/\r\n|\r|\n/);
    const [subject = '', ...body] = withoutTrailers(all);
    const id = escapeInvisible(sha.slice(0, 12));
    return {
      line: `- ${id} ${cut(escapeInvisible(subject), MAX_SUBJECT_LENGTH)}`,
      body: indented(body.join('\n'), MAX_BODY_LENGTH).text,
    };
  });
  const lines = messages.map(({ line }) => line);
  const subjects = takeLines(lines, maxBytes);
  const sharers = messages.slice(0, subjects.length).map(({ body }) => bodySharer(body));
  const bodies = shareRoom(sharers, maxBytes - portionOf(subjects).bytes);
  return {
    lines: subjects.flatMap((line, index) => [line, ...(bodies[index]?.lines ?? [])]),
    count: subjects.length,
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

function bodySharer(body: string): Sharer {
  return {
    minBytes: 0,
    whole: portionOf(body === '' ? [] : body.split('\n')),
    cutTo(maxBytes) {
      const room = new Uint8Array(Math.max(0, maxBytes - 1 - bytes('…')));
      const part = body.slice(0, new TextEncoder().encodeInto(body, room).read).trimEnd();
      return portionOf(part === '' ? [] : `${part}…`.split('\n'), true);
    },
  };
}

/** What the pull requests behind the commits say: why a change was made. */
import type { CodePull } from '../../github/github.ts';
import { cut, linesOf } from '../../text/escape.ts';
import { type Clean, oneLine } from '../patches/lines.ts';

const MAX_LENGTH = 2_000;
const MAX_TITLE_LENGTH = 300;
const MAX_AUTHOR_LENGTH = 100;

const COMMENT = /<!--[\s\S]*?(?:-->|$)/g;
const IMAGE = /!\[[^[\]\n]*\]\([^()\n]*\)|<img\b[^<>]*>/gi;
const TASK = /^[ \t>]{0,20}(?:[-*+]|\d{1,9}[.)])[ \t]{1,4}\[[ x]\].*$/gim;

const INDENT = '    ';

/**
 * The pull request in a line, and its description indented below it, unless the commit says enough of
 * itself. Nothing if the title is the subject of the commit as well.
 */
export function descriptionLines(
  { number, title, author, body }: CodePull,
  subject: string,
  isDescribed: boolean,
  clean: Clean,
): readonly string[] {
  const text = isDescribed ? textOf(body, clean) : [];
  const shown = oneLine(title.trim(), MAX_TITLE_LENGTH, clean).replace(/[\\"]/g, '\\$&');
  const isTitleNew = !['', subject, subject.replace(` (#${number})`, '')].includes(title.trim());
  if (text.length === 0 && !isTitleNew) return [];
  const name = isTitleNew ? ` "${shown}"` : '';
  const by = author === undefined ? '' : ` by ${oneLine(author, MAX_AUTHOR_LENGTH, clean)}`;
  const colon = text.length > 0 ? ':' : '';
  return [`${INDENT}pull request #${number}${name}${by}${colon}`, ...text];
}

/** Without comments, images and lists of tasks. */
function textOf(body: string, clean: Clean): readonly string[] {
  // What is taken out could be a part of a secret.
  const text = clean(body).replace(COMMENT, '').replace(IMAGE, '').replace(TASK, '').trim();
  return indented(cut(text, MAX_LENGTH), INDENT + INDENT);
}

/** A paragraph is one line, and of a line that is longer the end is not shown. */
const MAX_PIECE_LENGTH = 1_900;

/** A line in pieces that are not too long, between two words where there are some. */
function piecesOf(line: string): readonly string[] {
  const pieces: string[] = [];
  let rest = line;
  while (rest.length > MAX_PIECE_LENGTH) {
    const space = rest.lastIndexOf(' ', MAX_PIECE_LENGTH);
    const beginning = rest.slice(0, space > 0 ? space : MAX_PIECE_LENGTH);
    const piece = beginning.replace(/[\ud800-\udbff]$/, '');
    pieces.push(piece);
    rest = rest.slice(piece.length);
  }
  return [...pieces, rest];
}

const isBlank = (line: string) => /^[ \t]*$/.test(line);

/**
 * A text as lines that are all indented, so that none can be taken for a line of the block itself,
 * without blank lines at its ends or twice in a row.
 */
export function indented(text: string, indent = INDENT): readonly string[] {
  const lines = linesOf(text)
    .flatMap(piecesOf)
    .map((line) => (isBlank(line) ? '' : indent + line));
  const kept = lines.filter((line, index) => line !== '' || (index > 0 && lines[index - 1] !== ''));
  return kept.slice(0, kept.findLastIndex((line) => line !== '') + 1);
}

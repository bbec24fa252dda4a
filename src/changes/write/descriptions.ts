/** Renders what the pull requests behind the commits say about why a change was made. */
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
 * Renders the pull request on one line, with its description indented below, unless the commit says
 * enough. Returns nothing without a description if the title only repeats the commit's subject.
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

/** The description without comments, images and task lists. */
function textOf(body: string, clean: Clean): readonly string[] {
  // Clean first, because removing text could leave half a secret.
  const text = clean(body).replace(COMMENT, '').replace(IMAGE, '').replace(TASK, '').trim();
  return indented(cut(text, MAX_LENGTH), INDENT + INDENT);
}

/** A paragraph is one line, and the end of a longer line isn't shown. */
const MAX_PIECE_LENGTH = 1_900;

/** Splits a long line into pieces, at a space if possible. */
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
 * Indents every line of a text, so that none can pass for a line of the block itself. Removes blank
 * lines at the ends, and all but one in a row.
 */
export function indented(text: string, indent = INDENT): readonly string[] {
  const lines = linesOf(text)
    .flatMap(piecesOf)
    .map((line) => (isBlank(line) ? '' : indent + line));
  const kept = lines.filter((line, index) => line !== '' || (index > 0 && lines[index - 1] !== ''));
  return kept.slice(0, kept.findLastIndex((line) => line !== '') + 1);
}

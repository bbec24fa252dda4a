/** What the pull requests behind the commits say: why a change was made. */
import type { SourcePull } from '../../github/github.ts';
import { cut, linesOf } from '../../text/escape.ts';
import { redactedBeginning } from '../../text/secrets.ts';
import { isBreakingTitle } from '../find/source-pulls.ts';
import { bytesOf, type Clean, oneLine, takeLines } from '../rank/room.ts';
import { withoutEmptyParts } from './changelogs.ts';

/** Of one description, in UTF-16 units, and of all together, in bytes. */
const MAX_LENGTH = 2_000;
const MAX_ALL_BYTES = 30_000;
const MAX_TITLE_LENGTH = 300;
/** Of a longer text the rest is not looked at. */
const MAX_READ = 70_000;

const INDENT = '    ';
const TEXT_INDENT = `${INDENT}${INDENT}`;

/** A commit of the list, and the pull request that it is the first one of. */
export interface DescribedCommit {
  readonly sha: string;
  readonly subject: string;
  readonly message: string;
  /** It says what breaks, or what release notes should say. */
  readonly isTelling: boolean;
  readonly pull: SourcePull;
}

/**
 * The lines that stand under these commits, by their object ids, as far as there is room: what breaks
 * first, then features, then fixes, then the others in their order. `notTold` of them are not there as
 * a whole. `pause` is called after each. It may wait, or throw to stop.
 */
export async function descriptionLines(
  commits: readonly DescribedCommit[],
  { clean, pause }: { clean: Clean; pause: () => Promise<void> },
): Promise<{ readonly bySha: ReadonlyMap<string, readonly string[]>; readonly notTold: number }> {
  const bySha = new Map<string, readonly string[]>();
  let left = MAX_ALL_BYTES;
  let notTold = 0;
  for (const commit of [...commits].sort((a, b) => rankOf(a) - rankOf(b))) {
    const lines = linesAbout(commit, clean);
    const fitting = takeLines(lines, left);
    if (fitting.length < lines.length) notTold += 1;
    // A title without the text that it introduces says little.
    if (fitting.length > 1 || fitting.length === lines.length) {
      bySha.set(commit.sha, fitting);
      left -= bytesOf(fitting);
    }
    await pause();
  }
  return { bySha, notTold };
}

function rankOf({ isTelling, subject, pull }: DescribedCommit): number {
  const titles = [subject, pull.title];
  const isKind = (kind: RegExp) => titles.some((title) => kind.test(title));
  if (isTelling || titles.some(isBreakingTitle)) return 0;
  return isKind(/^feat\b/i) ? 1 : isKind(/^fix\b/i) ? 2 : 3;
}

/** The pull request in a line, and its description indented below it. None if nothing is new. */
function linesAbout({ subject, message, pull }: DescribedCommit, clean: Clean): readonly string[] {
  const title = oneLine(pull.title.trim(), MAX_TITLE_LENGTH, clean);
  const isTitleNew = !essenceOf(subject).includes(essenceOf(title));
  const text = pull.isByBot ? [] : textOf(pull.body, message, clean);
  if (text.length === 0 && !isTitleNew) return [];
  const author = pull.author === undefined ? '' : ` by ${oneLine(pull.author, 100, clean)}`;
  const name = isTitleNew ? ` "${title.replace(/[\\"]/g, '\\$&')}"` : '';
  const colon = text.length > 0 ? ':' : '';
  return [
    `${INDENT}pull request #${pull.number}${name}${author}${colon}`,
    ...text.map((line) => (line === '' ? '' : `${TEXT_INDENT}${line}`)),
  ];
}

/** What a description says that the commit's message does not. */
function textOf(body: string, message: string, clean: Clean): readonly string[] {
  const beginning = redactedBeginning(body, MAX_READ, clean);
  const lines = linesOf(withoutImages(withoutComments(beginning)))
    .map((line) => line.trimEnd())
    .filter((line) => !TASK.test(line));
  const known = essenceOf(message.slice(0, MAX_READ));
  const isNew = (line: string) => {
    const essence = essenceOf(line);
    // Short lines are headings, or the same by chance.
    return essence.length < MIN_COMPARED_LENGTH || !known.includes(essence);
  };
  const own = lines.filter(isNew);
  // If all that is left is short, the message has the rest.
  const isAnyNew = own.some((line) => essenceOf(line).length >= MIN_COMPARED_LENGTH);
  const isMessageAll = !isAnyNew && own.length < lines.length;
  if (isMessageAll) return [];
  const text = cut(withoutEmptyParts(own).join('\n'), MAX_LENGTH);
  return text === '' ? [] : text.split('\n');
}

const MIN_COMPARED_LENGTH = 20;
const TASK = /^[\s>]{0,20}(?:[-*+]|\d{1,9}[.)]) {1,4}\[[ xX]\](?:\s|$)/;

/** The words of a text, whatever stands between them. */
const essenceOf = (text: string) =>
  text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();

/**
 * Without `<!-- … -->`, but for those in code, which GitHub shows. One that is not closed goes on to
 * the end. https://spec.commonmark.org/0.31.2/#html-comment
 */
function withoutComments(text: string): string {
  const mark = /<!--(?:-?>)?|^ {0,3}(?:`{3,}|~{3,})|`+/gm;
  /** Runs of backticks that no later one closes. */
  const unclosed = new Set<string>();
  const parts: string[] = [];
  let at = 0;
  for (let found = mark.exec(text); found !== null; found = mark.exec(text)) {
    const [opening] = found;
    const after = mark.lastIndex;
    if (!opening.startsWith('<')) {
      mark.lastIndex = codeEnd(text, opening, after, unclosed);
      continue;
    }
    parts.push(text.slice(at, found.index));
    const end = opening === '<!--' ? text.indexOf('-->', after) : after - 3;
    if (end === -1) return parts.join('');
    at = end + 3;
    mark.lastIndex = at;
  }
  return [...parts, text.slice(at)].join('');
}

/** Where the code ends that `opening` begins: just after that if it is not closed. */
function codeEnd(text: string, opening: string, after: number, unclosed: Set<string>): number {
  const fence = opening.trim();
  const isAtLineStart = [undefined, '\n'].includes(text[after - opening.length - 1]);
  const isBlock = isAtLineStart && fence.length >= 3;
  if (isBlock) {
    const end = text.indexOf(`\n${fence}`, after);
    // A block that is not closed goes on to the end.
    return end === -1 ? text.length : end + 1 + fence.length;
  }
  if (unclosed.has(opening)) return after;
  const closing = new RegExp(`(?<!\`)\`{${opening.length}}(?!\`)`, 'g');
  closing.lastIndex = after;
  if (closing.exec(text) !== null) return closing.lastIndex;
  unclosed.add(opening);
  return after;
}

/** The limits keep a text of many brackets from being read again and again. */
const withoutImages = (text: string) =>
  text
    .replace(
      /!\[(?:[^[\]\n]|\[[^[\]\n]{0,100}\]){0,300}\](?:\((?:[^()\n]|\([^()\n]{0,200}\)){0,1000}\)|\[[^\]\n]{0,100}\])/g,
      '',
    )
    .replace(/<(?:img|picture|source|video)\b[^<>]{0,1000}>|<\/(?:picture|video)>/gi, '')
    .replace(/\[\]\([^)\n]{0,1000}\)/g, '');

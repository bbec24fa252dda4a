import type { ChangedFile } from '../git/diff.ts';

/** Selects files by their new and old names. Without patterns, selects all. */
export function selectFiles(
  files: readonly ChangedFile[],
  patterns: readonly string[],
): readonly ChangedFile[] {
  if (patterns.length === 0) return files;
  const isSelected = pathFilter(patterns);
  return files.filter(({ path, previous = path }) => isSelected(path) || isSelected(previous));
}

/**
 * The last of GitHub's filter patterns that matches a path decides: one with `!` excludes it.
 * https://docs.github.com/actions/reference/workflows-and-actions/workflow-syntax#filter-pattern-cheat-sheet
 */
export function pathFilter(patterns: readonly string[]): (path: string) => boolean {
  const rules = patterns.map((pattern) => {
    const isExclude = pattern.startsWith('!');
    const tokens = pattern.slice(isExclude ? 1 : 0).matchAll(TOKEN);
    return { isExclude, parts: Array.from(tokens, partOf) };
  });
  return (path) => rules.findLast(({ parts }) => matches(parts, path))?.isExclude === false;
}

type Fits = (character: string) => boolean;

/** A part of a pattern: one character that fits `last`, after any number that fit `before`. */
interface Part {
  readonly last: Fits;
  readonly before?: Fits;
  readonly isOptional: boolean;
}

/**
 * Whether the parts match a whole text, in time proportional to its length: a regular expression
 * would backtrack, and strangers name files. For each part, computes every place that can be reached
 * from the places before it.
 */
export function matches(parts: readonly Part[], text: string): boolean {
  const characters = Array.from(text);
  let places = new Set([0]);
  for (const { last, before, isOptional } of parts) {
    const reached = new Set(isOptional ? places : []);
    // This includes what is added meanwhile.
    for (const at of places) {
      const character = characters[at];
      if (character === undefined) continue;
      if (last(character)) reached.add(at + 1);
      if (before?.(character)) places.add(at + 1);
    }
    if (reached.size === 0) return false;
    places = reached;
  }
  return places.has(characters.length);
}

/**
 * `**` and a slash at the start of a folder, stars, or what stands for one character: an escape, a
 * class, or the character itself. `?` and `+` quantify such a character, and are literal elsewhere.
 */
const TOKEN =
  /(?<folders>(?<=^|\/)\*\*\/)|(?<stars>\*+)|(?:\\(?<escaped>.)|\[(?<content>(?:\\.|[^\]\\])+)\]|(?<itself>.))(?<repeat>[?+]?)/gsu;

const ANY: Fits = () => true;
const SLASH: Fits = (character) => character === '/';
const NO_SLASH: Fits = (character) => character !== '/';
export const ANY_TEXT: Part = { last: ANY, before: ANY, isOptional: true };

function partOf({ groups = {} }: RegExpExecArray): Part {
  const { folders, stars, escaped, content, itself = '', repeat } = groups;
  if (folders !== undefined) return { last: SLASH, before: ANY, isOptional: true };
  if (stars === '*') return { last: NO_SLASH, before: NO_SLASH, isOptional: true };
  if (stars !== undefined) return ANY_TEXT;
  const one = content === undefined ? isExactly(escaped ?? itself) : isOneOf(content);
  return { last: one, ...(repeat === '+' && { before: one }), isOptional: repeat === '?' };
}

export const isExactly =
  (wanted: string): Fits =>
  (character) =>
    character === wanted;

/** Escaped characters, ranges of letters or digits, and characters that mean themselves. */
function isOneOf(content: string): Fits {
  const items = content.match(/\\.|[0-9A-Za-z]-[0-9A-Za-z]|./gsu) ?? [];
  const ranges = items.map((item): readonly [string, string] => {
    const [, first, last] = /^(\w)-(\w)$/.exec(item) ?? [];
    const itself = item.replace(/^\\/, '');
    return [first ?? itself, last ?? itself];
  });
  return (character) => ranges.some(([first, last]) => first <= character && character <= last);
}

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
 * Returns a function that reports whether a list of GitHub's path filters selects a path. The last
 * matching pattern decides: one with `!` excludes the path, any other includes it.
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

/** A part of a pattern: one character that `last` fits, after any number that `before` fits. */
export interface Part {
  readonly last: RegExp;
  readonly before?: RegExp;
  readonly isOptional: boolean;
}

/**
 * Whether the parts match a whole text, in time proportional to its length. A regular expression
 * would backtrack, and a stranger who names a file could make that take forever. So each part leads
 * from all places that those before it can reach to all that it can reach.
 */
export function matches(parts: readonly Part[], text: string): boolean {
  const characters = Array.from(text);
  let places: ReadonlySet<number> = new Set([0]);
  for (const { last, before, isOptional } of parts) {
    const reached = new Set(isOptional ? places : []);
    const passed = new Set(places);
    // This includes what is added meanwhile.
    for (const at of passed) {
      const character = characters[at] ?? '';
      if (last.test(character)) reached.add(at + 1);
      if (before?.test(character)) passed.add(at + 1);
    }
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

const ANY = /./su;
const NO_SLASH = /[^/]/su;
export const ANY_TEXT: Part = { last: ANY, before: ANY, isOptional: true };

function partOf({ groups = {} }: RegExpExecArray): Part {
  const { folders, stars, escaped, content, itself = '', repeat } = groups;
  if (folders !== undefined) return { last: /\//, before: ANY, isOptional: true };
  if (stars === '*') return { last: NO_SLASH, before: NO_SLASH, isOptional: true };
  if (stars !== undefined) return ANY_TEXT;
  const source = content === undefined ? literal(escaped ?? itself) : `[${classOf(content)}]`;
  const one = new RegExp(source, 'su');
  return { last: one, ...(repeat === '+' && { before: one }), isOptional: repeat === '?' };
}

const classOf = (content: string) =>
  content.replace(/\\(.)|([0-9A-Za-z])-([0-9A-Za-z])|./gsu, (all, escaped, first, last) =>
    first <= last ? `${first}-${last}` : literal(escaped ?? all),
  );

export const literal = (text: string) =>
  Array.from(text, (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`).join('');

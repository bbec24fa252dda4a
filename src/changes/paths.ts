/** GitHub's filter of paths. */
import type { ChangedFile } from '../git/diff.ts';

/** Selects files by any of their names, or every file without patterns. */
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
    return { isExclude, places: [...tokens].flatMap(placesOf) };
  });
  return (path) => rules.findLast(({ places }) => matches(places, path))?.isExclude === false;
}

/**
 * A place in a pattern. A regular expression of the whole pattern would backtrack, and whoever names
 * a file could make that take forever. So all places that a path can reach are followed at once.
 */
interface Place {
  /** A character of the path that leads on, or back to this place. */
  readonly fits: RegExp;
  readonly moves: 0 | 1;
  /** Places further on that are reached without a character, counted from here. */
  readonly skips: readonly number[];
}

/** Takes time proportional to the path's length times the pattern's. */
function matches(places: readonly Place[], path: string): boolean {
  let reached = withSkips(places, [0]);
  for (const character of path) {
    const next = [...reached].flatMap((at) => {
      const place = places[at];
      return place?.fits.test(character) ? [at + place.moves] : [];
    });
    if (next.length === 0) return false;
    reached = withSkips(places, next);
  }
  return reached.has(places.length);
}

function withSkips(places: readonly Place[], from: readonly number[]): ReadonlySet<number> {
  const reached = new Set(from);
  // The iteration includes what is added meanwhile.
  for (const at of reached) for (const skip of places[at]?.skips ?? []) reached.add(at + skip);
  return reached;
}

/**
 * `**` and a slash at the start of a folder, stars, or what stands for one character: an escape, a
 * class, or the character itself. `?` and `+` repeat such a one, and else mean themselves.
 */
const TOKEN =
  /(?<folders>(?<=^|\/)\*\*\/)|(?<stars>\*+)|(?:\\(?<escaped>.)|\[(?<content>(?:\\.|[^\]\\])+)\]|(?<itself>.))(?<repeat>[?+]?)/gsu;

const ANY = /./su;
/** Any number of folders: nothing, or anything that ends in a slash. */
const FOLDERS: readonly Place[] = [
  { fits: /(?!)/, moves: 0, skips: [1, 3] },
  { fits: ANY, moves: 0, skips: [1] },
  { fits: /\//, moves: 1, skips: [] },
];

function placesOf({ groups = {} }: RegExpExecArray): readonly Place[] {
  const { folders, stars, escaped, content, itself = '', repeat } = groups;
  if (folders !== undefined) return FOLDERS;
  if (stars !== undefined) return [{ fits: stars === '*' ? /[^/]/su : ANY, moves: 0, skips: [1] }];
  const source = content === undefined ? literal(escaped ?? itself) : `[${classOf(content)}]`;
  const one: Place = { fits: new RegExp(source, 'su'), moves: 1, skips: [] };
  if (repeat === '?') return [{ ...one, skips: [1] }];
  return repeat === '+' ? [one, { ...one, moves: 0, skips: [1] }] : [one];
}

/** The inside of a class. Each end of a range is an ASCII letter or digit. */
const classOf = (content: string) =>
  content.replace(/\\(.)|([0-9A-Za-z])-([0-9A-Za-z])|./gsu, (all, escaped, first, last) =>
    first <= last ? `${first}-${last}` : literal(escaped ?? all),
  );

/** The source of a regular expression that matches a text and nothing else. */
export const literal = (text: string) =>
  Array.from(text, (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`).join('');

/**
 * Returns a function that reports whether a list of GitHub's path filters selects a path. The last
 * matching pattern decides: one with `!` excludes the path, any other includes it. Each check takes
 * time proportional to the path's length times the pattern's, no matter what they contain.
 * https://docs.github.com/actions/reference/workflows-and-actions/workflow-syntax#filter-pattern-cheat-sheet
 */
export function pathFilter(patterns: readonly string[]): (path: string) => boolean {
  const rules = patterns.map((pattern) => {
    const isExclude = pattern.startsWith('!');
    return { isExclude, tokens: parse(isExclude ? pattern.slice(1) : pattern) };
  });
  return (path) => {
    const bits = bitsOf(path);
    return rules.findLast(({ tokens }) => matches(tokens, bits))?.isExclude === false;
  };
}

interface Token {
  /** The characters that the path may have here or, with `*`, may not have. */
  readonly set: readonly string[];
  /** Nothing, `?`, `+` or `*`. `folders` stands for any number of folders, or none. */
  readonly repeat: string;
}

/** Stars, or what stands for one character: an escape, a class, or the character itself. */
const TOKEN =
  /^(?:(?<stars>\*\*?)|(?:\\(?<escaped>.)|\[(?<content>(?:\\.|[^\]\\])+)\]|(?<itself>.))(?<repeat>[?+]?))/su;

/** Parses a pattern. A character with no special meaning in its position is literal. */
function parse(pattern: string): readonly Token[] {
  const tokens: Token[] = [];
  let startsFolder = true;
  for (let rest = pattern; rest !== ''; ) {
    // At the start of a path or a folder, `**/` may match nothing at all.
    if (startsFolder && rest.startsWith('**/')) {
      tokens.push({ set: ['/'], repeat: 'folders' });
      rest = rest.slice('**/'.length);
      continue;
    }
    const match = TOKEN.exec(rest);
    rest = rest.slice(match?.[0].length);
    // Only stars have no group `repeat`.
    const { stars, escaped, content, itself = '', repeat = '*' } = match?.groups ?? {};
    const own = stars === '**' ? [] : stars === '*' ? ['/'] : [escaped ?? itself];
    const set = content === undefined ? own : classOf(content);
    tokens.push({ set, repeat });
    startsFolder = repeat === '' && set.every((character) => character === '/');
  }
  return tokens;
}

const ALPHANUMERICS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** The characters of a class. Each end of a range is an ASCII letter or digit. */
function classOf(content: string): readonly string[] {
  const set: string[] = [];
  for (let rest = Array.from(content); rest.length > 0; ) {
    const [first = '', second = '', last = ''] = rest;
    const isRange = second === '-' && [first, last].every((end) => ALPHANUMERICS.includes(end));
    const range = Array.from(isRange ? ALPHANUMERICS : '').filter((c) => first <= c && c <= last);
    const isEscape = first === '\\';
    set.push(...(range.length > 0 ? range : [isEscape ? second : first]));
    rest = rest.slice(range.length > 0 ? 3 : isEscape ? 2 : 1);
  }
  return set;
}

type PathBits = ReturnType<typeof bitsOf>;

/**
 * The positions of each character in a path, as bits with the lowest first. `end` is the bit after
 * the last one.
 */
function bitsOf(path: string) {
  const ofCharacter = new Map<string, bigint>();
  let end = 1n;
  for (const character of path) {
    ofCharacter.set(character, (ofCharacter.get(character) ?? 0n) | end);
    end <<= 1n;
  }
  return { ofCharacter, end };
}

function matches(tokens: readonly Token[], path: PathBits): boolean {
  let places = 1n;
  for (const token of tokens) {
    places = placesAfter(token, path, places);
    if (places === 0n) return false;
  }
  return (places & path.end) !== 0n;
}

/** The positions that a token reaches from those in `from`. */
function placesAfter({ set, repeat }: Token, { ofCharacter, end }: PathBits, from: bigint) {
  const all = end - 1n;
  let named = 0n;
  for (const character of set) named |= ofCharacter.get(character) ?? 0n;
  if (repeat === 'folders') return from | ((passed(from, all) & named) << 1n);
  const allowed = repeat === '*' ? all ^ named : named;
  const once = (from & allowed) << 1n;
  const after = repeat === '*' || repeat === '+' ? passed(once, allowed) : once;
  return repeat === '*' || repeat === '?' ? from | after : after;
}

/**
 * The positions from each in `from` to the end of its run. The addition carries a bit through the
 * run. This is `MatchStar` in https://doi.org/10.1145/2628071.2628079.
 */
const passed = (from: bigint, run: bigint) => from | (((from & run) + run) ^ run);

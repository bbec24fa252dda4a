/**
 * Returns a function that tells whether a list of GitHub's path filters selects a path. The last
 * pattern that matches the path decides: one with `!` excludes it, any other includes it. Each
 * check takes time in proportion to the path's length times the pattern's, whatever their content.
 * https://docs.github.com/actions/reference/workflows-and-actions/workflow-syntax#filter-pattern-cheat-sheet
 */
export function pathFilter(patterns: readonly string[]): (path: string) => boolean {
  const rules = patterns.map((pattern) => {
    const isExclude = pattern.startsWith('!');
    return { isExclude, automaton: compile(parse(isExclude ? pattern.slice(1) : pattern)) };
  });
  return (path) => {
    const characters = codePointsOf(path);
    const decisive = rules.findLast(({ automaton }) => accepts(automaton, characters));
    return decisive?.isExclude === false;
  };
}

const codePointsOf = (text: string): readonly number[] =>
  Array.from(text, (character) => character.codePointAt(0) ?? 0);

// --- Patterns -------------------------------------------------------------------------------------

type Token =
  /** One of a set of characters, once or as `repeat` says. */
  | {
      readonly kind: 'characters';
      readonly set: ReadonlySet<number>;
      readonly repeat: '' | '?' | '+';
    }
  /** `*` and `**` */
  | { readonly kind: 'any'; readonly crossesSlashes: boolean }
  /** `**` and a slash, at the start of a path or a folder: any number of folders, or none. */
  | { readonly kind: 'folders' };

const SLASH = 0x2f;

/** Reads a pattern. A character without a special meaning at its place stands for itself. */
function parse(pattern: string): readonly Token[] {
  const characters = Array.from(pattern);
  const tokens: Token[] = [];
  let index = 0;
  while (index < characters.length) {
    const [first = '', second, third] = characters.slice(index, index + 3);
    if (first === '*' && second === '*') {
      const isFolders = third === '/' && startsFolder(tokens.at(-1));
      tokens.push(isFolders ? { kind: 'folders' } : { kind: 'any', crossesSlashes: true });
      index += isFolders ? 3 : 2;
      continue;
    }
    if (first === '*') {
      tokens.push({ kind: 'any', crossesSlashes: false });
      index += 1;
      continue;
    }
    const { set, length } = readCharacters(characters, index);
    index += length;
    const next = characters[index];
    const repeat = next === '?' || next === '+' ? next : '';
    index += repeat.length;
    tokens.push({ kind: 'characters', set, repeat });
  }
  return tokens;
}

/** Whether a path or a folder begins after this token. */
function startsFolder(token: Token | undefined): boolean {
  if (token === undefined || token.kind === 'folders') return true;
  return token.kind === 'characters' && token.repeat === '' && isSlash(token.set);
}

const isSlash = (set: ReadonlySet<number>) => set.size === 1 && set.has(SLASH);

/**
 * The characters that the pattern allows at `index`, and how many characters of the pattern say so.
 */
function readCharacters(pattern: readonly string[], index: number) {
  const first = pattern[index] ?? '';
  const second = pattern[index + 1];
  if (first === '\\' && second !== undefined) return { set: setOf([second]), length: 2 };
  const classEnd = first === '[' ? endOfClass(pattern, index) : -1;
  if (classEnd > index + 1) {
    return { set: classOf(pattern.slice(index + 1, classEnd)), length: classEnd + 1 - index };
  }
  return { set: setOf([first]), length: 1 };
}

const setOf = (characters: readonly string[]): ReadonlySet<number> =>
  new Set(codePointsOf(characters.join('')));

/** Where the class that begins at `start` is closed, or -1. */
function endOfClass(pattern: readonly string[], start: number): number {
  for (let index = start + 1; index < pattern.length; index += 1) {
    if (pattern[index] === '\\') index += 1;
    else if (pattern[index] === ']') return index;
  }
  return -1;
}

/** The characters of a class. A range has an ASCII letter or digit at each of its ends. */
function classOf(content: readonly string[]): ReadonlySet<number> {
  const set = new Set<number>();
  let index = 0;
  while (index < content.length) {
    const [first = '', dash, last = ''] = content.slice(index, index + 3);
    if (first === '\\' && dash !== undefined) {
      set.add(dash.codePointAt(0) ?? 0);
      index += 2;
    } else if (dash === '-' && isAlphanumeric(first) && isAlphanumeric(last) && first <= last) {
      for (const character of ALPHANUMERICS) {
        if (first <= character && character <= last) set.add(character.charCodeAt(0));
      }
      index += 3;
    } else {
      set.add(first.codePointAt(0) ?? 0);
      index += 1;
    }
  }
  return set;
}

const ALPHANUMERICS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const isAlphanumeric = (character: string) => /^[0-9A-Za-z]$/.test(character);

// --- Matching -------------------------------------------------------------------------------------

/**
 * A pattern as a nondeterministic automaton. Its states are in a row, and the last one accepts. A
 * set of states is a bit set of 32-bit words. The masks of a character say which states it leaves
 * for the next one, and which it keeps. Some states are passed without a character.
 */
interface Automaton {
  readonly words: number;
  readonly states: number;
  /** States that are left for the next one without a character. */
  readonly passed: Uint32Array;
  /** States that are passed only on the way in, not when they were kept. */
  readonly passedOnEntry: Uint32Array;
  readonly masks: ReadonlyMap<number, Masks>;
  /** For characters that the pattern does not name. */
  readonly otherMasks: Masks;
}

interface Masks {
  readonly left: Uint32Array;
  readonly kept: Uint32Array;
}

interface State {
  /** The characters that lead to the next state. */
  readonly leaves: ReadonlySet<number> | 'nothing';
  /** The characters that keep this state. */
  readonly keeps: ReadonlySet<number> | 'nothing' | 'all' | 'all but slashes';
  readonly passed: 'no' | 'always' | 'on entry';
}

function statesOf(token: Token): readonly State[] {
  switch (token.kind) {
    case 'any': {
      const keeps = token.crossesSlashes ? 'all' : 'all but slashes';
      return [{ leaves: 'nothing', keeps, passed: 'always' }];
    }
    case 'folders':
      return [{ leaves: new Set([SLASH]), keeps: 'all', passed: 'on entry' }];
    case 'characters': {
      const { set, repeat } = token;
      const once: State = {
        leaves: set,
        keeps: 'nothing',
        passed: repeat === '?' ? 'always' : 'no',
      };
      return repeat === '+' ? [once, { leaves: 'nothing', keeps: set, passed: 'always' }] : [once];
    }
  }
}

function compile(tokens: readonly Token[]): Automaton {
  const states = tokens.flatMap(statesOf);
  const words = Math.floor(states.length / 32) + 1;
  const bitsOf = (isSet: (state: State) => boolean): Uint32Array => {
    const bits = new Uint32Array(words);
    for (const [index, state] of states.entries()) {
      if (isSet(state)) bits[index >> 5] = wordAt(bits, index >> 5) | (1 << (index & 31));
    }
    return bits;
  };
  const masksOf = (character: number | undefined): Masks => {
    const isIn = (set: State['keeps']): boolean => {
      if (set === 'all') return true;
      if (set === 'all but slashes') return character !== SLASH;
      return set !== 'nothing' && character !== undefined && set.has(character);
    };
    return { left: bitsOf(({ leaves }) => isIn(leaves)), kept: bitsOf(({ keeps }) => isIn(keeps)) };
  };
  const named = new Set([
    SLASH,
    ...tokens.flatMap((token) => ('set' in token ? [...token.set] : [])),
  ]);
  return {
    words,
    states: states.length,
    passed: bitsOf(({ passed }) => passed === 'always'),
    passedOnEntry: bitsOf(({ passed }) => passed !== 'no'),
    masks: new Map(Array.from(named, (character) => [character, masksOf(character)])),
    otherMasks: masksOf(undefined),
  };
}

/** A word that certainly exists: the type does not say how long the array is. */
const wordAt = (bits: Uint32Array, index: number): number => bits[index] ?? 0;

/** Whether the automaton accepts the whole path. */
function accepts(automaton: Automaton, path: readonly number[]): boolean {
  const { words, states, masks, otherMasks } = automaton;
  const active = new Uint32Array(words);
  const entered = new Uint32Array(words);
  entered[0] = 1;
  enter(automaton, active, entered);
  for (const character of path) {
    const { left, kept } = masks.get(character) ?? otherMasks;
    let carried = 0;
    for (let word = 0; word < words; word += 1) {
      const before = wordAt(active, word);
      const leaving = before & wordAt(left, word);
      active[word] = before & wordAt(kept, word);
      entered[word] = (leaving << 1) | carried;
      carried = leaving >>> 31;
    }
    if (!enter(automaton, active, entered)) return false;
  }
  return ((wordAt(active, states >> 5) >>> (states & 31)) & 1) === 1;
}

/**
 * Adds the entered states, and those reached from them without a character. Returns whether any
 * state is active.
 */
function enter(
  { words, passed, passedOnEntry }: Automaton,
  active: Uint32Array,
  entered: Uint32Array,
): boolean {
  let carried = 0;
  let all = 0;
  for (let word = 0; word < words; word += 1) {
    const keptAndPassed = wordAt(active, word) & wordAt(passed, word);
    const passable = wordAt(passedOnEntry, word);
    let reached = wordAt(entered, word) | (keptAndPassed << 1) | carried;
    carried = keptAndPassed >>> 31;
    for (let next = reached; ; ) {
      next = reached | ((reached & passable) << 1);
      if (next === reached) break;
      reached = next;
    }
    carried |= (reached & passable) >>> 31;
    active[word] = wordAt(active, word) | reached;
    all |= wordAt(active, word);
  }
  return all !== 0;
}

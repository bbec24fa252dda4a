/** Reads the lines of `paths` and `skip`, and recognizes common mistakes in them. */
import { linesOf, quote } from '../text/escape.ts';
import { listInWords, pluralize } from '../text/words.ts';

/** The syntax of one input's lines. */
interface Syntax {
  readonly input: 'paths' | 'skip';
  readonly maxLength: number;
  /** A leading `!` excludes. */
  readonly hasExcludes: boolean;
  /** `\` makes the next character literal. */
  readonly hasEscapes: boolean;
}

/** `maxLength` is a quarter of the longest path that GitHub allows. */
export const PATHS: Syntax = {
  input: 'paths',
  maxLength: 1_000,
  hasExcludes: true,
  hasEscapes: true,
};
export const SKIP: Syntax = {
  input: 'skip',
  maxLength: 200,
  hasExcludes: false,
  hasEscapes: false,
};

/**
 * A line that has a meaning in YAML, a shell or a regular expression, but would match nothing here.
 */
interface Mistake {
  /** Missing for a mistake in either input. */
  readonly input?: Syntax['input'];
  /** Tests a pattern without its `!`, in which `__` replaces each escaped character. */
  readonly form: { test(pattern: string): boolean };
  /** What to write instead of a pattern without its `!` and without surrounding white space. */
  readonly meant: (pattern: string) => string | readonly string[];
  readonly why?: string;
  /** What to do when no line has the same meaning. */
  readonly otherwise?: string;
}

const BRACES = /\{([^{}]*,[^{}]*)\}/;
/** A shell group. Plain parentheses may be part of a name. */
const SHELL_GROUP = /(?:@|[+?*](?=\([^()]*\|))\(([^()]*)\)/;
/** Two quoted texts, or one that is followed by a comma or in brackets. */
const QUOTED_LIST =
  /^(?:(["'`])(?:(?!\1).)*\1[\s,]*){2,}$|^(["'`])(?:(?!\2).)*\2\s*,$|^\[(?:\s*(["'`])(?:(?!\3).)*\3[\s,]*)+\]$/su;
const ADDRESS = /^https?:\/\//i;
const EXPRESSION = /^\/.+\/[a-z]*$/su;
/** A comma in parentheses belongs to a scope: `feat(api, *): *`. */
const COMMA = /,(?![^()]*\))/;

const MISTAKES: readonly Mistake[] = [
  { form: /^\s/, meant: (pattern) => pattern },
  { form: /^-\s/, meant: (pattern) => pattern.slice(1).trim() },
  {
    input: 'paths',
    form: /(?:^|\s)(?:#|\/\/)\s/,
    meant: (pattern) => pattern.replace(/(?:^|\s+)(?:#|\/\/)\s.*$/s, ''),
    why: 'comments are not read (write `\\#` for a name with `#`)',
  },
  {
    input: 'skip',
    form: /(?:^|\s)#\s/,
    meant: (pattern) => pattern.replace(/(?:^|\s+)#\s.*$/s, ''),
    why: 'comments are not read (write `*` for a `#` in a title)',
  },
  {
    form: QUOTED_LIST,
    meant: (pattern) =>
      Array.from(pattern.matchAll(/(["'`])(.*?)\1/gsu), ([, , text = '']) => text),
  },
  { form: /^(["'`])(?:(?!\1).)*\1$/su, meant: (pattern) => pattern.slice(1, -1) },
  { form: /^[“”„‘’][^“”„‘’]*[“”‘’]$/u, meant: (pattern) => pattern.slice(1, -1) },
  {
    input: 'paths',
    form: ADDRESS,
    meant: fromAddress,
    why: 'addresses are not read',
  },
  { input: 'paths', form: BRACES, meant: (pattern) => alternatives(pattern, BRACES, ',') },
  {
    input: 'paths',
    form: SHELL_GROUP,
    meant: (pattern) => alternatives(pattern, SHELL_GROUP, '|'),
  },
  {
    input: 'paths',
    form: /^\[\s*["'`].*\]$|,(?:\s|$)|\*[,;|]/su,
    meant: (pattern) => withoutBrackets(pattern).split(/,|(?<=\*)[;|]/),
  },
  // A class with a slash would match single characters, and never a path.
  { input: 'paths', form: /^\[[^[\]]*\/[^[\]]*\]$/, meant: withoutBrackets },
  {
    input: 'skip',
    form: { test: isListOfTitles },
    meant: (pattern) => withoutBrackets(pattern).split(COMMA),
  },
  {
    input: 'skip',
    form: EXPRESSION,
    meant: fromExpression,
    why: 'regular expressions are not read',
    otherwise: 'write the title, with `*` for any text in it',
  },
  {
    input: 'skip',
    form: /^[\w*-]+\[bot\]$/i,
    meant: (pattern) => `@${pattern}`,
    why: 'a login begins with `@`',
  },
  { input: 'skip', form: /^@?\*+$/, meant: () => [], why: 'it would leave out every change' },
  {
    input: 'paths',
    form: /^\/?\^/,
    meant: (pattern) => pattern.replace(/^\/?\^/, ''),
    why: 'regular expressions are not read (write `\\^` for a name with `^`)',
  },
  {
    input: 'paths',
    form: /\\$/,
    meant: (pattern) => pattern.slice(0, -1).trim(),
    why: 'lines cannot be continued',
  },
  { input: 'paths', form: /\\\p{L}/u, meant: (pattern) => pattern.replaceAll('\\', '/') },
  { input: 'paths', form: /^(?:\.{0,2}\/)*\.{1,2}$|^(?:\.{0,2}\/)+$/, meant: () => '**' },
  {
    input: 'paths',
    form: /^\.{0,2}\//,
    meant: (pattern) => pattern.replace(/^(?:\.{0,2}\/)+/, ''),
    why: "patterns start at the repository's root, without a slash or `./` before them",
  },
  {
    input: 'paths',
    form: /\/\.?\//,
    meant: (pattern) => pattern.replace(/\/(?:\.?\/)+/g, '/'),
  },
  {
    input: 'paths',
    form: /(?:^|\/)[^/]+\/\.\.\//,
    meant: (pattern) => pattern.replace(/[^/]+\/\.\.\//, ''),
  },
  { input: 'paths', form: /\/$/, meant: (pattern) => `${pattern}**` },
];

function withoutBrackets(list: string): string {
  return list.replace(/^\[(.*)\]$/s, '$1');
}

/** Returns the pattern for the folder or file on a GitHub page. Returns none for any other URL. */
function fromAddress(address: string): readonly string[] {
  const [, kind, path = ''] = /\/(tree|blob)\/[^/]+\/([^?#]+)/.exec(address) ?? [];
  if (path === '') return [];
  return [kind === 'tree' ? `${path.replace(/\/$/, '')}/**` : path];
}

/** Whether a line is a list: in brackets, or of at least two patterns. `release, v*` is a title. */
function isListOfTitles(line: string): boolean {
  if (/^\[[^[\]]*,[^[\]]*\]$/.test(line)) return true;
  const parts = withoutBrackets(line).split(COMMA);
  return parts.filter((part) => part.includes('*') || part.trim().startsWith('@')).length > 1;
}

/** Expands the first group into one pattern per alternative. */
function alternatives(pattern: string, group: RegExp, separator: string): readonly string[] {
  const [whole = '', content = ''] = group.exec(pattern) ?? [];
  return content.split(separator).map((part) => pattern.replace(whole, () => part.trim()));
}

/** A group of a regular expression with no groups inside. */
const GROUP = /(?<!\\)\((?:\?:)?((?:[^()\\]|\\.)*)\)/su;

/** Translates a simple regular expression to patterns. Returns none for one that isn't simple. */
function fromExpression(pattern: string): readonly string[] {
  const expression = pattern.slice(1, pattern.lastIndexOf('/'));
  const each = GROUP.test(expression)
    ? alternatives(expression, GROUP, '|')
    : expression.split('|');
  const patterns = each.map(fromSimpleExpression);
  return patterns.includes(undefined) ? [] : patterns.filter((one) => one !== undefined);
}

/** Translates an expression of letters, `.*`, escaped characters, and the anchors `^` and `$`. */
function fromSimpleExpression(expression: string): string | undefined {
  const text = expression.replace(/^\^/, '').replace(/\$$/, '');
  const plain = text.replace(/\\[^\p{L}\d*]/gu, '').replace(/\.[*+]/g, '');
  if (/[\\^$.?+*()[\]{}|]/.test(plain)) return undefined;
  const start = expression.startsWith('^') ? '' : '*';
  const end = expression.endsWith('$') ? '' : '*';
  const title = text.replace(/\.[*+]/g, '*').replace(/\\(.)/gsu, '$1');
  return `${start}${title}${end}`.replace(/\*{2,}/g, '*');
}

/**
 * Finds the first mistake in a pattern without its `!`. An escaped character is literal, so it
 * can't be a mistake.
 */
function mistakeIn(pattern: string, { input, hasEscapes }: Syntax): Mistake | undefined {
  const plain = hasEscapes ? pattern.replace(/\\[^\p{L}]/gsu, '__') : pattern;
  return MISTAKES.find((one) => [undefined, input].includes(one.input) && one.form.test(plain));
}

/** The most suggested patterns and the most problems to show. */
const MAX_MEANT = 20;
const MAX_PROBLEMS = 20;

/**
 * Returns the patterns to write instead of one with mistakes: one more than fits when there are
 * more.
 */
function meantBy(pattern: string, syntax: Syntax): readonly string[] {
  let meant = [pattern];
  // Each step shortens the patterns, or adds a few characters once, so a few steps correct any
  // mistake.
  for (let step = 0; step < MISTAKES.length; step += 1) {
    const better = meant.flatMap((one) => mistakeIn(one, syntax)?.meant(one.trim()) ?? one);
    const given = better.map((one) => one.trim()).filter((one) => one !== '');
    meant = given.slice(0, MAX_MEANT + 1);
  }
  return meant;
}

/** Splits a line into its `!`, if it excludes, and its pattern. */
function partsOf(line: string, { hasExcludes }: Syntax) {
  const exclude = hasExcludes && line.startsWith('!') ? '!' : '';
  return { exclude, pattern: line.slice(exclude.length) };
}

function isAccepted(line: string, syntax: Syntax): boolean {
  const { pattern } = partsOf(line, syntax);
  return pattern !== '' && mistakeIn(pattern, syntax) === undefined;
}

function problemOf(line: string, syntax: Syntax): string | undefined {
  if (line.length > syntax.maxLength) {
    return `contains a line of more than ${syntax.maxLength.toLocaleString('en')} characters: ${quote(line.slice(0, 100))}…; write each pattern on a line of its own`;
  }
  if (isAccepted(line, syntax)) return undefined;
  const { exclude, pattern } = partsOf(line, syntax);
  const { why, otherwise = 'remove the line' } = mistakeIn(pattern, syntax) ?? {};
  const meant = meantBy(pattern, syntax)
    .map((one) => exclude + one)
    .filter((one) => isAccepted(one, syntax))
    .map(quote);
  const each = meant.length > 1 ? ', each on a line of its own' : '';
  const shown = meant.length > MAX_MEANT ? [...meant.slice(0, MAX_MEANT), 'so on'] : meant;
  const instead = meant.length === 0 ? otherwise : `write ${listInWords(shown)}${each}`;
  return `contains ${quote(line)}; ${why === undefined ? '' : `${why}: `}${instead}`;
}

/** The patterns of an input, one per line, or what is wrong with them. */
export type Patterns =
  | { readonly kind: 'patterns'; readonly patterns: readonly string[] }
  | { readonly kind: 'problem'; readonly problem: string };

/** Reads the lines of an input. Removes empty lines, and white space around patterns. */
export function readPatterns(text: string, syntax: Syntax): Patterns {
  const patterns = linesOf(text)
    .map((line) => line.trim())
    .filter((line) => line !== '');
  const problems = patterns
    .map((line) => problemOf(line, syntax))
    .filter((problem) => problem !== undefined);
  const more = problems.splice(MAX_PROBLEMS).length;
  if (more > 0) problems.push(`contains ${pluralize(more, 'more line')} with a mistake`);
  return problems.length > 0
    ? { kind: 'problem', problem: problems.join('; it ') }
    : { kind: 'patterns', patterns };
}

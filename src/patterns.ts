/** The mistakes in `paths` and `skip` that would skip or pay in silence. */
import { quote } from './text/escape.ts';

export type PatternInput = 'paths' | 'skip';

/** Several patterns on one line. `a,b.md`, `My App/a`, and `chore(*, a): b` are one. */
const LISTS: Readonly<Record<PatternInput | 'both', readonly RegExp[]>> = {
  both: [
    /^\[[^[\]]*[,"'`][^[\]]*\]$/, // [a, b]
    /^(["'`]).*\1[,\s]+["'`]/, // "a" "b"
    /^-\s.*\s-\s/, // - a - b
  ],
  paths: [
    /,\s/, // a, b
    /([*/]|\*\.\w+)[,;\s]/, // src/**,lib or *.md LICENSE
    /\{.*,.*\}/, // *.{ts,tsx}
  ],
  skip: [
    /^(@[^\s/]*|label:[^*]*),/, // @a, b
    /^(@|label:).*\s(@|label:)/, // @a @b
    /\*["'`]?\s*[,;](?![^()]*\))($|.*[*@:])/, // chore*, @a
    /\([^()]*\|[^()]*\)/, // (a|b)
  ],
};
const QUOTED = /^(!|@|label:\s*)?(["'`“])((?:(?!\2).)*)["'`”]$/;
/** `^a`, `/a/`, `a.*`, or `\(`. `Release 1.*` and `v*-rc.*` are titles. */
const EXPRESSION = /^\^|^\/.+\/[gimsuy]*$|(?<!\d|\*.*)\.\*|\\[()[\]]/;

/** What to write instead of a line with a mistake. `undefined` without one. */
export function fixFor(line: string, input: PatternInput): string | undefined {
  if ([...LISTS.both, ...LISTS[input]].some((list) => list.test(line))) {
    const space = input === 'paths' && /\s/.test(line) ? ' For a space in a name, write `*`.' : '';
    return `Write each pattern on a line of its own, without quotes, brackets, or braces.${space}`;
  }
  const plain = line.replace(/^-\s+/, '').replace(QUOTED, '$1$3');
  if (input === 'skip') return fixForRule(plain, line);
  const meant = plain.replace(/\/$/, '/**').replace(/^(!?)(?:\.?\/)+/, '$1');
  if (meant === line) return undefined;
  const folder = meant.includes('*') ? '' : ` for a file, or ${quote(`${meant}/**`)} for a folder`;
  return `Write ${quote(meant)}${folder}.`;
}

function fixForRule(plain: string, line: string): string | undefined {
  const beginning = 'Write the beginning of the titles to leave out, like `chore*`.';
  if (plain.startsWith('!')) return `Rules only leave commits out. ${beginning}`;
  if (/^@?\*+$/.test(plain)) return `It leaves out every commit. ${beginning}`;
  const rule = EXPRESSION.test(plain) ? ruleMeantBy(plain) : plain;
  if (rule === undefined) return `Only \`*\` is special in a rule. ${beginning}`;
  const meant = rule.replace(/^labels:/, 'label:').replace(/^([\w*-]+\[bot\])\*?$/, '@$1');
  return meant === line ? undefined : `Write ${quote(meant)}.`;
}

/** The rule that a regular expression means. `undefined` if `*` cannot say it. */
function ruleMeantBy(expression: string): string | undefined {
  const rule = `${expression}.*`
    .replace(/^\/(.+)\/\w*\.\*$/, '.*$1.*') // /a/i
    .replace(/^(\.\*)?\^|\$\.\*$/g, '') // ^a, a$
    .replace(/(\(\.[*+]\)|\.[*+]|\*)+/g, '*'); // a.*, (.+)
  const isLost = /^\**$|\\|[[\]{}^$|?+]/.test(rule.replace(/\\\W/g, ' '));
  return isLost ? undefined : rule.replace(/\\(\W)/g, '$1');
}

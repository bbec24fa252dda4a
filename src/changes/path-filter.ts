import picomatch from 'picomatch';

const OPTIONS = { dot: true, nonegate: true, nobrace: true, literalBrackets: false };

/**
 * Tells which paths a list of GitHub's path filters selects. Patterns are checked in order: `!`
 * takes out what an earlier one took in, a later one takes it in again. A file counts when the last
 * pattern that matches it is not an exclude.
 * https://docs.github.com/actions/reference/workflows-and-actions/workflow-syntax#filter-pattern-cheat-sheet
 */
export function pathFilter(patterns: readonly string[]): (path: string) => boolean {
  const rules = patterns.map((pattern) => {
    const isExclude = pattern.startsWith('!');
    const glob = toGlob(isExclude ? pattern.slice(1) : pattern);
    return { isExclude, matches: picomatch(glob, OPTIONS) };
  });
  return (path) => rules.findLast(({ matches }) => matches(path))?.isExclude === false;
}

/**
 * GitHub's filters differ from common globs: `?` and `+` repeat the character (or class) before
 * them, `**` crosses slashes wherever it stands, and brackets other than `[]` mean themselves.
 */
function toGlob(pattern: string): string {
  return pattern.replace(
    /(\*\*\/)|(\*\*)|(\*)|((?:\[[^\]]*\]|\\.|[^*\\]))([?+])?/gsu,
    (_all, directories?: string, all?: string, star?: string, one?: string, repeat?: string) => {
      if (directories !== undefined) return directories;
      if (all !== undefined) return '@(**)';
      if (star !== undefined) return star;
      const literal = one === undefined ? '' : toLiteral(one);
      return repeat === undefined ? literal : `${repeat}(${literal})`;
    },
  );
}

function toLiteral(one: string): string {
  if (one.startsWith('[') && one.endsWith(']')) return one;
  return /[\w/\-. ]/u.test(one) || one.startsWith('\\') ? one : `\\${one}`;
}

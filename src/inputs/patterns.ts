/** The lines of `paths` and `skip`, and the mistakes in them that would skip or pay in silence. */
import { z } from 'zod';
import { linesOf, quote } from '../text/escape.ts';

type Input = 'paths' | 'skip';

/** A comma in parentheses belongs to a scope: `feat(api, *): *`. */
const COMMA = /,(?![^()]*\))/;

/** Several patterns on one line. `a,b.md` may be a file, and `Revert a, b` a title. */
function isList(line: string, input: Input): boolean {
  if (input === 'paths') return /,\s|[*/"'`],|\*\*\s|^\[\s*["'`]/.test(line);
  const rules = line.split(COMMA).filter((part) => /\*|^\s*(?:["'`@]|label:)/.test(part));
  return rules.length > 1 || /^\[[^[\]]*,[^[\]]*\]$/.test(line);
}

/** The pattern that a line of YAML or of a shell means. A `!` of `paths` stands before it. */
function meantBy(line: string, input: Input): string {
  const plain = line.replace(/^-\s+/, '').replace(/^(!?)(["'`])(.*)\2$/, '$1$3');
  if (input === 'skip') return plain;
  return plain.replace(/\/$/, '/**').replace(/^(!?)(?:\.{0,2}\/)+/, '$1');
}

function problemOf(line: string, input: Input): string | undefined {
  if (isList(line, input))
    return `contains ${quote(line)}. Write each pattern on a line of its own, without quotes and brackets.`;
  const meant = meantBy(line, input);
  return meant === line ? undefined : `contains ${quote(line)}. Write ${quote(meant)}.`;
}

/** One pattern a line. Empty lines and the white space around patterns are dropped. */
export const patterns = (input: Input) =>
  z.string().transform((text, context): readonly string[] => {
    const lines = linesOf(text)
      .map((line) => line.trim())
      .filter((line) => line !== '');
    for (const line of lines) {
      const problem = problemOf(line, input);
      if (problem !== undefined) context.addIssue(problem);
    }
    if (input === 'paths' && lines.every((line) => line.startsWith('!')))
      context.addIssue('only excludes files, so none would match. Write `**` as its first line.');
    return lines;
  });

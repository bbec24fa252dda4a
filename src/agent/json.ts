import type { Runner } from '../effects/effects.ts';
import { parseJson } from '../text/json.ts';
import { redactedBeginning } from '../text/secrets.ts';

/** White space, a whole string, punctuation, or a run of anything else. */
const TOKEN = /\s+|"[^"\\]*(?:\\.[^"\\]*)*"|[{}[\],:]|[^\s"{}[\],:]+/gsy;

/**
 * The complete members of a JSON text's outermost object, in order, each with its value's text and
 * where that stands. If the text was cut, or is nested too deeply for a parser, the members before
 * that place are still found. Throws nothing.
 */
export function* membersOf(json: string) {
  let depth = 0;
  let key: string | undefined;
  let start: number | undefined;
  let end = 0;
  for (const { 0: token, index } of json.matchAll(TOKEN)) {
    if (/^\s/.test(token)) continue;
    const isMemberOver = depth === 1 && (token === ',' || token === '}');
    if (isMemberOver && key !== undefined && start !== undefined) {
      yield { key, value: json.slice(start, end), start, end };
    }
    if (isMemberOver) {
      key = undefined;
      start = undefined;
    } else if (depth === 1 && key === undefined) key = stringOf(token);
    else if (depth === 1 && token !== ':') start ??= index;

    if (token === '{' || token === '[') depth += 1;
    if (token === '}' || token === ']') depth -= 1;
    end = index + token.length;
  }
  // A string is whole once its closing quote was read, even when the text ends there.
  if (key !== undefined && start !== undefined && json[start] === '"') {
    yield { key, value: json.slice(start, end), start, end };
  }
}

/** What a token means, if it is a string. */
function stringOf(token: string): string | undefined {
  const value = token.startsWith('"') ? parseJson(token) : undefined;
  return typeof value === 'string' ? value : undefined;
}

/** Much more than is ever quoted of a text. */
const MAX_BEGINNING = 20_000;

/**
 * The beginning of a text from outside without its secrets, to be quoted. They are removed from the
 * text, and from each string in it as JSON means it, because a secret may be escaped twice there.
 */
export function beginningWithoutSecrets(text: string, redact: Runner['redact']): string {
  const redactToken = (token: string) => {
    const value = stringOf(token);
    const redacted = value && redact(value);
    return redacted === value ? token : JSON.stringify(redacted);
  };
  return redactedBeginning(text, MAX_BEGINNING, (beginning) =>
    redact(beginning.replace(TOKEN, redactToken)),
  );
}

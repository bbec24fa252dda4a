import { redactedBeginning } from '../lib/secrets.ts';
import { parseJson } from '../lib/text.ts';

/** One member of an object, as it is written in the text. */
interface Member {
  readonly key: string;
  /** The text of the value, and its position. */
  readonly value: string;
  readonly start: number;
  readonly end: number;
}

/** White space, a whole string, punctuation, or a run of anything else. */
const TOKEN = /\s+|"[^"\\]*(?:\\.[^"\\]*)*"|[{}[\],:]|[^\s"{}[\],:]+/gsy;

/**
 * The complete members of a JSON text's outermost object, in order. If the text was cut, or is
 * nested too deeply for a parser, the members before that place are still found. Throws nothing.
 */
export function* membersOf(json: string): Generator<Member> {
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
    if (isMemberOver) key = start = undefined;
    else if (depth === 1 && key === undefined) key = keyOf(token);
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

function keyOf(token: string): string | undefined {
  const key = parseJson(token);
  return typeof key === 'string' ? key : undefined;
}

/** Much more than is ever quoted of a text. */
const MAX_BEGINNING = 20_000;

/**
 * The beginning of a text from outside without its secrets, to be quoted. They are removed from the
 * text, and from each string in it as JSON means it, because a secret may be escaped twice there.
 */
export function beginningWithoutSecrets(text: string, redact: (text: string) => string): string {
  const redactToken = (token: string) => {
    const value = token.startsWith('"') ? parseJson(token) : undefined;
    if (typeof value !== 'string') return token;
    const redacted = redact(value);
    return redacted === value ? token : JSON.stringify(redacted);
  };
  return redactedBeginning(text, MAX_BEGINNING, (beginning) =>
    redact(beginning.replace(TOKEN, redactToken)),
  );
}

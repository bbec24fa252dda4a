/** Finds and removes secrets in text, however they are encoded there. */

/**
 * Replaces the secrets in the text by `***`. Each is looked for in the text as it was given, so that
 * what is removed for one of them does not hide a part of another.
 */
export function redact(text: string, secrets: readonly Secret[]): string {
  const found = secrets
    .flatMap((secret) => [...secret.rangesIn(text)])
    .sort((a, b) => a.start - b.start);
  let redacted = '';
  let end = 0;
  for (const range of found) {
    if (range.start >= end) redacted += `${text.slice(end, range.start)}***`;
    end = Math.max(end, range.end);
  }
  return redacted + text.slice(end);
}

interface Range {
  readonly start: number;
  readonly end: number;
}

/** Shorter pieces of base64 could be parts of ordinary words. */
const MIN_BASE64_LENGTH = 8;

/**
 * A secret that is found in text in each form in which it is commonly echoed: as it is, with any of
 * its characters escaped as in JSON, a URL or HTML, and in base64, alone or inside something longer
 * such as `Bearer <secret>`.
 *
 * It is not one regular expression: that took 60 ms to compile, twice as long as Node takes to start.
 */
export class Secret {
  readonly #plain: Spelled;
  readonly #base64: readonly Spelled[];

  constructor(secret: string) {
    this.#plain = new Spelled(secret);
    const cores = [0, 1, 2]
      .flatMap((offset) => [
        base64Core(secret, offset, 'base64'),
        base64Core(secret, offset, 'base64url'),
      ])
      .filter((core) => core.length >= MIN_BASE64_LENGTH);
    this.#base64 = [...new Set(cores)].map((core) => new Spelled(core));
  }

  /** Where the secret is in the text. The ranges may overlap. */
  *rangesIn(text: string): Generator<Range> {
    yield* this.#plain.rangesIn(text);
    for (const core of this.#base64) {
      for (const range of core.rangesIn(text)) yield withSharedBits(range, text);
    }
  }
}

/**
 * The part of a secret's base64 that does not depend on the text around the secret, when `offset`
 * bytes (modulo 3) come before it.
 */
function base64Core(secret: string, offset: number, encoding: 'base64' | 'base64url'): string {
  const bytes = Buffer.concat([Buffer.alloc(offset), Buffer.from(secret)]);
  const [first, end] = [Math.ceil((offset * 8) / 6), Math.floor((bytes.length * 8) / 6)];
  return bytes.toString(encoding).slice(first, end);
}

/** In base64 the characters beside a secret hold some of its bits too. */
function withSharedBits({ start, end }: Range, text: string): Range {
  const before = /[\w+/-]{0,3}$/.exec(text.slice(Math.max(0, start - 3), start))?.[0] ?? '';
  const after = /^[\w+/-]{0,3}={0,2}/.exec(text.slice(end, end + 5))?.[0] ?? '';
  return { start: start - before.length, end: end + after.length };
}

/** A text that is found whether its characters stand for themselves or are escaped. */
class Spelled {
  readonly #characters: readonly Character[];
  /** Finds where the first character may begin. It ignores case, so it finds a little more. */
  readonly #beginning: RegExp;

  constructor(text: string) {
    this.#characters = [...text].map((character) => ({
      text: character,
      code: new RegExp(codePattern(character), 'iy'),
    }));
    const [first = ''] = text;
    this.#beginning = new RegExp(`(?=\\\\?${RegExp.escape(first)}|${codePattern(first)})`, 'gi');
  }

  *rangesIn(text: string): Generator<Range> {
    this.#beginning.lastIndex = 0;
    while (this.#beginning.test(text)) {
      const start = this.#beginning.lastIndex;
      const end = this.#endIn(text, start);
      if (end !== undefined) yield { start, end };
      this.#beginning.lastIndex = start + 1;
    }
  }

  #endIn(text: string, start: number): number | undefined {
    let ends = [start];
    for (const character of this.#characters) {
      ends = ends.flatMap((at) => endsOf(character, text, at));
      // Two backslashes are one that is escaped, or two: without this, each pair would double them.
      if (ends.length > 1) ends = [...new Set(ends)];
      if (ends.length === 0) return undefined;
    }
    return Math.max(...ends);
  }
}

interface Character {
  readonly text: string;
  /** Matches an escape that holds its code, at `lastIndex`. */
  readonly code: RegExp;
}

/** Where the character ends that begins at `at`, in each way in which the text can be read. */
function endsOf({ text: character, code }: Character, text: string, at: number): number[] {
  const ends = text.startsWith(character, at) ? [at + character.length] : [];
  const first = text[at];
  if (first === '\\' && text.startsWith(character, at + 1)) ends.push(at + 1 + character.length);
  if (first === '\\' || first === '%' || first === '&') {
    code.lastIndex = at;
    if (code.test(text)) ends.push(code.lastIndex);
  }
  return ends;
}

/** The characters that are commonly escaped in HTML by a name. */
const HTML_NAMES: Readonly<Record<string, string>> = {
  '&': 'amp',
  '<': 'lt',
  '>': 'gt',
  '"': 'quot',
  "'": 'apos',
};

/** A pattern for the escapes that hold the character's code, or its name in HTML. */
function codePattern(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  const hex = (value: number) => value.toString(16).padStart(2, '0');
  const name = HTML_NAMES[character];
  const forms = [
    `\\\\[ux](?:00)?${hex(code)}`,
    [...Buffer.from(character)].map((byte) => `%${hex(byte)}`).join(''),
    `&#0*${code};`,
    `&#x0*${hex(code)};`,
    ...(name === undefined ? [] : [`&${name};`]),
  ];
  return forms.join('|');
}

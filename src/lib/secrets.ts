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
  readonly #plain: EscapedText;
  readonly #base64: readonly Base64[];

  constructor(secret: string) {
    this.#plain = new EscapedText(secret);
    this.#base64 = [0, 1, 2]
      .flatMap((offset) => [
        base64Of(secret, offset, 'base64'),
        base64Of(secret, offset, 'base64url'),
      ])
      .filter(({ length }) => length >= MIN_BASE64_LENGTH);
  }

  /** Where the secret is in the text. The ranges may overlap. */
  *rangesIn(text: string): Generator<Range> {
    yield* this.#plain.rangesIn(text);
    for (const base64 of this.#base64) {
      for (const range of base64.core.rangesIn(text)) yield widened(base64, range, text);
    }
  }
}

/** A secret's base64, when a number of bytes come before it. */
interface Base64 {
  /** The part that does not depend on the text around the secret. */
  readonly core: EscapedText;
  readonly length: number;
  /** Whether the characters beside the core hold bits of the secret too. */
  readonly sharesBefore: boolean;
  readonly sharesAfter: boolean;
}

/** `offset` is the number of bytes before the secret, modulo 3. */
function base64Of(secret: string, offset: number, encoding: 'base64' | 'base64url'): Base64 {
  const bytes = Buffer.concat([Buffer.alloc(offset), Buffer.from(secret)]);
  const [first, end] = [Math.ceil((offset * 8) / 6), Math.floor((bytes.length * 8) / 6)];
  const core = bytes.toString(encoding).slice(first, end);
  return {
    core: new EscapedText(core),
    length: core.length,
    sharesBefore: offset > 0,
    sharesAfter: (bytes.length * 8) % 6 > 0,
  };
}

function widened(
  { sharesBefore, sharesAfter }: Base64,
  { start, end }: Range,
  text: string,
): Range {
  const isBase64 = (at: number) => /[\w+/-]/.test(text.charAt(at));
  const last = sharesAfter && isBase64(end) ? end + 1 : end;
  const padding = /^={0,2}/.exec(text.slice(last, last + 2))?.[0] ?? '';
  return {
    start: sharesBefore && isBase64(start - 1) ? start - 1 : start,
    end: last + padding.length,
  };
}

/** A text that is found whether its characters stand for themselves or are escaped. */
class EscapedText {
  readonly #text: string;
  /** None of its own characters begins an escape, so it can be read in one way where it stands. */
  readonly #isPlain: boolean;
  readonly #characters: readonly Character[];
  /** Finds where the first character may begin. It ignores case, so it finds a little more. */
  readonly #beginning: RegExp;

  constructor(text: string) {
    this.#text = text;
    this.#isPlain = !/[\\%&]/.test(text);
    this.#characters = [...text].map((character) => new Character(character));
    const [first = ''] = text;
    const itself = unitsOf(first)
      .map((unit) => `\\u${hex(unit, 4)}`)
      .join('');
    this.#beginning = new RegExp(`(?=\\\\?${itself}|${codePattern(first)})`, 'gi');
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
    if (this.#isPlain && text.startsWith(this.#text, start)) return start + this.#text.length;
    let ends = [start];
    for (const character of this.#characters) {
      ends = ends.flatMap((at) => character.endsIn(text, at));
      // Two backslashes are one that is escaped, or two: without this, each pair would double them.
      if (ends.length > 1) ends = [...new Set(ends)];
      if (ends.length === 0) return undefined;
    }
    return Math.max(...ends);
  }
}

class Character {
  readonly #text: string;
  #code: RegExp | undefined;

  constructor(text: string) {
    this.#text = text;
  }

  /** Where it ends when it begins at `at`, in each way in which the text can be read. */
  endsIn(text: string, at: number): number[] {
    const own = this.#text;
    const ends = text.startsWith(own, at) ? [at + own.length] : [];
    const first = text[at];
    if (first === '\\' && text.startsWith(own, at + 1)) ends.push(at + 1 + own.length);
    if (first === '\\' || first === '%' || first === '&') {
      // Made when it is needed: most texts have no escapes, and a secret has many characters.
      this.#code ??= new RegExp(codePattern(own), 'iy');
      this.#code.lastIndex = at;
      if (this.#code.test(text)) {
        const end = this.#code.lastIndex;
        // In HTML the semicolon of an escape may be missing.
        ends.push(...(first === '&' && text[end] === ';' ? [end, end + 1] : [end]));
      }
    }
    return ends;
  }
}

/** The characters that are commonly escaped in HTML by a name. */
const HTML_NAMES: Readonly<Record<string, string>> = {
  '&': 'amp',
  '<': 'lt',
  '>': 'gt',
  '"': 'quot',
  "'": 'apos',
};

const hex = (value: number, digits = 2) => value.toString(16).padStart(digits, '0');

/** The units of UTF-16. */
const unitsOf = (text: string) =>
  Array.from({ length: text.length }, (_, at) => text.charCodeAt(at));

/** A pattern for the escapes that hold the character's code, or its name in HTML. */
function codePattern(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  const name = HTML_NAMES[character];
  const forms = [
    `\\\\x${hex(code)}`,
    // JSON escapes the units of UTF-16.
    unitsOf(character)
      .map((unit) => `\\\\u0*${hex(unit)}`)
      .join(''),
    `\\\\u\\{0*${hex(code)}\\}`,
    [...Buffer.from(character)].map((byte) => `%${hex(byte)}`).join(''),
    `&#0*${code}`,
    `&#x0*${hex(code)}`,
    ...(name === undefined ? [] : [`&${name}`]),
  ];
  return forms.join('|');
}

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

/** Longer than any secret in any encoding. */
const MAX_ENCODED_LENGTH = 10_000;

/**
 * The beginning of a long text without its secrets. It is cut to `maxLength` before `redact` removes
 * them, because that takes a while for many megabytes. What may be left of a secret at the cut is
 * then removed with the end.
 */
export function redactedBeginning(
  text: string,
  maxLength: number,
  redact: (beginning: string) => string,
): string {
  const redacted = redact(text.slice(0, maxLength));
  return text.length > maxLength ? redacted.slice(0, -MAX_ENCODED_LENGTH) : redacted;
}

interface Range {
  readonly start: number;
  readonly end: number;
}

const BASE64 = ['base64', 'base64url'] as const;
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
      .flatMap((offset) => BASE64.map((encoding) => base64Of(secret, offset, encoding)))
      .filter(({ core }) => core.text.length >= MIN_BASE64_LENGTH);
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
  /** Whether the characters beside the core hold bits of the secret too. */
  readonly sharesBefore: boolean;
  readonly sharesAfter: boolean;
}

/** `offset` is the number of bytes before the secret, modulo 3. */
function base64Of(secret: string, offset: number, encoding: (typeof BASE64)[number]): Base64 {
  const bytes = Buffer.concat([Buffer.alloc(offset), Buffer.from(secret)]);
  const [first, end] = [Math.ceil((offset * 8) / 6), Math.floor((bytes.length * 8) / 6)];
  const core = new EscapedText(bytes.toString(encoding).slice(first, end));
  return { core, sharesBefore: offset > 0, sharesAfter: (bytes.length * 8) % 6 > 0 };
}

function widened({ sharesBefore, sharesAfter }: Base64, range: Range, text: string): Range {
  const isBase64 = (at: number) => /[\w+/-]/.test(text.charAt(at));
  const start = sharesBefore && isBase64(range.start - 1) ? range.start - 1 : range.start;
  const end = sharesAfter && isBase64(range.end) ? range.end + 1 : range.end;
  const padding = /^={0,2}/.exec(text.slice(end, end + 2))?.[0] ?? '';
  return { start, end: end + padding.length };
}

/** A text that is found whether its characters stand for themselves or are escaped. */
class EscapedText {
  readonly text: string;
  /** None of its own characters begins an escape, so it can be read in one way where it stands. */
  readonly #isPlain: boolean;
  readonly #characters: readonly ReturnType<typeof endsOf>[];
  /** Finds where the first character may begin, as itself or as an escape of any. */
  readonly #beginning: RegExp;

  constructor(text: string) {
    this.text = text;
    this.#isPlain = !ESCAPE.test(text);
    this.#characters = [...text].map(endsOf);
    const [first = ''] = text;
    const itself = unitsOf(first).map((unit) => `\\u${hex(unit, 4)}`);
    this.#beginning = new RegExp(`(?=${itself.join('')}|[\\\\%&])`, 'g');
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
    if (this.#isPlain && text.startsWith(this.text, start)) return start + this.text.length;
    let ends = [start];
    for (const endsIn of this.#characters) {
      ends = ends.flatMap((at) => endsIn(text, at));
      // Two backslashes are one that is escaped, or two: without this, each pair would double them.
      if (ends.length > 1) ends = [...new Set(ends)];
      if (ends.length === 0) return undefined;
    }
    return Math.max(...ends);
  }
}

const ESCAPE = /[\\%&]/;

/** Tells where a character ends that begins at `at`, in each way in which a text can be read. */
function endsOf(character: string) {
  let code: RegExp | undefined;
  return (text: string, at: number): number[] => {
    const ends = text.startsWith(character, at) ? [at + character.length] : [];
    const first = text.charAt(at);
    if (!ESCAPE.test(first)) return ends;
    if (first === '\\' && text.startsWith(character, at + 1)) ends.push(at + 1 + character.length);
    // Made when it is needed: most texts have no escapes, and a secret has many characters.
    code ??= new RegExp(codePattern(character), 'iy');
    code.lastIndex = at;
    if (!code.test(text)) return ends;
    ends.push(code.lastIndex);
    // In HTML the semicolon of an escape may be missing.
    if (first === '&' && text[code.lastIndex] === ';') ends.push(code.lastIndex + 1);
    return ends;
  };
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
  return [
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
  ].join('|');
}

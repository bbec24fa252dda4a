import { HTML_NAMES } from './html-names.ts';

/**
 * Replaces the secrets in the text by `***`. Each is looked for in the text as it was given, so that
 * what is removed for one of them does not hide a part of another.
 */
export function redact(text: string, secrets: readonly Secret[]): string {
  const found = secrets.flatMap((secret) => [...secret.rangesIn(text)]);
  let redacted = '';
  let copied = 0;
  for (const { start, end } of found.sort((a, b) => a.start - b.start)) {
    if (start >= copied) redacted += `${text.slice(copied, start)}***`;
    copied = Math.max(copied, end);
  }
  return redacted + text.slice(copied);
}

/** Longer than any secret in any encoding. */
const MAX_ENCODED_LENGTH = 10_000;

/**
 * The beginning of a long text without its secrets. It is cut to `maxLength` first, because `clean`
 * takes a while for megabytes. What may be left of a secret at the cut is removed with the end.
 */
export function redactedBeginning(
  text: string,
  maxLength: number,
  clean: (beginning: string) => string,
): string {
  const redacted = clean(text.slice(0, maxLength));
  return text.length > maxLength ? redacted.slice(0, -MAX_ENCODED_LENGTH) : redacted;
}

type Range = Readonly<{ start: number; end: number }>;

const BASE64 = ['base64', 'base64url'] as const;
/** Shorter pieces of base64 could be parts of ordinary words. */
const MIN_BASE64_LENGTH = 8;

/**
 * A secret that is found in text in each form in which it is commonly echoed: as it is, with any of
 * its characters escaped as in JSON, a URL or HTML, and in base64, alone or inside something longer
 * such as `Bearer <secret>`. One regular expression for all would take 60 ms to compile.
 */
export class Secret {
  readonly #forms: readonly Form[];

  constructor(secret: string) {
    const base64 = [0, 1, 2]
      .flatMap((offset) => BASE64.map((encoding) => base64Form(secret, offset, encoding)))
      .filter(({ text }) => text.length >= MIN_BASE64_LENGTH);
    this.#forms = [new EscapedText(secret), ...base64];
  }

  /** Where the secret is in the text. The ranges may overlap. */
  *rangesIn(text: string): Generator<Range> {
    for (const form of this.#forms) yield* form.rangesIn(text);
  }
}

type Form = Pick<EscapedText, 'text' | 'rangesIn'>;

/** A secret's base64 after `offset` bytes, modulo 3, as far as no text around it changes it. */
function base64Form(secret: string, offset: number, encoding: (typeof BASE64)[number]): Form {
  const bytes = Buffer.concat([Buffer.alloc(offset), Buffer.from(secret)]);
  const first = Math.ceil((offset * 8) / 6);
  const last = Math.floor((bytes.length * 8) / 6);
  const core = new EscapedText(bytes.toString(encoding).slice(first, last));
  return {
    text: core.text,
    *rangesIn(text) {
      const isBase64 = (at: number) => /[\w+/-]/.test(text.charAt(at));
      for (const { start, end } of core.rangesIn(text)) {
        // The characters beside it may hold bits of the secret too.
        const before = offset > 0 && isBase64(start - 1) ? 1 : 0;
        const after = (bytes.length * 8) % 6 > 0 && isBase64(end) ? 1 : 0;
        const padding = /^={0,2}/.exec(text.slice(end + after, end + after + 2))?.[0] ?? '';
        yield { start: start - before, end: end + after + padding.length };
      }
    },
  };
}

/** A text that is found whether its characters stand for themselves or are escaped. */
class EscapedText {
  readonly text: string;
  readonly #characters: readonly ReturnType<typeof endsOf>[];
  /** Finds where the first two characters may be, each as itself or as the beginning of an escape. */
  readonly #beginning: RegExp;

  constructor(text: string) {
    this.text = text;
    const characters = [...text];
    this.#characters = characters.map(endsOf);
    const [first = '', second = ''] = characters.slice(0, 2).map(unitsPattern);
    this.#beginning = new RegExp(`(?=[\\\\%&]|${first}(?:[\\\\%&]|${second}))`, 'g');
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
    // If none of its own characters begins an escape, it is read in one way where it stands.
    const isPlain = !ESCAPE.test(this.text);
    if (isPlain && text.startsWith(this.text, start)) return start + this.text.length;
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

const hex = (value: number, digits = 2) => value.toString(16).padStart(digits, '0');

/** The units of UTF-16. */
const unitsOf = (text: string) => text.split('').map((unit) => unit.charCodeAt(0));
const unitsPattern = (text: string) =>
  unitsOf(text)
    .map((unit) => `\\u${hex(unit, 4)}`)
    .join('');

/** A pattern for the escapes that hold the character's code, or its name in HTML. */
function codePattern(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  const name = HTML_NAMES[character];
  // JSON escapes the units of UTF-16.
  const inJson = unitsOf(character).map((unit) => `\\\\u0*${hex(unit)}`);
  return [
    `\\\\x${hex(code)}`,
    inJson.join(''),
    `\\\\u\\{0*${hex(code)}\\}`,
    [...Buffer.from(character)].map((byte) => `%${hex(byte)}`).join(''),
    `&#0*${code}`,
    `&#x0*${hex(code)}`,
    ...(name === undefined ? [] : [`&${name}`]),
  ].join('|');
}

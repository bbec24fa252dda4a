import * as z from 'zod/mini';
import { parseDuration } from '../text/duration.ts';
import { linesOf, quote } from '../text/escape.ts';
import { isUsableId } from '../text/id.ts';
import { listInWords, pluralize } from '../text/words.ts';

/** A rule turns an input's text into a value, or refuses it with words that follow the name. */
const checked = <R>(parse: (text: string, refuse: (problem: string) => never) => R) =>
  z.transform(
    (text: string, context): R =>
      parse(text, (message) => {
        context.issues.push({ code: 'custom', message, input: text });
        return z.NEVER;
      }),
  );

/** One of a few words. */
export const oneOf = <W extends string>(...words: readonly W[]) =>
  checked((text, refuse) => {
    const choice = `${words.slice(0, -1).join(', ')} or ${words.at(-1)}`;
    const word = words.find((candidate) => candidate === text.trim());
    return word ?? refuse(`must be ${choice}; it is ${quote(text)}`);
  });

/** `examples` are in the range. */
export const duration = (least: string, most: string, examples: string) =>
  checked((text, refuse) => {
    const ms = parseDuration(text.trim());
    const isInRange =
      ms !== undefined && ms >= (parseDuration(least) ?? 0) && ms <= (parseDuration(most) ?? 0);
    const rule = `must be a duration from ${least} to ${most}, like ${examples}`;
    return isInRange ? ms : refuse(`${rule}; it is ${quote(text)}`);
  });

/** An API key is recognized by its beginning, and never printed. */
export const projectId = checked((text, refuse) => {
  const id = text.trim();
  if (id.startsWith('mint_')) {
    return refuse(
      'looks like an API key. The runner has printed it above, because only secrets are masked. Delete that key in the Mintlify dashboard, create a new one, and save it as a secret for `adminApiKey`',
    );
  }
  return isUsableId(id) ? id : refuse(invalidId(id));
});

/** An id is any text that the service chose, so the spaces around it stay. */
export const jobId = checked((text, refuse) => {
  const id = text.replace(/^[\r\n\t]+|[\r\n\t]+$/g, '');
  return isUsableId(id) ? id : refuse(invalidId(id));
});

const invalidId = (id: string) => `is not a valid id; it is ${quote(id)}`;

/** GitHub stores a secret as it was pasted, with line breaks. The key itself is never printed. */
export const adminApiKey = checked((text, refuse) => {
  const stray =
    'contains white space, a line break or a character that is not ASCII; paste the key again, without anything around it';
  if (/[^\x21-\x7e]/.test(text)) return refuse(stray);
  const other = (kind: string) =>
    refuse(
      `is ${kind}; an admin key is needed. Create one on the API keys page of your Mintlify dashboard`,
    );
  if (text.startsWith('mint_dsc_')) return other('an assistant key (`mint_dsc_`)');
  if (text.startsWith('mint_us_')) return other('an index key (`mint_us_`)');
  return text.startsWith('mint_') ? text : refuse('is not an admin key: those begin with `mint_`');
});

export const baseUrl = checked((text, refuse) => {
  const shown = text.includes('@') ? 'not printed here' : quote(text);
  const problem = (what: string) => refuse(`${what}; it is ${shown}`);
  if (!URL.canParse(text.trim())) return problem('must be a URL like https://api.mintlify.com');
  const url = new URL(text.trim());
  if (url.username !== '' || url.password !== '') return refuse('must not contain credentials');
  if (url.search !== '' || url.hash !== '') return problem('must not have a query or a fragment');
  const hasVersion = /\/v2\/*$/.test(url.pathname);
  if (hasVersion) return problem('must not end in `/v2`, which the action adds itself');
  const isLoopback = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(url.hostname);
  return url.protocol === 'https:' || (url.protocol === 'http:' && isLoopback)
    ? `${url.origin}${url.pathname.replace(/\/+$/, '')}`
    : problem('must begin with https:// (http:// only for the loopback host)');
});

/** The YAML 1.2 core schema's booleans, as the toolkit's `getBooleanInput` reads them. */
export const boolean = checked((text, refuse) => {
  const word = text.trim();
  if (/^(true|True|TRUE)$/.test(word)) return true;
  if (/^(false|False|FALSE)$/.test(word)) return false;
  return refuse(`must be true or false; it is ${quote(text)}`);
});

/** What git allows in a ref name, as far as it matters in a URL and in `base...head`. */
export const since = checked((text, refuse) => {
  const ref = text.trim();
  if (/^[\w./-]+(?:[~^]\d*)+$/.test(ref)) {
    const advice = `write the commit itself, as \`git rev-parse ${ref}\` prints it`;
    return refuse(`cannot count back from a commit; ${advice}; it is ${quote(text)}`);
  }
  return /[\s~^:?*[\\\p{Cc}]|\.\.|@\{/u.test(ref)
    ? refuse(`is not auto, last-success, or a branch, tag or commit; it is ${quote(text)}`)
    : ref;
});

const MAX_SKIP_LENGTH = 200;

/** The patterns of `skip`, one on each line. White space around a pattern is removed. */
export const skip = checked((text, refuse) => {
  const lines = linesOf(text).map((line) => line.trim());
  const patterns = lines.filter((line) => line !== '');
  const tooLong = patterns.find((pattern) => pattern.length > MAX_SKIP_LENGTH);
  if (tooLong !== undefined) {
    return refuse(
      `contains a line of more than ${MAX_SKIP_LENGTH} characters: ${quote(tooLong.slice(0, 100))}…; write each pattern on a line of its own`,
    );
  }
  const all = patterns.find((pattern) => /^@?\*+$/.test(pattern));
  if (all !== undefined) {
    return refuse(`contains ${quote(all)}, which would leave out every change; remove the line`);
  }
  return patterns;
});

/** A quarter of the longest path that GitHub allows. */
const MAX_PATTERN_LENGTH = 1_000;

/** A pattern that means something in YAML or a shell. In a path filter it would select nothing. */
interface Mistake {
  /** Tested on a pattern without its `!`, and with `__` for each character that `\` escapes. */
  readonly form: RegExp;
  /** What to write instead of a pattern without its `!`, and without white space around it. */
  readonly meant: (pattern: string) => string | readonly string[];
  readonly why?: string;
}

const BRACES = /\{([^{}]*,[^{}]*)\}/;
/** Groups of a shell. Parentheses alone may be part of a name. */
const SHELL_GROUP = /(?:@|[+?*](?=\([^()]*\|))\(([^()]*)\)/;

const MISTAKES: readonly Mistake[] = [
  { form: /^\s/, meant: (pattern) => pattern },
  { form: /^-\s/, meant: (pattern) => pattern.slice(1).trim() },
  {
    form: /(?:^|\s)(?:#|\/\/)\s/,
    meant: (pattern) => pattern.replace(/(?:^|\s+)(?:#|\/\/)\s.*$/s, ''),
    why: 'comments are not read (write `\\#` for a name with `#`)',
  },
  { form: BRACES, meant: (pattern) => alternatives(pattern, BRACES, ',') },
  { form: SHELL_GROUP, meant: (pattern) => alternatives(pattern, SHELL_GROUP, '|') },
  {
    form: /^\[\s*["'`].*\]$|,(?:\s|$)|\*[,;|]|^(["'`])[^"'`]*\1\s*[,"'`]/su,
    meant: (pattern) =>
      pattern.replace(/^\[(.*)\]$/s, '$1').split(/,|(?<=\*)[;|]|(?<=["'`])\s+(?=["'`])/),
  },
  { form: /^(["'`]).*\1$/su, meant: (pattern) => pattern.slice(1, -1) },
  {
    form: /\\$/,
    meant: (pattern) => pattern.slice(0, -1).trim(),
    why: 'lines cannot be continued',
  },
  { form: /\\\p{L}/u, meant: (pattern) => pattern.replaceAll('\\', '/') },
  { form: /^(?:\.{0,2}\/)*\.{1,2}$|^(?:\.{0,2}\/)+$/, meant: () => '**' },
  {
    form: /^\.{0,2}\//,
    meant: (pattern) => pattern.replace(/^(?:\.{0,2}\/)+/, ''),
    why: "patterns start at the repository's root, without a slash or `./` before them",
  },
  { form: /\/\.?\//, meant: (pattern) => pattern.replace(/\/(?:\.?\/)+/g, '/') },
  { form: /(?:^|\/)[^/]+\/\.\.\//, meant: (pattern) => pattern.replace(/[^/]+\/\.\.\//, '') },
  { form: /\/$/, meant: (pattern) => `${pattern}**` },
];

/** A pattern for each alternative of the first group in it. */
function alternatives(pattern: string, group: RegExp, separator: string): readonly string[] {
  const [whole = '', content = ''] = group.exec(pattern) ?? [];
  return content.split(separator).map((part) => pattern.replace(whole, () => part.trim()));
}

/** The first mistake in a pattern without its `!`. What is escaped means itself, so it is none. */
function mistakeIn(pattern: string): Mistake | undefined {
  const plain = pattern.replace(/\\[^\p{L}]/gsu, '__');
  return MISTAKES.find(({ form }) => form.test(plain));
}

/** More than these are not shown: of the patterns to write instead, and of the problems. */
const MAX_MEANT = 20;
const MAX_PROBLEMS = 20;

/** The patterns to write instead of one with mistakes; one more than are shown if there are more. */
function meantBy(pattern: string): readonly string[] {
  let meant = [pattern];
  // Each step makes the patterns shorter, or adds a last `**`. A few steps are enough for any error.
  for (let step = 0; step < MISTAKES.length; step += 1) {
    const better = meant.flatMap((one) => mistakeIn(one)?.meant(one.trim()) ?? one);
    const given = better.map((one) => one.trim()).filter((one) => one !== '');
    meant = given.slice(0, MAX_MEANT + 1);
  }
  return meant;
}

function problemOf(line: string): string | undefined {
  if (line.length > MAX_PATTERN_LENGTH) {
    return `contains a line of more than ${MAX_PATTERN_LENGTH.toLocaleString('en')} characters: ${quote(line.slice(0, 100))}…; write each pattern on a line of its own`;
  }
  const exclude = line.startsWith('!') ? '!' : '';
  const pattern = line.slice(exclude.length);
  const mistake = mistakeIn(pattern);
  if (mistake === undefined && pattern !== '') return undefined;
  const meant = meantBy(pattern).map((one) => quote(exclude + one));
  const each = meant.length > 1 ? ', each on a line of its own' : '';
  const shown = meant.length > MAX_MEANT ? [...meant.slice(0, MAX_MEANT), 'so on'] : meant;
  const write = `write ${listInWords(shown)}${each}`;
  const why = mistake?.why === undefined ? '' : `${mistake.why}: `;
  return `contains ${quote(line)}; ${why}${meant.length === 0 ? 'remove the line' : write}`;
}

/** The patterns of `paths`, one on each line. White space around a pattern is removed. */
export const paths = checked((text, refuse) => {
  const lines = linesOf(text).map((line) => line.trim());
  const patterns = lines.filter((line) => line !== '');
  const problems = patterns.map(problemOf).filter((problem) => problem !== undefined);
  const more = problems.splice(MAX_PROBLEMS).length;
  if (more > 0) problems.push(`contains ${pluralize(more, 'more line')} with a mistake`);
  if (problems.length > 0) return refuse(problems.join('; it '));
  return patterns.every((pattern) => pattern.startsWith('!'))
    ? refuse('has only excludes; start with a pattern that includes, like `**`')
    : patterns;
});

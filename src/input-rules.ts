import * as z from 'zod/mini';
import { isId } from './agent/job.ts';
import { parseDuration } from './duration.ts';
import { quote } from './text.ts';

/** The rules of single inputs: each takes the text that was given and makes a value of it. */

export type ChangesLevel = 'none' | 'files' | 'diff';

/** Why a text is refused, worded to follow the input's name. */
class Problem {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** A string that `parse` makes a value of, or refuses. */
function checked<R>(parse: (text: string) => R) {
  return z.pipe(
    z.string(),
    z.transform((text, context): Exclude<R, Problem> => {
      const result = parse(text);
      if (!(result instanceof Problem)) return result as Exclude<R, Problem>;
      context.issues.push({ code: 'custom', message: result.text, input: text });
      return z.NEVER;
    }),
  );
}

export const duration = (least: string, most: string) =>
  checked((text) => {
    const ms = parseDuration(text.trim());
    const isInRange =
      ms !== undefined && ms >= (parseDuration(least) ?? 0) && ms <= (parseDuration(most) ?? 0);
    const problem = `must be a duration from ${least} to ${most}, like 90s, 30m or 2h; it is ${quote(text)}`;
    return isInRange ? ms : new Problem(problem);
  });

/** A segment of the request's path. Keys are told apart by their beginning and not printed. */
export const identifier = checked((text) => {
  const id = text.trim();
  if (/^mint_/.test(id)) return new Problem('looks like an API key, and is not printed here');
  return isId(id) ? id : new Problem(`is not an id; it is ${quote(text)}`);
});

/** GitHub's secrets keep what was pasted, line breaks included. The key itself is never printed. */
export const key = checked((text) => {
  if (/[^\x21-\x7e]/.test(text)) {
    return new Problem(
      'holds white space, a line break or a character that is not ASCII; paste the key again, without anything around it',
    );
  }
  if (text.startsWith('mint_dsc_')) {
    return new Problem('is an assistant key (`mint_dsc_`); an admin key is needed');
  }
  if (text.startsWith('mint_us_')) {
    return new Problem('is an index key (`mint_us_`); an admin key is needed');
  }
  if (!text.startsWith('mint_')) {
    return new Problem('is not an admin key: those begin with `mint_`');
  }
  return text;
});

export const url = checked((text) => {
  const problem = (what: string) => new Problem(`${what}; it is ${quote(text)}`);
  if (!URL.canParse(text.trim())) return problem('must be a URL like https://api.mintlify.com');
  const { protocol, hostname, username, password, search, hash, origin, pathname } = new URL(
    text.trim(),
  );
  if (username !== '' || password !== '') return new Problem('must not hold credentials');
  if (search !== '' || hash !== '') return problem('must not have a query or a fragment');
  const isLoopback = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(hostname);
  if (protocol !== 'https:' && !(protocol === 'http:' && isLoopback)) {
    return problem('must begin with https:// (http:// only for the loopback host)');
  }
  return `${origin}${pathname.replace(/\/+$/, '')}`;
});

/** The YAML 1.2 core schema's booleans, as the toolkit's `getBooleanInput` reads them. */
export const boolean = checked((text) => {
  const word = text.trim();
  if (/^(true|True|TRUE)$/.test(word)) return true;
  if (/^(false|False|FALSE)$/.test(word)) return false;
  return new Problem(`must be true or false; it is ${quote(text)}`);
});

export const changes = checked((text): ChangesLevel | Problem => {
  const level = text.trim();
  if (level === 'none' || level === 'files' || level === 'diff') return level;
  return new Problem(`must be none, files or diff; it is ${quote(text)}`);
});

/** What git allows in a ref name, so far as it matters in a URL and in `base...head`. */
export const since = checked((text) => {
  const ref = text.trim();
  const isRef = !/[\s~^:?*[\\\p{Cc}]|\.\.|@\{/u.test(ref);
  return isRef
    ? ref
    : new Problem(`is not auto, last-success, or a branch, tag or commit; it is ${quote(text)}`);
});

export const pathList = checked((text) => {
  const globs = text
    .split(/\r\n|\r|\n/)
    .map((line) => line.trim())
    .filter((line) => line !== '');
  const bad = globs.find((glob) => /^!?$/.test(glob) || glob.startsWith('/'));
  if (bad !== undefined) {
    return new Problem(
      `holds ${quote(bad)}; globs start at the repository's root, without a slash`,
    );
  }
  if (globs.every((glob) => glob.startsWith('!'))) {
    return new Problem('only excludes; put a glob that includes first, like `**`');
  }
  return globs;
});

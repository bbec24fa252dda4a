import * as z from 'zod/mini';
import { parseDuration } from '../text/duration.ts';
import { quote } from '../text/escape.ts';
import { isUsableId } from '../text/id.ts';
import { PATHS, readPatterns, SKIP } from './patterns.ts';

/**
 * A rule turns an input's text into a value, or rejects it with words that follow the input's name.
 */
const checked = <R>(parse: (text: string, refuse: (problem: string) => never) => R) =>
  z.transform(
    (text: string, context): R =>
      parse(text, (message) => {
        context.issues.push({ code: 'custom', message, input: text });
        return z.NEVER;
      }),
  );

/** Accepts one of a few words. */
export const oneOf = <W extends string>(...words: readonly W[]) =>
  checked((text, refuse) => {
    const choice = `${words.slice(0, -1).join(', ')} or ${words.at(-1)}`;
    const word = words.find((candidate) => candidate === text);
    return word ?? refuse(`must be ${choice}; it is ${quote(text)}`);
  });

/** `examples` must be in the range. */
export const duration = (least: string, most: string, examples: string) =>
  checked((text, refuse) => {
    const ms = parseDuration(text);
    const isInRange =
      ms !== undefined && ms >= (parseDuration(least) ?? 0) && ms <= (parseDuration(most) ?? 0);
    const rule = `must be a duration from ${least} to ${most}, like ${examples}`;
    return isInRange ? ms : refuse(`${rule}; it is ${quote(text)}`);
  });

export const ON_KEYS_PAGE = 'on the API keys page of your Mintlify dashboard';

/**
 * Accepts an ID that a person copied: any text that the service chose, but no URL and no quotes.
 */
function copiedId(text: string, where: string, refuse: (problem: string) => never): string {
  const inQuotes = /^(["'`])(.*)\1$/su.exec(text)?.[2];
  if (inQuotes !== undefined) return refuse(`is in quotes; write ${quote(inQuotes)}`);
  const isAddress = /:\/\/|^(?:[\w-]+\.)*(?:mintlify|github)\.com(?:\/|$)/i.test(text);
  if (isAddress)
    return refuse(`must be an id and not an address; it is ${quote(text)}. The id is ${where}`);
  return isUsableId(text) ? text : refuse(`is not a valid id; it is ${quote(text)}`);
}

export const jobId = checked((text, refuse) =>
  copiedId(text, 'in the summary of the run that created the agent job', refuse),
);

/** Recognizes an API key by its prefix, and never prints it. */
export const projectId = checked((text, refuse) =>
  /^\W?mint_/.test(text)
    ? refuse(
        `is an API key, and the runner prints inputs in the log. Delete the key in the Mintlify dashboard, create a new one, and save it as the secret for \`adminApiKey\`. As \`projectId\`, write the project id, which is ${ON_KEYS_PAGE}`,
      )
    : copiedId(text, ON_KEYS_PAGE, refuse),
);

/** A character that a secret can't contain once it is trimmed. The secret is never printed. */
const STRAY = /[^\x21-\x7e]/;
const strayIn = (what: string) =>
  `contains white space, a line break or a character that is not ASCII; paste the ${what} again, without anything else`;

export const adminApiKey = checked((text, refuse) => {
  if (STRAY.test(text)) return refuse(strayIn('key'));
  if (/^["'`]mint_/.test(text)) return refuse('is in quotes; save the key without them');
  const other = (kind: string) => refuse(`is ${kind}. Create an admin key ${ON_KEYS_PAGE}`);
  if (text.startsWith('mint_dsc_')) return other('an assistant key (`mint_dsc_`)');
  if (text.startsWith('mint_us_')) return other('an index key (`mint_us_`)');
  return text.startsWith('mint_') ? text : other('not an admin key: those begin with `mint_`');
});

export const githubToken = checked((text, refuse) =>
  STRAY.test(text) ? refuse(strayIn('token')) : text,
);

export const baseUrl = checked((text, refuse) => {
  const shown = text.includes('@') ? 'not printed here' : quote(text);
  const problem = (what: string) => refuse(`${what}; it is ${shown}`);
  if (!URL.canParse(text)) return problem('must be a URL like https://api.mintlify.com');
  const url = new URL(text);
  if (url.username !== '' || url.password !== '') return refuse('must not contain credentials');
  if (url.search !== '' || url.hash !== '') return problem('must not have a query or a fragment');
  const hasVersion = /\/v2\/*$/.test(url.pathname);
  if (hasVersion) return problem('must not end in `/v2`, which the action adds itself');
  const isLoopback = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(url.hostname);
  return url.protocol === 'https:' || (url.protocol === 'http:' && isLoopback)
    ? `${url.origin}${url.pathname.replace(/\/+$/, '')}`
    : problem('must begin with https:// (http:// only for the loopback host)');
});

/** Follows the YAML 1.2 core schema, as does the toolkit's `getBooleanInput`. */
export const isTrue = (text: string) => /^(true|True|TRUE)$/.test(text);

export const boolean = checked((text, refuse) => {
  if (isTrue(text)) return true;
  if (/^(false|False|FALSE)$/.test(text)) return false;
  return refuse(`must be true or false; it is ${quote(text)}`);
});

/** Revisions relative to another, which git understands and GitHub doesn't. */
const COUNTED = /^(?:@|[\w./-]+)(?:[~^]\d*)+$/;
/** Dates that git understands. It silently turns other words, like `last tag`, into a date. */
const DATE =
  /[\s.]ago$|^\d{4}-\d\d-\d\d[T\s]|^(?:last|\d+)\s+(?:second|minute|hour|day|week|month|year)s?$|^(?:yesterday|today)\s+(?:\d|noon|midnight)/i;
/** The web pages of a commit, a tag and a branch. */
const PAGE = /^https?:\/\/.*\/(?:commits?|tree|releases\/tag)\/([^?#]+?)\/?(?:[?#].*)?$/i;
/** What git forbids in a ref name, where it would matter in a URL or in `base...head`. */
const NO_REF = /[\s~^:?*[\\\p{Cc}]|\.\.|@\{/u;

export const since = checked((text, refuse) => {
  const printed = (command: string) => `write the commit that ${quote(command)} prints`;
  if (COUNTED.test(text)) {
    return refuse(`cannot count back from a commit; ${printed(`git rev-parse ${text}`)}`);
  }
  if (DATE.test(text)) {
    const command = `git rev-list -1 --before='${text.replaceAll("'", '')}' HEAD`;
    return refuse(`cannot be a date; ${printed(command)}`);
  }
  const named = PAGE.exec(text)?.[1];
  if (named !== undefined && !NO_REF.test(named) && !named.includes('%')) {
    return refuse(`is an address; write ${quote(named)}`);
  }
  return NO_REF.test(text)
    ? refuse(`is not auto, last-success, or a branch, tag or commit; it is ${quote(text)}`)
    : text;
});

export const paths = checked((text, refuse) => {
  const read = readPatterns(text, PATHS);
  if (read.kind === 'problem') return refuse(read.problem);
  return read.patterns.every((pattern) => pattern.startsWith('!'))
    ? refuse('has only excludes; start with a pattern that includes, like `**`')
    : read.patterns;
});

export const skip = checked((text, refuse) => {
  const read = readPatterns(text, SKIP);
  return read.kind === 'problem' ? refuse(read.problem) : read.patterns;
});

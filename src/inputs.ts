/** The inputs of the step: their schema, and what goes together. */
import { readFile, realpath } from 'node:fs/promises';
import { isAbsolute, relative, resolve, sep } from 'node:path';
import * as z from 'zod/mini';
import { messageOf, StepError } from './errors.ts';
import { MINUTE_MS } from './limits.ts';
import { fixFor, type PatternInput } from './patterns.ts';
import { linesOf, quote } from './text/escape.ts';
import { parseDuration } from './text/words.ts';

const KEYS_PAGE = 'the API keys page of your Mintlify dashboard';

// The message of a rule follows the input's name.

/** A text that `read` makes into a value. It can refuse one text for several problems. */
const text = <T>(read: (typed: string, refuse: (problem: string) => never) => T) =>
  z.pipe(
    z.string(),
    z.transform((typed: string, { issues }) =>
      read(typed, (message) => {
        issues.push({ code: 'custom', message, input: typed });
        return z.NEVER;
      }),
    ),
  );

const mustBe = (what: string, typed: unknown) => `must be ${what}, not ${quote(String(typed))}.`;

const oneOf = <const W extends string>(choice: string, words: readonly [W, ...W[]]) =>
  z.enum(words, { error: ({ input }) => mustBe(choice, input) });

/** As YAML and the toolkit read it: https://yaml.org/spec/1.2.2/#10212-boolean */
const boolean = text((typed, refuse) => {
  if (/^(true|True|TRUE|false|False|FALSE)$/.test(typed)) return typed.toLowerCase() === 'true';
  return refuse(mustBe('true or false', typed));
});

/** To milliseconds, at least a second. */
const duration = (most: string) =>
  text((typed, refuse) => {
    const ms = parseDuration(typed) ?? 0;
    if (ms > 0 && ms <= Number(parseDuration(most))) return ms;
    return refuse(mustBe(`a duration from 1s to ${most}, like 90s or 10m`, typed));
  });

const id = (where: string) =>
  text((typed, refuse) => {
    if (!/["'`/]/.test(typed)) return typed;
    return refuse(
      `is in quotes or a URL: ${quote(typed)}. Write only the ID, which you find ${where}.`,
    );
  });

const pullNumber = text((typed, refuse) => {
  const [, number] = /^#?([1-9]\d{0,8})$/.exec(typed) ?? [];
  if (number !== undefined) return Number(number);
  return refuse(
    `${mustBe('the number of a pull request', typed)} Write only the number, like \`12\`.`,
  );
});

const WRONG_KEYS: readonly (readonly [RegExp, problem: string])[] = [
  [/[^\x21-\x7e]/, 'contains white space or a special character'],
  [/^mint_dsc_/, 'is an assistant key (`mint_dsc_`)'],
  [/^mint_us_/, 'is an index key (`mint_us_`)'],
  [/^(?!mint_)/, 'does not begin with `mint_`'],
];

// Its messages never show the key.
const adminApiKey = text((typed, refuse) => {
  const wrong = WRONG_KEYS.find(([pattern]) => pattern.test(typed));
  if (wrong === undefined) return typed;
  return refuse(`${wrong[1]}. Save an admin key from ${KEYS_PAGE} as the secret.`);
});

const baseUrl = text((typed, refuse) => {
  const url = URL.canParse(typed) ? new URL(typed) : undefined;
  const isLoopback = /^(localhost|127(\.\d+){3}|\[::1\])$/.test(url?.hostname ?? '');
  const isSafe = url?.protocol === 'https:' || (url?.protocol === 'http:' && isLoopback);
  if (url !== undefined && isSafe && !/[@?#]/.test(typed))
    return `${url.origin}${url.pathname.replace(/\/+$/, '')}`;
  // Not quoted: it may hold a password.
  return refuse(
    'must be a URL like https://api.mintlify.com, without credentials or a query. http:// works only for a loopback host.',
  );
});

const patterns = (input: PatternInput) =>
  text((typed, refuse): readonly string[] => {
    const lines = linesOf(typed)
      .map((line) => line.trim())
      .filter((line) => line !== '');
    for (const line of lines) {
      const fix = fixFor(line, input);
      if (fix !== undefined) refuse(`contains ${quote(line)}. ${fix}`);
    }
    if (input === 'paths' && lines.every((line) => line.startsWith('!')))
      refuse('only excludes files, so none would match. Write `**` as its first line.');
    return lines;
  });

/** One field for each input, in the order of action.yml, which says what they mean. */
const schema = z.object({
  prompt: z.optional(z.string()),
  promptFile: z.optional(z.string()),
  projectId: z.optional(id(`on ${KEYS_PAGE}`)),
  adminApiKey: z.optional(adminApiKey),
  changes: z._default(oneOf('none, files, or diff', ['none', 'files', 'diff']), 'none'),
  paths: z._default(patterns('paths'), []),
  skip: z._default(patterns('skip'), []),
  since: z._default(z.string(), ''),
  codePullRequest: z.optional(pullNumber),
  pullRequest: z._default(oneOf('new or append', ['new', 'append']), 'new'),
  jobId: z.optional(id('in the summary of the run that created the agent job')),
  dryRun: z._default(boolean, false),
  wait: z._default(boolean, true),
  timeout: z._default(duration('24h'), 30 * MINUTE_MS),
  pollInterval: z._default(duration('10m'), 10_000),
  baseUrl: z._default(baseUrl, 'https://api.mintlify.com'),
  githubToken: z._default(z.string(), ''),
  // JSON, which is `null` outside a matrix.
  matrix: z._default(z.string(), ''),
});

type Fields = Readonly<z.infer<typeof schema>>;
type Name = keyof Fields;
type Raw = Readonly<Partial<Record<Name, string>>>;

/** As the run uses them: `prompt` (maybe of the file), `jobId`, or both. A dry run may lack the key. */
export interface Inputs extends Omit<Fields, 'promptFile' | 'timeout' | 'pollInterval'> {
  readonly projectId: string;
  readonly timeoutMs: number;
  readonly pollIntervalMs: number;
  /** Whether a new prompt is about changes: `changes`, or one of the four inputs after it, is given. */
  readonly sendsChanges: boolean;
}

export const INPUT_NAMES = Object.keys(schema.shape) as readonly Name[];

/**
 * `undefined` if it is empty. Only `prompt` keeps the white space around it.
 * https://docs.github.com/actions/reference/workflows-and-actions/metadata-syntax#inputs
 */
function inputOf(name: Name, env: NodeJS.ProcessEnv): string | undefined {
  const value = env[`INPUT_${name.toUpperCase()}`] ?? '';
  const trimmed = value.trim();
  if (trimmed === '') return undefined;
  return name === 'prompt' ? value : trimmed;
}

/** The key and the token, to mask before anything is logged. */
export function secretsOf(env: NodeJS.ProcessEnv): readonly string[] {
  const secrets = [inputOf('adminApiKey', env), inputOf('githubToken', env)];
  return secrets.filter((secret) => secret !== undefined);
}

/**
 * Reads the inputs from `INPUT_*`, and the file that `promptFile` names in `GITHUB_WORKSPACE`.
 * Throws a `StepError` with all problems at once, one a line: `key-missing` if that is one of them.
 */
export async function readInputs(env: NodeJS.ProcessEnv): Promise<Inputs> {
  const given = INPUT_NAMES.map((name) => [name, inputOf(name, env)] as const);
  const raw: Raw = Object.fromEntries(given.filter(([, value]) => value !== undefined));
  const issues = schema.safeParse(raw).error?.issues ?? [];
  const broken = new Set(issues.map(({ path }) => path[0]));
  // Without the broken inputs, so that what goes together is checked for the others.
  const usable = Object.entries(raw).filter(([name]) => !broken.has(name));
  const fields = schema.parse(Object.fromEntries(usable));
  const { promptFile, projectId, timeout, pollInterval, ...others } = fields;
  const workspace = env['GITHUB_WORKSPACE'] ?? '.';
  const file = promptFile === undefined ? undefined : await readPromptFile(promptFile, workspace);
  const prompt = file?.instruction ?? fields.prompt;
  const problems = [
    ...problemsAmong(raw, fields, prompt),
    ...issues.map(({ path, message }) => `\`${path.join('.')}\` ${message}`),
    ...(file?.problems ?? []),
  ];
  if (projectId === undefined || problems.length > 0)
    throw new StepError(isKeyMissing(raw, fields) ? 'key-missing' : 'inputs', problems.join('\n'));
  return {
    ...others,
    prompt,
    projectId,
    timeoutMs: timeout,
    pollIntervalMs: pollInterval,
    sendsChanges: fields.jobId === undefined && isAboutChanges(raw),
  };
}

/** True even if one of them has a mistake. */
const isAboutRange = ({ changes = 'none', paths, skip, since }: Raw) =>
  changes !== 'none' || (paths ?? skip ?? since) !== undefined;

const isAboutChanges = (raw: Raw) => isAboutRange(raw) || raw.codePullRequest !== undefined;

const isKeyMissing = ({ adminApiKey }: Raw, { dryRun }: Fields) =>
  adminApiKey === undefined && !dryRun;

/** A prompt with changes has at most 200 kB. */
const MAX_INSTRUCTION_BYTES = 150_000;

function problemsAmong(raw: Raw, fields: Fields, instruction = ''): readonly string[] {
  const has = (name: Name) => raw[name] !== undefined;
  const both = (a: string, b: string) => `\`${a}\` and \`${b}\` are both given. Keep one of them.`;
  const isAppending = fields.pullRequest === 'append';
  const problems: Readonly<Record<string, boolean>> = {
    '`prompt` is empty. Give a `prompt`, a `promptFile`, or a `jobId` to follow.':
      !has('prompt') && !has('promptFile') && !has('jobId'),
    [`\`projectId\` is empty. You find it on ${KEYS_PAGE}. If the workflow reads it from a variable, add that variable to this repository.`]:
      !has('projectId'),
    '`adminApiKey` is empty. Add the secret that the workflow names to this repository, then re-run the failed jobs.':
      isKeyMissing(raw, fields),
    [both('prompt', 'promptFile')]: has('prompt') && has('promptFile'),
    [both('codePullRequest', 'since')]: has('codePullRequest') && has('since'),
    [both('codePullRequest', 'jobId')]: has('codePullRequest') && has('jobId'),
    '`prompt` or `promptFile` is over 150,000 bytes, which leaves no room for the changes. Shorten it, or set `changes: none`.':
      fields.changes !== 'none' && Buffer.byteLength(instruction) > MAX_INSTRUCTION_BYTES,
    // The service would store the key, and the summary would show it.
    '`adminApiKey` is part of the prompt. Remove it there.':
      raw.adminApiKey !== undefined && instruction.includes(raw.adminApiKey),
    [both('pullRequest: append', 'jobId')]: isAppending && fields.jobId !== undefined,
    // Without a prompt, a workflow for every push may follow an agent job by hand.
    '`jobId` sends a message without changes. Remove `changes`, `paths`, `skip`, and `since`, or remove `jobId`.':
      instruction !== '' && fields.jobId !== undefined && isAboutRange(raw),
    '`pullRequest: append` needs to wait for the agent job. Remove `wait: false`, or use `pullRequest: new`.':
      isAppending && !fields.wait,
    '`githubToken` is empty. Remove the input to use the token of the workflow run, or pass another token.':
      (isAppending || isAboutChanges(raw)) && !has('githubToken'),
  };
  return Object.keys(problems).filter((problem) => problems[problem]);
}

/**
 * A file in the workspace as it is, without a byte order mark, or what is wrong with it. Links lead
 * nowhere else, and nothing in `.git` is read, because git keeps credentials there.
 */
async function readPromptFile(path: string, workspace: string) {
  const refuse = (problem: string) => ({
    instruction: undefined,
    problems: [`\`promptFile\` names ${quote(path)}, which ${problem}`],
  });
  try {
    const root = await realpath(workspace);
    const real = await realpath(resolve(root, path));
    const fromRoot = relative(root, real);
    const steps = fromRoot.toLowerCase().split(sep);
    if (steps[0] === '..' || steps.includes('.git') || isAbsolute(fromRoot))
      return refuse('is outside the workspace or in `.git`. Use a file in the workspace.');
    const instruction = new TextDecoder('utf-8', { fatal: true }).decode(await readFile(real));
    if (instruction.trim() === '') return refuse('is empty. Write the instruction in it.');
    return { instruction, problems: [] };
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    if (code === 'ENOENT')
      return refuse('does not exist. If it is in the repository, add a checkout step before.');
    if (code === 'ERR_ENCODING_INVALID_ENCODED_DATA')
      return refuse('is not UTF-8 text. Save it as UTF-8.');
    return refuse(`cannot be read (${quote(messageOf(error))}). Use a file in the workspace.`);
  }
}

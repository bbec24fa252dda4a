/** The inputs of the step: their schema, and what goes together. */
import { z } from 'zod';
import { StepError } from './errors.ts';
import { readPromptFile } from './prompt-file.ts';
import { linesOf, quote } from './text/escape.ts';
import { parseDuration } from './text/words.ts';

/** What the step does with an agent job. A `message` is a follow-up message to an existing one. */
export type Task =
  | { readonly kind: 'create'; readonly instruction: string }
  | { readonly kind: 'message'; readonly jobId: string; readonly instruction: string }
  | { readonly kind: 'follow'; readonly jobId: string };

/** The message has one problem a line. */
export class InputErrors extends StepError {
  override readonly name = 'InputErrors';
  /** Maybe among other problems. GitHub gives some runs no secrets. */
  readonly isKeyMissing: boolean;

  constructor(problems: readonly string[], isKeyMissing: boolean) {
    super('inputs', problems.join('\n'));
    this.isKeyMissing = isKeyMissing;
  }
}

const KEYS_PAGE = 'the API keys page of your Mintlify dashboard';

// The message of a rule follows the input's name.

const CHOICE = new Intl.ListFormat('en', { type: 'disjunction' });

const oneOf = <const W extends string>(...words: readonly [W, ...W[]]) =>
  z.enum(words, {
    error: ({ input }) => `must be ${CHOICE.format(words)}, not ${quote(String(input))}.`,
  });

const boolean = oneOf('true', 'false').transform((text) => text === 'true');

/** To milliseconds. Both ends are included. */
const duration = (least: string, most: string) =>
  z.string().transform((text, context) => {
    const ms = parseDuration(text);
    if (ms !== undefined && ms >= Number(parseDuration(least)) && ms <= Number(parseDuration(most)))
      return ms;
    context.addIssue(
      `must be a duration from ${least} to ${most}, like 90s or 10m, not ${quote(text)}.`,
    );
    return z.NEVER;
  });

const id = (where: string) =>
  z.string().refine((text) => !/["'`/]/.test(text), {
    error: ({ input }) =>
      `is in quotes or a URL: ${quote(String(input))}. Write only the ID, which you find ${where}.`,
  });

const WRONG_KEYS: readonly (readonly [RegExp, problem: string])[] = [
  [/[^\x21-\x7e]/, 'contains white space or a special character'],
  [/^mint_dsc_/, 'is an assistant key (`mint_dsc_`)'],
  [/^mint_us_/, 'is an index key (`mint_us_`)'],
  [/^(?!mint_)/, 'does not begin with `mint_`'],
];

// Its messages never show the key.
const adminApiKey = z.string().superRefine((text, context) => {
  const wrong = WRONG_KEYS.find(([pattern]) => pattern.test(text));
  if (wrong !== undefined)
    context.addIssue(`${wrong[1]}. Save an admin key from ${KEYS_PAGE} as the secret.`);
});

const baseUrl = z.string().transform((text, context) => {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const isLoopback = /^(localhost|127(\.\d+){3}|\[::1\])$/.test(url?.hostname ?? '');
  const isSafe = url?.protocol === 'https:' || (url?.protocol === 'http:' && isLoopback);
  if (url !== undefined && isSafe && !/[@?#]/.test(text))
    return `${url.origin}${url.pathname.replace(/\/+$/, '')}`;
  // Not quoted: it may hold a password.
  context.addIssue(
    'must be a URL like https://api.mintlify.com, without credentials or a query. http:// works only for a loopback host.',
  );
  return z.NEVER;
});

// The mistakes in `paths` and `skip` that would skip or pay in silence.
type PatternInput = 'paths' | 'skip';

/**
 * Several patterns on one line. `a,b.md` and `My App/a` may be files, and `Revert a, b` a title.
 * GitHub's filter has no `{a,b}`.
 */
function isList(line: string, input: PatternInput): boolean {
  if (/^\[\s*["'`].*\]$|["'`]\s+["'`]|^-\s.*\s-\s|[,;]$/.test(line)) return true;
  if (input === 'paths')
    return /,\s|[*/"'`][,;]|\*\*\s|\/\s|\*\s+\S*[*/]|\*\.\w+\s|\{[^{}]*,[^{}]*\}/.test(line);
  if (/^(?:@|label:).*\s(?:@|label:)/.test(line)) return true;
  // A comma in parentheses belongs to a scope: `feat(api, *): *`.
  const parts = line.split(/,(?![^()]*\))/);
  const rules = parts.filter((part) => /\*|^\s*(?:["'`@]|label:)/.test(part));
  return rules.length > 1 || /^\[[^[\]]*,[^[\]]*\]$/.test(line);
}

/** The pattern that a line of YAML or of a shell means. */
function meantBy(line: string, input: PatternInput): string {
  const plain = line.replace(/^-\s+/, '').replace(/^(!?|label:\s*|@)(["'`])(.*)\2$/, '$1$3');
  if (input === 'skip') return plain;
  return plain.replace(/\/$/, '/**').replace(/^(!?)(?:\.{0,2}\/)+/, '$1');
}

function problemOf(line: string, input: PatternInput): string | undefined {
  const meant = meantBy(line, input);
  const isUnclosed = input === 'paths' && /["“”]|^!?['`]|['`]$/.test(meant);
  if (isUnclosed || isList(line, input)) {
    const space = input === 'paths' && /\s/.test(line) ? ' For a space in a name, write `*`.' : '';
    return `contains ${quote(line)}. Write each pattern on a line of its own, without quotes, brackets, or braces.${space}`;
  }
  if (meant === line) return undefined;
  const isFolder = input === 'paths' && !meant.includes('*');
  const folder = isFolder ? ` for a file, or ${quote(`${meant}/**`)} for a folder` : '';
  return `contains ${quote(line)}. Write ${quote(meant)}${folder}.`;
}

const patterns = (input: PatternInput) =>
  z.string().transform((text, context): readonly string[] => {
    const lines = linesOf(text)
      .map((line) => line.trim())
      .filter((line) => line !== '');
    for (const line of lines) {
      const problem = problemOf(line, input);
      if (problem !== undefined) context.addIssue(problem);
    }
    if (input === 'paths' && lines.every((line) => line.startsWith('!')))
      context.addIssue('only excludes files, so none would match. Write `**` as its first line.');
    return lines;
  });

/** One field for each input, in the order of action.yml, which says what they mean. */
const schema = z.object({
  prompt: z.string().optional(),
  promptFile: z.string().optional(),
  projectId: id(`on ${KEYS_PAGE}`).optional(),
  adminApiKey: adminApiKey.optional(),
  changes: oneOf('none', 'files', 'diff').default('none'),
  paths: patterns('paths').default([]),
  skip: patterns('skip').default([]),
  since: z.string().default(''),
  pullRequest: oneOf('new', 'append').default('new'),
  jobId: id('in the summary of the run that created the agent job').optional(),
  dryRun: boolean.default(false),
  wait: boolean.default(true),
  timeout: duration('1s', '24h').default(30 * 60_000),
  pollInterval: duration('1s', '10m').default(10_000),
  baseUrl: baseUrl.default('https://api.mintlify.com'),
  githubToken: z.string().default(''),
  // JSON, which is `null` outside a matrix.
  matrix: z.string().default(''),
});

type Fields = Readonly<z.infer<typeof schema>>;
type Name = keyof Fields;
type Raw = Readonly<Partial<Record<Name, string>>>;

/** The inputs as the run uses them. The key is missing only in a dry run. */
export interface Inputs
  extends Omit<Fields, 'prompt' | 'promptFile' | 'jobId' | 'timeout' | 'pollInterval'> {
  readonly task: Task;
  readonly projectId: string;
  readonly timeoutMs: number;
  readonly pollIntervalMs: number;
  /** Whether a new prompt is about changes: `changes`, `paths`, `skip`, or `since` is given. */
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
 * Throws {@link InputErrors} with all problems at once.
 */
export async function readInputs(env: NodeJS.ProcessEnv): Promise<Inputs> {
  const given = INPUT_NAMES.map((name) => [name, inputOf(name, env)] as const);
  const raw: Raw = Object.fromEntries(given.filter(([, value]) => value !== undefined));
  const { data, error } = schema.safeParse(raw);
  const issues = error?.issues ?? [];
  const broken = new Set(issues.map(({ path }) => path[0]));
  // Without the broken inputs, so that what goes together is checked for the others.
  const usable = Object.entries(raw).filter(([name]) => !broken.has(name));
  const fields = data ?? schema.parse(Object.fromEntries(usable));
  const { prompt, promptFile, projectId, jobId, timeout, pollInterval, ...others } = fields;
  const workspace = env['GITHUB_WORKSPACE'] ?? '.';
  const file = promptFile === undefined ? undefined : await readPromptFile(promptFile, workspace);
  const instruction = file?.kind === 'text' ? file.text : prompt;
  const task = taskOf(instruction, jobId);
  const problems = [
    ...problemsAmong(raw, fields, instruction),
    ...issues.map(({ path, message }) => `\`${path.join('.')}\` ${message}`),
    ...(file?.kind === 'problem' ? [`\`promptFile\` ${file.problem}`] : []),
  ];
  if (task === undefined || projectId === undefined || problems.length > 0)
    throw new InputErrors(problems, isKeyMissing(raw, fields));
  return {
    ...others,
    task,
    projectId,
    timeoutMs: timeout,
    pollIntervalMs: pollInterval,
    sendsChanges: task.kind === 'create' && isAboutChanges(raw),
  };
}

function taskOf(instruction: string | undefined, jobId: string | undefined): Task | undefined {
  if (instruction === undefined) return jobId === undefined ? undefined : { kind: 'follow', jobId };
  if (jobId === undefined) return { kind: 'create', instruction };
  return { kind: 'message', jobId, instruction };
}

/** Also with a mistake in these inputs. */
const isAboutChanges = ({ changes = 'none', paths, skip, since }: Raw) =>
  changes !== 'none' || [paths, skip, since].some((given) => given !== undefined);

const isKeyMissing = ({ adminApiKey }: Raw, { dryRun }: Fields) =>
  adminApiKey === undefined && !dryRun;

/** A prompt with changes has at most 200 kB. */
const MAX_INSTRUCTION_BYTES = 150_000;

function problemsAmong(raw: Raw, fields: Fields, instruction: string | undefined) {
  const isAppending = fields.pullRequest === 'append';
  const problems: string[] = [];
  if ([raw.prompt, raw.promptFile, raw.jobId].every((value) => value === undefined))
    problems.push('`prompt` is empty. Give a `prompt`, a `promptFile`, or a `jobId` to follow.');
  if (raw.projectId === undefined)
    problems.push(
      `\`projectId\` is empty. You find it on ${KEYS_PAGE}. If the workflow reads it from a variable, add that variable to this repository.`,
    );
  if (isKeyMissing(raw, fields))
    problems.push(
      '`adminApiKey` is empty. Add the secret that the workflow names to this repository, then re-run the failed jobs.',
    );
  if (fields.prompt !== undefined && fields.promptFile !== undefined)
    problems.push('`prompt` and `promptFile` are both given. Keep one of them.');
  if (fields.changes !== 'none' && Buffer.byteLength(instruction ?? '') > MAX_INSTRUCTION_BYTES)
    problems.push(
      '`prompt` or `promptFile` is over 150,000 bytes, which leaves no room for the changes. Shorten it, or set `changes: none`.',
    );
  // The service would store the key, and the summary would show it.
  if (raw.adminApiKey !== undefined && instruction?.includes(raw.adminApiKey))
    problems.push('`adminApiKey` is part of the prompt. Remove it there.');
  if (isAppending && fields.jobId !== undefined)
    problems.push('`pullRequest: append` and `jobId` are both given. Keep one of them.');
  // Without a prompt, a workflow for every push may follow an agent job by hand.
  if (instruction !== undefined && fields.jobId !== undefined && isAboutChanges(raw))
    problems.push(
      '`jobId` sends a message without changes. Remove `changes`, `paths`, `skip`, and `since`, or remove `jobId`.',
    );
  if (isAppending && !fields.wait)
    problems.push(
      '`pullRequest: append` needs to wait for the agent job. Remove `wait: false`, or use `pullRequest: new`.',
    );
  if ((isAppending || isAboutChanges(raw)) && raw.githubToken === undefined)
    problems.push(
      '`githubToken` is empty. Remove the input to use the token of the workflow run, or pass another token.',
    );
  return problems;
}

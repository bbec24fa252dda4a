import * as z from 'zod/mini';
import type { Runner } from '../effects/effects.ts';
import { DEFAULT_BASE_URL, MESSAGE_GRACE_MS } from '../model/agent-job.ts';
import { type RunFacts, settingsUrl } from '../model/run-facts.ts';
import { redact, secretOf } from '../text/secrets.ts';
import { withoutFullStop } from '../text/words.ts';
import type { PromptFile } from './prompt-file.ts';
import * as rules from './rules.ts';

/** What the step does with an agent job. A `message` is a follow-up message to an existing one. */
export type Task =
  | { readonly kind: 'create'; readonly instruction: string }
  | { readonly kind: 'message'; readonly jobId: string; readonly instruction: string }
  | { readonly kind: 'follow'; readonly jobId: string };

export type SendingTask = Exclude<Task, { kind: 'follow' }>;

const DEFAULT_TIMEOUT_MS = 30 * 60_000;
const DEFAULT_POLL_INTERVAL_MS = 10_000;

/** One field per input, with the names and the order of action.yml. */
const fields = z.object({
  prompt: z.optional(z.string()),
  promptFile: z.optional(z.string()),
  projectId: z._default(rules.projectId, ''),
  /** Missing only in a dry run. */
  adminApiKey: z.optional(rules.adminApiKey),
  changes: z._default(rules.oneOf('none', 'files', 'diff'), 'none'),
  paths: z._default(rules.paths, []),
  skip: z._default(rules.skip, []),
  since: z._default(rules.since, 'auto'),
  jobId: z.optional(rules.jobId),
  pullRequest: z._default(rules.oneOf('new', 'append'), 'new'),
  rerun: z._default(rules.oneOf('resume', 'create'), 'resume'),
  dryRun: z._default(rules.boolean, false),
  wait: z._default(rules.boolean, true),
  timeout: z._default(rules.duration('1s', '24h', '90s, 30m or 2h'), DEFAULT_TIMEOUT_MS),
  pollInterval: z._default(rules.duration('1s', '10m', '5s or 1m'), DEFAULT_POLL_INTERVAL_MS),
  /** Without a trailing slash. */
  baseUrl: z._default(rules.baseUrl, DEFAULT_BASE_URL),
  /** Empty when the workflow sets none. */
  githubToken: z._default(rules.githubToken, ''),
  /**
   * Identifies this workflow job by its ID and matrix. Empty when the runner doesn't provide it.
   */
  workflowJob: z._default(z.string(), ''),
});

/**
 * The inputs that may contain a secret. The prompt is shown without it, and any other input with a
 * secret is rejected.
 */
const MAY_HOLD_SECRETS: readonly string[] = ['adminApiKey', 'githubToken', 'prompt', 'workflowJob'];

type Fields = z.infer<typeof fields>;

/** The inputs as the run uses them, with those that say what to do combined into one task. */
export interface Inputs
  extends Readonly<
    Omit<Fields, 'prompt' | 'promptFile' | 'projectId' | 'jobId' | 'timeout' | 'pollInterval'>
  > {
  readonly projectId: string;
  readonly task: Task;
  readonly timeoutMs: number;
  readonly pollIntervalMs: number;
}

export const INPUT_NAMES = Object.keys(fields.shape) as readonly (keyof Fields)[];

/** The inputs are unusable, and no request was sent. */
export class InputError extends Error {
  override readonly name = 'InputError';
  /** Complete sentences. */
  readonly problems: readonly string[];

  constructor(problems: readonly string[]) {
    super(problems.join('\n'));
    this.problems = problems;
  }
}

/**
 * The inputs that the workflow set. None is empty, and only `prompt` may have surrounding white
 * space.
 */
export type RawInputs = Readonly<Partial<Record<keyof Fields, string>>>;

/**
 * Reads the inputs from the environment. The runner passes `promptFile` as `INPUT_PROMPTFILE`.
 * https://docs.github.com/actions/reference/workflows-and-actions/metadata-syntax#inputs
 */
export function readInputs(environment: Readonly<Record<string, string | undefined>>): RawInputs {
  const raw: Partial<Record<keyof Fields, string>> = {};
  for (const name of INPUT_NAMES) {
    const value = environment[`INPUT_${name.toUpperCase()}`] ?? '';
    const trimmed = value.trim();
    if (trimmed !== '') raw[name] = name === 'prompt' ? value : trimmed;
  }
  return raw;
}

/**
 * Parses the workflow's values into `Inputs`. `clean` removes the key and the token from a text.
 * `isHeadNamed` says that `since` is the ID of the commit at which this run's changes end. Throws
 * one `InputError` with every problem, each starting with the input's name.
 */
export function parseInputs(
  raw: RawInputs,
  facts: RunFacts,
  clean: Runner['clean'],
  file?: PromptFile,
  isHeadNamed = false,
): Inputs {
  const exposing = Object.entries(raw)
    .filter(([name, text]) => !MAY_HOLD_SECRETS.includes(name) && clean(text) !== text)
    .map(([name]) => name);
  const { data: valid, error } = fields.safeParse(raw);
  const broken = new Map(error?.issues.map(({ path, message }) => [path.join('.'), message]));
  // Leave out inputs that break their own rule, so that the others are still checked.
  const usable = Object.entries(raw).filter(([name]) => !broken.has(name));
  const data = valid ?? fields.parse(Object.fromEntries(usable));
  const { prompt, promptFile: _path, jobId, timeout, pollInterval, ...others } = data;
  const instruction = file?.kind === 'text' ? file.text : prompt;
  const task = taskOf(instruction, jobId);
  const promptName = file === undefined ? 'prompt' : 'promptFile';
  const problems = [
    ...missingInputs(raw, facts, file !== undefined),
    ...exposing.map(containsSecret),
    ...[...broken].map(([name, message]) => !exposing.includes(name) && `\`${name}\` ${message}`),
    holdsSecret(instruction, raw.adminApiKey) &&
      `\`${promptName}\` contains the key (\`adminApiKey\`), and the service would store it. Remove it from there. If others may have seen it, delete the key in the Mintlify dashboard and create a new one`,
    !broken.has('githubToken') &&
      holdsSecret(instruction, raw.githubToken) &&
      `\`${promptName}\` contains \`githubToken\`, and the service would store it. Remove it from there`,
    ...conflicts(data, (name) => broken.has(name)),
    ...headAsSince(data, facts, isHeadNamed),
    file?.kind === 'problem' && file.problem,
  ].filter((problem) => problem !== false);
  if (task !== undefined && problems.length === 0) {
    return { ...others, task, timeoutMs: timeout, pollIntervalMs: pollInterval };
  }
  throw new InputError(problems.map((problem) => `${withoutFullStop(problem)}.`));
}

/** Whether the step sends nothing, even if its other inputs are unusable. */
export const isDryRun = ({ dryRun = '' }: RawInputs) => rules.isTrue(dryRun);

/**
 * Whether later runs look for what the step did, because it reads changes or adds to a pull
 * request. Unusable values count too.
 */
export const isForLaterRuns = ({ changes = 'none', paths, pullRequest = 'new' }: RawInputs) =>
  changes.trim() !== 'none' || paths !== undefined || pullRequest.trim() !== 'new';

/** What the step would do, even if its inputs are unusable. */
export function taskKindOf({ prompt, promptFile, jobId }: RawInputs): Task['kind'] {
  if (jobId === undefined) return 'create';
  return prompt === undefined && promptFile === undefined ? 'follow' : 'message';
}

/** Returns `undefined` when the inputs set neither an instruction nor an agent job. */
function taskOf(instruction: string | undefined, jobId: string | undefined): Task | undefined {
  if (instruction === undefined) return jobId === undefined ? undefined : { kind: 'follow', jobId };
  return jobId === undefined
    ? { kind: 'create', instruction }
    : { kind: 'message', jobId, instruction };
}

/** Returns a problem for each required input that is missing. */
function missingInputs(raw: RawInputs, facts: RunFacts, hasFile: boolean) {
  const hasTask = raw.prompt !== undefined || hasFile || raw.jobId !== undefined;
  const isKeyMissing = raw.adminApiKey === undefined && !isDryRun(raw);
  return [
    !hasTask && '`prompt` is required (or `promptFile`, or `jobId` to follow an agent job)',
    raw.projectId === undefined &&
      `\`projectId\` is required but empty: the id is ${rules.ON_KEYS_PAGE}. ${missingVariableAdvice(facts)}`,
    isKeyMissing && `\`adminApiKey\` is required but empty. ${missingSecretAdvice(facts)}`,
  ];
}

/** Returns the problem with an input that contains the key or the token. */
const containsSecret = (name: string) =>
  name === 'projectId'
    ? `\`projectId\` contains a secret. Write the project id, which is ${rules.ON_KEYS_PAGE}`
    : `\`${name}\` contains a secret. Remove it from there`;

/** Whether a prompt contains the secret, as is or escaped. */
function holdsSecret(prompt: string | undefined, secret: string | undefined): boolean {
  if (prompt === undefined || secret === undefined) return false;
  return redact(prompt, [secretOf(secret)]) !== prompt;
}

/** Returns a problem for each combination of inputs that can't be used together. */
function conflicts(data: Fields, isBroken: (name: string) => boolean) {
  const { prompt, promptFile, changes, paths, timeout } = data;
  const hasTwoPrompts = prompt !== undefined && promptFile !== undefined;
  const isAppending = data.pullRequest === 'append';
  const readsChanges = changes !== 'none' || paths.length > 0;
  const readsRepository = readsChanges || isAppending;
  const isTokenMissing = readsRepository && data.githubToken === '' && !isBroken('githubToken');
  const hasInstruction = prompt !== undefined || promptFile !== undefined;
  const waitsForMessage = data.jobId !== undefined && hasInstruction && data.wait;
  const isTooShort = (waitsForMessage || isAppending) && timeout <= MESSAGE_GRACE_MS;
  return [
    hasTwoPrompts && '`prompt` and `promptFile` cannot both be given. Keep one',
    isTokenMissing &&
      "`githubToken` is empty, and `changes`, `paths` and `pullRequest: append` need it. Leave it out to use the workflow's `GITHUB_TOKEN`",
    data.skip.length > 0 &&
      !readsChanges &&
      !isBroken('changes') &&
      !isBroken('paths') &&
      '`skip` says which changes need no documentation, so it needs `changes` or `paths`',
    isAppending &&
      data.jobId !== undefined &&
      '`pullRequest: append` and `jobId` cannot both be given. `jobId` already names the agent job',
    isAppending &&
      !data.wait &&
      '`pullRequest: append` and `wait: false` cannot both be given: nobody would see whether the agent was done before its pull request was merged. Leave out `wait`, or use `pullRequest: new`',
    isTooShort &&
      '`timeout` must be over 30s when waiting for a follow-up message: an end seen earlier may be from before the message',
  ];
}

/**
 * Rejects the head as `since` outside a run by hand: in a workflow file, it would silently drop
 * each run's changes.
 */
function headAsSince({ changes, paths }: Fields, { eventName }: RunFacts, isHeadNamed: boolean) {
  const isUsed = changes !== 'none' || paths.length > 0;
  if (!isHeadNamed || !isUsed || eventName === 'workflow_dispatch') return [];
  return [
    '`since` is the commit of this run, which marks all changes up to it as done, and only a run of `workflow_dispatch` may do that. Name an earlier commit, or use `last-success`',
  ];
}

/** The actor identifies Dependabot's runs, even when a person re-runs them. */
const isDependabot = ({ actor }: RunFacts) => actor === 'dependabot[bot]';
/** `pull_request_target` runs with secrets. */
const isFromFork = ({ eventName, isForkPullRequest }: RunFacts) =>
  eventName !== 'pull_request_target' && isForkPullRequest;

/**
 * Explains from the event why the key is missing.
 * https://docs.github.com/actions/reference/security/secure-use#using-secrets
 */
function missingSecretAdvice(facts: RunFacts): string {
  if (isDependabot(facts)) {
    return 'Dependabot runs get only the secrets set for Dependabot, even when a person runs them again. Set the secret there as well, or skip the step for Dependabot';
  }
  if (isFromFork(facts)) {
    return 'The pull request comes from a fork, and such runs get no secrets. Run the workflow on `push` instead, or set `dryRun: true` for pull requests';
  }
  return `The secret is not set for this repository, or its name is spelled differently. Set it at ${settingsUrl(facts, 'secrets')}, then press "Re-run failed jobs"`;
}

function missingVariableAdvice(facts: RunFacts): string {
  if (isDependabot(facts)) {
    return 'Dependabot runs get only the secrets set for Dependabot. If the workflow reads the project id from a secret, save it as a variable (`vars`) instead, or skip the step for Dependabot';
  }
  if (isFromFork(facts)) {
    return "The pull request comes from a fork, and such runs may not see this repository's variables. Skip the step for forks";
  }
  return `If the workflow reads it from a variable (\`vars\`), that variable is not set for this repository, or its name is spelled differently. Set it at ${settingsUrl(facts, 'variables')}, then press "Re-run failed jobs"`;
}

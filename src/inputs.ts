import * as z from 'zod/mini';
import { InputError } from './errors.ts';
import {
  boolean,
  type ChangesLevel,
  changes,
  duration,
  identifier,
  key,
  pathList,
  since,
  url,
} from './input-rules.ts';

export interface Inputs {
  /** What the job is told; missing when `jobId` is only followed. */
  readonly instruction:
    | { readonly from: 'prompt'; readonly text: string }
    | { readonly from: 'promptFile'; readonly path: string }
    | undefined;
  readonly projectId: string;
  readonly adminApiKey: string;
  readonly changes: ChangesLevel;
  readonly paths: readonly string[];
  readonly since: string;
  readonly jobId: string | undefined;
  readonly wait: boolean;
  readonly timeoutMs: number;
  readonly pollIntervalMs: number;
  /** Without a slash at the end. */
  readonly baseUrl: string;
  readonly githubToken: string;
}

export const DEFAULT_BASE_URL = 'https://api.mintlify.com';
const DEFAULT_TIMEOUT_MS = 30 * 60_000;
const DEFAULT_POLL_INTERVAL_MS = 10_000;

/** One field for each input, named and ordered as action.yml has them. */
const fields = z.object({
  prompt: z.optional(z.string()),
  promptFile: z.optional(z.string()),
  projectId: z.optional(identifier),
  adminApiKey: z.optional(key),
  changes: z._default(changes, 'none'),
  paths: z._default(pathList, []),
  since: z._default(since, 'auto'),
  jobId: z.optional(identifier),
  wait: z._default(boolean, true),
  timeout: z._default(duration('1s', '24h'), DEFAULT_TIMEOUT_MS),
  pollInterval: z._default(duration('1s', '10m'), DEFAULT_POLL_INTERVAL_MS),
  baseUrl: z._default(url, DEFAULT_BASE_URL),
  githubToken: z._default(z.string(), ''),
});

export const INPUT_NAMES = Object.keys(fields.shape) as readonly (keyof typeof fields.shape)[];

/** What the workflow gave: names that are missing were not given, or were given empty. */
export type RawInputs = Readonly<Partial<Record<(typeof INPUT_NAMES)[number], string>>>;

/**
 * The inputs from the environment: the runner passes input `promptFile` as `INPUT_PROMPTFILE`.
 * https://docs.github.com/actions/reference/workflows-and-actions/metadata-syntax#inputs
 * Values that are empty or only white space count as not given; others stay as they are.
 */
export function readInputs(environment: Readonly<Record<string, string | undefined>>): RawInputs {
  const given = INPUT_NAMES.map((name) => [name, environment[`INPUT_${name.toUpperCase()}`]]);
  return Object.fromEntries(
    given.filter(([, value]) => value !== undefined && value.trim() !== ''),
  );
}

/** What is known of the run, to say why a secret is likely to be missing. */
export interface RunFacts {
  readonly actor: string | undefined;
  readonly eventName: string | undefined;
}

/**
 * Turns what the workflow gave into `Inputs`. Throws one `InputError` that holds every problem,
 * each beginning with the input's name.
 */
export function parseInputs(raw: RawInputs, facts: RunFacts): Inputs {
  const parsed = fields.safeParse(raw);
  const problems = [
    ...missing(raw, facts),
    ...(parsed.error?.issues ?? []).map(({ path, message }) => `\`${path.join('.')}\` ${message}`),
  ];
  if (!parsed.success || problems.length > 0) throw new InputError(problems);
  const { prompt, promptFile, projectId = '', adminApiKey = '', jobId, ...rest } = parsed.data;
  const { timeout: timeoutMs, pollInterval: pollIntervalMs, ...asTheyAre } = rest;
  return {
    ...asTheyAre,
    projectId,
    adminApiKey,
    jobId,
    instruction: instructionOf(prompt, promptFile),
    timeoutMs,
    pollIntervalMs,
  };
}

function instructionOf(prompt?: string, promptFile?: string): Inputs['instruction'] {
  if (prompt !== undefined) return { from: 'prompt', text: prompt };
  if (promptFile !== undefined) return { from: 'promptFile', path: promptFile.trim() };
  return undefined;
}

/** Problems of inputs taken together. */
function missing(raw: RawInputs, facts: RunFacts): readonly string[] {
  const isFollowing = raw.jobId !== undefined;
  const needsRepository = raw.changes !== undefined && raw.changes.trim() !== 'none';
  const problems: readonly (readonly [boolean, string])[] = [
    [
      raw.prompt === undefined && raw.promptFile === undefined && !isFollowing,
      '`prompt` is required (or `promptFile`, or `jobId` to follow a job)',
    ],
    [
      raw.prompt !== undefined && raw.promptFile !== undefined,
      '`prompt` and `promptFile` cannot both be given; keep one',
    ],
    [
      raw.projectId === undefined,
      '`projectId` is required; copy it from the API keys page of your dashboard into a repository variable',
    ],
    [
      raw.adminApiKey === undefined,
      `\`adminApiKey\` is required and empty here; ${whyNoSecret(facts)}`,
    ],
    [
      (needsRepository || raw.paths !== undefined) && raw.githubToken === undefined,
      '`githubToken` is needed by `changes` and `paths`; leave it out to use the token of the workflow',
    ],
  ];
  return problems.filter(([isProblem]) => isProblem).map(([, problem]) => problem);
}

/** https://docs.github.com/actions/reference/security/secure-use#using-secrets */
function whyNoSecret({ actor, eventName }: RunFacts): string {
  if (actor === 'dependabot[bot]') {
    return 'this is a Dependabot run, which gets only the secrets set for Dependabot, even when a person runs it again';
  }
  if (eventName?.startsWith('pull_request')) {
    return 'a pull request from a fork gets no secrets; if this one is not from a fork, the secret is not set';
  }
  return 'the secret it is taken from is not set for this repository, or its name is spelled differently';
}

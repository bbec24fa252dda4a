/** What the runner says about the run: its environment variables and the event's payload. */
import { z } from 'zod';

/** A field that is `undefined` when it is missing, null, or of another type. */
const optional = <T extends z.ZodType>(schema: T) => schema.optional().catch(undefined);
const part = <T extends z.ZodRawShape>(fields: T) => optional(z.object(fields));
const text = optional(z.string());
const flag = optional(z.boolean());
const number = optional(z.int().positive());
const side = part({ repo: part({ full_name: text }) });

/**
 * The fields of an event's payload that are read. Each may be missing, and all are untrusted.
 * https://docs.github.com/webhooks/webhook-events-and-payloads
 */
const payloadSchema = z
  .object({
    /** Of a push: the commit before it. All zeros for a new branch or tag. */
    before: text,
    /** Of a push: it deleted its branch or tag. */
    deleted: flag,
    repository: part({ default_branch: text, fork: flag }),
    release: part({ tag_name: text, name: text, body: text, prerelease: flag }),
    pull_request: part({ number, head: side, base: side }),
    /** A comment on a pull request comes as one on an issue. */
    issue: part({ number, pull_request: part({}) }),
    merge_group: part({}),
  })
  .catch({});

export type Payload = z.infer<typeof payloadSchema>;

/** What the runner says about the run. A text that it does not give is empty. */
export interface RunFacts {
  readonly eventName: string;
  /** Like `refs/heads/main`, `refs/tags/v1` or `refs/pull/7/merge`. */
  readonly ref: string;
  /** On a pull request it is a test merge. */
  readonly sha: string;
  /** `owner/name` */
  readonly repository: string;
  /** Like `https://github.com`. */
  readonly serverUrl: string;
  /** Like `https://api.github.com`. */
  readonly apiUrl: string;
  readonly runId: number;
  /** 1 for the first attempt. */
  readonly attempt: number;
  /** Who started the first attempt. */
  readonly actor: string;
  /** The workflow's file without its folder, like `docs.yml`. */
  readonly workflowFile: string;
  /** The id of the workflow job. */
  readonly workflowJob: string;
  /** The step's id, or the runner's name for a step without one. */
  readonly step: string;
  readonly runUrl: string;
  /** The repository is a fork. */
  readonly isFork: boolean;
  /** The event is about a pull request from another repository. */
  readonly isForkPullRequest: boolean;
  /** Dependabot started the run, which therefore has Dependabot's secrets only. */
  readonly isDependabot: boolean;
  readonly payload: Payload;
}

/**
 * Reads what the runner says about the run. `given` is the toolkit's `context.payload`. Never
 * throws, whatever they contain.
 * https://docs.github.com/actions/reference/workflows-and-actions/variables#default-environment-variables
 */
export function readFacts(env: NodeJS.ProcessEnv, given: unknown): RunFacts {
  const payload = payloadSchema.parse(given);
  const { repository: { fork = false } = {}, pull_request: { head, base } = {} } = payload;
  const read = (name: string, fallback = '') => env[name] || fallback;
  const serverUrl = read('GITHUB_SERVER_URL', 'https://github.com');
  const repository = read('GITHUB_REPOSITORY');
  const runId = Number(read('GITHUB_RUN_ID', '0'));
  const actor = read('GITHUB_ACTOR');
  // `docs.yml` of `owner/name/.github/workflows/docs.yml@refs/heads/main`. act gives only a name.
  const [, file] = /([^/]+?)@(?:refs\/.*|[^/@]*)$/.exec(read('GITHUB_WORKFLOW_REF')) ?? [];
  return {
    eventName: read('GITHUB_EVENT_NAME'),
    ref: read('GITHUB_REF'),
    sha: read('GITHUB_SHA'),
    repository,
    serverUrl,
    apiUrl: read('GITHUB_API_URL', 'https://api.github.com'),
    runId,
    attempt: Number(read('GITHUB_RUN_ATTEMPT', '1')),
    actor,
    workflowFile: file ?? read('GITHUB_WORKFLOW'),
    workflowJob: read('GITHUB_JOB'),
    step: read('GITHUB_ACTION'),
    runUrl: `${serverUrl}/${repository}/actions/runs/${runId}`,
    isFork: fork,
    // `pull_request_target` has secrets. The repository of the head may have been deleted.
    isForkPullRequest:
      read('GITHUB_EVENT_NAME') !== 'pull_request_target' &&
      base?.repo !== undefined &&
      head?.repo?.full_name !== base.repo.full_name,
    // A re-run keeps the actor and its secrets, whoever starts it:
    // https://docs.github.com/code-security/reference/supply-chain-security/troubleshoot-dependabot/dependabot-on-actions
    isDependabot: actor === 'dependabot[bot]',
    payload,
  };
}

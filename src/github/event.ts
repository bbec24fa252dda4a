/** What the runner says about the run: its environment variables and the event's payload. */
import { z } from 'zod';

/** `undefined` if it is missing, null, or of another type. */
const optional = <T extends z.ZodType>(schema: T) => schema.optional().catch(undefined);
const objectOf = <T extends z.ZodRawShape>(fields: T) => optional(z.object(fields));
const text = optional(z.string());
const flag = optional(z.boolean());
const number = optional(z.int().positive());
const side = objectOf({ repo: objectOf({ full_name: text }) });

/** What is read, untrusted: https://docs.github.com/webhooks/webhook-events-and-payloads */
const payloadSchema = z
  .object({
    /** Of a push: the commit before it. All zeros for a new branch or tag. */
    before: text,
    deleted: flag,
    repository: objectOf({ default_branch: text, fork: flag }),
    release: objectOf({ tag_name: text, name: text, body: text, prerelease: flag }),
    pull_request: objectOf({ number, head: side, base: side }),
    issue: objectOf({ number, pull_request: objectOf({}) }),
    merge_group: objectOf({}),
  })
  .catch({});

export type RunFacts = Readonly<ReturnType<typeof readFacts>>;

/**
 * `given` is the toolkit's `context.payload`. Never throws, and a missing text is empty.
 * https://docs.github.com/actions/reference/workflows-and-actions/variables#default-environment-variables
 */
export function readFacts(env: NodeJS.ProcessEnv, given: unknown) {
  const payload = payloadSchema.parse(given);
  const { repository: { fork = false } = {}, pull_request: { head, base } = {} } = payload;
  const read = (name: string, fallback = '') => env[name] || fallback;
  const eventName = read('GITHUB_EVENT_NAME');
  const serverUrl = read('GITHUB_SERVER_URL', 'https://github.com');
  const repository = read('GITHUB_REPOSITORY');
  const runId = Number(read('GITHUB_RUN_ID', '0'));
  // `docs.yml` of `owner/name/.github/workflows/docs.yml@refs/heads/main`. act gives only a name.
  const [, file] = /([^/]+?)@(?:refs\/.*|[^/@]*)$/.exec(read('GITHUB_WORKFLOW_REF')) ?? [];
  return {
    eventName,
    /** Like `refs/heads/main`, `refs/tags/v1` or `refs/pull/7/merge`. */
    ref: read('GITHUB_REF'),
    /** On a pull request it is a test merge. */
    sha: read('GITHUB_SHA'),
    repository,
    serverUrl,
    apiUrl: read('GITHUB_API_URL', 'https://api.github.com'),
    runId,
    attempt: Number(read('GITHUB_RUN_ATTEMPT', '1')),
    workflowFile: file ?? read('GITHUB_WORKFLOW'),
    workflowJob: read('GITHUB_JOB'),
    /** The step's id, or the runner's name for a step without one. */
    step: read('GITHUB_ACTION'),
    isFork: fork,
    /** From another repository, which may be deleted. `pull_request_target` has secrets. */
    isForkPullRequest:
      eventName !== 'pull_request_target' &&
      base?.repo !== undefined &&
      head?.repo?.full_name !== base.repo.full_name,
    /**
     * It has Dependabot's secrets only, also in a re-run by a person:
     * https://docs.github.com/code-security/reference/supply-chain-security/troubleshoot-dependabot/dependabot-on-actions
     */
    isDependabot: read('GITHUB_ACTOR') === 'dependabot[bot]',
    payload,
  };
}

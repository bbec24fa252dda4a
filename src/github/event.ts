/** What the runner says about the run: its environment variables and the event's payload. */
import { readFileSync } from 'node:fs';
import * as z from 'zod/mini';
import { messageOf, StepError } from '../errors.ts';
import { quote } from '../text/escape.ts';

/** `undefined` if it is missing, null, or of another type. */
const optional = <T extends z.ZodMiniType>(schema: T) => z.catch(z.optional(schema), undefined);
const objectOf = <T extends z.core.$ZodLooseShape>(fields: T) => optional(z.object(fields));
const text = optional(z.string());
const flag = optional(z.boolean());
const number = optional(z.int().check(z.positive()));
const side = objectOf({ repo: objectOf({ full_name: text }) });

/** What is read, untrusted: https://docs.github.com/webhooks/webhook-events-and-payloads */
const payloadSchema = z.catch(
  z.object({
    /** Of a push: the commit before it. All zeros for a new branch or tag. */
    before: text,
    deleted: flag,
    repository: objectOf({ default_branch: text, fork: flag }),
    release: objectOf({ tag_name: text, name: text, body: text, prerelease: flag }),
    pull_request: objectOf({ number, head: side, base: side }),
    issue: objectOf({ number, pull_request: objectOf({}) }),
    merge_group: objectOf({}),
  }),
  {},
);

/** Returns what the runner wrote about the event. Throws a `StepError` if that cannot be read. */
export function readPayload(env: NodeJS.ProcessEnv): unknown {
  const path = env['GITHUB_EVENT_PATH'];
  if (!path) return {};
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch (cause) {
    const message = `The event file ${quote(path)} cannot be read (${quote(messageOf(cause))})`;
    throw new StepError('event-file', message, { cause });
  }
}

export type RunFacts = Readonly<ReturnType<typeof readFacts>>;

/**
 * `given` is the payload of the event. Never throws, and a missing text is empty.
 * https://docs.github.com/actions/reference/workflows-and-actions/variables#default-environment-variables
 */
export function readFacts(env: NodeJS.ProcessEnv, given: unknown) {
  const payload = payloadSchema.parse(given);
  const { repository: { fork = false } = {}, pull_request: { head, base } = {} } = payload;
  const read = (name: string, fallback = '') => env[name] || fallback;
  const eventName = read('GITHUB_EVENT_NAME');
  const serverUrl = read('GITHUB_SERVER_URL', 'https://github.com');
  // `docs.yml` of `owner/name/.github/workflows/docs.yml@refs/heads/main`. act gives only a name.
  const [, file] = /([^/]+?)@(?:refs\/.*|[^/@]*)$/.exec(read('GITHUB_WORKFLOW_REF')) ?? [];
  const source = `${read('GITHUB_ACTION_REPOSITORY')}/blob/${read('GITHUB_ACTION_REF')}`;
  const isOnGitHub =
    serverUrl === 'https://github.com' &&
    /^(?!.*\.\.)[\w.-]+\/[\w.-]+\/blob\/[\w./-]+$/.test(source);
  return {
    eventName,
    ref: read('GITHUB_REF'),
    /** On a pull request it is a test merge. */
    sha: read('GITHUB_SHA'),
    repository: read('GITHUB_REPOSITORY'),
    serverUrl,
    apiUrl: read('GITHUB_API_URL', 'https://api.github.com'),
    /** Of the version that runs. Empty if nothing says which. */
    helpPage: isOnGitHub ? `${serverUrl}/${source}/.github/TROUBLESHOOTING.md` : '',
    runId: Number(read('GITHUB_RUN_ID')) || 0,
    attempt: Number(read('GITHUB_RUN_ATTEMPT')) || 1,
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
    // A re-run by a person has only Dependabot's secrets, too:
    // https://docs.github.com/code-security/reference/supply-chain-security/troubleshoot-dependabot/dependabot-on-actions
    isDependabot: read('GITHUB_ACTOR') === 'dependabot[bot]',
    payload,
  };
}

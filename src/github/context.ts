import { existsSync, readFileSync } from 'node:fs';
// By path, because the package's index loads undici and all of Octokit: 540 kB.
import { Context } from '../../node_modules/@actions/github/lib/context.js';
import { GitHubError, messageOf } from '../lib/errors.ts';
import type { RunFacts } from '../lib/run-facts.ts';
import { parseJson, quote } from '../lib/text.ts';
import type { WorkflowEvent } from './github.ts';

/** Used where the runner does not say how the action was called, as for `uses: ./`. */
const DEFAULT_ACTION = 'docs-agent/docs-agent-job@v1';

/** What the runner says about the workflow: the only place in this folder that reads it. */
export interface Workflow {
  readonly facts: RunFacts;
  /** `GITHUB_API_URL`, which may be anything. */
  readonly apiUrl: string;
  readonly serverUrl: string;
  /** `owner/name`, or `undefined` when the runner names none. */
  readonly repository: string | undefined;
  /** Throws a `GitHubError` when the file of the event cannot be read. */
  readonly event: WorkflowEvent;
}

/**
 * Reads what the toolkit's `Context` reads, and the few variables that it leaves out. It never
 * throws and prints nothing, whatever the variables and the file of the event hold.
 * https://docs.github.com/actions/reference/workflows-and-actions/variables#default-environment-variables
 */
export function readWorkflow(): Workflow {
  const { env } = process;
  const { context, eventError } = readContext(env['GITHUB_EVENT_PATH']);
  const repository = repositoryOf(context);
  const { GITHUB_ACTION_REPOSITORY: action, GITHUB_ACTION_REF: ref } = env;
  return {
    facts: {
      actor: context.actor,
      eventName: context.eventName,
      runId: context.runId,
      runNumber: context.runNumber,
      // Missing in other engines, where every run is a first attempt.
      attempt: env['GITHUB_RUN_ATTEMPT'] ? context.runAttempt : 1,
      job: context.job ?? '',
      step: context.action ?? '',
      isComposite: Boolean(env['GITHUB_ACTION_PATH']),
      runnerName: env['RUNNER_NAME'] ?? '',
      action: action && ref ? `${action}@${ref}` : DEFAULT_ACTION,
    },
    apiUrl: context.apiUrl || 'https://api.github.com',
    serverUrl: context.serverUrl || 'https://github.com',
    repository,
    get event() {
      if (eventError !== undefined) throw eventError;
      const { eventName: name = '', sha = '', ref = '', runId, payload } = context;
      return { name, sha, ref, runId, payload, repository: repository ?? '' };
    },
  };
}

/**
 * The toolkit's context. Its constructor prints a line when the file of the event is missing, and
 * throws when it is not JSON or begins with a byte order mark. Then the context is made without the
 * file. Many events need no payload, so a missing file is an empty one.
 */
function readContext(path: string | undefined): {
  readonly context: Context;
  readonly eventError?: GitHubError;
} {
  if (!path) return { context: new Context() };
  if (!existsSync(path)) return { context: contextWithoutEvent(path) };
  try {
    return { context: new Context() };
  } catch (cause) {
    const context = contextWithoutEvent(path);
    const payload = markedPayload(path);
    if (payload !== undefined) {
      context.payload = payload;
      return { context };
    }
    const message = `The event in \`GITHUB_EVENT_PATH\` could not be read: ${quote(messageOf(cause))}`;
    return { context, eventError: new GitHubError('failed', message, { cause }) };
  }
}

function contextWithoutEvent(path: string): Context {
  delete process.env['GITHUB_EVENT_PATH'];
  try {
    return new Context();
  } finally {
    process.env['GITHUB_EVENT_PATH'] = path;
  }
}

/** The payload after a byte order mark, or `undefined` when the file is not one. */
function markedPayload(path: string): Context['payload'] | undefined {
  try {
    const payload = parseJson(readFileSync(path, 'utf8').replace(/^\ufeff/, ''));
    return typeof payload === 'object' && payload !== null ? payload : undefined;
  } catch {
    return undefined;
  }
}

function repositoryOf(context: Context): string | undefined {
  try {
    const { owner, repo } = context.repo;
    return owner && repo ? `${owner}/${repo}` : undefined;
  } catch {
    // Neither the variable nor the event names one.
    return undefined;
  }
}

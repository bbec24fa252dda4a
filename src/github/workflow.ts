import { existsSync, readFileSync } from 'node:fs';
// Import by path, because the package's index loads undici and all of Octokit: 540 kB.
import { Context } from '../../node_modules/@actions/github/lib/context.js';
import { messageOf } from '../model/run-error.ts';
import type { RunFacts } from '../model/run-facts.ts';
import { quote } from '../text/escape.ts';
import { GitHubError } from './errors.ts';
import type { WorkflowEvent } from './github.ts';
import { isOfFork, payloadSchema } from './payload.ts';

export type Workflow = Readonly<ReturnType<typeof readWorkflow>>;

/**
 * Reads what the runner says about the workflow: everything in the toolkit's `Context`, and the few
 * variables it leaves out. Never throws and prints nothing, no matter what they contain. `event`
 * throws a `GitHubError` when the event's file can't be read.
 * https://docs.github.com/actions/reference/workflows-and-actions/variables#default-environment-variables
 */
export function readWorkflow() {
  const { env } = process;
  const { context, eventError } = readContext(env['GITHUB_EVENT_PATH']);
  const repository = repositoryOf(context);
  const payload = payloadSchema.parse(context.payload);
  const facts: RunFacts = {
    actor: context.actor,
    eventName: context.eventName,
    isFork: payload.repository?.fork ?? false,
    isForkPullRequest: isOfFork(payload),
    runId: context.runId,
    // Missing in other engines, where every run is a first attempt.
    attempt: env['GITHUB_RUN_ATTEMPT'] ? context.runAttempt : 1,
    repository,
    serverUrl: context.serverUrl || 'https://github.com',
    workflowJobKey: context.job ?? '',
    step: context.action ?? '',
    isComposite: Boolean(env['GITHUB_ACTION_PATH']),
    runnerName: env['RUNNER_NAME'] ?? '',
  };
  return {
    facts,
    // The variable may contain anything.
    apiUrl: context.apiUrl || 'https://api.github.com',
    graphqlUrl: context.graphqlUrl,
    get event(): WorkflowEvent {
      if (eventError !== undefined) throw eventError;
      const { eventName: name = '', sha = '', ref = '' } = context;
      return { name, sha, ref, payload, repository: repository ?? '' };
    },
  };
}

/**
 * The toolkit's context with the event's payload, which is empty without a file, because many
 * events need none.
 */
function readContext(path: string | undefined) {
  // With this variable, the constructor would print a line if the file is missing, and throw if it
  // isn't JSON.
  delete process.env['GITHUB_EVENT_PATH'];
  const context = new Context();
  if (path !== undefined) process.env['GITHUB_EVENT_PATH'] = path;
  try {
    if (path && existsSync(path)) {
      context.payload = JSON.parse(readFileSync(path, 'utf8').replace(/^\ufeff/, ''));
    }
    return { context, eventError: undefined };
  } catch (cause) {
    const message = `The event in \`GITHUB_EVENT_PATH\` could not be read: ${quote(messageOf(cause))}`;
    return { context, eventError: new GitHubError('failed', message, { cause }) };
  }
}

function repositoryOf(context: Context): string | undefined {
  try {
    const { owner, repo } = context.repo;
    return owner && repo ? `${owner}/${repo}` : undefined;
  } catch {
    // Neither the variable nor the event names a repository.
    return undefined;
  }
}

/**
 * Runs the built action with `changes` for an event, with local services for GitHub's API and the
 * agent API.
 */
import { type ActionResult, runAction } from './action.ts';
import { AgentService } from './agent-service.ts';
import { type GitHubOptions, GitHubService } from './github-service.ts';

export const ZERO = '0'.repeat(40);

export interface Given {
  readonly github: GitHubOptions;
  readonly event: string;
  readonly payload?: unknown;
  readonly sha?: string;
  readonly ref?: string;
  readonly inputs?: Readonly<Record<string, string>>;
  readonly env?: Readonly<Record<string, string | undefined>>;
}

export interface Seen {
  readonly result: ActionResult;
  /** The prompt that was sent, or `undefined` when no agent job was created. */
  readonly prompt: string | undefined;
  /** The paths of the requests to GitHub. */
  readonly requests: readonly string[];
  readonly authorizations: ReadonlySet<string | undefined>;
}

export async function runChanges({
  github: options,
  event,
  payload = {},
  sha = 'c5',
  ref = 'refs/heads/main',
  inputs,
  env,
}: Given): Promise<Seen> {
  const run = { id: 500, run_number: 10, head_sha: sha, status: 'in_progress' };
  const job = { id: 1, run_id: 500, run_attempt: 1, status: 'in_progress' };
  await using github = await GitHubService.start({
    runs: [run],
    jobs: [{ ...job, name: 'docs', runner_name: 'GitHub Actions 7' }],
    ...options,
  });
  await using service = await AgentService.start();
  const result = await runAction({
    inputs: {
      prompt: 'Document it.',
      changes: 'files',
      wait: 'false',
      baseUrl: service.url,
      ...inputs,
    },
    event: payload,
    checkRunId: 1,
    env: {
      GITHUB_API_URL: github.url,
      GITHUB_GRAPHQL_URL: github.graphqlUrl,
      GITHUB_EVENT_NAME: event,
      GITHUB_SHA: sha,
      GITHUB_REF: ref,
      ...env,
    },
  });
  const body = service.requests[0]?.body;
  return {
    result,
    prompt: body === undefined ? undefined : JSON.parse(body).prompt,
    requests: github.requests,
    authorizations: github.authorizations,
  };
}

/** The ranges that GitHub was asked to compare. */
export const compared = ({ requests }: Seen) =>
  requests.flatMap((path) => /\/compare\/(.+)\?per_page=100&page=1$/.exec(path)?.[1] ?? []);

/** The files in the block, as `status name`. */
export const filesOf = ({ prompt = '' }: Seen) =>
  Array.from(prompt.matchAll(/^- (\w+ \S+) \(\+\d+ -\d+\)$/gm), ([, file]) => file);

/** The commit subjects in the block. */
export const subjectsOf = ({ prompt = '' }: Seen) => subjectsIn(prompt);

export const subjectsIn = (prompt: string): readonly string[] =>
  Array.from(
    prompt.matchAll(/^- (?!agent job )[0-9a-z]{1,12} (.+)$/gm),
    ([, subject = '']) => subject,
  ).filter(
    (subject) => !/\((?:\+\d+ -\d+|line counts not given|.*no changed line.*)\)$/.test(subject),
  );

export const warningsOf = ({ result }: Seen) =>
  result.commands.filter(({ name }) => name === 'warning').map(({ data }) => data);

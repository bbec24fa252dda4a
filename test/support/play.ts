/** Plays one step of the action in this process, with its own agent API and GitHub API. */
import type { RunEffects } from '../../src/run.ts';
import { type ActionOptions, annotations } from './action.ts';
import { AgentService, type ScheduledState, type ServiceOptions } from './agent-service.ts';
import { type GitHubOptions, GitHubService } from './github-service.ts';
import { JumpingClock, runHere } from './in-process.ts';

export interface PlayOptions extends ActionOptions {
  readonly service?: ServiceOptions;
  readonly github?: Partial<GitHubOptions>;
  /** Agent jobs that already exist, each with its states. */
  readonly jobs?: readonly (readonly ScheduledState[])[];
  readonly clock?: JumpingClock;
  /** Replaces effects of the run. */
  readonly effects?: Partial<RunEffects>;
}

export type Seen = Awaited<ReturnType<typeof play>>;

export async function play({
  service,
  github,
  jobs = [],
  clock = new JumpingClock(),
  effects,
  ...options
}: PlayOptions) {
  await using agent = await AgentService.start(service);
  for (const schedule of jobs) agent.addJob(schedule);
  const run = { id: 500, run_number: 10, head_sha: 'c5', status: 'in_progress' };
  const job = { id: 1, run_id: 500, run_attempt: 1, name: 'docs', status: 'in_progress' };
  await using api = await GitHubService.start({
    commits: [],
    runs: [run],
    jobs: [{ ...job, runner_name: 'GitHub Actions 7' }],
    ...github,
  });
  const result = await runHere(
    {
      checkRunId: 1,
      ...options,
      inputs: { baseUrl: agent.url, ...options.inputs },
      env: { GITHUB_API_URL: api.url, GITHUB_GRAPHQL_URL: api.graphqlUrl, ...options.env },
    },
    clock,
    effects,
  );
  const [body] = agent.postsTo(/./).map((request) => request.body);
  return {
    result,
    outputs: result.outputs,
    /** The notices, warnings and errors, like `notice: text`. */
    said: annotations(result),
    warnings: result.commands.filter(({ name }) => name === 'warning').map(({ data }) => data),
    /** The prompt that was sent, or `undefined` without one. */
    prompt: body === undefined ? undefined : (JSON.parse(body).prompt as string),
    agent,
    /** The paths of the requests to GitHub. */
    requests: api.requests,
    authorizations: api.authorizations,
  };
}

/** What the runner passes to the action for a push of the commits after `before`, up to `sha`. */
export const pushOf = (before: string, sha: string) => ({
  event: { before },
  env: { GITHUB_EVENT_NAME: 'push', GITHUB_SHA: sha, GITHUB_REF: 'refs/heads/main' },
});

export const ZERO = '0'.repeat(40);

/** A step with `changes` for an event. */
export interface Given extends PlayOptions {
  readonly github: Partial<GitHubOptions>;
  readonly eventName: string;
  readonly sha?: string;
  readonly ref?: string;
}

export const playChanges = ({
  eventName,
  sha = 'c5',
  ref = 'refs/heads/main',
  inputs,
  env,
  ...more
}: Given): Promise<Seen> =>
  play({
    ...more,
    inputs: { prompt: 'Document it.', changes: 'files', wait: 'false', ...inputs },
    env: { GITHUB_EVENT_NAME: eventName, GITHUB_SHA: sha, GITHUB_REF: ref, ...env },
  });

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
    (subject) => !/\((?:\+\d+ -\d+|line counts not given|binary|empty|only .*)\)$/.test(subject),
  );

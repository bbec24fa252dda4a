/**
 * The runs of one workflow with their attempts. Each step runs as in the runner. Its output becomes
 * the annotations of its workflow job, which a local GitHub API serves to later attempts and runs.
 */
import type { RunEffects } from '../../src/run.ts';
import { Action, type ActionOptions, type ActionResult } from './action.ts';
import { AgentService, type Exchange, reply, type ServiceOptions } from './agent-service.ts';
import {
  type FakeAnnotation,
  type FakeCommit,
  type FakeJob,
  type FakeRun,
  type GitHubOptions,
  GitHubService,
} from './github-service.ts';
import { JumpingClock, runHere } from './in-process.ts';
import { subjectsIn } from './play.ts';

/** The runner sends this many annotations of each kind per step. GitHub keeps 50 per check run. */
const KEPT_OF_A_STEP = 10;
const KEPT_OF_A_JOB = 50;
const MAX_MESSAGE_LENGTH = 4_096;

export interface StepOptions extends ActionOptions {
  /** The name of the workflow job, as people see it. Each leg of a matrix has its own. */
  readonly job?: string;
  /** Distinguishes workflow jobs with the same name. */
  readonly leg?: string;
  /** `GITHUB_JOB` */
  readonly key?: string;
  /** `GITHUB_ACTION` */
  readonly step?: string;
}

/** What GitHub knows about the runs of a workflow. */
export class Workflow {
  readonly runs: FakeRun[] = [];
  readonly jobs: FakeJob[] = [];
  readonly annotations: Record<number, FakeAnnotation[]> = {};
  readonly clock = new JumpingClock();
  /** `GITHUB_API_URL` */
  apiUrl = '';

  /** Begins a run with its first attempt. */
  begin(headSha = 'c3', event = 'workflow_dispatch', head_branch = 'main'): WorkflowRun {
    const run_number = this.runs.length + 1;
    const id = 499 + run_number;
    const run = { id, run_number, head_sha: headSha, head_branch, status: 'in_progress', event };
    this.runs.push(run);
    return new WorkflowRun(this, id, headSha, event, head_branch);
  }

  setStatus(runId: number, status: string): void {
    for (const [index, run] of this.runs.entries()) {
      const updated_at = new Date(this.clock.date()).toISOString();
      if (run.id === runId) this.runs[index] = { ...run, status, updated_at };
    }
  }
}

export class WorkflowRun {
  readonly id: number;
  readonly headSha: string;
  readonly #workflow: Workflow;
  readonly #env: Readonly<Record<string, string>>;
  /** The IDs of the workflow jobs, by attempt and runner. */
  readonly #ids = new Map<string, number>();
  attempt = 1;

  constructor(workflow: Workflow, id: number, headSha: string, event: string, branch: string) {
    this.#workflow = workflow;
    this.id = id;
    this.headSha = headSha;
    this.#env = {
      GITHUB_EVENT_NAME: event,
      GITHUB_SHA: headSha,
      GITHUB_REF: `refs/heads/${branch}`,
      GITHUB_RUN_ID: String(id),
    };
  }

  /** Begins the next attempt, which GitHub allows once the previous one has completed. */
  next(): void {
    this.complete();
    this.attempt += 1;
    this.#workflow.setStatus(this.id, 'in_progress');
  }

  /** Starts a step as a process, in a workflow job of this attempt. */
  start(options: StepOptions): Action {
    return new Action(this.#actionOptions(options));
  }

  #actionOptions({
    job = 'docs',
    leg = '',
    key = 'docs',
    step = 'docs',
    env,
    ...options
  }: StepOptions): ActionOptions {
    return {
      ...options,
      checkRunId: this.jobOf(job, leg).id,
      env: {
        GITHUB_API_URL: this.#workflow.apiUrl,
        ...this.#env,
        GITHUB_RUN_ATTEMPT: String(this.attempt),
        GITHUB_JOB: key,
        GITHUB_ACTION: step,
        RUNNER_NAME: runnerOf(job, leg),
        ...env,
      },
    };
  }

  /** Waits for a step, and keeps its annotations as GitHub does. */
  async end(
    action: Action,
    { job = 'docs', leg = '' }: Pick<StepOptions, 'job' | 'leg'> = {},
  ): Promise<ActionResult> {
    const result = await action.end();
    this.keep(result, { job, leg });
    return result;
  }

  /** Keeps the annotations of a step. */
  keep(
    { commands }: Pick<ActionResult, 'commands'>,
    { job = 'docs', leg = '' }: Pick<StepOptions, 'job' | 'leg'> = {},
  ): void {
    const { annotations } = this.#workflow;
    const { id } = this.jobOf(job, leg);
    const sent = ['notice', 'warning', 'error'].flatMap((kind) =>
      commands.filter(({ name }) => name === kind).slice(0, KEPT_OF_A_STEP),
    );
    const kept = sent.map(({ name, properties, data }) => ({
      annotation_level: name === 'error' ? 'failure' : name,
      title: properties['title'] ?? null,
      message: data.slice(0, MAX_MESSAGE_LENGTH),
    }));
    annotations[id] = [...(annotations[id] ?? []), ...kept].slice(0, KEPT_OF_A_JOB);
  }

  /** Runs a step in this process. `effects` replaces some of its effects. */
  async run(options: StepOptions, effects?: Partial<RunEffects>): Promise<ActionResult> {
    const result = await runHere(this.#actionOptions(options), this.#workflow.clock, effects);
    this.keep(result, options);
    return result;
  }

  /**
   * Ends the workflow jobs of this attempt, and the run. From now on, GitHub serves their
   * annotations.
   */
  complete(): void {
    const { jobs, clock } = this.#workflow;
    const completed_at = new Date(clock.date()).toISOString();
    for (const [index, job] of jobs.entries()) {
      const isOver = job.run_id !== this.id || job.status === 'completed';
      const end = { conclusion: 'success', ...job, status: 'completed', completed_at };
      if (!isOver) jobs[index] = end;
    }
    this.#workflow.setStatus(this.id, 'completed');
  }

  /**
   * Returns the workflow job with that name in this attempt. Adds a missing one: a job that a
   * partial re-run carries over has a new ID and no annotations.
   */
  jobOf(name: string, leg = ''): FakeJob {
    const { jobs } = this.#workflow;
    const runner_name = runnerOf(name, leg);
    const label = `${this.attempt} ${runner_name}`;
    const found = jobs.find(({ id }) => id === this.#ids.get(label));
    if (found !== undefined) return found;
    const job: FakeJob = {
      id: jobs.length + 1,
      name,
      run_id: this.id,
      run_attempt: this.attempt,
      status: 'in_progress',
      runner_name,
    };
    jobs.push(job);
    this.#ids.set(label, job.id);
    return job;
  }

  /** Changes how GitHub lists the workflow job with that name in this attempt. */
  list(name: string, as: Partial<FakeJob>): void {
    const { jobs } = this.#workflow;
    const { id } = this.jobOf(name);
    for (const [index, job] of jobs.entries()) if (job.id === id) jobs[index] = { ...job, ...as };
  }

  /**
   * Simulates a lost runner for the workflow job with that name in this attempt: GitHub keeps none
   * of its annotations.
   */
  forget(name: string): void {
    this.#workflow.annotations[this.jobOf(name).id] = [];
  }

  /** Changes the kept messages of the workflow job with that name in this attempt. */
  rewrite(name: string, change: (message: string) => string): void {
    const { annotations } = this.#workflow;
    const { id } = this.jobOf(name);
    annotations[id] = (annotations[id] ?? []).map(({ message, ...annotation }) => ({
      ...annotation,
      message: change(message ?? ''),
    }));
  }
}

const runnerOf = (job: string, leg: string) => `runner of ${job}${leg}`;

/** Commits in a line, each with its name as its subject and in its file's name. */
export const commitsInLine = (shas: readonly string[]): FakeCommit[] =>
  shas.map((sha, index) => ({
    sha,
    parents: shas.slice(0, index).slice(-1),
    message: sha,
    files: [{ filename: `src/${sha}.ts` }],
  }));

const COMMITS = commitsInLine(Array.from({ length: 60 }, (_, index) => `c${index + 1}`));

/** How one step of a {@link History} ended. */
export interface Night {
  readonly run: WorkflowRun;
  readonly result: ActionResult;
  readonly outcome: string | undefined;
  /** The subjects of the commits in the prompt that was sent, or `undefined` without one. */
  readonly sent: readonly string[] | undefined;
  readonly warnings: readonly string[];
  /** The paths of the requests to GitHub. */
  readonly requests: readonly string[];
}

export interface HistoryOptions {
  readonly service?: ServiceOptions;
  readonly github?: Partial<GitHubOptions>;
  /** The inputs of every step. Defaults to a step under `last-success` that doesn't wait. */
  readonly inputs?: Readonly<Record<string, string>>;
}

export const LAST_SUCCESS = {
  prompt: 'Document it.',
  changes: 'files',
  wait: 'false',
  since: 'last-success',
};

export type History = Awaited<ReturnType<typeof startHistory>>;

/** A workflow whose steps run in this process, on the commits c1 to c60. */
export async function startHistory({
  service: { intercept, ...service } = {},
  github,
  inputs: defaults = LAST_SUCCESS,
}: HistoryOptions = {}) {
  /**
   * The status of agent jobs by ID, instead of their schedule. `gone` responds with 404, and
   * `hidden` with 400.
   */
  const fates = new Map<string, string>();
  /** The pull requests of agent jobs with a fate, by ID. */
  const links = new Map<string, string>();
  const answerByFate = ({ request, response }: Exchange) => {
    const id = request.path.split('/').at(-1) ?? '';
    const status = fates.get(id);
    if (request.method !== 'GET' || status === undefined) return false;
    if (status === 'gone') return reply(response, 404, { error: 'Job not found' });
    if (status === 'hidden') return reply(response, 400, { error: 'No' });
    return reply(response, 200, { id, status, prLink: links.get(id) ?? null });
  };
  const agent = await AgentService.start({
    schedule: [{ status: 'active' }],
    intercept: async (exchange) => (await intercept?.(exchange)) || answerByFate(exchange),
    ...service,
  });
  const workflow = new Workflow();
  const { runs, jobs, annotations } = workflow;
  const api = await GitHubService.start({ commits: COMMITS, runs, jobs, annotations, ...github });
  workflow.apiUrl = api.url;

  /** Runs a step. `effects` replaces some of its effects. */
  async function step(
    run: WorkflowRun,
    { inputs, ...options }: StepOptions = {},
    effects?: Partial<RunEffects>,
  ): Promise<Night> {
    const [sentBefore, askedBefore] = [agent.requests.length, api.requests.length];
    const given = { ...options, inputs: { ...defaults, baseUrl: agent.url, ...inputs } };
    const result = await run.run(given, effects);
    const sent = agent.requests.slice(sentBefore).find(({ method }) => method === 'POST');
    return {
      run,
      result,
      outcome: result.outputs['outcome'],
      sent: sent && subjectsIn(JSON.parse(sent.body).prompt),
      warnings: result.commands.filter(({ name }) => name === 'warning').map(({ data }) => data),
      requests: api.requests.slice(askedBefore),
    };
  }

  /** Plays a whole run with one step: begins it, runs the step and completes it. */
  async function night(head: string, options?: StepOptions, event = 'schedule'): Promise<Night> {
    const run = workflow.begin(head, event);
    const ended = await step(run, options);
    run.complete();
    return ended;
  }

  return {
    workflow,
    agent,
    api,
    fates,
    links,
    step,
    night,
    /** A push of commit c<n>. */
    push: (n: number, options?: StepOptions) =>
      night(`c${n}`, { ...options, event: { before: `c${n - 1}` } }, 'push'),
    /** The next attempt of a run. */
    async again(run: WorkflowRun, options?: StepOptions): Promise<Night> {
      run.next();
      const ended = await step(run, options);
      run.complete();
      return ended;
    },
    async [Symbol.asyncDispose]() {
      await agent[Symbol.asyncDispose]();
      await api[Symbol.asyncDispose]();
    },
  };
}

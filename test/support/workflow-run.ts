/**
 * The runs of one workflow, each with its attempts. Each step runs as in the runner. What it prints
 * is kept as the annotations of its workflow job, and a local GitHub API serves these to later
 * attempts and runs.
 */
import { Action, type ActionOptions, type ActionResult } from './action.ts';
import { AgentService, reply, type ServiceOptions } from './agent-service.ts';
import { subjectsIn } from './changes-run.ts';
import { GitRepository } from './git-repository.ts';
import {
  type ComparisonBody,
  type FakeAnnotation,
  type FakeJob,
  type FakeRun,
  type GitBackend,
  type GitHubOptions,
  GitHubService,
} from './github-service.ts';
import { JumpingClock, runHere } from './in-process.ts';

/** The runner sends this many annotations of each kind for a step. GitHub keeps 50 of a check run. */
const KEPT_OF_A_STEP = 10;
const KEPT_OF_A_JOB = 50;
const MAX_MESSAGE_LENGTH = 4_096;

export interface StepOptions extends ActionOptions {
  /** The name of the workflow job, as people see it. Each leg of a matrix has its own. */
  readonly job?: string;
  /** Tells workflow jobs of one name apart. */
  readonly leg?: string;
  /** `GITHUB_JOB` */
  readonly key?: string;
  /** `GITHUB_ACTION` */
  readonly step?: string;
  /** The runner does not say which workflow job it runs. */
  readonly isJobUnknown?: boolean;
}

/** What GitHub knows about the runs of a workflow. */
export class Workflow {
  readonly runs: FakeRun[] = [];
  readonly jobs: FakeJob[] = [];
  readonly annotations: Record<number, FakeAnnotation[]> = {};
  readonly clock = new JumpingClock();
  /** `GITHUB_API_URL` */
  apiUrl = '';

  #latest: WorkflowRun | undefined;

  /** The run that began last. Throws when there is none. */
  get latest(): WorkflowRun {
    if (this.#latest === undefined) throw new Error('no run has begun');
    return this.#latest;
  }

  /** Begins a run, with its first attempt. */
  begin(headSha = 'c3', event = 'workflow_dispatch'): WorkflowRun {
    const number = this.runs.length + 1;
    const id = 499 + number;
    this.runs.push({ id, run_number: number, head_sha: headSha, status: 'in_progress', event });
    this.#latest = new WorkflowRun(this, id, headSha, event);
    return this.#latest;
  }

  /** Begins a run that is listed already. */
  adopt(id: number, headSha: string, event: string): WorkflowRun {
    this.#latest = new WorkflowRun(this, id, headSha, event);
    return this.#latest;
  }

  setStatus(runId: number, status: string): void {
    const index = this.runs.findIndex(({ id }) => id === runId);
    this.runs.splice(
      index,
      1,
      ...this.runs.slice(index, index + 1).map((run) => ({ ...run, status })),
    );
  }
}

export class WorkflowRun {
  readonly id: number;
  readonly headSha: string;
  readonly #workflow: Workflow;
  readonly #env: Readonly<Record<string, string>>;
  /** The ids of the workflow jobs, by attempt and runner. */
  readonly #ids = new Map<string, number>();
  attempt = 1;

  constructor(workflow: Workflow, id: number, headSha: string, event: string) {
    this.#workflow = workflow;
    this.id = id;
    this.headSha = headSha;
    this.#env = {
      GITHUB_EVENT_NAME: event,
      GITHUB_SHA: headSha,
      GITHUB_REF: 'refs/heads/main',
      GITHUB_RUN_ID: String(id),
    };
  }

  /** Begins the next attempt. GitHub allows that when the one before has completed. */
  next(): void {
    this.complete();
    this.attempt += 1;
    this.#workflow.setStatus(this.id, 'in_progress');
  }

  /** Starts a step in a workflow job of this attempt, as a process. */
  start(options: StepOptions): Action {
    return new Action(this.#actionOptions(options));
  }

  #actionOptions({
    job = 'docs',
    leg = '',
    key = 'docs',
    step = 'docs',
    isJobUnknown,
    env,
    ...options
  }: StepOptions): ActionOptions {
    const { id } = this.jobOf(job, leg);
    return {
      ...options,
      ...(isJobUnknown ? {} : { checkRunId: id }),
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

  /** Runs a step in this process. */
  async run(options: StepOptions): Promise<ActionResult> {
    const result = await runHere(this.#actionOptions(options), this.#workflow.clock);
    this.keep(result, options);
    return result;
  }

  /** Ends the workflow jobs of this attempt, and the run. Their annotations are served from now on. */
  complete(): void {
    const { jobs, clock } = this.#workflow;
    const completed_at = new Date(clock.date()).toISOString();
    for (const [index, job] of jobs.entries()) {
      const isOver = job.run_id !== this.id || job.status === 'completed';
      if (!isOver) jobs[index] = { ...job, status: 'completed', completed_at };
    }
    this.#workflow.setStatus(this.id, 'completed');
  }

  /** A workflow job that a partial re-run carries over has a new id and no annotations. */
  carryOver(name: string): void {
    this.jobOf(name);
  }

  /** The workflow job of that name in this attempt. It is added when it is not there. */
  jobOf(name: string, leg = ''): FakeJob {
    const { jobs } = this.#workflow;
    const runner_name = runnerOf(name, leg);
    const label = `${this.attempt} ${runner_name}`;
    const found = jobs.find(({ id }) => id === this.#ids.get(label));
    if (found !== undefined) return found;
    const job = this.addJob(name, { runner_name });
    this.#ids.set(label, job.id);
    return job;
  }

  addJob(name: string, more: Partial<FakeJob> = {}): FakeJob {
    const job: FakeJob = {
      id: this.#workflow.jobs.length + 1,
      name,
      run_id: this.id,
      run_attempt: this.attempt,
      status: 'in_progress',
      runner_name: null,
      ...more,
    };
    this.#workflow.jobs.push(job);
    return job;
  }

  /** Changes how GitHub lists the workflow job of that name in this attempt. */
  list(name: string, as: Partial<FakeJob>): void {
    const { jobs } = this.#workflow;
    const { id } = this.jobOf(name);
    for (const [index, job] of jobs.entries()) if (job.id === id) jobs[index] = { ...job, ...as };
  }

  /** The annotations of the workflow job of that name in this attempt. */
  annotationsOf(name = 'docs'): FakeAnnotation[] {
    const { annotations } = this.#workflow;
    const { id } = this.jobOf(name);
    const kept = annotations[id] ?? [];
    annotations[id] = kept;
    return kept;
  }

  /** Changes the kept messages of the workflow job of that name in this attempt. */
  rewrite(change: (message: string) => string, name = 'docs'): void {
    const kept = this.annotationsOf(name);
    for (const [index, annotation] of kept.entries()) {
      kept[index] = { ...annotation, message: change(annotation.message ?? '') };
    }
  }
}

export const runnerOf = (job: string, leg = '') => `runner of ${job}${leg}`;

/** Commits c1, c2, …, each with a file of its own. */
export const commitsInLine = (count: number): GitRepository =>
  new GitRepository(
    Array.from({ length: count }, (_, index) => ({
      name: `c${index + 1}`,
      parents: index === 0 ? [] : [`c${index}`],
      files: { [`src/c${index + 1}.ts`]: `c${index + 1}` },
    })),
  );

const comparisons = new Map<string, ComparisonBody | undefined>();

/** Asks git for each comparison once: every other test waits while git runs. */
function remembering(git: GitRepository): GitBackend {
  return {
    compare(base, head) {
      const name = `${base}...${head}`;
      if (!comparisons.has(name)) comparisons.set(name, git.compare(base, head));
      return comparisons.get(name);
    },
    matchingRefs: (beginning) => git.matchingRefs(beginning),
    hasCommit: (sha) => git.hasCommit(sha),
    tree: (sha) => git.tree(sha),
  };
}

/** How one run of {@link History} ended. */
export interface Night {
  readonly run: WorkflowRun;
  /** `GITHUB_SHA` */
  readonly head: string;
  readonly result: ActionResult;
  readonly outcome: string | undefined;
  /** The subjects of the commits in the prompt that was sent; `undefined` when none was sent. */
  readonly sent: readonly string[] | undefined;
  readonly warnings: readonly string[];
  /** The paths of the requests to GitHub. */
  readonly requests: readonly string[];
}

/** Runs of a workflow under `last-success`, on a real git repository. */
export class History implements AsyncDisposable {
  readonly workflow: Workflow;
  readonly git: GitRepository;
  readonly agent: AgentService;
  readonly api: GitHubService;
  /**
   * The status of each agent job, by its id; `active` by default. `gone` answers 404, and a number is
   * the status of HTTP.
   */
  readonly fates: Map<string, string>;
  /** The pull requests of agent jobs with a fate, by their ids. */
  readonly links: Map<string, string>;

  private constructor(
    parts: Pick<History, 'workflow' | 'git' | 'agent' | 'api' | 'fates' | 'links'>,
  ) {
    this.workflow = parts.workflow;
    this.git = parts.git;
    this.agent = parts.agent;
    this.api = parts.api;
    this.fates = parts.fates;
    this.links = parts.links;
  }

  static async start(
    git: GitRepository,
    github: Partial<GitHubOptions> = {},
    service: ServiceOptions = {},
  ): Promise<History> {
    const fates = new Map<string, string>();
    const links = new Map<string, string>();
    const agent = await AgentService.start({
      schedule: [{ status: 'active' }],
      intercept: ({ request, response }) => {
        const id = request.path.split('/').at(-1) ?? '';
        const status = fates.get(id);
        if (request.method !== 'GET' || status === undefined) return false;
        if (status === 'gone') return reply(response, 404, { error: 'Job not found' });
        if (/^\d+$/.test(status)) return reply(response, Number(status), { error: 'No' });
        return reply(response, 200, { id, status, prLink: links.get(id) ?? null });
      },
      ...service,
    });
    const workflow = new Workflow();
    const { runs, jobs, annotations } = workflow;
    const api = await GitHubService.start({
      commits: [],
      git: remembering(git),
      runs,
      jobs,
      annotations,
      ...github,
    });
    workflow.apiUrl = api.url;
    return new History({ workflow, git, agent, api, fates, links });
  }

  begin(head: string, event = 'schedule'): WorkflowRun {
    return this.workflow.begin(this.git.sha(head), event);
  }

  /**
   * Takes over nights of another history on the same commits, so that a beginning that many
   * histories share is run only once.
   */
  goOnFrom(nights: readonly Night[]): void {
    for (const { head, result } of nights) {
      const run = this.workflow.begin(head, 'schedule');
      run.keep(result);
      run.complete();
      if (result.outputs['jobId'] !== undefined) this.agent.addJob();
    }
  }

  /** A whole run of one step: it begins, runs the step and completes. */
  async night(head: string, options: StepOptions = {}, event?: string): Promise<Night> {
    const run = this.begin(head, event);
    const night = await this.step(run, options);
    run.complete();
    return night;
  }

  /** The next attempt of a run. */
  async again(run: WorkflowRun, options: StepOptions = {}): Promise<Night> {
    run.next();
    const night = await this.step(run, options);
    run.complete();
    return night;
  }

  async step(run: WorkflowRun, options: StepOptions = {}): Promise<Night> {
    const before = this.agent.requests.length;
    const requestsBefore = this.api.requests.length;
    const result = await run.run(this.given(options));
    const posts = this.agent.requests.slice(before).filter(({ method }) => method === 'POST');
    const [body] = posts.map((request) => request.body);
    return {
      run,
      head: run.headSha,
      result,
      outcome: result.outputs['outcome'],
      sent: body === undefined ? undefined : subjectsIn(JSON.parse(body).prompt),
      warnings: result.commands.filter(({ name }) => name === 'warning').map(({ data }) => data),
      requests: this.api.requests.slice(requestsBefore),
    };
  }

  given({ inputs, ...options }: StepOptions): StepOptions {
    const defaults = {
      prompt: 'Document it.',
      changes: 'files',
      wait: 'false',
      since: 'last-success',
    };
    return {
      ...options,
      inputs: { ...defaults, pollInterval: '1s', baseUrl: this.agent.url, ...inputs },
    };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.agent[Symbol.asyncDispose]();
    await this.api[Symbol.asyncDispose]();
  }
}

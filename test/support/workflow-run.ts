/**
 * One workflow run with several attempts. Each step runs as in the runner. What it prints is kept
 * as the annotations of its workflow job, and a local GitHub API serves these to later attempts.
 */
import { Action, type ActionOptions, type ActionResult } from './action.ts';
import type { FakeAnnotation, FakeJob, GitHubService } from './github-service.ts';

const RUN_ID = 500;

export interface AttemptOptions extends ActionOptions {
  /** The name of the workflow job. Each one of a matrix has its own. */
  readonly job?: string;
  /** `GITHUB_ACTION` */
  readonly step?: string;
}

export class WorkflowRun {
  readonly jobs: FakeJob[] = [];
  readonly annotations: Record<number, FakeAnnotation[]> = {};
  attempt = 0;
  #github: GitHubService | undefined;

  /** GitHub's API for the steps. It must serve `jobs` and `annotations` of this run. */
  set github(github: GitHubService) {
    this.#github = github;
  }

  /** Begins the next attempt, in which the named workflow jobs run. */
  next(): void {
    this.attempt += 1;
  }

  /** Starts a step in a workflow job of this attempt. */
  start({ job = 'docs', step = 'docs', env, ...options }: AttemptOptions): Action {
    this.jobOf(job);
    return new Action({
      ...options,
      env: {
        GITHUB_API_URL: this.#github?.url,
        GITHUB_RUN_ID: String(RUN_ID),
        GITHUB_RUN_ATTEMPT: String(this.attempt),
        GITHUB_ACTION: step,
        RUNNER_NAME: runnerOf(job),
        ...env,
      },
    });
  }

  /** Waits for a step, and keeps its annotations as GitHub does. */
  async end(
    action: Action,
    { job = 'docs' }: Pick<AttemptOptions, 'job'> = {},
  ): Promise<ActionResult> {
    const result = await action.end();
    this.keep(this.jobOf(job), result);
    return result;
  }

  async run(options: AttemptOptions): Promise<ActionResult> {
    return this.end(this.start(options), options);
  }

  /** Ends the workflow jobs of this attempt. */
  complete(): void {
    for (const [index, job] of this.jobs.entries())
      this.jobs[index] = { ...job, status: 'completed' };
  }

  /** A workflow job that a partial re-run carries over has a new id and no annotations. */
  carryOver(name: string): void {
    const id = this.jobs.length + 1;
    this.jobs.push({
      id,
      name,
      run_attempt: this.attempt,
      status: 'completed',
      runner_name: runnerOf(name),
    });
  }

  jobOf(name: string): FakeJob {
    const found = this.jobs.find((job) => job.name === name && job.run_attempt === this.attempt);
    if (found !== undefined) return found;
    const job: FakeJob = {
      id: this.jobs.length + 1,
      name,
      run_id: RUN_ID,
      run_attempt: this.attempt,
      status: 'in_progress',
      runner_name: runnerOf(name),
    };
    this.jobs.push(job);
    return job;
  }

  keep({ id }: FakeJob, { commands }: ActionResult): void {
    const kept = commands
      .filter(({ name }) => ['notice', 'warning', 'error'].includes(name))
      .map(({ name, properties, data }) => ({
        annotation_level: name === 'error' ? 'failure' : name,
        title: properties['title'] ?? null,
        message: data,
      }));
    this.annotations[id] = [...(this.annotations[id] ?? []), ...kept];
  }
}

const runnerOf = (job: string) => `runner of ${job}`;

import { expect, test } from 'vitest';
import type { GitHub, WorkflowJob, WorkflowRun } from '../../../src/github/github.ts';
import type { Annotation } from '../../../src/lib/annotation.ts';
import { GitHubError, RunError } from '../../../src/lib/errors.ts';
import type { Step } from '../../../src/records/attempts.ts';
import { type Coverage, findCoverage, type ReadJob } from '../../../src/records/coverage.ts';
import { partOf } from '../../../src/records/history.ts';
import { noticeOf, type Recorded, recordIn } from '../../../src/records/record.ts';

/*
 * Random histories of one step on one branch. Run n starts at time n and has commit n as its head,
 * so the changes are numbered too. Everything that one run knows of another goes through the text
 * of a record, as an annotation.
 */

const HISTORIES = 20_000;
const KEY = '0123456789abcdef';
const FOREVER = 1e9;

const commit = (n: number) => n.toString(16).padStart(40, '0');
const numberOf = (sha: string) => Number.parseInt(sha, 16);

/** An agent job, as it really is. It has the changes after `from`, up to `to`. */
interface AgentJob {
  readonly id: string;
  readonly from: number;
  readonly to: number;
  readonly fate: 'completed' | 'archived' | 'forgotten' | 'failed';
  readonly endsAt: number;
}

interface Attempt {
  readonly annotations: readonly Annotation[];
  /** When the workflow job completes. */
  readonly until: number;
  /** What the step knows itself: the agent job that a re-run would follow. */
  readonly job: AgentJob | undefined;
}

interface Run {
  readonly number: number;
  readonly attempts: Attempt[];
  hasExpired: boolean;
}

type Kind = 'job' | 'none' | 'unknown' | 'lost' | 'dry' | 'auto';
const KINDS: readonly Kind[] = ['job', 'job', 'job', 'none', 'unknown', 'lost', 'dry', 'auto'];
const GOOD_FATES: readonly AgentJob['fate'][] = ['completed', 'archived', 'forgotten'];

/** https://en.wikipedia.org/wiki/Lehmer_random_number_generator: a number below `n`, from a seed. */
function randomFrom(seed: number): (n: number) => number {
  let state = (seed * 1_234_567) % 2_147_483_647;
  return (n) => {
    state = (state * 48_271) % 2_147_483_647;
    return Math.floor((state / 2_147_483_647) * n);
  };
}

class History {
  readonly runs: Run[] = [];
  readonly jobs: AgentJob[] = [];
  /** The changes after each were not relevant, up to the second. */
  readonly skipped: (readonly [from: number, to: number])[] = [];
  /** Changes after these may be sent again: a record in doubt or a failed agent job had them. */
  readonly excused: number[] = [];
  readonly #random: (n: number) => number;
  /** Otherwise no agent job fails and no record is in doubt, so nothing may be sent twice. */
  readonly #isUnlucky: boolean;
  readonly #kinds: readonly Kind[];
  #hasExpired = false;

  constructor(seed: number) {
    this.#random = randomFrom(seed);
    this.#isUnlucky = this.#random(2) === 0;
    this.#kinds = this.#isUnlucky ? KINDS : KINDS.filter((kind) => kind !== 'unknown');
  }

  async play(): Promise<void> {
    const last = 3 + this.#random(8);
    for (let n = 1; n < last; n += 1) {
      await this.#attempt(this.#newRun(n), n, this.#pick(this.#kinds));
      if (this.#random(4) === 0) await this.#rerun(n - this.#random(3), n + 0.5);
      if (this.#random(8) === 0) this.#expire(n);
    }
    await this.#attempt(this.#newRun(last), FOREVER, 'job', true);
  }

  get times(): readonly number[] {
    return this.runs.map(({ number }) => {
      return this.jobs.filter((job) => job.fate !== 'failed' && hasChange(job, number)).length;
    });
  }

  #pick<T>(values: readonly T[]): T {
    const [value] = values.slice(this.#random(values.length));
    if (value === undefined) throw new Error('nothing to pick from');
    return value;
  }

  #newRun(number: number): Run {
    const run = { number, attempts: [], hasExpired: false };
    this.runs.push(run);
    return run;
  }

  /** A person runs a run again: after a failed agent job, or where nothing was sent. */
  async #rerun(number: number, at: number): Promise<void> {
    const run = this.runs.find((candidate) => candidate.number === number);
    const newest = run?.attempts.at(-1);
    if (run === undefined || newest === undefined || newest.until > at || this.#hasExpired) return;
    const { job, annotations } = newest;
    const isReadable = annotations.every((annotation) => recordIn(annotation) !== 'unreadable');
    if (!isReadable || annotations.length >= 50) return;
    if (job === undefined) await this.#attempt(run, at, this.#pick(['job', 'none', 'lost']));
    else if (stateOf(job, at) === 'failed') await this.#attempt(run, at, 'job');
    else run.attempts.push({ ...newest, until: at });
  }

  /** GitHub forgets the annotations of the runs before one whose record is whole. */
  #expire(at: number): void {
    const horizon = this.runs.findLast(({ attempts }) =>
      attempts.some(({ annotations, until }) => {
        const records = annotations.map(recordIn);
        return until <= at && records.some((record) => typeof record === 'object' && record.to);
      }),
    );
    for (const run of this.runs) run.hasExpired ||= run.number < (horizon?.number ?? 0);
    this.#hasExpired = true;
  }

  async #attempt(run: Run, at: number, kind: Kind, isLast = false): Promise<void> {
    const pathsHash = this.#random(5) === 0 ? 'b'.repeat(16) : 'a'.repeat(16);
    const until = isLast || this.#random(4) > 0 ? at : at + this.#random(3);
    const leave = (annotations: readonly Annotation[] = [], job?: AgentJob) =>
      run.attempts.push({ annotations, until, job });
    if (kind === 'lost') return void leave();
    if (kind === 'auto') {
      const what = { kind: 'job', id: `auto-${run.number}` } as const;
      return void leave([{ level: 'notice', ...noticeOf({ what, ...IDENTITY, open: [] }, 'A.') }]);
    }
    const coverage = await this.#coverageOf(run, at, pathsHash);
    if (coverage === undefined || coverage.kind === 'newer' || kind === 'dry') return void leave();

    const from = coverage.kind === 'from' ? numberOf(coverage.sha) : 0;
    const range = { from: commit(from), to: commit(run.number) };
    const isUnlucky = this.#isUnlucky && this.#random(3) === 0;
    const fate = isUnlucky && !isLast ? 'failed' : this.#pick(GOOD_FATES);
    const endsAt = isLast ? 0 : at + this.#random(5);
    const id = `job ${this.jobs.length}`;
    const job: AgentJob = { id, from, to: run.number, fate, endsAt };
    const isCreated = kind === 'job' || (kind === 'unknown' && this.#random(2) === 0);
    if (isCreated) this.jobs.push(job);
    if (kind === 'none') this.skipped.push([from, run.number]);
    const what = whatOf(kind, id, pathsHash);
    const record = { what, ...IDENTITY, ...partOf(coverage, range, what) };
    const annotation: Annotation = { level: 'notice', ...noticeOf(record, 'Read on.') };
    const isDamaged = this.#isUnlucky && !isLast && this.#random(6) === 0;
    const hasFailed = isCreated && fate === 'failed';
    if (isDamaged || kind === 'unknown' || hasFailed) this.excused.push(from);
    leave(isDamaged ? this.#damaged(annotation) : [annotation], kind === 'job' ? job : undefined);
  }

  #damaged(annotation: Annotation): readonly Annotation[] {
    const { message } = annotation;
    const other: Annotation = { level: 'warning', title: 'lint', message: 'unused' };
    return this.#pick([
      [{ ...annotation, message: message.slice(0, 30 + this.#random(message.length - 30)) }],
      [{ ...annotation, message: message.replace(KEY, '***') }],
      Array.from({ length: 50 }, () => other),
    ]);
  }

  async #coverageOf(run: Run, at: number, pathsHash: string): Promise<Coverage | undefined> {
    const attempt = run.attempts.length + 1;
    const query: Step = {
      thisJob: workflowJobOf(run, attempt, 'in_progress'),
      runId: run.number,
      attempt,
      repository: 'o/r',
      key: KEY,
      inputs: KEY,
      pathsHash,
      isComposite: false,
      messagedJobId: undefined,
    };
    const readJob: ReadJob = async (id) => {
      const job = this.jobs.find((candidate) => candidate.id === id);
      const status = job && stateOf(job, at);
      return status === undefined || status === 'forgotten' ? undefined : { status, prLink: '' };
    };
    try {
      return await findCoverage(this.#gitHub(run, at), query, readJob);
    } catch (error) {
      if (error instanceof RunError) return undefined;
      throw error;
    }
  }

  #gitHub(own: Run, at: number): Pick<GitHub, 'run' | 'runs' | 'workflowJobs' | 'annotations'> {
    const runs = this.runs;
    const isRunning = ({ until }: Attempt) => until > at;
    const listed = (run: Run): WorkflowRun => ({
      id: run.number,
      workflow_id: 1,
      run_number: run.number,
      status: run === own || run.attempts.some(isRunning) ? 'in_progress' : 'completed',
      head_branch: 'main',
      head_repository: { full_name: 'o/r' },
    });
    const byNumber = (number: number) => {
      const run = runs.find((candidate) => candidate.number === number);
      if (run === undefined) throw new GitHubError('not-found', 'HTTP 404');
      return run;
    };
    return {
      run: async (id) => listed(byNumber(id)),
      async *runs() {
        yield { total: runs.length, runs: runs.toReversed().map(listed) };
      },
      async workflowJobs(id) {
        const run = byNumber(id);
        return run.attempts.map((attempt, index) =>
          workflowJobOf(run, index + 1, isRunning(attempt) ? 'in_progress' : 'completed'),
        );
      },
      async annotations(id) {
        const run = byNumber(Math.floor(id / 100));
        if (run.hasExpired) throw new GitHubError('not-found', 'HTTP 404');
        const attempt = run.attempts[(id % 100) - 1];
        return attempt === undefined || isRunning(attempt) ? [] : attempt.annotations;
      },
    };
  }
}

const IDENTITY = { key: KEY, inputs: KEY };

function workflowJobOf({ number }: Run, attempt: number, status: string): WorkflowJob {
  const id = number * 100 + attempt;
  return { id, run_id: number, name: 'docs', run_attempt: attempt, status, runner_name: 'r' };
}

function whatOf(kind: Kind, id: string, pathsHash: string): Recorded {
  if (kind === 'none') return { kind, pathsHash };
  return kind === 'unknown' ? { kind } : { kind: 'job', id };
}

function stateOf({ fate, endsAt, id }: AgentJob, at: number): string {
  if (at >= endsAt) return fate;
  return id.endsWith('1') ? 'a status of tomorrow' : 'active';
}

const hasChange = ({ from, to }: Pick<AgentJob, 'from' | 'to'>, change: number) =>
  from < change && change <= to;

test('no history loses a change, or sends it twice without a failure or a doubt at or before it', async () => {
  const seen = { twice: 0, skipped: 0, running: 0 };
  for (let seed = 1; seed <= HISTORIES; seed += 1) {
    const history = new History(seed);
    await history.play();
    const { skipped, excused, times } = history;
    for (const [index, count] of times.entries()) {
      const change = index + 1;
      const isSkipped = skipped.some(([from, to]) => hasChange({ from, to }, change));
      const isExcused = excused.some((from) => from < change);
      const isLost = count === 0 && !isSkipped;
      if (isLost || (count > 1 && !isExcused)) {
        const story = JSON.stringify({ ...history, change, times }, undefined, 1);
        expect.fail(`Seed ${seed}: change ${change} was sent ${count} times. ${story}`);
      }
      if (count > 1) seen.twice += 1;
      if (count === 0) seen.skipped += 1;
    }
    seen.running += history.runs.length;
  }
  // Otherwise these histories show nothing.
  expect(Math.min(...Object.values(seen))).toBeGreaterThan(HISTORIES / 10);
});

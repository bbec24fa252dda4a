import { expect, test } from 'vitest';
import type { Delivery, HttpRequest } from '../../../src/effects/effects.ts';
import type { GitHub, WorkflowJob, WorkflowRun } from '../../../src/github/github.ts';
import { CancelledError, GitHubError } from '../../../src/model/errors.ts';
import { recordIn, type StepRecord } from '../../../src/model/record.ts';
import { run as runAction } from '../../../src/run.ts';
import { dose } from '../../support/dose.ts';
import {
  answer,
  FACTS,
  FakeClock,
  type FakeEffects,
  fakeEffects,
  type RecordingRunner,
} from '../../support/fakes.ts';

/*
 * Random histories of one step on one branch: whole runs of the action, with an agent API and a
 * GitHub in memory. Commits are numbered. The judge knows only which commits were in the prompts of
 * which agent jobs, and how these ended.
 */

// From this seed on, these few histories show every ending.
const HISTORIES = dose(125, 20_000);
const FIRST_SEED = Number(process.env['HISTORY_SEED'] ?? 188);

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const NEVER = Number.POSITIVE_INFINITY;
/** GitHub shows annotations some seconds after a workflow job completed. */
const ANNOTATIONS_LAG = 8_000;
/** Times that a person presses "Re-run failed jobs" before they give up. */
const PATIENCE = 6;

const commit = (n: number) => `${n}`.padStart(40, 'a');
const numberOf = (sha: string) => Number(sha.replaceAll('a', ''));

/** One prompt that the service accepted. It has the commits after `from`, up to `to`. */
interface Unit {
  readonly from: number;
  readonly to: number;
  readonly fate: 'completed' | 'failed' | 'archived';
  readonly endsAt: number;
  /** The agent changed no file. */
  readonly isNoop: boolean;
  /** It went to an agent job whose pull request was open. */
  readonly isAdded: boolean;
  /** The step saw what the agent added in an open pull request. */
  isSeen: boolean;
}

interface AgentJob {
  readonly id: string;
  readonly units: Unit[];
  /** When its pull request is merged. */
  readonly mergedAt: number;
  /** People push to its branch, once an hour. */
  readonly isShared: boolean;
  /** When the service forgets it. */
  readonly forgottenAt: number;
}

/** How an attempt goes, apart from what the agent job does. */
const TROUBLE = [
  ...['early', 'outage', 'refused', 'doubt', 'lost-before', 'lost-after'],
  ...['step-skipped', 'step-skipped-green'],
];

interface Attempt {
  /** `good`, or some trouble. */
  readonly course: string;
  readonly startsAt: number;
  endsAt: number;
  isRed: boolean;
  annotations: readonly { readonly title: string; readonly message: string }[];
  /** What the service accepted, for certain or not. */
  readonly sent: { readonly job: AgentJob; readonly unit: Unit }[];
  isInDoubt: boolean;
  /** It stopped and asked its person. */
  isAsking: boolean;
}

/** How few runs are started. */
const ODD = ['typed', 'named', 'dry', 'auto'] as const;

interface Run {
  readonly number: number;
  readonly kind: 'push' | 'schedule' | (typeof ODD)[number];
  readonly head: number;
  readonly before: number;
  readonly createdAt: number;
  /** Where a person says that the changes start. */
  readonly since: string;
  readonly attempts: Attempt[];
}

/** https://gist.github.com/tommyettinger/46a874533244883189143505d203312c: a number below `n`. */
function randomFrom(seed: number): (n: number) => number {
  let state = seed >>> 0;
  return (n) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * n);
  };
}

const isOver = ({ endsAt }: Attempt, at: number) => endsAt <= at;

const optionsOf = (random: (n: number) => number) => ({
  append: random(2) === 0,
  wait: random(3) > 0,
  start: random(4) === 0 ? ('schedule' as const) : ('push' as const),
  isFirstPush: random(6) === 0,
  /** Nobody runs anything again. */
  isLazy: random(3) === 0,
  /** From the run after this one, `paths` selects every file. */
  widenedAfter: random(3) === 0 ? random(6) : 99,
});

class History {
  readonly runs: Run[] = [];
  readonly jobs: AgentJob[] = [];
  readonly broken: string[] = [];
  /** The titles of all annotations. */
  readonly told = new Set<string>();
  readonly #random: (n: number) => number;
  /** The commits that `paths` selects. */
  readonly #relevant = new Set<number>();
  readonly #options: ReturnType<typeof optionsOf>;
  /** By commit: how often it may be sent again. */
  readonly #slack: number[] = [];
  /** Commits that nobody promised to send. */
  readonly #excused = new Set<number>();
  #isCalm = false;

  constructor(seed: number) {
    this.#random = randomFrom(seed);
    this.#options = optionsOf(this.#random);
  }

  /** What happened, for whoever looks into a broken promise. Times are in hours. */
  get story(): string {
    const story = [this.#options, { relevant: [...this.#relevant] }, this.runs, this.jobs];
    const isTime = (value: unknown) => typeof value === 'number' && value > 99;
    return JSON.stringify(story, (_, value) => (isTime(value) ? value / HOUR : value), 1);
  }

  /** Plays it, and returns what promises were broken. */
  async play(): Promise<readonly string[]> {
    const size = 2 + this.#random(6);
    // Runs start late and people press soon, or mostly not. Where runs start in their order, the next
    // ones make up for what failed, and nobody has to press anything.
    const { isLazy } = this.#options;
    const haste = isLazy ? 0 : this.#random(4) === 0 ? 3 : 1;
    const planned: { run: Run; at: number; nth: number }[] = [];
    for (let n = 1; n <= size; n += 1) {
      const run = this.#newRun(n);
      const at = n + (this.#random(5) < haste ? this.#random(30) / 10 : 0);
      const again = haste > 1 ? at + 0.6 : n + 0.5 + this.#random(40) / 10;
      planned.push({ run, at, nth: 1 });
      if (this.#random(3) < haste) planned.push({ run, at: again, nth: 2 });
      if (this.#random(6) < haste) planned.push({ run, at: n + 3 + this.#random(40) / 10, nth: 3 });
    }
    for (const { run, at, nth } of planned.sort((a, b) => a.at - b.at)) {
      if (this.#canStart(run, at * HOUR, nth)) await this.#attempt(run, at * HOUR);
    }
    await this.#settle(size);
    this.#judge();
    return this.broken;
  }

  /** Each red run is run again until it is green, unless nobody cares, and a last run goes well. */
  async #settle(size: number): Promise<void> {
    this.#isCalm = true;
    let at = 100 * HOUR;
    const isRed = ({ attempts }: Run) => attempts.at(-1)?.isRed === true;
    for (const run of this.#options.isLazy ? [] : this.runs) {
      for (let press = 0; press < PATIENCE && isRed(run); press += 1) {
        at += 5 * HOUR;
        await this.#attempt(run, at);
      }
      if (isRed(run)) this.broken.push(`run ${run.number} stays red`);
    }
    const last = this.#newRun(size + 1);
    await this.#attempt(last, 1_000 * HOUR);
    if (isRed(last)) this.broken.push('the last run is red');
  }

  #canStart({ attempts }: Run, at: number, nth: number): boolean {
    const newest = attempts.at(-1);
    if (newest === undefined) return nth === 1;
    return newest.isRed && isOver(newest, at) && attempts.length < nth;
  }

  #newRun(number: number): Run {
    const { start } = this.#options;
    const odd = this.#isCalm ? undefined : ODD[this.#random(40)];
    const kind = odd ?? start;
    const before = this.runs.at(-1)?.head ?? 0;
    const head = kind === 'typed' || kind === 'dry' ? before : before + 1;
    if (this.#isCalm || this.#random(6) > 0) this.#relevant.add(head);
    const named = commit(this.#random(head + 1));
    const since = kind === 'named' ? named : kind === 'auto' ? 'auto' : 'last-success';
    const createdAt = this.#isCalm ? 1_000 * HOUR : number * HOUR;
    const run: Run = { number, kind, head, before, createdAt, since, attempts: [] };
    this.runs.push(run);
    return run;
  }

  async #attempt(run: Run, startsAt: number): Promise<void> {
    const isLucky = this.#isCalm || this.#random(10) < 5;
    const course = isLucky ? 'good' : (TROUBLE[this.#random(TROUBLE.length)] ?? 'good');
    // Time is the world's, in ms since its beginning.
    const clock = new FakeClock();
    clock.pass(startsAt);
    const attempt: Attempt = {
      course,
      startsAt,
      endsAt: NEVER,
      // A press that skips the step of a red run would hide what that run left.
      isRed: course !== 'step-skipped-green' || run.attempts.length > 0,
      annotations: [{ title: '', message: 'Process completed with exit code 1.' }],
      ...{ sent: [], isInDoubt: false, isAsking: false },
    };
    run.attempts.push(attempt);
    if (!/^(step-skipped|lost-before)/.test(course)) await this.#step(run, attempt, clock);
    const others = this.#isCalm || this.#random(4) > 0 ? 3 : this.#random(3) * 54;
    attempt.endsAt = clock.now() + others * MINUTE;
  }

  /** The step itself. */
  async #step(run: Run, attempt: Attempt, clock: FakeClock): Promise<void> {
    const { append, wait } = this.#options;
    const { kind, number, attempts } = run;
    const { course } = attempt;
    const inputs = {
      ...{ prompt: 'Document this.', projectId: 'p', githubToken: 'token', changes: 'files' },
      ...(course === 'early' ? {} : { adminApiKey: 'mint_0123456789' }),
      paths: number > this.#options.widenedAfter ? '**' : 'src/**',
      ...{ since: run.since, pullRequest: append ? 'append' : 'new' },
      ...{ dryRun: `${kind === 'dry'}`, wait: `${wait}`, pollInterval: '5m' },
      workflowJob: `${number * 100 + attempts.length} null`,
    };
    const event = this.#eventOf(run);
    const facts = { ...FACTS, eventName: event.name, runId: number, attempt: attempts.length };
    const serve = (request: HttpRequest) => {
      const delivery = this.#serve(request, run, attempt, clock.now());
      if (delivery.kind === 'lost') effects.abort.abort(new CancelledError('SIGTERM'));
      return delivery;
    };
    const effects: FakeEffects = fakeEffects(serve, {
      clock,
      readEvent: () => event,
      openGitHub: async () => this.#gitHub(run, attempt, clock, event),
    });
    const isGreen = await runAction(inputs, facts, effects);
    this.#see(run, attempt, effects.runner, isGreen);
  }

  /** What people see of an attempt. GitHub keeps nothing of a runner that was lost. */
  #see(run: Run, attempt: Attempt, { annotations, outputs }: RecordingRunner, isGreen: boolean) {
    const { sent, course } = attempt;
    const { outcome = '' } = outputs;
    const closing = annotations.at(-1)?.title ?? '';
    for (const { title } of annotations) this.told.add(title.replace('Docs agent: ', ''));
    if (outcome === 'skipped' && closing.includes('nothing to start')) this.#excuse(0, run.head);
    attempt.isAsking = /re-run stopped: (?!earlier)/i.test(closing);
    // An end that may be an old one shows nothing, and the step says so.
    const isDoubtful = annotations.some(({ title }) => title.endsWith('the end may be an old one'));
    const isSeen = /^(?:pull-request|no-changes)$/.test(outcome) && !isDoubtful;
    for (const { unit } of sent) unit.isSeen ||= isSeen;
    if (course === 'good') this.#checkAdvice(run, attempt, outcome === 'skipped' || !isGreen);
    if (course === 'lost-after') {
      for (const { unit } of sent) this.#allow(unit.from);
      return;
    }
    attempt.isRed = !isGreen;
    attempt.annotations = annotations;
  }

  /** What the report of the attempt before said that a press would do. */
  #checkAdvice({ number, attempts }: Run, attempt: Attempt, mayHaveStopped: boolean): void {
    const advice = attempts.at(-2)?.annotations.at(-1)?.message ?? '';
    const asks = /the first new attempt stops and asks/;
    const sends = /which creates a new one|sends this prompt again|: that sends the prompt/;
    const follows = /The new attempt follows this agent job/;
    const isSent = attempt.sent.length > 0;
    const { job, unit } = attempts.at(-2)?.sent.at(-1) ?? {};
    const isAlive = job && unit && !cameToNothing(job, unit, attempt.startsAt);
    const isUntrue =
      (asks.test(advice) && !attempt.isAsking) ||
      (sends.test(advice) && !isSent && !mayHaveStopped) ||
      (follows.test(advice) && isAlive && isSent);
    if (isUntrue) this.broken.push(`run ${number} did not do what its report said: ${advice}`);
  }

  #eventOf({ kind, head, before }: Run) {
    const name = { typed: 'workflow_dispatch', schedule: 'schedule' }[kind as string] ?? 'push';
    // Nothing was pushed to the default branch before.
    const isFirst = before === 0 && this.#options.isFirstPush;
    const from = isFirst ? '0'.repeat(40) : commit(before);
    const repository = { default_branch: 'main' };
    const payload = name === 'push' ? { before: from, repository } : {};
    const ref = 'refs/heads/main';
    return { name, payload, ref, sha: commit(head), repository: 'acme/app' };
  }

  #excuse(from: number, to: number): void {
    for (let n = from + 1; n <= to; n += 1) this.#excused.add(n);
  }

  #allow(from: number, to = 50): void {
    for (let n = from + 1; n <= to; n += 1) this.#slack[n] = (this.#slack[n] ?? 0) + 1;
  }

  // The agent API.

  #serve({ method, url, body }: HttpRequest, run: Run, attempt: Attempt, at: number): Delivery {
    const [, id, isMessage] = /\/job(?:\/([^/]+)(\/message)?)?$/.exec(url) ?? [];
    const job = this.jobs.find((candidate) => candidate.id === id && at < candidate.forgottenAt);
    if (id !== undefined && !job) return answer(404, { error: 'Agent job not found' });
    if (method === 'GET' && job !== undefined) return answer(200, shown(job, at));
    if (attempt.course === 'refused') return answer(isMessage && this.#random(2) ? 401 : 403, {});
    if (isMessage && !this.#isCalm && this.#random(8) === 0) return answer(409, { error: 'Busy' });
    this.#checkSending(run, attempt, at);
    const isDoubt = attempt.course === 'doubt';
    if (isDoubt) attempt.isInDoubt = true;
    if (isDoubt && this.#random(3) === 0) return this.#doubtful('job_0');
    const accepted = this.#accept(job, JSON.parse(body ?? '').prompt, at);
    attempt.sent.push(accepted);
    if (run.kind === 'named' || run.kind === 'auto') this.#allow(accepted.unit.from);
    if (!isDoubt) return answer(job ? 200 : 201, shown(accepted.job, at));
    this.#allow(accepted.unit.from);
    return this.#doubtful(accepted.job.id);
  }

  #doubtful(id: string): Delivery {
    // After a lost response the step is cancelled, while the call is on its way.
    const lost: Delivery = { kind: 'lost', error: 'reset' };
    const unusable = [answer(502, { id }), answer(500, { error: 'Oops', id: 'req_42' })];
    return [lost, answer(502, ''), ...unusable][this.#random(4)] ?? lost;
  }

  #accept(messaged: AgentJob | undefined, prompt: string, at: number) {
    const commits = [...prompt.matchAll(/change (\d+)$/gm)].map(([, n]) => Number(n));
    const from = Math.min(...commits, 50) - 1;
    const to = Math.max(...commits, 0);
    if (commits.length !== Math.max(0, to - from)) this.broken.push(`holes in ${commits}`);
    const isGood = this.#isCalm || this.#random(4) > 0;
    const fate = isGood ? 'completed' : this.#random(4) === 0 ? 'archived' : 'failed';
    const isNoop = this.#random(6) === 0;
    const endsAt = at + (this.#isCalm ? 1 : this.#random(4) * 28) * MINUTE;
    const isAdded = messaged !== undefined;
    const unit: Unit = { from, to, fate, endsAt, isNoop, isAdded, isSeen: false };
    const job = messaged ?? this.#newJob(unit);
    job.units.push(unit);
    return { job, unit };
  }

  #newJob({ endsAt, fate, isNoop }: Unit): AgentJob {
    const isMerged = !this.#isCalm && fate === 'completed' && !isNoop && this.#random(2) === 0;
    const mergedAt = isMerged ? endsAt + (6 + this.#random(120)) * MINUTE : NEVER;
    const mayForget = fate === 'completed' && !this.#options.append && !this.#isCalm;
    const isForgotten = mayForget && this.#random(20) === 0;
    const forgottenAt = isForgotten ? endsAt + this.#random(200) * MINUTE : NEVER;
    const isShared = this.#random(3) === 0;
    const id = `job_${this.jobs.length + 1}`;
    const job: AgentJob = { id, units: [], mergedAt, isShared, forgottenAt };
    this.jobs.push(job);
    return job;
  }

  /** A second agent job needs a first one that came to nothing, or a person who was asked. */
  #checkSending({ number, attempts }: Run, attempt: Attempt, at: number): void {
    if (attempt.sent.length > 0) this.broken.push(`run ${number} sent twice in one attempt`);
    for (const [index, earlier] of attempts.slice(0, -1).entries()) {
      if (earlier.course === 'lost-after') continue;
      const wasAsked = attempts.slice(index + 1, -1).some(({ isAsking }) => isAsking);
      if (earlier.isInDoubt && wasAsked) continue;
      const isAlive = earlier.sent.some(({ job, unit }) => !cameToNothing(job, unit, at));
      if (earlier.isInDoubt && (isAlive || earlier.sent.length === 0)) {
        this.broken.push(`run ${number} sent without having asked`);
      } else if (isAlive) this.broken.push(`run ${number} sent again`);
    }
  }

  // GitHub.

  #gitHub(own: Run, current: Attempt, clock: FakeClock, event: GitHub['event']): GitHub {
    if (current.course === 'outage') throw new GitHubError('failed', 'HTTP 503');
    const now = () => clock.now();
    const byNumber = (number: number) => {
      const run = this.runs.find((candidate) => candidate.number === number);
      if (run === undefined) throw new GitHubError('not-found', 'HTTP 404');
      return run;
    };
    const listed = (run: Run): WorkflowRun => ({
      ...{ id: run.number, run_number: run.number, status: statusOf(run, now()) },
      ...{ workflow_id: 1, head_branch: 'main', head_repository: { full_name: 'acme/app' } },
    });
    const api: Partial<GitHub> = {
      event,
      run: async (id) => listed(byNumber(id)),
      runs: (_workflow, _branch) => pagesOf(this.runs, now(), listed),
      workflowJob: async (id) => workflowJobOf(own, current, id % 100, now()),
      workflowJobs: async (id) => {
        const run = byNumber(id);
        const started = run.attempts.filter(({ startsAt }) => startsAt <= now());
        return started.map((attempt, index) => workflowJobOf(run, attempt, index + 1, now()));
      },
      annotations: async (id) => {
        const attempt = byNumber(Math.floor(id / 100)).attempts[(id % 100) - 1];
        const isShown = attempt && isOver(attempt, now() - ANNOTATIONS_LAG);
        return isShown ? attempt.annotations : [];
      },
      compare: async (base, head) => this.#compare(numberOf(base), numberOf(head)),
      hasCommit: async () => true,
      pull: async (_repository, number) => {
        const job = this.jobs.find(({ id }) => id === `job_${number}`);
        if (job === undefined) throw new GitHubError('not-found', 'HTTP 404');
        const merged = job.mergedAt <= now();
        const pushes = job.units.filter(({ endsAt, isNoop }) => endsAt <= now() && !isNoop).length;
        const others = job.isShared ? 100 * Math.floor(now() / HOUR) : 0;
        const head = { sha: commit(pushes + others) };
        return { state: merged ? 'closed' : 'open', merged, head };
      },
    };
    return api as GitHub;
  }

  #compare(base: number, head: number): Awaited<ReturnType<GitHub['compare']>> {
    const count = Math.max(0, head - base);
    const numbers = Array.from({ length: count }, (_, index) => base + 1 + index);
    return {
      status: head > base ? 'ahead' : head < base ? 'behind' : 'identical',
      ...{ url: 'u', mergeBase: commit(Math.min(base, head)), totalCommits: count },
      commits: numbers.map((n) => ({ sha: commit(n), commit: { message: `change ${n}` } })),
      files: numbers.map((n) => {
        const filename = `${this.#relevant.has(n) ? 'src' : 'ci'}/${n}`;
        return { filename, status: 'added', additions: 1, deletions: 0 };
      }),
    };
  }

  // The judge.

  #judge(): void {
    this.#excuseCases();
    const times = Array.from({ length: (this.runs.at(-1)?.head ?? 0) + 1 }, () => 0);
    for (const job of this.jobs) {
      for (const { from, to } of job.units.filter((unit) => isGood(job, unit))) {
        for (let n = from + 1; n <= to; n += 1) times[n] = (times[n] ?? 0) + 1;
      }
    }
    for (const [n, count] of times.entries()) {
      const isOwed = n > 0 && this.#relevant.has(n) && !this.#excused.has(n);
      if (isOwed && count === 0) this.broken.push(`change ${n} is lost`);
      const most = 1 + (this.#slack[n] ?? 0);
      if (n > 0 && count > most) this.broken.push(`change ${n} is in ${count} jobs, not ${most}`);
    }
  }

  #excuseCases(): void {
    // What a person left behind.
    for (const { kind, since, attempts } of this.runs) {
      if (kind !== 'named' || attempts.flatMap(recordsOf).length === 0) continue;
      this.#excuse(0, numberOf(since));
      this.#allow(numberOf(since));
    }
    // A named start reads nothing of other runs. Behind a newer one it does not know that no later run
    // looks at it, so with `wait: false` a late failure is its own.
    for (const run of this.#options.wait ? [] : this.runs.filter(({ kind }) => kind === 'named')) {
      const behind = run.attempts.filter(({ startsAt }) => this.#isOvertaken(run, startsAt));
      for (const { unit } of behind.flatMap(({ sent }) => sent)) this.#excuse(unit.from, unit.to);
    }
    // Runs before the first record in which the step never ran, or ran for itself alone.
    const first = this.#firstPart();
    for (const { kind, before, head, attempts } of this.runs) {
      const isUnrecorded = kind === 'auto' || !attempts.flatMap(recordsOf).some(namesChanges);
      if (isUnrecorded && head <= first) this.#excuse(before, head);
    }
    for (const job of this.jobs) {
      const hasFailed = job.units.some(({ fate }) => fate === 'failed');
      for (const unit of job.units) {
        const isMissed = unit.isAdded && !unit.isSeen && job.mergedAt < NEVER;
        const isForgotten = job.forgottenAt < NEVER;
        // One status stands for all messages of an agent job.
        if (unit.fate === 'completed' && !isMissed && !isForgotten && !hasFailed) continue;
        // A press and a later run may each send again what came to nothing, or looks so.
        this.#allow(unit.from);
        if (isGood(job, unit)) this.#allow(unit.from);
      }
    }
  }

  /** Whether a newer run that has changes on record started before. */
  #isOvertaken({ number }: Run, at: number): boolean {
    const newer = this.runs.filter((run) => run.number > number).flatMap((run) => run.attempts);
    const before = newer.filter(({ startsAt }) => startsAt < at);
    return before.flatMap(recordsOf).some(({ to }) => to !== undefined);
  }

  /** Where the first part on record starts. */
  #firstPart(): number {
    const attempts = this.runs.flatMap((run) => run.attempts);
    attempts.sort((a, b) => a.startsAt - b.startsAt);
    const first = attempts.flatMap(recordsOf).find(({ to }) => to !== undefined);
    return numberOf(first?.from ?? first?.to ?? '');
  }
}

const recordsOf = ({ annotations }: Attempt) =>
  annotations.map(recordIn).filter((record) => typeof record === 'object');

const namesChanges = ({ begin, to }: StepRecord) => begin !== undefined || to !== undefined;

/** The first unit that changed a file opens the pull request. */
const openerOf = ({ units }: AgentJob, at: number) =>
  units.find(({ fate, isNoop, endsAt }) => fate === 'completed' && !isNoop && endsAt <= at);

/** Whether what the agent wrote reached people. */
function isGood(job: AgentJob, unit: Unit): boolean {
  if (unit.fate === 'failed') return false;
  const isOpener = unit === openerOf(job, NEVER);
  return unit.isNoop || isOpener || !unit.isAdded || job.mergedAt > unit.endsAt;
}

function cameToNothing(job: AgentJob, unit: Unit, at: number): boolean {
  const { status, prLink } = shown(job, at);
  const isMissed = unit.isAdded && unit.endsAt <= at && job.mergedAt <= at;
  const isGone = job.forgottenAt <= at;
  return isGone || status === 'failed' || isMissed || (status === 'archived' && prLink === null);
}

function shown(job: AgentJob, at: number) {
  const newest = job.units.at(-1);
  const status = newest === undefined || at < newest.endsAt ? 'active' : newest.fate;
  const link = `https://github.com/acme/docs/pull/${job.id.replace('job_', '')}`;
  const hasLink = status !== 'active' && openerOf(job, at) !== undefined;
  return { id: job.id, status, prLink: hasLink ? link : null };
}

function statusOf({ attempts }: Run, at: number): string {
  const started = attempts.filter(({ startsAt }) => startsAt <= at);
  if (started.length === 0) return 'queued';
  return started.every((attempt) => isOver(attempt, at)) ? 'completed' : 'in_progress';
}

function workflowJobOf({ number }: Run, attempt: Attempt, nth: number, at: number): WorkflowJob {
  const { isRed, endsAt } = attempt;
  const id = number * 100 + nth;
  const job = { id, run_id: number, name: 'docs', run_attempt: nth, runner_name: 'r' };
  if (!isOver(attempt, at)) return { ...job, status: 'in_progress' };
  const completed_at = new Date(Date.UTC(2026, 0, 1) + endsAt).toISOString();
  return { ...job, status: 'completed', conclusion: isRed ? 'failure' : 'success', completed_at };
}

async function* pagesOf(all: readonly Run[], at: number, show: (run: Run) => WorkflowRun) {
  const runs = all.filter(({ createdAt }) => createdAt <= at).map(show);
  runs.reverse();
  for (let start = 0; start < runs.length; start += 4) {
    yield { total: runs.length, runs: runs.slice(start, start + 4) };
  }
}

const ENDINGS = [
  'A re-run stopped: an agent job may exist',
  'A re-run stopped: earlier attempts could not be looked up',
  'Cancelled; the request may have been accepted',
  'Dry run; nothing was sent',
  'Skipped; a newer run has these changes',
  'Skipped; no relevant file changed',
  'Skipped; nothing to start from',
  'The agent job failed',
  'The pull request was closed too early',
  'Timed out; the agent job is still running',
  'What earlier runs covered is not known',
  'earlier runs',
  'the follow-up message was refused',
  'this step is new',
];

const promise =
  'no history loses a change, doubles one without a cause, or leaves a run that stays red';

test(promise, { timeout: 15 * MINUTE }, async () => {
  const told = new Set<string>();
  for (let seed = FIRST_SEED; seed < FIRST_SEED + HISTORIES; seed += 1) {
    const history = new History(seed);
    const broken = await history.play();
    if (broken.length > 0) {
      expect.fail(`Seed ${seed}: ${broken.join('; ')}\n${history.story}`);
    }
    for (const title of history.told) told.add(title);
  }
  // Otherwise these histories show little.
  expect(ENDINGS.filter((title) => !told.has(title))).toEqual([]);
});

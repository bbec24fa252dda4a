/**
 * The world of a random history: people who push and press buttons, GitHub, and the service, all in
 * memory. It plays whole runs of the action, several at once, and writes down what happened. It
 * judges nothing.
 */
import type { Clock, Delivery, HttpRequest } from '../../../src/effects/effects.ts';
import { GitHubError } from '../../../src/github/errors.ts';
import type {
  GitHub,
  WorkflowEvent,
  WorkflowJob,
  WorkflowRun,
} from '../../../src/github/github.ts';
import type { Annotation } from '../../../src/model/annotation.ts';
import { CancelledError } from '../../../src/model/run-error.ts';
import { run as runAction } from '../../../src/run.ts';
import { answer, FACTS, type FakeEffects, fakeEffects } from '../fakes.ts';
import {
  DAY,
  dateOf,
  EPOCH,
  HOUR,
  MINUTE,
  NEVER,
  openedAt,
  pullOf,
  pullState,
  pullStatus,
  SECOND,
  shown,
  workOf,
} from './agents.ts';
import type { Choices } from './choices.ts';
import type {
  AgentJob,
  Attempt,
  Course,
  ListFault,
  Run,
  RunKind,
  Settings,
  Unit,
} from './facts.ts';
import { faultOf, listed, pagesOf } from './lists.ts';
import { commitsIn, MAIN, Source, shaOf, ZERO } from './source.ts';
import { Timeline } from './timeline.ts';

/** How long after a workflow job completes GitHub shows its annotations. */
const ANNOTATIONS_LAG = 8 * SECOND;
/** How long GitHub may list a completed workflow job as in progress. */
const JOBS_LAG = 12 * SECOND;
/**
 * How many runs in a row send nothing. Those that cost requests to GitHub leave room for others.
 */
const PAUSES = { good: 51, 'job-skipped': 70, 'run-skipped': 150 } as const;
/** How many times a person presses "Re-run failed jobs" before giving up. */
const PATIENCE = 6;
const FEATURE = 'feature';

const TROUBLE = [
  ...([
    'early',
    'outage',
    'docs-outage',
    'late-docs-outage',
    'refused',
    'doubt',
    'cancelled',
    'cancelled',
  ] as const),
  ...(['lost-before', 'lost-after', 'step-skipped', 'step-skipped-green'] as const),
  ...(['job-skipped', 'run-skipped'] as const),
] as const;
const NEVER_STARTS: readonly Course[] = [
  ...(['lost-before', 'step-skipped', 'step-skipped-green', 'job-skipped', 'run-skipped'] as const),
];

export class World {
  readonly source = new Source();
  readonly runs: Run[] = [];
  readonly jobs: AgentJob[] = [];
  /** What people saw go wrong. */
  readonly broken: string[] = [];
  /** What happened, for whoever investigates a broken promise. Commits and runs have numbers. */
  readonly story: string[] = [];
  readonly options: ReturnType<typeof optionsOf>;
  readonly #choices: Choices;
  readonly #timeline = new Timeline();
  /** The run that waits in a concurrency group. */
  readonly #waiting = new Map<string, Run>();
  /** What the runs of the pause did, once there was one. */
  #pauseOf: keyof typeof PAUSES | undefined;
  /** How many events there were. */
  #nth = 0;
  /** From now on, everything goes well. */
  #isCalm = false;

  constructor(choices: Choices) {
    this.#choices = choices;
    this.options = optionsOf(choices);
    this.story.push(JSON.stringify(this.options));
  }

  get now(): number {
    return this.#timeline.now;
  }

  tell(line: string): void {
    this.story.push(`${(this.now / HOUR).toFixed(3)} h: ${line}`);
  }

  async play(): Promise<void> {
    const { isHurried } = this.options;
    const pushes = 2 + this.#choices.below(6);
    let at = 0;
    for (let nth = 1; nth <= pushes; nth += 1) {
      at += isHurried
        ? this.#choices.of([3 * MINUTE, 10 * SECOND, 15 * SECOND, MINUTE, 12 * MINUTE])
        : this.#choices.of([HOUR, HOUR, 10 * SECOND, 2 * MINUTE, 12 * MINUTE, 5 * HOUR, 30 * HOUR]);
      this.#timeline.at(at, () => this.#event(nth));
    }
    await this.#timeline.play();
    this.#isCalm = true;
    // Nothing more happens to open pull requests.
    for (const job of this.jobs.filter(({ endedAt }) => endedAt > this.now)) job.endedAt = NEVER;
    // Each failed run is re-run until it succeeds, unless nobody cares.
    for (const run of this.options.isLazy ? [] : this.runs) {
      for (let press = 0; press < PATIENCE && isRed(run); press += 1) {
        await this.#later(() => this.#attempt(run));
      }
      await this.#leaveBehind(run);
      if (isRed(run) && !this.#isOutOfReach(run)) this.broken.push(`run ${run.id} stays red`);
    }
    // Only the last runs can still make up for what failed, so nothing may fail after them.
    this.#timeline.at(Math.max(...this.jobs.map(busyUntilOf)), () => {});
    await this.#timeline.play();
    for (const branch of [MAIN, FEATURE]) {
      if (this.source.headOf(branch, this.now) === undefined) continue;
      if (branch === FEATURE && this.options.isScheduled) continue;
      const last = this.runs.length;
      await this.#later(() => this.#push(branch, [this.#newCommit(branch, 'src')], 99));
      const runs = this.runs.slice(last);
      for (const run of runs) await this.#leaveBehind(run);
      const red = runs.filter((run) => isRed(run) && !this.#isOutOfReach(run));
      for (const run of red) this.broken.push(`last run ${run.id} is red`);
    }
  }

  /**
   * Whether a pause is too long for the requests of a run that looks back, or GitHub's list ends
   * before it. Skipped runs cost no requests.
   */
  #isOutOfReach({ attempts }: Run): boolean {
    // The last attempt may have asked first, about one that GitHub has deleted.
    const annotations = attempts.slice(-2).flatMap((one) => one.annotations);
    const isLong = this.#pauseOf === 'good' || this.#pauseOf === 'job-skipped';
    const isCut = this.runs.length > this.options.listEnd;
    const says = isCut ? /and there are more|does not include this run/ : /and there are more/;
    return (isLong || isCut) && annotations.some(({ message }) => says.test(message));
  }

  /**
   * After a long pause, a person follows the error's advice: a new run sends everything from before
   * this one on.
   */
  async #leaveBehind(run: Run): Promise<void> {
    if (!isRed(run) || !this.#isOutOfReach(run)) return;
    const { ref, own, head } = run;
    const first = this.source.commits[own[0] ?? head]?.parents[0] ?? 0;
    const now = this.source.headOf(ref, this.now) ?? head;
    if (first === now) return;
    const made = this.runs.length;
    await this.#later(() => this.#start(99, 'named', ref, now, [], {}, shaOf(first)));
    const red = this.runs.slice(made).filter(isRed);
    for (const one of red) this.broken.push(`run ${one.id} with a named start is red`);
  }

  async #later(act: () => Promise<void> | void): Promise<void> {
    this.#timeline.at(this.now + 5 * HOUR, act);
    await this.#timeline.play();
  }

  // People.

  /** Something happens in the source repository. */
  #event(nth: number): void {
    const { isScheduled } = this.options;
    this.#nth = nth;
    // Just before, a person may have sent the last agent job a message.
    const lastJob = this.jobs.at(-1);
    if (lastJob !== undefined && this.#choices.oneIn(12)) this.#writeTo(lastJob);
    const what = this.#choices.of([
      ...(['push', 'push', 'push', 'push', 'push', 'push', 'revert', 'force'] as const),
      ...(['branch', 'branch', 'tag', 'odd', 'odd', 'pause'] as const),
    ]);
    const head = this.source.headOf(MAIN, this.now) ?? 0;
    const isBare = head === 0;
    if (what === 'force' && !isBare) {
      const kept = this.source.commits[head]?.parents[0] ?? 0;
      this.#push(MAIN, [this.#commit([kept])], nth);
    } else if (what === 'revert' && !isBare) {
      const all = [...this.source.reach(head)].filter((n) => this.source.commits[n]?.adds);
      const undoes = all[this.#choices.below(all.length)];
      const isThere = this.source.commits[head]?.files.has(this.#addedBy(undoes)) === true;
      if (undoes !== undefined && isThere) {
        this.#push(MAIN, [this.source.commit([head], { undoes })], nth);
      }
    } else if (what === 'branch' && !isBare) this.#branch(nth, head);
    else if (what === 'tag' && !isScheduled) this.#tag(nth, head);
    else if (what === 'odd') this.#odd(nth);
    else if (what === 'pause') this.#pause(nth, head);
    else {
      const commits = [this.#newCommit(MAIN)];
      if (this.#choices.oneIn(4)) commits.push(this.#commit(commits));
      this.#push(MAIN, commits, nth);
    }
  }

  #addedBy(number = -1): string {
    return this.source.commits[number]?.adds ?? '';
  }

  /** Files in `src` are relevant, unless `paths` says otherwise. */
  #commit(parents: readonly number[], folder = this.#choices.oneIn(6) ? 'ci' : 'src'): number {
    return this.source.commit(parents.slice(-1), { adds: folder });
  }

  #newCommit(branch: string, folder?: 'src'): number {
    return this.#commit([this.source.headOf(branch, this.now) ?? 0], folder);
  }

  #branch(nth: number, main: number): void {
    const feature = this.source.headOf(FEATURE, this.now);
    if (feature === undefined) this.#push(FEATURE, [this.#commit([main])], nth);
    else if (this.source.reach(main).has(feature) || this.#choices.oneIn(2)) {
      this.#push(FEATURE, [this.#commit([feature])], nth);
    } else this.#push(MAIN, [this.source.commit([main, feature], {})], nth);
  }

  #tag(nth: number, head: number): void {
    const name = `v${nth}`;
    const before = this.source.headOf(`v${nth - 1}`, this.now);
    const tags = this.source.tags('v', this.now);
    const last = before ?? this.source.headOf(tags.at(-1) ?? '', this.now);
    this.source.push(name, head, this.now);
    this.tell(`tag ${name} on ${head}`);
    const own = last === undefined ? [] : this.source.between(last, head);
    this.#start(nth, 'tag', name, head, own, { before: ZERO });
  }

  /** A person starts a run. */
  #odd(nth: number): void {
    const head = this.source.headOf(MAIN, this.now) ?? 0;
    const kind = this.#choices.of(['typed', 'dry', 'done', 'same'] as const);
    this.#start(nth, kind, MAIN, head, [], {});
  }

  /** For a while, every run is a dry run, or its `if:` skips it. Two pauses would take too long. */
  #pause(nth: number, head: number): void {
    if (this.#pauseOf !== undefined) return;
    const course = this.#choices.of(['good', 'job-skipped', 'run-skipped'] as const);
    this.#pauseOf = course;
    const length = PAUSES[course];
    this.tell(`${length} runs are ${course === 'good' ? 'dry' : course}`);
    const kind = course === 'good' ? 'dry' : 'typed';
    const outputs = course === 'good' ? { outcome: 'dry-run' } : {};
    const notice: Annotation = { level: 'notice', title: 'Docs agent: Dry run', message: '' };
    const annotations = course === 'good' ? [notice] : [];
    const over = { endsAt: this.now, isRed: false, annotations, outputs };
    for (let one = 0; one < length; one += 1) {
      for (const run of this.#newRuns(nth, kind, MAIN, head, [], {})) {
        run.attempts.push({ ...newAttempt(course, this.now), ...over });
      }
    }
  }

  /** Moves a branch to the last of the commits. */
  #push(branch: string, commits: readonly number[], nth: number): void {
    const { isFirstPush, isScheduled } = this.options;
    const head = commits.at(-1) ?? 0;
    const before = this.source.headOf(branch, this.now);
    this.source.push(branch, head, this.now);
    const main = this.source.headOf(MAIN, this.now) ?? 0;
    const own = this.source.between(before ?? main, head);
    const isNew = before === undefined || (before === 0 && isFirstPush);
    this.tell(`push to ${branch}, from ${before ?? 'nothing'} to ${head}: ${own}`);
    const payload = {
      before: isNew ? ZERO : shaOf(before),
      commits: own.map((n) => ({ id: shaOf(n) })),
    };
    if (isScheduled && branch !== MAIN) return;
    const odd = this.#isCalm ? 0 : this.#choices.below(24);
    const kind = odd === 23 ? 'named' : odd === 22 ? 'auto' : isScheduled ? 'schedule' : 'push';
    const unowned = isNew && branch === MAIN;
    this.#start(nth, kind, branch, head, unowned ? [] : own, kind === 'schedule' ? {} : payload);
  }

  /** Who cancels a run has the next push ready, or merges the docs pull request instead. */
  #afterCancel({ ref, kind }: Run, job: AgentJob): void {
    if (this.#isCalm || kind === 'tag') return;
    const soon = this.now + this.#choices.of([10 * SECOND, 3 * SECOND, 20 * SECOND]);
    if (this.#choices.oneIn(2)) job.endedAt = Math.min(job.endedAt, soon);
    else this.#timeline.at(soon, () => this.#push(ref, [this.#newCommit(ref, 'src')], this.#nth));
  }

  /** Starts a run of each workflow. */
  #start(...started: Started): void {
    for (const run of this.#newRuns(...started)) {
      const isLateHere = this.options.isLate && !this.#isCalm && this.#choices.oneIn(4);
      const late = isLateHere ? this.#choices.of([5 * SECOND, 30 * MINUTE, 2 * HOUR]) : 0;
      this.#timeline.at(this.now + late, () => this.#enter(run));
    }
  }

  /** Makes a run of each workflow. */
  #newRuns(...[nth, kind, ref, head, own, payload, given]: Started): readonly Run[] {
    const { first, edited, editedAfter, workflows } = this.options;
    const event: WorkflowEvent = {
      name: EVENTS[kind] ?? 'push',
      payload: { ...payload, repository: { default_branch: MAIN } },
      ...{ ref: `refs/${kind === 'tag' ? 'tags' : 'heads'}/${ref}`, sha: shaOf(head) },
      repository: 'acme/app',
    };
    const since = given ?? this.#sinceOf(kind, ref, head);
    const runs: Run[] = [];
    for (let workflow = 1; workflow <= workflows; workflow += 1) {
      const run: Run = {
        ...{ id: this.runs.length + 1, workflow, ref, kind, head, own, event },
        number: this.runs.filter((other) => other.workflow === workflow).length + 1,
        since,
        settings: nth > editedAfter ? edited : first,
        ...{ createdAt: this.now, attempts: [], isLast: this.#isCalm },
      };
      this.runs.push(run);
      runs.push(run);
    }
    return runs;
  }

  #sinceOf(kind: RunKind, ref: string, head: number): string {
    switch (kind) {
      case 'auto':
        return 'auto';
      case 'named': {
        const before = [...this.source.reach(head)].sort((a, b) => b - a).slice(1);
        return shaOf(before[this.#choices.below(Math.max(1, before.length))] ?? 0);
      }
      case 'done':
        return shaOf(head);
      case 'same':
        return ref;
      default:
        return 'last-success';
    }
  }

  /** Starts a run, or lets it wait in its concurrency group. */
  async #enter(run: Run): Promise<void> {
    const group = groupOf(run);
    const isBusy = this.runs.some((other) => groupOf(other) === group && isAtWork(other, this.now));
    if (!this.options.isGrouped || !isBusy) {
      await this.#attempt(run);
      return;
    }
    const pushedOut = this.#waiting.get(group);
    this.#waiting.set(group, run);
    if (pushedOut === undefined) return;
    this.tell(`run ${pushedOut.id} is pushed out`);
    const nothing = { endsAt: this.now, annotations: [] };
    pushedOut.attempts.push({ ...newAttempt('pushed-out', this.now), ...nothing });
    this.#mayPress(pushedOut);
  }

  /** Re-runs only another workflow job of the run. */
  #carryOver(run: Run): void {
    const before = run.attempts.at(-1);
    // The attempt must have failed and left annotations.
    if (!before?.isRed || before.course.endsWith('skipped')) return;
    if (before.annotations.length === 0) return;
    this.tell(`run ${run.id}: only another workflow job is run again`);
    const { endsAt, isRed: wasRed } = before;
    const copy = { endsAt, isRed: wasRed, annotations: [] };
    run.attempts.push({ ...newAttempt('carried-over', this.now), ...copy });
  }

  #isWaiting(run: Run): boolean {
    return [...this.#waiting.values()].includes(run);
  }

  async #attempt(run: Run): Promise<void> {
    const isLucky = this.#isCalm || this.#choices.below(10) < 5;
    const course = isLucky ? 'good' : this.#choices.of(TROUBLE);
    const hasFault = this.options.isIndexLagging && !this.#isCalm && this.#choices.oneIn(2);
    const lists = hasFault ? faultOf(this.#choices, this.now, this.#lastNumber(run)) : undefined;
    const { areClocksWrong } = this.options;
    const aheadMs = areClocksWrong ? this.#choices.of([0, MINUTE, -MINUTE]) : 0;
    const lags = [ANNOTATIONS_LAG, ANNOTATIONS_LAG, 20 * MINUTE] as const;
    const attempt = {
      ...newAttempt(course, this.now, lists),
      ...{ aheadMs, isReversed: this.#choices.oneIn(4) },
      annotationsLag: this.#isCalm ? ANNOTATIONS_LAG : this.#choices.of(lags),
    };
    run.attempts.push(attempt);
    const nth = run.attempts.length;
    this.tell(
      `run ${run.id} (${run.kind} on ${run.ref} at ${run.head}), attempt ${nth}: ${course}${lists ? `, with a list that is ${lists.kind}` : ''}`,
    );
    if (!NEVER_STARTS.includes(course)) await this.#step(run, attempt);
    // A re-run that skips the step of a failed run would hide its record, unless a later run looks
    // at it.
    const isLooking = nth === 1 || (course !== 'step-skipped-green' && this.#isNewest(run));
    if (/green|job-skipped|run-skipped/.test(course) && isLooking) {
      attempt.isRed = false;
      attempt.annotations = [];
    }
    // A cancel ends the whole workflow job.
    const isAtOnce = this.options.isHurried || attempt.outputs['outcome'] === 'cancelled';
    const others = isAtOnce
      ? SECOND
      : this.#choices.of([3 * MINUTE, SECOND, 3 * MINUTE, 54 * MINUTE]);
    attempt.endsAt = this.now + (this.#isCalm ? 3 * MINUTE : others);
    this.#timeline.at(attempt.endsAt, () => this.#afterAttempt(run));
  }

  #isNewest({ workflow, ref, number }: Run): boolean {
    return !this.runs.some(
      (one) => one.workflow === workflow && one.ref === ref && one.number > number,
    );
  }

  /** The number of the newest run on the same branch. */
  #lastNumber({ workflow, ref }: Run): number {
    const own = this.runs.filter((one) => one.workflow === workflow && one.ref === ref);
    return own.at(-1)?.number ?? 0;
  }

  async #afterAttempt(run: Run): Promise<void> {
    const group = groupOf(run);
    const waiting = this.#waiting.get(group);
    this.#waiting.delete(group);
    if (waiting !== undefined) this.#timeline.at(this.now, () => this.#enter(waiting));
    this.#mayPress(run);
  }

  /** A person may press "Re-run failed jobs". */
  #mayPress(run: Run): void {
    const { isLazy } = this.options;
    if (isLazy || this.#isCalm || !isRed(run) || run.attempts.length > 2) return;
    if (!this.#choices.oneIn(2)) return;
    const delay = this.options.isHurried
      ? this.#choices.of([5 * SECOND, SECOND, 20 * SECOND])
      : this.#choices.of([5 * SECOND, 20 * SECOND, 5 * MINUTE, HOUR, 3 * HOUR]);
    this.#timeline.at(this.now + delay, async () => {
      const isPending = isAtWork(run, this.now) || this.#isWaiting(run);
      if (!isRed(run) || isPending) return;
      if (this.#choices.oneIn(6)) this.#carryOver(run);
      await this.#enter(run);
    });
  }

  /** The step itself. */
  async #step(run: Run, attempt: Attempt): Promise<void> {
    const { settings, id, attempts, kind, event } = run;
    const inputs = {
      ...{ prompt: 'Document this.', projectId: 'p', githubToken: 'token', changes: 'files' },
      ...(attempt.course === 'early' ? {} : { adminApiKey: 'mint_0123456789' }),
      ...{ paths: settings.paths, since: run.since, pullRequest: settings.pullRequest },
      ...{ dryRun: `${kind === 'dry'}`, wait: `${settings.wait}`, rerun: settings.rerun },
      ...{ pollInterval: '2m', workflowJob: `${id * 100 + attempts.length} null` },
    };
    const facts = {
      ...{ ...FACTS, eventName: event.name, runId: id, attempt: attempts.length },
      workflowJobKey: settings.key,
    };
    const effects: FakeEffects = fakeEffects((request) => serve(request), {
      clock: this.#clock(attempt),
      readEvent: () => event,
      openGitHub: async () => this.#gitHub(run, attempt, event),
    });
    const cancel = () => effects.abort.abort(new CancelledError('SIGTERM'));
    const serve = (request: HttpRequest) => this.#serve(request, run, attempt, cancel);
    const isGreen = await runAction(inputs, facts, effects);
    attempt.stepEndsAt = this.now;
    const { outputs, annotations } = effects.runner;
    const commits = attempt.sent.map(({ job, commits: all }) => `${job.id} gets ${[...all]}`);
    const titles = annotations.map(({ title, message }) =>
      title.includes('later') ? message : title,
    );
    this.tell(`  run ${id} ends as ${outputs['outcome']}; ${commits}; ${titles.join(' | ')}`);
    attempt.outputs = outputs;
    if (attempt.course === 'lost-after') return;
    attempt.isRed = !isGreen;
    attempt.annotations = annotations;
  }

  #clock({ aheadMs }: Attempt): Clock {
    return {
      now: () => this.now,
      date: () => EPOCH + this.now + aheadMs,
      random: () => 0.5,
      sleep: async (ms, signal) => {
        if (!signal.aborted) await this.#timeline.sleep(ms);
      },
      handleSignals: async () => {},
    };
  }

  // The service.

  #serve(
    { method, url, body }: HttpRequest,
    run: Run,
    attempt: Attempt,
    cancel: () => void,
  ): Delivery {
    const { course } = attempt;
    const [, id, isMessage] = /\/job(?:\/([^/]+)(\/message)?)?$/.exec(url) ?? [];
    const job = this.jobs.find((one) => one.id === id);
    const isKnown = job && job.shownFrom <= this.now && this.now < job.forgottenAt;
    if (id !== undefined && !isKnown) return answer(404, { error: 'Agent job not found' });
    // A proxy in between responds.
    if (id !== undefined && !this.#isCalm && this.#choices.oneIn(30)) {
      return answer(404, '<html><h1>Not found</h1></html>');
    }
    if (method === 'GET' && job !== undefined) {
      if (course === 'cancelled') cancel();
      const status = shown(job, this.now);
      attempt.reads.push({ job, at: this.now, status: status.status });
      return answer(200, status);
    }
    if (course === 'refused') {
      return answer(isMessage && this.#choices.oneIn(2) ? 401 : 403, {});
    }
    const isArchived = job !== undefined && job.archivedAt <= this.now;
    if (isMessage && (isArchived || (!this.#isCalm && this.#choices.oneIn(8)))) {
      attempt.isRefused = true;
      return answer(409, { error: 'Busy' });
    }
    const isDoubt = course === 'doubt';
    attempt.isInDoubt ||= isDoubt;
    const isLost = isDoubt && this.#choices.oneIn(3);
    const unit = isLost
      ? undefined
      : this.#accept(job, run, attempt, JSON.parse(body ?? '').prompt);
    if (unit !== undefined && !isDoubt) {
      // The cancel may also come just after the call.
      const isCancelled = course === 'cancelled' || (job !== undefined && !this.#isCalm);
      if (isCancelled && this.#choices.oneIn(3)) {
        cancel();
        if (job !== undefined) this.#afterCancel(run, job);
      }
      return answer(job ? 200 : 201, shown(unit.job, this.now));
    }
    // After a lost response, the step is cancelled while the call is in flight.
    const lost: Delivery = { kind: 'lost', error: 'reset' };
    const named = answer(502, { id: unit?.job.id ?? 'job_0' });
    const delivery = this.#choices.of([
      lost,
      ...[answer(502, ''), named, answer(500, { error: 'Oops', id: 'req_42' })],
    ]);
    if (delivery === lost) cancel();
    return delivery;
  }

  #accept(messaged: AgentJob | undefined, run: Run, attempt: Attempt, prompt: string): Unit {
    const { now } = this;
    const isCalm = this.#isCalm;
    const choices = this.#choices;
    const length = isCalm
      ? MINUTE
      : choices.of([MINUTE, 5 * SECOND, 5 * MINUTE, 13 * MINUTE, 28 * MINUTE, 84 * MINUTE]);
    const queues = [0, 5 * SECOND, 20 * SECOND, 45 * SECOND, 4 * MINUTE] as const;
    const queue = messaged === undefined || isCalm ? 0 : choices.of(queues);
    const isWell = isCalm || !choices.oneIn(4);
    const fate = isWell ? 'completed' : choices.oneIn(2) ? 'archived' : 'failed';
    // The agent works on one prompt after the other.
    const busyUntil = messaged === undefined ? 0 : busyUntilOf(messaged);
    const startsAt = Math.max(now + queue, busyUntil);
    const endsAt = startsAt + length;
    const pushes: number[] = [];
    if (fate !== 'failed' && (isCalm || !choices.oneIn(fate === 'archived' ? 2 : 6))) {
      if (!isCalm && choices.oneIn(4)) pushes.push(startsAt + length * 0.3);
      pushes.push(isCalm || !choices.oneIn(4) ? endsAt - SECOND : startsAt + length * 0.6);
    }
    const job = messaged ?? this.#newJob();
    const commits = commitsIn(prompt);
    const unit: Unit = {
      ...{ job, run, attempt, commits, at: now, startsAt, pushes, endsAt, fate },
    };
    job.units.push(unit);
    attempt.sent.push(unit);
    if (!isCalm) {
      this.#decideOnPull(job, unit);
      this.#decideOnAgent(job, unit);
    }
    if (messaged === undefined && fate === 'completed' && this.#mayForget() && choices.oneIn(20)) {
      job.forgottenAt = endsAt + choices.below(200) * MINUTE;
    }
    const does = pushes.map((at) => (at / HOUR).toFixed(3));
    this.tell(
      `  run ${run.id} calls ${job.id} (${messaged ? 'message' : 'new'}) with ${[...commits]}: ${fate} at ${(endsAt / HOUR).toFixed(3)}, begins ${(startsAt / HOUR).toFixed(3)}, pushes ${does}; pull request ends ${(job.endedAt / HOUR).toFixed(3)}, ${job.deeds.map(({ at, what }) => `${what} ${(at / HOUR).toFixed(3)}`)}`,
    );
    return unit;
  }

  #mayForget(): boolean {
    const { first, edited } = this.options;
    return !this.#isCalm && first.pullRequest === 'new' && edited.pullRequest === 'new';
  }

  #newJob(): AgentJob {
    const hidden = this.#isCalm ? 0 : this.#choices.of([0, 20 * SECOND, 3 * SECOND]);
    const job: AgentJob = {
      ...{ number: this.jobs.length + 1, id: `job_${this.jobs.length + 1}`, units: [], deeds: [] },
      ...{ asides: [], archivedAt: NEVER },
      ...{ shownFrom: this.now + hidden, forgottenAt: NEVER, endedAt: NEVER, isMerged: true },
    };
    this.jobs.push(job);
    return job;
  }

  /** What people do with the agent job in the dashboard. */
  #decideOnAgent(job: AgentJob, { startsAt, endsAt }: Unit): void {
    const choices = this.#choices;
    if (choices.oneIn(10)) {
      const later = choices.of([HOUR, MINUTE, 5 * HOUR]);
      this.#timeline.at(endsAt + later, () => this.#writeTo(job));
    }
    if (choices.oneIn(20)) {
      const when = choices.of([endsAt + MINUTE, (startsAt + endsAt) / 2, endsAt + 5 * HOUR]);
      this.#timeline.at(when, () => {
        if (this.#isCalm || job.archivedAt <= this.now) return;
        job.archivedAt = this.now;
        this.tell(`a person archives ${job.id}`);
      });
    }
  }

  /** A person sends the agent job a message. */
  #writeTo(job: AgentJob): void {
    const choices = this.#choices;
    const { status } = shown(job, this.now);
    if (this.#isCalm || !/^(?:active|completed)$/.test(status)) return;
    const queue = choices.of([0, 20 * SECOND]);
    const startsAt = Math.max(this.now + queue, busyUntilOf(job));
    const length = choices.of([MINUTE, 3 * MINUTE, 28 * MINUTE, 7 * HOUR]);
    const endsAt = startsAt + length;
    const fate = choices.oneIn(4) ? 'failed' : 'completed';
    const pushes = fate === 'failed' || choices.oneIn(3) ? [] : [endsAt - SECOND];
    job.asides.push({ at: this.now, startsAt, endsAt, pushes, fate });
    this.tell(`a person writes to ${job.id}: ${fate} at ${(endsAt / HOUR).toFixed(3)}`);
  }

  /** What people do with the pull request once it is open, or while the agent adds to it. */
  #decideOnPull(job: AgentJob, unit: Unit): void {
    const choices = this.#choices;
    const from = Math.max(openedAt(job), unit.at);
    if (from === NEVER || job.endedAt < NEVER) return;
    const span = Math.max(unit.endsAt - from, choices.of([HOUR, 2 * MINUTE, 6 * HOUR])) / 50;
    for (let deeds = choices.below(4); deeds > 0; deeds -= 1) {
      const what = choices.of(['push', 'push', 'push', 'rewrite'] as const);
      job.deeds.push({ at: from + (1 + choices.below(60)) * span, what });
    }
    if (!choices.oneIn(2)) return;
    // The close may come just before or after the agent's last push or its end.
    const close = [unit.endsAt - 2 * SECOND, unit.endsAt - SECOND / 2, unit.endsAt + SECOND];
    const some = from + (1 + choices.below(60)) * span;
    job.endedAt = Math.max(from + 1, choices.of([some, some, some, ...close]));
    job.isMerged = !choices.oneIn(3);
  }

  // GitHub.

  #gitHub(own: Run, current: Attempt, event: WorkflowEvent): GitHub {
    const { source } = this;
    const { retention } = this.options;
    const { course } = current;
    if (course === 'outage') throw new GitHubError('failed', 'HTTP 503');
    const notFound = () => new GitHubError('not-found', 'HTTP 404');
    const runOf = (id: number) => {
      const found = this.runs[id - 1];
      if (found === undefined) throw notFound();
      return found;
    };
    const runBody = (run: Run): WorkflowRun => ({
      ...{ id: run.id, run_number: run.number },
      status: this.#isWaiting(run) ? 'queued' : statusOf(run, this.now),
      ...{ workflow_id: run.workflow, head_branch: run.ref, run_attempt: run.attempts.length },
      conclusion: run.attempts.at(-1)?.course === 'run-skipped' ? 'skipped' : undefined,
      head_repository: { full_name: 'acme/app' },
    });
    const openPull = (number: number) => {
      const isDown =
        course === 'late-docs-outage' ? current.sent.length > 0 : course === 'docs-outage';
      if (isDown) throw new GitHubError('failed', 'HTTP 503');
      const job = this.jobs[number - 1];
      if (job === undefined || pullState(job, this.now) === 'none') throw notFound();
      return job;
    };
    const runsOn = (workflow: number, ref: string | undefined) => {
      const all = this.runs.filter((run) => run.workflow === workflow);
      const wanted = all.filter((run) => ref === undefined || run.ref === ref);
      const shown = listed(
        wanted,
        current.lists,
        this.now,
        ref !== undefined,
        this.options.listEnd,
      );
      const isNewer = (run: Run) => run.ref === own.ref && run.number > own.number;
      current.hasOldList ||=
        shown.includes(own) && wanted.some((run) => isNewer(run) && !shown.includes(run));
      return shown;
    };
    const api: Partial<GitHub> = {
      event,
      run: async (id) => runBody(runOf(id)),
      runs: (workflow, ref) => pagesOf(runsOn(workflow, ref).map(runBody), this.options.listEnd),
      workflowJob: async (id) => workflowJobOf(own, current, id % 100, this.now),
      workflowJobs: async (id) => {
        const run = runOf(id);
        return run.attempts.flatMap((one, index) => this.#jobsOf(run, one, index + 1));
      },
      annotations: async (id) => {
        const kept = runOf(Math.floor(id / 100)).attempts[(id % 100) - 1];
        if (kept?.course === 'job-skipped' || kept?.course === 'run-skipped') throw notFound();
        if (kept !== undefined && kept.endsAt < this.now - retention) throw notFound();
        // The annotations of a failed workflow job may be late.
        const lag = kept?.isRed ? kept.annotationsLag : ANNOTATIONS_LAG;
        const isShown = kept && kept.endsAt <= this.now - lag;
        if (!isShown) return [];
        const levelOf = ({ level }: Annotation) => (level === 'error' ? 'failure' : level);
        const all = kept.annotations.map((one) => ({ ...one, level: levelOf(one) }));
        return kept.isReversed ? all.reverse() : all;
      },
      compare: async (base, head) => source.compare(base, head, this.now),
      mergeBase: async (base, head) => source.compare(base, head, this.now).mergeBase,
      commit: async (ref) => source.commitAt(ref, this.now),
      commitOfTag: async () => undefined,
      tags: async (beginning) => source.tags(beginning, this.now),
      pull: async (_repository, number) => pullOf(openPull(number), this.now),
      compareStatus: async (repository, base, head) =>
        repository === 'acme/app'
          ? source.compare(base, head, this.now).status
          : pullStatus(base, head),
      docsPull: async (_repository, number) => {
        openPull(number);
        return { isOpen: true, title: 'Docs', branch: 'docs', files: [], hasMore: false };
      },
      // No commit came with a pull request.
      pullsBehind: async () => ({ found: [], error: undefined }),
    };
    return api as GitHub;
  }

  /** The workflow jobs of one attempt. */
  #jobsOf(run: Run, attempt: Attempt, nth: number): readonly WorkflowJob[] {
    const { course, endsAt } = attempt;
    // The run was cancelled before it had any.
    if (course === 'pushed-out') return [];
    const isFresh = endsAt <= this.now && endsAt > this.now - JOBS_LAG;
    const isListedLate = this.options.isIndexLagging && isFresh && !course.endsWith('-skipped');
    const job = workflowJobOf(run, attempt, nth, isListedLate ? endsAt - SECOND : this.now);
    if (course === 'run-skipped') return [{ ...job, conclusion: 'skipped' }];
    if (course !== 'job-skipped') return [job];
    return [
      { ...job, conclusion: 'skipped' },
      { ...job, id: 0, name: 'lint' },
    ];
  }
}

/**
 * A run: after how many pushes, why, where, at which commit, with which commits, payload and
 * `since`.
 */
type Started = [
  nth: number,
  kind: RunKind,
  ref: string,
  head: number,
  own: readonly number[],
  payload: object,
  since?: string,
];

/** The events of runs that no push starts. */
const EVENTS: Partial<Record<RunKind, string>> = {
  schedule: 'schedule',
  ...{ typed: 'workflow_dispatch', dry: 'workflow_dispatch' },
  ...{ done: 'workflow_dispatch', same: 'workflow_dispatch' },
};

function settingsOf(choices: Choices): Settings {
  const pullRequest = choices.of(['new', 'append', 'append'] as const);
  return {
    pullRequest,
    // `append` requires waiting.
    wait: choices.below(3) < 2 || pullRequest === 'append',
    rerun: choices.oneIn(8) ? 'create' : 'resume',
    paths: 'src/**',
    ...{ name: 'docs', key: 'docs' },
  };
}

function optionsOf(choices: Choices) {
  const first = settingsOf(choices);
  const isEdited = choices.oneIn(3);
  const renames = { name: { name: 'renamed' }, key: { key: 'renamed' }, none: {} };
  const widened = isEdited && choices.oneIn(2) ? { paths: '**' } : {};
  const renamed = isEdited ? renames[choices.of(['none', 'none', 'name', 'key'] as const)] : {};
  const others = isEdited && choices.oneIn(2) ? settingsOf(choices) : first;
  return {
    first,
    edited: { ...others, ...widened, ...renamed },
    /** After how many pushes the workflow file is edited. */
    editedAfter: isEdited ? 1 + choices.below(4) : NEVER,
    isScheduled: choices.oneIn(6),
    isFirstPush: choices.oneIn(6),
    /** Nobody re-runs anything. If runs start in order, the next ones make up for everything. */
    ...(choices.oneIn(3)
      ? { isLazy: true, isLate: false }
      : { isLazy: false, isLate: choices.oneIn(2) }),
    /** The workflow has `concurrency:`. */
    isGrouped: choices.oneIn(2),
    workflows: choices.oneIn(8) ? 2 : 1,
    /** The runners' clocks are a minute ahead or behind. */
    areClocksWrong: choices.oneIn(4),
    /** After how many runs GitHub ends a list, and how long it keeps what a run left. */
    ...choices.of([
      ...[
        { listEnd: 1_000, retention: NEVER },
        { listEnd: 1_000, retention: NEVER },
      ],
      ...[
        { listEnd: 1_000, retention: NEVER },
        { listEnd: 1_000, retention: NEVER },
      ],
      ...[
        { listEnd: 1_000, retention: DAY + HOUR },
        { listEnd: 3, retention: NEVER },
      ],
    ] as const),
    /** Pushes and re-runs come within seconds. */
    isHurried: choices.oneIn(3),
    /** GitHub's lists of runs and of workflow jobs lag behind. */
    isIndexLagging: choices.oneIn(3),
  };
}

/** When the agent is done with everything it has got so far. */
const busyUntilOf = (job: AgentJob) => Math.max(0, ...workOf(job).map(({ endsAt }) => endsAt));

const newAttempt = (course: Course, startsAt: number, lists?: ListFault): Attempt => ({
  ...{ aheadMs: 0, stepEndsAt: startsAt, annotationsLag: ANNOTATIONS_LAG, isReversed: false },
  ...{ course, startsAt, endsAt: NEVER, isRed: true, outputs: {}, isInDoubt: false },
  annotations: [{ level: 'error', title: '', message: 'Process completed with exit code 1.' }],
  ...{ sent: [], reads: [], isRefused: false, lists, hasOldList: false },
});

const isRed = ({ attempts }: Run): boolean => attempts.at(-1)?.isRed === true;
const isAtWork = ({ attempts }: Run, at: number) => attempts.some(({ endsAt }) => endsAt > at);
const groupOf = ({ workflow, ref, kind }: Run) => `${workflow} ${ref} ${kind === 'dry'}`;

function statusOf(run: Run, at: number): string {
  if (run.attempts.length === 0) return 'queued';
  return isAtWork(run, at) ? 'in_progress' : 'completed';
}

function workflowJobOf({ id: run_id, settings }: Run, attempt: Attempt, nth: number, at: number) {
  const { isRed: hasFailed, endsAt, course } = attempt;
  const ids = { id: run_id * 100 + nth, run_id, run_attempt: nth };
  const job: WorkflowJob = { ...ids, name: settings.name, runner_name: 'r', status: 'in_progress' };
  if (endsAt > at) return job;
  const over = { ...job, status: 'completed', completed_at: dateOf(endsAt) };
  // The run never had a runner.
  if (course === 'pushed-out') return { ...over, runner_name: undefined, conclusion: 'cancelled' };
  const wasCancelled = hasFailed && course === 'cancelled';
  const conclusion = wasCancelled ? 'cancelled' : hasFailed ? 'failure' : 'success';
  return { ...over, conclusion };
}

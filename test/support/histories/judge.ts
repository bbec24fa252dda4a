/**
 * The judge of a random history. It knows which commits were in which prompts, and how and when the
 * agent jobs and their pull requests ended. The action's own words count only if a promise is about
 * them. Every excuse (excuses.ts) is computed from what happened.
 */
import { adviceIn } from '../advice.ts';
import {
  HOUR,
  isGood,
  isMessage,
  MINUTE,
  NEVER,
  pullState,
  SECOND,
  shown,
  workOf,
} from './agents.ts';
import type { ExcuseName } from './excuses.ts';
import type { Attempt, Run, Unit } from './facts.ts';
import { commitNumber } from './source.ts';
import type { World } from './world.ts';

/** How long a call can take, because an agent takes minutes. */
const CALL_OVER = 2 * HOUR;
/** Slightly less than the action waits for an agent job whose call should be over. */
const OLD_WAIT = 4 * MINUTE;
/** How long after a message an agent job may read as it was before. */
const GRACE = 30 * SECOND;

export interface Judgement {
  /** The promises that don't hold, one sentence each. */
  readonly broken: readonly string[];
  /** What was not held against the action. */
  readonly excused: readonly ExcuseName[];
}

export function judge(world: World): Judgement {
  const broken = [...world.broken];
  const excused: ExcuseName[] = [];
  for (const run of world.runs) {
    for (const [index, attempt] of run.attempts.entries()) {
      const where = `run ${run.id}, attempt ${index + 1}`;
      const found = [
        ...doubleSends(run, index),
        ...needlessStops(world, run, index),
        ...untrueAdvice(run, index),
        ...untrueEnds(world, run, attempt),
        ...crowdedPages(world, run, attempt),
        ...badRecords(run, attempt),
        ...notHeeded(world, run, attempt),
      ];
      broken.push(...found.map((what) => `${where} ${what}`));
    }
  }
  for (const stream of streamsOf(world)) {
    const judged = lostOrDoubled(world, stream);
    excused.push(...judged.excused);
    broken.push(...judged.broken, ...leftOut(world, stream));
  }
  return { broken, excused };
}

// One run.

/** A second agent job requires that the first one came to nothing, or that a person was asked. */
function doubleSends({ attempts, settings }: Run, index: number): readonly string[] {
  const own = attempts[index];
  if (own === undefined || (own.sent.length === 0 && !own.isInDoubt)) return [];
  if (own.sent.length > 1) return ['sent twice'];
  if (settings.rerun === 'create') return [];
  // A call in doubt that never arrived was made before the step ended.
  const at = own.sent[0]?.at ?? own.stepEndsAt;
  const broken: string[] = [];
  for (const [nth, earlier] of attempts.slice(0, index).entries()) {
    if (earlier.course === 'lost-after') continue;
    const between = attempts.slice(nth + 1, index);
    if (between.some(isAsking)) continue;
    // Whoever sent again in between, with good cause, decides from then on.
    if (between.some(({ sent, course }) => sent.length > 0 && course !== 'lost-after')) continue;
    const isAlive = earlier.sent.some((unit) => !mayHaveComeToNothing(unit, at));
    if (earlier.isInDoubt && (isAlive || earlier.sent.length === 0)) {
      broken.push('sent without having asked');
    } else if (isAlive) broken.push('sent again');
  }
  return broken;
}

/** The attempt asks a person although it could follow what an older one sent. */
function needlessStops(world: World, { attempts }: Run, index: number): readonly string[] {
  const own = attempts[index];
  if (own === undefined || !isAsking(own)) return [];
  const at = own.startsAt;
  for (const earlier of attempts.slice(0, index).toReversed()) {
    if (earlier.isInDoubt || isAsking(earlier)) return [];
    const isShown = earlier.endsAt + earlier.annotationsLag < at - MINUTE;
    const isThere = isShown && earlier.course !== 'lost-after' && !isForgotten(world, earlier, at);
    const alive = earlier.sent.find((unit) => isThere && !mayHaveComeToNothing(unit, at));
    if (alive !== undefined) return [`asks, although it could follow ${alive.job.id}`];
  }
  return [];
}

const closingOf = ({ annotations }: Attempt) =>
  annotations.findLast(({ title }) => title !== FOR_LATER_RUNS);

/** Whether the attempt stopped and asked a person. */
const isAsking = (attempt: Attempt) =>
  /re-run stopped: (?!earlier)/i.test(closingOf(attempt)?.title ?? '');

/** Whether the attempt found a newer run that covers its changes. */
const yieldsToNewer = (attempt: Attempt) =>
  closingOf(attempt)?.title.includes('a newer run has these changes') === true;

/** A re-run didn't do what the previous report said. */
function untrueAdvice({ attempts }: Run, index: number): readonly string[] {
  const [before, attempt] = [attempts[index - 1], attempts[index]];
  if (before === undefined || attempt?.course !== 'good') return [];
  const text = closingOf(before)?.message ?? '';
  const advice = adviceIn(text);
  const isSent = attempt.sent.length > 0;
  const mayHaveStopped = attempt.outputs['outcome'] === 'skipped' || attempt.isRed;
  const unit = unitsOf([{ attempts: attempts.slice(0, index) }]).at(-1);
  const at = attempt.sent[0]?.at ?? attempt.startsAt;
  const isAlive = unit !== undefined && !mayHaveComeToNothing(unit, at);
  // The previous attempt's record appeared too late, so an older one decided.
  const { endsAt, annotationsLag } = before;
  if (annotationsLag > MINUTE && attempt.startsAt < endsAt + annotationsLag) return [];
  const since = [unit?.job.archivedAt ?? NEVER, ...(unit?.job.asides ?? []).map((one) => one.at)];
  const isChanged = since.some((time) => time > before.stepEndsAt && time <= attempt.stepEndsAt);
  // What somebody else sent the agent job failed, and the agent did this work only after the report.
  const isOfOthers =
    unit !== undefined &&
    unit.endsAt > before.stepEndsAt &&
    workOf(unit.job).some(
      (one) =>
        one !== unit &&
        one.fate === 'failed' &&
        one.endsAt > unit.at &&
        one.endsAt <= before.stepEndsAt,
    );
  const isExcused = mayHaveStopped || isChanged || isOfOthers;
  const isUntrue =
    (advice === 'asks' && !isAsking(attempt) && !yieldsToNewer(attempt)) ||
    (advice === 'sends' && !isSent && !isExcused) ||
    (advice === 'follows' && isAlive && isSent);
  return isUntrue ? [`did not do what the report before said: ${text}`] : [];
}

/** A reported end must have happened, or come with a warning that it may be an old one. */
function untrueEnds(world: World, run: Run, attempt: Attempt): readonly string[] {
  const { outputs, reads, annotations, course } = attempt;
  if (course === 'lost-after') return [];
  const { outcome = '', status, jobId } = outputs;
  const broken: string[] = [];
  const isMissed = closingOf(attempt)?.title.includes('The agent was not seen to finish') === true;
  if (status === 'archived' && !/^(?:archived|started)$/.test(outcome) && !isMissed) {
    broken.push(`says ${outcome} of an agent job that was archived`);
  }
  const last = reads.findLast(({ job }) => job.id === jobId);
  if (last === undefined || !/^(?:pull-request|no-changes|archived)$/.test(outcome)) return broken;
  const own = last.job.units.filter((unit) => unit.run === run);
  const isUnfinished = own.some(
    ({ at, endsAt, job }) => at <= last.at && last.at < Math.min(endsAt, job.archivedAt),
  );
  if (!isUnfinished) return broken;
  const isWarned = annotations.some(({ title }) => title.endsWith('the end may be an old one'));
  // A later attempt mistakes somebody else's push for the agent's work.
  const isFollowed = attempt.sent.length === 0;
  if (isFollowed && own.some((unit) => isMessage(unit) && hasOthers(unit))) return broken;
  const since = own.at(-1)?.at ?? attempt.startsAt;
  if (!isWarned) broken.push(`says ${outcome} while the agent is at work`);
  // If its clock is ahead, an attempt that follows may think that the grace period is over.
  else if (isFollowed && world.options.areClocksWrong) return broken;
  else if (last.at - since < GRACE - SECOND) broken.push('takes an old end at once');
  return broken;
}

/**
 * Under `append`, no second agent works on the same pages, and no second pull request is opened.
 */
function crowdedPages(world: World, run: Run, attempt: Attempt): readonly string[] {
  const [unit] = attempt.sent;
  if (run.settings.pullRequest !== 'append' || unit === undefined) return [];
  // With a named start, a step that can't look up the last agent job creates a new one.
  if (hasNamedStart(run)) return [];
  const last = lastCalled(world, run, unit);
  // The step can't know what GitHub has deleted, or what a person was asked about.
  if (last === undefined || isForgotten(world, last.attempt, attempt.startsAt)) return [];
  if (run.attempts.some(isAsking)) return [];
  // It also can't know what is beyond the end of GitHub's list, or behind more runs than it can
  // read.
  if (world.runs.length > world.options.listEnd) return [];
  const { number } = last.run;
  const between = world.runs.filter(
    (one) => isSameStep(one, run) && one.number > number && one.number < run.number,
  );
  if (between.length > 50) return [];
  // After a run whose start a person named, records that GitHub doesn't show yet stop no step.
  const isAnew = between.some((one) => one.kind === 'done' || hasNamedStart(one));
  const lookedAt = [last.run, ...between].flatMap(({ attempts }) => attempts);
  if (isAnew && lookedAt.some((one) => isShownAfter(one, attempt.startsAt))) return [];
  const { job } = last;
  const { status, prLink } = shown(job, unit.at);
  const isRecent = unit.at - last.at < CALL_OVER - MINUTE;
  // Just after a message, an agent job reads as it was before. A clock that is ahead of the one
  // that recorded the message shortens that time.
  const aheadMs = Math.max(0, attempt.aheadMs - last.attempt.aheadMs);
  const isJustSent = isMessage(last) && unit.at - last.at < GRACE - SECOND - aheadMs;
  // What the agent begins after the step's last read, the step can't see.
  const readAt = attempt.reads.findLast((read) => read.job === job && read.at <= unit.at)?.at;
  const isWaitedFor = workOf(job).some(
    ({ at, startsAt, endsAt }) =>
      at < unit.at &&
      unit.at < Math.min(endsAt, job.archivedAt) &&
      (startsAt <= (readAt ?? unit.at) || isJustSent) &&
      (isRecent || endsAt < attempt.startsAt + OLD_WAIT),
  );
  if (isWaitedFor) return [`sends while ${job.id} is at work`];
  const isOpen = status === 'completed' && prLink !== null && pullState(job, unit.at) === 'open';
  if (isOpen && !isMessage(unit) && !attempt.isRefused && job.forgottenAt > unit.at) {
    const isSettling = unit.at - last.at < GRACE;
    if (!isSettling) return [`creates an agent job beside ${job.id}`];
  }
  return [];
}

/** The step's last agent job before a call, according to runs that had ended. */
function lastCalled({ runs }: World, run: Run, { at }: Unit): Unit | undefined {
  const older = runs.filter((one) => isSameStep(one, run) && one.number < run.number);
  const over = ({ attempts }: Run) => attempts.filter(({ endsAt }) => endsAt < at);
  const begun = ({ attempts }: Run) => attempts.filter(({ startsAt }) => startsAt < at);
  if (!older.every((one) => over(one).length === begun(one).length)) return undefined;
  const isNotKnown = (one: Run) =>
    over(one).some(({ isInDoubt, course }) => isInDoubt || course === 'lost-after');
  const lastOf = (one: Run) => unitsOf([{ ...one, attempts: over(one) }]).at(-1);
  const newest = older.findLast((one) => isNotKnown(one) || lastOf(one) !== undefined);
  if ([run, newest].some((one) => one !== undefined && isNotKnown(one))) return undefined;
  const [own, other] = [lastOf(run), newest && lastOf(newest)];
  if (own !== undefined && (other === undefined || own.at > other.at)) return own;
  if (newest === undefined || other === undefined) return undefined;
  // A step reads no run before the newest one that names an agent job, so it may not know of the
  // last call if a run was re-run after later ones.
  const isCalledLater = older.some((one) => (lastOf(one)?.at ?? 0) > other.at);
  const between = older.filter(({ number }) => number > newest.number);
  const startedBefore = ({ attempts }: Run) => attempts.some(({ startsAt }) => startsAt < other.at);
  return isCalledLater || between.some(startedBefore) ? undefined : other;
}

/** A person declared everything done, or named a start with no changes after it. */
function notHeeded(world: World, run: Run, attempt: Attempt): readonly string[] {
  const { source } = world;
  if (run.kind === 'done' && attempt.sent.length > 0) return ['sends what is done'];
  const isKept = attempt.course !== 'lost-after' && attempt.outputs['outcome'] === 'skipped';
  if (run.kind === 'done' && isKept && recordsOf(attempt).every(({ to }) => to === undefined)) {
    return ['does not mark everything as done'];
  }
  // Doesn't apply if a force push removed the run's commit from the branch, even during the wait.
  const branches = [attempt.startsAt, attempt.stepEndsAt].map((at) => source.headOf(run.ref, at));
  const isThere = branches.every((branch = 0) => source.reach(branch).has(run.head));
  if (run.kind === 'same' && isThere) {
    if (attempt.sent.length > 0) return ['sends, although `since` is its branch'];
    const isEarly = attempt.course === 'early' || attempt.outputs['outcome'] === 'error';
    if (!isEarly && recordsOf(attempt).some(namesChanges)) return ['leaves a start'];
  }
  // A run with its own start looks at no other run.
  if (hasNamedStart(run) || run.kind === 'auto') return [];
  const stream = world.runs.filter((one) => isSameStep(one, run));
  return stream
    .filter((done) => done.kind === 'done' && done.number < run.number)
    .filter(({ number, attempts, head: marked }) => {
      const isMarked = attempts.some((one) => recordsOf(one).some(({ to }) => to !== undefined));
      const end = Math.max(...attempts.map(({ endsAt }) => endsAt));
      const later = stream.filter((one) => one.number > number && one.number <= run.number);
      const hasLooked = later.every(
        (one) =>
          !hasNamedStart(one) &&
          // A force push removed the commit, and a merge brings it back.
          source.reach(one.head).has(marked) &&
          one.attempts.every(({ startsAt }) => startsAt > end),
      );
      const isKept = !attempts.some((one) => isForgotten(world, one, attempt.startsAt));
      return isMarked && hasLooked && isKept;
    })
    .flatMap(({ id, head }) => {
      const sent = attempt.sent.flatMap(({ commits }) => [...commits]);
      const done = sent.filter((number) => source.reach(head).has(number));
      return done.length > 0 ? [`sends ${done}, which run ${id} said are done`] : [];
    });
}

// What became of a prompt.

/** Whether the prompt may seem to have come to nothing at this time, so that it is resent. */
function mayHaveComeToNothing(unit: Unit, at: number): boolean {
  const { job } = unit;
  const { status, prLink } = shown(job, at);
  if (job.forgottenAt <= at || status === 'failed') return true;
  if (status === 'archived' && prLink === null) return true;
  return isMessage(unit) && unit.job.endedAt <= at && isClosedEarly(unit);
}

/**
 * Whether the step that sent the prompt lasted until the agent was done, and could read the pull
 * request.
 */
const wasWatched = ({ attempt, endsAt }: Unit) =>
  !/^(?:lost-after|late-docs-outage)$/.test(attempt.course) &&
  !/^(?:timed-out|cancelled)$/.test(attempt.outputs['outcome'] ?? '') &&
  attempt.stepEndsAt >= endsAt;

/**
 * Whether the pull request was merged or closed before a step can have seen it open after the end.
 * If the agent had nothing to change, no step may have seen anything.
 */
const isClosedEarly = (unit: Unit) =>
  isMessage(unit) &&
  unit.job.endedAt < NEVER &&
  (!wasWatched(unit) || unit.pushes.length === 0 || unit.job.endedAt <= unit.attempt.stepEndsAt);

/** Whether somebody else changed, merged or closed the pull request after the message. */
const hasOthers = ({ job, at }: Unit) =>
  [...job.deeds, ...job.units, ...job.asides].some((other) => other.at > at) || job.endedAt < NEVER;

/** Whether GitHub had deleted an attempt's annotations. */
const isForgotten = ({ options }: World, { endsAt }: Attempt, at: number) =>
  endsAt + options.retention < at;

/** Whether GitHub shows what an attempt left only after this time. */
const isShownAfter = ({ isRed, endsAt, annotationsLag }: Attempt, at: number) =>
  isRed && endsAt + annotationsLag > at;

/** Where a person made a run start. A branch is a start if it no longer has the run's commit. */
function namedStarts({ kind, since, attempts }: Run): readonly number[] {
  if (kind === 'named' || kind === 'done') return [commitNumber(since)];
  const records = kind === 'same' ? attempts.flatMap(recordsOf) : [];
  return records.flatMap(({ from }) => (from === undefined ? [] : [commitNumber(from)]));
}

/** Whether the run looks at no older run, because a person named where it starts. */
const hasNamedStart = (run: Run) => run.kind !== 'done' && namedStarts(run).length > 0;

// Whether two runs belong to the same stream: the runs of one step on one branch.

const isSameStep = (a: Run, b: Run) =>
  a.workflow === b.workflow &&
  a.ref === b.ref &&
  a.settings.name === b.settings.name &&
  a.settings.key === b.settings.key;

function streamsOf({ runs }: World): readonly (readonly Run[])[] {
  const streams: Run[][] = [];
  for (const run of runs) {
    const stream = streams.find(([first]) => first !== undefined && isSameStep(first, run));
    if (stream === undefined) streams.push([run]);
    else stream.push(run);
  }
  return streams;
}

const unitsOf = (runs: readonly Pick<Run, 'attempts'>[]) =>
  runs.flatMap(({ attempts }) => attempts.flatMap(({ sent }) => sent));

function lostOrDoubled(world: World, stream: readonly Run[]): Judgement {
  const broken: string[] = [];
  const excused: ExcuseName[] = [];
  const [first] = stream;
  const name = first === undefined ? '' : `${first.workflow}/${first.ref}/${first.settings.name}`;
  const units = unitsOf(stream);
  const again = sentAgain(world, stream);
  for (const { number } of world.source.commits) {
    const times = units.filter((unit) => isGood(unit) && unit.commits.has(number)).length;
    const reasons = again.filter(({ before }) => !before.has(number));
    const most = 1 + reasons.length;
    if (times > most) broken.push(`${name}: change ${number} is in ${times} jobs, not ${most}`);
    else excused.push(...reasons.slice(0, Math.max(0, times - 1)).map(({ excuse }) => excuse));
  }
  const last = stream.findLast(({ isLast }) => isLast);
  if (last === undefined) return { broken, excused };
  const whyLost = lossesOf(world, stream);
  for (const number of owedCommits(world, stream, last)) {
    if (units.some((unit) => isGood(unit) && unit.commits.has(number))) continue;
    const why = whyLost(number);
    if (why === undefined) broken.push(`${name}: change ${number} is lost`);
    else excused.push(why);
  }
  return { broken, excused };
}

/** Besides its own changes, a run sends those of each agent job that has failed by then. */
function leftOut(world: World, stream: readonly Run[]): readonly string[] {
  const { source } = world;
  const broken: string[] = [];
  for (const [index, run] of stream.entries()) {
    const older = stream.slice(0, index);
    const startedBefore = (at: number) => (one: Run) =>
      one.attempts.some(({ startsAt }) => startsAt < at);
    const [unit] = run.attempts[0]?.sent ?? [];
    const isOrdinary = run.kind === 'push' || run.kind === 'schedule';
    if (unit === undefined || !isOrdinary || stream.slice(index + 1).some(startedBefore(unit.at))) {
      continue;
    }
    for (const failed of unitsOf(older)) {
      const { job, attempt, endsAt, fate, at } = failed;
      const newer = stream.filter(({ number }) => number > failed.run.number);
      const isLast = [...job.units, ...job.asides].every(
        (one) => one.at <= at || one.at >= unit.at,
      );
      // Just after a message, an agent job counts as working, no matter what it reads.
      const isSettled = !isMessage(failed) || unit.at - at >= GRACE;
      const hasFailed = fate === 'failed' && endsAt < unit.at && isSettled;
      if (isUnwatched(stream, failed) || isForgotten(world, attempt, unit.at)) continue;
      if (job.archivedAt <= unit.at) continue;
      const isKnown = hasFailed && isLast && isOnRecord(failed);
      if (!isKnown || attempt.isInDoubt || newer.some(startedBefore(at))) continue;
      const others = unitsOf(stream).filter((one) => one.at > at && one.at <= unit.at);
      const isTold = (n: number) =>
        others.some(
          (one) =>
            one.commits.has(n) &&
            !(
              one.fate === 'failed' &&
              one.endsAt <= unit.at &&
              unit.at < one.job.archivedAt &&
              // A person's message hides how the job ended.
              !one.job.asides.some((aside) => aside.at > one.at && aside.at < unit.at)
            ),
        );
      // A person named a start, in a run of any age, and later runs continue from there.
      const named = stream.filter(startedBefore(unit.at)).flatMap(namedStarts);
      const isNamedAway = (n: number) => named.some((start) => source.reach(start).has(n));
      // A force push removed the commit, and another one or a merge brought it back.
      const between = newer.filter(({ number }) => number < run.number);
      const hasComeBack = (n: number) => between.some(({ head }) => !source.reach(head).has(n));
      const files = source.commits[run.head]?.files ?? new Set();
      const isThere = (n: number) => {
        const { adds = '' } = source.commits[n] ?? {};
        // A force push that removes a revert brings the change back, which no comparison shows.
        const isBack = source.commits.some((other) => other.undoes === n);
        return adds.startsWith('src') && files.has(adds) && !isBack;
      };
      const missing = [...failed.commits].filter(
        (n) => !isTold(n) && isThere(n) && !isNamedAway(n) && !hasComeBack(n),
      );
      if (missing.length > 0)
        broken.push(`run ${run.id} leaves out what ${job.id} failed on: ${missing}`);
    }
  }
  return broken;
}

/** The commits from the stream's pushes that somebody has to document. */
function owedCommits(
  { source, runs }: World,
  stream: readonly Run[],
  last: Run,
): readonly number[] {
  const files = source.commits[last.head]?.files ?? new Set();
  const units = unitsOf(stream);
  const pushes = runs.filter(({ workflow, ref }) => workflow === last.workflow && ref === last.ref);
  // A force push removed the commit, and a merge brought it back, so it counts as already covered.
  // The first push of a repository has no changes of its own.
  const hasComeBack = (n: number) => {
    const owners = pushes.filter(({ own }) => own.includes(n));
    const [first, ...others] = owners;
    const before = pushes.filter(({ number }) => number < (first?.number ?? 0));
    return others.length > 0 || before.some(({ head }) => source.reach(head).has(n));
  };
  return stream
    .flatMap(({ own }) => own)
    .filter((number) => !hasComeBack(number))
    .filter((number) => {
      const { adds, undoes } = source.commits[number] ?? {};
      // The last commit lacks what a force push removed.
      if (!source.reach(last.head).has(number)) return false;
      if (adds !== undefined) {
        // A force push that removes a revert brings the change back, which no comparison shows.
        const isBack = source.commits.some((other) => other.undoes === number);
        return adds.startsWith('src') && files.has(adds) && !isBack;
      }
      if (undoes === undefined) return false;
      // A change needs no revert in the docs if no agent got it, or one got it together with the
      // revert.
      const isTold = units.some(
        (unit) =>
          isGood(unit) &&
          isOnRecord(unit) &&
          !isFarBehind(stream, unit.run) &&
          !isHiddenByTodo(stream, unit) &&
          unit.commits.has(undoes) &&
          !unit.commits.has(number),
      );
      // A named start ignores earlier runs, so the change and its revert cancel out.
      const isNamedAway = stream.some(
        ({ kind, since, head }) =>
          kind === 'named' &&
          source.between(commitNumber(since), head).includes(undoes) &&
          source.reach(head).has(number),
      );
      return isTold && !isNamedAway && (source.commits[undoes]?.adds ?? '').startsWith('src');
    });
}

/**
 * Whether other runs can know about a prompt, which they can't after a lost runner. A run with
 * `since: auto` or a named start ignores other runs, so if re-run late, it sends what was reverted.
 */
const isOnRecord = ({ attempt, run }: Unit) =>
  attempt.course !== 'lost-after' && run.kind !== 'auto' && run.kind !== 'named';

/** A later step that sent nothing recorded these changes as its own, as if nobody had got them. */
const isHiddenByTodo = (stream: readonly Run[], { run }: Unit) =>
  stream.some(
    ({ number, attempts }) =>
      number >= run.number &&
      attempts.flatMap(recordsOf).some(({ job, from }) => job === 'todo' && from !== undefined),
  );

/** Whether the run started, or was re-run, behind more newer runs than the action reads. */
function isFarBehind(stream: readonly Run[], { number, attempts }: Run): boolean {
  const last = attempts.at(-1)?.startsAt ?? 0;
  return stream.filter((run) => run.number > number && run.createdAt < last).length > 50;
}

/** Why all changes after some commits may be in one more agent job that ended well. */
interface Again {
  readonly excuse: ExcuseName;
  /** The commits before the start. A merge may bring older commits after it. */
  readonly before: ReadonlySet<number>;
}

function sentAgain(world: World, stream: readonly Run[]): readonly Again[] {
  const all: Again[] = [];
  const attempts = stream.flatMap((run) => run.attempts);
  // Later runs continue from a named start, even if its run sent nothing.
  for (const { kind, since } of stream) {
    const before = world.source.reach(commitNumber(since));
    if (kind === 'named') all.push({ excuse: 'namedAgain', before });
  }
  for (const unit of unitsOf(stream)) {
    const { run, attempt, job } = unit;
    // If a prompt was resent, so was everything that came after it.
    const before = world.source.reach(run.head).difference(unit.commits);
    const again = (excuse: ExcuseName, isSo: boolean) => {
      if (isSo) all.push({ excuse, before });
    };
    // A re-run and a later run may each send it again.
    const twice = (excuse: ExcuseName, isSo: boolean) => {
      again(excuse, isSo);
      again(excuse, isSo && isGood(unit));
    };
    const later = run.attempts.slice(run.attempts.indexOf(attempt) + 1);
    again('doubt', attempt.isInDoubt);
    again('lostRunner', attempt.course === 'lost-after');
    again('namedAgain', /^(?:named|auto|same)$/.test(run.kind));
    again('create', run.settings.rerun === 'create' && run.attempts.length > 1);
    twice('agentForgotten', job.forgottenAt < NEVER);
    const { status, prLink } = shown(job, NEVER);
    twice('failed', status === 'failed' || (status === 'archived' && prLink === null));
    twice('closed', isClosedEarly(unit));
    // One status covers all messages of an agent job.
    for (const other of workOf(job)) {
      if (other !== unit) twice('laterFailed', other.fate === 'failed');
    }
    again('asked', later.some(isAsking));
    again(
      'oldList',
      [attempt, ...later].some(({ hasOldList }) => hasOldList),
    );
    again('manyNewer', isFarBehind(stream, run));
    const newer = stream.filter(({ number }) => number > run.number);
    const isRemoved = newer.some(({ head }) => !world.source.reach(head).has(run.head));
    again('forcePush', isRemoved);
    const forgotten = attempts.some(({ startsAt }) => isForgotten(world, attempt, startsAt));
    twice('forgottenAgain', forgotten);
  }
  return all;
}

// Why a change may be lost.

function lossesOf(
  world: World,
  stream: readonly Run[],
): (number: number) => ExcuseName | undefined {
  const { source } = world;
  const excused = new Map<number, ExcuseName>();
  const excuse = (why: ExcuseName, numbers: Iterable<number>) => {
    for (const number of numbers) if (!excused.has(number)) excused.set(number, why);
  };
  for (const run of stream) {
    // A person declared it done.
    const isMarked = run.attempts.some((one) => recordsOf(one).some(({ to }) => to !== undefined));
    if (run.kind === 'done' && isMarked) excuse('saidDone', source.reach(run.head));
    if (run.kind === 'same') {
      for (const start of namedStarts(run)) excuse('namedStart', source.reach(start));
    }
    // A named start leaves everything before it behind.
    if (run.kind === 'named' && run.attempts.some((one) => recordsOf(one).length > 0)) {
      excuse('namedStart', source.reach(commitNumber(run.since)));
      // The run reads no other runs. Behind a newer one, it doesn't know that no later run checks
      // it, so with `wait: false`, a late failure goes unnoticed.
      const isBehind = run.attempts.some(({ startsAt }) => isOvertaken(stream, run, startsAt));
      if (isBehind && !run.settings.wait)
        excuse(
          'namedStart',
          unitsOf([run]).flatMap((unit) => [...unit.commits]),
        );
    }
  }
  // Before the first record: runs in which the step never ran, or ran only for itself.
  const part = firstPart(stream);
  const start = source.reach(commitNumber(part?.from ?? part?.to ?? ''));
  if (part !== undefined && part.from === undefined) excuse('beforeFirstRecord', start);
  for (const { kind, own, attempts } of stream) {
    const isSilent = kind === 'auto' || !attempts.flatMap(recordsOf).some(namesChanges);
    if (isSilent) {
      excuse(
        'beforeFirstRecord',
        own.filter((number) => start.has(number)),
      );
    }
  }
  for (const [index, { kind, own, head, attempts }] of stream.entries()) {
    const older = stream.slice(0, index);
    if (!attempts.some(({ startsAt }) => isAfterPause(older, startsAt))) continue;
    // A schedule doesn't say where its own changes start, so nothing else does.
    const isOwn = (number: number) => kind !== 'schedule' && own.includes(number);
    excuse(
      'longPause',
      [...source.reach(head)].filter((number) => !isOwn(number)),
    );
  }
  for (const unit of unitsOf(stream)) {
    // Applies even if the job had already failed and nobody had noticed.
    if (unit.job.archivedAt < NEVER && !isGood(unit)) excuse('archived', unit.commits);
    if (isUnwatched(stream, unit)) excuse('unwatched', unit.commits);
    if (isFarBehind(stream, unit.run)) excuse('farBehind', unit.commits);
    const isHidden = workOf(unit.job).some((one) => one.at > unit.at && one.at < unit.endsAt);
    if (isHidden) excuse('hiddenByLater', unit.commits);
  }
  for (const unit of unitsOf(stream)) excuse('staleRevert', staleReverts(source, stream, unit));
  // A run that finds only deleted ones may have nothing to start from.
  for (const [index, run] of stream.entries()) {
    const older = stream.slice(0, index).flatMap(({ attempts }) => attempts);
    const isGone = run.attempts.some(({ startsAt }) =>
      older.some((attempt) => isForgotten(world, attempt, startsAt)),
    );
    if (isGone) excuse('forgotten', source.reach(run.head));
  }
  return (number) => excused.get(number);
}

/**
 * The reverts of a prompt's changes that a newer run had already passed, together with the changes.
 * A re-run doesn't know of that run if it sees an old list, or if a force push removed its head.
 */
function staleReverts(
  source: World['source'],
  stream: readonly Run[],
  { run, attempt, at, commits }: Unit,
): readonly number[] {
  const newer = stream.filter(({ number }) => number > run.number);
  const ends = newer
    .flatMap(({ attempts }) => attempts.filter(({ startsAt }) => startsAt < at))
    .flatMap(recordsOf)
    .flatMap(({ to }) => (to === undefined ? [] : [source.reach(commitNumber(to))]));
  const passed = ends.filter((reach) => attempt.hasOldList || !reach.has(run.head));
  return source.commits
    .filter(({ number }) => passed.some((reach) => reach.has(number)))
    .filter(({ undoes }) => undoes !== undefined && commits.has(undoes))
    .map(({ number }) => number);
}

/** Whether the last 50 runs with the workflow job had left no record by this time. */
function isAfterPause(older: readonly Run[], at: number): boolean {
  const over = older.flatMap(({ attempts }) => attempts.filter(({ endsAt }) => endsAt <= at));
  const ran = over.filter(({ course }) => !/^(?:job-skipped|run-skipped|pushed-out)$/.test(course));
  const last = ran.slice(-50);
  return last.length === 50 && last.every((one) => recordsOf(one).length === 0);
}

/**
 * Whether nobody saw how the agent ended after a message, and others changed or closed its pull
 * request, or no later run checks it.
 */
const isUnwatched = (stream: readonly Run[], unit: Unit) =>
  isMessage(unit) &&
  !wasWatched(unit) &&
  (hasOthers(unit) || isOvertaken(stream, unit.run, unit.at));

/** Whether a newer run with recorded changes started before. */
function isOvertaken(stream: readonly Run[], { number }: Run, at: number): boolean {
  const newer = stream.filter((run) => run.number > number).flatMap((run) => run.attempts);
  const before = newer.filter(({ startsAt }) => startsAt < at);
  return before.flatMap(recordsOf).some(({ to }) => to !== undefined);
}

/** The first range that a run recorded. */
function firstPart(stream: readonly Run[]): Left | undefined {
  const attempts = stream.flatMap((run) => run.attempts);
  attempts.sort((a, b) => a.startsAt - b.startsAt);
  return attempts.flatMap(recordsOf).find(({ to }) => to !== undefined);
}

const namesChanges = ({ begin, to }: Left) => begin !== undefined || to !== undefined;

// Parses records on its own, so that it also judges the action's code that writes and reads them.

/** The fields of a record that this judge needs, as written. */
interface Left {
  readonly job?: string;
  readonly begin?: string;
  readonly from?: string;
  readonly to?: string;
}

/** The title of an annotation with a record. */
const FOR_LATER_RUNS = 'Docs agent: for later runs';
/** One line: fields like `name=value`, each once, and `end`. */
const WHOLE = /^v=1 job=\S+ key=[0-9a-f]{16}(?: [a-z]+=\S+)* end$/;

const linesOf = ({ annotations }: Attempt) =>
  annotations.filter(({ title }) => title === FOR_LATER_RUNS).map(({ message }) => message);

const recordsOf = (attempt: Attempt): readonly Left[] =>
  linesOf(attempt).map((line) =>
    Object.fromEntries(line.split(' ').map((part) => part.split('='))),
  );

/** Every step outside a dry run leaves records, and those of only one call. */
function badRecords({ kind }: Run, attempt: Attempt): readonly string[] {
  const lines = linesOf(attempt);
  const hasRun = attempt.outputs['outcome'] !== undefined && attempt.course !== 'lost-after';
  if (kind === 'dry') return lines.length > 0 ? ['left a record of a dry run'] : [];
  if (!hasRun) return [];
  const calls = new Set(recordsOf(attempt).map(({ job }) => job));
  if (calls.size !== 1) return [`left records of ${calls.size} calls`];
  return lines.filter((line) => !WHOLE.test(line)).map((line) => `left the record ${line}`);
}

import { describe, expect, test } from 'vitest';
import type { KeptAnnotation, WorkflowJob } from '../../../src/github/github.ts';
import {
  decideByAttempts,
  earlierAttempts,
  type Follow,
  lastJobOfAttempts,
  mayExist,
  partOfAttempts,
  type Stop,
} from '../../../src/history/attempts.ts';
import type { Step } from '../../../src/history/kept.ts';
import type { Judged } from '../../../src/model/agent-job.ts';
import { GitHubError } from '../../../src/model/errors.ts';
import type { StepRecord } from '../../../src/model/record.ts';
import {
  ASKED,
  commit,
  FULL,
  fakeTime,
  judgeOf,
  KEY,
  kept,
  known,
  NONE,
  OTHER,
  recordOf,
  stepIn,
  TODO,
  UNKNOWN,
  UNREADABLE,
  workflowJob,
} from '../../support/records.ts';

const RUN = 5;
const STEP = stepIn(RUN, 3);
const JOBS = [1, 2, 3].map((attempt) => workflowJob(RUN, attempt));
const RANGE = { from: commit('a'), to: commit('b') };

type Kept = Readonly<Record<number, readonly KeptAnnotation[]>>;

interface Asked {
  readonly states?: Readonly<Record<string, string | Judged>>;
  readonly step?: Partial<Step>;
  readonly jobs?: readonly WorkflowJob[];
  readonly messagedJobId?: string;
}

/** What attempt 3 finds when the workflow jobs with these ids have these annotations. */
async function look(left: Kept, { states = {}, step, jobs = JOBS, messagedJobId }: Asked = {}) {
  const requested: string[] = [];
  const github = {
    workflowJobs: async (runId: number) => {
      requested.push(`jobs of ${runId}`);
      return jobs;
    },
    annotations: async (id: number) => {
      requested.push(`annotations of ${id}`);
      return left[id] ?? [];
    },
  };
  const time = fakeTime();
  const { judge, asked } = judgeOf({ job_1: 'active', job_2: 'active', ...states });
  const own = { ...STEP, ...step };
  const attempts = await earlierAttempts(github, own, time);
  const found = await decideByAttempts(attempts, own, { messagedJobId, judge });
  return { found, requested: [...requested], asked, attempts, waited: time.now() };
}

function follow(jobId: string, attempt: number, more: Partial<StepRecord> = {}): Follow {
  return { kind: 'follow', jobId, attempt, record: recordOf(jobId, more), isSeen: true };
}

const stop = (why: Stop['why'], more: object = {}) => ({ kind: 'stop', attempt: 2, why, ...more });

const send = (why: RegExp) => ({ kind: 'send', why: expect.stringMatching(why) });
const NOTHING = send(/^No earlier attempt of this step has an agent job\.$/);

describe('what an earlier attempt left behind', () => {
  test('is the newest record of this step, and older attempts are not read', async () => {
    const more = { ...RANGE, open: [{ id: 'job_old', from: commit('a') }] };
    const left = { 501: [kept('job_1')], 502: [kept('job_2', more)], 503: [kept('job_3')] };
    const { found, requested, asked } = await look(left);
    expect(found).toEqual(follow('job_2', 2, more));
    expect(requested).toEqual(['jobs of 5', 'annotations of 502']);
    expect(asked).toEqual([{ id: 'job_2', added: undefined, isNew: true }]);
  });

  test.each<{ promise: string; newest: readonly KeptAnnotation[] }>([
    { promise: 'was carried over without annotations', newest: [] },
    { promise: 'found nothing relevant', newest: [kept(NONE, RANGE)] },
    { promise: 'has a full check run', newest: FULL },
    { promise: 'cannot be read', newest: [UNREADABLE] },
  ])('counts behind an attempt that $promise', async ({ newest }) => {
    const { found, requested } = await look({ 501: [kept('job_1')], 502: newest });
    expect(found).toEqual(follow('job_1', 1));
    expect(requested).toEqual(['jobs of 5', 'annotations of 502', 'annotations of 501']);
  });

  const otherInputs = (id: string) => kept(id, { inputs: OTHER });
  const differs = stop('other-inputs');
  const timed = follow('job_2', 2, { inputs: OTHER });
  const inDoubt = stop('unknown', { record: recordOf(UNKNOWN, RANGE) });
  const asked = send(/^Attempt 2 stopped, .* This attempt sends it\.$/);

  test.each<[promise: string, annotations: readonly KeptAnnotation[], expected: object]>([
    ['a record of another step, project, matrix leg or call', [kept('x', { key: OTHER })], NOTHING],
    ['that nothing was sent', [kept(TODO)], NOTHING],
    ['that an agent job may exist', [kept(UNKNOWN, RANGE)], inDoubt],
    ['that its person was asked', [kept(ASKED, RANGE)], asked],
    ['a full one of another step', [...FULL.slice(1), kept('x', { key: OTHER })], stop('full')],
    ['a check run that is nearly full', FULL.slice(1), NOTHING],
    ['a full check run with a record', [...FULL.slice(1), kept('job_2')], follow('job_2', 2)],
    ['a record beside one that cannot be read', [UNREADABLE, kept('job_2')], follow('job_2', 2)],
    ['a record whose prompt held the time', [otherInputs('job_2')], timed],
    ['two such records', [otherInputs('job_1'), kept('job_2', { inputs: KEY })], differs],
    ['a followed and then a created agent job', [kept('job_1'), kept('job_2')], follow('job_2', 2)],
  ])('of %s decides', async (_, annotations, expected) => {
    expect((await look({ 502: annotations })).found).toEqual(expected);
  });

  test.each<[promise: string, annotations: readonly KeptAnnotation[], expected: object]>([
    ['the record with these inputs', [otherInputs('job_x'), kept('job_2')], follow('job_2', 2)],
    ['no record with other inputs, which may be of another step', [otherInputs('job_x')], differs],
    ['none of two agent jobs with the same inputs', [kept('job_1'), kept('job_2')], differs],
    [
      'its own question and not that of another step',
      [kept(UNKNOWN, { inputs: OTHER }), kept(ASKED)],
      send(/^Attempt 2 stopped/),
    ],
  ])('in a composite action decides by %s', async (_, annotations, expected) => {
    const { found } = await look({ 502: annotations }, { step: { isComposite: true } });
    expect(found).toEqual(expected);
  });

  test.each<[promise: string, older: KeptAnnotation, state: string]>([
    ['came to nothing', kept('job_1'), 'failed'],
    ['had other inputs', otherInputs('job_1'), 'active'],
    ['may have been created', kept(UNKNOWN), 'active'],
  ])('is in doubt behind one that cannot be read, if it %s', async (_, older, job_1) => {
    const { found } = await look({ 501: [older], 502: [UNREADABLE] }, { states: { job_1 } });
    expect(found).toEqual(stop('unreadable'));
  });

  test('does not count for a workflow job of another name, or for this attempt', async () => {
    const left = { 502: [kept('job_x')], 503: [kept('job_y')] };
    const jobs = [workflowJob(RUN, 2, { name: 'docs (2)' }), workflowJob(RUN, 3)];
    const { found, requested } = await look(left, { jobs });
    expect(found).toEqual(NOTHING);
    expect(requested).toEqual(['jobs of 5']);
  });

  const legs = [1, 2, 3].map((leg) => workflowJob(RUN, 2, { id: 520 + leg }));

  const found = { 521: [kept('x', { key: OTHER })], 522: [kept('job_2')] };
  test.each<[promise: string, left: Kept, expected: object]>([
    ['found, where others have records of their own or left nothing', found, follow('job_2', 2)],
    ["not another leg's, whose inputs differ", { 522: [otherInputs('job_x')] }, differs],
    ['in doubt, where two left none', { 521: [UNREADABLE], 522: FULL }, stop('full')],
  ])('among legs of a matrix that share a name is %s', async (_, left, expected) => {
    expect((await look(left, { jobs: legs })).found).toEqual(expected);
  });

  test('of a message is one that this agent job accepted, and is followed whatever it reads', async () => {
    const left = { 502: [otherInputs('job_1')], 501: [kept('job_2')] };
    const { found, asked } = await look(left, { messagedJobId: 'job_2' });
    expect(found).toEqual({ ...follow('job_2', 1), isSeen: false });
    expect(asked).toEqual([]);
    const unknown = { 502: [kept(UNKNOWN, { inputs: OTHER })] };
    const doubt = await look(unknown, { messagedJobId: 'job_2' });
    expect(doubt.found).toMatchObject(stop('unknown'));
  });
});

describe('the agent job of an earlier attempt', () => {
  test.each<{ state: string | Judged | undefined; why: RegExp }>([
    { state: undefined, why: /^Agent job `job_1` is no longer known to the service, so/ },
    { state: 'failed', why: /^Agent job `job_1` had already ended as `failed`, so the prompt is/ },
    { state: 'missed', why: /^The pull request of agent job `job_1` was merged or closed before/ },
    {
      state: { ...known('archived'), cameToNothing: true } as Judged,
      why: /^Agent job `job_1` had already ended as `archived`, so the prompt is sent again\.$/,
    },
  ])('that is $state came to nothing: its prompt is sent again', async ({ state, why }) => {
    const states = { job_1: state } as Record<string, string>;
    const { found } = await look({ 501: [kept('job_1', RANGE)] }, { states });
    expect(found).toEqual(send(why));
  });

  test('that has not failed is followed, and one that cannot be read as well', async () => {
    const followed = async (state: string | Judged) =>
      (await look({ 501: [kept('job_1')] }, { states: { job_1: state } })).found;
    for (const state of ['completed', 'archived', 'active', 'uncertain']) {
      expect(await followed(state)).toEqual(follow('job_1', 1));
    }
    const unread = { ...follow('job_1', 1), isSeen: false };
    expect(await followed({ kind: 'error', error: 'HTTP 401' })).toEqual(unread);
  });

  test('is judged by its pull request where it is not certain what it added', async () => {
    const added = { number: 12, head: commit('9'), at: 1_750_000_000 };
    const { asked } = await look({ 501: [kept('job_1', { added })] });
    expect(asked).toEqual([{ id: 'job_1', added, isNew: true }]);
  });
});

describe('what earlier attempts leave to the one that sends', () => {
  const last = { id: 'job_0', at: 1_750_000_000 };

  /** The part, and the last agent job, of the attempts that left this. */
  async function left(annotations: Kept) {
    const numbers = [1, 2, 3, 4];
    const jobs = numbers.map((attempt) => workflowJob(RUN, attempt));
    const { attempts } = await look(annotations, { jobs, step: stepIn(RUN, 4) });
    return { part: await partOfAttempts(attempts), last: await lastJobOfAttempts(attempts) };
  }

  test('is the newest part, whichever attempt had it', async () => {
    const part = { ...RANGE, last };
    const older = kept('job_1', { from: commit('1'), to: commit('2') });
    const found = await left({ 501: [older], 502: [kept(TODO, part)], 503: [kept(ASKED)] });
    expect(found.part).toEqual(recordOf(TODO, part));
    expect((await left({ 501: [kept('job_1')] })).part).toBeUndefined();
  });

  test('is of two records that differ only in what is certain the one that is', async () => {
    const added = { number: 12, head: commit('9'), at: 1_750_000_000 };
    const both = [kept('job_1', { ...RANGE, added }), kept('job_1', RANGE)];
    for (const annotations of [both, both.toReversed()]) {
      expect((await left({ 501: annotations })).part?.added).toBeUndefined();
    }
    // Another agent job is not the same with less doubt.
    const other = [kept('job_1', RANGE), kept('job_2', { ...RANGE, added })];
    expect((await left({ 501: other })).part).toMatchObject({ what: { id: 'job_2' }, added });
  });

  const added = { number: 12, head: commit('9'), at: 1_750_000_000 };
  const at = 1_750_000_001;
  test.each<{ promise: string; annotations: Kept; expected: object | string | undefined }>([
    {
      promise: 'the newest that was called',
      annotations: { 501: [kept('job_1', { at: 5 })], 502: [kept('job_2', { at })] },
      expected: { id: 'job_2', at, messagedAt: undefined },
    },
    {
      promise: 'one that got a message which is not certain',
      annotations: { 501: [kept('job_1', { at, added })], 503: [kept(TODO)] },
      expected: { id: 'job_1', at, messagedAt: at },
    },
    {
      promise: 'one that was carried on, with its time',
      annotations: { 501: [kept('job_1')], 503: [kept(TODO, { last })] },
      expected: { ...last, messagedAt: last.at },
    },
    {
      promise: 'certainly none',
      annotations: { 501: [kept('job_1')], 503: [kept(TODO, { last: 'none' })] },
      expected: 'none',
    },
    { promise: 'not named', annotations: { 501: [kept(TODO)] }, expected: undefined },
  ])('is a last agent job that is $promise', async ({ annotations, expected }) => {
    expect((await left(annotations)).last).toEqual(expected);
  });
});

describe('annotations that GitHub does not show', () => {
  const at = (seconds: number, conclusion: string) => {
    const completed_at = new Date(Date.UTC(2026, 0, 1) - seconds * 1_000).toISOString();
    return [workflowJob(RUN, 2, { completed_at, conclusion })];
  };

  test.each([
    { seconds: 59, conclusion: 'failure', expected: stop('missing'), waited: 15_000 },
    { seconds: 61, conclusion: 'timed_out', expected: stop('missing'), waited: 0 },
    { seconds: 59, conclusion: 'success', expected: NOTHING, waited: 15_000 },
    { seconds: 61, conclusion: 'cancelled', expected: NOTHING, waited: 0 },
  ])('$seconds s after a $conclusion are waited for $waited ms', async (row) => {
    const { found, waited } = await look({}, { jobs: at(row.seconds, row.conclusion) });
    expect(found).toEqual(row.expected);
    expect(waited).toBe(row.waited);
  });

  test('are those of a copy only if an earlier attempt ended at the same time', async () => {
    const [second] = at(61, 'failure');
    const first = { ...workflowJob(RUN, 1), completed_at: second?.completed_at };
    const other = { ...first, completed_at: '2025-12-01T00:00:00Z' };
    const found = async (one: WorkflowJob) =>
      (await look({ 501: [kept(TODO)] }, { jobs: [one, ...at(61, 'failure')] })).found;
    expect(await found(first)).toEqual(NOTHING);
    expect(await found(other)).toEqual(stop('missing'));
  });

  const error = new GitHubError('not-found', 'HTTP 404');
  const hidden = async (id: number) => (id === 502 ? Promise.reject(error) : []);
  /** Where the annotations of workflow job 502 answer with 404. */
  async function lookWith(more: object) {
    const github = { workflowJobs: async () => JOBS, annotations: hidden, ...more };
    const attempts = await earlierAttempts(github, STEP, fakeTime());
    return decideByAttempts(attempts, STEP, { messagedJobId: undefined, ...judgeOf({}) });
  }

  const DAY = 24 * 3_600;
  test.each([
    { seconds: DAY, why: 'missing' },
    { seconds: DAY + 1, why: 'forgotten' },
  ] as const)('$seconds s after the end are $why', async ({ seconds, why }) => {
    const workflowJobs = async () => at(seconds, 'success');
    expect(await lookWith({ workflowJobs })).toEqual(stop(why));
  });

  test('are not guessed when GitHub fails', async () => {
    for (const call of ['workflowJobs', 'annotations']) {
      await expect(lookWith({ [call]: () => Promise.reject(error) })).rejects.toBe(error);
    }
  });
});

describe('in a composite action, ten notices without a record', () => {
  const step = { isComposite: true };
  const notices = (count: number) =>
    Array.from({ length: count }, () => ({ level: 'notice', title: 'x', message: 'x' }));
  const warning = { level: 'warning', title: 'x', message: 'x' };

  test.each<{ annotations: readonly KeptAnnotation[]; expected: object }>([
    { annotations: notices(10), expected: stop('crowded') },
    { annotations: [...notices(9), warning, warning], expected: NOTHING },
    { annotations: [...notices(10), kept('job_2')], expected: follow('job_2', 2) },
    { annotations: [...notices(9), kept('x', { key: OTHER })], expected: stop('crowded') },
  ])('say nothing: case %#', async ({ annotations, expected }) => {
    expect((await look({ 502: annotations }, { step })).found).toEqual(expected);
  });

  test('are no reason to stop outside of one', async () => {
    expect((await look({ 502: notices(10) })).found).toEqual(NOTHING);
  });
});

// Only where no later attempt can know more is a new run advised: this one would stop again.
test.each<[why: Stop['why'], says: string, next: string]>([
  ['unknown', 'may have created', 'press "Re-run failed'],
  ['unreadable', 'cannot be read', 'press "Re-run failed'],
  ['missing', 'shows none of its annotations', 'press "Re-run failed'],
  ['forgotten', 'no longer has the annotations', 'press "Re-run failed'],
  ['other-inputs', 'another prompt', 'press "Re-run failed'],
  ['full', '50 annotations', 'start a new workflow run'],
  ['crowded', 'ten notices', 'start a new workflow run'],
])('a re-run that stops for `%s` says what to do next', (why, says, next) => {
  const { message } = mayExist({ kind: 'stop', attempt: 2, why }, 'create');
  expect(message).toContain(says);
  expect(message).toContain(next);
});

test.each<{ task: 'create' | 'message'; last: StepRecord['last']; heading: string }>([
  { task: 'create', last: undefined, heading: 'A re-run stopped: an agent job may exist' },
  { task: 'create', last: 'none', heading: 'A re-run stopped: an agent job may exist' },
  {
    task: 'create',
    last: { id: 'job_0', at: 5 },
    heading: 'A re-run stopped: the prompt may have been sent',
  },
  { task: 'message', last: undefined, heading: 'A re-run stopped: the message may have been sent' },
])('what may exist after a lost call: $heading', ({ task, last, heading }) => {
  const record = recordOf(UNKNOWN, { last });
  const stopped: Stop = { kind: 'stop', attempt: 2, why: 'unknown', record };
  expect(mayExist(stopped, task)).toMatchObject({ heading });
});

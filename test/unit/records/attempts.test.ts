import { describe, expect, test } from 'vitest';
import type { WorkflowJob } from '../../../src/github/github.ts';
import type { Annotation } from '../../../src/lib/annotation.ts';
import { GitHubError } from '../../../src/lib/errors.ts';
import {
  type EarlierAttempt,
  findEarlierAttempt,
  mayExist,
  type Step,
  type Stop,
} from '../../../src/records/attempts.ts';
import { noticeOf, type Recorded, type StepRecord } from '../../../src/records/record.ts';

const KEY = '0123456789abcdef';
const INPUTS = 'fedcba9876543210';
const OTHER = '00000000000000ff';
const FROM = 'a'.repeat(40);
const TO = 'b'.repeat(40);

function workflowJob(id: number, run_attempt: number, name = 'docs'): WorkflowJob {
  return { id, run_id: 500, name, run_attempt, status: 'completed', runner_name: 'runner' };
}

const query: Step = {
  thisJob: workflowJob(30, 3),
  runId: 500,
  attempt: 3,
  repository: 'o/r',
  key: KEY,
  inputs: INPUTS,
  pathsHash: OTHER,
  isComposite: false,
  messagedJobId: undefined,
};
const JOBS = [workflowJob(10, 1), workflowJob(20, 2), workflowJob(30, 3)];

function recordOf(what: Recorded | string, more: Partial<StepRecord> = {}): StepRecord {
  const recorded: Recorded = typeof what === 'string' ? { kind: 'job', id: what } : what;
  return {
    what: recorded,
    key: KEY,
    inputs: INPUTS,
    from: undefined,
    to: undefined,
    open: [],
    ...more,
  };
}

function notice(what: Recorded | string, more: Partial<StepRecord> = {}): Annotation {
  return { level: 'notice', ...noticeOf(recordOf(what, more), 'Read on.') };
}

const NONE: Recorded = { kind: 'none', pathsHash: OTHER };
const UNKNOWN: Recorded = { kind: 'unknown' };
const ASKED: Recorded = { kind: 'asked' };
const UNREADABLE: Annotation = {
  ...notice('job_x'),
  message: notice('job_x').message.slice(0, -4),
};
const FULL = Array.from(
  { length: 50 },
  (): Annotation => ({
    level: 'warning',
    title: 'eslint',
    message: 'no-unused-vars',
  }),
);

function gitHub(
  kept: Readonly<Record<number, readonly Annotation[]>>,
  listed: readonly WorkflowJob[] = JOBS,
) {
  const requested: string[] = [];
  return {
    requested,
    workflowJobs: async (runId: number) => {
      requested.push(`jobs of ${runId}`);
      return listed;
    },
    annotations: async (id: number) => {
      requested.push(`annotations of ${id}`);
      return kept[id] ?? [];
    },
  };
}

function follow(jobId: string, attempt: number, more: Partial<StepRecord> = {}): EarlierAttempt {
  return { kind: 'follow', jobId, attempt, record: recordOf(jobId, more) };
}

describe('what an earlier attempt left behind', () => {
  test('is the newest record of this step, and older attempts are not read', async () => {
    const more = { from: FROM, to: TO, open: [{ id: 'job_old', from: FROM }] };
    const github = gitHub({
      10: [notice('job_1')],
      20: [notice('job_2', more)],
      30: [notice('job_3')],
    });
    expect(await findEarlierAttempt(github, query)).toEqual(follow('job_2', 2, more));
    expect(github.requested).toEqual(['jobs of 500', 'annotations of 20']);
  });

  test('is searched for further back when an attempt was carried over without annotations', async () => {
    const github = gitHub({ 10: [notice('job_1')] });
    expect(await findEarlierAttempt(github, query)).toEqual(follow('job_1', 1));
    expect(github.requested).toEqual(['jobs of 500', 'annotations of 20', 'annotations of 10']);
  });

  test.each<{ promise: string; annotations: readonly Annotation[]; expected: EarlierAttempt }>([
    { promise: 'nothing', annotations: [], expected: { kind: 'fresh' } },
    {
      promise: 'a record of another step, project, matrix leg or call',
      annotations: [notice('job_x', { key: OTHER })],
      expected: { kind: 'fresh' },
    },
    {
      promise: 'that nothing had changed',
      annotations: [notice(NONE)],
      expected: { kind: 'fresh' },
    },
    {
      promise: 'that an agent job may exist',
      annotations: [notice(UNKNOWN)],
      expected: { kind: 'stop', why: 'unknown', attempt: 2 },
    },
    {
      promise: 'that its person was asked',
      annotations: [notice(ASKED)],
      expected: { kind: 'create-allowed', attempt: 2 },
    },
    {
      promise: 'a record that cannot be read',
      annotations: [UNREADABLE],
      expected: { kind: 'stop', why: 'unreadable', attempt: 2 },
    },
    {
      promise: 'a full check run without a record',
      annotations: FULL,
      expected: { kind: 'stop', why: 'full', attempt: 2 },
    },
    {
      promise: 'a full check run with a record of another step',
      annotations: [...FULL.slice(1), notice('job_x', { key: OTHER })],
      expected: { kind: 'stop', why: 'full', attempt: 2 },
    },
    {
      promise: 'a full check run with a record that cannot be read',
      annotations: [...FULL.slice(1), UNREADABLE],
      expected: { kind: 'stop', why: 'full', attempt: 2 },
    },
    {
      promise: 'a check run that is nearly full',
      annotations: FULL.slice(1),
      expected: { kind: 'fresh' },
    },
    {
      promise: 'a full check run with a record',
      annotations: [...FULL.slice(1), notice('job_2')],
      expected: follow('job_2', 2),
    },
    {
      promise: 'a record beside one that cannot be read',
      annotations: [UNREADABLE, notice('job_2'), UNREADABLE],
      expected: follow('job_2', 2),
    },
    {
      promise: 'a record whose prompt held the time',
      annotations: [notice('job_2', { inputs: OTHER })],
      expected: follow('job_2', 2, { inputs: OTHER }),
    },
    {
      promise: 'two records whose prompts held the time',
      annotations: [
        notice('job_1', { inputs: OTHER }),
        notice('job_2', { inputs: OTHER.replace('ff', 'fe') }),
      ],
      expected: { kind: 'stop', why: 'other-inputs', attempt: 2 },
    },
    {
      promise: 'records with these and with other inputs',
      annotations: [notice('job_2'), notice('job_x', { inputs: OTHER })],
      expected: follow('job_2', 2),
    },
    {
      promise: 'an agent job that was followed and another that was then created',
      annotations: [notice('job_1'), notice('job_2')],
      expected: follow('job_2', 2),
    },
    {
      promise: 'that its person was asked about a prompt that held the time',
      annotations: [notice(ASKED, { inputs: OTHER })],
      expected: { kind: 'create-allowed', attempt: 2 },
    },
  ])('of $promise decides', async ({ annotations, expected }) => {
    expect(await findEarlierAttempt(gitHub({ 20: annotations }), query)).toEqual(expected);
  });

  test.each<{ promise: string; annotations: readonly Annotation[]; expected: EarlierAttempt }>([
    {
      promise: 'the record with these inputs',
      annotations: [notice('job_x', { inputs: OTHER }), notice('job_2')],
      expected: follow('job_2', 2),
    },
    {
      promise: 'no record with other inputs, which may be of another step',
      annotations: [notice('job_x', { inputs: OTHER })],
      expected: { kind: 'stop', why: 'other-inputs', attempt: 2 },
    },
    {
      promise: 'none of two agent jobs with the same inputs',
      annotations: [notice('job_1'), notice('job_2')],
      expected: { kind: 'stop', why: 'other-inputs', attempt: 2 },
    },
    {
      promise: 'an agent job that is recorded twice',
      annotations: [notice('job_2'), notice('job_2')],
      expected: follow('job_2', 2),
    },
    {
      promise: 'its own question and not that of another step',
      annotations: [notice(UNKNOWN, { inputs: OTHER }), notice(ASKED)],
      expected: { kind: 'create-allowed', attempt: 2 },
    },
    {
      promise: 'no doubt of what may be another step',
      annotations: [notice(UNKNOWN, { inputs: OTHER })],
      expected: { kind: 'stop', why: 'other-inputs', attempt: 2 },
    },
    {
      promise: 'that no step has created an agent job',
      annotations: [notice(NONE, { inputs: OTHER }), notice(NONE, { inputs: OTHER })],
      expected: { kind: 'fresh' },
    },
  ])('in a composite action decides by $promise', async ({ annotations, expected }) => {
    const composite = { ...query, isComposite: true };
    expect(await findEarlierAttempt(gitHub({ 20: annotations }), composite)).toEqual(expected);
  });

  test('stops at a newer doubt, whatever an older attempt says', async () => {
    const github = gitHub({ 10: [notice('job_1')], 20: [UNREADABLE] });
    expect(await findEarlierAttempt(github, query)).toEqual({
      kind: 'stop',
      why: 'unreadable',
      attempt: 2,
    });
  });

  test('does not count for a workflow job of another name, or for this attempt', async () => {
    const github = gitHub({ 11: [notice('job_x')], 30: [notice('job_y')] }, [
      workflowJob(11, 2, 'docs (2)'),
      workflowJob(30, 3),
      workflowJob(40, 4),
    ]);
    expect(await findEarlierAttempt(github, query)).toEqual({ kind: 'fresh' });
    expect(github.requested).toEqual(['jobs of 500']);
  });

  test.each([
    { promise: 'full, then unreadable', kept: { 21: FULL, 22: [UNREADABLE] } },
    { promise: 'unreadable, then full', kept: { 21: [UNREADABLE], 22: FULL } },
  ])('may have had no room where workflow jobs share a name: $promise', async ({ kept }) => {
    const legs = [workflowJob(21, 2), workflowJob(22, 2)];
    const github = gitHub(kept, legs);
    expect(await findEarlierAttempt(github, query)).toMatchObject({ kind: 'stop', why: 'full' });
  });

  test('is found by its key among legs of a matrix that share a name', async () => {
    const legs = [workflowJob(21, 2), workflowJob(22, 2), workflowJob(23, 2)];
    const github = gitHub(
      { 21: [notice('job_x', { key: OTHER })], 22: [notice('job_2')], 23: FULL },
      legs,
    );
    expect(await findEarlierAttempt(github, query)).toEqual(follow('job_2', 2));
  });

  test('of a message is one that this agent job accepted', async () => {
    const message = { ...query, messagedJobId: 'job_2' };
    const github = gitHub({ 20: [notice('job_1', { inputs: OTHER })], 10: [notice('job_2')] });
    expect(await findEarlierAttempt(github, message)).toEqual(follow('job_2', 1));
    const doubt = gitHub({ 20: [notice(UNKNOWN, { inputs: OTHER })] });
    expect(await findEarlierAttempt(doubt, message)).toEqual({
      kind: 'stop',
      why: 'unknown',
      attempt: 2,
    });
  });

  test('is in doubt where GitHub has deleted what an attempt left, but shows other annotations', async () => {
    const github = gitHub({ 10: [notice('job_1')] });
    const annotations = async (id: number) => {
      if (id === 20) throw new GitHubError('not-found', 'HTTP 404');
      return github.annotations(id);
    };
    expect(await findEarlierAttempt({ ...github, annotations }, query)).toEqual({
      kind: 'stop',
      why: 'unreadable',
      attempt: 2,
    });
  });

  test.each(['workflowJobs', 'annotations'] as const)(
    'is not guessed when GitHub fails to list %s',
    async (call) => {
      const error = new GitHubError('not-found', 'HTTP 404');
      const github = { ...gitHub({}), [call]: () => Promise.reject(error) };
      await expect(findEarlierAttempt(github, query)).rejects.toBe(error);
    },
  );
});

// Only where no later attempt can know more is a new run advised: this one would stop again.
test.each<{ why: Stop['why']; isComposite: boolean; says: string; next: RegExp }>([
  { why: 'unknown', isComposite: true, says: 'may have created', next: /press "Re-run failed/ },
  { why: 'unreadable', isComposite: true, says: 'cannot be read', next: /press "Re-run failed/ },
  { why: 'full', isComposite: false, says: '50 annotations', next: /start a new workflow run/ },
  { why: 'other-inputs', isComposite: false, says: 'another prompt', next: /press "Re-run failed/ },
  { why: 'other-inputs', isComposite: true, says: 'another prompt', next: /start a new workflow/ },
])('a re-run that stops for `$why` (composite: $isComposite) says what to do next', (row) => {
  const { why, isComposite, says, next } = row;
  const { message } = mayExist({ kind: 'stop', attempt: 2, why }, 'create', isComposite);
  expect(message).toContain(says);
  expect(message).toMatch(next);
});

import { describe, expect, test } from 'vitest';
import type { Delivery } from '../../src/effects/effects.ts';
import { GitHubError } from '../../src/github/errors.ts';
import type { GitHub, GitHubAccess } from '../../src/github/github.ts';
import type { RawInputs } from '../../src/inputs/inputs.ts';
import { CancelledError } from '../../src/model/run-error.ts';
import { RECORD_TITLE, recordIn } from '../../src/record/record-line.ts';
import { stepKey } from '../../src/record/step-key.ts';
import { run } from '../../src/run.ts';
import {
  answer,
  eventOf,
  type FakeEffects,
  FACTS as facts,
  fakeEffects,
  inTurn,
} from '../support/fakes.ts';
import { commit, kept, workflowJob } from '../support/records.ts';

const inputs = { projectId: 'p', adminApiKey: 'mint_0123456789', prompt: 'x' };
const active = { id: 'job_1', status: 'active' };
const done = { id: 'job_1', status: 'completed', prLink: 'https://github.com/a/b/pull/1' };
/** The Unix time at which the clock of the fakes begins. */
const AT = Date.UTC(2026, 0, 1) / 1_000;
/** What people read of a run, and what later runs do. */
const notRecords = ({ runner }: FakeEffects) =>
  runner.annotations.filter(({ title }) => title !== RECORD_TITLE);
const recordsOf = ({ runner }: FakeEffects) =>
  runner.annotations.map(recordIn).filter((record) => record !== undefined);
const served = (method: string) => (method === 'POST' ? answer(201, active) : answer(200, done));

test('masks, creates, reads and reports, in this order', async () => {
  const effects = fakeEffects(({ method }) => served(method));
  // Durations count from the beginning of the run.
  effects.clock.pass(3_600_000);
  expect(await run(inputs, facts, effects)).toBe(true);
  expect(effects.runner.masks).toEqual(['mint_0123456789']);
  expect(effects.runner.log).toEqual([
    'Project `p` at https://api.mintlify.com',
    'Creating an agent job with a prompt of 1 character.',
    'Agent job `job_1` was created.',
    'Waiting for agent job `job_1` to end. Checking every 10 s, for up to 30 min.',
    'The agent job is `completed` after 10 s (1 check).',
  ]);
  expect(effects.http.requests.map(({ method, url }) => `${method} ${url}`)).toEqual([
    'POST https://api.mintlify.com/v2/agent/p/job',
    'GET https://api.mintlify.com/v2/agent/p/job/job_1',
  ]);
  expect(effects.runner.summaries[0]).toContain('<td>10 s (1 check)</td>');
  // The record is written as soon as the call is accepted, and is no part of the notice for people.
  expect(effects.runner.annotations.map(({ level, title }) => `${level}: ${title}`)).toEqual([
    'notice: Docs agent: for later runs',
    'notice: Docs agent: Docs pull request ready',
  ]);
  const at = AT + 3_600;
  expect(recordsOf(effects)).toMatchObject([{ what: { kind: 'job', id: 'job_1' }, at }]);
  expect(effects.http.requests[0]?.headers).toEqual({
    accept: 'application/json',
    'accept-encoding': 'identity',
    authorization: 'Bearer mint_0123456789',
    'content-type': 'application/json',
    'user-agent': 'docs-agent-job',
  });
});

test('reports an unexpected error with all that is known, and does not throw it', async () => {
  const effects = fakeEffects(({ method }) => {
    if (method === 'GET') throw new Error('a bug');
    return served(method);
  });
  expect(await run(inputs, facts, effects)).toBe(false);
  expect(effects.runner.outputs).toMatchObject({ outcome: 'error', jobId: 'job_1' });
  expect(effects.runner.annotations.at(-1)?.message).toContain(
    'Unexpected error: `a bug`. This is a bug in the action. Please report it at https://github.com/docs-agent/docs-agent-job/issues.\n',
  );
});

/** Effects that serve an agent job, and a runner that fails to write some outputs. */
function failingToWrite(fails: (name: string) => boolean) {
  const effects = fakeEffects(({ method }) => served(method));
  effects.runner.setOutput = (name, value) => {
    if (fails(name)) throw new Error('disk full');
    effects.runner.outputs[name] = value;
    return false;
  };
  return effects;
}

test('waits for the agent job when its id, and succeeds when the summary, cannot be written', async () => {
  let isFirst = true;
  const effects = failingToWrite(() => {
    const fails = isFirst;
    isFirst = false;
    return fails;
  });
  effects.runner.writeSummary = () => Promise.reject('no file');
  expect(await run(inputs, facts, effects)).toBe(true);
  expect(effects.runner.outputs).toMatchObject({ outcome: 'pull-request', jobId: 'job_1' });
  expect(effects.runner.log).toContain('The job summary could not be written: no file');
});

test('makes 360 reads in an hour at the default interval', async () => {
  const effects = fakeEffects(({ method }) =>
    method === 'POST' ? served(method) : answer(200, active),
  );
  await run({ ...inputs, timeout: '1h' }, facts, effects);
  expect(effects.http.requests.filter(({ method }) => method === 'GET')).toHaveLength(360);
  expect(effects.clock.now()).toBe(3_600_000);
});

const unsent: Delivery = { kind: 'not-sent', error: 'refused', code: 'ECONNREFUSED' };
const follow = { projectId: 'p', adminApiKey: 'mint_0123456789', jobId: 'job_1' };

test.each([
  ['dreaming', 'started'],
  ['completed', 'no-changes'],
  ['archived', 'archived'],
  ['failed', 'failed'],
])('with wait: false the status %s ends as %s', async (status, outcome) => {
  for (const raw of [follow, inputs]) {
    const effects = fakeEffects(() => answer(200, { id: 'job_1', status }));
    expect(await run({ ...raw, wait: 'false' }, facts, effects)).toBe(status !== 'failed');
    expect(effects.http.requests).toHaveLength(1);
    expect(effects.runner.outputs['outcome']).toBe(outcome);
    const said = 'Checking agent job `job_1` once.';
    expect(effects.runner.log.includes(said)).toBe(raw === follow);
  }
});

test.each<[promise: string, step: string, id: string, isGiven: boolean]>([
  ['is given when the record was written', 'docs', 'job_1', true],
  ['is not given without a name of the step', '', 'job_1', false],
  ['is not given when GitHub would cut the record', 'docs', 'ü'.repeat(900), false],
])('the advice to re-run %s', async (_, step, id, isGiven) => {
  const effects = fakeEffects(() => answer(200, { id, status: 'active' }));
  await run({ ...inputs, timeout: '5s' }, { ...facts, step }, effects);
  expect(effects.runner.outputs['outcome']).toBe('timed-out');
  expect(notRecords(effects)[0]?.message.includes('Re-run failed jobs')).toBe(isGiven);
});

test('no half of a secret is shown where a huge prompt is cut', async () => {
  const secret = 'ghs_00123456789abcdef';
  const effects = fakeEffects(({ method }) => served(method));
  effects.runner.clean = (text) => text.replaceAll(secret, '***');
  // Without its secrets the prompt is short, so its end is shown.
  const prompt = `x${`${secret}\n`.repeat(60_000)}`;
  await run({ ...inputs, prompt }, facts, effects);
  expect(effects.runner.summaries[0]).toContain('first part of 1320001 characters');
  expect(effects.runner.summaries[0]).not.toContain('ghs_0');
});

test('a create response that says that the agent job has ended is checked by a read at once, and that end counts', async () => {
  const effects = fakeEffects(({ method }) =>
    method === 'POST' ? answer(201, { id: 'job_1', status: 'failed' }) : answer(200, done),
  );
  expect(await run(inputs, facts, effects)).toBe(true);
  expect(effects.clock.slept).toEqual([0]);
  expect(effects.runner.outputs['outcome']).toBe('pull-request');
});

test('a promptFile that cannot be used is reported alone, or with the other problems', async () => {
  const problemsOf = async (raw: RawInputs) => {
    const effects = fakeEffects(() => answer(500, ''));
    const given = { projectId: 'p', adminApiKey: 'mint_0123456789', promptFile: 'none.md', ...raw };
    expect(await run(given, facts, effects)).toBe(false);
    expect(effects.http.requests).toEqual([]);
    return notRecords(effects).map(({ message }) => /`(\w+)`/.exec(message)?.[1]);
  };
  expect(await problemsOf({})).toEqual(['promptFile']);
  expect(await problemsOf({ timeout: 'soon' })).toEqual(['timeout', 'promptFile']);
});

test('a promptFile adds no problem when a prompt is given too, or when it can be used', async () => {
  const both = fakeEffects(() => answer(500, ''));
  await run({ ...inputs, promptFile: 'none.md' }, facts, both);
  const message = expect.stringContaining(
    '`prompt` and `promptFile` cannot both be given. Keep one',
  );
  expect(notRecords(both)).toMatchObject([{ message }]);
  const files = { read: async () => Buffer.from('x') };
  const effects = fakeEffects(() => answer(500, ''), { files });
  await run({ promptFile: 'prompt.md', projectId: 'p', timeout: 'soon' }, facts, effects);
  expect(notRecords(effects)).toHaveLength(2);
});

test('a dry run can be cancelled', async () => {
  const effects = fakeEffects(() => answer(500, ''));
  effects.abort.abort(new CancelledError('SIGINT'));
  expect(await run({ ...inputs, dryRun: 'true' }, facts, effects)).toBe(false);
  expect(effects.runner.outputs['outcome']).toBe('cancelled');
});

test('GitHub is opened with the token, the deadline and the signal of the run', async () => {
  const opened: GitHubAccess[] = [];
  const effects = fakeEffects(() => answer(200, done), {
    async openGitHub(access) {
      opened.push(access);
      throw new GitHubError('failed', 'no');
    },
  });
  const asked = { ...inputs, githubToken: 't', workflowJob: '2 null' };
  await run(asked, { ...facts, attempt: 2 }, effects);
  const { http, clock, runner, signal } = effects;
  const times = { deadline: 1_800_000, timeoutMs: 1_800_000 };
  expect(opened).toMatchObject([{ token: 't', ...times, http, clock, runner, signal }]);
});

test('a later attempt stops at an unexpected error, and sends nothing', async () => {
  const effects = fakeEffects(({ method }) => served(method), {
    openGitHub: () => Promise.reject(new Error('a bug')),
  });
  const asked = { ...inputs, githubToken: 't' };
  expect(await run(asked, { ...facts, attempt: 2 }, effects)).toBe(false);
  expect(effects.http.requests).toEqual([]);
  expect(notRecords(effects)[0]?.message).toContain('Unexpected error: `a bug`');
});

test('a write whose answer is about another agent job is not sent again', async () => {
  const effects = fakeEffects(() => answer(200, { id: 'job_2', status: 'active' }));
  await run({ ...inputs, jobId: 'job_1' }, facts, effects);
  expect(effects.http.requests).toHaveLength(1);
  expect(effects.runner.outputs).toMatchObject({ outcome: 'error', jobId: 'job_1', job: '' });
  const said = 'the response is about agent job `job_2`, not `job_1`';
  expect(notRecords(effects)[0]?.message).toContain(said);
});

test.each([
  { promise: 'do not hide a cancel', tookMs: 0, says: 'The step was cancelled (SIGINT)' },
  {
    promise: 'use up `timeout`',
    tookMs: 1_800_000,
    says: 'No agent job was created, because less than 10 s of `timeout` was left',
  },
])('changes that take long to handle $promise', async ({ tookMs, says }) => {
  const event = eventOf('push', { before: 'b' });
  const commits = [{ sha: 'h', commit: { message: 'S' } }];
  const files = [{ filename: 'a', status: 'modified', lines: { additions: 1, deletions: 1 } }];
  const comparison = { status: 'ahead', url: 'u', totalCommits: 1, commits, files };
  const compare = async () => {
    effects.clock.pass(tookMs);
    return comparison;
  };
  const effects = fakeEffects(({ method }) => served(method), {
    readEvent: () => event,
    openGitHub: async () =>
      ({ event, compare, pullsBehind: async () => ({ found: [], error: undefined }) }) as never,
  });
  // The signal is handled when the run lets go of the processor.
  const cancel = async () => effects.abort.abort(new CancelledError('SIGINT'));
  if (tookMs === 0) effects.clock.handleSignals = cancel;
  const asked = { ...inputs, changes: 'files', githubToken: 't' };
  expect(await run(asked, facts, effects)).toBe(false);
  expect(effects.http.requests).toEqual([]);
  expect(notRecords(effects).at(-1)?.message).toContain(says);
});

test.each([401, 403, 404, 500])('a dry run fails if HTTP %d refuses its key', async (status) => {
  const effects = fakeEffects(() => answer(status, ''));
  expect(await run({ ...inputs, dryRun: 'true' }, facts, effects)).toBe(status > 403);
  expect(effects.http.requests).toMatchObject([{ method: 'GET', timeoutMs: 10_000 }]);
});

describe('without a key', () => {
  const noKey = { projectId: 'p', prompt: 'x' };
  const fork = { ...facts, isFork: true };

  test('a fork is skipped, in green, and leaves its task', async () => {
    const effects = fakeEffects(() => answer(500, ''));
    expect(await run({ ...noKey, changes: 'files' }, fork, effects)).toBe(true);
    expect(effects.http.requests).toEqual([]);
    expect(effects.runner.outputs['outcome']).toBe('skipped');
    expect(notRecords(effects)).toMatchObject([
      { level: 'notice', title: 'Docs agent: Skipped; this repository is a fork without a key' },
    ]);
    expect(recordsOf(effects)).toMatchObject([{ what: { kind: 'todo' } }]);
  });

  test.each([
    { who: 'any other repository', known: facts, raw: noKey },
    { who: 'a fork whose key cannot be used', known: fork, raw: { ...noKey, adminApiKey: 'x' } },
    { who: 'a fork with a key and a bad input', known: fork, raw: { ...inputs, timeout: 'x' } },
  ])('$who fails', async ({ known, raw }) => {
    const effects = fakeEffects(() => answer(500, ''));
    expect(await run(raw, known, effects)).toBe(false);
    expect(effects.runner.outputs['outcome']).toBe('error');
  });
});

describe('a run leaves', () => {
  const lost: Delivery = { kind: 'lost', error: 'reset' };
  const nothing = answer(500, '');
  const todo = { kind: 'todo' };
  const dry = { ...inputs, dryRun: 'true' };
  const changes = { changes: 'files', githubToken: 't' };
  const withChanges = { ...inputs, ...changes };
  const failed = answer(201, { id: 'job_1', status: 'failed' });

  test.each<[promise: string, raw: RawInputs, response: Delivery, left?: object]>([
    ['its task when an input is bad', { ...withChanges, timeout: 'x' }, nothing, todo],
    ['its task without a key', { ...changes, projectId: 'p', prompt: 'x' }, nothing, todo],
    ['its task without a project', { ...changes, prompt: 'x' }, nothing, todo],
    ['its task without a prompt', { ...changes, projectId: 'p' }, nothing, todo],
    ['its task when `changes` itself is bad', { ...inputs, changes: 'file' }, nothing, todo],
    ['its task when it has `paths` and a bad input', { paths: 'src/**' }, nothing, todo],
    ['its task when it appends and an input is bad', { pullRequest: 'append' }, nothing, todo],
    ['its task when `pullRequest` is bad', { ...inputs, pullRequest: 'apend' }, nothing, todo],
    ['its task when GitHub cannot be asked', withChanges, nothing, todo],
    ['nothing of a prompt alone when an input is bad', { ...inputs, timeout: 'x' }, nothing],
    ['nothing of a prompt alone without a key', { projectId: 'p', prompt: 'x' }, nothing],
    ['nothing of a prompt alone that is refused', inputs, answer(403, '')],
    ['nothing of a prompt alone that has no connection', inputs, unsent],
    [
      'nothing of a prompt with `changes: none` that is refused',
      { ...inputs, changes: 'none', pullRequest: 'new' },
      answer(403, ''),
    ],
    ['nothing of a message alone that is refused', { ...inputs, jobId: 'job_1' }, answer(403, '')],
    ['nothing of bad inputs when it would only follow', { ...changes, jobId: 'job_1' }, nothing],
    ['a doubt when the response is lost', inputs, lost, { kind: 'unknown' }],
    ['its agent job when that failed', inputs, failed, { kind: 'job', id: 'job_1' }],
    ['nothing as a dry run', dry, nothing],
    ['nothing as a dry run without GitHub', { ...dry, ...changes }, nothing],
    ['nothing when it only follows', follow, answer(200, done)],
  ])('%s', async (_, raw, response, left) => {
    const effects = fakeEffects(() => response);
    await run({ ...raw, wait: 'false' }, facts, effects);
    expect(recordsOf(effects)).toMatchObject(left === undefined ? [] : [{ what: left }]);
  });
});

const withRecords = { ...inputs, githubToken: 't', workflowJob: '501 null' };
const key = stepKey({ kind: 'create', workflowJob: '', pullNumber: undefined }, facts);

test('a re-run follows an agent job that the service shows only after a while, and records it', async () => {
  const github = {
    workflowJob: async () => workflowJob(5, 2, { status: 'in_progress' }),
    workflowJobs: async () => [workflowJob(5)],
    annotations: async () => [kept('job_1', { key })],
  };
  const effects = fakeEffects(inTurn(answer(403, ''), answer(404, ''), answer(200, done)), {
    openGitHub: async () => github as unknown as GitHub,
  });
  expect(await run(withRecords, { ...facts, runId: 5, attempt: 2 }, effects)).toBe(true);
  expect(recordsOf(effects)).toMatchObject([{ key, what: { id: 'job_1' } }]);
});

const starts = [{ since: 'v1', eventStart: commit('b') }, { since: 'auto' }];
test.each(starts)(
  'under `since: $since` the record has begin=$eventStart',
  async ({ since, eventStart }) => {
    const readEvent = () => eventOf('push', { before: commit('b') });
    const effects = fakeEffects(() => answer(403, ''), { readEvent });
    await run({ ...withRecords, changes: 'files', since }, facts, effects);
    expect(recordsOf(effects)).toMatchObject([{ what: { kind: 'todo' }, eventStart }]);
  },
);

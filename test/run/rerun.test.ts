/** Workflow runs that are run again. Each attempt gets the annotations that those before printed. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { annotations, recordsOf } from '../support/action.ts';
import {
  ADMIN_API_KEY,
  type Exchange,
  first,
  PR_LINK,
  reply,
  type ServiceOptions,
} from '../support/agent-service.ts';
import { dose } from '../support/dose.ts';
import type { FakePullState } from '../support/github-service.ts';
import {
  type HistoryOptions,
  type Night,
  type StepOptions,
  startHistory,
} from '../support/workflow-run.ts';

const DONE = { afterReads: 2, status: 'completed', prLink: PR_LINK };
const ENDS_AFTER_READS: ServiceOptions = { schedule: [{ status: 'active' }, DONE] };

/** A run whose steps do not wait, unless they say so. */
async function begin(options: HistoryOptions = {}) {
  const inputs = { prompt: 'x', wait: 'false', pollInterval: '1s' };
  const history = await startHistory({ inputs, ...options });
  const { agent, workflow } = history;
  const posts = (end: RegExp) => agent.postsTo(end).length;
  const run = workflow.begin('c3');
  return { ...history, run, creates: () => posts(/\/job$/), messages: () => posts(/\/message$/) };
}

/** A run whose attempt 1 created an agent job and did not wait for it. */
async function beginWithJob(options?: HistoryOptions) {
  const given = await begin(options);
  const night = await given.step(given.run);
  expect(night.result.outputs).toMatchObject({ outcome: 'started', jobId: 'job_1' });
  return given;
}

const outputsOf = ({ result }: Night) => result.outputs;
const following = (outcome: string) => ({ outcome, jobId: 'job_1' });
const WAITS: StepOptions = { inputs: { wait: 'true' } };

test('a re-run that times out says why it could not read the agent job', async () => {
  let isDown = false;
  const intercept = ({ request, response }: Exchange) =>
    isDown && request.method === 'GET' && reply(response, 500, { error: 'down' });
  await using history = await startHistory({ service: { intercept } });
  const { run } = await history.push(2);
  isDown = true;
  const { outcome, result } = await history.again(run, { inputs: { wait: 'true', timeout: '6s' } });
  expect(outcome).toBe('timed-out');
  expect(annotations(result).at(-1)).toContain('the last check failed: HTTP 500');
});

describe.concurrent('attempt 2 follows the agent job of attempt 1 and creates none when attempt 1', () => {
  test.concurrent('timed out', async () => {
    await using given = await begin({ service: ENDS_AFTER_READS });
    const { run, api } = given;
    const inputs = { wait: 'true', timeout: '12s', pollInterval: '10m' };
    expect((await given.step(run, { inputs })).outcome).toBe('timed-out');
    expect(api.requests).toEqual([]);
    const { result } = await given.again(run, WAITS);
    expect(result.outputs).toMatchObject({ ...following('pull-request'), prLink: PR_LINK });
    const followed = result.stdout.split('\n').filter((line) => line.includes('job_1'));
    expect(followed).toEqual([
      'Checking the earlier agent job `job_1`.',
      'Following agent job `job_1` from attempt 1. No prompt is sent. Checking every 1 s, for up to 30 min.',
    ]);
    expect(result.summary).toContain('attempt 1 of this workflow run');
    expect(given.creates()).toBe(1);
  });
});

test.concurrent.each([
  { promise: 'fails if it was seen at work', reads: 1, timeout: '30m', outcome: 'error' },
  { promise: 'waits until `timeout`', reads: 0, timeout: '12s', outcome: 'timed-out' },
])(
  'when reads of the agent job answer 404 for 30 s, attempt 2 $promise, and creates none',
  async (row) => {
    const intercept = ({ request, response, earlier }: Exchange) =>
      request.method === 'GET' &&
      earlier >= row.reads &&
      reply(response, 404, { error: 'Job not found' });
    await using given = await beginWithJob({
      service: { schedule: [{ status: 'active' }], intercept },
    });
    const again = await given.again(given.run, { inputs: { wait: 'true', timeout: row.timeout } });
    expect(again.result.exitCode).toBe(1);
    expect(outputsOf(again)).toMatchObject(following(row.outcome));
    expect(given.creates()).toBe(1);
    expect(given.workflow.clock.now()).toBeLessThan(40_000);
  },
);

test.concurrent('attempt 2 creates a new agent job, once, after 30 s in which the service did not know that of attempt 1', async () => {
  await using given = await beginWithJob();
  given.fates.set('job_1', 'gone');
  const again = await given.again(given.run);
  expect(outputsOf(again)).toMatchObject({ outcome: 'started', jobId: 'job_2' });
  expect(given.creates()).toBe(2);
});

test.concurrent('attempt 4 finds the agent job of attempt 1 behind one that only followed and a carried-over one', async () => {
  await using given = await beginWithJob();
  await given.again(given.run);
  given.run.next();
  given.run.jobOf('docs');
  const fourth = await given.again(given.run);
  expect(outputsOf(fourth)).toMatchObject(following('started'));
  expect(fourth.result.stdout).toContain('from attempt 1. No prompt is sent.');
  expect(fourth.result.summary).toContain('Created by</th><td>attempt 1 of this workflow run');
  expect(given.creates()).toBe(1);
});

test.concurrent('attempt 2 knows that the pull request was open before the message of attempt 1, without a look at it', async () => {
  const inputs = { jobId: 'job_1' };
  const messageSchedule = [{ afterReads: 1, status: 'active' }, DONE];
  await using given = await begin({ service: { messageSchedule } });
  given.agent.addJob([{ status: 'completed', prLink: PR_LINK }]);
  const night = await given.step(given.run, { inputs });
  expect(outputsOf(night)).toMatchObject({ outcome: 'started', prOperation: 'updated' });
  given.agent.finish('job_1');
  const again = await given.again(given.run, { inputs: { ...inputs, ...WAITS.inputs } });
  expect(outputsOf(again)).toMatchObject({ ...following('pull-request'), prOperation: 'updated' });
  expect(given.messages()).toBe(1);
});

test.concurrent('a create call in doubt stops the first re-run, and only the second press creates', async () => {
  await using given = await begin({
    service: { intercept: first('POST', ({ socket }) => socket.destroy()) },
  });
  const { run, creates } = given;
  expect((await given.step(run)).outcome).toBe('error');
  const { result } = await given.again(run);
  expect([result.exitCode, result.outputs['outcome']]).toEqual([1, 'error']);
  const [error = ''] = annotations(result).filter((text) => text.startsWith('error'));
  expect(error).toContain('attempt 1 may have created an agent job');
  expect(error).toContain('Look in the Mintlify dashboard');
  expect(error).toContain('press "Re-run failed jobs" again: that sends the prompt');
  expect(creates()).toBe(1);
  expect(outputsOf(await given.again(run))).toMatchObject(following('started'));
  expect(creates()).toBe(2);
  expect(outputsOf(await given.again(run))['jobId']).toBe('job_1');
  expect(creates()).toBe(2);
});

test.concurrent('a prompt alone that was refused leaves no record, and the re-run of its failed workflow job sends it', async () => {
  await using given = await begin({
    service: { intercept: first('POST', ({ response }) => reply(response, 402, { error: 'No' })) },
  });
  const { result } = await given.step(given.run);
  expect([result.exitCode, recordsOf(result)]).toEqual([1, []]);
  given.run.complete();
  given.run.list('docs', { conclusion: 'failure' });
  expect(outputsOf(await given.again(given.run))).toMatchObject(following('started'));
});

test.concurrent('a follow-up message and a created agent job of one step are told apart', async () => {
  await using given = await beginWithJob();
  await given.again(given.run, { inputs: { jobId: 'job_1' } });
  expect(given.messages()).toBe(1);
  expect(outputsOf(await given.again(given.run))['jobId']).toBe('job_1');
  expect([given.creates(), given.messages()]).toEqual([1, 1]);
});

test.concurrent.each([
  { promise: 'is empty', githubToken: '', says: '`githubToken` is empty' },
  { promise: 'is refused', githubToken: 'ghs_expired', says: 'HTTP 401' },
])(
  'a re-run whose `githubToken` $promise stops, and sends nothing',
  async ({ githubToken, says }) => {
    await using given = await beginWithJob({ github: { fail: () => ({ status: 401 }) } });
    const { result, outcome } = await given.again(given.run, { inputs: { githubToken } });
    expect([result.exitCode, outcome]).toEqual([1, 'error']);
    const closing = annotations(result).at(-1);
    expect(closing).toContain('Nothing was sent, because an earlier attempt may have');
    expect(closing).toContain(says);
    expect(closing).toContain('Correct the secret that `githubToken` is read from, then press');
    expect(given.creates()).toBe(1);
  },
);

const IN_COMPOSITE = { GITHUB_ACTION_PATH: '/actions/docs' };

describe.concurrent('each follows its own agent job:', () => {
  test.concurrent.each<{ promise: string; places: readonly StepOptions[] }>([
    {
      promise:
        'steps, legs of a matrix, also with names cut to the same text, workflow jobs of one name, and calls of a reusable workflow',
      places: [
        { job: 'docs (a)', step: 'one', matrix: { os: 'a' } },
        { job: 'docs (a)', step: 'two', matrix: { os: 'a' } },
        { leg: '1', matrix: { os: 'a' } },
        { leg: '2', matrix: { os: 'b' } },
        { leg: '3', key: 'client' },
        { leg: '4', key: 'server' },
        { job: 'client / docs' },
        { job: 'server / docs' },
      ],
    },
  ])('$promise', async ({ places }) => {
    await using given = await begin();
    const attempt = async () => {
      const ids: (string | undefined)[] = [];
      for (const { job = 'docs', leg } of places) given.run.jobOf(job, leg);
      for (const place of places) ids.push(outputsOf(await given.step(given.run, place))['jobId']);
      return ids;
    };
    const ids = await attempt();
    expect(ids).toEqual(places.map((_, index) => `job_${index + 1}`));
    given.run.next();
    expect(await attempt()).toEqual(ids);
    expect(given.creates()).toBe(places.length);
  });
});

test.concurrent('two steps of a composite action cannot be told apart, so each stops and asks', async () => {
  await using given = await begin();
  const both = async () => {
    given.run.jobOf('docs');
    const place = { env: IN_COMPOSITE };
    return [await given.step(given.run, place), await given.step(given.run, place)];
  };
  await both();
  given.run.next();
  for (const { result } of await both()) {
    expect(result.outputs['outcome']).toBe('error');
    expect(annotations(result).at(-1)).toContain('several steps or workflow jobs share a name');
  }
  expect(given.creates()).toBe(2);
});

test.concurrent.each([
  { docs: 'was there before the message', openedMs: -60_000, prOperation: 'updated' },
  { docs: 'was opened after the message', openedMs: 60_000, prOperation: 'created' },
  { docs: 'cannot be read', openedMs: undefined, prOperation: 'created' },
])(
  'attempt 2 of a typed message, whose pull request $docs, has the prOperation "$prOperation"',
  async ({ openedMs, prOperation }) => {
    const pullStates: Record<string, FakePullState> = {};
    await using given = await begin({ service: ENDS_AFTER_READS, github: { pullStates } });
    const { agent, run, workflow } = given;
    if (openedMs !== undefined) {
      const created_at = new Date(workflow.clock.date() + openedMs).toISOString();
      pullStates['acme/docs#123'] = { state: 'open', created_at, head: { sha: 'e1', ref: 'd' } };
    }
    const jobId = agent.addJob();
    await given.step(run, { inputs: { jobId } });
    const { result } = await given.again(run, { inputs: { jobId, wait: 'true' } });
    expect(result.outputs).toMatchObject({ outcome: 'pull-request', prOperation });
    expect(result.summary).toContain('sent by attempt 1 of this workflow run');
    expect(given.messages()).toBe(1);
  },
);

test.concurrent('`rerun: create` creates a new agent job and sends GitHub no request', async () => {
  await using given = await beginWithJob();
  const again = await given.again(given.run, { inputs: { rerun: 'create' } });
  expect(outputsOf(again)['jobId']).toBe('job_2');
  expect(given.creates()).toBe(2);
  expect(given.api.requests).toEqual([]);
});

test.concurrent('a dry run that is run again sends nothing and leaves no record', async () => {
  await using given = await beginWithJob();
  const { outcome, result, requests } = await given.again(given.run, {
    inputs: { dryRun: 'true' },
  });
  expect(outcome).toBe('dry-run');
  expect(recordsOf(result)).toEqual([]);
  // Nothing but whether the permissions are there.
  expect(requests).toEqual([
    '/repos/acme/app/actions/jobs/2',
    expect.stringContaining('/check-runs/2/annotations'),
  ]);
  expect(outputsOf(await given.again(given.run))['jobId']).toBe('job_1');
  expect(given.creates()).toBe(1);
});

const COURSES = [
  ...(['is accepted', 'is accepted and fails later', 'is refused', 'is in doubt'] as const),
  ...(['has no key', 'has a bad input', 'never runs'] as const),
] as const;
type Course = (typeof COURSES)[number];

describe.concurrent('a prompt alone is sent again only if nothing came of it or a person was asked, and leaves a record only then:', () => {
  const courses = fc.array(fc.constantFrom(...COURSES), { minLength: 6, maxLength: 6 });
  const sequences = fc.sample(courses, { numRuns: dose(24, 1_000), seed: 60 });

  test.concurrent.each(sequences.map((all) => ({ all })))('$all', async ({ all }) => {
    let course: Course = 'never runs';
    await using given = await begin({
      service: {
        intercept: ({ request: { method }, response }) => {
          if (method === 'POST' && course === 'is refused') return reply(response, 402, {});
          return method === 'POST' && course === 'is in doubt' && reply(response, 502, {});
        },
      },
    });
    const { run, creates, fates, workflow } = given;
    /** What is known before an attempt. */
    let known: 'nothing' | 'doubt' | 'asked' | 'at work' | 'failed' = 'nothing';
    for (course of all) {
      if (workflow.jobs.length > 0) run.next();
      run.jobOf('docs');
      run.keep({ commands: [{ name: 'error', properties: {}, data: 'Another step failed.' }] });
      const before = creates();
      const fixed = { adminApiKey: course === 'has no key' ? '' : ADMIN_API_KEY };
      const inputs = { ...fixed, timeout: course === 'has a bad input' ? 'x' : '30m' };
      const step = course === 'never runs' ? undefined : await given.step(run, { inputs });
      run.complete();
      run.list('docs', { conclusion: 'failure' });

      let [sends, left]: [sends: number, left: string[]] = [0, []];
      const isAsking =
        step !== undefined && course !== 'has no key' && course !== 'has a bad input';
      if (isAsking && known === 'doubt') [known, left] = ['asked', ['asked']];
      else if (isAsking && known === 'at work') left = ['job'];
      else if (isAsking) {
        sends = 1;
        if (course === 'is in doubt') [known, left] = ['doubt', ['unknown']];
        else if (course !== 'is refused') [known, left] = ['at work', ['job']];
      }
      if (course === 'is accepted and fails later' && known === 'at work') {
        fates.set(`job_${given.agent.jobIds.length}`, 'failed');
        known = 'failed';
      }
      const records = step === undefined ? [] : recordsOf(step.result);
      const words = records.map((line) => /job=(?:job_\d+|(\w+))/.exec(line)?.[1] ?? 'job');
      expect({ course, sends: creates() - before, left: words }).toEqual({ course, sends, left });
    }
  });
});

/** Workflow runs that are run again. Each attempt gets the annotations that those before printed. */
import { describe, expect, test } from 'vitest';
import { once } from '../../src/lib/once.ts';
import { annotations } from '../support/action.ts';
import {
  AgentService,
  first,
  PR_LINK,
  reply,
  type ServiceOptions,
} from '../support/agent-service.ts';
import { type GitHubOptions, GitHubService, line } from '../support/github-service.ts';
import { runnerOf, type StepOptions, Workflow } from '../support/workflow-run.ts';

const FOREVER: ServiceOptions = { schedule: [{ status: 'active' }] };
const ENDS_AFTER_READS: ServiceOptions = {
  schedule: [{ status: 'active' }, { afterReads: 2, status: 'completed', prLink: PR_LINK }],
};
/** Each read of an agent job gets this response. */
const answeringReads = (status: number, error: string): ServiceOptions => ({
  ...FOREVER,
  intercept: ({ request, response }) =>
    request.method === 'GET' && reply(response, status, { error }),
});
const IN_COMPOSITE = { GITHUB_ACTION_PATH: '/actions/docs' };

async function begin(service: ServiceOptions = FOREVER, github: Partial<GitHubOptions> = {}) {
  const workflow = new Workflow();
  const agent = await AgentService.start(service);
  const { runs, jobs, annotations: kept } = workflow;
  const commits = line(3);
  const api = await GitHubService.start({ commits, runs, jobs, annotations: kept, ...github });
  workflow.apiUrl = api.url;
  const step = (more: StepOptions = {}): StepOptions => ({
    ...more,
    inputs: { prompt: 'x', pollInterval: '1s', baseUrl: agent.url, ...more.inputs },
  });
  /** A step that does not wait. */
  const quick = (more: StepOptions = {}) =>
    step({ ...more, inputs: { wait: 'false', ...more.inputs } });
  return {
    run: workflow.begin('c3'),
    agent,
    api,
    step,
    quick,
    async [Symbol.asyncDispose]() {
      await agent[Symbol.asyncDispose]();
      await api[Symbol.asyncDispose]();
    },
  };
}

type Given = Awaited<ReturnType<typeof begin>>;

/** An attempt 1 that created an agent job and did not wait for it. */
const created = once(async () => {
  await using given = await begin();
  const { run, agent, quick } = given;
  const result = await run.run(quick());
  expect(result.outputs).toMatchObject({ outcome: 'started', jobId: 'job_1' });
  const [post] = agent.requests;
  if (post === undefined) throw new Error('nothing was sent');
  return { result, post };
});

/** Plays {@link created} back: its create call is sent again, and what it printed is kept. */
async function attempt1({ run, agent }: Pick<Given, 'run' | 'agent'>): Promise<void> {
  const { result, post } = await created();
  const { authorization = '' } = post.headers;
  const headers = { authorization, 'content-type': 'application/json' };
  await fetch(agent.url + post.path, { method: post.method, headers, body: post.body });
  run.keep(result);
}

const creates = (agent: AgentService) => agent.postsTo(/\/job$/).length;
const messages = (agent: AgentService) => agent.postsTo(/\/message$/).length;

// The test that waits longest starts first.
test.concurrent('a new agent job is created, once, when that of attempt 1 had been unknown to the service for 30 s', async () => {
  await using given = await begin({
    ...FOREVER,
    intercept: ({ request, response }) =>
      request.method === 'GET' &&
      request.path.endsWith('job_1') &&
      reply(response, 404, { error: 'Job not found' }),
  });
  const { run, agent, quick } = given;
  await attempt1(given);
  run.next();
  const second = await run.run(quick());
  expect(second.outputs).toMatchObject({ outcome: 'started', jobId: 'job_2' });
  expect(creates(agent)).toBe(2);
});

describe.concurrent('attempt 2 follows the agent job of attempt 1 and creates none when attempt 1', () => {
  test.concurrent('timed out', async () => {
    await using given = await begin(ENDS_AFTER_READS);
    const { run, agent, api, step } = given;
    const first = await run.run(step({ inputs: { timeout: '12s', pollInterval: '10m' } }));
    expect(first.outputs['outcome']).toBe('timed-out');
    expect(api.requests).toEqual([]);
    run.next();
    const second = await run.run(step());
    expect(second.outputs).toMatchObject({
      outcome: 'pull-request',
      jobId: 'job_1',
      prLink: PR_LINK,
    });
    expect(second.stdout).toContain(
      'Following agent job `job_1` from attempt 1. No prompt is sent.',
    );
    expect(second.summary).toContain('attempt 1 of this workflow run');
    expect(creates(agent)).toBe(1);
  });

  test.concurrent('was killed as soon as the agent job existed', async () => {
    await using given = await begin(ENDS_AFTER_READS);
    const { run, agent, step } = given;
    const action = run.start(step({ inputs: { pollInterval: '10m' } }));
    await action.logged(/\(for later runs\)/);
    action.child.kill('SIGKILL');
    await run.end(action);
    run.next();
    const second = await run.run(step());
    expect(second.outputs).toMatchObject({ outcome: 'pull-request', jobId: 'job_1' });
    expect(creates(agent)).toBe(1);
  });

  test.concurrent.each([
    { status: 201, body: '{"id":"job_1","sta' },
    { status: 502, body: '{"id":"job_1","status":"active"}' },
  ])('got a create response of $status in which only the id could be used', async (row) => {
    await using given = await begin({
      ...ENDS_AFTER_READS,
      intercept: ({ request, response }) =>
        request.method === 'POST' && reply(response, row.status, row.body),
    });
    const { run, agent, step } = given;
    agent.addJob();
    const first = await run.run(step());
    expect(first.outputs).toMatchObject({ outcome: 'error', jobId: 'job_1' });
    run.next();
    const second = await run.run(step());
    expect(second.outputs).toMatchObject({ outcome: 'pull-request', jobId: 'job_1' });
    expect(creates(agent)).toBe(1);
  });
});

describe.concurrent('attempt 2 creates no second agent job when a read of the first one', () => {
  test.concurrent('answers 404 after it was seen at work: that is an error', async () => {
    await using given = await begin({
      ...FOREVER,
      intercept: ({ request, response, earlier }) =>
        request.method === 'GET' && earlier > 0 && reply(response, 404, { error: 'Job not found' }),
    });
    const { run, agent, step } = given;
    await attempt1(given);
    run.next();
    const second = await run.run(step());
    expect(second.exitCode).toBe(1);
    expect(second.outputs).toMatchObject({ outcome: 'error', jobId: 'job_1' });
    expect(creates(agent)).toBe(1);
  });

  test.concurrent('is answered with 404 until `timeout`', async () => {
    await using given = await begin(answeringReads(404, 'Job not found'));
    const { run, agent, step } = given;
    await attempt1(given);
    run.next();
    const second = await run.run(step({ inputs: { timeout: '12s' } }));
    expect(second.outputs).toMatchObject({ outcome: 'timed-out', jobId: 'job_1' });
    expect(creates(agent)).toBe(1);
  });
});

describe.concurrent('attempt 2 follows all the same when GitHub', () => {
  const LIMIT = {
    status: 403,
    body: { message: 'API rate limit exceeded' },
    headers: { 'retry-after': '1' },
  };
  test.concurrent.each([
    { promise: 'answers 502 three times', failure: { status: 502, body: '<h1>Unicorn</h1>' } },
    { promise: 'has reached a secondary limit', failure: LIMIT },
  ])('$promise', async ({ failure }) => {
    let failures = 0;
    await using given = await begin(FOREVER, {
      fail() {
        failures += 1;
        return failures <= 3 ? failure : undefined;
      },
    });
    const { run, agent, quick } = given;
    await attempt1(given);
    run.next();
    const second = await run.run(quick());
    expect(second.outputs).toMatchObject({ outcome: 'started', jobId: 'job_1' });
    expect(creates(agent)).toBe(1);
  });
});

describe.concurrent('attempt 2 stops with nothing sent when', () => {
  test.concurrent('it cannot know which workflow job runs it', async () => {
    await using given = await begin();
    const { run, agent, quick } = given;
    await attempt1(given);
    run.next();
    run.addJob('lint', { runner_name: runnerOf('docs') });
    const second = await run.run(quick({ isJobUnknown: true }));
    expect(second.outputs['outcome']).toBe('error');
    expect(annotations(second)[0]).toContain('more than one running workflow job');
    expect(creates(agent)).toBe(1);
  });
});

describe.concurrent('attempt 2 knows its workflow job', () => {
  test.concurrent('by `workflowJob` while the lists of GitHub lag', async () => {
    await using given = await begin();
    const { run, agent, quick } = given;
    await attempt1(given);
    run.next();
    run.list('docs', { status: 'queued', runner_name: null });
    run.addJob('lint', { runner_name: runnerOf('docs') });
    const second = await run.run(quick());
    expect(second.outputs).toMatchObject({ outcome: 'started', jobId: 'job_1' });
    expect(creates(agent)).toBe(1);
  });
});

test.concurrent('attempt 4 finds the agent job of attempt 1 behind an attempt that only followed and a carried-over one', async () => {
  await using given = await begin();
  const { run, agent, quick } = given;
  await attempt1(given);
  run.next();
  await run.run(quick());
  run.next();
  run.carryOver('docs');
  run.next();
  const fourth = await run.run(quick());
  expect(fourth.outputs).toMatchObject({ outcome: 'started', jobId: 'job_1' });
  expect(fourth.stdout).toContain('from attempt 2. No prompt is sent.');
  expect(creates(agent)).toBe(1);
});

describe.concurrent('a create call in doubt', () => {
  test.concurrent('after a lost response stops the first re-run, and only the second press creates', async () => {
    await using given = await begin({
      ...FOREVER,
      intercept: first('POST', ({ socket }) => socket.destroy()),
    });
    const { run, agent, quick } = given;
    const lost = await run.run(quick());
    expect(lost.outputs['outcome']).toBe('error');
    run.next();
    const second = await run.run(quick());
    expect(second.exitCode).toBe(1);
    expect(second.outputs['outcome']).toBe('error');
    const [error = ''] = annotations(second).filter((text) => text.startsWith('error'));
    expect(error).toContain('Attempt 1 may have created an agent job');
    expect(error).toContain('Look in the Mintlify dashboard');
    expect(error).toContain('press "Re-run failed jobs" again: that sends the prompt');
    expect(creates(agent)).toBe(1);
    run.next();
    const third = await run.run(quick());
    expect(third.outputs).toMatchObject({ outcome: 'started', jobId: 'job_1' });
    expect(creates(agent)).toBe(2);
    run.next();
    const fourth = await run.run(quick());
    expect(fourth.outputs['jobId']).toBe('job_1');
    expect(creates(agent)).toBe(2);
  });
});

describe.concurrent('a follow-up message', () => {
  test.concurrent('that was accepted is not sent again', async () => {
    await using given = await begin({
      schedule: [{ status: 'active' }],
      messageSchedule: [
        { status: 'active' },
        { afterReads: 2, status: 'completed', prLink: PR_LINK },
      ],
    });
    const { run, agent, step } = given;
    agent.addJob();
    const inputs = { jobId: 'job_1', pollInterval: '1s' };
    const action = run.start(step({ inputs: { ...inputs, pollInterval: '10m' } }));
    await action.logged(/accepted the message/);
    action.child.kill('SIGKILL');
    await run.end(action);
    run.next();
    const second = await run.run(step({ inputs }));
    expect(second.outputs).toMatchObject({ outcome: 'pull-request', jobId: 'job_1' });
    expect(messages(agent)).toBe(1);
  });

  test.concurrent('and a created agent job of one step are told apart', async () => {
    await using given = await begin();
    const { run, agent, quick } = given;
    await attempt1(given);
    run.next();
    await run.run(quick({ inputs: { jobId: 'job_1' } }));
    expect(messages(agent)).toBe(1);
    run.next();
    const third = await run.run(quick());
    expect(third.outputs['jobId']).toBe('job_1');
    expect(creates(agent)).toBe(1);
    expect(messages(agent)).toBe(1);
  });
});

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
    {
      promise: 'steps of a composite action with prompts of their own',
      places: [
        { env: IN_COMPOSITE, inputs: { prompt: 'Document the client.' } },
        { env: IN_COMPOSITE, inputs: { prompt: 'Document the server.' } },
      ],
    },
  ])('$promise', async ({ places }) => {
    await using given = await begin();
    const { run, agent, quick } = given;
    const attempt = async () => {
      const ids: (string | undefined)[] = [];
      for (const { job = 'docs', leg } of places) run.jobOf(job, leg);
      for (const place of places) {
        const { outputs } = await run.run(quick(place));
        ids.push(outputs['jobId']);
      }
      return ids;
    };
    const ids = await attempt();
    expect(ids).toEqual(places.map((_, index) => `job_${index + 1}`));
    run.next();
    expect(await attempt()).toEqual(ids);
    expect(creates(agent)).toBe(places.length);
  });
});

test.concurrent('`rerun: create` creates a new agent job and sends GitHub no request', async () => {
  await using given = await begin();
  const { run, agent, api, quick } = given;
  await attempt1(given);
  run.next();
  const second = await run.run(quick({ inputs: { rerun: 'create' } }));
  expect(second.outputs['jobId']).toBe('job_2');
  expect(creates(agent)).toBe(2);
  expect(api.requests).toEqual([]);
});

test.concurrent('a dry run that is run again sends nothing and leaves no record', async () => {
  await using given = await begin();
  const { run, agent, api, quick } = given;
  await attempt1(given);
  run.next();
  const second = await run.run(quick({ inputs: { dryRun: 'true' } }));
  expect(second.outputs['outcome']).toBe('dry-run');
  expect(second.stdout).not.toContain('(for later runs)');
  expect(api.requests).toEqual([]);
  run.next();
  const third = await run.run(quick());
  expect(third.outputs['jobId']).toBe('job_1');
  expect(creates(agent)).toBe(1);
});

test.concurrent('changes and paths are not looked at when an agent job is followed', async () => {
  await using given = await begin();
  const { run, api, quick } = given;
  await attempt1(given);
  run.next();
  await run.run(quick({ inputs: { changes: 'diff', paths: 'nothing/**' } }));
  expect(api.requests.filter((path) => /compare|workflows/.test(path))).toEqual([]);
});

test.concurrent('what another step prints as a record with another key is not followed', async () => {
  await using given = await begin();
  const { run, agent, quick } = given;
  await attempt1(given);
  run.rewrite((message) => message.replace(/key=\w+/, `key=${'0'.repeat(16)}`));
  run.next();
  const second = await run.run(quick());
  expect(second.outputs['jobId']).toBe('job_2');
  expect(creates(agent)).toBe(2);
});

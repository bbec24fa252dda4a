/** Workflow runs that are run again. Attempt 2 gets the annotations that attempt 1 printed. */
import { describe, expect, test } from 'vitest';
import { annotations } from '../support/action.ts';
import { AgentService, PR_LINK, reply, type ServiceOptions } from '../support/agent-service.ts';
import { type GitHubOptions, GitHubService, line } from '../support/github-service.ts';
import { noSignals } from '../support/system.ts';
import { type AttemptOptions, WorkflowRun } from '../support/workflow-run.ts';

const FOREVER: ServiceOptions = { schedule: [{ status: 'active' }] };
const ENDS_AFTER_READS: ServiceOptions = {
  schedule: [{ status: 'active' }, { afterReads: 2, status: 'completed', prLink: PR_LINK }],
};

async function begin(service: ServiceOptions, github: Partial<GitHubOptions> = {}) {
  const run = new WorkflowRun();
  const agent = await AgentService.start(service);
  const api = await GitHubService.start({
    commits: line(3),
    jobs: run.jobs,
    annotations: run.annotations,
    ...github,
  });
  run.github = api;
  run.next();
  const step = (more: Partial<AttemptOptions> = {}): AttemptOptions => ({
    ...more,
    inputs: { prompt: 'x', pollInterval: '1s', baseUrl: agent.url, ...more.inputs },
  });
  return {
    run,
    agent,
    api,
    step,
    startNextAttempt() {
      run.complete();
      run.next();
    },
    async [Symbol.asyncDispose]() {
      await agent[Symbol.asyncDispose]();
      await api[Symbol.asyncDispose]();
    },
  };
}

const creates = (agent: AgentService) => agent.postsTo(/\/job$/).length;

describe.concurrent('attempt 2 follows the agent job of attempt 1 and creates none when attempt 1', () => {
  test.concurrent('timed out', async () => {
    await using given = await begin(ENDS_AFTER_READS);
    const { run, agent, api, step } = given;
    const first = await run.run(step({ inputs: { timeout: '1s' } }));
    expect(first.outputs['outcome']).toBe('timed-out');
    expect(api.requests).toEqual([]);
    given.startNextAttempt();
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
    await action.logged(/Record for re-runs/);
    action.child.kill('SIGKILL');
    await run.end(action);
    given.startNextAttempt();
    const second = await run.run(step());
    expect(second.outputs).toMatchObject({ outcome: 'pull-request', jobId: 'job_1' });
    expect(creates(agent)).toBe(1);
  });

  test.concurrent('was cancelled', async ({ skip }) => {
    skip(noSignals !== undefined, noSignals);
    await using given = await begin(ENDS_AFTER_READS);
    const { run, agent, step } = given;
    const action = run.start(step({ inputs: { pollInterval: '10m' } }));
    await action.logged(/Waiting for agent job/);
    action.child.kill('SIGINT');
    const first = await run.end(action);
    expect(first.outputs['outcome']).toBe('cancelled');
    given.startNextAttempt();
    const second = await run.run(step());
    expect(second.outputs).toMatchObject({ outcome: 'pull-request', jobId: 'job_1' });
    expect(creates(agent)).toBe(1);
  });

  test.concurrent('could not read the agent job', async () => {
    let attempt = 1;
    await using given = await begin({
      ...ENDS_AFTER_READS,
      intercept: ({ request, response }) =>
        attempt === 1 && request.method === 'GET' && reply(response, 403, { error: 'not today' }),
    });
    const { run, agent, step } = given;
    const first = await run.run(step());
    expect(first.outputs['outcome']).toBe('error');
    attempt = 2;
    given.startNextAttempt();
    const second = await run.run(step());
    expect(second.outputs).toMatchObject({ outcome: 'pull-request', jobId: 'job_1' });
    expect(creates(agent)).toBe(1);
  });

  test.concurrent('got a create answer in which only the id could be read', async () => {
    await using given = await begin({
      ...ENDS_AFTER_READS,
      intercept: ({ request, response }) => {
        if (request.method !== 'POST') return false;
        return reply(response, 201, '{"id":"job_1","sta');
      },
    });
    const { run, agent, step } = given;
    agent.addJob();
    const first = await run.run(step());
    expect(first.outputs).toMatchObject({ outcome: 'error', jobId: 'job_1' });
    given.startNextAttempt();
    const second = await run.run(step());
    expect(second.outputs).toMatchObject({ outcome: 'pull-request', jobId: 'job_1' });
    expect(creates(agent)).toBe(1);
  });

  test.concurrent('succeeded, and another step failed', async () => {
    await using given = await begin(ENDS_AFTER_READS);
    const { run, agent, step } = given;
    await run.run(step());
    given.startNextAttempt();
    const second = await run.run(step());
    expect(second.outputs).toMatchObject({ outcome: 'pull-request', jobId: 'job_1' });
    expect(creates(agent)).toBe(1);
  });
});

test.concurrent('attempt 4 finds the agent job of attempt 1 behind an attempt that only followed and a carried-over one', async () => {
  await using given = await begin(FOREVER);
  const { run, agent, step } = given;
  await run.run(step({ inputs: { wait: 'false' } }));
  given.startNextAttempt();
  await run.run(step({ inputs: { wait: 'false' } }));
  given.startNextAttempt();
  run.carryOver('docs');
  given.startNextAttempt();
  const fourth = await run.run(step({ inputs: { wait: 'false' } }));
  expect(fourth.outputs).toMatchObject({ outcome: 'started', jobId: 'job_1' });
  expect(fourth.stdout).toContain('from attempt 1. No prompt is sent.');
  expect(creates(agent)).toBe(1);
});

test.concurrent('an agent job that had failed is replaced by a new one, once', async () => {
  const statuses = ['failed', 'active'];
  await using given = await begin({
    schedule: [{ status: 'active' }],
    intercept: ({ request, response }) =>
      request.method === 'GET' &&
      reply(response, 200, {
        id: request.path.split('/').at(-1),
        status: request.path.endsWith('job_1') ? statuses[0] : statuses[1],
      }),
  });
  const { run, agent, step } = given;
  const first = await run.run(step());
  expect(first.outputs['outcome']).toBe('failed');
  given.startNextAttempt();
  const second = await run.run(step({ inputs: { wait: 'false' } }));
  expect(second.outputs).toMatchObject({ outcome: 'started', jobId: 'job_2' });
  expect(second.stdout).toContain('so it is not followed.');
  given.startNextAttempt();
  const third = await run.run(step({ inputs: { wait: 'false' } }));
  expect(third.outputs).toMatchObject({ outcome: 'started', jobId: 'job_2' });
  expect(creates(agent)).toBe(2);
});

test.concurrent('an agent job that the service no longer knows is replaced by a new one', async () => {
  await using given = await begin({
    ...ENDS_AFTER_READS,
    intercept: ({ request, response }) =>
      request.method === 'GET' &&
      request.path.endsWith('job_1') &&
      reply(response, 404, { error: 'Job not found' }),
  });
  const { run, agent, step } = given;
  await run.run(step({ inputs: { wait: 'false' } }));
  given.startNextAttempt();
  const second = await run.run(step());
  expect(second.outputs).toMatchObject({ outcome: 'pull-request', jobId: 'job_2' });
  expect(creates(agent)).toBe(2);
});

test.concurrent('a follow-up message that was accepted is not sent again', async () => {
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
  given.startNextAttempt();
  const second = await run.run(step({ inputs }));
  expect(second.outputs).toMatchObject({ outcome: 'pull-request', jobId: 'job_1' });
  expect(agent.postsTo(/message$/)).toHaveLength(1);
});

test.concurrent('each workflow job of a matrix and each step follows its own agent job', async () => {
  await using given = await begin(FOREVER);
  const { run, agent, step } = given;
  const places = [
    { job: 'docs (a)', step: 'one' },
    { job: 'docs (a)', step: 'two' },
    { job: 'docs (b)', step: 'one' },
  ];
  const ids: (string | undefined)[] = [];
  for (const place of places) {
    const result = await run.run(step({ ...place, inputs: { wait: 'false' } }));
    ids.push(result.outputs['jobId']);
  }
  expect(ids).toEqual(['job_1', 'job_2', 'job_3']);
  given.startNextAttempt();
  for (const [index, place] of places.entries()) {
    run.jobOf(place.job);
    const result = await run.run(step({ ...place, inputs: { wait: 'false' } }));
    expect(result.outputs['jobId']).toBe(ids[index]);
  }
  expect(creates(agent)).toBe(3);
});

test.concurrent('a record in which the runner masked the project id is still found', async () => {
  await using given = await begin(FOREVER);
  const { run, agent, step } = given;
  await run.run(step({ inputs: { wait: 'false' } }));
  // The runner masks secrets in annotations as well, and the project id may be stored as a secret.
  for (const annotations of Object.values(run.annotations)) {
    for (const [index, annotation] of annotations.entries()) {
      const message = annotation.message?.replaceAll('local-project', '***') ?? null;
      annotations[index] = { ...annotation, message };
    }
  }
  given.startNextAttempt();
  const second = await run.run(step({ inputs: { wait: 'false' } }));
  expect(second.outputs['jobId']).toBe('job_1');
  expect(creates(agent)).toBe(1);
});

test.concurrent('two steps of a composite action share a name, and each follows its own agent job', async () => {
  await using given = await begin(FOREVER);
  const { run, agent, step } = given;
  const prompts = ['Document the client.', 'Document the server.'];
  for (const prompt of prompts) await run.run(step({ inputs: { prompt, wait: 'false' } }));
  given.startNextAttempt();
  const followed: (string | undefined)[] = [];
  for (const prompt of prompts) {
    const result = await run.run(step({ inputs: { prompt, wait: 'false' } }));
    followed.push(result.outputs['jobId']);
  }
  expect(followed).toEqual(['job_1', 'job_2']);
  expect(creates(agent)).toBe(2);
});

test.concurrent('`rerun: create` creates a new agent job and sends GitHub no request', async () => {
  await using given = await begin(FOREVER);
  const { run, agent, api, step } = given;
  await run.run(step({ inputs: { wait: 'false' } }));
  given.startNextAttempt();
  const second = await run.run(step({ inputs: { rerun: 'create', wait: 'false' } }));
  expect(second.outputs['jobId']).toBe('job_2');
  expect(creates(agent)).toBe(2);
  expect(api.requests).toEqual([]);
});

test.concurrent('changes and paths are not evaluated when an agent job is resumed', async () => {
  await using given = await begin(FOREVER);
  const { run, api, step } = given;
  await run.run(step({ inputs: { wait: 'false' } }));
  given.startNextAttempt();
  await run.run(step({ inputs: { wait: 'false', changes: 'diff', paths: 'nothing/**' } }));
  expect(api.requests.filter((path) => /compare|workflows/.test(path))).toEqual([]);
});

describe.concurrent('attempt 2 creates a new agent job when', () => {
  test.concurrent('the record is of another project', async () => {
    await using given = await begin({ ...FOREVER, projectId: 'other' });
    const { run, agent, step } = given;
    run.annotations[1] = [recordOf('job_9', 'local-project')];
    run.jobOf('docs');
    given.startNextAttempt();
    const second = await run.run(step({ inputs: { projectId: 'other', wait: 'false' } }));
    expect(second.outputs['jobId']).toBe('job_1');
    expect(creates(agent)).toBe(1);
  });

  test.concurrent.each([
    {
      promise: 'the record was cut',
      message: 'Agent job `job_9` was created.\nRecord for re-runs: job=job_9 project=local-pro…',
    },
    {
      promise: 'the record has another spelling',
      message:
        'Agent job `job_9` was created.\nRecord for re-runs: job=%6aob_9 project=local-project step=docs prompt=c0ffee00 end',
    },
    {
      promise: 'the record has an additional line',
      message:
        'x\nRecord for re-runs: job=job_9 project=local-project step=docs prompt=c0ffee00 end\nx',
    },
    {
      promise: 'the notice has another title',
      title: 'Docs agent: agent job created ',
      message:
        'x\nRecord for re-runs: job=job_9 project=local-project step=docs prompt=c0ffee00 end',
    },
  ])('$promise', async ({ message, title = 'Docs agent: agent job created' }) => {
    await using given = await begin(FOREVER);
    const { run, agent, step } = given;
    run.annotations[1] = [{ annotation_level: 'notice', title, message }];
    run.jobOf('docs');
    given.startNextAttempt();
    const second = await run.run(step({ inputs: { wait: 'false' } }));
    expect(second.outputs['jobId']).toBe('job_1');
    expect(creates(agent)).toBe(1);
  });
});

describe.concurrent('attempt 2 warns and creates a new agent job when', () => {
  const forbidden = { status: 403, body: { message: 'Resource not accessible by integration' } };
  test.concurrent.each([
    {
      promise: 'the token may not read workflow jobs',
      fail: (path: string) => (path.includes('/jobs') ? forbidden : undefined),
      says: '`actions: read`',
    },
    {
      promise: 'the token may not read annotations',
      fail: (path: string) => (path.includes('/annotations') ? forbidden : undefined),
      says: '`checks: read`',
    },
    {
      promise: 'GitHub answers 404 for a missing permission',
      fail: (path: string) =>
        path.includes('/annotations') ? { status: 404, body: { message: 'Not Found' } } : undefined,
      says: '`checks: read`',
    },
    {
      promise: 'GitHub is down',
      fail: () => ({ status: 502, body: '<h1>Unicorn</h1>' }),
      says: '502',
    },
    {
      promise: 'GitHub does not list this workflow job',
      fail: (path: string) =>
        path.includes('/jobs') ? { status: 200, body: { total_count: 0, jobs: [] } } : undefined,
      says: 'no workflow job of attempt 2 in progress on runner `runner of docs`',
    },
  ])('$promise', async ({ fail, says }) => {
    await using given = await begin(FOREVER, { fail });
    const { run, agent, step } = given;
    await run.run(step({ inputs: { wait: 'false' } }));
    given.startNextAttempt();
    // GitHub is asked again for a third of it.
    const second = await run.run(step({ inputs: { wait: 'false', timeout: '9s' } }));
    const [warning = ''] = annotations(second).filter((text) => text.startsWith('warning'));
    expect(warning).toContain(says);
    expect(second.outputs).toMatchObject({ outcome: 'started', jobId: 'job_2' });
    expect(creates(agent)).toBe(2);
  });

  test.concurrent('there is no token', async () => {
    await using given = await begin(FOREVER);
    const { run, step } = given;
    run.next();
    const second = await run.run(step({ inputs: { githubToken: '', wait: 'false' } }));
    expect(annotations(second)[0]).toContain('`githubToken` is empty');
    expect(second.outputs['outcome']).toBe('started');
  });
});

function recordOf(jobId: string, projectId: string) {
  return {
    annotation_level: 'notice',
    title: 'Docs agent: agent job created',
    message: `Agent job \`${jobId}\` was created.\nRecord for re-runs: job=${jobId} project=${projectId} step=docs prompt=c0ffee00 end`,
  };
}

import { describe, expect, test } from 'vitest';
import type { Delivery } from '../../src/effects/effects.ts';
import type { GitHubAccess } from '../../src/github/github.ts';
import { createGitHub } from '../../src/github/rest.ts';
import type { RawInputs } from '../../src/inputs/inputs.ts';
import { CancelledError, GitHubError, RunError } from '../../src/lib/errors.ts';
import { recordIn } from '../../src/records/record.ts';
import { type RunEffects, run } from '../../src/run.ts';
import {
  answer,
  eventOf,
  FACTS,
  type FakeEffects,
  fakeEffects,
  RecordingRunner,
} from '../support/fakes.ts';

const TODO = { what: { kind: 'todo' } };
const facts = FACTS;
const inputs = { projectId: 'p', adminApiKey: 'mint_0123456789', prompt: 'x' };
const done = { id: 'job_1', status: 'completed', prLink: 'https://github.com/a/b/pull/1' };
const served = (method: string) =>
  method === 'POST' ? answer(201, { id: 'job_1', status: 'active' }) : answer(200, done);

describe('one run', () => {
  test('masks, creates, reads and reports, in this order', async () => {
    const effects = fakeEffects(({ method }) => served(method));
    expect(await run(inputs, facts, effects)).toBe(true);
    expect(effects.runner.masks).toEqual(['mint_0123456789']);
    expect(effects.runner.log).toEqual([
      'Project `p` at https://api.mintlify.com',
      'Creating an agent job with a prompt of 1 character.',
      'Waiting for agent job `job_1` to end. Checking every 10 s, for up to 30 min.',
      'The agent job is `completed` after 10 s (1 check).',
    ]);
    expect(effects.http.requests.map(({ method, url }) => `${method} ${url}`)).toEqual([
      'POST https://api.mintlify.com/v2/agent/p/job',
      'GET https://api.mintlify.com/v2/agent/p/job/job_1',
    ]);
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

  test('writes the other outputs when one cannot be written', async () => {
    class Broken extends RecordingRunner {
      override setOutput(name: string, value: string): boolean {
        if (name === 'model') throw new Error('disk full');
        return super.setOutput(name, value);
      }
    }
    const runner = new Broken();
    const effects = fakeEffects(({ method }) => served(method), { runner });
    expect(await run(inputs, facts, effects)).toBe(false);
    expect(runner.outputs).toMatchObject({ outcome: 'pull-request', prLink: done.prLink });
    expect(runner.annotations.at(-1)).toMatchObject({
      level: 'error',
      message: expect.stringContaining('These outputs could not be written: model (`disk full`).'),
    });
    expect(runner.summaries).toHaveLength(1);
  });

  test('waits for the agent job when its id cannot be written at once', async () => {
    let isFull = true;
    class Broken extends RecordingRunner {
      override setOutput(name: string, value: string): boolean {
        if (!isFull) return super.setOutput(name, value);
        isFull = false;
        throw new Error('disk full');
      }
    }
    const runner = new Broken();
    const effects = fakeEffects(({ method }) => served(method), { runner });
    expect(await run(inputs, facts, effects)).toBe(true);
    expect(runner.outputs).toMatchObject({ outcome: 'pull-request', jobId: 'job_1' });
  });

  test('succeeds when the summary cannot be written', async () => {
    class Broken extends RecordingRunner {
      override writeSummary(): Promise<void> {
        return Promise.reject('no file');
      }
    }
    const runner = new Broken();
    const effects = fakeEffects(({ method }) => served(method), { runner });
    expect(await run(inputs, facts, effects)).toBe(true);
    expect(runner.log).toContain('The job summary could not be written: no file');
  });

  test('makes a last read before the deadline, which sees an end that the interval would miss', async () => {
    const effects = fakeEffects(({ method }) => served(method));
    await run({ ...inputs, pollInterval: '1m', timeout: '3s' }, facts, effects);
    expect(effects.runner.outputs['outcome']).toBe('pull-request');
    expect(effects.clock.slept).toEqual([2_000]);
  });

  test('logs that it is still waiting once a minute', async () => {
    let reads = 0;
    const effects = fakeEffects(({ method }) => {
      if (method === 'POST') return served(method);
      reads += 1;
      return answer(200, reads < 61 ? { id: 'job_1', status: 'active' } : done);
    });
    await run(inputs, facts, effects);
    expect(effects.runner.log.filter((line) => line.includes('still'))).toHaveLength(10);
  });

  test('makes 360 reads in an hour at the default interval', async () => {
    const effects = fakeEffects(({ method }) =>
      method === 'POST' ? served(method) : answer(200, { id: 'job_1', status: 'active' }),
    );
    await run({ ...inputs, timeout: '1h' }, facts, effects);
    expect(effects.http.requests.filter(({ method }) => method === 'GET')).toHaveLength(360);
    expect(effects.clock.now()).toBe(3_600_000);
  });
});

test('an agent job that was just created may not be found for 30 s', async () => {
  const reads = [answer(404, {}), answer(404, {}), answer(200, done)];
  const effects = fakeEffects(({ method }) =>
    method === 'POST' ? served(method) : (reads.shift() ?? answer(404, {})),
  );
  expect(await run(inputs, facts, effects)).toBe(true);
  expect(effects.runner.outputs['outcome']).toBe('pull-request');
});

test('an agent job that was created is recorded as created', async () => {
  const effects = fakeEffects(({ method }) => served(method));
  await run(inputs, facts, effects);
  expect(effects.runner.annotations.map(recordIn)).toEqual([
    expect.objectContaining({ what: { kind: 'job', id: 'job_1' } }),
    undefined,
  ]);
});

describe('an agent job that is followed', () => {
  const follow = { projectId: 'p', adminApiKey: 'mint_0123456789', jobId: 'job_1' };

  test.each([
    { status: 'active', outcome: 'started', isSuccess: true },
    { status: 'dreaming', outcome: 'started', isSuccess: true },
    { status: 'completed', outcome: 'no-changes', isSuccess: true },
    { status: 'archived', outcome: 'archived', isSuccess: true },
    { status: 'failed', outcome: 'failed', isSuccess: false },
  ])(
    'with wait: false and the status $status ends as $outcome',
    async ({ status, outcome, isSuccess }) => {
      const effects = fakeEffects(() => answer(200, { id: 'job_1', status }));
      expect(await run({ ...follow, wait: 'false' }, facts, effects)).toBe(isSuccess);
      expect(effects.runner.log[1]).toBe('Checking agent job `job_1` once.');
      expect(effects.http.requests).toHaveLength(1);
      expect(effects.runner.outputs['outcome']).toBe(outcome);
    },
  );

  test.each([
    { status: 404, heading: 'The agent job was not found' },
    { status: 401, heading: 'The agent job could not be read' },
  ])('whose read is answered with $status ends as: $heading', async ({ status, heading }) => {
    const effects = fakeEffects(() => answer(status, { error: 'no' }));
    expect(await run(follow, facts, effects)).toBe(false);
    expect(effects.runner.annotations[0]?.title).toBe(`Docs agent: ${heading}`);
    expect(effects.runner.outputs).toMatchObject({ outcome: 'error', jobId: 'job_1' });
  });

  test('over a connection that was never trusted stops at once', async () => {
    const effects = fakeEffects(() => ({
      kind: 'not-sent',
      error: 'x',
      code: 'SELF_SIGNED_CERT_IN_CHAIN',
    }));
    await run(follow, facts, effects);
    expect(effects.http.requests).toHaveLength(1);
    expect(effects.runner.annotations[0]?.message).toContain('NODE_EXTRA_CA_CERTS');
  });

  test('is read again after answers that are not JSON, until the deadline', async () => {
    const effects = fakeEffects(() => answer(200, '', '5'));
    effects.clock.randomValue = 0;
    await run({ ...follow, timeout: '10s' }, facts, effects);
    expect(effects.runner.outputs['outcome']).toBe('timed-out');
    expect(effects.clock.slept).toEqual([0, 5_000, 4_000, 1_000]);
  });
});

describe('a follow-up message', () => {
  const message = { ...inputs, jobId: 'job_1' };
  const old = { id: 'job_1', status: 'completed', prLink: 'https://github.com/a/b/pull/7' };

  test('is sent once, recorded, and waited for until its own end', async () => {
    const reads = [old, { id: 'job_1', status: 'active' }, done];
    const effects = fakeEffects(({ method }) =>
      answer(200, method === 'POST' ? old : (reads.shift() ?? done)),
    );
    expect(await run(message, facts, effects)).toBe(true);
    expect(effects.http.requests.map(({ method, url }) => `${method} ${url}`)).toEqual([
      'POST https://api.mintlify.com/v2/agent/p/job/job_1/message',
      ...Array(3).fill('GET https://api.mintlify.com/v2/agent/p/job/job_1'),
    ]);
    expect(effects.runner.log).toEqual([
      'Project `p` at https://api.mintlify.com',
      'Sending agent job `job_1` a follow-up message of 1 character.',
      'Waiting for agent job `job_1` to work on the message and end. An end seen in the first 30 s may be from before the message. Checking every 10 s, for up to 30 min.',
      'The agent job is `active` after 20 s (2 checks).',
      'The agent job is `completed` after 30 s (3 checks).',
    ]);
    expect(recordIn(effects.runner.annotations[0] ?? { title: '', message: '' })).toMatchObject({
      what: { kind: 'job', id: 'job_1' },
    });
    expect(effects.runner.annotations[0]?.level).toBe('notice');
    expect(effects.runner.outputs).toMatchObject({ outcome: 'pull-request', prLink: done.prLink });
  });

  test('with wait: false ends as started, whatever the agent job was before', async () => {
    const effects = fakeEffects(() => answer(200, old));
    expect(await run({ ...message, wait: 'false' }, facts, effects)).toBe(true);
    expect(effects.http.requests).toHaveLength(1);
    expect(effects.runner.outputs).toMatchObject({ outcome: 'started', jobId: 'job_1' });
    expect(effects.runner.annotations.at(-1)?.title).toBe(
      'Docs agent: Follow-up message sent; not waiting for the agent job',
    );
  });
});

test.each([
  { promise: 'an agent job that was created', raw: inputs },
  { promise: 'an agent job that got a message', raw: { ...inputs, jobId: 'job_1' } },
])('a cancel while the service accepts the call keeps $promise', async ({ raw }) => {
  for (const wait of ['true', 'false']) {
    const effects = fakeEffects(() => {
      effects.abort.abort(new CancelledError('SIGTERM'));
      return answer(201, { id: 'job_1', status: 'active' });
    });
    expect(await run({ ...raw, wait }, facts, effects)).toBe(false);
    expect(effects.http.requests).toHaveLength(1);
    expect(effects.runner.log.filter((line) => line.startsWith('Waiting'))).toEqual([]);
    expect(effects.runner.outputs).toMatchObject({ outcome: 'cancelled', jobId: 'job_1' });
  }
});

describe('the advice to re-run', () => {
  const timedOut = (id: string) => fakeEffects(() => answer(200, { id, status: 'active' }));

  test.each([
    { promise: 'is given when the record was written', step: 'docs', id: 'job_1', isGiven: true },
    { promise: 'is not given without a name of the step', step: '', id: 'job_1', isGiven: false },
    {
      promise: 'is not given when GitHub would cut the record',
      step: 'docs',
      id: 'ü'.repeat(900),
      isGiven: false,
    },
  ])('$promise', async ({ step, id, isGiven }) => {
    const effects = timedOut(id);
    await run({ ...inputs, timeout: '5s' }, { ...facts, step }, effects);
    expect(effects.runner.outputs['outcome']).toBe('timed-out');
    expect(effects.runner.annotations.at(-1)?.message.includes('Re-run failed jobs')).toBe(isGiven);
  });
});

test('the duration counts from the beginning of the run', async () => {
  const effects = fakeEffects(({ method }) => served(method));
  effects.clock.pass(3_600_000);
  await run(inputs, facts, effects);
  expect(effects.runner.summaries[0]).toContain('<td>10 s (1 check)</td>');
});

test('secrets are removed from no more of a huge prompt than a summary shows', async () => {
  const lengths: number[] = [];
  class Measuring extends RecordingRunner {
    override clean(text: string): string {
      lengths.push(text.length);
      return text;
    }
  }
  const effects = fakeEffects(({ method }) => served(method), { runner: new Measuring() });
  await run({ ...inputs, prompt: 'x'.repeat(3_000_000) }, facts, effects);
  expect(Math.max(...lengths)).toBe(1_100_000);
});

test('no half of a secret is shown where a huge prompt is cut', async () => {
  const key = 'mint_0123456789abcdef';
  class Redacting extends RecordingRunner {
    override clean(text: string): string {
      return text.replaceAll(key, '***');
    }
  }
  const runner = new Redacting();
  const effects = fakeEffects(({ method }) => served(method), { runner });
  // Without its secrets the prompt is short, so its end is shown.
  const prompt = `x${`${key}\n`.repeat(60_000)}`;
  await run({ ...inputs, adminApiKey: key, prompt }, facts, effects);
  expect(runner.summaries[0]).toContain('first part of 1320001 characters');
  expect(runner.summaries[0]).not.toContain('mint_0');
});

describe('an answer to the create call', () => {
  const ended = { id: 'job_1', status: 'completed', prLink: done.prLink };

  test('that says that the agent job has ended is checked by a read at once, and that end counts', async () => {
    const effects = fakeEffects(({ method }) =>
      method === 'POST' ? answer(201, { id: 'job_1', status: 'failed' }) : answer(200, ended),
    );
    expect(await run(inputs, facts, effects)).toBe(true);
    expect(effects.clock.slept).toEqual([0]);
    expect(effects.runner.outputs['outcome']).toBe('pull-request');
  });

  test.each([
    { status: 'failed', outcome: 'failed', isSuccess: false },
    { status: 'archived', outcome: 'archived', isSuccess: true },
    { status: 'active', outcome: 'started', isSuccess: true },
    { status: 'dreaming', outcome: 'started', isSuccess: true },
  ])('with wait: false and the status $status ends as $outcome', async (row) => {
    const effects = fakeEffects(() => answer(201, { id: 'job_1', status: row.status }));
    expect(await run({ ...inputs, wait: 'false' }, facts, effects)).toBe(row.isSuccess);
    expect(effects.http.requests).toHaveLength(1);
    expect(effects.runner.outputs['outcome']).toBe(row.outcome);
  });

  test.each([
    { promise: 'an id', body: '{"id":"job_1"}', status: 201, jobId: 'job_1' },
    {
      promise: 'an id beside an error',
      body: '{"error":"x","id":"job_1"}',
      status: 500,
      jobId: '',
    },
  ])(
    'that cannot be used but contains $promise leaves it on record as one that may be',
    async (row) => {
      const effects = fakeEffects(() => answer(row.status, row.body));
      expect(await run(inputs, facts, effects)).toBe(false);
      expect(effects.runner.annotations.map(recordIn)).toMatchObject([
        { what: { kind: 'unknown', maybe: 'job_1' } },
      ]);
      expect(effects.runner.annotations.at(-1)?.message).toContain(
        'The response named `job_1`, which may be its id.',
      );
      expect(effects.runner.outputs).toMatchObject({ outcome: 'error', jobId: row.jobId });
    },
  );

  test('sets the output jobId at once, before anything else can fail', async () => {
    const outputs: object[] = [];
    const effects = fakeEffects(({ method }) => {
      outputs.push({ ...effects.runner.outputs });
      return served(method);
    });
    await run(inputs, facts, effects);
    expect(outputs).toEqual([{}, { jobId: 'job_1' }]);
  });
});

describe('a dry run', () => {
  const tried = { projectId: 'p', prompt: 'x', dryRun: 'true' };

  test('sends nothing, needs no key, and shows the prompt', async () => {
    const effects = fakeEffects(({ method }) => served(method));
    expect(await run(tried, facts, effects)).toBe(true);
    expect(effects.http.requests).toEqual([]);
    expect(effects.runner.outputs).toMatchObject({ outcome: 'dry-run', jobId: '' });
    expect(effects.runner.summaries[0]).toContain('<details open><summary>Prompt (1 character)');
  });

  test('checks everything but the key', async () => {
    const effects = fakeEffects(({ method }) => served(method));
    expect(await run({ ...tried, timeout: 'soon' }, facts, effects)).toBe(false);
    expect(effects.runner.outputs['outcome']).toBe('error');
  });

  test('of a later attempt does not search for an earlier agent job', async () => {
    const effects = fakeEffects(({ method }) => served(method));
    expect(await run({ ...tried, githubToken: 't' }, { ...facts, attempt: 2 }, effects)).toBe(true);
    expect(effects.runner.annotations).toHaveLength(1);
  });
});

test('no request is sent when outputs cannot be written', async () => {
  class Broken extends RecordingRunner {
    override checkOutputs(): void {
      throw new RunError('The outputs cannot be written', 'ENOENT.');
    }
  }
  const runner = new Broken();
  const effects = fakeEffects(({ method }) => served(method), { runner });
  expect(await run(inputs, facts, effects)).toBe(false);
  expect(effects.http.requests).toEqual([]);
  expect(runner.annotations[0]).toMatchObject({
    title: 'Docs agent: The outputs cannot be written',
    message: expect.stringContaining('ENOENT.'),
  });
});

test.each([
  {
    promise: 'with the other problems',
    raw: { timeout: 'soon' },
    names: ['timeout', 'promptFile'],
  },
  { promise: 'alone', raw: {}, names: ['promptFile'] },
])('a promptFile that cannot be used is reported $promise', async ({ raw, names }) => {
  const effects = fakeEffects(() => answer(500, ''));
  const given = { projectId: 'p', adminApiKey: 'mint_0123456789', promptFile: 'none.md', ...raw };
  expect(await run(given, facts, effects)).toBe(false);
  expect(effects.http.requests).toEqual([]);
  const named = effects.runner.annotations.map(({ message }) => /`(\w+)`/.exec(message)?.[1]);
  expect(named).toEqual(names);
});

test('a promptFile is not read when a prompt is given too, because that is the problem', async () => {
  const effects = fakeEffects(() => answer(500, ''));
  await run({ ...inputs, promptFile: 'none.md' }, facts, effects);
  expect(effects.runner.annotations.map(({ message }) => message)).toEqual([
    expect.stringContaining('`prompt` and `promptFile` cannot both be given. Keep one'),
  ]);
});

test('a promptFile that can be used adds nothing to the other problems', async () => {
  const files = { read: async () => Buffer.from('x') };
  const effects = fakeEffects(() => answer(500, ''), { files });
  await run({ promptFile: 'prompt.md', projectId: 'p', timeout: 'soon' }, facts, effects);
  expect(effects.runner.annotations).toHaveLength(2);
});

test('a dry run can be cancelled', async () => {
  const effects = fakeEffects(() => answer(500, ''));
  effects.abort.abort(new CancelledError('SIGINT'));
  expect(await run({ ...inputs, dryRun: 'true' }, facts, effects)).toBe(false);
  expect(effects.runner.outputs['outcome']).toBe('cancelled');
});

describe('a later attempt', () => {
  const later = { ...facts, attempt: 2 };
  const asked = { ...inputs, githubToken: 't', workflowJob: '2 null' };
  const jobOf = (id: number, run_attempt: number, status: string) => ({
    id,
    run_id: facts.runId,
    name: 'docs',
    run_attempt,
    status,
    runner_name: later.runnerName,
  });
  const workflowJobs = [jobOf(1, 1, 'completed'), jobOf(2, 2, 'in_progress')];
  /** GitHub as it is after an attempt 1 that left these annotations. */
  const afterOne = (annotations: FakeEffects['runner']['annotations']): Partial<RunEffects> => ({
    openGitHub: async () =>
      ({
        workflowJob: async () => workflowJobs[1],
        workflowJobs: async () => workflowJobs,
        annotations: async (id: number) => (id === 1 ? annotations : []),
      }) as never,
  });
  /** What a first attempt leaves behind. */
  async function leftBy(raw: RawInputs, respond: Parameters<typeof fakeEffects>[0]) {
    const effects = fakeEffects(respond);
    await run({ ...raw, wait: 'false' }, facts, effects);
    return afterOne(effects.runner.annotations);
  }
  const created = () => leftBy(asked, ({ method }) => served(method));
  const message = { ...asked, jobId: 'job_1' };
  const methods = ({ http }: FakeEffects) =>
    http.requests.map(({ method, url }) => `${method} ${url.split('/p/').at(-1)}`);
  const recordsOf = ({ runner }: FakeEffects) =>
    runner.annotations.map(recordIn).filter((record) => record !== undefined);

  test('follows the agent job of the earlier one, sends no prompt and records it again', async () => {
    const effects = fakeEffects(() => answer(200, done), await created());
    expect(await run(asked, later, effects)).toBe(true);
    expect(methods(effects)).toEqual(['GET job/job_1', 'GET job/job_1']);
    expect(effects.runner.log).toContain(
      'Following agent job `job_1` from attempt 1. No prompt is sent.',
    );
    expect(effects.runner.summaries[0]).toContain('attempt 1 of this workflow run');
    expect(effects.runner.summaries[0]).not.toContain('<summary>Prompt');
    expect(effects.runner.outputs).toMatchObject({ outcome: 'pull-request', jobId: 'job_1' });
    expect(recordsOf(effects)).toMatchObject([{ what: { kind: 'job', id: 'job_1' } }]);
  });

  test('records an agent job that it could not read, so that the next one finds it', async () => {
    const effects = fakeEffects(() => answer(401, {}), await created());
    expect(await run(asked, later, effects)).toBe(false);
    expect(effects.runner.outputs).toMatchObject({ outcome: 'error', jobId: 'job_1' });
    expect(recordsOf(effects)).toMatchObject([{ what: { kind: 'job', id: 'job_1' } }]);
  });

  test('opens GitHub with the token, the deadline and the signal of the run', async () => {
    const opened: GitHubAccess[] = [];
    const effects = fakeEffects(() => answer(200, done), {
      async openGitHub(access) {
        opened.push(access);
        throw new GitHubError('failed', 'no');
      },
    });
    await run(asked, later, effects);
    const { http, clock, runner, signal } = effects;
    const times = { deadline: 1_800_000, timeoutMs: 1_800_000 };
    expect(opened).toMatchObject([{ token: 't', ...times, http, clock, runner, signal }]);
  });

  test('loses 5 minutes to GitHub at most, over looking back and the changes', async () => {
    const event = eventOf('push', { before: 'b' });
    const effects: FakeEffects = fakeEffects(
      ({ url, method }) => {
        if (!url.startsWith('https://github.example/')) return served(method);
        if (effects.clock.now() < 200_000 || url.includes('/compare/')) return answer(502, '');
        if (url.includes('/annotations')) return answer(200, []);
        return answer(200, url.includes('/runs/') ? { jobs: workflowJobs } : workflowJobs[1]);
      },
      {
        readEvent: () => event,
        openGitHub: async (access) => {
          return createGitHub(access, {
            facts,
            apiUrl: 'https://github.example',
            graphqlUrl: '',
            event,
          });
        },
      },
    );
    expect(await run({ ...asked, changes: 'files' }, later, effects)).toBe(false);
    expect(effects.runner.log).toContain('No earlier attempt of this step has an agent job.');
    expect(effects.runner.annotations.at(-1)?.message).toContain('Comparing commits failed.');
    expect(effects.http.requests.filter(({ method }) => method === 'POST')).toEqual([]);
    expect(effects.clock.now()).toBeLessThanOrEqual(300_000);
  });

  test('that only follows an agent job sends GitHub no request', async () => {
    const effects = fakeEffects(() => answer(200, done));
    const { prompt: _prompt, ...follow } = asked;
    expect(await run({ ...follow, jobId: 'job_1' }, later, effects)).toBe(true);
    expect(effects.runner.annotations.filter(({ level }) => level !== 'notice')).toEqual([]);
  });

  test.each([
    {
      what: 'had failed',
      reason: 'had already ended as `failed`',
      read: answer(200, { id: 'job_1', status: 'failed' }),
    },
    {
      what: 'was archived without a pull request',
      reason: 'had already ended as `archived`',
      read: answer(200, { id: 'job_1', status: 'archived' }),
    },
    {
      what: 'is gone for 30 s',
      reason: 'is no longer known to the service',
      read: answer(404, { error: 'Job not found' }),
    },
  ])('creates a new agent job when the earlier one $what', async ({ read, reason }) => {
    const effects = fakeEffects(
      ({ method, url }) => {
        if (method === 'POST') return answer(201, { id: 'job_2', status: 'active' });
        return url.endsWith('job_1') ? read : answer(200, { ...done, id: 'job_2' });
      },
      await created(),
    );
    expect(await run(asked, later, effects)).toBe(true);
    expect(methods(effects).filter((one) => one !== 'GET job/job_1')).toEqual([
      'POST job',
      'GET job/job_2',
    ]);
    expect(effects.runner.outputs).toMatchObject({ outcome: 'pull-request', jobId: 'job_2' });
    expect(effects.runner.summaries[0]).not.toContain('attempt 1');
    expect(effects.runner.summaries[0]).toContain('<pre><span><code>x</code></span></pre>');
    expect(effects.runner.log).toContain(
      `Agent job \`job_1\` ${reason}, so the prompt is sent again.`,
    );
    expect(recordsOf(effects)).toMatchObject([{ what: { kind: 'job', id: 'job_2' } }]);
  });

  test('fails when an agent job that it saw at work is unknown a moment later', async () => {
    const reads = [answer(200, { id: 'job_1', status: 'active' })];
    const effects = fakeEffects(() => reads.shift() ?? answer(404, {}), await created());
    expect(await run(asked, later, effects)).toBe(false);
    expect(methods(effects)).toEqual(['GET job/job_1', 'GET job/job_1']);
    expect(effects.runner.outputs).toMatchObject({ outcome: 'error', jobId: 'job_1' });
  });

  test('fails when the earlier agent job fails while it is waited for', async () => {
    const reads = [answer(200, { id: 'job_1', status: 'active' })];
    const failed = answer(200, { id: 'job_1', status: 'failed' });
    const effects = fakeEffects(() => reads.shift() ?? failed, await created());
    expect(await run(asked, later, effects)).toBe(false);
    expect(methods(effects)).toEqual(['GET job/job_1', 'GET job/job_1']);
    expect(effects.runner.outputs['outcome']).toBe('failed');
  });

  test.each([
    { status: 'completed', isSuccess: true },
    { status: 'failed', isSuccess: false },
  ])('sends no accepted message again when its agent job is $status', async (row) => {
    const job = { ...done, status: row.status };
    const left = await leftBy(message, () => answer(200, job));
    const effects = fakeEffects(() => answer(200, job), left);
    expect(await run(message, later, effects)).toBe(row.isSuccess);
    expect(new Set(methods(effects))).toEqual(new Set(['GET job/job_1']));
    expect(effects.clock.now()).toBe(30_000);
  });

  test.each([
    { promise: 'a create call', raw: asked, says: 'Attempt 1 may have created an agent job' },
    { promise: 'a message', raw: message, says: 'Attempt 1 may have sent the message' },
  ])('stops after $promise whose response was lost, and remembers that it asked', async (row) => {
    const left = await leftBy(row.raw, () => ({ kind: 'lost', error: 'reset' }));
    const effects = fakeEffects(({ method }) => served(method), left);
    expect(await run(row.raw, later, effects)).toBe(false);
    expect(effects.http.requests).toEqual([]);
    expect(effects.runner.annotations.at(-1)?.message).toContain(row.says);
    expect(recordsOf(effects)).toMatchObject([{ what: { kind: 'asked' } }]);
    const again = fakeEffects(({ method }) => served(method), afterOne(effects.runner.annotations));
    await run({ ...row.raw, wait: 'false' }, later, again);
    expect(again.http.requests.map(({ method }) => method)).toEqual(['POST']);
    expect(again.runner.log).toContain(
      'Attempt 1 stopped, because the prompt may already have been sent. This attempt sends it.',
    );
  });

  test('stops when GitHub cannot be opened', async () => {
    const effects = fakeEffects(({ method }) => served(method), {
      openGitHub: () => Promise.reject(new GitHubError('failed', '`GITHUB_API_URL` is not a URL')),
    });
    expect(await run(asked, later, effects)).toBe(false);
    expect(effects.http.requests).toEqual([]);
    expect(effects.runner.annotations[0]).toMatchObject({
      title: 'Docs agent: A re-run stopped: earlier attempts could not be looked up',
      message: expect.stringContaining('`GITHUB_API_URL` is not a URL. Nothing was sent.'),
    });
  });

  test('stops at an unexpected error, and sends nothing', async () => {
    const effects = fakeEffects(({ method }) => served(method), {
      openGitHub: () => Promise.reject(new Error('a bug')),
    });
    expect(await run(asked, later, effects)).toBe(false);
    expect(effects.http.requests).toEqual([]);
    expect(effects.runner.annotations[0]?.message).toContain('Unexpected error: `a bug`');
  });

  test.each([
    { promise: 'with rerun: create', raw: { ...asked, rerun: 'create' }, of: later },
    { promise: 'with the number 1', raw: asked, of: facts },
  ])('$promise sends GitHub no request and creates an agent job', async ({ raw, of }) => {
    const effects = fakeEffects(({ method }) => served(method));
    expect(await run(raw, of, effects)).toBe(true);
    expect(methods(effects)).toEqual(['POST job', 'GET job/job_1']);
    expect(effects.runner.annotations.filter(({ level }) => level !== 'notice')).toEqual([]);
  });

  test('without a record creates an agent job and says so in the log', async () => {
    const effects = fakeEffects(({ method }) => served(method), afterOne([]));
    expect(await run(asked, later, effects)).toBe(true);
    expect(methods(effects)).toEqual(['POST job', 'GET job/job_1']);
    expect(effects.runner.log).toContain('No earlier attempt of this step has an agent job.');
  });

  test('that may not read workflow jobs warns, and creates an agent job', async () => {
    const workflowJob = () => Promise.reject(new GitHubError('forbidden', 'HTTP 403'));
    const openGitHub = async () => ({ workflowJob }) as never;
    const effects = fakeEffects(({ method }) => served(method), { openGitHub });
    expect(await run(asked, later, effects)).toBe(true);
    expect(methods(effects)).toEqual(['POST job', 'GET job/job_1']);
    expect(effects.runner.annotations[0]).toEqual({
      level: 'warning',
      title: 'Docs agent: earlier runs',
      message:
        'It is not known whether an earlier attempt has an agent job: HTTP 403. Give the workflow job `permissions:` with `actions: read` and `checks: read`. This attempt goes on as if there were none.',
    });
  });

  test('without a token stops, and sends nothing', async () => {
    const effects = fakeEffects(({ method }) => served(method));
    expect(await run(inputs, later, effects)).toBe(false);
    expect(effects.http.requests).toEqual([]);
    expect(effects.runner.annotations[0]?.message).toContain('`githubToken` is empty.');
    expect(recordsOf(effects)).toMatchObject([{ what: { kind: 'todo' } }]);
  });
});

describe('a run leaves', () => {
  const { prompt: _prompt, ...follow } = { ...inputs, jobId: 'job_1' };
  const unsent: Delivery = { kind: 'not-sent', error: 'refused', code: 'ECONNREFUSED' };
  const nothing = answer(500, '');

  test.each<{ promise: string; raw: RawInputs; response: Delivery; left: readonly object[] }>([
    {
      promise: 'its task when an input is bad',
      raw: { ...inputs, timeout: 'x' },
      response: nothing,
      left: [TODO],
    },
    {
      promise: 'its task without a key',
      raw: { projectId: 'p', prompt: 'x' },
      response: nothing,
      left: [TODO],
    },
    {
      promise: 'its task when the call is refused',
      raw: inputs,
      response: answer(403, ''),
      left: [TODO],
    },
    {
      promise: 'its task when there is no connection',
      raw: inputs,
      response: unsent,
      left: [TODO],
    },
    {
      promise: 'a doubt when the response is lost',
      raw: inputs,
      response: { kind: 'lost', error: 'reset' },
      left: [{ what: { kind: 'unknown' } }],
    },
    {
      promise: 'its agent job when that failed',
      raw: inputs,
      response: answer(201, { id: 'job_1', status: 'failed' }),
      left: [{ what: { kind: 'job', id: 'job_1' } }],
    },
    { promise: 'nothing without a project', raw: { prompt: 'x' }, response: nothing, left: [] },
    {
      promise: 'nothing as a dry run',
      raw: { ...inputs, dryRun: 'true' },
      response: nothing,
      left: [],
    },
    { promise: 'nothing when it only follows', raw: follow, response: answer(200, done), left: [] },
  ])('$promise', async ({ raw, response, left }) => {
    const effects = fakeEffects(() => response);
    await run({ ...raw, wait: 'false' }, facts, effects);
    const records = effects.runner.annotations.map(recordIn);
    expect(records.filter((record) => record !== undefined)).toMatchObject(left);
  });

  test('no annotation only for its record when nothing was sent', async () => {
    const effects = fakeEffects(() => answer(403, ''));
    await run(inputs, facts, effects);
    expect(effects.runner.annotations).toHaveLength(1);
  });
});

describe('with `pullRequest: append`', () => {
  const PR = 'https://github.com/acme/docs/pull/1';
  const asked = { ...inputs, githubToken: 't', pullRequest: 'append', workflowJob: '2 null' };
  const ended = { id: 'job_1', status: 'completed', prLink: PR };
  const run1 = (id: number) => ({
    ...{ id, workflow_id: 7, run_number: id, status: 'completed', head_branch: 'main' },
    head_repository: { full_name: 'acme/app' },
  });
  type Pull = { readonly state: string; readonly sha: string } | GitHubError;

  /** A run after one that created agent job `job_1`. `pulls` are read before and after the message. */
  async function append(response: Delivery, pulls: readonly Pull[], raw: RawInputs = asked) {
    const before = fakeEffects(({ method }) => served(method));
    await run({ ...inputs, wait: 'false' }, facts, before);
    const left = [...pulls];
    const github = {
      workflowJob: async () => ({ id: 2, run_id: facts.runId, name: 'docs', run_attempt: 1 }),
      workflowJobs: async () => [{ id: 1, name: 'docs', run_attempt: 1, status: 'completed' }],
      run: async () => run1(facts.runId),
      runs: async function* () {
        yield { total: 2, runs: [facts.runId, 1].map(run1) };
      },
      annotations: async () => before.runner.annotations,
      pull: async () => {
        const pull = left.shift();
        if (pull === undefined || pull instanceof GitHubError) throw pull;
        return { state: pull.state, merged: false, head: { sha: pull.sha } };
      },
    };
    const reads = [ended, { id: 'job_1', status: 'active' }];
    const effects = fakeEffects(
      ({ method, url }) => {
        if (method === 'GET') return answer(200, reads.shift() ?? ended);
        return url.endsWith('/message') ? response : served(method);
      },
      { openGitHub: async () => github as never },
    );
    const isGreen = await run(raw, facts, effects);
    const sent = effects.http.requests.filter(({ method }) => method === 'POST');
    const records = effects.runner.annotations.map(recordIn);
    return {
      isGreen,
      calls: sent.map(({ url }) => url.split('/').at(-1)),
      unseen: records.flatMap((record) => (typeof record === 'object' ? [record.isUnseen] : [])),
      outputs: effects.runner.outputs,
      annotations: effects.runner.annotations,
    };
  }
  const open = (sha: string) => ({ state: 'open', sha });
  const accepted = answer(200, ended);

  test.each<{ promise: string; after: Pull; isGreen: boolean; outcome: string; unseen: boolean[] }>(
    [
      {
        promise: 'open with a new commit',
        after: open('d'),
        isGreen: true,
        outcome: 'pull-request',
        unseen: [true, false],
      },
      {
        promise: 'open as before',
        after: open('c'),
        isGreen: true,
        outcome: 'no-changes',
        unseen: [true, false],
      },
      {
        promise: 'closed',
        after: { state: 'closed', sha: 'd' },
        isGreen: false,
        outcome: 'error',
        unseen: [true],
      },
      {
        promise: 'not shown',
        after: new GitHubError('failed', 'HTTP 503'),
        isGreen: true,
        outcome: 'pull-request',
        unseen: [true],
      },
    ],
  )('what was added counts once it was seen: the pull request is $promise', async (row) => {
    const { isGreen, calls, unseen, outputs } = await append(accepted, [open('c'), row.after]);
    expect(calls).toEqual(['message']);
    expect({ isGreen, unseen }).toEqual({ isGreen: row.isGreen, unseen: row.unseen });
    expect(outputs).toMatchObject({
      ...{ outcome: row.outcome, jobId: 'job_1', prOperation: 'updated' },
    });
  });

  test.each([
    ...[400, 404, 409, 410, 422].map((status) => ({ status, calls: ['message', 'job'] })),
    ...[401, 402, 403, 413, 500, 502].map((status) => ({ status, calls: ['message'] })),
  ])(
    'a message that is answered with $status makes the calls $calls',
    async ({ status, calls }) => {
      const found = await append(answer(status, { error: 'no' }), [open('c')]);
      expect(found.calls).toEqual(calls);
    },
  );

  test('a new agent job is created when its pull request was closed, and says so', async () => {
    const { calls, outputs } = await append(accepted, [{ state: 'closed', sha: 'c' }]);
    expect(calls).toEqual(['job']);
    expect(outputs).toMatchObject({ prOperation: 'created' });
  });

  test('a dry run says where the message would go, and leaves no record', async () => {
    const dry = { ...asked, dryRun: 'true' };
    const { calls, unseen, annotations } = await append(accepted, [open('c')], dry);
    expect({ calls, unseen }).toEqual({ calls: [], unseen: [] });
    expect(annotations.at(-1)?.message).toContain('the open pull request `acme/docs#1`');
  });

  test('and `wait: false`, a warning says what that costs on a busy branch', async () => {
    const { annotations } = await append(accepted, [open('c')], { ...asked, wait: 'false' });
    expect(annotations[0]).toMatchObject({
      level: 'warning',
      title: 'Docs agent: `wait: false` with `pullRequest: append`',
    });
  });
});

describe('a cancel', () => {
  test('before a follow-up message was sent says that it was not sent', async () => {
    const effects = fakeEffects(() => {
      effects.abort.abort(new CancelledError('SIGTERM'));
      return { kind: 'not-sent', error: 'the step was cancelled', code: 'ABORTED' };
    });
    expect(await run({ ...inputs, jobId: 'job_1' }, facts, effects)).toBe(false);
    expect(effects.runner.annotations[0]?.title).toBe(
      'Docs agent: Cancelled; the follow-up message was not sent',
    );
  });

  test('while a write waits for its answer says that it may have been accepted', async () => {
    const effects = fakeEffects(() => {
      effects.abort.abort(new CancelledError('SIGTERM'));
      return { kind: 'lost', error: 'the step was cancelled' };
    });
    expect(await run(inputs, facts, effects)).toBe(false);
    expect(effects.runner.annotations.at(-1)?.title).toBe(
      'Docs agent: Cancelled; the request may have been accepted',
    );
  });

  test('that comes as the end is read does not lose that end', async () => {
    const effects = fakeEffects(({ method }) => {
      if (method === 'GET') effects.abort.abort(new CancelledError('SIGTERM'));
      return served(method);
    });
    expect(await run(inputs, facts, effects)).toBe(true);
    expect(effects.runner.outputs['outcome']).toBe('pull-request');
  });
});

describe('a write', () => {
  test('whose answer is about another agent job is not sent again', async () => {
    const effects = fakeEffects(() => answer(200, { id: 'job_2', status: 'active' }));
    await run({ ...inputs, jobId: 'job_1' }, facts, effects);
    expect(effects.http.requests).toHaveLength(1);
    expect(effects.runner.outputs).toMatchObject({ outcome: 'error', jobId: 'job_1', job: '' });
    expect(effects.runner.annotations.at(-1)?.message).toContain(
      'the response is about agent job `job_2`, not `job_1`',
    );
  });

  test('is tried six times while no connection can be made, with growing pauses', async () => {
    const effects = fakeEffects(() => ({
      kind: 'not-sent',
      error: 'refused',
      code: 'ECONNREFUSED',
    }));
    await run(inputs, facts, effects);
    expect(effects.clock.slept).toEqual([750, 1_500, 3_000, 6_000, 12_000]);
    expect(effects.runner.annotations[0]?.message).toContain('(tried 6 times)');
  });

  test('answered with 503 and Retry-After is not sent again', async () => {
    const effects = fakeEffects(() => answer(503, '', '60'));
    await run(inputs, facts, effects);
    expect(effects.http.requests).toHaveLength(1);
  });

  test('is tried for a third of the timeout while the rate limit is reached', async () => {
    const effects = fakeEffects(() => answer(429, '', '60'));
    effects.clock.randomValue = 0;
    await run(inputs, facts, effects);
    expect(effects.http.requests).toHaveLength(11);
    expect(effects.runner.annotations[0]?.message).toContain(
      'The service accepts 100 new agent jobs and messages per project per hour.',
    );
  });

  test.each([418, 500])('answered with %s and an empty body says so', async (status) => {
    const effects = fakeEffects(() => answer(status, ''));
    await run(inputs, facts, effects);
    expect(effects.runner.annotations.at(-1)?.message).toContain(
      `HTTP ${status} with an empty body`,
    );
  });
});

test.each([
  { what: 'an input', raw: { prompt: 'x' }, heading: 'The inputs cannot be used' },
  {
    what: 'a `since`',
    raw: { ...inputs, changes: 'files', githubToken: 't', since: 'v9' },
    heading: 'The start of the changes was not found',
  },
])('$what that cannot be used ends the run before any request', async ({ raw, heading }) => {
  const event = eventOf('push');
  const compare = () => Promise.reject(new GitHubError('not-found', 'HTTP 404'));
  const effects = fakeEffects(({ method }) => served(method), {
    openGitHub: async () => ({ event, compare, hasCommit: async () => true }) as never,
  });
  expect(await run(raw, facts, effects)).toBe(false);
  expect(effects.http.requests).toEqual([]);
  expect(effects.runner.annotations[0]?.title).toBe(`Docs agent: ${heading}`);
});

describe('changes', () => {
  const event = {
    name: 'push',
    payload: { before: 'b' },
    sha: 'h',
    ref: 'refs/heads/main',
    repository: 'a/b',
  };
  const file = {
    filename: 'src/a.ts',
    previous_filename: undefined,
    status: 'modified',
    additions: 1,
    deletions: 0,
    patch: '+x',
  };
  const withRepository = (compare: () => Promise<unknown>): Partial<RunEffects> => ({
    readEvent: () => event,
    openGitHub: async () => ({ event, compare }) as never,
  });
  const comparison = {
    status: 'ahead',
    url: 'https://github.com/a/b/compare/b...h',
    totalCommits: 1,
    commits: [{ sha: 'h', commit: { message: 'S' } }],
    files: [file],
  };
  const asked = { ...inputs, changes: 'files', githubToken: 't', wait: 'false' };

  test('that took long to handle do not hide a cancel that came meanwhile', async () => {
    const effects = fakeEffects(
      ({ method }) => served(method),
      withRepository(async () => comparison),
    );
    // The signal is handled when the run lets go of the processor.
    effects.clock.handleSignals = async () => effects.abort.abort(new CancelledError('SIGINT'));
    expect(await run(asked, facts, effects)).toBe(false);
    expect(effects.http.requests).toEqual([]);
    expect(effects.runner.outputs['outcome']).toBe('cancelled');
  });

  test('are appended to the prompt and shown in the log and the summary', async () => {
    const effects = fakeEffects(
      ({ method }) => served(method),
      withRepository(async () => comparison),
    );
    await run(asked, facts, effects);
    expect(JSON.parse(effects.http.requests[0]?.body ?? '').prompt).toContain('- h S');
    expect(effects.runner.log.some((line) => line.startsWith('Changes: 1 commit'))).toBe(true);
    expect(effects.runner.summaries[0]).toContain(
      '1 commit, 1 file, <a href="https://github.com/a/b/compare/b...h"><code>b…h</code></a>',
    );
    expect(effects.runner.masks).toEqual(['mint_0123456789', 't']);
  });

  test('that cannot be found end the run before anything is sent', async () => {
    const fails = withRepository(() =>
      Promise.reject(new GitHubError('forbidden', 'Comparing: 403')),
    );
    const effects = fakeEffects(({ method }) => served(method), fails);
    expect(await run(asked, facts, effects)).toBe(false);
    expect(effects.http.requests).toEqual([]);
    expect(effects.runner.annotations[0]).toMatchObject({
      title: 'Docs agent: The changes could not be found',
      message: expect.stringContaining(
        'Comparing: 403. Give the workflow job `permissions:` with `contents: read`.',
      ),
    });
  });

  test('with paths only are not appended', async () => {
    const effects = fakeEffects(
      ({ method }) => served(method),
      withRepository(async () => comparison),
    );
    await run({ ...asked, changes: 'none', paths: 'src/**' }, facts, effects);
    expect(JSON.parse(effects.http.requests[0]?.body ?? '').prompt).toBe('x');
  });

  test('skip the run when none of them match', async () => {
    const effects = fakeEffects(
      ({ method }) => served(method),
      withRepository(async () => comparison),
    );
    expect(await run({ ...asked, paths: 'docs/**' }, facts, effects)).toBe(true);
    expect(effects.http.requests).toEqual([]);
    expect(effects.runner.outputs['outcome']).toBe('skipped');
  });
});

import { describe, expect, test } from 'vitest';
import type { Effects } from '../../src/effects/effects.ts';
import { GitHubError } from '../../src/errors.ts';
import { run } from '../../src/run.ts';
import { answer, fakeEffects, RecordingRunner } from '../support/fakes.ts';

const facts = { actor: undefined, eventName: undefined };
const inputs = { projectId: 'p', adminApiKey: 'mint_0123456789', prompt: 'x' };
const done = { id: 'job_1', status: 'completed', prLink: 'https://github.com/a/b/pull/1' };
const served = (method: string) =>
  method === 'POST' ? answer(201, { id: 'job_1', status: 'active' }) : answer(200, done);

describe('one run', () => {
  test('masks, creates, reads, reports, in this order', async () => {
    const effects = fakeEffects(({ method }) => served(method));
    expect(await run(inputs, facts, effects)).toBe(true);
    expect(effects.runner.masks).toEqual(['mint_0123456789']);
    expect(effects.runner.log).toEqual([
      'Docs agent for project `p` at https://api.mintlify.com',
      'Creating a job with a prompt of 1 character.',
      'Reading job `job_1` every 10 s, for 30 min at most.',
      'The job is `completed` after 10 s (1 read).',
    ]);
    expect(effects.http.requests.map(({ method, url }) => `${method} ${url}`)).toEqual([
      'POST https://api.mintlify.com/v2/agent/p/job',
      'GET https://api.mintlify.com/v2/agent/p/job/job_1',
    ]);
    expect(effects.http.requests[0]?.headers).toEqual({
      accept: 'application/json',
      authorization: 'Bearer mint_0123456789',
      'content-type': 'application/json',
      'user-agent': 'docs-agent-job',
    });
  });

  test('a fault of our own is reported with all that is known, not thrown', async () => {
    const effects = fakeEffects(({ method }) => {
      if (method === 'GET') throw new Error('a bug');
      return served(method);
    });
    expect(await run(inputs, facts, effects)).toBe(false);
    expect(effects.runner.outputs).toMatchObject({ outcome: 'error', jobId: 'job_1' });
    expect(effects.runner.annotations.at(-1)?.message).toContain('`a bug`');
  });

  test('an output that cannot be written keeps none of the others from being written', async () => {
    class Broken extends RecordingRunner {
      override setOutput(name: string, value: string): void {
        if (name === 'model') throw new Error('disk full');
        super.setOutput(name, value);
      }
    }
    const runner = new Broken();
    const effects = fakeEffects(({ method }) => served(method), { runner });
    expect(await run(inputs, facts, effects)).toBe(false);
    expect(runner.outputs).toMatchObject({ outcome: 'pull-request', prLink: done.prLink });
    expect(runner.log).toContain('Output model could not be written: disk full');
    expect(runner.summaries).toHaveLength(1);
  });

  test('a summary that cannot be written does not fail the step', async () => {
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

  test('a last read just before the deadline sees an end that the interval would miss', async () => {
    const effects = fakeEffects(({ method }) => served(method));
    await run({ ...inputs, pollInterval: '1m', timeout: '3s' }, facts, effects);
    expect(effects.runner.outputs['outcome']).toBe('pull-request');
    expect(effects.clock.slept).toEqual([2_000]);
  });

  test('a heartbeat is logged once a minute, and not more', async () => {
    let reads = 0;
    const effects = fakeEffects(({ method }) => {
      if (method === 'POST') return served(method);
      reads += 1;
      return answer(200, reads < 61 ? { id: 'job_1', status: 'active' } : done);
    });
    await run(inputs, facts, effects);
    expect(effects.runner.log.filter((line) => line.includes('still'))).toHaveLength(10);
  });

  test('an hour of waiting costs 360 reads at the default interval', async () => {
    const effects = fakeEffects(({ method }) =>
      method === 'POST' ? served(method) : answer(200, { id: 'job_1', status: 'active' }),
    );
    await run({ ...inputs, timeout: '1h' }, facts, effects);
    expect(effects.http.requests.filter(({ method }) => method === 'GET')).toHaveLength(360);
    expect(effects.clock.now()).toBe(3_600_000);
  });
});

describe('a job that is followed', () => {
  const follow = { projectId: 'p', adminApiKey: 'mint_0123456789', jobId: 'job_1' };

  test.each([
    ['active', 'started', true],
    ['dreaming', 'started', true],
    ['archived', 'archived', true],
    ['failed', 'failed', false],
  ])('with wait: false and %s is %s', async (status, outcome, isSuccess) => {
    const effects = fakeEffects(() => answer(200, { id: 'job_1', status }));
    expect(await run({ ...follow, wait: 'false' }, facts, effects)).toBe(isSuccess);
    expect(effects.http.requests).toHaveLength(1);
    expect(effects.runner.outputs['outcome']).toBe(outcome);
  });

  test.each([
    [404, 'There is no such job'],
    [401, 'The job could not be read'],
  ])('and answered with %s: %s', async (status, heading) => {
    const effects = fakeEffects(() => answer(status, { error: 'no' }));
    expect(await run(follow, facts, effects)).toBe(false);
    expect(effects.runner.annotations[0]?.title).toBe(`Docs agent: ${heading}`);
    expect(effects.runner.outputs).toMatchObject({ outcome: 'error', jobId: 'job_1' });
  });

  test('over a connection that was never trusted stops at once', async () => {
    const effects = fakeEffects(() => ({ kind: 'not-sent', fault: 'x', code: 'CERT_HAS_EXPIRED' }));
    await run(follow, facts, effects);
    expect(effects.http.requests).toHaveLength(1);
    expect(effects.runner.annotations[0]?.message).toContain('NODE_EXTRA_CA_CERTS');
  });

  test('is read again after answers that are no JSON, until the deadline', async () => {
    const effects = fakeEffects(() => answer(200, '', '5'));
    await run({ ...follow, timeout: '10s' }, facts, effects);
    expect(effects.runner.outputs['outcome']).toBe('timed-out');
    expect(effects.clock.slept).toEqual([0, 5_000, 4_000, 1_000]);
  });
});

describe('a write', () => {
  test('whose answer tells of another job is not understood, and not sent again', async () => {
    const effects = fakeEffects(() => answer(200, { id: 'job_2', status: 'active' }));
    await run({ ...inputs, jobId: 'job_1' }, facts, effects);
    expect(effects.http.requests).toHaveLength(1);
    expect(effects.runner.outputs).toMatchObject({ outcome: 'error', jobId: 'job_1', job: '' });
    expect(effects.runner.annotations[0]?.message).toContain('the answer is not job `job_1`');
  });

  test('is tried six times while no connection can be made, with growing pauses', async () => {
    const effects = fakeEffects(() => ({
      kind: 'not-sent',
      fault: 'refused',
      code: 'ECONNREFUSED',
    }));
    await run(inputs, facts, effects);
    expect(effects.clock.slept).toEqual([750, 1_500, 3_000, 6_000, 12_000]);
    expect(effects.runner.annotations[0]?.message).toContain('(tried 6 times)');
  });

  test('is tried until the deadline while the service is too busy', async () => {
    const effects = fakeEffects(() => answer(429, '', '60'));
    await run(inputs, facts, effects);
    expect(effects.http.requests).toHaveLength(30);
    expect(effects.runner.annotations[0]?.message).toContain(
      '100 jobs and messages per project and hour',
    );
  });

  test.each([418, 500])('answered with %s and no words says so', async (status) => {
    const effects = fakeEffects(() => answer(status, ''));
    await run(inputs, facts, effects);
    expect(effects.runner.annotations[0]?.message).toContain(`HTTP ${status} without a word`);
  });
});

test.each([
  ['an input', { prompt: 'x' }, 'The inputs cannot be used'],
  [
    'a since',
    { ...inputs, changes: 'files', githubToken: 't', since: 'v9' },
    'The start of the changes was not found',
  ],
])('%s that is wrong ends the run before any request', async (_name, raw, heading) => {
  const event = { name: 'push', payload: {}, sha: 'h', ref: '', runId: 1, repository: 'a/b' };
  const compare = () => Promise.reject(new GitHubError('missing', 'HTTP 404'));
  const effects = fakeEffects(({ method }) => served(method), {
    openGitHub: async () => ({ event, compare }) as never,
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
    runId: 1,
    repository: 'a/b',
  };
  const file = {
    path: 'src/a.ts',
    previousPath: undefined,
    status: 'modified',
    additions: 1,
    deletions: 0,
    patch: '+x',
  };
  const withRepository = (compare: () => Promise<unknown>): Partial<Effects> => ({
    openGitHub: async () => ({ event, compare }) as never,
  });
  const comparison = {
    status: 'ahead',
    url: 'https://github.com/a/b/compare/b...h',
    totalCommits: 1,
    commits: [{ sha: 'h', subject: 'S' }],
    files: [file],
  };
  const asked = { ...inputs, changes: 'files', githubToken: 't', wait: 'false' };

  test('are appended to the prompt and named in log and summary', async () => {
    const effects = fakeEffects(
      ({ method }) => served(method),
      withRepository(async () => comparison),
    );
    await run(asked, facts, effects);
    expect(JSON.parse(effects.http.requests[0]?.body ?? '').prompt).toContain('- h S');
    expect(effects.runner.log).toContain('Changes: 1 commit and 1 changed file, from `b` to `h`.');
    expect(effects.runner.summaries[0]).toContain('from <code>b</code> to <code>h</code>');
    expect(effects.runner.masks).toEqual(['mint_0123456789', 't']);
  });

  test('that cannot be had are warned of', async () => {
    const fails = withRepository(() =>
      Promise.reject(new GitHubError('forbidden', 'Comparing: 403')),
    );
    const effects = fakeEffects(({ method }) => served(method), fails);
    expect(await run(asked, facts, effects)).toBe(true);
    expect(effects.runner.annotations[0]?.message).toBe(
      'What changed is not known: Comparing: 403. Give the job `permissions:` with `contents: read`. The agent is asked without it.',
    );
  });

  test('with paths only are not appended', async () => {
    const effects = fakeEffects(
      ({ method }) => served(method),
      withRepository(async () => comparison),
    );
    await run({ ...asked, changes: 'none', paths: 'src/**' }, facts, effects);
    expect(JSON.parse(effects.http.requests[0]?.body ?? '').prompt).toBe('x');
  });

  test('of which none match skip the run', async () => {
    const effects = fakeEffects(
      ({ method }) => served(method),
      withRepository(async () => comparison),
    );
    expect(await run({ ...asked, paths: 'docs/**' }, facts, effects)).toBe(true);
    expect(effects.http.requests).toEqual([]);
    expect(effects.runner.outputs['outcome']).toBe('skipped');
  });
});

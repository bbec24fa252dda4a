import { describe, expect, test } from 'vitest';
import { type AgentApi, createAgentApi } from '../../../src/agent/api.ts';
import type { Delivery, HttpRequest } from '../../../src/effects/effects.ts';
import { CancelledError, type RunError } from '../../../src/lib/errors.ts';
import { answer, fakeEffects, RecordingRunner } from '../../support/fakes.ts';

const JOB = { id: 'job_1', status: 'active' };
const created = answer(201, JOB);
const cutOnTheWay: Delivery = {
  kind: 'not-sent',
  error: 'write EPIPE',
  code: 'EPIPE',
  isCut: true,
};
const refused: Delivery = { kind: 'not-sent', error: 'refused', code: 'ECONNREFUSED' };

const ACCESS = {
  baseUrl: 'https://agent.example',
  projectId: 'p',
  adminApiKey: 'mint_0123456789',
  timeoutMs: 60_000,
  deadline: 60_000,
};

function apiOf(
  send: (request: HttpRequest) => Delivery,
  timeoutMs = 1_800_000,
  deadline = timeoutMs,
) {
  const effects = fakeEffects(send);
  return { effects, api: createAgentApi({ ...ACCESS, timeoutMs, deadline }, effects) };
}

/** Gives the answers one after the other, and repeats the last one. */
function inTurn(...deliveries: readonly Delivery[]) {
  let turn = 0;
  return () => {
    const delivery = deliveries[Math.min(turn, deliveries.length - 1)];
    turn += 1;
    if (delivery === undefined) throw new Error('no answer left');
    return delivery;
  };
}

const errorOf = (promise: Promise<unknown>): Promise<RunError> =>
  promise.then(
    () => Promise.reject(new Error('it did not throw')),
    (error) => error,
  );

describe('the URL of a request', () => {
  test.each([
    { what: 'a slash', id: 'a/b' },
    { what: 'a percent sign', id: '100%' },
    { what: 'a question mark and a fragment', id: '?a#b' },
    { what: 'letters that are not ASCII', id: 'ä😀' },
  ])('keeps an id with $what as one part of the path', async ({ id }) => {
    const { api, effects } = apiOf(() => answer(200, { id, status: 'active' }));
    await api.readJob(id);
    await api.sendMessage(id, 'x');
    const paths = effects.http.requests.map(({ url }) => new URL(url).pathname.split('/'));
    expect(paths.map(([, ...parts]) => parts.map(decodeURIComponent))).toEqual([
      ['v2', 'agent', 'p', 'job', id],
      ['v2', 'agent', 'p', 'job', id, 'message'],
    ]);
  });
});

describe('a time limit', () => {
  test.each([
    { promise: 'of a connection is 30 s', timeoutMs: 1_800_000, connectMs: 30_000 },
    {
      promise: 'of a connection is what is left of the timeout',
      timeoutMs: 12_000,
      connectMs: 12_000,
    },
  ])('$promise, and the response to a write has what is left', async (row) => {
    const { api, effects } = apiOf(() => created, row.timeoutMs);
    await api.createJob('x');
    expect(effects.http.requests[0]).toMatchObject({
      connectTimeoutMs: row.connectMs,
      timeoutMs: row.timeoutMs,
      responseLimit: { minMs: 10_000, maxMs: 300_000 },
      graceMs: 5_000,
      maxResponseBytes: 1_048_576,
    });
  });

  test('of a read is what is left of the timeout, and has no grace', async () => {
    const { api, effects } = apiOf(() => answer(200, JOB), 2_000);
    await api.readJob('job_1');
    expect(effects.http.requests[0]).toMatchObject({
      connectTimeoutMs: 2_000,
      timeoutMs: 2_000,
      graceMs: 0,
    });
    expect(effects.http.requests[0]).not.toHaveProperty('responseLimit');
  });

  test.each([
    { timeoutMs: 1_800_000, leftMs: 10_000 },
    { timeoutMs: 20_000, leftMs: 10_000 },
    { timeoutMs: 4_000, leftMs: 2_000 },
  ])('of $timeoutMs ms lets a write begin with $leftMs ms left, not with less', async (row) => {
    const { timeoutMs, leftMs } = row;
    const [enough, short] = [apiOf(() => created, timeoutMs), apiOf(() => created, timeoutMs)];
    enough.effects.clock.pass(timeoutMs - leftMs);
    short.effects.clock.pass(timeoutMs - leftMs + 1);
    expect((await enough.api.createJob('x')).id).toBe('job_1');
    const error = await errorOf(short.api.createJob('x'));
    expect(short.effects.http.requests).toEqual([]);
    expect(error).toMatchObject({ name: 'RunError', mayBeAccepted: false });
    expect(error.message).toBe(
      `Less than ${leftMs / 1_000} s of \`timeout\` was left, so the request was not sent. No agent job was created. Set a longer \`timeout\`.`,
    );
  });
});

describe('a write that was not accepted', () => {
  test('is sent again until it is accepted', async () => {
    const { api, effects } = apiOf(inTurn(refused, answer(429, ''), cutOnTheWay, created));
    expect((await api.createJob('x')).id).toBe('job_1');
    expect(effects.clock.slept).toEqual([750, 1_500, 3_000]);
    expect(effects.runner.log[0]).toBe(
      'The request was not accepted: no connection could be made (`refused`). Retrying in 1 s.',
    );
    expect(effects.runner.log[2]).toBe(
      'The request was not accepted: the connection failed before the whole request was sent (`write EPIPE`). Retrying in 3 s.',
    );
  });

  test('is sent again only when 10 s of the timeout are left', async () => {
    const within = (deadline: number) => apiOf(() => refused, 1_800_000, deadline);
    const [enough, short] = [within(10_750), within(10_749)];
    await errorOf(enough.api.createJob('x'));
    expect(enough.effects.http.requests).toHaveLength(2);
    const error = await errorOf(short.api.createJob('x'));
    expect(short.effects.http.requests).toHaveLength(1);
    expect(error.message).toContain('less than 10 s of `timeout` would be left');
    expect(error.mayBeAccepted).toBe(false);
  });

  test('says why the last try failed when the pause after it took too long', async () => {
    const { api, effects } = apiOf(() => refused, 1_800_000, 10_750);
    const { clock } = effects;
    clock.sleep = async (ms) => clock.pass(ms + 1);
    const error = await errorOf(api.createJob('x'));
    expect(effects.http.requests).toHaveLength(1);
    expect(error.message).toBe(
      'No connection could be made (`refused`). Less than 10 s of `timeout` was left, so the request was not sent again. No agent job was created. Set a longer `timeout`.',
    );
    expect(error.mayBeAccepted).toBe(false);
  });

  // Which other errors are permanent: results.test.ts.
  test('is not sent again after a permanent error', async () => {
    const { api, effects } = apiOf(() => ({ kind: 'not-sent', error: 'no', code: 'EPROTO' }));
    const error = await errorOf(api.createJob('x'));
    expect(effects.http.requests).toHaveLength(1);
    expect(error.mayBeAccepted).toBe(false);
  });

  test('is an error with the id that its response holds beside an error', async () => {
    const { api } = apiOf(() => answer(409, { error: 'busy', id: 'job_3' }));
    expect(await errorOf(api.createJob('x'))).toMatchObject({
      mayBeAccepted: false,
      jobId: undefined,
      maybeId: 'job_3',
    });
  });

  test.each([400, 404, 409, 410, 422])(
    'answered with %s is refused as a message',
    async (status) => {
      const { api } = apiOf(() => answer(status, { error: 'no' }));
      const refusal = `HTTP ${status} (the service said \`no\`)`;
      expect(await errorOf(api.sendMessage('job_1', 'x'))).toMatchObject({ refusal });
      expect(await errorOf(api.createJob('x'))).toMatchObject({ refusal: undefined });
    },
  );

  test.each([401, 402, 403, 413])('answered with %s is refused as any call', async (status) => {
    const { api } = apiOf(() => answer(status, { error: 'no' }));
    expect(await errorOf(api.sendMessage('job_1', 'x'))).toMatchObject({ refusal: undefined });
  });

  test('is a cancel when its error is final and the step was cancelled', async () => {
    const { api, effects } = apiOf(() => {
      effects.abort.abort(new CancelledError('SIGTERM'));
      return answer(400, '');
    });
    expect(await errorOf(api.createJob('x'))).toMatchObject({
      name: 'CancelledError',
      mayBeAccepted: false,
    });
  });

  test.each([
    {
      call: 'the create call',
      send: (api: AgentApi) => api.createJob('x'),
      heading: 'The agent job could not be created',
      message:
        'HTTP 400 with an empty body. No agent job was created. Check `prompt` and `projectId`.',
    },
    {
      call: 'the follow-up message',
      send: (api: AgentApi) => api.sendMessage('job_1', 'x'),
      heading: 'The follow-up message could not be sent',
      message:
        'HTTP 400 with an empty body. The message was not accepted. Check `prompt` and `projectId`.',
    },
  ])('is an error that says so, for $call', async ({ send, heading, message }) => {
    const { api } = apiOf(() => answer(400, ''));
    expect(await errorOf(send(api))).toMatchObject({ heading, message, mayBeAccepted: false });
  });

  test('is not sent at all after a cancel', async () => {
    const { api, effects } = apiOf(() => created);
    effects.abort.abort(new CancelledError('SIGTERM'));
    await expect(api.createJob('x')).rejects.toThrow(new CancelledError('SIGTERM'));
    expect(effects.http.requests).toEqual([]);
  });

  test('is not sent again after a cancel', async () => {
    const { api, effects } = apiOf(() => {
      effects.abort.abort(new CancelledError('SIGTERM'));
      return refused;
    });
    await expect(api.createJob('x')).rejects.toThrow(new CancelledError('SIGTERM'));
    expect(effects.http.requests).toHaveLength(1);
  });
});

describe('a write that may have been accepted', () => {
  test('is not sent again, and the error says so', async () => {
    const { api, effects } = apiOf(() => answer(502, ''));
    const error = await errorOf(api.createJob('x'));
    expect(effects.http.requests).toHaveLength(1);
    expect(error).toMatchObject({
      heading: 'An agent job may have been created',
      mayBeAccepted: true,
      jobId: undefined,
    });
    expect(error.message).toMatch(/^HTTP 502 with an empty body\. The service may have accepted/);
  });

  test('is an error that names the message and the id of its agent job', async () => {
    const { api } = apiOf(() => answer(502, ''));
    expect(await errorOf(api.sendMessage('job_1', 'x'))).toMatchObject({
      heading: 'The follow-up message may have been accepted',
      mayBeAccepted: true,
    });
    const { api: cut } = apiOf(() => answer(200, ''));
    expect(await errorOf(cut.sendMessage('job_1', 'x'))).toMatchObject({ jobId: 'job_1' });
  });

  test.each([
    { what: 'a 201 that was cut', response: answer(201, '{"id":"job_7","status":') },
    { what: 'a 503 with Retry-After', response: answer(503, { id: 'job_7' }, '1') },
    { what: 'a redirect', response: answer(302, { id: 'job_7' }) },
  ])('is an error with the id in $what', async ({ response }) => {
    const { api, effects } = apiOf(() => response);
    const error = await errorOf(api.createJob('x'));
    expect(error).toMatchObject({ mayBeAccepted: true, jobId: 'job_7', maybeId: 'job_7' });
    expect(effects.http.requests).toHaveLength(1);
  });

  test('is an error that tells an id beside an `error` as one that may be', async () => {
    const { api } = apiOf(() => answer(500, { error: 'x', id: 'job_7' }));
    const error = await errorOf(api.createJob('x'));
    expect(error).toMatchObject({ mayBeAccepted: true, jobId: undefined, maybeId: 'job_7' });
  });

  test('of a message names the agent job that it was for, when the response holds an id', async () => {
    const { api } = apiOf(() => answer(500, { id: 'request_5' }));
    expect(await errorOf(api.sendMessage('job_1', 'x'))).toMatchObject({ jobId: 'job_1' });
  });

  test('is a cancel with the id in its response', async () => {
    const { api, effects } = apiOf(() => {
      effects.abort.abort(new CancelledError('SIGTERM'));
      return answer(502, { id: 'job_7' });
    });
    expect(await errorOf(api.createJob('x'))).toMatchObject({
      name: 'CancelledError',
      mayBeAccepted: true,
      jobId: 'job_7',
    });
  });

  test('is an error whose cause is what was thrown while the answer was read', async () => {
    const bug = new TypeError('a bug');
    const { api } = apiOf(() => {
      throw bug;
    });
    const error = await errorOf(api.createJob('x'));
    expect(error).toMatchObject({ mayBeAccepted: true, cause: bug });
    expect(error.message).toMatch(/^`a bug`\. The service may have accepted the request anyway\./);
  });

  test('is a cancel that says so when the step was cancelled', async () => {
    const { api, effects } = apiOf(() => {
      effects.abort.abort(new CancelledError('SIGINT'));
      return { kind: 'lost', error: 'the step was cancelled' };
    });
    expect(await errorOf(api.createJob('x'))).toMatchObject({
      name: 'CancelledError',
      signal: 'SIGINT',
      mayBeAccepted: true,
    });
  });

  test('is not reported as a cancel when an unexpected error stopped the run', async () => {
    const { api, effects } = apiOf(() => {
      effects.abort.abort(new TypeError('a bug'));
      return { kind: 'lost', error: 'the run was stopped by an error' };
    });
    expect(await errorOf(api.createJob('x'))).toMatchObject({
      name: 'RunError',
      mayBeAccepted: true,
    });
  });
});

test('secrets are removed from an answer before it is cut', async () => {
  class Redacting extends RecordingRunner {
    override redact(text: string): string {
      return text.replaceAll('hunter2', '***');
    }
  }
  const runner = new Redacting();
  const long = `${'x'.repeat(496)}hunter2`;
  const cut: Delivery = {
    kind: 'response',
    status: 403,
    headers: {},
    body: { error: long, received: long },
  };
  const effects = fakeEffects(inTurn(answer(403, { error: long }), answer(403, long), cut), {
    runner,
  });
  const api = createAgentApi(ACCESS, effects);
  for (const _answer of ['JSON', 'text', 'cut']) {
    const { message } = await errorOf(api.createJob('x'));
    expect(message).toContain('xxx***`');
  }
});

test('secrets stay in what is used: ids, links and the end of an agent job', async () => {
  const effects = fakeEffects(() =>
    answer(200, { id: 'agent_1', status: 'completed', prLink: 'https://github.com/a/b/pull/1' }),
  );
  effects.runner.redact = (text) => text.replaceAll(/agent_|completed|github/g, '***');
  const api = createAgentApi(ACCESS, effects);
  expect(await api.readJob('agent_1')).toMatchObject({
    kind: 'job',
    job: { id: 'agent_1', status: 'completed', prLink: 'https://github.com/a/b/pull/1' },
  });
});

test('nothing is sent while Node does not check certificates', () => {
  const effects = fakeEffects(() => created);
  const http = { ...effects.http, isTlsVerified: false, send: effects.http.send, close: () => {} };
  expect(() => createAgentApi(ACCESS, { ...effects, http })).toThrow(
    expect.objectContaining({
      name: 'RunError',
      mayBeAccepted: false,
      message: expect.stringMatching(
        /`NODE_TLS_REJECT_UNAUTHORIZED` is `0`.*`NODE_EXTRA_CA_CERTS`/,
      ),
    }),
  );
});

test('each request and its answer are written as a debug line', async () => {
  class Debugging extends RecordingRunner {
    readonly lines: string[] = [];
    override debug(line?: () => string): void {
      this.lines.push(line?.() ?? '');
    }
  }
  const runner = new Debugging();
  const effects = fakeEffects(() => answer(404, ''), { runner });
  await createAgentApi(ACCESS, effects).readJob('job_1');
  expect(runner.lines).toEqual([
    'GET https://agent.example/v2/agent/p/job/job_1: HTTP 404 with an empty body',
  ]);
});

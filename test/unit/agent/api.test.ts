import { describe, expect, test } from 'vitest';
import { type AgentApi, createAgentApi } from '../../../src/agent/api.ts';
import { checkCertificates } from '../../../src/agent/preflight.ts';
import type { Delivery, HttpRequest } from '../../../src/effects/effects.ts';
import { CancelledError, type RunError } from '../../../src/model/run-error.ts';
import { answer, fakeEffects, inTurn } from '../../support/fakes.ts';

const MINUTE = 60_000;
const JOB = { id: 'job_1', status: 'active' };
const created = answer(201, JOB);
const refused: Delivery = { kind: 'not-sent', error: 'refused', code: 'ECONNREFUSED' };

type Given = { timeoutMs?: number; deadline?: number };

/** The client of a service in memory, which answers so; and what the client does. */
function open(
  send: (request: HttpRequest) => Delivery,
  { timeoutMs = 30 * MINUTE, deadline = timeoutMs }: Given = {},
) {
  const effects = fakeEffects(send);
  const access = { baseUrl: 'https://agent.example', projectId: 'p', adminApiKey: 'mint_1' };
  const api = createAgentApi({ ...access, timeoutMs, deadline }, effects);
  const { clock, runner, abort, http } = effects;
  return { api, clock, runner, abort, requests: http.requests };
}

const errorOf = (promise: Promise<unknown>): Promise<RunError> =>
  promise.then(
    () => Promise.reject(new Error('it did not throw')),
    (error) => error,
  );

/** The error of a call that is answered so, again and again. */
const errorAfter = (
  delivery: Delivery,
  call = (api: AgentApi): Promise<unknown> => api.createJob('x'),
) => errorOf(call(open(() => delivery).api));

const sendMessage = (api: AgentApi) => api.sendMessage('job_1', 'x');

describe('a request', () => {
  test('has the key, and nothing on the way changes its response', async () => {
    const { api, requests } = open(() => created);
    await api.createJob('für');
    await api.readJob('job_1');
    const headers = {
      accept: 'application/json',
      'accept-encoding': 'identity',
      authorization: 'Bearer mint_1',
      'user-agent': 'docs-agent-job',
    };
    expect(requests).toMatchObject([
      {
        method: 'POST',
        url: 'https://agent.example/v2/agent/p/job',
        headers: { ...headers, 'content-type': 'application/json' },
        body: '{"prompt":"für"}',
      },
      { method: 'GET', url: 'https://agent.example/v2/agent/p/job/job_1', headers },
    ]);
  });

  test.each(['a/b', '100%', '?a#b', 'ä😀'])(
    'keeps the id %s as one part of its path',
    async (id) => {
      const { api, requests } = open(() => answer(200, { id, status: 'active' }));
      await api.readJob(id);
      await api.sendMessage(id, 'x');
      const paths = requests.map(({ url }) => new URL(url).pathname.split('/'));
      expect(paths.map(([, ...parts]) => parts.map(decodeURIComponent))).toEqual([
        ['v2', 'agent', 'p', 'job', id],
        ['v2', 'agent', 'p', 'job', id, 'message'],
      ]);
    },
  );

  test('and its response are written as a debug line', async () => {
    const lines: string[] = [];
    const { api, runner } = open(() => answer(404, ''));
    runner.debug = (line?: () => string) => void lines.push(line?.() ?? '');
    await api.readJob('job_1');
    const url = 'https://agent.example/v2/agent/p/job/job_1';
    expect(lines).toEqual([`GET ${url}: HTTP 404 with an empty body`]);
  });

  test('is not sent while Node does not check certificates', () => {
    const message = /`NODE_TLS_REJECT_UNAUTHORIZED` is `0`.*`NODE_EXTRA_CA_CERTS`/;
    const facts = { name: 'RunError', call: { kind: 'not-accepted' } };
    const error = expect.objectContaining({ ...facts, message: expect.stringMatching(message) });
    expect(() => checkCertificates({ isTlsVerified: false })).toThrow(error);
  });
});

describe('a time limit', () => {
  test.each([
    { timeoutMs: 30 * MINUTE, connectTimeoutMs: 30_000 },
    { timeoutMs: 12_000, connectTimeoutMs: 12_000 },
  ])('of a connection is $connectTimeoutMs ms of $timeoutMs, and a write has all', async (row) => {
    const { api, requests } = open(() => created, row);
    await api.createJob('x');
    await api.readJob('job_1');
    expect(requests[0]).toMatchObject({
      ...row,
      responseLimit: { minMs: 10_000, maxMs: 300_000 },
      graceMs: 5_000,
      maxResponseBytes: 1_048_576,
    });
    const { connectTimeoutMs } = row;
    const limits = { connectTimeoutMs, timeoutMs: connectTimeoutMs, graceMs: 0 };
    expect(requests[1]).toMatchObject(limits);
    expect(requests[1]).not.toHaveProperty('responseLimit');
  });

  test.each([
    { timeoutMs: 1_800_000, leftMs: 10_000 },
    { timeoutMs: 20_000, leftMs: 10_000 },
    { timeoutMs: 4_000, leftMs: 2_000 },
  ])('of $timeoutMs ms lets a write begin with $leftMs ms left, not with less', async (row) => {
    const { api, clock, requests } = open(() => created, row);
    clock.pass(row.timeoutMs - row.leftMs);
    expect((await api.createJob('x')).id).toBe('job_1');
    clock.pass(1);
    expect(await errorOf(api.createJob('x'))).toMatchObject({
      name: 'RunError',
      call: { kind: 'not-accepted' },
      message: `No agent job was created, because less than ${row.leftMs / 1_000} s of \`timeout\` was left. Set a longer \`timeout\`.`,
    });
    expect(requests).toHaveLength(1);
  });
});

describe('a write that was not accepted', () => {
  const late = 'because less than 10 s of `timeout` would be left';
  test.each([
    { deadline: 10_749, sent: 1, why: `, not retried ${late}` },
    { deadline: 10_750, sent: 2, why: `, not retried again ${late}` },
    { deadline: 30 * MINUTE, sent: 6, why: ' (tried 6 times)' },
  ])('is sent $sent times with $deadline ms left', async ({ deadline, sent, why }) => {
    const { api, requests } = open(() => refused, { deadline });
    expect(await errorOf(api.createJob('x'))).toMatchObject({
      heading: 'The agent job could not be created',
      message: `No agent job was created: no connection could be made (\`refused\`)${why}. Check \`baseUrl\`, and the runner's proxy and firewall.`,
      call: { kind: 'not-accepted' },
    });
    expect(requests).toHaveLength(sent);
  });

  test('is not sent again when the pause took too long, and the error says what came before', async () => {
    const { api, clock, requests } = open(() => refused, { deadline: 10_750 });
    clock.sleep = async (ms) => clock.pass(ms + 1);
    expect(await errorOf(api.createJob('x'))).toMatchObject({
      message:
        'No agent job was created, because less than 10 s of `timeout` was left after a failed try: no connection could be made (`refused`). Set a longer `timeout`.',
      call: { kind: 'not-accepted' },
    });
    expect(requests).toHaveLength(1);
  });

  test.each([400, 401, 402, 403, 404, 409, 410, 413, 422])(
    'after %s is a refusal of the message, except after 401, 402, 403 and 413',
    async (status) => {
      const given = answer(status, { error: 'no' });
      const isRefusal = ![401, 402, 403, 413].includes(status);
      const notAccepted = { kind: 'not-accepted' };
      const reason = `HTTP ${status} (the service said \`no\`)`;
      const call = isRefusal ? { kind: 'refused', reason } : notAccepted;
      expect(await errorAfter(given, sendMessage)).toMatchObject({ call });
      expect(await errorAfter(given)).toMatchObject({ call: notAccepted });
    },
  );

  test('is an error that says so', async () => {
    const [said, advice] = ['HTTP 400 with an empty body', 'Check `prompt` and `projectId`'];
    expect(await errorAfter(answer(400, ''))).toMatchObject({
      heading: 'The agent job could not be created',
      message: `No agent job was created: ${said}. ${advice}.`,
      call: { kind: 'not-accepted' },
    });
    expect(await errorAfter(answer(400, ''), sendMessage)).toMatchObject({
      heading: 'The follow-up message could not be sent',
      message: `The message was not accepted: ${said}. ${advice}.`,
      call: { kind: 'refused', reason: said },
    });
  });

  test.each([
    { what: 'not sent', given: refused },
    { what: 'refused', given: answer(400, '') },
  ])('is a cancel when the step was cancelled and it was $what', async ({ given }) => {
    const { api, abort, requests } = open(() => {
      abort.abort(new CancelledError('SIGTERM'));
      return given;
    });
    const cancel = { name: 'CancelledError', signal: 'SIGTERM', call: { kind: 'not-accepted' } };
    expect(await errorOf(api.createJob('x'))).toMatchObject(cancel);
    // The step is cancelled before this one is sent.
    expect(await errorOf(api.createJob('x'))).toMatchObject(cancel);
    expect(requests).toHaveLength(1);
  });
});

describe('a write that is answered with 429', () => {
  const limit = (retryAfter?: string) => answer(429, { error: 'too many' }, retryAfter);

  test.each([
    { what: 'a create call', call: (api: AgentApi) => api.createJob('x') },
    { what: 'a message', call: sendMessage },
  ])('is sent again for only 10 minutes: $what', async ({ call }) => {
    const { api, clock } = open(() => limit());
    expect(await errorOf(call(api))).toMatchObject({
      message: expect.stringContaining(', retried for at most 10 min. '),
      call: { kind: 'not-accepted' },
    });
    // The longest pause is a minute.
    expect(clock.now()).toBeLessThanOrEqual(10 * MINUTE);
    expect(clock.now()).toBeGreaterThan(9 * MINUTE);
  });

  test.each<[promise: string, first: Delivery[], seconds: number, given: Given]>([
    ['as long as Retry-After asks for within that time', [], 500, {}],
    ['for a third of a longer timeout', [], 1_700, { timeoutMs: 90 * MINUTE }],
    ['for the whole of a shorter timeout', [], 20, { timeoutMs: 40_000 }],
    ['for 10 minutes from its first refusal, not from the first try', [refused], 600, {}],
  ])('waits %s', async (_promise, first, seconds, given) => {
    const { api, clock } = open(inTurn(...first, limit(`${seconds}`), created), given);
    clock.random = () => 0;
    expect((await api.createJob('x')).id).toBe('job_1');
    expect(clock.slept.at(-1)).toBe(seconds * 1_000);
  });

  // The clock of the fakes begins at midnight.
  test.each([
    {
      after: '2700',
      says: 'and asks to wait 45 min. Press "Re-run failed jobs" after 2026-01-01 00:46 UTC.',
    },
    { after: '9'.repeat(20), says: 'per project per hour. Press "Re-run failed jobs" later.' },
  ])('says how long the service asked to wait, and until when: $after', async ({ after, says }) => {
    expect((await errorAfter(limit(after))).message).toContain(says);
  });
});

describe('a write that may have been accepted', () => {
  test.each([
    { given: answer(502, '') },
    { given: answer(200, '') },
    { given: answer(500, { id: 'request_5' }) },
  ])('is an error that names the message: case %#', async ({ given }) => {
    expect(await errorAfter(given, sendMessage)).toMatchObject({
      heading: 'The follow-up message may have been accepted',
      call: { kind: 'in-doubt', namedId: undefined },
    });
  });

  test('is an error whose cause is what was thrown while the answer was read', async () => {
    const cause = new TypeError('a bug');
    const { api } = open(() => {
      throw cause;
    });
    const message = /^`a bug`, so the service may have accepted the request\.$/;
    const error = { call: { kind: 'in-doubt' }, cause, message: expect.stringMatching(message) };
    expect(await errorOf(api.createJob('x'))).toMatchObject(error);
  });

  const lost: Delivery = { kind: 'lost', error: 'it was stopped' };
  test.each([
    { what: 'without a response', given: lost, namedId: undefined },
    { what: 'with the id in its response', given: answer(502, { id: 'job_7' }), namedId: 'job_7' },
  ])('is a cancel $what when the step was cancelled', async ({ given, namedId }) => {
    const { api, abort } = open(() => {
      abort.abort(new CancelledError('SIGINT'));
      return given;
    });
    const cancel = {
      name: 'CancelledError',
      signal: 'SIGINT',
      call: { kind: 'in-doubt', namedId },
    };
    expect(await errorOf(api.createJob('x'))).toMatchObject(cancel);
  });

  test('is not reported as a cancel when an unexpected error stopped the run', async () => {
    const { api, abort } = open(() => {
      abort.abort(new TypeError('a bug'));
      return lost;
    });
    const error = { name: 'RunError', call: { kind: 'in-doubt' } };
    expect(await errorOf(api.createJob('x'))).toMatchObject(error);
  });
});

describe('secrets', () => {
  const long = `${'x'.repeat(496)}hunter2`;
  const body = { kind: 'cut', error: long, received: long } as const;

  test.each<{ of: string; given: Delivery }>([
    { of: 'JSON', given: answer(403, { error: long }) },
    { of: 'text', given: answer(403, long) },
    { of: 'a response that broke', given: { kind: 'response', status: 403, headers: {}, body } },
  ])('are removed from a quote of $of before it is cut', async ({ given }) => {
    const { api, runner } = open(() => given);
    runner.redact = (text) => text.replaceAll('hunter2', '***');
    expect((await errorOf(api.createJob('x'))).message).toContain('xxx***`');
  });

  test('stay in what is used: ids, links and the end of an agent job', async () => {
    const job = { id: 'agent_1', status: 'completed', prLink: 'https://github.com/a/b/pull/1' };
    const { api, runner } = open(() => answer(200, job));
    runner.redact = (text) => text.replaceAll(/agent_|completed|github/g, '***');
    expect(await api.readJob('agent_1')).toMatchObject({ kind: 'job', job });
  });
});

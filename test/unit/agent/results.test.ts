import { describe, expect, test } from 'vitest';
import { createAgentApi } from '../../../src/agent/api.ts';
import { describeDelivery, resultOf } from '../../../src/agent/results.ts';
import { decideAfter, initialWaitState } from '../../../src/agent/wait-decision.ts';
import { type Delivery, PROXY_NOT_SUPPORTED } from '../../../src/effects/effects.ts';
import type { RunError } from '../../../src/lib/errors.ts';
import { quote } from '../../../src/lib/escape.ts';
import { answer, fakeEffects } from '../../support/fakes.ts';

const NOW = Date.UTC(2026, 10, 21, 8, 0, 0);
const JOB = { id: 'job_1', status: 'active' };
const DONE = { id: 'job_1', status: 'completed', prLink: 'https://github.com/a/b/pull/1' };

const notSent = (code: string): Delivery => ({ kind: 'not-sent', error: 'no', code });
const lost: Delivery = { kind: 'lost', error: 'socket hang up' };
const cutOff = (status: number, received: string, retryAfter?: string): Delivery => ({
  kind: 'response',
  status,
  headers: retryAfter === undefined ? {} : { 'retry-after': retryAfter },
  body: { error: 'cut', received },
});

/** What becomes of a create call whose every delivery is this one. */
async function fateOf(delivery: Delivery): Promise<string> {
  const effects = fakeEffects(() => delivery);
  const access = { baseUrl: '', projectId: 'p', adminApiKey: 'k' };
  const api = createAgentApi({ ...access, timeoutMs: 60_000, deadline: 60_000 }, effects);
  const fate = await api.createJob('x').then(
    () => 'accepted',
    ({ mayBeAccepted }: RunError) => (mayBeAccepted ? 'unknown' : 'refused'),
  );
  return effects.http.requests.length > 1 ? 'sent again' : fate;
}

/** What the wait for an agent job does after one read. */
function readFateOf(delivery: Delivery): string {
  const origin = { kind: 'given' } as const;
  const plan = { pollIntervalMs: 1_000, deadline: 60_000, origin, isSingleRead: false };
  const at = { plan, now: 0, random: 0, show: quote };
  const read = resultOf(delivery, 'job_1', NOW);
  if (read.kind === 'job') return 'job';
  const decision = decideAfter(at, initialWaitState(at, undefined), read);
  return decision.action === 'pause' ? 'temporary' : decision.ending.kind;
}

const cut: Delivery = { kind: 'not-sent', error: 'no', code: 'EPIPE', isCut: true };

describe('a write', () => {
  test.each<readonly [string, string, Delivery]>([
    ['that was never sent', 'sent again', notSent('ECONNREFUSED')],
    ['whose last byte had not left', 'sent again', cut],
    ['without a response', 'unknown', lost],
    ['answered with 200 and an agent job', 'accepted', answer(200, JOB)],
    ['answered with 299 and an agent job', 'accepted', answer(299, JOB)],
    ['answered with 200 and nothing', 'unknown', answer(200, '')],
    ['whose response was cut', 'unknown', cutOff(201, '{"id')],
    ['answered with 199 and an agent job', 'unknown', answer(199, JOB)],
    ['answered with 300 and an agent job', 'unknown', answer(300, JOB)],
    ['answered with 302 and an agent job that has ended', 'unknown', answer(302, DONE)],
    ...[400, 401, 404, 410, 499].map(
      (n) => [`answered with ${n}`, 'refused', answer(n, '')] as const,
    ),
    ...[408, 500, 502, 503, 599].map(
      (n) => [`answered with ${n}`, 'unknown', answer(n, '')] as const,
    ),
    ['answered with 503 and Retry-After', 'unknown', answer(503, '', '0')],
    ['answered with 429', 'sent again', answer(429, '')],
    ['answered with 429 whose body was cut', 'sent again', cutOff(429, '')],
  ])('%s is %s', async (_what, fate, delivery) => {
    expect(await fateOf(delivery)).toBe(fate);
  });

  test.each([
    { of: 'a create call', body: '{"id":"job_1","sta', jobId: undefined, id: 'job_1' },
    { of: 'a message', body: '', jobId: 'job_7', id: 'job_7' },
  ])('whose response was cut keeps the id of $of', ({ body, jobId, id }) => {
    expect(resultOf(cutOff(201, body), jobId, NOW)).toMatchObject({ kind: 'unclear', id });
  });
});

describe('a read', () => {
  const temporary = [408, 425, 429, 500, 599];
  test.each<readonly [string, string, Delivery]>([
    ['with the agent job', 'job', answer(200, DONE)],
    ['without a response', 'temporary', lost],
    ['that was never sent', 'temporary', notSent('ECONNREFUSED')],
    ['whose response was cut', 'temporary', cutOff(200, '{')],
    ['whose response is not JSON', 'temporary', answer(200, '<p>')],
    ['whose response only begins as JSON', 'temporary', answer(200, '{"id":"job_1" "x"}')],
    ['about another agent job', 'temporary', answer(200, { ...DONE, id: 'job_2' })],
    ['answered with 199 and an agent job that has ended', 'temporary', answer(199, DONE)],
    ['answered with 300 and an agent job that has ended', 'temporary', answer(300, DONE)],
    ...temporary.map((n) => [`answered with ${n}`, 'temporary', answer(n, '', '1')] as const),
    ...[400, 401, 403, 409].map(
      (n) => [`answered with ${n}`, 'unreadable', answer(n, '')] as const,
    ),
    ['answered with 404', 'not-found', answer(404, '')],
    ['answered with 410', 'not-found', answer(410, '')],
  ])('%s is %s', (_what, fate, delivery) => {
    expect(readFateOf(delivery)).toBe(fate);
  });
});

describe('a text from outside is quoted without secrets', () => {
  const show = (text: string) => `<${text.replaceAll('s3cret', '***')}>`;

  test.each<{ what: string; delivery: Delivery }>([
    { what: 'in an error of the service', delivery: answer(200, { error: 'is s3cret' }) },
    { what: 'in a body', delivery: answer(200, 'is s3cret') },
    {
      what: 'in the id of another agent job',
      delivery: answer(200, { id: 's3cret', status: 'x' }),
    },
    {
      what: 'in the reason why a response was cut',
      delivery: {
        kind: 'response',
        status: 200,
        headers: {},
        body: { error: 'coding s3cret', received: '{"s3cret' },
      },
    },
    {
      what: 'in an error of a connection',
      delivery: { ...notSent('X'), error: 's3cret' } as Delivery,
    },
    { what: 'after a lost response', delivery: { kind: 'lost', error: 's3cret' } },
  ])('$what', ({ delivery }) => {
    const texts = [
      describeDelivery(delivery, show),
      JSON.stringify(resultOf(delivery, 'job_1', NOW, show)),
    ];
    expect(texts.join()).toContain('***');
    expect(texts.join()).not.toContain('s3cret');
  });
});

// https://nodejs.org/api/tls.html#x509-certificate-error-codes
describe('a connection', () => {
  test.each([
    { code: 'UNABLE_TO_VERIFY_LEAF_SIGNATURE', advice: /NODE_EXTRA_CA_CERTS/ },
    { code: 'SELF_SIGNED_CERT_IN_CHAIN', advice: /NODE_EXTRA_CA_CERTS/ },
    { code: 'DEPTH_ZERO_SELF_SIGNED_CERT', advice: /NODE_EXTRA_CA_CERTS/ },
    { code: 'UNABLE_TO_GET_ISSUER_CERT_LOCALLY', advice: /NODE_EXTRA_CA_CERTS/ },
    { code: 'CERT_HAS_EXPIRED', advice: /not valid today/ },
    { code: 'CERT_NOT_YET_VALID', advice: /not valid today/ },
    { code: 'ERR_TLS_CERT_ALTNAME_INVALID', advice: /belongs to another host/ },
    { code: 'EPROTO', advice: /does not speak TLS/ },
    { code: 'ERR_SSL_WRONG_VERSION_NUMBER', advice: /does not speak TLS/ },
    { code: PROXY_NOT_SUPPORTED, advice: /Set `https_proxy`/ },
  ])(
    'that failed with $code is not retried, and the advice says what to fix',
    async ({ code, advice }) => {
      expect(await fateOf(notSent(code))).toBe('refused');
      expect(readFateOf(notSent(code))).toBe('unreadable');
      expect(resultOf(notSent(code), undefined, NOW)).toMatchObject({
        kind: 'untrusted',
        advice: expect.stringMatching(advice),
      });
    },
  );

  test.each([{ code: 'ECONNREFUSED' }, { code: 'ENOTFOUND' }, { code: 'ERR_PROXY' }])(
    'that failed with $code is retried',
    async ({ code }) => {
      expect(await fateOf(notSent(code))).toBe('sent again');
      expect(readFateOf(notSent(code))).toBe('temporary');
    },
  );
});

describe('the error text of an answer', () => {
  test.each([
    {
      promise: "is the answer's `error`",
      body: '{"error":"Project not found"}',
      said: 'HTTP 404 (the service said `Project not found`)',
    },
    {
      promise: 'is the whole body when there is no `error` in it',
      body: '{"message":"x"}',
      said: 'HTTP 404 (the service said `{"message":"x"}`)',
    },
    {
      promise: 'is the trimmed body when it is not JSON',
      body: ' Bad gateway\n',
      said: 'HTTP 404 (the service said `Bad gateway`)',
    },
    {
      promise: 'is the heading of a web page',
      body: ' <h1>Bad gateway</h1>\n',
      said: 'HTTP 404 (the service said `a web page: Bad gateway`)',
    },
    { promise: 'says when the body is empty', body: '', said: 'HTTP 404 with an empty body' },
  ])('$promise', ({ body, said }) => {
    expect(resultOf(answer(404, body), undefined, NOW)).toMatchObject({ error: said });
  });
});

describe('the result of a request', () => {
  const redirect = 'a redirect, which is not followed. Check `baseUrl`';
  test.each<{ delivery: Delivery; description: string }>([
    { delivery: notSent('ENOTFOUND'), description: 'no connection could be made (`no`)' },
    {
      delivery: { kind: 'not-sent', error: 'write EPIPE', code: 'EPIPE', isCut: true },
      description: 'the connection failed before the whole request was sent (`write EPIPE`)',
    },
    {
      delivery: lost,
      description: 'the request was sent, but no response came (`socket hang up`)',
    },
    {
      delivery: cutOff(200, '{'),
      description: 'HTTP 200, and the rest of the response could not be read (`cut`)',
    },
    { delivery: answer(299, 'x'), description: 'HTTP 299 (the service said `x`)' },
    { delivery: answer(300, 'x'), description: `HTTP 300, ${redirect}` },
    { delivery: answer(399, 'x'), description: `HTTP 399, ${redirect}` },
    { delivery: answer(400, 'x'), description: 'HTTP 400 (the service said `x`)' },
  ])('is described: $description', ({ delivery, description }) => {
    expect(describeDelivery(delivery)).toBe(description);
  });

  test.each([
    { body: ' \n', error: 'HTTP 200 with an empty body' },
    { body: 'hello', error: 'HTTP 200, but the response is not JSON: `hello`' },
  ])('is described when $body is not an agent job', ({ body, error }) => {
    expect(resultOf(answer(200, body), 'job_1', NOW)).toMatchObject({ kind: 'unclear', error });
  });
});

describe('the advice', () => {
  test.each([
    { status: 400, advice: /^Check `prompt` and `projectId`\.$/ },
    { status: 401, advice: /^Check `adminApiKey`: it was refused or has expired\.$/ },
    { status: 402, advice: /plan and the credits/ },
    { status: 403, advice: /wrong scope, or the IP address of this runner/ },
    { status: 404, advice: /^Check `projectId`\.$/ },
    { status: 413, advice: /Shorten it, or use `changes: files`/ },
    { status: 422, advice: /^Check `prompt` and `projectId`\.$/ },
    { status: 429, advice: /100 new agent jobs and messages per project per hour/ },
    { status: 418, advice: /^Run this again later\.$/ },
  ])('after HTTP $status says what to do next', ({ status, advice }) => {
    expect(resultOf(answer(status, ''), undefined, 0)).toMatchObject({
      advice: expect.stringMatching(advice),
    });
  });

  test('after a connection failed that may work later says what to check', () => {
    expect(resultOf(notSent('ECONNREFUSED'), undefined, 0)).toMatchObject({
      kind: 'unsent',
      advice: "Check `baseUrl`, and the runner's proxy and firewall.",
    });
  });
});

import { describe, expect, test } from 'vitest';
import { createAgentApi } from '../../../src/agent/api.ts';
import { describeDelivery, resultOf } from '../../../src/agent/results.ts';
import { decideAfter, initialWaitState } from '../../../src/agent/wait-decision.ts';
import { type Delivery, PROXY_NOT_SUPPORTED } from '../../../src/effects/effects.ts';
import type { RunError } from '../../../src/lib/errors.ts';
import { quote } from '../../../src/lib/text.ts';
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
  const plan = { pollIntervalMs: 1_000, deadline: 60_000 };
  const at = { plan, now: 0, random: 0, show: quote };
  const read = resultOf(delivery, 'job_1', NOW);
  if (read.kind === 'job') return 'job';
  const decision = decideAfter(at, initialWaitState(at, undefined), read);
  return decision.action === 'pause' ? 'temporary' : decision.ending.kind;
}

describe('a write', () => {
  test.each<{ promise: string; delivery: Delivery; fate: string }>([
    {
      promise: 'that was never sent is sent again',
      delivery: notSent('ECONNREFUSED'),
      fate: 'sent again',
    },
    { promise: 'without an answer is unknown', delivery: lost, fate: 'unknown' },
    {
      promise: 'answered with 200 and an agent job is accepted',
      delivery: answer(200, JOB),
      fate: 'accepted',
    },
    {
      promise: 'answered with 201 and an agent job is accepted',
      delivery: answer(201, JOB),
      fate: 'accepted',
    },
    {
      promise: 'answered with 200 and nothing is unknown',
      delivery: answer(200, ''),
      fate: 'unknown',
    },
    {
      promise: 'whose answer was cut is unknown',
      delivery: cutOff(201, '{"id'),
      fate: 'unknown',
    },
    { promise: 'answered with 101 is unknown', delivery: answer(101, JOB), fate: 'unknown' },
    {
      promise: 'answered with 300 and an agent job is unknown',
      delivery: answer(300, JOB),
      fate: 'unknown',
    },
    { promise: 'answered with 301 is unknown', delivery: answer(301, ''), fate: 'unknown' },
    {
      promise: 'answered with 302 and an agent job that has ended is unknown',
      delivery: answer(302, DONE),
      fate: 'unknown',
    },
    { promise: 'answered with 400 is refused', delivery: answer(400, ''), fate: 'refused' },
    { promise: 'answered with 401 is refused', delivery: answer(401, ''), fate: 'refused' },
    { promise: 'answered with 404 is refused', delivery: answer(404, ''), fate: 'refused' },
    { promise: 'answered with 408 is unknown', delivery: answer(408, ''), fate: 'unknown' },
    { promise: 'answered with 429 is sent again', delivery: answer(429, ''), fate: 'sent again' },
    {
      promise: 'answered with 429 whose body was cut is sent again',
      delivery: cutOff(429, ''),
      fate: 'sent again',
    },
    { promise: 'answered with 500 is unknown', delivery: answer(500, ''), fate: 'unknown' },
    {
      promise: 'answered with 500 and Retry-After is unknown',
      delivery: answer(500, '', '1'),
      fate: 'unknown',
    },
    {
      promise: 'answered with 502 and Retry-After is unknown',
      delivery: answer(502, '', '1'),
      fate: 'unknown',
    },
    { promise: 'answered with 503 is unknown', delivery: answer(503, ''), fate: 'unknown' },
    {
      promise: 'answered with 503 and Retry-After is unknown',
      delivery: answer(503, '', '0'),
      fate: 'unknown',
    },
    {
      promise: 'whose last byte had not left is sent again',
      delivery: { ...notSent('EPIPE'), isCut: true } as Delivery,
      fate: 'sent again',
    },
    { promise: 'answered with 504 is unknown', delivery: answer(504, ''), fate: 'unknown' },
  ])('$promise', async ({ delivery, fate }) => {
    expect(await fateOf(delivery)).toBe(fate);
  });

  test('whose answer was cut after the id keeps the id', () => {
    const delivery = cutOff(201, '{"id":"job_1","sta');
    expect(resultOf(delivery, undefined, NOW)).toMatchObject({ kind: 'unclear', id: 'job_1' });
  });

  test('of a message whose answer was cut keeps the id of its agent job', () => {
    expect(resultOf(cutOff(200, ''), 'job_7', NOW)).toMatchObject({
      kind: 'unclear',
      id: 'job_7',
    });
  });

  test('says how long Retry-After asks to wait', () => {
    expect(resultOf(answer(429, '', '7'), undefined, NOW)).toMatchObject({
      retryAfterMs: 7_000,
    });
  });
});

describe('a read', () => {
  test.each<{ promise: string; delivery: Delivery; fate: string }>([
    { promise: 'with the agent job returns it', delivery: answer(200, DONE), fate: 'job' },
    { promise: 'without an answer is temporary', delivery: lost, fate: 'temporary' },
    {
      promise: 'that was never sent is temporary',
      delivery: notSent('ECONNREFUSED'),
      fate: 'temporary',
    },
    { promise: 'whose answer was cut is temporary', delivery: cutOff(200, '{'), fate: 'temporary' },
    {
      promise: 'whose answer is not JSON is temporary',
      delivery: answer(200, '<p>'),
      fate: 'temporary',
    },
    {
      promise: 'whose answer begins with an id but is not valid JSON is temporary',
      delivery: answer(200, '{"id":"job_1" "x"}'),
      fate: 'temporary',
    },
    {
      promise: 'whose answer is about another agent job is temporary',
      delivery: answer(200, { id: 'job_2', status: 'completed' }),
      fate: 'temporary',
    },
    {
      promise: 'answered with 302 and an agent job that has ended is temporary',
      delivery: answer(302, DONE),
      fate: 'temporary',
    },
    ...[101, 300].map((status) => ({
      promise: `answered with ${status} and an agent job that has ended is temporary`,
      delivery: answer(status, DONE),
      fate: 'temporary',
    })),
    ...[408, 425, 429, 500, 502, 503, 504, 599].map((status) => ({
      promise: `answered with ${status} is temporary`,
      delivery: answer(status, ''),
      fate: 'temporary',
    })),
    ...[400, 401, 403, 409].map((status) => ({
      promise: `answered with ${status} is refused`,
      delivery: answer(status, ''),
      fate: 'unreadable',
    })),
    ...[404, 410].map((status) => ({
      promise: `answered with ${status} is not found`,
      delivery: answer(status, ''),
      fate: 'not-found',
    })),
  ])('$promise', ({ delivery, fate }) => {
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
      promise: 'is the title of a web page',
      body: '<!DOCTYPE html><html><head><title> Sign in </title></head></html>',
      said: 'HTTP 404 (the service said `a web page: Sign in`)',
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

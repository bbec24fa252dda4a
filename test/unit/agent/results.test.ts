import { describe, expect, test } from 'vitest';
import { createAgentApi } from '../../../src/agent/api.ts';
import { describeDelivery, resultOf } from '../../../src/agent/results.ts';
import { decideAfter, initialWaitState } from '../../../src/agent/wait-decision.ts';
import { type Delivery, PROXY_NOT_SUPPORTED } from '../../../src/effects/effects.ts';
import type { RunError } from '../../../src/model/run-error.ts';
import { quote } from '../../../src/text/escape.ts';
import { answer, fakeEffects } from '../../support/fakes.ts';

const NOW = Date.UTC(2026, 10, 21, 8, 0, 0);
const DONE = { id: 'job_1', status: 'completed', prLink: 'https://github.com/a/b/pull/1' };

const notSent = (code: string, error = 'no'): Delivery => ({ kind: 'not-sent', error, code });
const lost: Delivery = { kind: 'lost', error: 'socket hang up' };
const CREATE = { kind: 'create' } as const;
const READ = { kind: 'read', jobId: 'job_1' } as const;

const cutOff = (status: number, received: string, error = 'cut'): Delivery => ({
  kind: 'response',
  status,
  headers: {},
  body: { kind: 'cut', error, received },
});

/** What becomes of a create call whose every delivery is this one. */
async function writeFateOf(delivery: Delivery): Promise<string> {
  const effects = fakeEffects(() => delivery);
  const access = { baseUrl: '', projectId: 'p', adminApiKey: 'k' };
  const api = createAgentApi({ ...access, timeoutMs: 60_000, deadline: 60_000 }, effects);
  const fate = await api.createJob('x').then(
    () => 'accepted',
    ({ call }: RunError) => (call.kind === 'in-doubt' ? 'unknown' : 'refused'),
  );
  return effects.http.requests.length > 1 ? 'sent again' : fate;
}

/** What the wait for an agent job does after one read. */
function readFateOf(delivery: Delivery): string {
  const plan = {
    pollIntervalMs: 1_000,
    deadline: 60_000,
    messagedAtMs: undefined,
    isSingleRead: false,
  };
  const at = { plan, now: 0, random: 0, show: quote };
  const read = resultOf(delivery, READ, NOW);
  if (read.kind === 'job') return 'job';
  const decision = decideAfter(at, initialWaitState(0, undefined), read);
  return decision.action === 'pause' ? 'temporary' : decision.ending.kind;
}

// What has a test of its own over HTTP (at-most-once, reading) is not here.
describe('a request', () => {
  const ended = 'and an agent job that has ended';
  test.each<[what: string, write: string, read: string, delivery: Delivery]>([
    ['that a proxy refuses', 'sent again', 'temporary', notSent('ERR_PROXY_TUNNEL')],
    [`answered with 299 ${ended}`, 'accepted', 'job', answer(299, DONE)],
    [`answered with 199 ${ended}`, 'unknown', 'temporary', answer(199, DONE)],
    [`answered with 300 ${ended}`, 'unknown', 'temporary', answer(300, DONE)],
    ['about another agent job', 'accepted', 'temporary', answer(200, { ...DONE, id: 'job_2' })],
    ['that only begins as JSON', 'unknown', 'temporary', answer(200, '{"id":"job_1" "x"}')],
    ['answered with 599', 'unknown', 'temporary', answer(599, '', '0')],
    ['answered with 425', 'refused', 'temporary', answer(425, '')],
    ['answered with 429 that was cut', 'sent again', 'temporary', cutOff(429, '')],
    ['answered with 499', 'refused', 'unreadable', answer(499, '')],
    ['answered with 404', 'refused', 'temporary', answer(404, '')],
    ['answered with 410', 'refused', 'not-found', answer(410, '')],
  ])('%s is %s as a write, and %s as a read', async (_what, write, read, delivery) => {
    expect([await writeFateOf(delivery), readFateOf(delivery)]).toEqual([write, read]);
  });

  // https://nodejs.org/api/tls.html#x509-certificate-error-codes
  test.each([
    { code: 'UNABLE_TO_VERIFY_LEAF_SIGNATURE', advice: /NODE_EXTRA_CA_CERTS/ },
    { code: 'SELF_SIGNED_CERT_IN_CHAIN', advice: /NODE_EXTRA_CA_CERTS/ },
    { code: 'DEPTH_ZERO_SELF_SIGNED_CERT', advice: /NODE_EXTRA_CA_CERTS/ },
    { code: 'CERT_HAS_EXPIRED', advice: /not valid today/ },
    { code: 'CERT_NOT_YET_VALID', advice: /not valid today/ },
    { code: 'ERR_TLS_CERT_ALTNAME_INVALID', advice: /belongs to another host/ },
    { code: 'EPROTO', advice: /does not speak TLS/ },
    { code: 'ERR_SSL_WRONG_VERSION_NUMBER', advice: /does not speak TLS/ },
    { code: PROXY_NOT_SUPPORTED, advice: /Use an `http:\/\/` or `https:\/\/` proxy/ },
  ])('that failed with $code is not sent again, and the advice fits', async ({ code, advice }) => {
    const fates = [await writeFateOf(notSent(code)), readFateOf(notSent(code))];
    expect(fates).toEqual(['refused', 'unreadable']);
    const result = { kind: 'untrusted', advice: expect.stringMatching(advice) };
    expect(resultOf(notSent(code), CREATE, NOW)).toMatchObject(result);
  });

  test.each([
    { of: 'a create call names its id', operation: CREATE, namedId: 'job_1' },
    {
      of: 'a message names none, because that is known',
      operation: { kind: 'message', jobId: 'job_1' } as const,
      namedId: undefined,
    },
  ])('whose response was cut: $of', ({ operation, namedId }) => {
    const given = cutOff(201, '{"id":"job_1","sta');
    expect(resultOf(given, operation, NOW)).toMatchObject({ kind: 'unclear', namedId });
  });
});

test.each<{ where: string; delivery: Delivery }>([
  { where: 'an error of the service', delivery: answer(200, { error: 'is s3cret' }) },
  { where: 'a body', delivery: answer(200, 'is s3cret') },
  { where: 'the title of a web page', delivery: answer(502, '<title>s3</cret></title>') },
  { where: 'the id of another agent job', delivery: answer(200, { id: 's3cret', status: 'x' }) },
  { where: 'why a response was cut', delivery: cutOff(200, '{"s3cret', 'coding s3cret') },
  { where: 'an error of a connection', delivery: notSent('X', 's3cret') },
  { where: 'the error after a lost response', delivery: { kind: 'lost', error: 's3cret' } },
])('what is quoted of $where has no secret', ({ delivery }) => {
  const clean = (text: string) => text.replaceAll('s3cret', '***').replaceAll('s3</cret', '***');
  const result = resultOf(delivery, READ, NOW, clean);
  const texts = `${describeDelivery(delivery, clean)} ${JSON.stringify(result)}`;
  expect(texts).toContain('***');
  expect(texts).not.toMatch(/s3/);
});

describe('the description of a result', () => {
  const redirect = 'a redirect, which is not followed (check `baseUrl`)';
  test.each<[description: string, delivery: Delivery]>([
    ['no connection could be made (`no`)', notSent('ENOTFOUND')],
    ['the request was sent, but no response came (`socket hang up`)', lost],
    ['HTTP 200, and the rest of the response could not be read (`cut`)', cutOff(200, '{')],
    ['HTTP 299 (the service said `x`)', answer(299, 'x')],
    [`HTTP 300, ${redirect}`, answer(300, 'x')],
    [`HTTP 399, ${redirect}`, answer(399, 'x')],
    ['HTTP 400 (the service said `x`)', answer(400, ' x\n')],
    ['HTTP 404 with an empty body', answer(404, '')],
    ['HTTP 404 (the service said `Not found`)', answer(404, { error: 'Not found' })],
    ['HTTP 404 (the service said `{"message":"x"}`)', answer(404, { message: 'x' })],
    ['HTTP 404 (the service said `a web page: Bad gateway`)', answer(404, ' <h1>Bad gateway</h1>')],
    [
      'HTTP 404 (the service said `a web page`)',
      answer(404, `<html><title>${'x'.repeat(20_000)}</title>`),
    ],
  ])('is %s', (description, delivery) => {
    expect(describeDelivery(delivery)).toBe(description);
  });

  test.each([
    { body: ' \n', error: 'HTTP 200 with an empty body' },
    { body: 'hello', error: 'HTTP 200, but the response is not JSON: `hello`' },
  ])('is "$error" when it is no agent job', ({ body, error }) => {
    expect(resultOf(answer(200, body), READ, NOW)).toMatchObject({ kind: 'unclear', error });
  });
});

test.each([
  { status: 402, advice: /plan and the credits/ },
  {
    status: 404,
    advice: /^Check `projectId`, and that the key belongs to the same Mintlify organization\.$/,
  },
  { status: 413, advice: /^Shorten the prompt, or include less of the changes/ },
  { status: 422, advice: /^Check `prompt` and `projectId`\.$/ },
  { status: 429, advice: /100 new agent jobs and messages per project per hour/ },
])('the advice after HTTP $status says what to do next', ({ status, advice }) => {
  const result = { advice: expect.stringMatching(advice) };
  expect(resultOf(answer(status, ''), CREATE, 0)).toMatchObject(result);
});

test.each([400, 404, 410, 422])(
  'the advice after a read with HTTP %d names no prompt',
  (status) => {
    const advice = 'Check `projectId`, and `jobId` if it was given.';
    expect(resultOf(answer(status, ''), READ, 0)).toMatchObject({ advice });
  },
);

test('there is no advice of its own after HTTP 418', () => {
  expect(resultOf(answer(418, ''), CREATE, 0)).toMatchObject({ advice: undefined });
});

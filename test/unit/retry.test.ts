import { expect, test } from 'vitest';
import type { Delivery } from '../../src/effects/effects.ts';
import {
  backoffMs,
  fateOfWrite,
  isPassing,
  isTrustFault,
  parseRetryAfter,
  requestTimeoutMs,
} from '../../src/retry.ts';
import { answer } from '../support/fakes.ts';

const NOW = Date.UTC(2026, 10, 21, 8, 0, 0);

test.each<readonly [Delivery, string]>([
  [{ kind: 'not-sent', fault: '', code: 'ECONNREFUSED' }, 'not-taken'],
  [{ kind: 'lost', fault: '' }, 'unknown'],
  [answer(200, ''), 'answered'],
  [answer(201, ''), 'answered'],
  [{ kind: 'answer', status: 201, retryAfter: undefined, body: { fault: 'cut' } }, 'unknown'],
  [answer(101, ''), 'unknown'],
  [answer(301, ''), 'unknown'],
  [answer(400, ''), 'refused'],
  [answer(401, ''), 'refused'],
  [answer(404, ''), 'refused'],
  [answer(408, ''), 'unknown'],
  [answer(429, ''), 'not-taken'],
  [{ kind: 'answer', status: 429, retryAfter: undefined, body: { fault: 'cut' } }, 'not-taken'],
  [answer(500, ''), 'unknown'],
  [answer(500, '', '1'), 'unknown'],
  [answer(502, '', '1'), 'unknown'],
  [answer(503, ''), 'unknown'],
  [answer(503, '', 'soon'), 'unknown'],
  [answer(503, '', '0'), 'not-taken'],
  [answer(504, ''), 'unknown'],
])('%j: %s', (delivery, fate) => {
  expect(fateOfWrite(delivery, NOW)).toBe(fate);
});

test.each([
  [undefined, undefined],
  ['0', 0],
  ['120', 120_000],
  ['1.5', undefined],
  ['-1', undefined],
  ['', undefined],
  ['soon', undefined],
  ['2026', 2_026_000],
  ['Sat, 21 Nov 2026 08:00:30 GMT', 30_000],
  ['Sat, 21 Nov 2026 07:00:00 GMT', 0],
  ['Sat, 32 Nov 2026 08:00:30 GMT', undefined],
  ['2026-11-21T08:00:30Z', undefined],
])('Retry-After %s is %s ms', (header, ms) => {
  expect(parseRetryAfter(header, NOW)).toBe(ms);
});

test.each([
  [1, 0, 500],
  [1, 1, 1_000],
  [2, 0, 1_000],
  [6, 0, 16_000],
  [7, 0, 30_000],
  [7, 1, 60_000],
  [5_000, 1, 60_000],
])('after %s failures with chance %s: %s ms', (failures, random, ms) => {
  expect(backoffMs(failures, undefined, random)).toBe(ms);
});

test('the other side can ask for more than a minute, and not for less than the back-off', () => {
  expect([backoffMs(1, 300_000, 0), backoffMs(7, 1, 0)]).toEqual([300_000, 30_000]);
});

test.each([
  [408, true],
  [425, true],
  [429, true],
  [500, true],
  [599, true],
  [400, false],
  [401, false],
  [403, false],
  [404, false],
  [409, false],
])('a read answered with %s is tried again: %s', (status, expected) => {
  expect(isPassing(status)).toBe(expected);
});

test.each([
  ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', true],
  ['SELF_SIGNED_CERT_IN_CHAIN', true],
  ['CERT_HAS_EXPIRED', true],
  ['ERR_TLS_CERT_ALTNAME_INVALID', true],
  ['EPROTO', true],
  ['ECONNREFUSED', false],
  ['ENOTFOUND', false],
  ['ERR_PROXY_TUNNEL', false],
])('%s is a matter of trust: %s', (code, expected) => {
  expect(isTrustFault(code)).toBe(expected);
});

test.each([
  [90_000, 30_000],
  [2_933.834, 2_934],
  [0, 1],
  [-5, 1],
])('with %s ms left a request may take %s ms', (leftMs, ms) => {
  expect(requestTimeoutMs(leftMs)).toBe(ms);
});

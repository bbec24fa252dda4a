import { once } from 'node:events';
import net from 'node:net';
import { expect, test } from 'vitest';
import { isStrayConnectionError } from '../../../src/effects/process.ts';

test('a refused connection is a connection error', async () => {
  const [error] = await once(net.connect(1, '127.0.0.1'), 'error');
  expect(isStrayConnectionError(error)).toBe(true);
});

// https://nodejs.org/api/errors.html#nodejs-error-codes
test.each([
  { what: 'a reset', error: { syscall: 'read', code: 'ECONNRESET' }, expected: true },
  { what: 'a broken pipe', error: { syscall: 'write', code: 'EPIPE' }, expected: true },
  { what: 'a TLS alert', error: { code: 'ERR_SSL_TLSV1_ALERT_UNKNOWN_CA' }, expected: true },
  { what: 'an HTTP parser error', error: { code: 'HPE_INVALID_CONSTANT' }, expected: true },
  { what: 'a missing file', error: { syscall: 'open', code: 'ENOENT' }, expected: false },
  { what: 'a bad argument', error: { code: 'ERR_INVALID_ARG_TYPE' }, expected: false },
  { what: 'an error without a code', error: {}, expected: false },
])('$what is a connection error: $expected', ({ error, expected }) => {
  expect(isStrayConnectionError(Object.assign(new Error('x'), error))).toBe(expected);
});

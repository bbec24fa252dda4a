import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { bodyOf } from '../../../src/effects/body.ts';

const TEXT = '{"id":"job_1","model":"für 😀"}';
const BYTES = Buffer.from(TEXT);

// https://www.rfc-editor.org/rfc/rfc9110#section-8.4.1
describe('a body', () => {
  test.each([
    ['gzip', gzipSync(BYTES)],
    ['x-gzip', gzipSync(BYTES)],
    [' GZip ', gzipSync(BYTES)],
    ['identity', BYTES],
    ['', BYTES],
  ])('in the coding "%s" is read', (coding, body) => {
    expect(bodyOf(body, { 'content-encoding': coding }, 1_000)).toEqual({
      kind: 'whole',
      text: TEXT,
    });
  });

  test.each([
    ['without any header', BYTES, {}],
    ['with a byte order mark', Buffer.from(`\ufeff${TEXT}`), {}],
    ['that names another charset', BYTES, { 'content-type': 'application/json; charset=utf-16le' }],
  ])('%s is read as UTF-8', (_promise, body, headers) => {
    expect(bodyOf(body, headers, 1_000)).toEqual({ kind: 'whole', text: TEXT });
  });

  test('that is empty stays empty in any coding', () => {
    expect(bodyOf(Buffer.alloc(0), { 'content-encoding': 'gzip' }, 10)).toEqual({
      kind: 'whole',
      text: '',
    });
  });

  test('that was cut in gzip is read as far as it goes', () => {
    const text = `{"id":"job_1","more":"${Array.from({ length: 400 }, (_, n) => n).join()}"}`;
    const cut = gzipSync(text).subarray(0, -200);
    const body = bodyOf(cut, { 'content-encoding': 'gzip' }, 10_000, 'cut');
    const read = 'received' in body ? body.received : '';
    expect(read.startsWith('{"id":"job_1"')).toBe(true);
    expect(text.startsWith(read)).toBe(true);
  });

  test('that was cut and cannot be decoded is returned as it is', () => {
    const cut = { kind: 'cut', error: 'it was cut', received: TEXT };
    expect(bodyOf(BYTES, { 'content-encoding': 'br' }, 1_000, 'it was cut')).toEqual(cut);
  });

  test.each([
    // Decoding the first of several codings would be another error.
    ['in several codings', BYTES, 'gzip,gzip', /^the content coding gzip,gzip is not known$/],
    ['in deflate', deflateSync(BYTES), 'deflate', /^the content coding deflate is not known$/],
    ['in br', brotliCompressSync(BYTES), 'br', /^the content coding br is not known$/],
    ['that is not in its coding', BYTES, 'gzip', /incorrect header/],
    ['that was cut in its coding', gzipSync(BYTES).subarray(0, 20), 'gzip', /unexpected end/],
  ])('%s is an error', (_promise, body, coding, says) => {
    const error = expect.stringMatching(says);
    expect(bodyOf(body, { 'content-encoding': coding }, 1_000)).toMatchObject({ error });
  });

  test('that is too large after decoding is an error', () => {
    const body = gzipSync(Buffer.alloc(1_001));
    const error = expect.stringContaining('larger than');
    expect(bodyOf(body, { 'content-encoding': 'gzip' }, 1_000)).toMatchObject({ error });
  });
});

import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { bodyOf } from '../../../src/effects/body.ts';

const TEXT = '{"id":"job_1","model":"für 😀"}';
const BYTES = Buffer.from(TEXT);

// https://www.rfc-editor.org/rfc/rfc9110#section-8.4.1
describe('a body', () => {
  test.each<{ coding: string; body: Buffer }>([
    { coding: 'gzip', body: gzipSync(BYTES) },
    { coding: 'x-gzip', body: gzipSync(BYTES) },
    { coding: ' GZip ', body: gzipSync(BYTES) },
    { coding: 'identity', body: BYTES },
    { coding: '', body: BYTES },
  ])('in the coding "$coding" is read', ({ coding, body }) => {
    expect(bodyOf(body, { 'content-encoding': coding }, 1_000)).toEqual({ text: TEXT });
  });

  test.each([
    { order: 'little', bytes: Buffer.from(`\ufeff${TEXT}`, 'utf16le') },
    { order: 'big', bytes: Buffer.from(`\ufeff${TEXT}`, 'utf16le').swap16() },
  ])('of UTF-16 with a $order-endian byte order mark is read without a charset', ({ bytes }) => {
    expect(bodyOf(bytes, {}, 1_000)).toEqual({ text: TEXT });
  });

  test.each([
    { promise: 'begins with the first byte of a UTF-16LE mark', bytes: [0xff, 0x41] },
    { promise: 'has the second byte of a UTF-16LE mark', bytes: [0x41, 0xfe] },
    { promise: 'begins with the first byte of a UTF-16BE mark', bytes: [0xfe, 0x41] },
    { promise: 'has the second byte of a UTF-16BE mark', bytes: [0x41, 0xff] },
  ])('that $promise is read as UTF-8', ({ bytes }) => {
    expect(bodyOf(Buffer.from(bytes), {}, 10)).toEqual({
      text: Buffer.from(bytes).toString('utf8'),
    });
  });

  test('in several codings is refused before anything is decoded', () => {
    // Decoding the first would throw another error.
    const codings = Array.from({ length: 400 }, () => 'gzip').join();
    expect(bodyOf(BYTES, { 'content-encoding': codings }, 1_000)).toMatchObject({
      error: expect.stringContaining('the content coding gzip,gzip,'),
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
    expect(bodyOf(BYTES, { 'content-encoding': 'br' }, 1_000, 'it was cut')).toEqual({
      error: 'it was cut',
      received: TEXT,
    });
  });

  test('without any header is read as UTF-8', () => {
    expect(bodyOf(BYTES, {}, 1_000)).toEqual({ text: TEXT });
  });

  test('that is empty stays empty in any coding', () => {
    expect(bodyOf(Buffer.alloc(0), { 'content-encoding': 'gzip' }, 10)).toEqual({ text: '' });
  });

  test.each([
    { promise: 'in an unknown coding', body: BYTES, coding: 'compress', says: /compress/ },
    { promise: 'that is not in its coding', body: BYTES, coding: 'gzip', says: /incorrect header/ },
    {
      promise: 'that was cut in the middle of its coding',
      body: gzipSync(BYTES).subarray(0, 20),
      coding: 'gzip',
      says: /unexpected end/,
    },
    {
      promise: 'that is too large after decoding',
      body: gzipSync(Buffer.alloc(100_000)),
      coding: 'gzip',
      says: /larger than/,
    },
    { promise: 'in deflate', body: deflateSync(BYTES), coding: 'deflate', says: /deflate is not/ },
    { promise: 'in br', body: brotliCompressSync(BYTES), coding: 'br', says: /br is not known/ },
  ])('$promise is an error', ({ body, coding, says }) => {
    expect(bodyOf(body, { 'content-encoding': coding }, 1_000)).toMatchObject({
      error: expect.stringMatching(says),
    });
  });

  // https://encoding.spec.whatwg.org/#decode
  test.each<{ promise: string; body: Buffer; type: string }>([
    { promise: 'with a byte order mark', body: Buffer.from(`\ufeff${TEXT}`), type: '' },
    {
      promise: 'in another charset',
      body: Buffer.from(TEXT, 'utf16le'),
      type: 'application/json; charset="utf-16le"',
    },
    {
      promise: 'in another charset, with spaces around it and no quotes,',
      body: Buffer.from(TEXT, 'utf16le'),
      type: 'application/json ;  Charset = utf-16le; x=y',
    },
    {
      promise: 'in an unknown charset, as UTF-8,',
      body: BYTES,
      type: 'application/json; charset=klingon',
    },
  ])('$promise is read', ({ body, type }) => {
    expect(bodyOf(body, { 'content-type': type }, 1_000)).toEqual({ text: TEXT });
  });
});

import {
  brotliCompressSync,
  deflateRawSync,
  deflateSync,
  gzipSync,
  zstdCompressSync,
} from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { textOfBody, textOfCutBody } from '../../../src/effects/body.ts';

const TEXT = '{"id":"job_1","model":"für 😀"}';
const BYTES = Buffer.from(TEXT);

// https://www.rfc-editor.org/rfc/rfc9110#section-8.4.1
describe('a body', () => {
  test.each<{ coding: string; body: Buffer }>([
    { coding: 'gzip', body: gzipSync(BYTES) },
    { coding: 'x-gzip', body: gzipSync(BYTES) },
    { coding: 'GZip', body: gzipSync(BYTES) },
    { coding: 'deflate', body: deflateSync(BYTES) },
    { coding: 'deflate', body: deflateRawSync(BYTES) },
    { coding: 'br', body: brotliCompressSync(BYTES) },
    { coding: 'zstd', body: zstdCompressSync(BYTES) },
    { coding: 'identity', body: BYTES },
    { coding: '', body: BYTES },
    { coding: 'deflate, gzip', body: gzipSync(deflateSync(BYTES)) },
  ])('in the coding "$coding" is read', ({ coding, body }) => {
    expect(textOfBody(body, { 'content-encoding': coding }, 1_000)).toBe(TEXT);
  });

  test.each([
    { order: 'little', bytes: Buffer.from(`\ufeff${TEXT}`, 'utf16le') },
    { order: 'big', bytes: Buffer.from(`\ufeff${TEXT}`, 'utf16le').swap16() },
  ])('of UTF-16 with a $order-endian byte order mark is read without a charset', ({ bytes }) => {
    expect(textOfBody(bytes, {}, 1_000)).toBe(TEXT);
  });

  test.each([
    { promise: 'begins with the first byte of a UTF-16LE mark', bytes: [0xff, 0x41] },
    { promise: 'has the second byte of a UTF-16LE mark', bytes: [0x41, 0xfe] },
    { promise: 'begins with the first byte of a UTF-16BE mark', bytes: [0xfe, 0x41] },
    { promise: 'has the second byte of a UTF-16BE mark', bytes: [0x41, 0xff] },
  ])('that $promise is read as UTF-8', ({ bytes }) => {
    expect(textOfBody(Buffer.from(bytes), {}, 10)).toBe(Buffer.from(bytes).toString('utf8'));
  });

  test('in four codings is read', () => {
    const body = gzipSync(gzipSync(gzipSync(gzipSync(BYTES))));
    expect(textOfBody(body, { 'content-encoding': 'gzip,gzip,gzip,gzip' }, 1_000)).toBe(TEXT);
  });

  test('in deflate without a header is read, even if its first bytes look like a header', () => {
    const text = `{"id":14}${'a'.repeat(14)}`;
    const raw = deflateRawSync(text, { level: 0 });
    // https://www.rfc-editor.org/rfc/rfc1950#section-2.2, FCHECK
    expect(raw.readUInt16BE(0) % 31).toBe(0);
    expect(textOfBody(raw, { 'content-encoding': 'deflate' }, 1_000)).toBe(text);
  });

  test('in thousands of codings is refused before it is decoded', () => {
    const codings = Array.from({ length: 4_000 }, () => 'br').join();
    expect(() => textOfBody(BYTES, { 'content-encoding': codings }, 1_000)).toThrow(
      'it has 4000 content codings',
    );
  });

  test('that was cut in gzip is read as far as it goes', () => {
    const text = `{"id":"job_1","more":"${Array.from({ length: 400 }, (_, n) => n).join()}"}`;
    const cut = gzipSync(text).subarray(0, -200);
    const read = textOfCutBody(cut, { 'content-encoding': 'gzip' }, 10_000);
    expect(read.startsWith('{"id":"job_1"')).toBe(true);
    expect(text.startsWith(read)).toBe(true);
  });

  test('that was cut and cannot be decoded is returned as it is', () => {
    expect(textOfCutBody(BYTES, { 'content-encoding': 'br' }, 1_000)).toBe(TEXT);
  });

  test('without any header is read as UTF-8', () => {
    expect(textOfBody(BYTES, {}, 1_000)).toBe(TEXT);
  });

  test('that is empty stays empty in any coding', () => {
    expect(textOfBody(Buffer.alloc(0), { 'content-encoding': 'gzip' }, 10)).toBe('');
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
    ...[
      { coding: 'gzip', body: gzipSync(Buffer.alloc(100_000)) },
      { coding: 'deflate', body: deflateSync(Buffer.alloc(100_000)) },
      { coding: 'deflate', body: deflateRawSync(Buffer.alloc(100_000)) },
      { coding: 'br', body: brotliCompressSync(Buffer.alloc(100_000)) },
      { coding: 'zstd', body: zstdCompressSync(Buffer.alloc(100_000)) },
    ].map(({ coding, body }) => ({
      promise: `that is too large after decoding from ${coding}`,
      body,
      coding,
      says: /larger than/,
    })),
  ])('$promise is an error', ({ body, coding, says }) => {
    expect(() => textOfBody(body, { 'content-encoding': coding }, 1_000)).toThrow(says);
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
    expect(textOfBody(body, { 'content-type': type }, 1_000)).toBe(TEXT);
  });
});

import type { IncomingHttpHeaders } from 'node:http';
import { messageOf } from '../lib/errors.ts';
import type { HttpResponse } from './effects.ts';

/**
 * The text of a response's body. It is decoded even if it is in gzip, which was not asked for, its
 * charset is not UTF-8, or it begins with a byte order mark. When it was cut (`cutBecause`), cannot
 * be decoded, or is larger than `maxBytes` after decoding, only its beginning is received.
 * https://www.rfc-editor.org/rfc/rfc9110#field.content-encoding
 */
export function bodyOf(
  bytes: Buffer,
  headers: IncomingHttpHeaders,
  maxBytes: number,
  cutBecause?: string,
): HttpResponse['body'] {
  if (cutBecause !== undefined) {
    return { error: cutBecause, received: beginningOf(bytes, headers, maxBytes) };
  }
  try {
    return { text: decodeBody(bytes, headers, maxBytes, false) };
  } catch (error) {
    return { error: messageOf(error), received: beginningOf(bytes, headers, maxBytes) };
  }
}

function beginningOf(bytes: Buffer, headers: IncomingHttpHeaders, maxBytes: number): string {
  try {
    return decodeBody(bytes, headers, maxBytes, true);
  } catch {
    return bytes.toString('utf8');
  }
}

function decodeBody(
  body: Buffer,
  headers: IncomingHttpHeaders,
  maxBytes: number,
  isCut: boolean,
): string {
  const coding = (headers['content-encoding'] ?? '').trim().toLowerCase();
  const decoded = body.length === 0 ? body : decode(body, coding, maxBytes, isCut);
  return decoderFor(headers['content-type'] ?? '', decoded).decode(decoded);
}

function decode(bytes: Buffer, coding: string, maxOutputLength: number, isCut: boolean): Buffer {
  switch (coding) {
    case '':
    case 'identity':
      return bytes;
    case 'gzip':
    case 'x-gzip': {
      // Loaded only here, so that the action starts sooner.
      const { constants, gunzipSync } = process.getBuiltinModule('node:zlib');
      const finishFlush = isCut ? constants.Z_SYNC_FLUSH : constants.Z_FINISH;
      return gunzipSync(bytes, { maxOutputLength, finishFlush });
    }
    default:
      throw new Error(`the content coding ${coding} is not known`);
  }
}

/** `TextDecoder` removes a byte order mark itself. */
function decoderFor(contentType: string, bytes: Buffer): InstanceType<typeof TextDecoder> {
  const charset = /;\s*charset\s*=\s*"?([^\s";]+)/i.exec(contentType)?.[1] ?? charsetOf(bytes);
  try {
    return new TextDecoder(charset);
  } catch {
    return new TextDecoder();
  }
}

/** The charset of a byte order mark, or UTF-8. https://encoding.spec.whatwg.org/#bom-sniff */
function charsetOf(bytes: Buffer): string {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le';
  return bytes[0] === 0xfe && bytes[1] === 0xff ? 'utf-16be' : 'utf-8';
}

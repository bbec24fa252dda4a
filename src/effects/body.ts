import type { IncomingHttpHeaders } from 'node:http';
import { messageOf } from '../model/errors.ts';
import type { HttpResponse } from './effects.ts';

/**
 * The text of a response's body. It is decoded even if it is in gzip, which was not asked for, its
 * charset is not UTF-8, or it begins with a byte order mark. When it was cut (`cutBecause`), cannot
 * be decoded, or is larger than `maxBytes` after decoding, only its beginning is received.
 */
export function bodyOf(
  bytes: Buffer,
  headers: IncomingHttpHeaders,
  maxBytes: number,
  cutBecause?: string,
): HttpResponse['body'] {
  let error = cutBecause;
  if (error === undefined) {
    try {
      return { text: decode(bytes, headers, maxBytes, false) };
    } catch (cause) {
      error = messageOf(cause);
    }
  }
  try {
    return { error, received: decode(bytes, headers, maxBytes, true) };
  } catch {
    return { error, received: bytes.toString() };
  }
}

/** https://www.rfc-editor.org/rfc/rfc9110#field.content-encoding */
function decode(bytes: Buffer, headers: IncomingHttpHeaders, maxBytes: number, isCut: boolean) {
  const coding = (headers['content-encoding'] ?? '').trim().toLowerCase();
  let body = bytes;
  if (/^(?:x-)?gzip$/.test(coding) && bytes.length > 0) {
    // Loaded only here, so that the action starts sooner.
    const { constants, gunzipSync } = process.getBuiltinModule('node:zlib');
    const finishFlush = isCut ? constants.Z_SYNC_FLUSH : constants.Z_FINISH;
    body = gunzipSync(bytes, { maxOutputLength: maxBytes, finishFlush });
  } else if (!['', 'identity'].includes(coding) && bytes.length > 0) {
    throw new Error(`the content coding ${coding} is not known`);
  }
  const named = /;\s*charset\s*=\s*"?([^\s";]+)/i.exec(headers['content-type'] ?? '')?.[1];
  return decoderFor(named ?? charsetOf(body)).decode(body);
}

/** `TextDecoder` removes a byte order mark itself. */
function decoderFor(charset: string): InstanceType<typeof TextDecoder> {
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

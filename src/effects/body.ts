import type { IncomingHttpHeaders } from 'node:http';
import { messageOf } from '../model/errors.ts';
import type { HttpResponse } from './effects.ts';

/**
 * The text of a response's body. It is decoded even if it is in gzip, which was not asked for, and
 * it is always UTF-8: both APIs promise JSON. When it was cut (`cutBecause`), cannot be decoded, or
 * is larger than `maxBytes` after decoding, only its beginning is received.
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
      return { text: decodeBody(bytes, headers, maxBytes, false) };
    } catch (cause) {
      error = messageOf(cause);
    }
  }
  try {
    return { error, received: decodeBody(bytes, headers, maxBytes, true) };
  } catch {
    return { error, received: bytes.toString() };
  }
}

/** https://www.rfc-editor.org/rfc/rfc9110#field.content-encoding */
function decodeBody(bytes: Buffer, headers: IncomingHttpHeaders, maxBytes: number, isCut: boolean) {
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
  // It removes a byte order mark.
  return new TextDecoder().decode(body);
}

import type { IncomingHttpHeaders } from 'node:http';
import { messageOf } from '../model/run-error.ts';
import type { HttpResponse } from './effects.ts';

/**
 * The text of a response's body, which is UTF-8: both APIs promise JSON. gzip was not asked for, but a
 * proxy may compress all the same. When the body was cut (`cutBecause`), cannot be decoded, or is
 * larger than `maxBytes` after decoding, what was received is its beginning.
 */
export function bodyOf(
  bytes: Buffer,
  headers: IncomingHttpHeaders,
  maxBytes: number,
  cutBecause?: string,
): HttpResponse['body'] {
  let error = cutBecause;
  let decoded = bytes;
  try {
    decoded = decode(bytes, headers['content-encoding'], maxBytes, cutBecause !== undefined);
  } catch (cause) {
    error ??= messageOf(cause);
  }
  // It removes a byte order mark.
  const text = new TextDecoder().decode(decoded);
  return error === undefined ? { text } : { error, received: text };
}

/** https://www.rfc-editor.org/rfc/rfc9110#field.content-encoding */
function decode(bytes: Buffer, contentEncoding = '', maxOutputLength: number, isCut: boolean) {
  const coding = contentEncoding.trim().toLowerCase();
  if (bytes.length === 0 || coding === '' || coding === 'identity') return bytes;
  if (!/^(?:x-)?gzip$/.test(coding)) throw new Error(`the content coding ${coding} is not known`);
  // Loading it takes 2 ms of each start, and hardly any response needs it.
  const { constants, gunzipSync } = process.getBuiltinModule('node:zlib');
  const finishFlush = isCut ? constants.Z_SYNC_FLUSH : constants.Z_FINISH;
  return gunzipSync(bytes, { maxOutputLength, finishFlush });
}

import type { IncomingHttpHeaders } from 'node:http';
import { messageOf } from '../model/run-error.ts';
import type { HttpBody } from './effects.ts';

/**
 * Decodes a response's body as UTF-8, because both APIs promise JSON. A proxy may use gzip even
 * though the request doesn't ask for it. If the body was cut (`cutBecause`), can't be decoded, or
 * exceeds `maxBytes` after decoding, returns its beginning with the error.
 */
export function bodyOf(
  bytes: Buffer,
  headers: IncomingHttpHeaders,
  maxBytes: number,
  cutBecause?: string,
): HttpBody {
  let error = cutBecause;
  let decoded = bytes;
  try {
    decoded = decode(bytes, headers['content-encoding'], maxBytes, cutBecause !== undefined);
  } catch (cause) {
    error ??= messageOf(cause);
  }
  // `TextDecoder` also removes a byte order mark.
  const text = new TextDecoder().decode(decoded);
  return error === undefined ? { kind: 'whole', text } : { kind: 'cut', received: text, error };
}

/** Undoes the content coding. https://www.rfc-editor.org/rfc/rfc9110#field.content-encoding */
function decode(bytes: Buffer, contentEncoding = '', maxOutputLength: number, isCut: boolean) {
  const coding = contentEncoding.trim().toLowerCase();
  if (bytes.length === 0 || coding === '' || coding === 'identity') return bytes;
  if (!/^(?:x-)?gzip$/.test(coding)) throw new Error(`the content coding ${coding} is not known`);
  // Load zlib only when needed: it takes 2 ms per start, and hardly any response uses it.
  const { constants, gunzipSync } = process.getBuiltinModule('node:zlib');
  const finishFlush = isCut ? constants.Z_SYNC_FLUSH : constants.Z_FINISH;
  return gunzipSync(bytes, { maxOutputLength, finishFlush });
}

import { constants, gunzipSync } from 'node:zlib';

interface BodyHeaders {
  readonly 'content-encoding'?: string | undefined;
  readonly 'content-type'?: string | undefined;
}

/**
 * The text of a response's body. It is decoded even if it is in gzip, which was not asked for, its
 * charset is not UTF-8, or it begins with a byte order mark. Throws when it cannot be decoded, or
 * is larger than `maxBytes` after decoding.
 * https://www.rfc-editor.org/rfc/rfc9110#field.content-encoding
 */
export function textOfBody(body: Buffer, headers: BodyHeaders, maxBytes: number): string {
  return decodeBody(body, headers, { maxOutputLength: maxBytes });
}

/** The beginning of a body that was cut, as far as it can be decoded. Throws nothing. */
export function textOfCutBody(body: Buffer, headers: BodyHeaders, maxBytes: number): string {
  try {
    const finishFlush = constants.Z_SYNC_FLUSH;
    return decodeBody(body, headers, { maxOutputLength: maxBytes, finishFlush });
  } catch {
    return body.toString('utf8');
  }
}

interface DecodeOptions {
  readonly maxOutputLength: number;
  readonly finishFlush?: number;
}

function decodeBody(body: Buffer, headers: BodyHeaders, options: DecodeOptions): string {
  const coding = (headers['content-encoding'] ?? '').trim().toLowerCase();
  const decoded = body.length === 0 ? body : decode(body, coding, options);
  return decoderFor(headers['content-type'] ?? '', decoded).decode(decoded);
}

function decode(bytes: Buffer, coding: string, options: DecodeOptions): Buffer {
  switch (coding) {
    case '':
    case 'identity':
      return bytes;
    case 'gzip':
    case 'x-gzip':
      return gunzipSync(bytes, options);
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

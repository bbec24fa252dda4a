import {
  brotliDecompressSync,
  constants,
  inflateRawSync,
  inflateSync,
  unzipSync,
  zstdDecompressSync,
} from 'node:zlib';

interface BodyHeaders {
  readonly 'content-encoding'?: string | undefined;
  readonly 'content-type'?: string | undefined;
}

/**
 * The text of an answer's body. It is decoded even if its content coding was not asked for, its
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

/** No real server applies more. A cancel has to wait while each one is decoded. */
const MAX_CODINGS = 4;

interface DecodeOptions {
  readonly maxOutputLength: number;
  readonly finishFlush?: number;
}

function decodeBody(body: Buffer, headers: BodyHeaders, options: DecodeOptions): string {
  const codings = (headers['content-encoding'] ?? '')
    .split(',')
    .map((coding) => coding.trim().toLowerCase())
    .filter((coding) => coding !== '' && coding !== 'identity');
  if (codings.length > MAX_CODINGS) throw new Error(`it has ${codings.length} content codings`);
  const decoded = codings.reduceRight((bytes, coding) => decode(bytes, coding, options), body);
  return decoderFor(headers['content-type'] ?? '', decoded).decode(decoded);
}

function decode(bytes: Buffer, coding: string, options: DecodeOptions): Buffer {
  if (bytes.length === 0) return bytes;
  switch (coding) {
    case 'gzip':
    case 'x-gzip':
      return unzipSync(bytes, options);
    case 'deflate':
      return inflate(bytes, options);
    case 'br':
      return brotliDecompressSync(bytes, { maxOutputLength: options.maxOutputLength });
    case 'zstd':
      return zstdDecompressSync(bytes, { maxOutputLength: options.maxOutputLength });
    default:
      throw new Error(`the content coding ${coding} is not known`);
  }
}

/** Some servers leave out the zlib header that the RFC asks for. */
function inflate(bytes: Buffer, options: DecodeOptions): Buffer {
  const hasHeader = ((bytes[0] ?? 0) & 0x0f) === 8 && bytes.readUInt16BE(0) % 31 === 0;
  return hasHeader ? inflateSync(bytes, options) : inflateRawSync(bytes, options);
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

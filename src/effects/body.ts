import {
  brotliDecompressSync,
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
 * The text of an answer's body, although its content coding was not asked for, its charset is
 * another one than UTF-8, or it begins with a byte order mark. Throws when it cannot be decoded, or
 * is larger than `maxBytes` once it is.
 * https://www.rfc-editor.org/rfc/rfc9110#field.content-encoding
 */
export function textOfBody(body: Buffer, headers: BodyHeaders, maxBytes: number): string {
  const codings = (headers['content-encoding'] ?? '')
    .split(',')
    .map((coding) => coding.trim().toLowerCase())
    .filter((coding) => coding !== '' && coding !== 'identity');
  const decoded = codings.reduceRight((bytes, coding) => decode(bytes, coding, maxBytes), body);
  return decoderFor(headers['content-type'] ?? '').decode(decoded);
}

function decode(bytes: Buffer, coding: string, maxOutputLength: number): Buffer {
  if (bytes.length === 0) return bytes;
  const options = { maxOutputLength };
  switch (coding) {
    case 'gzip':
    case 'x-gzip':
      return unzipSync(bytes, options);
    case 'deflate':
      return inflate(bytes, options);
    case 'br':
      return brotliDecompressSync(bytes, options);
    case 'zstd':
      return zstdDecompressSync(bytes, options);
    default:
      throw new Error(`the content coding ${coding} is not known`);
  }
}

/** Some servers leave out the zlib header that the RFC asks for. */
function inflate(bytes: Buffer, options: { readonly maxOutputLength: number }): Buffer {
  const hasHeader = ((bytes[0] ?? 0) & 0x0f) === 8 && bytes.readUInt16BE(0) % 31 === 0;
  return hasHeader ? inflateSync(bytes, options) : inflateRawSync(bytes, options);
}

/** `TextDecoder` takes a byte order mark away by itself. */
function decoderFor(contentType: string): InstanceType<typeof TextDecoder> {
  const charset = /;\s*charset\s*=\s*"?([^\s";]+)/i.exec(contentType)?.[1] ?? 'utf-8';
  try {
    return new TextDecoder(charset);
  } catch {
    return new TextDecoder();
  }
}

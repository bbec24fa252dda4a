/** Handles untrusted URLs. */

/**
 * Normalizes a URL that may be a link or an output: http(s), without credentials. Returns
 * `undefined` for any other text.
 */
export function safeLink(text: string): string | undefined {
  if (!URL.canParse(text)) return undefined;
  const url = new URL(text);
  const isWeb = url.protocol === 'https:' || url.protocol === 'http:';
  return isWeb && url.username === '' && url.password === '' ? url.href : undefined;
}

/** The longest URL to show. */
const MAX_URL_LENGTH = 4_000;

/**
 * Replaces the user and password of a URL with `***`, even in spellings that only parsers accept:
 * with one slash, none or backslashes, or with spaces. Cuts the result to 4,000 characters.
 * https://url.spec.whatwg.org/#authority-state
 */
export function withoutCredentials(url: string): string {
  const shown = url.slice(0, MAX_URL_LENGTH);
  return shown.replace(/^(\s*[a-z][a-z\d+.-]*:[/\\]*|\s*[/\\]{2,})[^/\\?#]*@/i, '$1***@');
}

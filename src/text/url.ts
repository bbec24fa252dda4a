/** URLs from outside. */

/** The URL in its normal form when it may be a link or an output: http(s), without credentials. */
export function safeLink(text: string): string | undefined {
  if (!URL.canParse(text)) return undefined;
  const url = new URL(text);
  const isWeb = url.protocol === 'https:' || url.protocol === 'http:';
  return isWeb && url.username === '' && url.password === '' ? url.href : undefined;
}

/** No URL that is shown is longer. */
const MAX_URL_LENGTH = 4_000;

/**
 * A URL with its user and password replaced by `***`, also where it is spelled in a way that only
 * parsers accept: with one slash, none or backslashes, or with spaces. Cut to 4,000 characters.
 * https://url.spec.whatwg.org/#authority-state
 */
export function withoutCredentials(url: string): string {
  const shown = url.slice(0, MAX_URL_LENGTH);
  return shown.replace(/^(\s*[a-z][a-z\d+.-]*:[/\\]*|\s*[/\\]{2,})[^/\\?#]*@/i, '$1***@');
}

/**
 * Normalizes an untrusted URL that may become a link: http(s) and without credentials. Returns
 * `undefined` for any other text.
 */
export function safeLink(text: string): string | undefined {
  if (!URL.canParse(text)) return undefined;
  const url = new URL(text);
  const isWeb = url.protocol === 'https:' || url.protocol === 'http:';
  if (!isWeb || url.username !== '' || url.password !== '') return undefined;
  // A query may hold backticks, which quote text in our messages.
  return url.href.replaceAll('`', '%60');
}

/** The three forms of an HTTP date. Two are obsolete, but clients must still read them. */
const HTTP_DATES = [
  // Sun, 06 Nov 1994 08:49:37 GMT
  /^[A-Z][a-z]{2}, (?<day>\d{2}) (?<month>[A-Z][a-z]{2}) (?<year>\d{4}) (?<time>\d{2}:\d{2}:\d{2}) GMT$/,
  // Sunday, 06-Nov-94 08:49:37 GMT
  /^[A-Z][a-z]{5,8}, (?<day>\d{2})-(?<month>[A-Z][a-z]{2})-(?<year>\d{2}) (?<time>\d{2}:\d{2}:\d{2}) GMT$/,
  // Sun Nov  6 08:49:37 1994
  /^[A-Z][a-z]{2} (?<month>[A-Z][a-z]{2}) (?<day>[ \d]\d) (?<time>\d{2}:\d{2}:\d{2}) (?<year>\d{4})$/,
];

/**
 * Milliseconds that a `Retry-After` header asks for, from now (`date`, ms since 1970), or
 * `undefined` when there is none or it is neither whole seconds nor an HTTP date.
 * https://www.rfc-editor.org/rfc/rfc9110#field.retry-after
 */
export function parseRetryAfter(header: string | undefined, date: number): number | undefined {
  const text = header?.trim() ?? '';
  if (/^\d+$/.test(text)) return Number(text) * 1_000;
  const fields = HTTP_DATES.map((form) => form.exec(text)?.groups).find(Boolean);
  if (fields === undefined) return undefined;
  const year = fullYear(fields['year'] ?? '', date);
  const { day = '', month = '', time = '' } = fields;
  const at = Date.parse(`${day} ${month} ${year} ${time} GMT`);
  // JavaScript takes 31 April for 1 May.
  const isDate = !Number.isNaN(at) && new Date(at).getUTCDate() === Number(day);
  return isDate ? Math.max(0, at - date) : undefined;
}

/** A year of two digits that would be more than 50 years ahead is in the past (RFC 9110, 5.6.7). */
function fullYear(year: string, date: number): number {
  if (year.length === 4) return Number(year);
  const now = new Date(date).getUTCFullYear();
  const inThisCentury = now - (now % 100) + Number(year);
  return inThisCentury > now + 50 ? inThisCentury - 100 : inThisCentury;
}

import { describe, expect, test } from 'vitest';
import { backoffMs, requestTimeoutMs } from '../../../src/lib/retry.ts';
import { parseRetryAfter } from '../../../src/lib/retry-after.ts';

const NOW = Date.UTC(2026, 10, 21, 8, 0, 0);

describe('Retry-After', () => {
  test.each<readonly [promise: string, header: string | undefined, ms: number | undefined]>([
    ['a missing header is no time', undefined, undefined],
    ['zero seconds are no wait', '0', 0],
    // https://www.rfc-editor.org/rfc/rfc9110#section-10.2.3
    ["the RFC's 120 seconds are two minutes", '120', 120_000],
    ['spaces around the seconds do not count', ' 7 ', 7_000],
    ['a number of four digits is seconds, not a year', '2026', 2_026_000],
    ['a fraction is no time', '1.5', undefined],
    ['a day that the month lacks is no date', 'Fri, 31 Apr 2027 08:00:00 GMT', undefined],
    ['a negative number is no time', '-1', undefined],
    ['an empty header is no time', '', undefined],
    ['a word is no time', 'soon', undefined],
    ['a date is the time until it', 'Sat, 21 Nov 2026 08:00:30 GMT', 30_000],
    ['a date in the past is no wait', 'Sat, 21 Nov 2026 07:00:00 GMT', 0],
    ['a day that no month has is no time', 'Sat, 32 Nov 2026 08:00:30 GMT', undefined],
    ['an ISO date is no HTTP date', '2026-11-21T08:00:30Z', undefined],
    ['a date in another zone is no HTTP date', 'Sat, 21 Nov 2026 08:00:30 +0000', undefined],
  ])('%s', (_promise, header, ms) => {
    expect(parseRetryAfter(header, NOW)).toBe(ms);
  });

  // The three forms, all of the same second: https://www.rfc-editor.org/rfc/rfc9110#section-5.6.7
  const RFC_EXAMPLES = [
    { form: 'the preferred form', header: 'Sun, 06 Nov 1994 08:49:37 GMT' },
    { form: "RFC 850's form", header: 'Sunday, 06-Nov-94 08:49:37 GMT' },
    { form: "asctime's form", header: 'Sun Nov  6 08:49:37 1994' },
  ];

  test.each(RFC_EXAMPLES)('a date is read in $form', ({ header }) => {
    const at = Date.UTC(1994, 10, 6, 8, 49, 37);
    expect(parseRetryAfter(header, at - 90_000)).toBe(90_000);
  });

  // https://www.rfc-editor.org/rfc/rfc9110#section-10.2.3
  test("the RFC's example of a date is read", () => {
    const at = Date.UTC(1999, 11, 31, 23, 59, 59);
    expect(parseRetryAfter('Fri, 31 Dec 1999 23:59:59 GMT', at - 1_000)).toBe(1_000);
  });

  // "more than 50 years in the future": https://www.rfc-editor.org/rfc/rfc9110#section-5.6.7
  test.each([
    { promise: 'in 50 years is in the future', year: '76', ms: Date.UTC(2076, 10, 6) - NOW },
    { promise: 'in 51 years was in the past', year: '77', ms: 0 },
    { promise: 'of the last century was in the past', year: '94', ms: 0 },
  ])('a year with two digits $promise', ({ year, ms }) => {
    expect(parseRetryAfter(`Friday, 06-Nov-${year} 00:00:00 GMT`, NOW)).toBe(ms);
  });

  test.each([
    { day: 'one digit', header: 'Sat Dec  5 08:00:00 2026', ms: 14 * 86_400_000 },
    { day: 'two digits', header: 'Sat Nov 28 08:00:00 2026', ms: 7 * 86_400_000 },
  ])("asctime's form is read with a day of $day", ({ header, ms }) => {
    expect(parseRetryAfter(header, NOW)).toBe(ms);
  });
});

describe('the back-off', () => {
  test.each([
    { failures: 1, random: 0, ms: 500 },
    { failures: 1, random: 1, ms: 1_000 },
    { failures: 2, random: 0, ms: 1_000 },
    { failures: 6, random: 0, ms: 16_000 },
    { failures: 7, random: 0, ms: 30_000 },
    { failures: 7, random: 1, ms: 60_000 },
    { failures: 5_000, random: 1, ms: 60_000 },
  ])('after $failures failures with chance $random is $ms ms', ({ failures, random, ms }) => {
    expect(backoffMs(failures, random)).toBe(ms);
  });

  test('is as long as Retry-After asks, and never shorter than without it', () => {
    expect([backoffMs(1, 0, 300_000), backoffMs(7, 0, 1)]).toEqual([300_000, 30_000]);
  });

  test.each([
    { promise: 'at most a tenth longer', askedMs: 300_000, random: 1, ms: 330_000 },
    {
      promise: 'a twentieth longer at a chance of 0.5',
      askedMs: 300_000,
      random: 0.5,
      ms: 315_000,
    },
    { promise: 'at most a minute longer', askedMs: 3_600_000, random: 1, ms: 3_660_000 },
  ])('is $promise than Retry-After asks', ({ askedMs, random, ms }) => {
    expect(backoffMs(1, random, askedMs)).toBe(ms);
  });
});

test.each([
  { leftMs: 90_000, ms: 30_000 },
  { leftMs: 2_933.834, ms: 2_934 },
  { leftMs: 0, ms: 1 },
  { leftMs: -5, ms: 1 },
])('with $leftMs ms left a request may take $ms ms', ({ leftMs, ms }) => {
  expect(requestTimeoutMs(leftMs)).toBe(ms);
});

// Only the RFC's three forms of a date are read.
test.each([
  'Sun, 06 Nov 1994 08:49:37 GMT',
  'Sunday, 06-Nov-94 08:49:37 GMT',
  'Sun Nov  6 08:49:37 1994',
])('%s is no date with a missing character or an additional digit', (date) => {
  const places = Array.from({ length: date.length + 1 }, (_, at) => at);
  const shorter = places.slice(0, -1).map((at) => date.slice(0, at) + date.slice(at + 1));
  const longer = places.map((at) => `${date.slice(0, at)}9${date.slice(at)}`);
  const letters = places.slice(0, -1).map((at) => `${date.slice(0, at)}%${date.slice(at + 1)}`);
  const read = [...shorter, ...longer, ...letters].filter(
    (text) => parseRetryAfter(text, 0) !== undefined,
  );
  expect(read).toEqual([]);
});

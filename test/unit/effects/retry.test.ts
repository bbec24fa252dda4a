import { expect, test } from 'vitest';
import { once } from '../../../src/effects/once.ts';
import { backoffMs, parseRetryAfter, requestTimeoutMs } from '../../../src/effects/retry.ts';

const NOW = Date.UTC(2026, 10, 21, 8, 0, 0);

test.each([
  // https://www.rfc-editor.org/rfc/rfc9110#section-10.2.3
  ['120', 120_000],
  ['0', 0],
  [' 7 ', 7_000],
  // Seconds, and not a year.
  ['2026', 2_026_000],
  ['Sat, 21 Nov 2026 08:00:30 GMT', 30_000],
  // In the past.
  ['Sat, 21 Nov 2026 07:00:00 GMT', 0],
])('the Retry-After "%s" asks to wait %i ms', (header, ms) => {
  expect(parseRetryAfter(header, NOW)).toBe(ms);
});

test.each([
  undefined,
  '',
  '1.5',
  '-1',
  'soon',
  // A day that no month has.
  'Sat, 32 Nov 2026 08:00:30 GMT',
  // Dates, but not of HTTP.
  '2026-11-21T08:00:30Z',
  'Sat, 21 Nov 2026 08:00:30 +0000',
  // Obsolete forms: https://www.rfc-editor.org/rfc/rfc9110#section-5.6.7
  'Saturday, 21-Nov-26 08:00:30 GMT',
  'Sat Nov 21 08:00:30 2026',
])('the Retry-After "%s" asks for no time', (header) => {
  expect(parseRetryAfter(header, NOW)).toBeUndefined();
});

test('a date is none with a character less, more or changed', () => {
  // https://www.rfc-editor.org/rfc/rfc9110#section-5.6.7
  const date = 'Sun, 06 Nov 1994 08:49:37 GMT';
  expect(parseRetryAfter(date, Date.UTC(1994, 10, 6, 8, 49, 37) - 90_000)).toBe(90_000);
  const places = Array.from({ length: date.length + 1 }, (_, at) => at);
  const changed = places.flatMap((at) => [
    `${date.slice(0, at)}9${date.slice(at)}`,
    ...(at === date.length ? [] : ['', '%']).map(
      (other) => date.slice(0, at) + other + date.slice(at + 1),
    ),
  ]);
  expect(changed.filter((text) => parseRetryAfter(text, 0) !== undefined)).toEqual([]);
});

test.each([
  { failures: 1, random: 0, ms: 500 },
  { failures: 1, random: 1, ms: 1_000 },
  { failures: 2, random: 0, ms: 1_000 },
  { failures: 6, random: 0, ms: 16_000 },
  { failures: 7, random: 0, ms: 30_000 },
  { failures: 7, random: 1, ms: 60_000 },
  { failures: 5_000, random: 1, ms: 60_000 },
  // As long as Retry-After asks, and up to a tenth or a minute longer.
  { failures: 1, random: 0, askedMs: 300_000, ms: 300_000 },
  { failures: 1, random: 0.5, askedMs: 300_000, ms: 315_000 },
  { failures: 1, random: 1, askedMs: 300_000, ms: 330_000 },
  { failures: 1, random: 1, askedMs: 3_600_000, ms: 3_660_000 },
  // Never shorter than without it.
  { failures: 7, random: 0, askedMs: 1, ms: 30_000 },
])(
  'the wait after $failures failures with chance $random and Retry-After $askedMs is $ms ms',
  ({ failures, random, askedMs, ms }) => {
    expect(backoffMs(failures, random, askedMs)).toBe(ms);
  },
);

test.each([
  { leftMs: 90_000, ms: 30_000 },
  { leftMs: 2_933.834, ms: 2_934 },
  { leftMs: 0, ms: 1 },
  { leftMs: -5, ms: 1 },
])('with $leftMs ms left a request may take $ms ms', ({ leftMs, ms }) => {
  expect(requestTimeoutMs(leftMs)).toBe(ms);
});

test('makes a result when it is first needed, and only then', async () => {
  let made = 0;
  const get = once(async () => {
    made += 1;
    return made;
  });
  expect(made).toBe(0);
  expect(await Promise.all([get(), get()])).toEqual([1, 1]);
  expect(await get()).toBe(1);
});

import { expect, test } from 'vitest';
import { formatDuration, parseDuration, pluralize, shortRef } from '../../../src/text/words.ts';

test('a commit is shown short, and any other ref as it is', () => {
  const sha = 'abc1234def0123456789abcdef0123456789abcd';
  expect([sha, `${sha}-old`, 'v1.2.0'].map(shortRef)).toEqual(['abc1234', `${sha}-old`, 'v1.2.0']);
});

test('a number and its noun agree', () => {
  expect([1, 0].map((n) => pluralize(n, 'file'))).toEqual(['1 file', '0 files']);
});

test.each<readonly [string, number | undefined]>([
  ['90s', 90_000],
  ['30m', 1_800_000],
  ['2h', 7_200_000],
  ...['1d', '1.5h', '10', 'x10s', '30min', ''].map((text) => [text, undefined] as const),
])('the duration %j is %s ms', (text, ms) => {
  expect(parseDuration(text)).toBe(ms);
});

test.each([
  [0, '0 s'],
  [8_400, '8 s'],
  [95_000, '1 min 35 s'],
  [3_600_000, '1 h'],
  [5_430_000, '1 h 30 min 30 s'],
])('%s ms is %s', (ms, text) => {
  expect(formatDuration(ms)).toBe(text);
});

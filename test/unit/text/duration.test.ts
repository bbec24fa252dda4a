import { expect, test } from 'vitest';
import { formatDuration, parseDuration } from '../../../src/text/duration.ts';

test.each([
  ['90s', 90_000],
  ['30m', 1_800_000],
  ['2h', 7_200_000],
  ['0s', 0],
  ['1d', undefined],
  ['1.5h', undefined],
  ['10', undefined],
  ['10sec', undefined],
  ['x10s', undefined],
  ['-1s', undefined],
  ['1 s', undefined],
  ['99999999999s', undefined],
  ['', undefined],
])('%j is %s ms', (text, ms) => {
  expect(parseDuration(text)).toBe(ms);
});

test.each([
  [0, '0 s'],
  [400, '0 s'],
  [8_400, '8 s'],
  [60_000, '1 min'],
  [95_000, '1 min 35 s'],
  [3_599_000, '59 min 59 s'],
  [3_600_000, '1 h'],
  [5_430_000, '1 h 30 min'],
])('%s ms is %s', (ms, text) => {
  expect(formatDuration(ms)).toBe(text);
});

import { expect, test } from 'vitest';
import { mapStrings } from '../../../src/text/json.ts';

const upper = (text: string) => text.toUpperCase();

test('data whose strings are changed stays as it is but for them', () => {
  const data = { a: 'x', b: [1, 'y', null, { c: true, d: undefined }], e: { f: 'z' } };
  expect(mapStrings(data, upper)).toEqual({
    a: 'X',
    b: [1, 'Y', null, { c: true, d: undefined }],
    e: { f: 'Z' },
  });
});

test('data whose strings are changed may be nested as deeply as JSON allows', () => {
  const deep: unknown = JSON.parse('['.repeat(5_000) + ']'.repeat(5_000));
  expect(() => mapStrings(deep, upper)).not.toThrow();
});

/** Members of JSON texts, against `JSON.parse`. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { beginningWithoutSecrets, membersOf } from '../../../src/agent/json.ts';
import { dose } from '../../support/dose.ts';
import { anyCharacters } from '../../support/hostile-texts.ts';

const namesAndValues = (text: string) =>
  [...membersOf(text)].map(({ key, value }) => [key, JSON.parse(value)] as const);

/** Objects as a service may write them, with any spacing and any escapes. */
const jsonText = fc
  .tuple(
    fc.dictionary(anyCharacters, fc.jsonValue(), { maxKeys: 6 }),
    fc.constantFrom(undefined, 1, '\t', ' \n'),
  )
  .map(([value, indent]) => JSON.stringify(value, null, indent));

describe('the members of an object', () => {
  test('are those that a JSON parser reads, in the same order', () => {
    fc.assert(
      fc.property(jsonText, (text) => {
        const parsed: object = JSON.parse(text);
        expect(Object.fromEntries(namesAndValues(text))).toEqual(parsed);
      }),
      { numRuns: dose(100, 2_000) },
    );
  });

  test('are at the positions that they name', () => {
    fc.assert(
      fc.property(jsonText, (text) => {
        for (const { value, start, end } of membersOf(text)) {
          expect(text.slice(start, end)).toBe(value);
        }
      }),
    );
  });

  test('of a text that was cut are the first members of the whole text', () => {
    fc.assert(
      fc.property(jsonText, (text) => {
        const whole = namesAndValues(text);
        const wrong = Array.from({ length: text.length }, (_, at) => at).filter((at) => {
          const cut = namesAndValues(text.slice(0, at));
          return JSON.stringify(cut) !== JSON.stringify(whole.slice(0, cut.length));
        });
        expect(wrong).toEqual([]);
      }),
      { numRuns: dose(10, 100) },
    );
  });

  test('of a text that was cut are found as soon as they are complete', () => {
    const text = '{"id":"job_1","cost":12,"source":{"ref":"main"},"status":"active"}';
    const names = (end: string) =>
      [...membersOf(text.slice(0, text.indexOf(end) + end.length))].map(({ key }) => key);
    expect(names('"job_1')).toEqual([]);
    expect(names('"job_1"')).toEqual(['id']);
    expect(names('12')).toEqual(['id']);
    expect(names('12,')).toEqual(['id', 'cost']);
    expect(names('"main"')).toEqual(['id', 'cost']);
    expect(names('"active"')).toEqual(['id', 'cost', 'source', 'status']);
  });

  test('are found next to 5,000 levels of nesting, whole or cut', () => {
    const deep = `{"id":"job_1","deep":${'['.repeat(5_000)}`;
    expect([...membersOf(deep)].map(({ key }) => key)).toEqual(['id']);
    const closed = `${deep}${']'.repeat(5_000)},"status":"active"}`;
    expect([...membersOf(closed)].map(({ key }) => key)).toEqual(['id', 'deep', 'status']);
  });

  test.each([
    { what: 'letters', unit: 'a' },
    { what: 'escaped quotes', unit: '\\"' },
    { what: 'escaped backslashes', unit: '\\\\' },
    { what: 'brackets', unit: '[{' },
  ])('are found next to a string of 1 MiB of $what', ({ unit }) => {
    const long = unit.repeat(2 ** 20 / unit.length);
    const whole = `{"id":"job_1","long":"${long}","status":"active"}`;
    expect([...membersOf(whole)].map(({ key }) => key)).toEqual(['id', 'long', 'status']);
    expect([...membersOf(whole.slice(0, -22))].map(({ key }) => key)).toEqual(['id']);
  });

  // With quadratic growth a mebibyte would take hours, and the test's own limit ends it.
  test.each([
    { what: 'a string that never ends', text: (n: number) => `{"a":"${'\\"'.repeat(n)}` },
    { what: 'brackets that never end', text: (n: number) => `{"a":${'['.repeat(n)}` },
    { what: 'white space', text: (n: number) => `{"a":${' '.repeat(n)}` },
    { what: 'quotes', text: (n: number) => `{${'"'.repeat(n)}` },
    { what: 'members', text: (n: number) => `{${'"a":1,'.repeat(n / 6)}` },
  ])('are found in linear time in $what', ({ text }) => {
    const members = [...membersOf(text(2 ** 20))];
    expect(members.length).toBeLessThan(2 ** 20 / 5);
  });
});

test.each([
  { promise: 'a list has no members', text: '[{"id":"x"}]', names: [] },
  { promise: 'a string has no members', text: '"{}"', names: [] },
  { promise: 'an empty text has no members', text: '', names: [] },
  {
    promise: 'a key that occurs twice gives two members',
    text: '{"a":1,"a":2}',
    names: ['a', 'a'],
  },
  { promise: 'an escaped key is decoded', text: '{"\\u0069d":1}', names: ['id'] },
  { promise: 'members inside members do not count', text: '{"a":{"b":1}}', names: ['a'] },
])('$promise', ({ text, names }) => {
  expect([...membersOf(text)].map(({ key }) => key)).toEqual(names);
});

describe('the beginning of a text from outside', () => {
  const redact = (text: string) => text.replaceAll('s3cret', '***');
  const shown = (text: string) => beginningWithoutSecrets(text, redact);

  test.each([
    { where: 'as it is', text: 'x s3cret y', left: 'x *** y' },
    { where: 'in a string of JSON', text: '{"a":"s3cret"}', left: '{"a":"***"}' },
    {
      where: 'escaped in JSON',
      text: '{"a":"s\\u0033cret", "n": 1.0}',
      left: '{"a":"***", "n": 1.0}',
    },
    {
      where: 'in JSON that was cut',
      text: '{"a":"s\\u0033cret","b":"x',
      left: '{"a":"***","b":"x',
    },
  ])('has no secret that stands there $where', ({ text, left }) => {
    expect(shown(text)).toBe(left);
  });

  test('without a secret is as it is written', () => {
    fc.assert(
      fc.property(jsonText, (text) => {
        expect(shown(text)).toBe(text);
      }),
    );
  });

  test('has no half of a secret where it ends, and keeps more than is ever quoted', () => {
    for (const before of [0, 1, 2, 3, 4, 5, 6]) {
      const text = `${'x'.repeat(20_000 - before)}s3cret${'y'.repeat(100)}`;
      expect(shown(text)).toMatch(/^x{5000,}$/);
    }
  });
});

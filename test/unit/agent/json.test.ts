/** Members of JSON texts, against `JSON.parse`. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { beginningWithoutSecrets, membersOf } from '../../../src/agent/json.ts';
import { dose } from '../../support/dose.ts';
import { anyCharacters } from '../../support/hostile-texts.ts';

const namesIn = (text: string) => [...membersOf(text)].map(({ key }) => key);
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
  test('are those that a JSON parser reads, at the positions that they name', () => {
    fc.assert(
      fc.property(jsonText, (text) => {
        const parsed: object = JSON.parse(text);
        expect(Object.fromEntries(namesAndValues(text))).toEqual(parsed);
        for (const { value, start, end } of membersOf(text)) {
          expect(text.slice(start, end)).toBe(value);
        }
      }),
      { numRuns: dose(50, 2_000) },
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
      { numRuns: dose(5, 100) },
    );
  });

  test('of a text that was cut are found as soon as they are complete', () => {
    const text = '{"id":"job_1","cost":12,"source":{"ref":"main"},"status":"active"}';
    const namesUpTo = (end: string) => namesIn(text.slice(0, text.indexOf(end) + end.length));
    expect(namesUpTo('"job_1')).toEqual([]);
    expect(namesUpTo('"job_1"')).toEqual(['id']);
    expect(namesUpTo('12')).toEqual(['id']);
    expect(namesUpTo('12,')).toEqual(['id', 'cost']);
    expect(namesUpTo('"main"')).toEqual(['id', 'cost']);
    expect(namesUpTo('"active"')).toEqual(['id', 'cost', 'source', 'status']);
  });

  test.each(['a', '\\"', '\\\\', '[{'])('are found next to a string of 1 MiB of %s', (unit) => {
    const long = unit.repeat(2 ** 20 / unit.length);
    const whole = `{"id":"job_1","long":"${long}","status":"active"}`;
    expect(namesIn(whole)).toEqual(['id', 'long', 'status']);
    expect(namesIn(whole.slice(0, -22))).toEqual(['id']);
  });
});

test.each([
  { promise: 'a list has no members', text: '[{"id":"x"}]', names: [] },
  { promise: 'a string has no members', text: '"{}"', names: [] },
  { promise: 'an empty text has no members', text: '', names: [] },
  { promise: 'a key that occurs twice is found twice', text: '{"a":1,"a":2}', names: ['a', 'a'] },
  { promise: 'an escaped key is decoded', text: '{"\\u0069d":1}', names: ['id'] },
  { promise: 'members inside members do not count', text: '{"a":{"b":1}}', names: ['a'] },
])('$promise', ({ text, names }) => {
  expect(namesIn(text)).toEqual(names);
});

describe('the beginning of a text from outside', () => {
  const redact = (text: string) => text.replaceAll('s3cret', '***');
  const shown = (text: string) => beginningWithoutSecrets(text, redact);

  test.each([
    ['as it is', 'x s3cret y', 'x *** y'],
    ['in a string of JSON', '{"a":"s3cret"}', '{"a":"***"}'],
    ['escaped in JSON', '{"a":"s\\u0033cret", "n": 1.0}', '{"a":"***", "n": 1.0}'],
    ['in JSON that was cut', '{"a":"s\\u0033cret","b":"x', '{"a":"***","b":"x'],
  ])('has no secret that stands there %s', (_where, text, left) => {
    expect(shown(text)).toBe(left);
  });

  test('without a secret is as it is written', () => {
    fc.assert(
      fc.property(jsonText, (text) => {
        expect(shown(text)).toBe(text);
      }),
      { numRuns: dose(50, 1_000) },
    );
  });

  test('has no half of a secret where it ends, and keeps more than is ever quoted', () => {
    for (const before of [0, 1, 2, 3, 4, 5, 6]) {
      const text = `${'x'.repeat(20_000 - before)}s3cret${'y'.repeat(100)}`;
      expect(shown(text)).toMatch(/^x{5000,}$/);
    }
  });
});

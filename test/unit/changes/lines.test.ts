import { expect, test } from 'vitest';
import { beginningOf } from '../../../src/changes/lines.ts';

test.each([
  [14, 'one\ntwo words', ['one', 'two words']],
  [13, 'one\ntwo words', ['one', 'two w…']],
  [8, 'one\ntwo words', ['one…']],
  [4, 'one\ntwo words', []],
  [11, '🦊🦊🦊', ['🦊…']],
])(
  'a text is cut to %i bytes between two characters, and the cut is marked',
  (bytes, text, shown) => {
    expect(beginningOf(text.split('\n'), bytes)).toEqual(shown);
  },
);

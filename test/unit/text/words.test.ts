import { expect, test } from 'vitest';
import { listInWords } from '../../../src/text/words.ts';

test.each([[[]], [['a']], [['a', 'b']], [['a', 'b', 'c']], [['a', 'b', 'c', 'd']]])(
  '%j is listed as Intl.ListFormat lists it',
  (items) => {
    expect(listInWords(items)).toBe(new Intl.ListFormat('en').format(items));
  },
);

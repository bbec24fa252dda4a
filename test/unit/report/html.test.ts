import fc from 'fast-check';
import { expect, test } from 'vitest';
import { codeSpan, messageToHtml } from '../../../src/report/html.ts';
import { quote } from '../../../src/text/escape.ts';
import { dose } from '../../support/dose.ts';
import { anyText } from '../../support/hostile-texts.ts';

test.each([
  ['a', '`a`'],
  ['a`b', '``a`b``'],
  ['`', '`` ` ``'],
  ['``a', '``` ``a ```'],
  [' a ', '`  a  `'],
  ['  ', '`  `'],
  ['a\nb', '`a\\nb`'],
])('the code span of %j is %s', (text, expected) => {
  expect(codeSpan(text)).toBe(expected);
});

test('what is quoted in a message is one element of code', () => {
  fc.assert(
    fc.property(anyText, (value) => {
      expect(messageToHtml(quote(value))).toMatch(/^<code>[^<>]*<\/code>$/);
    }),
    { numRuns: dose(30, 500) },
  );
});

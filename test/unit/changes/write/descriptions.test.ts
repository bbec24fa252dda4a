import fc from 'fast-check';
import { expect, test } from 'vitest';
import { finishLine } from '../../../../src/changes/patches/lines.ts';
import { descriptionLines, indented } from '../../../../src/changes/write/descriptions.ts';
import type { CodePull } from '../../../../src/github/github.ts';
import { dose } from '../../../support/dose.ts';
import { anyText } from '../../../support/hostile-texts.ts';
import { pullOf } from '../../../support/pulls.ts';

const asIs = (text: string) => text;
/** What stands under a commit with the title of its pull request. */
const under = (body: string, more: Partial<CodePull> = {}, clean = asIs) => {
  const pull = pullOf({ number: 7, title: 'Add retries', body, ...more });
  return descriptionLines(pull, 'Add retries (#7)', true, clean);
};
/** The lines of the description alone. */
const textOf = (body: string) =>
  under(body)
    .slice(1)
    .map((line) => line.replace(/^ {8}/, ''));

const HEADING = '    pull request #7 by octocat:';

test('a pull request is its number, its author and its text, which is indented', () => {
  expect(under('Why.\r\n\r\n\r\n- a  \n  - b\n')).toEqual([
    ...[HEADING, '        Why.', '', '        - a  ', '          - b'],
  ]);
});

test('the title is told where the commit has another subject, in quotes that it cannot close', () => {
  expect(under('', { title: 'Say "x" \\' })).toEqual([
    '    pull request #7 "Say \\"x\\" \\\\" by octocat',
  ]);
  expect(under('Why.', { title: 'add retries', author: undefined })).toEqual([
    ...['    pull request #7 "add retries":', '        Why.'],
  ]);
});

test.each(['Add retries', 'Add retries (#7)', ' Add retries ', ''])(
  'the title %j is not told again, and without a text there is no line',
  (title) => {
    expect(under('', { title })).toEqual([]);
    expect(under('Why.', { title })).toEqual([HEADING, '        Why.']);
  },
);

test.each<[what: string, body: string, text: readonly string[]]>([
  ['a comment', 'a<!-- x\n\ny -->b', ['ab']],
  ['comments that are empty or follow one another', '<!----><!-- a --><!-- b -->c', ['c']],
  ['a comment that never ends', 'a\n<!-- b\nc', ['a']],
  ['images', 'a ![x](y.png "z") b<IMG src="x"\nc>c\n<img src=x />d', ['a  bc', 'd']],
  ['an image on several lines', 'a <img\n  src="x"\n>b', ['a b']],
  [
    'tasks',
    '- [ ] a\n> - [ ] a\n  * [x] b\n1. [X] c\n+ [ ]\n- [y] d\n- [link](x)',
    ['- [y] d', '- [link](x)'],
  ],
])('a description is without %s', (_, body, text) => {
  expect(textOf(body)).toEqual(text);
});

test('a description has 2,000 characters', () => {
  const long = (length: number) => 'word '.repeat(length / 5).trim();
  for (const length of [2_005, 5_000, 12_000, 60_000]) {
    const text = textOf(long(length)).join('');
    expect(text).toHaveLength(2_000);
    expect(text).toMatch(/…$/);
  }
  expect(textOf(`${long(2_000)}<!-- x -->`).join('')).toBe(long(2_000));
});

test('a text is indented, without blank lines at its ends or twice in a row', () => {
  expect(indented('\n\na\n \t\n\nb\n\n')).toEqual(['    a', '', '    b']);
});

test('no text can leave its indentation, or its line', () => {
  fc.assert(
    fc.property(fc.array(anyText, { minLength: 1 }), anyText, anyText, (parts, title, author) => {
      const [heading = HEADING, ...lines] = under(parts.join('\n'), { title, author }).map((line) =>
        finishLine(line, asIs),
      );
      expect(heading).toMatch(/^ {4}pull request #7[^\p{Cc}\u2028\u2029]*$/u);
      for (const line of lines) expect(line).toMatch(/^(?: {8}[^\n\r\u0085\u2028\u2029]+)?$/);
    }),
    { numRuns: dose(60, 600) },
  );
});

test('a comment or an image in a secret leaves no half of it', () => {
  for (const secret of ['ghs_SEC<!--RET-->SECRET', 'ghs_SECRET![x](y)SECRET']) {
    const clean = (text: string) => text.replaceAll(secret, '***');
    expect(under(`Why ${secret}.`, {}, clean).join('\n')).toContain('Why ***.');
  }
});

test('no half of a secret is shown, wherever a text is cut', () => {
  const secret = 'ghs_SECRETSECRETSECRET';
  const clean = (text: string) => text.replaceAll(secret, '***');
  for (let shift = 0; shift <= secret.length; shift += 1) {
    const before = (limit: number) => 'x'.repeat(limit - shift);
    const all = [
      under(before(1_999) + secret, {}, clean),
      under(before(11_999) + secret, {}, clean),
      under(`Why.<!-- ${before(60_000)}-->${before(1_990)}${secret}`, {}, clean),
      under('', { title: before(299) + secret }, clean),
    ];
    expect(all.join('')).not.toMatch(/ghs_|SECRET/);
  }
});

// The garbage collector and other processes take a part of this; time that grew with the square of the
// length would be hours.
test('1,000,000 characters of any Markdown take no long time', { timeout: 30_000 }, () => {
  const pieces = [
    ...['a', '\n', ' ', '*', '\0', ']', '# ', '- [ ] a\n', '- [ ] ', '> > '],
    ...['![', '![a](', '[](', '<img ', '<!--', '-->', '<!---->', '<!-- -', '1) [x]'],
  ];
  const random = fc.sample(fc.array(fc.constantFrom(...pieces), { minLength: 2 }), 5);
  for (const unit of [...pieces, ...random.map((all) => all.join(''))]) {
    under(unit.repeat(1_000_000 / unit.length));
  }
});

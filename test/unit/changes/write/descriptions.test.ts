import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { bytesOf, finishLine } from '../../../../src/changes/rank/room.ts';
import {
  type DescribedCommit,
  descriptionLines,
} from '../../../../src/changes/write/descriptions.ts';
import { dose } from '../../../support/dose.ts';
import { anyText } from '../../../support/hostile-texts.ts';
import { pullOf } from '../../../support/pulls.ts';

const described = (
  body: string,
  { pull, ...more }: Partial<DescribedCommit> = {},
): DescribedCommit => ({
  ...{ sha: 'c1', subject: 'Add retries (#7)', message: 'Add retries (#7)', isTelling: false },
  pull: { ...pullOf({ number: 7, title: 'Add retries', body }), ...pull },
  ...more,
});

const asIs = (text: string) => text;
const tell = (commits: readonly DescribedCommit[], clean = asIs) =>
  descriptionLines(commits, { clean, pause: async () => undefined });
/** What stands under a commit whose pull request has this description. */
async function under(...given: Parameters<typeof described>) {
  const { bySha } = await tell([described(...given)]);
  return bySha.get('c1') ?? [];
}
/** The lines of the description alone. */
const textOf = async (...given: Parameters<typeof described>) =>
  (await under(...given)).slice(1).map((line) => line.replace(/^ {8}/, ''));

const HEADING = '    pull request #7 by octocat:';

describe('what a pull request says', () => {
  test('is its number, its author and its text, which is indented', async () => {
    expect(await under('Why.\r\n\r\n\r\n- a  \n  - b\n')).toEqual([
      ...[HEADING, '        Why.', '', '        - a', '          - b'],
    ]);
  });

  test('is its title if the commit has another subject, in quotes that it cannot close', async () => {
    const pull = pullOf({ number: 7, title: 'Say "x" \\', body: '' });
    expect(await under('', { pull })).toEqual([
      '    pull request #7 "Say \\"x\\" \\\\" by octocat',
    ]);
    const titled = { ...pull, title: ' add  `retries` ', author: undefined };
    expect(await under('', { pull: { ...titled, body: '' } })).toEqual([]);
    expect(await under('', { pull: { ...titled, body: 'Why.' } })).toEqual([
      ...['    pull request #7:', '        Why.'],
    ]);
  });

  test('is not the text of a bot, which quotes other projects', async () => {
    const pull = pullOf({ number: 7, title: 'Bump x', body: 'Notes.', isByBot: true });
    expect(await under('', { pull })).toEqual(['    pull request #7 "Bump x" by octocat']);
  });

  test.each<[what: string, body: string, text: readonly string[]]>([
    ['a comment', 'a<!-- x\n\ny -->b', ['ab']],
    ['comments that are empty or follow one another', '<!----><!-- a --><!-- b -->c', ['c']],
    ['a comment that never ends', 'a\n<!-- b\nc', ['a']],
    ['a comment, but for those in code', 'a `<!-- b` <!-- c -->d', ['a `<!-- b` d']],
    [
      'a comment, but for those in a block of code',
      'a\n```html\n<!-- b -->\n```\n<!-- c -->d\n~~~\n<!-- e',
      ['a', '```html', '<!-- b -->', '```', 'd', '~~~', '<!-- e'],
    ],
    ['a comment behind backticks that nothing closes', 'a ``` b `` <!-- c -->d', ['a ``` b `` d']],
    ['a comment that ends at once', 'a <!--> b <!---> c', ['a  b  c']],
    ['an image with a reference', 'a ![x][y] b ![c [d]](e_(f).png)', ['a  b']],
    ['an image on several lines', 'a <img\n  src="x"\n>b', ['a b']],
    ['a badge', '[![build](https://x.example/b.svg)](https://x.example) a', [' a']],
    [
      'images',
      'a ![x](y.png "z") b\n<IMG src="x"\nc\n<img src=x />d',
      ['a  b', '<IMG src="x"', 'c', 'd'],
    ],
    ['a video', '<picture><source srcset="x"><img></picture>\n<video src="x"></video>a', ['a']],
    [
      'tasks',
      '- [ ] a\n> - [ ] a\n  * [x] b\n1. [X] c\n+ [ ]\n- [y] d\n- [link](x)',
      ['- [y] d', '- [link](x)'],
    ],
    [
      'a heading of which nothing is left',
      '# Why\n\nx\n\n## Tasks\n\n- [ ] a\n',
      ['# Why', '', 'x'],
    ],
  ])('is without %s', async (_, body, text) => {
    expect(await textOf(body)).toEqual(text);
  });

  test('is not what the commit’s message says already', async () => {
    const why = 'Clients gave up as soon as one request had failed.';
    const how = 'They now try *three* times, with growing pauses.';
    const message = `Add retries (#7)\n\n* ${why.toUpperCase()}\n* They now try three times,\n  with growing pauses.`;
    expect(await under(`## Why\n\n${why}\n\n${how}\n\nok`, { message })).toEqual([]);
    expect(
      await textOf(`## Why\n\n${why}\n\n## How\n\nWith a timer that can be stopped.`, { message }),
    ).toEqual([...['## How', '', 'With a timer that can be stopped.']]);
  });

  test('is a short text even if the message has its words', async () => {
    expect(await textOf('Add retries')).toEqual(['Add retries']);
  });
});

describe('of descriptions that do not all fit', () => {
  const long = (length: number) => `${'word '.repeat(length / 5)}`;

  test('each has at most 2,000 characters', async () => {
    const text = await textOf(long(5_000));
    expect(text.join('\n')).toHaveLength(2_000);
    expect(text.at(-1)).toMatch(/…$/);
    expect((await textOf(long(2_000))).join('\n')).toBe(long(2_000).trim());
  });

  test('those of what breaks come first, then features, then fixes, within 30 kB', async () => {
    const kinds = ['docs: x', 'fix: x', 'feat: x', 'feat!: x', 'x'];
    const titles = fc.tuple(fc.constantFrom(...kinds), fc.constantFrom(...kinds, 'Feature'));
    const one = fc.record({
      titles,
      isTelling: fc.boolean(),
      size: fc.integer({ min: 5, max: 3_000 }),
    });
    const rankOf = ({
      titles: both,
      isTelling,
    }: {
      titles: readonly string[];
      isTelling: boolean;
    }) => {
      if (isTelling || both.includes('feat!: x')) return 0;
      return both.includes('feat: x') ? 1 : both.includes('fix: x') ? 2 : 3;
    };
    await fc.assert(
      fc.asyncProperty(fc.array(one, { minLength: 30, maxLength: 60 }), async (all) => {
        const commits = all.map(({ titles: [subject, title], isTelling, size }, n) =>
          described('', {
            ...{ sha: `c${n}`, subject, message: subject, isTelling },
            pull: pullOf({ number: n, title, body: `${'w'.repeat(size)} ${n}` }),
          }),
        );
        const { bySha, notTold } = await tell(commits);
        expect(bytesOf([...bySha.values()].flat())).toBeLessThanOrEqual(30_000);
        // A second way: one after the other, as long as the heading and the first line fit.
        let left = 30_000;
        let notWhole = 0;
        for (const rank of [0, 1, 2, 3]) {
          for (const [n, commit] of commits.entries()) {
            if (rankOf(all[n] ?? { titles: [], isTelling: true }) !== rank) continue;
            const lines = (await tell([commit])).bySha.get(commit.sha) ?? [];
            const bytes = bytesOf(lines);
            const fits = bytes <= left;
            expect(bySha.get(commit.sha)).toEqual(fits ? lines : undefined);
            if (fits) left -= bytes;
            else notWhole += 1;
          }
        }
        expect(notTold).toBe(notWhole);
      }),
      { numRuns: dose(30, 300) },
    );
  });
});

test('no text can leave its indentation, or its line', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(anyText, { minLength: 1 }),
      anyText,
      anyText,
      async (parts, title, author) => {
        const pull = pullOf({ number: 7, title, author, body: parts.join('\n') });
        const [heading = HEADING, ...lines] = (await under('', { pull })).map((line) =>
          finishLine(line, asIs),
        );
        expect(heading).toMatch(/^ {4}pull request #7[^\p{Cc}\u2028\u2029]*$/u);
        for (const line of lines) expect(line).toMatch(/^(?: {8}[^\n\r\u0085\u2028\u2029]+)?$/);
      },
    ),
    { numRuns: dose(60, 600) },
  );
});

test('no half of a secret is shown, wherever a text is cut', async () => {
  const secret = 'ghs_SECRETSECRETSECRET';
  const clean = (text: string) => text.replaceAll(secret, '***');
  const shown = async (body: string, title = 'T') => {
    const { bySha } = await tell([described('', { pull: pullOf({ title, body }) })], clean);
    return JSON.stringify([...bySha.values()]);
  };
  for (let shift = 0; shift <= secret.length; shift += 1) {
    const before = (limit: number) => 'x'.repeat(limit - shift);
    const all = [
      await shown(before(1_999) + secret),
      await shown(`Why.<!-- ${before(69_991)}-->`.slice(0, 70_000 - shift) + secret),
      await shown(`<!--${before(69_980)}-->${secret}`),
      await shown('', before(299) + secret),
    ];
    expect(all.join('')).not.toMatch(/ghs_|SECRET/);
  }
});

// The garbage collector and other processes take a part of this; time that grew with the square of the
// length would be minutes.
test('70,000 characters of any Markdown take no long time', { timeout: 30_000 }, async () => {
  const pieces = [
    ...['a', '\n', ' ', '*', '😀', '\0', ']', '# ', '- [ ] a\n', 'some words of twenty letters\n'],
    ...['![', '![a](', '[](', '<img ', '<picture', '<!--', '-->', '<!---->', '<!-- -'],
  ];
  const random = fc.sample(fc.array(fc.constantFrom(...pieces), { minLength: 2 }), 10);
  for (const unit of [...pieces, ...random.map((all) => all.join(''))]) {
    const body = unit.repeat(70_000 / unit.length);
    await under(body, { message: body });
  }
});

test('a cancel is noticed between two of them', async () => {
  const commits = ['c1', 'c2', 'c3'].map((sha) => described('Why.', { sha }));
  let pauses = 0;
  const pause = async () => {
    pauses += 1;
    if (pauses === 2) throw new Error('cancelled');
  };
  await expect(descriptionLines(commits, { clean: asIs, pause })).rejects.toThrow('cancelled');
});

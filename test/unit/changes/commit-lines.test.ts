import { describe, expect, test } from 'vitest';
import { commitLines } from '../../../src/changes/commit-lines.ts';
import type { RangeCommit } from '../../../src/changes/skip.ts';
import { behind, commitOf } from './given.ts';

const list = (commits: readonly RangeCommit[], described?: number) =>
  commitLines(commits, described, 200_000);
const bytes = (shown: readonly string[]) => Buffer.byteLength(`${shown.join('\n')}\n`);

describe('the description of a pull request', () => {
  const under = (body: string, title = 'Add retries', message = 'Add retries (#7)') =>
    list([commitOf(message, { pull: behind(7, title, body) })]).needed.slice(1);
  const HEADING = '    pull request #7 "Add retries" by octocat';
  const textOf = (body: string) =>
    under(body)
      .slice(1)
      .map((line) => line.replace(/^ {8}/, ''));

  test('is left out if the commit says the same', () => {
    const squashed = 'Add retries (#7)\n\nWhy they\nare needed.\n\nCo-authored-by: B <b@b.c>';
    const body = 'Why they are needed.\r\n<!-- template -->\n- [x] Tests';
    expect(under('Why.')).toEqual([`${HEADING}:`, '        Why.']);
    expect(under('')).toEqual([]);
    expect(under(body, 'Add retries', squashed)).toEqual(['    Why they', '    are needed.']);
    expect(under('', 'Say "x"')).toEqual(['    pull request #7 "Say \\"x\\"" by octocat']);
  });

  test.each<[what: string, body: string, text: string]>([
    ['comments', 'a<!-- x\n\ny -->b<!----><!-- a --><!-- b -->c', 'abc'],
    ['comment that never ends', 'a\n<!-- b\nc', 'a'],
    ['comment but those', 'a --> <!-- x --> b <!-- c', 'a -->  b <!-- c'],
    ['images', 'a ![x](y.png "z") b<IMG src="x"\nc>c<img src=x />d', 'a  bcd'],
    ['tasks', '- [ ] a\n> - [ ] a\n  * [x] b\n1. [X] c\n- [y] [l](x)', '- [y] [l](x)'],
  ])('has no %s', (_, body, text) => {
    expect(textOf(body)).toEqual([text]);
  });

  test('has 2,000 characters', () => {
    const words = 'word '.repeat(400).trim();
    expect(textOf(`${words}<!-- x -->`)).toEqual([words]);
    expect(textOf(`${words} and more`)).toEqual([`${words}…`]);
  });
});

describe('all commits together have 50 kB', () => {
  test('for which bodies and descriptions are cut to one length', () => {
    const commits = Array.from({ length: 40 }, (_, n) =>
      commitOf(`Subject ${n}\n\n${n % 2 ? 'short' : `words ${n}\n`.repeat(300)}`, {
        sha: `c${n}`,
        pull: behind(n, `Subject ${n}`, 'why '.repeat(500)),
      }),
    );
    const { needed } = list(commits);
    expect(needed.filter((line) => line.startsWith('- '))).toHaveLength(40);
    expect(needed).toContain('    short');
    expect(bytes(needed)).toBeLessThanOrEqual(50_000);
    expect(bytes(needed)).toBeGreaterThan(49_600);
    expect(needed.filter((line) => line.endsWith('…'))).toHaveLength(60);
  });

  test('for which the oldest are left out and counted if the first lines need more', () => {
    const commits = Array.from({ length: 400 }, (_, n) =>
      commitOf(`Subject ${n} ${'x'.repeat(200)}\n\nBody.`, {
        sha: `${n}`.padStart(12, '0'),
        isSkipped: n % 2 === 1,
      }),
    );
    const { needed, skipped } = list(commits);
    const size = bytes([...needed, ...skipped]);
    expect(size).toBeLessThanOrEqual(50_000);
    expect(size).toBeGreaterThan(49_600);
    const shown = [...needed, ...skipped].slice(1);
    expect(needed[0]).toBe(`- ${400 - shown.length} older commits`);
    const newest = commits.slice(-shown.length).map(({ sha }) => sha);
    expect(shown.map((line) => line.slice(2, 14)).toSorted()).toEqual(newest);
    expect(skipped).toHaveLength(Math.ceil(shown.length / 2));
  });
});

test('takes time linear in the texts', { timeout: 10_000 }, () => {
  const units = ['a', ' ', '\n', '-', 'a-', '-by: ', '(cherry ', '\n- ', '![', '<img ', '<!--'];
  for (const unit of [...units, '> > ', '- [ ] ', '<!-- -->', '-->', '![a](', '1) [x]']) {
    const text = unit.repeat(50_000 / unit.length);
    const pull = { ...behind(7, text, text), author: text };
    expect(bytes(list([commitOf(`S\n\n${text}x`, { pull })]).needed)).toBeLessThanOrEqual(50_000);
  }
});

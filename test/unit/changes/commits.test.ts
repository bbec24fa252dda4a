import { expect, test } from 'vitest';
import { commitLines, indented } from '../../../src/changes/commits.ts';
import type { Commit } from '../../../src/github/github.ts';
import { HOSTILE_TEXTS } from '../../support/hostile-texts.ts';

const commit = (message: string, sha = '0123456789abcdef'): Commit => ({
  sha,
  commit: { message },
});
const lines = (...messages: readonly string[]) =>
  commitLines(
    messages.map((message) => commit(message)),
    50_000,
  ).lines;

test('a commit is its subject and, indented below it, its body without trailers', () => {
  expect(
    lines(
      'feat: drop v1\r\n\r\nBREAKING CHANGE: v1 is gone.\r\n\r\nSigned-off-by: A <a@b.c>',
      'Fix',
    ),
  ).toEqual([
    '- 0123456789ab feat: drop v1',
    '    BREAKING CHANGE: v1 is gone.',
    '- 0123456789ab Fix',
  ]);
});

test('the title of a merged pull request is seen below the subject of its merge commit', () => {
  expect(lines('Merge pull request #41 from octocat/retries\n\nfeat: add retries')).toEqual([
    '- 0123456789ab Merge pull request #41 from octocat/retries',
    '    feat: add retries',
  ]);
});

test('a long subject is cut at 200 characters and a long body at 500', () => {
  const [subject = '', body = ''] = lines(`${'s'.repeat(300)}\n\n${'b'.repeat(600)}`);
  expect(subject).toBe(`- 0123456789ab ${'s'.repeat(199)}…`);
  expect(body).toBe(`    ${'b'.repeat(499)}…`);
});

test('blank lines of a body are kept, one at a time', () => {
  expect(lines('S\n\n\n\na\n \t\n\n\nb\n\n')).toEqual(['- 0123456789ab S', '    a', '', '    b']);
});

test.each(Object.entries(HOSTILE_TEXTS))(
  'a message with %s has no line that looks like one of the block',
  (_, text) => {
    const [subject = '', ...body] = lines(`${text}\n\n${text}`);
    expect(subject).toMatch(/^- 0123456789ab /);
    for (const line of body) expect(line).toMatch(/^(?: {4}|$)/);
    expect(body.join('')).not.toMatch(/(?!\t)[\p{Cc}\p{Zl}\p{Zp}\u202e]/u);
  },
);

test('when there is little room, every subject comes first and bodies share what is left', () => {
  const messages = Array.from({ length: 20 }, (_, n) =>
    commit(n === 7 ? 'Short\n\nbody' : `Subject ${n}\n\n${'word '.repeat(90)}`),
  );
  const { lines: shown, count } = commitLines(messages, 2_000);
  expect(count).toBe(20);
  expect(shown.filter((line) => line.startsWith('- '))).toHaveLength(20);
  expect(shown).toContain('    body');
  const bodies = shown.filter((line) => line.startsWith('    word'));
  expect(bodies).toHaveLength(19);
  for (const body of bodies) expect(body).toMatch(/^ {4}(?:word ?)+(?:w|wo|wor)?…$/);
  const size = Buffer.byteLength(shown.join('\n'));
  expect(size).toBeLessThanOrEqual(2_000);
  expect(size).toBeGreaterThan(1_800);
});

test('commits that do not fit are left out from the end', () => {
  const messages = Array.from({ length: 20 }, (_, n) => commit(`Subject ${n}`));
  const { lines: shown, count } = commitLines(messages, 100);
  expect(count).toBe(4);
  expect(shown.at(-1)).toBe('- 0123456789ab Subject 3');
});

test('a text is cut after its invisible characters are shown, so its size is bounded', () => {
  const { text, isCut } = indented('\u0007'.repeat(5_000), 4_000);
  expect(isCut).toBe(true);
  expect(text.length).toBe(4_004);
});

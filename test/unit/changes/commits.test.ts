import { expect, test } from 'vitest';
import { commitLines, indented } from '../../../src/changes/commits.ts';
import { finishLine } from '../../../src/changes/room.ts';
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
  ).lines.map((line) => finishLine(line, (text) => text));

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

test('a message of 40 kB is whole', () => {
  const body = Array.from({ length: 400 }, () => `    ${'b'.repeat(99)}`);
  const text = body.map((line) => line.trim()).join('\n');
  expect(lines(`Subject\n\n${text}`)).toEqual(['- 0123456789ab Subject', ...body]);
});

test("of a bot's commit only the subject is shown, whoever says that it is one", () => {
  const message = 'Bump x\n\nRelease notes of another project';
  const by = (more: Partial<Commit>, name = 'A'): Commit => ({
    ...{ sha: 'c'.repeat(40), commit: { message, author: { name } } },
    ...more,
  });
  const bots = [
    by({}, 'renovate[bot]'),
    by({ author: { type: 'Bot' } }),
    by({ author: { login: 'x[bot]' } }),
  ];
  expect(commitLines([...bots, by({ author: null })], 50_000).lines).toEqual([
    ...Array<string>(4).fill('- cccccccccccc Bump x'),
    '    Release notes of another project',
  ]);
});

test('lines of a squash merge about fixups go, and so does a note that there are none', () => {
  const message = 'S\n\n* Add x\n\n* fixup! Add x\n\n* fixup\n\n* Add x\n\nRELEASE NOTES: n/a';
  expect(lines(message)).toEqual(['- 0123456789ab S', '    * Add x']);
});

const NOTED = [
  'fix: a\n\nBecause.\n\nRELEASE NOTES:\n\n- a: One thing.\n\n- b: Another.\n\nMore.',
  'feat!: b\n\nRelease-Notes: c',
  'chore: d\n\nIt said RELEASE NOTES: before.',
  'e\n\nBREAKING CHANGE: f\ng',
];

test('among five commits what breaks, and what release notes should say, is a list of its own', () => {
  const { notes, lines: rest } = commitLines(
    [...NOTED, 'h'].map((text) => commit(text)),
    50_000,
  );
  const line = (subject: string) => `- 0123456789ab ${subject}`;
  expect(notes).toEqual([
    ...[line('fix: a'), '    RELEASE NOTES:', '    - a: One thing.', '    - b: Another.'],
    ...[line('feat!: b'), '    Release-Notes: c'],
    ...[line('e'), '    BREAKING CHANGE: f', '    g'],
  ]);
  expect(rest).toEqual([
    ...[line('fix: a'), '    Because.', '', '    More.'],
    ...[
      line('feat!: b'),
      line('chore: d'),
      '    It said RELEASE NOTES: before.',
      line('e'),
      line('h'),
    ],
  ]);
  expect(
    commitLines(
      NOTED.map((text) => commit(text)),
      50_000,
    ).notes,
  ).toEqual([]);
});

test('notes are whole while other text is cut, and what breaks and people go before bots', () => {
  const noisy = Array.from({ length: 40 }, (_, n) => commit(`${n}\n\n${'word '.repeat(300)}`));
  const noted = commit(`Last\n\nBREAKING CHANGE: ${'note '.repeat(300)}`);
  const { notes, cut } = commitLines([...noisy, noted], 5_000);
  expect(notes.join('\n')).toContain('note '.repeat(300).trimEnd());
  expect(cut).toBeGreaterThan(30);
  const bot: Commit = { ...commit('Bump'), author: { type: 'Bot' } };
  const shown = commitLines([bot, commit('a'), commit('feat!: b'), bot], 45);
  expect(shown.lines.slice(0, 2)).toEqual(['- 0123456789ab a', '- 0123456789ab feat!: b']);
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
    commit(n === 7 ? 'Short\n\nbody' : `Subject ${n}\n\n${'words\n'.repeat(90)}`),
  );
  const { lines: shown, count, cut } = commitLines(messages, 2_000);
  expect(count).toBe(20);
  expect(shown.filter((line) => line.startsWith('- '))).toHaveLength(20);
  expect(shown).toContain('    body');
  expect(cut).toBe(19);
  expect(shown.filter((line) => line === '    …')).toHaveLength(19);
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

test('a text is indented, without blank lines at its ends or twice in a row', () => {
  expect(indented('\n\na\n \t\n\nb\n\n')).toEqual(['    a', '', '    b']);
});

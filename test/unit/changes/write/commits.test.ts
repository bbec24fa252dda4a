import fc from 'fast-check';
import { expect, test } from 'vitest';
import { finishLine } from '../../../../src/changes/rank/room.ts';
import { commitLines, indented } from '../../../../src/changes/write/commits.ts';
import type { Commit } from '../../../../src/github/github.ts';
import { dose } from '../../../support/dose.ts';
import { type GitCommit, GitRepository } from '../../../support/git-repository.ts';
import { HOSTILE_TEXTS } from '../../../support/hostile-texts.ts';
import { noGit } from '../../../support/system.ts';

const commit = (message: string, sha = '0123456789abcdef'): Commit => ({
  sha,
  commit: { message },
});
const AS_IS = { clean: (text: string) => text, pause: async () => undefined };
const list = (commits: readonly Commit[], maxBytes = 50_000) =>
  commitLines(commits, new Map(), maxBytes, AS_IS);
const allOf = (messages: readonly string[]) => messages.map((message) => commit(message));
async function lines(...messages: readonly string[]): Promise<readonly string[]> {
  const shown = await list(allOf(messages));
  return shown.lines.map((line) => finishLine(line, (text) => text));
}

test('a commit is its subject and, indented below it, its body without trailers', async () => {
  const first = 'feat: drop v1\r\n\r\nBREAKING CHANGE: v1 is gone.\r\n\r\nSigned-off-by: A <a@b.c>';
  expect(await lines(first, 'Fix')).toEqual([
    '- 0123456789ab feat: drop v1',
    '    BREAKING CHANGE: v1 is gone.',
    '- 0123456789ab Fix',
  ]);
});

test('a message of 40 kB is whole', async () => {
  const body = Array.from({ length: 400 }, () => `    ${'b'.repeat(99)}`);
  const text = body.map((line) => line.trim()).join('\n');
  expect(await lines(`Subject\n\n${text}`)).toEqual(['- 0123456789ab Subject', ...body]);
});

const by = (message: string, more: Partial<Commit>, name = 'A'): Commit => ({
  ...{ sha: 'c'.repeat(40), commit: { message, author: { name } } },
  ...more,
});

test('the commits of bots are one line, whoever says that they are bots, and people are not', async () => {
  const message = 'Bump "x"\n\nRelease notes of another project';
  const bots = [
    by(message, {}, 'renovate[bot]'),
    by('Bump y', { author: { type: 'Bot' } }),
    by('Bump z', { author: { login: 'x[bot]' } }),
  ];
  const breaking = by('feat!: drop v1', {}, 'x[bot]');
  const { lines: shown, told } = await list([...bots, breaking, by(message, { author: null })]);
  expect(shown).toEqual([
    '- cccccccccccc feat!: drop v1',
    '- cccccccccccc Bump "x"',
    '    Release notes of another project',
    String.raw`- 3 commits by bots, like "Bump \"x\""`,
  ]);
  expect(told).toBe(5);
});

test("of a bot's only commit the subject is shown", async () => {
  const bot = by('Bump x\n\nRelease notes of another project', {}, 'renovate[bot]');
  expect((await list([bot])).lines).toEqual(['- cccccccccccc Bump x']);
});

test('the same subject and body is told once, and how often', async () => {
  const picked = `(cherry picked from commit ${'a'.repeat(40)})`;
  const { lines: shown, told } = await list([
    ...allOf(['Fix\n\nBody', 'Other', 'Fix\n\nOther body', `Fix\n\nBody\n\n${picked}`]),
    commit('Fix\n\nBody\n\nSigned-off-by: A <a@b.c>', 'fedcba9876543210'),
  ]);
  expect(shown).toEqual([
    ...['- 0123456789ab Fix (3 times)', '    Body', '- 0123456789ab Other'],
    ...['- 0123456789ab Fix', '    Other body'],
  ]);
  expect(told).toBe(5);
});

test('a merge commit goes if a commit that it brought is listed, but not with a note of its own', async () => {
  const merge = (message: string, second: string): Commit => ({
    ...commit(message, `merge of ${second}`),
    parents: [{ sha: 'x' }, { sha: second }],
  });
  const { lines: shown, merges } = await list([
    ...[commit('A', 'a'), merge('Merge a', 'a'), merge('Merge b', 'b')],
    merge('Merge a again\n\nBREAKING CHANGE: it is gone', 'a'),
  ]);
  expect(shown).toEqual([
    ...['- a A', '- merge of b Merge b', '- merge of a Merge a again'],
    '    BREAKING CHANGE: it is gone',
  ]);
  expect(merges).toBe(1);
});

/** A history of branches that are merged into one another at random. */
const anyHistory = fc
  .array(fc.tuple(fc.constantFrom('commit', 'branch', 'merge'), fc.nat(), fc.nat()), {
    minLength: 5,
    maxLength: 25,
  })
  .map((steps) => {
    const commits: GitCommit[] = [{ name: 'n0', parents: [] }];
    // None of these leads to another, as git makes no merge commit of what is merged already.
    const tips = ['n0'];
    const add = (parents: readonly string[]) => {
      const name = `n${commits.length}`;
      commits.push({ name, parents });
      return name;
    };
    for (const [kind, a, b] of steps) {
      const at = a % tips.length;
      const other = b % tips.length;
      const [tip = '', second = ''] = [tips[at], tips[other]];
      const old = commits[b % commits.length]?.name ?? '';
      if (kind === 'branch' && !tips.includes(old)) tips.push(add([old]));
      else if (kind !== 'merge' || at === other) tips[at] = add([tip]);
      else {
        tips[at] = add([tip, second]);
        tips.splice(other, 1);
      }
    }
    while (tips.length > 1) tips.unshift(add([tips.shift() ?? '', tips.shift() ?? '']));
    return commits;
  });

test.skipIf(noGit)(
  'the merge commits that go are those that git says brought a listed commit (skipped without git)',
  async () => {
    await fc.assert(
      fc.asyncProperty(anyHistory, fc.nat(), async (commits, at) => {
        using git = new GitRepository(commits);
        const [base, head] = [commits[at % commits.length]?.name ?? '', `n${commits.length - 1}`];
        const given = git.commits(base, head);
        const listed = new Set(given.map(({ sha }) => sha));
        const kept = given.filter(({ sha, parents }) => {
          if (parents.length < 2) return true;
          const brought = git.git('rev-list', sha, `^${sha}^1`).trim().split('\n');
          return !brought.some((one) => one !== sha && listed.has(one));
        });
        const { lines: shown, merges } = await list(given);
        expect(shown).toEqual(
          kept.map(({ sha, commit: { message } }) => `- ${sha.slice(0, 12)} ${message}`),
        );
        expect(merges).toBe(given.length - kept.length);
      }),
      { numRuns: dose(3, 15) },
    );
  },
);

test('lines of a squash merge about fixups go, and so does a note that there are none', async () => {
  const message =
    'S\n\n* Add x\n\n* fixup! Add x\n\n* fixup\n\n* Add x\n\nSigned-off-by: A <a@b.c>\n\nMore.\n\nRELEASE NOTES: n/a';
  expect(await lines(message)).toEqual(['- 0123456789ab S', '    * Add x', '', '    More.']);
});

const NOTED = [
  'fix: a\n\nBecause.\n\nRELEASE NOTES:\n\n- a: One thing.\n\n- b: Another.\n\nMore.',
  'feat!: b\n\nRelease-Notes: c',
  'chore: d\n\nIt said RELEASE NOTES: before.',
  'e\n\nBREAKING CHANGE: f\ng',
];

test('among five commits what breaks, and what release notes should say, is a list of its own', async () => {
  const { notes, lines: rest } = await list(allOf([...NOTED, 'h']));
  const line = (subject: string) => `- 0123456789ab ${subject}`;
  expect(notes).toEqual([
    ...[line('fix: a'), '    RELEASE NOTES:', '    - a: One thing.', '    - b: Another.'],
    ...[line('feat!: b'), '    Release-Notes: c'],
    ...[line('e'), '    BREAKING CHANGE: f', '    g'],
  ]);
  expect(rest).toEqual([
    ...[line('fix: a'), '    Because.', '', '    More.', line('feat!: b')],
    ...[line('chore: d'), '    It said RELEASE NOTES: before.', line('e'), line('h')],
  ]);
  expect((await list(allOf(NOTED))).notes).toEqual([]);
});

test('notes are whole while other text is cut, and what breaks and people go before bots', async () => {
  const noisy = Array.from({ length: 40 }, (_, n) => commit(`${n}\n\n${'word '.repeat(300)}`));
  const noted = commit(`Last\n\nBREAKING CHANGE: ${'note '.repeat(300)}`);
  const { notes, cut } = await list([...noisy, noted], 5_000);
  expect(notes.join('\n')).toContain('note '.repeat(300).trimEnd());
  expect(cut).toBeGreaterThan(30);
  const bot: Commit = { ...commit('Bump'), author: { type: 'Bot' } };
  const shown = await list([bot, commit('a'), commit('feat!: b'), bot], 45);
  expect(shown.lines.slice(0, 2)).toEqual(['- 0123456789ab a', '- 0123456789ab feat!: b']);
});

test('blank lines of a body are kept, one at a time', async () => {
  expect(await lines('S\n\n\n\na\n \t\n\n\nb\n\n')).toEqual([
    '- 0123456789ab S',
    '    a',
    '',
    '    b',
  ]);
});

test.each(Object.entries(HOSTILE_TEXTS))(
  'a message with %s has no line that looks like one of the block',
  async (_, text) => {
    const [subject = '', ...body] = await lines(`${text}\n\n${text}`);
    expect(subject).toMatch(/^- 0123456789ab /);
    for (const line of body) expect(line).toMatch(/^(?: {4}|$)/);
    expect(body.join('')).not.toMatch(/(?!\t)[\p{Cc}\p{Zl}\p{Zp}\u202e]/u);
  },
);

test('when there is little room, every subject comes first and bodies share what is left', async () => {
  const messages = Array.from({ length: 20 }, (_, n) =>
    commit(n === 7 ? 'Short\n\nbody' : `Subject ${n}\n\n${'words\n'.repeat(90)}`),
  );
  const { lines: shown, told, cut } = await list(messages, 2_000);
  expect(told).toBe(20);
  expect(shown.filter((line) => line.startsWith('- '))).toHaveLength(20);
  expect(shown).toContain('    body');
  expect(cut).toBe(19);
  expect(shown.filter((line) => line === '    …')).toHaveLength(19);
  const size = Buffer.byteLength(shown.join('\n'));
  expect(size).toBeLessThanOrEqual(2_000);
  expect(size).toBeGreaterThan(1_800);
});

test('commits that do not fit are left out from the end', async () => {
  const messages = Array.from({ length: 20 }, (_, n) => commit(`Subject ${n}`));
  const { lines: shown, told } = await list(messages, 100);
  expect(told).toBe(4);
  expect(shown.at(-1)).toBe('- 0123456789ab Subject 3');
});

test('a text is indented, without blank lines at its ends or twice in a row', () => {
  expect(indented('\n\na\n \t\n\nb\n\n')).toEqual(['    a', '', '    b']);
});

test('half of a secret at the cut of a long message is not shown, and the cut is', async () => {
  const secret = 'mint_SECRETSECRET';
  const clean = (text: string) => text.replaceAll(secret, '***');
  const message = `Subject\n\n${'* fixup! x\n'.repeat(4_544)}${'x '.repeat(4)}${secret} and more`;
  const { lines: shown, cut } = await commitLines([commit(message)], new Map(), 50_000, {
    ...AS_IS,
    clean,
  });
  expect(shown.join('\n')).not.toContain('mint_');
  expect([shown.at(-1), cut]).toEqual(['    …', 1]);
});

test('a long note leaves room for the subjects of the other commits', async () => {
  const note = commit(`Note\n\nBREAKING CHANGE: ${'word '.repeat(9_980)}`);
  const others = Array.from({ length: 10 }, (_, n) => commit(`Other ${n}`));
  const { told, cut } = await list([note, ...others]);
  expect([told, cut]).toEqual([11, 0]);
});

test('of the room, two fifths are kept for subjects and the rest may be notes', async () => {
  const note = commit(`Note\n\nBREAKING CHANGE: ${'note\n'.repeat(9_000)}`);
  const others = Array.from({ length: 190 }, (_, n) => commit(`${n} ${'subject '.repeat(35)}`));
  const { notes } = await list([note, ...others]);
  expect(Math.ceil(Buffer.byteLength(notes.join('\n')) / 1_000)).toBe(30);
});

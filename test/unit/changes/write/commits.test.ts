import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { bytesOf, finishLine } from '../../../../src/changes/patches/lines.ts';
import { commitLines } from '../../../../src/changes/write/commits.ts';
import type { CodePull, Commit } from '../../../../src/github/github.ts';
import { dose } from '../../../support/dose.ts';
import { eventOf } from '../../../support/fakes.ts';
import { type GitCommit, GitRepository } from '../../../support/git-repository.ts';
import { HOSTILE_TEXTS } from '../../../support/hostile-texts.ts';
import { commitOf as commit, pullOf } from '../../../support/pulls.ts';
import { noGit } from '../../../support/system.ts';

const asIs = (text: string) => text;

interface Given {
  /** The pull requests behind commits, by their object ids. */
  readonly pulls?: Readonly<Record<string, CodePull>>;
  /** The object ids of commits that `skip` leaves out. */
  readonly skipped?: readonly string[];
  readonly clean?: (text: string) => string;
}

function list(commits: readonly Commit[], { pulls = {}, skipped = [], clean = asIs }: Given = {}) {
  const byCommit = new Map(Object.entries(pulls));
  const by = { kind: 'label' } as const;
  const why = new Map(skipped.map((sha) => [sha, by] as const));
  const given = { commits, skipped: why, pulls: { byCommit, missing: undefined } };
  return commitLines({ ...given, event: eventOf('push') }, clean);
}
const allOf = (messages: readonly string[]) => messages.map((message) => commit(message));
const lines = (...messages: readonly string[]) =>
  list(allOf(messages)).lines.map((line) => finishLine(line, asIs));

describe('a commit', () => {
  test('is its subject and, indented below it, its body', () => {
    expect(lines('feat: drop v1\r\n\r\nBREAKING CHANGE: v1 is gone.\r\n', 'Fix')).toEqual([
      '- 0123456789ab feat: drop v1',
      '    BREAKING CHANGE: v1 is gone.',
      '- 0123456789ab Fix',
    ]);
  });

  test.each([
    'Signed-off-by: A <a@b.c>',
    'Co-authored-by: B <b@b.c>',
    'co-authored-by: B <b@b.c>',
    'Change-Id: I1',
    '(cherry picked from commit 0123456)',
    // GitHub writes it above the trailers of a squashed pull request.
    '---------',
  ])('has no `%s`, wherever it stands', (trailer) => {
    expect(lines(`S\n\n* a\n\n${trailer}\n\n* b\n${trailer}\n`)).toEqual([
      ...['- 0123456789ab S', '    * a', '', '    * b'],
    ]);
  });

  test.each(['Fixes: #1', 'feat: add', 'Note: this', 'by: me', '----------'])(
    'has `%s`',
    (line) => {
      expect(lines(`S\n\n${line}`)).toEqual(['- 0123456789ab S', `    ${line}`]);
    },
  );

  test('of 40 kB is whole', () => {
    const body = Array.from({ length: 400 }, () => `    ${'b'.repeat(99)}`);
    const text = body.map((line) => line.trim()).join('\n');
    expect(lines(`Subject\n\n${text}`)).toEqual(['- 0123456789ab Subject', ...body]);
  });

  test.each(Object.entries(HOSTILE_TEXTS))(
    'with %s has no line that looks like one of the block',
    (_, text) => {
      const [subject = '', ...body] = lines(`${text}\n\n${text}`);
      expect(subject).toMatch(/^- 0123456789ab /);
      for (const line of body) expect(line).toMatch(/^(?: {4}|$)/);
      expect(body.join('')).not.toMatch(/(?!\t)[\p{Cc}\p{Zl}\p{Zp}\u202e]/u);
    },
  );
});

const by = (message: string, more: Partial<Commit>, name = 'A'): Commit => ({
  ...{ sha: 'c'.repeat(40), commit: { message, author: { name } } },
  ...more,
});

describe('the commits of bots', () => {
  test('are one line, but for one that breaks something', () => {
    const message = 'Bump "x"\n\nRelease notes of another project';
    const bots = [
      by(message, {}, 'renovate[bot]'),
      by('Bump y', { author: { login: 'dependabot[bot]' } }),
      by('Bump z', { author: { login: 'github-actions' } }),
      by('Fix', {}, 'pre-commit-ci'),
    ];
    const breaking = by('feat!: drop v1\n\nWhy.', {}, 'renovate[bot]');
    const { lines: shown, told } = list([...bots, breaking]);
    expect(shown).toEqual([
      ...['- cccccccccccc feat!: drop v1', '    Why.'],
      String.raw`- 4 commits by bots, like "Bump \"x\""`,
    ]);
    expect(told).toBe(5);
  });

  test('are those that are named here: an agent counts as a person', () => {
    const agents = [
      by('A', { author: { login: 'copilot-swe-agent[bot]' } }),
      by('B', { author: { login: 'octocat' } }, 'renovate[bot]'),
      by('C', {}, 'mintlify[bot]'),
    ];
    expect(list(agents).lines).toEqual(['A', 'B', 'C'].map((name) => `- cccccccccccc ${name}`));
  });

  test('are its subject where there is only one', () => {
    const bot = by('Bump x\n\nRelease notes of another project', {}, 'renovate[bot]');
    const pulls = { [bot.sha]: pullOf({ body: 'Release notes' }) };
    expect(list([bot], { pulls }).lines).toEqual(['- cccccccccccc Bump x']);
  });
});

test('a merge commit goes if a commit that it brought is listed', () => {
  const merge = (second: string): Commit => ({
    ...commit(`Merge ${second}`, `merge of ${second}`),
    parents: [{ sha: 'x' }, { sha: second }],
  });
  const { lines: shown, merges } = list([commit('A', 'a'), merge('a'), merge('b')]);
  expect(shown).toEqual(['- a A', '- merge of b Merge b']);
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
  () => {
    fc.assert(
      fc.property(anyHistory, fc.nat(), (commits, at) => {
        using git = new GitRepository(commits);
        const [base, head] = [commits[at % commits.length]?.name ?? '', `n${commits.length - 1}`];
        const given = git.commits(base, head);
        const listed = new Set(given.map(({ sha }) => sha));
        const kept = given.filter(({ sha, parents }) => {
          if (parents.length < 2) return true;
          const brought = git.git('rev-list', sha, `^${sha}^1`).trim().split('\n');
          return !brought.some((one) => one !== sha && listed.has(one));
        });
        const { lines: shown, merges } = list(given);
        expect(shown).toEqual(
          kept.map(({ sha, commit: { message } }) => `- ${sha.slice(0, 12)} ${message}`),
        );
        expect(merges).toBe(given.length - kept.length);
      }),
      { numRuns: dose(3, 15) },
    );
  },
);

describe('the description of a pull request', () => {
  const seven = pullOf({ number: 7, title: 'Seven', body: 'Why seven.' });
  const under = ['    pull request #7 "Seven" by octocat:', '        Why seven.'];

  test('stands under its first commit that is told', () => {
    const commits = [
      commit('a', 'a'),
      by('Bump', { sha: 'b' }, 'renovate[bot]'),
      commit('c\n\nBody.', 'c'),
      commit('d', 'd'),
      by('Bump', { sha: 'e' }, 'renovate[bot]'),
    ];
    const pulls = { a: seven, b: seven, c: seven, d: seven };
    expect(list(commits, { pulls, skipped: ['a'] }).lines).toEqual([
      ...['- c c', '    Body.', ...under, '- d d'],
      '- 2 commits by bots, like "Bump"',
    ]);
  });

  test('is not there if the body of the commit has 200 characters', () => {
    const shown = (length: number) => {
      const message = `a\n\n${'b'.repeat(length)}\n\nSigned-off-by: A <a@b.c>`;
      return list([commit(message, 'a')], { pulls: { a: seven } }).lines.slice(2);
    };
    expect(shown(199)).toEqual(under);
    expect(shown(200)).toEqual(['    pull request #7 "Seven" by octocat']);
  });
});

describe('what all commits have together', () => {
  const bytes = (shown: readonly string[]) => Buffer.byteLength(`${shown.join('\n')}\n`);

  test('is 50 kB: bodies and descriptions are cut to one length', () => {
    const commits = Array.from({ length: 40 }, (_, n) =>
      commit(`Subject ${n}\n\n${n % 2 ? 'short' : `words ${n}\n`.repeat(300)}`, `c${n}`),
    );
    const pulls = Object.fromEntries(
      commits.map(({ sha }, n) => [
        sha,
        pullOf({ number: n, title: `Subject ${n}`, body: 'why '.repeat(500) }),
      ]),
    );
    const { lines: shown, told, cutMessages, cutDescriptions } = list(commits, { pulls });
    expect([told, cutMessages, cutDescriptions]).toEqual([40, 20, 20]);
    expect(shown).toContain('    short');
    expect(bytes(shown)).toBeLessThanOrEqual(50_000);
    expect(bytes(shown)).toBeGreaterThan(49_700);
    const ends = shown.flatMap((line, index) => (line.endsWith('…') ? [index] : []));
    const cut = ends.map((end) => {
      const start = shown.findLastIndex((line, n) => n <= end && /^- | {4}pull /.test(line));
      const isBody = shown[start]?.startsWith('- ');
      return bytes(shown.slice(isBody ? start + 1 : start, end + 1));
    });
    expect(cut).toHaveLength(40);
    // A cut leaves out half of a character, and what stands before it is not a space.
    expect(Math.max(...cut) - Math.min(...cut)).toBeLessThan(10);
  });

  test('is 50 kB: if the first lines need more, the oldest are left out, also those of `skip`', () => {
    const commits = Array.from({ length: 400 }, (_, n) =>
      commit(`Subject ${n} ${'x'.repeat(200)}\n\nBody.`, `${n}`.padStart(12, '0')),
    );
    const odd = commits.flatMap(({ sha }, n) => (n % 2 ? [sha] : []));
    const { lines: shown, skipped, told } = list(commits, { skipped: odd });
    const all = [...shown, ...skipped];
    expect(bytes(all)).toBeLessThanOrEqual(50_000);
    expect(bytes(all)).toBeGreaterThan(49_700);
    expect(shown.at(-1)).toContain('Subject 398');
    expect(skipped.at(-1)).toContain('Subject 399');
    expect(Math.abs(told - skipped.length)).toBeLessThanOrEqual(1);
    expect(all.join('')).not.toContain('Body');
  });
});

test('half of a secret is not shown where a message is cut, or a long line is divided', () => {
  const secret = 'mint_SECRETSECRET';
  const clean = (text: string) => text.replaceAll(secret, '***');
  for (let shift = 0; shift < 40; shift += 1) {
    const messages = [
      `S\n\n${'x'.repeat(1_880)}${'y'.repeat(shift)}${secret} and more`,
      `S\n\n${'x '.repeat(34_990)}${'y'.repeat(shift)}${secret} and more`,
      `S\n\n${'x '.repeat(24_980)}${'y'.repeat(shift)}${secret} ${'z '.repeat(9_000)}`,
    ];
    for (const message of messages) {
      expect(list([commit(message)], { clean }).lines.join('\n')).not.toMatch(/mint_|SECRET/);
    }
  }
});

// Each would take minutes if its time grew with the square of its length.
test('no message takes long', () => {
  const units = ['a', ' ', '\n', '-', 'a-', '-by: ', 'a-by:\n', '(cherry ', '\n- ', '\n\n', '!:'];
  for (const unit of units) {
    const text = unit.repeat(1_000_000 / unit.length);
    const pulls = { c: pullOf({ title: text, body: text, author: text }) };
    const bot = by(`${text}!`, { sha: 'b' }, 'renovate[bot]');
    const sum = list([commit(`S\n\n${text}x`, 'c'), bot], { pulls }).lines;
    expect(bytesOf(sum)).toBeLessThanOrEqual(50_000);
  }
});

/** Patches that GitHub does not give, made from both sides of each file. */
import { describe, expect, test } from 'vitest';
import { GitRepository } from '../../support/git-repository.ts';
import { cancellation, JumpingClock } from '../../support/in-process.ts';
import { type Given, playChanges } from '../../support/play.ts';
import { noGit } from '../../support/system.ts';

const [BEFORE, AFTER] = ['b'.repeat(40), 'a'.repeat(40)];
const names = Array.from({ length: 320 }, (_, n) => `src/${String(n).padStart(3, '0')}.ts`);
const files = names.map((filename) => ({ filename }));
const last = names.at(-1) ?? '';
const push: Given = {
  eventName: 'push',
  event: { before: BEFORE },
  sha: AFTER,
  inputs: { changes: 'diff', paths: last },
  github: {
    commits: [
      { sha: BEFORE, parents: [], files },
      { sha: AFTER, parents: [BEFORE], files },
    ],
    // The fake's trees name each file by the commit that changed it.
    blobs: { [BEFORE]: 'export const before = 1;\n', [AFTER]: 'export const after = 1;\n' },
  },
};

describe('a file past the first 300', () => {
  test.concurrent('has the patch that its two versions make', async () => {
    const seen = await playChanges(push);
    expect(seen.prompt).toContain(
      `=== ${last}\n@@ -1,1 +1,1 @@\n-export const before = 1;\n+export const after = 1;\n`,
    );
    expect(seen.warnings).toEqual([]);
    expect(seen.requests.map((path) => path.split(/[?/]/)[1])).toEqual([
      'repos',
      'repos',
      'repos',
      'graphql',
      'graphql',
    ]);
  });

  test.concurrent('is named without one on an engine without GraphQL, and a warning says so', async () => {
    const { commits = [] } = push.github;
    const seen = await playChanges({ ...push, github: { commits } });
    expect(seen.prompt).not.toContain('patches:');
    expect(seen.prompt).toContain('\nleft out: 1 patch that GitHub did not give\n');
    expect(seen.prompt).toContain(`- modified ${last} (line counts not given)\n`);
    expect(seen.warnings[0]).toContain('the prompt has no patch of the 1 file');
  });
});

test.concurrent('a pull request of 3,000 files without patches needs at most 48 requests', async () => {
  const listed = Array.from({ length: 3_000 }, (_, n) => ({
    filename: names[n] ?? `x${n}`,
    status: 'modified',
    additions: 9,
    deletions: 0,
  }));
  const commits = Array.from({ length: 250 }, () => ({ sha: AFTER, parents: [] }));
  const seen = await playChanges({
    ...push,
    eventName: 'pull_request',
    event: { pull_request: { number: 5, base: { ref: 'main' }, head: { sha: AFTER } } },
    github: {
      ...push.github,
      refs: { main: BEFORE },
      pulls: { 5: { commits, files: listed } },
    },
    inputs: { changes: 'diff' },
  });
  expect(seen.prompt).toContain('\n+export const after = 1;\n');
  expect(seen.requests.length).toBeGreaterThan(40);
  expect(seen.requests.length).toBeLessThanOrEqual(48);
});

describe('a file that is listed without its patch', () => {
  const MAIN = 'c'.repeat(40);
  const file = { filename: 'src/a.ts', status: 'modified', additions: 1, deletions: 1 };
  /** The pull request left main at BEFORE. Main has changed the file as well. */
  const pull: Given = {
    ...push,
    eventName: 'pull_request',
    event: { pull_request: { number: 5, base: { ref: 'main' }, head: { sha: AFTER } } },
    inputs: { changes: 'diff' },
    github: {
      commits: [
        { sha: BEFORE, parents: [], files: [file] },
        { sha: MAIN, parents: [BEFORE], files: [file] },
        { sha: AFTER, parents: [BEFORE], files: [file] },
      ],
      refs: { main: MAIN },
      pulls: { 5: { commits: [{ sha: AFTER, parents: [BEFORE] }], files: [file] } },
      blobs: { [BEFORE]: 'before\n', [MAIN]: 'main\n', [AFTER]: 'after\n' },
    },
  };

  test.concurrent('of a pull request gets the one from where that left its base', async () => {
    expect((await playChanges(pull)).prompt).toContain(
      '=== src/a.ts\n@@ -1,1 +1,1 @@\n-before\n+after\n',
    );
  });

  test.concurrent('is named alone after a merge, from which that commit cannot be found', async () => {
    const { pulls: { 5: own } = {} } = pull.github;
    const pulls = own ? { 5: { ...own, isMerged: true } } : {};
    const github = { ...pull.github, refs: { main: AFTER }, pulls };
    const { prompt } = await playChanges({ ...pull, github });
    expect(prompt).toContain('left out: 1 patch that GitHub did not give');
  });
});

const ODD_NAMES = [
  ...[
    'a b.ts',
    ' a.ts',
    '"a".ts',
    "a'.ts",
    '#a.ts',
    '%61.ts',
    '$(a).ts',
    'a\\b.ts',
    'ü.ts',
    '日本.ts',
  ],
  ...[
    'a:b.ts',
    ':a.ts',
    ':(top)a.ts',
    ':1:a.ts',
    'a^{blob}',
    'a^',
    'a~1',
    'a@{1}',
    '{a:b',
    '@',
    '-a',
  ],
  ...[
    'a-gdeadbee',
    '*.ts',
    '[a].ts',
    '!a.ts',
    '...',
    'a...b',
    'a/../b.ts',
    '~/.a',
    'HEAD',
    'a.ts\tb',
  ],
].filter((name) => !name.includes('/../'));

test.skipIf(noGit)(
  'the patches that are made are those that git makes, whatever a file is called',
  async () => {
    const lines = (changed: string) =>
      Array.from({ length: 20 }, (_, n) => `${n === 7 || n === 15 ? changed : 'line'} ${n}\n`).join(
        '',
      );
    const all = (content: (name: string, nth: number) => string) =>
      Object.fromEntries(ODD_NAMES.map((name, nth) => [name, content(name, nth)]));
    using git = new GitRepository([
      {
        name: 'one',
        parents: [],
        files: { ...all((name) => lines(`old ${name}`)), link: '->a b.ts' },
      },
      {
        name: 'two',
        parents: ['one'],
        files: {
          ...all((name, nth) => (nth % 5 === 0 ? `x>${lines('new')}` : `${lines('new')}${name}`)),
          ...{
            link: '-> a.ts',
            'new.ts': lines('new'),
            'moved.ts': lines('old a b.ts'),
            'a b.ts': undefined,
          },
        },
      },
    ]);
    const [before, sha] = [git.sha('one'), git.sha('two')];
    const made = git.files(before, sha);
    const bare = made.map(({ patch: _, ...file }) => ({ ...file, additions: 0, deletions: 0 }));
    const compare = () => {
      const body = git.compare(before, sha);
      return body && { ...body, files: bare };
    };
    const seen = await playChanges({
      ...{ eventName: 'push', event: { before }, sha, inputs: { changes: 'diff' } },
      github: {
        git: {
          compare,
          tree: (id) => git.tree(id),
          refs: () => git.refs(),
          blob: (name) => git.blob(name),
        },
      },
    });
    const patched = made.filter(({ patch, status }) => patch !== undefined && status !== 'removed');
    expect(patched.length).toBeGreaterThan(ODD_NAMES.length);
    // git leaves out a count of 1, and adds the line of a function.
    const plain = (patch = '') =>
      patch.replace(
        /^@@ -(\d+)(,\d+)? \+(\d+)(,\d+)? @@.*$/gm,
        (_, a, b = ',1', c, d = ',1') => `@@ -${a}${b} +${c}${d} @@`,
      );
    const missing = patched.filter(
      ({ patch }) => seen.prompt?.includes(`\n${plain(patch)}\n`) !== true,
    );
    expect(missing).toEqual([]);
  },
);

describe('between two patches that are made', () => {
  const many = { ...push, inputs: { changes: 'diff' } };
  /** Does something as soon as the third patch is about to be made. */
  function before3rd(act: (clock: JumpingClock) => void) {
    let made = 0;
    const clock = new JumpingClock();
    clock.handleSignals = async () => {
      made += 1;
      if (made === 3) act(clock);
    };
    return { clock, made: () => made };
  }

  test.concurrent('a cancel is seen, and nothing is sent', async () => {
    const { cancel, signal } = cancellation();
    const { clock, made } = before3rd(cancel);
    const seen = await playChanges({ ...many, clock, effects: { signal } });
    expect([seen.outputs['outcome'], made(), seen.agent.requests]).toEqual(['cancelled', 3, []]);
  });

  test.concurrent('the end of `timeout` is seen, and nothing is sent', async () => {
    const { clock, made } = before3rd((all) => all.pass(3_600_000));
    const seen = await playChanges({ ...many, clock });
    // Once more just before the call.
    expect([seen.outputs['outcome'], made(), seen.agent.requests]).toEqual(['error', 4, []]);
    expect(seen.said.at(-1)).toContain('of `timeout` was left. Set a longer `timeout`.');
  });
});

test.concurrent('nothing is sent if GitHub fails to give the contents of files', async () => {
  const graphql = (path: string) => (path === '/graphql' ? { status: 500 } : undefined);
  const shown = await playChanges({ ...push, github: { ...push.github, fail: graphql } });
  expect(shown.agent.requests).toEqual([]);
  expect(shown.said.at(-1)).toContain('so no prompt was sent.');
});

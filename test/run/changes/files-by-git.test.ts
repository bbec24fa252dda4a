/**
 * What the prompt says of each changed file of random repositories, held against what git says, also
 * where GitHub leaves out counts and patches.
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { kindOf } from '../../../src/changes/patches/kinds.ts';
import { dose } from '../../support/dose.ts';
import { type GitCommit, GitRepository } from '../../support/git-repository.ts';
import type { FakeFile, GitBackend } from '../../support/github-service.ts';
import { playChanges } from '../../support/play.ts';
import { noGit } from '../../support/system.ts';

const NAMES = [
  ...['src/a.ts', 'src/b c.ts', 'src/ü.ts', 'docs/a.md', 'docs/b.md', 'CHANGELOG.md', 'Makefile'],
  ...['test/a.ts', 'internal/a.go', '.github/a.yml', 'package-lock.json', 'logo.png', 'a.dat'],
];
const name = fc.constantFrom(...NAMES);

const lines = (max: number) =>
  fc
    .array(fc.constantFrom('a', 'b', '', '-- c', '++ d', '  e', '@@ -1 +1 @@'), { maxLength: max })
    .map((all) => all.map((line) => `${line}\n`).join(''));
const content = fc.oneof(
  { weight: 8, arbitrary: lines(40) },
  fc.constantFrom('', 'no end of line', '\0\x01binary\n', '\0\x02binary\n'),
  lines(5).map((text) => `x>${text}`),
  // Longer, and with more edits, than a patch is made of.
  fc.constantFrom('long 1', 'long 2', 'many 1', 'many 2'),
);
/** A counterexample shows the names of long contents. */
const LONG = new Map([
  ['long 1', `1${'x'.repeat(70)}\n`.repeat(2_000)],
  ['long 2', `2${'x'.repeat(70)}\n`.repeat(2_000)],
  ['many 1', '1\n'.repeat(1_600)],
  ['many 2', '2\n'.repeat(1_600)],
]);

type Files = Readonly<Record<string, string>>;
const files: fc.Arbitrary<Files> = fc.dictionary(name, content, {
  ...{ minKeys: 8, maxKeys: NAMES.length, noNullPrototype: true },
});

const change = fc.oneof(
  fc.record({ kind: fc.constant('write' as const), to: name, content }),
  fc.record({ kind: fc.constantFrom('remove', 'append', 'flip-mode' as const), to: name }),
  fc.record({ kind: fc.constantFrom('move', 'copy' as const), from: name, to: name }),
);
type Change = ReturnType<typeof change.generate>['value'];

const expanded = (given: Files): Files =>
  Object.fromEntries(Object.entries(given).map(([path, text]) => [path, LONG.get(text) ?? text]));

function after(before: Files, changes: readonly Change[]): Files {
  const now = new Map(Object.entries(before));
  for (const one of changes) {
    const own = now.get('from' in one ? one.from : one.to);
    if (one.kind === 'write') now.set(one.to, LONG.get(one.content) ?? one.content);
    else if (own === undefined) continue;
    else if (one.kind === 'remove') now.delete(one.to);
    else if (one.kind === 'append') now.set(one.to, `${own}appended\n`);
    else if (one.kind === 'flip-mode')
      now.set(one.to, own.startsWith('x>') ? own.slice(2) : `x>${own}`);
    else if ('from' in one) {
      if (one.kind === 'move') now.delete(one.from);
      now.set(one.to, own);
    }
  }
  return Object.fromEntries(now);
}

/** Each kind of file is in it. */
const EXAMPLE: [Files, Change[], Change[], 'diff', string[], 'push'] = [
  {
    ...{ 'src/a.ts': 'a\n', 'docs/a.md': 'a\n', 'test/a.ts': 'a\n', Makefile: 'many 1' },
    ...{ 'src/b c.ts': 'b\nb\nb\n', 'a.dat': '\0\x01binary\n', 'docs/b.md': 'a\nb\nc\n' },
  },
  [
    ...['src/a.ts', 'docs/a.md', 'test/a.ts'].map((to) => ({ kind: 'append' as const, to })),
    { kind: 'move', from: 'docs/b.md', to: 'src/ü.ts' },
    { kind: 'flip-mode', to: 'src/b c.ts' },
    { kind: 'write', to: 'a.dat', content: '\0\x02binary\n' },
    { kind: 'write', to: 'Makefile', content: 'many 2' },
    { kind: 'write', to: 'package-lock.json', content: '' },
  ],
  [],
  'diff',
  ['src/a.ts', 'test/a.ts', 'src/ü.ts', 'Makefile'],
  'push',
];

/** The commit that makes the one tree into the other. */
const commitOf = (
  sha: string,
  parents: readonly string[],
  before: Files,
  now: Files,
): GitCommit => {
  const gone = Object.keys(before).filter((path) => !(path in now));
  return {
    ...{ name: sha, parents },
    files: { ...Object.fromEntries(gone.map((path) => [path, undefined])), ...now },
  };
};

/** GitHub leaves out the counts and the patch of this file. */
const bare = ({ patch: _, ...file }: FakeFile): FakeFile => ({
  ...file,
  ...{ additions: 0, deletions: 0 },
});

/** A repository at GitHub, and pull request 5 from `head` into `main`. Both list the same files. */
function asGitHub(git: GitRepository, base: string, isLeftOut: (path: string) => boolean) {
  const [main, head] = [git.sha(base), git.sha('head')];
  const comparison = git.compare(main, head);
  const files = (comparison?.files ?? []).map((file) =>
    isLeftOut(file.filename) ? bare(file) : file,
  );
  const backend: GitBackend = {
    compare: () => comparison && { ...comparison, files },
    commit: (ref) => git.commit(ref),
    refs: () => git.refs(),
    tree: (sha) => git.tree(sha),
    blob: (id) => git.blob(id),
  };
  return {
    git: backend,
    pulls: { 5: { files, commits: [{ sha: head, parents: [] }] } },
    pullStates: { 'acme/app#5': { state: 'open', head: { sha: head } } },
  };
}

/** What the runner says of the changes from `base` to `head`, as either event. */
function eventOf(git: GitRepository, eventName: 'push' | 'pull_request', base: string) {
  const [sha, head] = [git.sha(base), { sha: git.sha('head') }];
  const pull_request = { number: 5, commits: 1, base: { sha, ref: base }, head };
  const event = eventName === 'push' ? { before: sha } : { pull_request };
  return { eventName, event, sha: head.sha };
}

/** What git says of each file, by its names: added and deleted lines, `-` of a binary file. */
function judge(git: GitRepository, base: string, head: string) {
  const range = ['-z', '-M', git.git('merge-base', base, head).trim(), head];
  const rows = git.git('diff', '--numstat', ...range).split('\0');
  const counts = new Map<string, readonly [added: string, deleted: string]>();
  while (rows.length > 1) {
    const [added = '', deleted = '', path = ''] = (rows.shift() ?? '').split('\t');
    const names = path === '' ? `${rows.shift()} -> ${rows.shift()}` : path;
    counts.set(names, [added, deleted]);
  }
  return counts;
}

const LISTED =
  /^- (\w+) (.+) \((binary|empty|only [a-z ]+|line counts not given|\+\d+ -\d+)(?:, [a-z ]+)?\)$/;

const listedIn = (prompt: string) =>
  prompt.split('\n').flatMap((line) => {
    const [, status = '', names = '', said = ''] = LISTED.exec(line) ?? [];
    return status === '' ? [] : { status, names, said };
  });

/** The patches by the name of their file. */
function patchesIn(prompt: string): ReadonlyMap<string, string> {
  const parts = prompt.split(/^=== /m).slice(1);
  return new Map(
    parts.map((part) => {
      const [title = '', ...rest] = part.split('\n');
      const end = rest.findIndex((line) => !/^[-+ @\\[]/.test(line));
      return [title, rest.slice(0, end).join('\n')] as const;
    }),
  );
}

describe.skipIf(noGit)('of random changes (skipped without git)', () => {
  test('every file is listed as git lists it, no changed line is denied, and each patch makes the new file of the old one', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'docs-agent-job-judge-'));
    /** What `git apply` makes of a text with a patch. */
    function applied(before: string, patch: string): string {
      writeFileSync(join(folder, 'a'), before);
      const input = `--- a/a\n+++ b/a\n${patch}\n`;
      execFileSync('git', ['apply', '--whitespace=nowarn', '-'], { cwd: folder, input });
      return readFileSync(join(folder, 'a'), 'utf8');
    }
    const seen = { made: 0, given: 0, notGiven: 0, binary: 0, without: 0 };
    try {
      await fc.assert(
        fc.asyncProperty(
          files,
          fc.array(change, { minLength: 8, maxLength: 16 }),
          fc.array(change, { maxLength: 3 }),
          fc.constantFrom('files' as const, 'diff' as const),
          fc.subarray(NAMES),
          fc.constantFrom('push' as const, 'pull_request' as const),
          async (start, changes, others, level, leftOut, eventName) => {
            const root = { ...expanded(start), keep: 'this' };
            const now = { ...after(root, changes), head: 'new' };
            using git = new GitRepository([
              { name: 'start', parents: [], files: root },
              commitOf('head', ['start'], root, now),
              commitOf('main', ['start'], root, { ...after(root, others), other: 'x' }),
            ]);
            const base = others.length > 0 ? 'main' : 'start';
            const { prompt = '', warnings } = await playChanges({
              ...eventOf(git, eventName, base),
              inputs: { changes: level },
              github: asGitHub(git, base, (path) => leftOut.includes(path)),
            });
            const judged = judge(git, base, 'head');
            const listed = listedIn(prompt);
            expect(listed.map(({ names }) => names).sort()).toEqual([...judged.keys()].sort());
            const patches = patchesIn(prompt);
            for (const { status, names, said } of listed) {
              const [old = '', path = old] = names.split(' -> ');
              const [added = '', deleted = ''] = judged.get(names) ?? [];
              const kind = kindOf(path, []);
              const sides =
                status === 'added' ? ['', `head:${path}`] : [`start:${old}`, `head:${path}`];
              const [before = '', text = ''] = sides.map((side) =>
                side === '' || status === 'removed' ? '' : `${git.blob(side)}`,
              );
              const isAsked =
                level === 'diff' &&
                status !== 'removed' &&
                ['changelog', 'source', 'text'].includes(kind);
              const isLong =
                Math.max(before.length, text.length) > 128_000 ||
                Number(added) + Number(deleted) > 1_500;
              if (said === 'line counts not given') {
                seen.notGiven += 1;
                // Where it can be found out it is.
                expect([names, isAsked && !isLong]).toEqual([names, false]);
              } else if (added === '-') {
                seen.binary += 1;
                expect([names, said]).toEqual([names, 'binary']);
              } else if (said === 'binary') {
                // Its name says so.
                expect(path).toBe('logo.png');
              } else if (/^(?:only|empty)/.test(said)) {
                seen.without += 1;
                expect([names, added, deleted]).toEqual([names, '0', '0']);
              } else {
                const net = Number(added) - Number(deleted);
                const [, plus, minus] = /\+(\d+) -(\d+)/.exec(said) ?? [];
                expect([names, Number(plus) - Number(minus)]).toEqual([names, net]);
                if (!leftOut.includes(path)) expect(said).toBe(`+${added} -${deleted}`);
              }
              const patch = patches.get(path);
              if (patch === undefined || kind === 'changelog') continue;
              seen[leftOut.includes(path) ? 'made' : 'given'] += 1;
              if (!/^\[cut/m.test(patch))
                expect([names, applied(before, patch)]).toEqual([names, text]);
            }
            const isUnknown = ({ said, names }: (typeof listed)[number]) =>
              said === 'line counts not given' && !names.includes('package-lock.json');
            if (level === 'diff' && listed.some(isUnknown) && patches.size === 0) {
              expect(prompt + warnings.join()).toMatch(/GitHub did not give/);
            }
          },
        ),
        { numRuns: dose(3, 60), examples: [EXAMPLE] },
      );
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
    // Each of these was met, so none of the claims above is empty.
    expect(Object.values(seen).filter((count) => count === 0)).toEqual([]);
  });
});

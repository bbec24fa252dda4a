import { expect, test } from 'vitest';
import { changelogLines } from '../../../../src/changes/write/changelogs.ts';
import type { ChangedFile } from '../../../../src/github/github.ts';

const file = (filename: string, added: readonly string[], patch = '@@ -1 +1 @@'): ChangedFile => ({
  ...{ filename, status: 'modified', additions: added.length, deletions: 0 },
  patch: [patch, ...added.map((line) => `+${line}`)].join('\n'),
});

async function shown(
  files: readonly ChangedFile[],
  { messages = [], notes = '' }: { messages?: readonly string[]; notes?: string } = {},
) {
  const commits = messages.map((message) => ({ sha: 'c', commit: { message } }));
  return changelogLines({ files }, commits, notes, async () => undefined);
}

test('the added lines of changelogs are shown, without those that only moved', async () => {
  const moved = file(
    'CHANGES.rst',
    ['Moved', '', '', '-   Added', '    to it', ''],
    '-Moved\n-Gone',
  );
  const { lines } = await shown([file('a.ts', ['x']), moved, file('.changeset/a.md', ['A patch'])]);
  expect(lines).toEqual([
    ...['- CHANGES.rst', '    -   Added', '        to it'],
    ...['- .changeset/a.md', '    A patch'],
  ]);
});

test('what was added at another place is set apart, and an empty part leaves no trace', async () => {
  const added = ['New.', '', '## Old'].map((line) => `+${line}`);
  const patch = ['@@ -1 +1 @@', '+', ...added, '@@ -9 +9 @@', '+Moved', '-Moved', '@@ -20 +20 @@'];
  const { lines } = await shown([file('NEWS', ['', 'Typo.', ''], patch.join('\n'))]);
  expect(lines).toEqual(['- NEWS', '    New.', '    …', '    Typo.']);
});

// As generated changelogs of public projects say what the commits say.
test('what the commits or the release notes say is not said again, nor a heading of nothing else', async () => {
  const url = 'https://github.com/acme/app/issues/1';
  const added = [
    '## [7.2.0](https://github.com/acme/app/compare/v7.1.0...v7.2.0) (2025-11-05)',
    ...['', '### Features', ''],
    `* **css:** add a mode ([#1](${url})) ([0123abc](${url}))`,
    `* read the \`file\`, closes [#2](${url})`,
    ...['', '### Bug Fixes', '', '- Wait for it.', '- Nobody else says this.'],
  ];
  const told = { messages: ['feat(css): add a mode (#1)\n\n* fix: read the file, closes #2'] };
  expect((await shown([file('CHANGELOG.md', added)], told)).lines).toEqual([
    ...['- CHANGELOG.md', `    ${added[0]}`, '', '    ### Bug Fixes', ''],
    ...['    - Wait for it.', '    - Nobody else says this.'],
  ]);
  const all = { ...told, notes: '- Wait for it\n- Nobody else says this' };
  expect((await shown([file('CHANGELOG.md', added)], all)).lines).toEqual([]);
});

test('all changelogs have 10 kB, and a small one is whole beside a large one', async () => {
  const large = file(
    'a/CHANGELOG.md',
    Array.from({ length: 2_000 }, (_, n) => `Change ${n}`),
  );
  const small = file('b/CHANGELOG.md', ['A change']);
  const { lines, isCut } = await shown([large, small]);
  expect(isCut).toBe(true);
  expect(lines.slice(-3)).toEqual(['    …', '- b/CHANGELOG.md', '    A change']);
  expect(Buffer.byteLength(`${lines.join('\n')}\n`)).toBeLessThanOrEqual(10_000);
  expect((await shown([small])).isCut).toBe(false);
});

test('thousands of changelogs are no more than fit', async () => {
  const files = Array.from({ length: 5_000 }, (_, n) =>
    file(`.changeset/${n}.md`, ['x'.repeat(99)]),
  );
  const { lines, isCut } = await shown(files);
  expect(isCut).toBe(true);
  expect(Buffer.byteLength(`${lines.join('\n')}\n`)).toBeLessThanOrEqual(10_000);
});

test('a long line of anything takes no time', { timeout: 5_000 }, async () => {
  const pieces = ['[', '(', '[](', '**', ' (#1)', '#', '1.', '(aaaaaaa)', '- ', 'a:'];
  const lines = pieces.map((piece) => piece.repeat(50_000 / piece.length));
  const { isCut } = await shown([file('NEWS', lines)], {
    messages: lines,
    notes: lines.join('\n'),
  });
  expect(isCut).toBe(false);
});

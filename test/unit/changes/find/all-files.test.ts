import fc from 'fast-check';
import { expect, test } from 'vitest';
import { allFiles, foldersIn } from '../../../../src/changes/find/all-files.ts';
import { fileLine } from '../../../../src/changes/write/file-list.ts';
import type { ChangedFile, GitHub } from '../../../../src/github/github.ts';
import { treeSchema } from '../../../../src/github/shapes.ts';
import { GitRepository } from '../../../support/git-repository.ts';
import type { FakeFile } from '../../../support/github-service.ts';
import { noGit } from '../../../support/system.ts';

const file = (more: Partial<ChangedFile> = {}): ChangedFile => {
  const lines = { additions: 0, deletions: 0 };
  return { filename: 'src/a.ts', status: 'modified', lines, ...more };
};

const EMPTY_FILE = 'e69de29bb2d1d6434b8b29ae775ad8c2e48c5391';

/** By path: the content of a file, or its content, its mode and what it is. */
type Entries = Readonly<
  Record<string, string | readonly [sha: string, mode: string, type: string]>
>;

/** The lines of what `allFiles` finds past the 300 files that GitHub lists. */
async function linesPast300(
  before: Entries,
  after: Entries,
  last: readonly ChangedFile[] = [],
  shownFrom = 300,
) {
  const listed = Array.from({ length: 300 - last.length }, (_, n) => file({ filename: `a/${n}` }));
  const tree = async (commit: string) => {
    const entries = new Map(
      Object.entries(commit === 'base' ? before : after).map(([path, entry]) => {
        const [sha, mode, type] = typeof entry === 'string' ? [entry, '100644', 'blob'] : entry;
        return [path, { sha, mode, type }];
      }),
    );
    return { entries, truncated: false };
  };
  const github = { tree } as unknown as GitHub;
  const comparison = { files: [...listed, ...last], mergeBase: 'base', isUnchanged: false };
  const { files } = await allFiles(github, comparison, 'head');
  return files.slice(shownFrom).map((one) => fileLine(one));
}

test('past 300 files the list is completed from the files and submodules of both commits', async () => {
  const others = (sha: string): Entries => {
    return { submodule: [sha, '160000', 'commit'] };
  };
  const before = { kept: '1', removed: '2', 'a/1': '3', mode: '4', ...others('old') };
  const executable = ['4', '100755', 'blob'] as const;
  const after = { kept: '1', added: '5', 'a/2': '6', mode: executable, ...others('new') };
  expect(await linesPast300(before, after)).toEqual([
    '- added added (line counts not given)',
    '- modified mode (only its mode changed)',
    '- removed removed (line counts not given)',
    '- modified submodule (line counts not given)',
  ]);
});

test('past 300 files, what the trees say of a file without counts is known', async () => {
  const renamed = { status: 'renamed', previous_filename: 'old', lines: 'not-given' } as const;
  const listed = [file({ ...renamed, filename: 'new' }), file({ ...renamed, filename: 'edited' })];
  const given = { before: { old: '1' }, after: { new: '1', edited: '2', empty: EMPTY_FILE } };
  expect(await linesPast300(given.before, given.after, listed, 298)).toEqual([
    '- renamed old -> new (only renamed)',
    '- renamed old -> edited (line counts not given)',
    '- added empty (empty)',
  ]);
});

test('past 300 files none is counted twice that GitHub lists as renamed, but one that was copied', async () => {
  const listed = [
    file({ filename: 'new', previous_filename: 'old', status: 'renamed' }),
    file({ filename: 'copy', previous_filename: 'source', status: 'copied' }),
  ];
  const before = { old: '1', source: '2' };
  const after = { new: '1', copy: '2', source: '3' };
  expect(await linesPast300(before, after, listed)).toEqual([
    '- modified source (line counts not given)',
  ]);
});

test('past 300 files, a removed and an added path with the same content are a rename', async () => {
  const before = { 'old/x': '1', 'old/y': '1', 'old/z': '2', kept: '3', gone: '4' };
  const after = { 'new/x': '1', 'new/y': '1', 'new/z2': '2', kept: '3', 'new/gone': '5' };
  expect(await linesPast300(before, after)).toEqual([
    '- removed gone (line counts not given)',
    '- added new/gone (line counts not given)',
    '- renamed old/x -> new/x (only renamed)',
    '- renamed old/y -> new/y (only renamed)',
    '- renamed old/z -> new/z2 (only renamed)',
  ]);
});

/** What is said of a file without its lines. */
const namesIn = ({ status, sha, filename, previous_filename }: ChangedFile | FakeFile) => {
  return { status, sha, filename, previous_filename };
};

test.skipIf(noGit)(
  'past 300 files, what moved at random is renamed as git says, if nothing else was edited',
  async () => {
    const before: Record<string, string | undefined> = {};
    const after: Record<string, string | undefined> = {};
    const fates = ['stays', 'moves', 'goes', 'comes', 'is edited'] as const;
    const chosen = fc.sample(fc.constantFrom(...fates), { numRuns: 700, seed: 60 });
    for (const [n, fate] of chosen.entries()) {
      const name = `${n % 7}/${n}`;
      // Some files have the same content, and some are empty.
      const content = n % 9 === 0 ? `${n % 5}` : n % 50 === 1 ? '' : `content ${n}`;
      if (fate !== 'comes') before[name] = content;
      if (fate === 'comes') after[name] = content;
      if (fate === 'is edited') after[name] = `${content} edited`;
      if (fate === 'moves' || fate === 'goes') after[name] = undefined;
      if (fate === 'moves') after[`moved/${name}`] = content;
    }
    using git = new GitRepository([
      { name: 'one', parents: [], files: before },
      { name: 'two', parents: ['one'], files: after },
    ]);
    const tree = async (name: string) => treeSchema.parse(git.tree(git.sha(name)));
    const listed = Array.from({ length: 300 }, (_, n) => file({ filename: `listed/${n}` }));
    const comparison = { files: listed, mergeBase: 'one', isUnchanged: false };
    const { files } = await allFiles({ tree } as unknown as GitHub, comparison, 'two');
    const found = files.slice(300).map(namesIn);
    const byGit = git.files('one', 'two', '-M100%').map(namesIn);
    // Which of several files with the same content moved where is a guess.
    const ids = byGit.map(({ sha }) => sha);
    const isSure = ({ sha }: { readonly sha?: string | undefined }) =>
      ids.indexOf(sha) === ids.lastIndexOf(sha);
    const sorted = (all: typeof found) => all.map((one) => JSON.stringify(one)).toSorted();
    expect(sorted(found.filter(isSure))).toEqual(sorted(byGit.filter(isSure)));
    const counts = (all: typeof found) =>
      all.map(({ status, sha }) => `${status} ${sha}`).toSorted();
    expect(counts(found)).toEqual(counts(byGit));
    expect(found.filter(({ status }) => status === 'renamed').length).toBeGreaterThan(100);
  },
);

test('a pattern that is only the folder of a changed file is found', () => {
  const paths = ['src', '!docs/old', 'lib', 'a*', 'x.md'];
  const files = ['src/a', 'docs/old/b', 'libs/c', 'a*/d', 'x.md'].map((filename) =>
    file({ filename }),
  );
  expect(foldersIn(paths, files)).toEqual(['src', '!docs/old']);
});

/** What changed, judged by `git diff` in the full repository. */
import { afterAll, describe, expect, test } from 'vitest';
import { changedFiles, diffOf, type FileDiff, fingerprint } from '../../../src/git/diff.ts';
import { FakeGitHub } from '../../support/github.ts';
import type { FileContent } from '../../support/origin.ts';
import { createStep, GIT, open } from './setup.ts';

const server = await FakeGitHub.start('o/r');
const { origin } = server;
const step = createStep();
const repo = await open(step, server);

afterAll(async () => {
  step[Symbol.dispose]();
  await server[Symbol.asyncDispose]();
});

type Files = Readonly<Record<string, FileContent | null>>;

/** Two commits that differ in `after`, with something else in the first one's history. */
function range(before: Files, after: Files): readonly [string, string] {
  const root = origin.commit({ files: { 'README.md': 'Read me\n' } });
  const from = origin.commit({ files: before, parents: [root] });
  return [from, origin.commit({ files: after, parents: [from] })];
}

async function ours(from: string, to: string, of = repo): Promise<readonly FileDiff[]> {
  return diffOf(of, await changedFiles(of, from, to));
}

const lines = (count: number, word = 'line') =>
  Array.from({ length: count }, (_, n) => `${word} ${n}\n`).join('');
const link = (content: string): FileContent => ({ mode: '120000', content });
const program = (content: string): FileContent => ({ mode: '100755', content });
const submodule = (digit: string): FileContent => ({ mode: '160000', content: digit.repeat(40) });

/** Small changes, each in a folder of its own. */
const CHANGES: Readonly<Record<string, readonly [Files, Files]>> = {
  'an added file': [{}, { 'a.md': 'A\nB\n' }],
  'an empty file': [{}, { empty: '' }],
  'a removed file': [{ 'b/c.md': 'B\n' }, { 'b/c.md': null }],
  'a change in the middle': [{ f: lines(60) }, { f: lines(60).replace('line 30\n', 'other\n') }],
  'no line break at the end': [{ f: 'a\nb' }, { f: 'a\nc' }],
  'Windows line breaks': [{ f: 'a\r\nb\r\n' }, { f: 'a\r\nc\r\n' }],
  'lines like headers': [{ f: 'x\n' }, { f: 'x\ndiff --git a/x b/x\n@@ -1 +1 @@\n+++ b/x\n' }],
  'an exact rename': [{ 'old name': lines(9) }, { 'old name': null, 'new.md': lines(9) }],
  'a rename with changes': [{ a: lines(30, 'b') }, { a: null, 'b/c': `${lines(30, 'b')}more\n` }],
  'a rename with a mode': [{ a: lines(30, 'c') }, { a: null, b: program(lines(30, 'c')) }],
  'another mode': [{ run: 'a\n' }, { run: program('a\n') }],
  'a file that becomes a link': [{ f: 'a\nb\n' }, { f: link('elsewhere') }],
  'a file that becomes a link to what it said': [{ f: 'elsewhere' }, { f: link('elsewhere') }],
  'a file that becomes a folder': [{ f: 'a\n' }, { f: null, 'f/g': 'b\n' }],
  'a submodule': [{ s: submodule('1') }, { s: submodule('3') }],
  'a submodule that becomes a file': [{ s: submodule('1') }, { s: 'a file now\n' }],
  'binary files': [{ 'a.bin': 'a\0b' }, { 'a.bin': 'a\0c', 'b.bin': 'd\0e' }],
  'spaces and quotes': [{}, { ' a "b" \'c\' ': 'x\n', 'd\\e': 'y\n', '-f': 'z\n', 'g*?[': 'g\n' }],
  'line breaks and tabs': [{ 'a\nb\tc': 'x\ny\n' }, { 'a\nb\tc': null, 'd\n\ne': 'x\ny\n' }],
  'names before a slash': [{ 'a-x': 'a\n' }, { 'a-x': 'b\n', 'a/x': 'c\n' }],
  'other alphabets': [{ 'блог/日本語.md': 'á\n' }, { 'блог/日本語.md': 'б\n', '🚀': 'y\n' }],
  'Latin-1': [{ f: Buffer.from('\xe9\n', 'latin1') }, { f: Buffer.from('\xe8\n', 'latin1') }],
};

const inFolders = (side: 0 | 1): Files =>
  Object.fromEntries(
    Object.entries(CHANGES).flatMap(([folder, sides]) =>
      Object.entries(sides[side]).map(([name, file]) => [`${folder}/${name}`, file]),
    ),
  );

/** What `git diff` says in the full repository, without the likeness of renamed files. */
function judge(from: string, to: string) {
  const diff = (...shape: string[]) => origin.git('diff', '-l1000', ...shape, from, to);
  const patches = `${diff()}\n`.split(/^diff --git .*\n/m).slice(1);
  const records = diff('-z', '--raw', '--no-abbrev');
  return {
    records: records.replaceAll(' T\0', ' M\0').replaceAll(/ R\d+\0/g, ' R\0'),
    // A binary file has no lines.
    counts: diff('-z', '--numstat').replaceAll('-\t-\t', '0\t0\t'),
    patches: patches.map((patch) => /^@@ .*/ms.exec(patch)?.[0] ?? '').join(''),
  };
}

const LETTERS = { added: 'A', removed: 'D', modified: 'M', renamed: 'R' } as const;

/** The same of our files. */
function saidBy(files: readonly FileDiff[]) {
  const rows = files
    .toSorted((a, b) => Buffer.compare(Buffer.from(a.path), Buffer.from(b.path)))
    .map((file) => ({ ...file, from: file.previous === undefined ? '' : `${file.previous}\0` }));
  const records = rows.map(({ oldMode, mode, oldId, id, status, from, path }) =>
    [`:${oldMode}`, mode, oldId, id, `${LETTERS[status]}\0${from}${path}\0`].join(' '),
  );
  const counts = rows.map(({ additions, deletions, from, path }) =>
    [additions, deletions, `${from && `\0${from}`}${path}\0`].join('\t'),
  );
  return {
    records: records.join(''),
    counts: counts.join(''),
    patches: rows.map(({ patch }) => patch && `${patch}\n`).join(''),
  };
}

describe('files, modes, counts and patches equal those of a full clone', () => {
  test('for every kind of change', async () => {
    const [from, to] = range(inFolders(0), inFolders(1));
    expect(saidBy(await ours(from, to))).toEqual(judge(from, to));
  });

  // Git lists a name that is no UTF-8 by its bytes, which are lost.
  test('whatever order they are in', async () => {
    const [from, to] = range({ a: 'one\n', b: 'two\n' }, { a: 'uno\n', b: 'dos\n', c: 'tres\n' });
    const files = await changedFiles(repo, from, to);
    expect(saidBy(await diffOf(repo, files.toReversed()))).toEqual(judge(from, to));
  });

  test('except for .gitattributes, which may hide changes', async () => {
    const [from, to] = range(
      { 'a.lock': 'a\n', '.gitattributes': '*.lock -diff\n' },
      { 'a.lock': 'b\n' },
    );
    expect(await ours(from, to)).toMatchObject([{ path: 'a.lock', patch: '@@ -1 +1 @@\n-a\n+b' }]);
  });
});

test('needs two requests for the list, and two for any number of contents', async () => {
  const [from, to] = range(
    { x: 'x\n', y: 'y\n', a: lines(20), b: lines(20, 'b'), s: submodule('1') },
    { x: 'X\n', y: 'Y\n', a: null, d: lines(20), b: null, e: `${lines(20, 'b')}more\n` },
  );
  const start = server.git.requests.length;
  const requests = () => server.git.requests.length - start;
  const files = await changedFiles(repo, from, to);
  // Contents are not read yet, so only exact renames are seen.
  const renamed = files.filter(({ status }) => status === 'renamed');
  expect(renamed).toMatchObject([{ previous: 'a', path: 'd' }]);
  await diffOf(repo, renamed);
  expect(requests()).toBe(2);
  await ours(from, to);
  expect(requests()).toBe(4);
});

test('sees by its beginning that a file is generated', async () => {
  const license = '//\n'.repeat(38);
  const generated = {
    'go.go': '// Code generated by stringer -type=A. DO NOT EDIT.\npackage a\n',
    'license.go': `${license}\n// Code generated by x. DO NOT EDIT.\r\n`,
    'a.html': '<!-- Code generated by x. DO NOT EDIT -->\n',
    'relay.js': '/**\n * @generated SignedSource<<0123>>\n */\n',
    'prost.rs': '// This file is @generated by prost-build.\n',
    ' "\n\\ü': '# @generated\n',
  };
  const written = {
    'late.go': `${license}\n\n// Code generated by x. DO NOT EDIT.\n`,
    'generator.go': 'package a\nconst head = "// Code generated by x. DO NOT EDIT."\n',
    'about.md': '```ts\n// @generated by protoc-gen-es\n```\n',
    'about.rst': 'A file with @generated is left out.\n`@generated`\n',
    'tag.ts': '// @generatedBy\n// `@generated`\n',
  };
  const diffs = await ours(...range({}, { ...generated, ...written }));
  const found = diffs.filter(({ isGenerated }) => isGenerated);
  expect(found.map(({ path }) => path)).toEqual(Object.keys(generated).sort());
});

test('stops after 64 MB of patches, and leaves out the patch that git was at', async () => {
  using endless = createStep();
  const line = `+${'x'.repeat(9_999)}`;
  endless.replaceGit(`${GIT} "$@"\ncase "$*" in *--patch*) exec yes ${line};; esac`);
  const [from, to] = range({}, { a: 'a\n', b: 'b\n' });
  const of = await open(endless, server);
  expect(await ours(from, to, of)).toMatchObject([
    { path: 'a', additions: 1, patch: '@@ -0,0 +1 @@\n+a' },
    { path: 'b', additions: 1, patch: '' },
  ]);
});

describe('the fingerprint of changes', () => {
  const text = lines(40);
  const fingerprintOf = async (from: string, to: string) => fingerprint(await ours(from, to));

  test('stays after a rebase and after "Update branch"', async () => {
    const base = origin.commit({ files: { a: text, b: 'b\n' } });
    const mine = { a: text.replace('line 30\n', 'mine\n'), new: 'new\n', bin: 'a\0' };
    const head = origin.commit({ files: mine, parents: [base] });
    const moved = text.replace('line 1\n', '').replace('line 28\n', 'others\n');
    const newBase = origin.commit({ files: { a: moved, b: 'B\n' }, parents: [base] });
    const both = { ...mine, a: moved.replace('line 30\n', 'mine\n') };
    const rebased = origin.commit({ files: both, parents: [newBase] });
    const updated = origin.commit({ files: { ...both, b: 'B\n' }, parents: [head, newBase] });
    const first = await fingerprintOf(base, head);
    expect(await fingerprintOf(newBase, rebased)).toBe(first);
    expect(await fingerprintOf(newBase, updated)).toBe(first);
    // The base made the file executable.
    const oldBase = origin.commit({ files: { a: program(moved), b: 'B\n' }, parents: [base] });
    const executable = { ...both, a: program(both.a), b: 'B\n' };
    const again = origin.commit({ files: executable, parents: [head, oldBase] });
    expect(await fingerprintOf(oldBase, again)).toBe(first);
  });

  test('changes with a line, white space, a path, a mode, a file, and binary content', async () => {
    const variants: Readonly<Record<string, FileContent>> = {
      same: `${text}mine\n`,
      line: `${text}mine!\n`,
      'white space': `${text} mine\n`,
      mode: program(`${text}mine\n`),
      binary: `${text}\0mine\n`,
      'other binary': `${text}\0mine!\n`,
    };
    const before = Object.fromEntries(Object.keys(variants).map((name) => [name, text]));
    const diffs = await ours(...range({ ...before, again: text }, { ...variants, again: 'a\n' }));
    const asOneFile = diffs.map((file) => fingerprint([{ ...file, path: 'a' }]));
    const [first] = diffs;
    if (first === undefined) throw new Error('no file');
    const others = [fingerprint([{ ...first, path: 'b' }]), fingerprint([first, first])];
    expect(new Set([...asOneFile, ...others]).size).toBe(diffs.length + 2);
    expect(fingerprint(diffs.toReversed())).toBe(fingerprint(diffs));
  });
});

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { patchesOf, sharePatches } from '../../../src/changes/patches.ts';
import type { FileDiff } from '../../../src/git/diff.ts';
import { anyText, fileOf, hunk } from './given.ts';

const share = (diffs: readonly FileDiff[], room: number) => sharePatches(patchesOf(diffs), room);
const bytes = (lines: readonly string[]) => Buffer.byteLength(lines.map((l) => `${l}\n`).join(''));

describe('patches that fit', () => {
  const paths = ['LICENSE', 'a.test.ts', 'internal/a.ts', 'docs/a.md', 'src/a.ts', 'b.ts'];

  test('are whole: by kind, and among these in the order of paths', () => {
    const changelog = fileOf('CHANGELOG.md', '@@ -1 +1 @@\n+a');
    const diffs = [...paths.map((path) => fileOf(path, hunk(2))), changelog];
    const whole = hunk(2).split('\n');
    expect(share(diffs, 10_000)).toEqual({
      lines: [
        ...['=== CHANGELOG.md', '+a', '=== src/a.ts', ...whole, '=== b.ts', ...whole],
        ...['=== docs/a.md', ...whole, '=== internal/a.ts', ...whole, '=== a.test.ts', ...whole],
        ...['=== LICENSE', ...whole],
      ],
      withoutRoom: [],
    });
  });

  test.each(['test/a.ts', 'CHANGES.md'])('have no limit by kind: %s', (path) => {
    const { lines } = share([fileOf(path, hunk(5_000))], 100_000);
    expect(lines.filter((line) => line.startsWith('+'))).toHaveLength(5_000);
  });
});

describe('where not everything fits', () => {
  test.each(['test/', 'changelogs/'])('files in %s have at most 20 kB together', (folder) => {
    const diffs = Array.from({ length: 50 }, (_, n) => fileOf(`${folder}${n}.ts`, hunk(100)));
    const { lines, withoutRoom } = share(diffs, 40_000);
    expect(withoutRoom).toEqual([]);
    expect(bytes(lines)).toBeLessThanOrEqual(20_000);
    expect(bytes(lines)).toBeGreaterThan(19_000);
  });

  test('a patch ends at a line and says how many changed lines are missing', () => {
    const patch = ['@@ -1 +1 @@', ' same', '-old', hunk(200)].join('\n');
    const { lines } = share([fileOf('a.ts', patch)], 500);
    expect(lines.slice(0, -1)).toEqual(['=== a.ts', ...patch.split('\n').slice(0, 46)]);
    expect(lines.at(-1)).toBe('[cut: 158 changed lines missing]');
  });

  test('the patches of a kind are cut to one length, and only what they leave goes to the next', () => {
    const large = ['a.ts', 'b.ts'].map((path) => fileOf(path, hunk(400)));
    const diffs = [fileOf('c.ts', hunk(2)), ...large, fileOf('d.md', hunk(50))];
    const { lines, withoutRoom } = share(diffs, 3_000);
    expect(lines.slice(0, 4)).toEqual(['=== c.ts', ...hunk(2).split('\n')]);
    const notes = lines.filter((line) => line.startsWith('[cut: '));
    expect([notes.length, new Set(notes).size, withoutRoom]).toEqual([2, 1, ['d.md']]);
    expect(bytes(lines)).toBeGreaterThan(2_950);
  });

  test('files that would get less than 300 bytes each are named, the last ones first', () => {
    const diffs = Array.from({ length: 1_000 }, (_, n) => fileOf(`${n}.ts`, hunk(50)));
    const { withoutRoom } = share(diffs, 100_000);
    expect(withoutRoom).toEqual(diffs.slice(333).map(({ path }) => path));
  });

  test('a patch that git gave only in part is cut, whatever its room', () => {
    const part = fileOf('a.ts', hunk(40), { isWhole: false, additions: 90 });
    const none = fileOf('b.ts', '', { isWhole: false, additions: 90 });
    const { lines, withoutRoom } = share([part, none], 10_000);
    expect(lines).toEqual([
      ...['=== a.ts', ...hunk(40).split('\n'), '[cut: 50 changed lines missing]'],
    ]);
    expect(withoutRoom).toEqual(['b.ts']);
  });
});

test('a changelog has only its added lines', () => {
  const patch = '@@ -1,2 +1,3 @@\n # Changes\n-old\n+new\n+\n@@ -9,2 +9,1 @@ ## 1.0\n x\n-gone';
  expect(share([fileOf('CHANGELOG.md', patch)], 10_000).lines).toEqual([
    ...['=== CHANGELOG.md', '+new', '+'],
  ]);
  expect(patchesOf([fileOf('CHANGELOG.md', '@@ -1 +0,0 @@\n-gone')])).toEqual([]);
});

test.each([
  ['a removed file', fileOf('a.ts', hunk(1), { status: 'removed' })],
  ['a binary file', fileOf('a.ts', '', { isBinary: true })],
  ['a file that only moved', fileOf('a.ts', '', { status: 'renamed', previous: 'b.ts' })],
])('there is no patch of %s', (_, diff) => {
  expect(patchesOf([diff])).toEqual([]);
});

test.each([
  ['a Windows line break', '+a\r', '+a'],
  ['a carriage return', '+a\r=== src/evil.ts', '+a\\r=== src/evil.ts'],
  ["Unicode's line break", '+a\u2028=== x', '+a\\u{2028}=== x'],
  ['a tab', '+\ta', '+\ta'],
])('a line with %s stays a line of its patch', (_, line, shown) => {
  expect(share([fileOf('a', `@@ -1 +1 @@\n${line}`)], 10_000).lines.slice(2)).toEqual([shown]);
});

const anyLine = fc
  .tuple(fc.constantFrom('+', '-', ' '), fc.oneof(anyText, fc.constant('code'), fc.constant('ü')))
  .map(([mark, text]) => mark + text.replace(/\n/g, ''));
const anyDiff = fc
  .tuple(
    fc.constantFrom(
      'a.ts',
      'b/c.go',
      'CHANGES',
      'docs/d.md',
      'internal/e.go',
      'test/f.ts',
      'LICENSE',
    ),
    fc.array(anyLine, { minLength: 1, maxLength: 6 }),
    fc.constantFrom(1, 2, 40),
    fc.constantFrom(true, true, true, false),
  )
  .map(([path, lines, times, isWhole]) =>
    fileOf(path, ['@@ -1 +1 @@', ...Array(times).fill(lines.join('\n'))].join('\n'), { isWhole }),
  );

test('never takes more room than there is, and shows or names every patch', () => {
  fc.assert(
    fc.property(fc.array(anyDiff, { maxLength: 8 }), fc.nat(8_000), (diffs, room) => {
      const patches = patchesOf(diffs);
      const { lines, withoutRoom } = sharePatches(patches, room);
      expect(bytes(lines)).toBeLessThanOrEqual(room);
      const headers = lines.filter((line) => line.startsWith('=== '));
      expect(headers.length + withoutRoom.length).toBe(patches.length);
      expect(lines.filter((line) => !/^(?:[ +\\-]|@@|=== |\[cut: )/.test(line))).toEqual([]);
    }),
    { numRuns: 40 },
  );
});

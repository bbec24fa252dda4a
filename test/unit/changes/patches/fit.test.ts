import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { patchesOf, sharePatches as share } from '../../../../src/changes/patches/fit.ts';
import { kindOf } from '../../../../src/changes/patches/kinds.ts';
import { finishLine } from '../../../../src/changes/patches/lines.ts';
import type { ChangedFile } from '../../../../src/github/github.ts';
import { dose } from '../../../support/dose.ts';
import { anyText, HOSTILE_TEXTS } from '../../../support/hostile-texts.ts';
import { noGit } from '../../../support/system.ts';

const file = (filename: string, patch: string | undefined): ChangedFile => {
  return { filename, status: 'modified', lines: { additions: 1, deletions: 1 }, patch };
};

const candidatesOf = (files: readonly ChangedFile[], named: readonly string[] = []) =>
  patchesOf(files.map((one) => ({ file: one, kind: kindOf(one.filename, named) })));

/** The lines as they are sent. */
function sharePatches(files: readonly ChangedFile[], maxBytes: number) {
  const { lines, ...counts } = share(candidatesOf(files), maxBytes);
  return { ...counts, lines: lines.map((line) => finishLine(line, (text) => text)) };
}

const bytes = (lines: readonly string[]) =>
  lines.reduce((sum, line) => sum + Buffer.byteLength(line) + 1, 0);

/** A hunk of so many added lines of 10 bytes each. */
const hunk = (lines: number) => ['@@ -1 +1 @@', ...Array<string>(lines).fill('+12345678')];
const patch = (...hunks: readonly number[]) => hunks.flatMap(hunk).join('\n');

/** The lines of each patch, by its header. */
function sections(lines: readonly string[]): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, string[]>();
  for (const line of lines) {
    if (line.startsWith('=== ')) found.set(line.slice(4), []);
    else Array.from(found.values()).at(-1)?.push(line);
  }
  return found;
}
/** How many bytes the patch of each file takes, with its header. */
const sizes = (lines: readonly string[]) =>
  new Map(Array.from(sections(lines), ([name, own]) => [name, bytes([`=== ${name}`, ...own])]));

describe('patches that fit', () => {
  const paths = ['LICENSE', 'a.test.ts', 'internal/a.ts', 'docs/a.md', 'src/a.ts', 'CHANGES.md'];

  test('are whole, by groups and in each in the order of the list', () => {
    const files = [...paths.map((path) => file(path, patch(2, 1))), file('b.ts', patch(1))];
    const { lines, cut, unlisted } = sharePatches([file('logo.png', undefined), ...files], 10_000);
    const all = [...hunk(2), ...hunk(1)];
    expect(lines).toEqual([
      ...['=== CHANGES.md', ...all, '=== src/a.ts', ...all, '=== b.ts', ...hunk(1)],
      ...['=== docs/a.md', ...all, '=== internal/a.ts', ...all, '=== a.test.ts', ...all],
      ...['=== LICENSE', ...all],
    ]);
    expect([cut, unlisted]).toEqual([0, []]);
  });

  test.each(['test/a.ts', 'CHANGES.md'])('have no limit of their kind: %s', (path) => {
    const { cut, lines } = sharePatches([file(path, patch(5_000))], 100_000);
    expect([cut, bytes(lines) > 50_000]).toEqual([0, true]);
  });

  test('are there to the last byte', () => {
    const files = [file('a.ts', patch(9)), file('docs/b.md', patch(30))];
    const all = sharePatches(files, 10_000).lines;
    expect(sharePatches(files, bytes(all)).lines).toEqual(all);
    expect(sharePatches(files, bytes(all) - 1).cut).toBe(1);
  });
});

describe('where not everything fits', () => {
  test('a group leaves room only to those behind it', () => {
    const files = ['test/a.ts', 'internal/a.ts', 'docs/a.md', 'src/a.ts'].map((path) =>
      file(path, patch(100)),
    );
    const shown = (room: number) => Array.from(sections(sharePatches(files, room).lines).keys());
    expect(shown(700)).toEqual(['src/a.ts']);
    expect(shown(1_500)).toEqual(['src/a.ts', 'docs/a.md']);
    expect(shown(2_500)).toEqual(['src/a.ts', 'docs/a.md', 'internal/a.ts']);
  });

  test.each(['test/', 'changelogs/'])('files in %s have at most 20 kB in all', (folder) => {
    const files = Array.from({ length: 50 }, (_, n) => file(`${folder}${n}.ts`, patch(100)));
    const source = file('src/a.ts', patch(8_000));
    const used = sizes(sharePatches([...files, source], 100_000).lines);
    const own = [...used].filter(([name]) => name !== 'src/a.ts');
    const sum = own.reduce((all, [, size]) => all + size, 0);
    expect(sum).toBeLessThanOrEqual(20_000);
    expect(sum).toBeGreaterThan(19_000);
  });

  test('those of a group that are smaller than its share are whole, and the others as long', () => {
    // A third of the room is 1,000 bytes. The small file leaves about 900 of them to the two others.
    const files = [file('a', patch(300)), file('b', patch(8)), file('c', patch(300))];
    const used = sizes(sharePatches(files, 3_000).lines);
    expect(used.get('b')).toBe(bytes(['=== b', ...hunk(8)]));
    for (const name of ['a', 'c']) {
      expect(used.get(name)).toBeGreaterThan(1_430);
      expect(used.get(name)).toBeLessThanOrEqual(1_455);
    }
  });

  test('the hunks that add most are kept, as many as fit, in the order of the file', () => {
    const lines = [...hunk(5), ...hunk(40), ...hunk(20), ...hunk(2)].join('\n');
    expect(sharePatches([file('a.ts', lines)], 500).lines).toEqual([
      ...['=== a.ts', ...hunk(40), ...hunk(2), '[cut: 27 lines left out]'],
    ]);
    const removing = ['@@ -9 +9 @@', ...Array<string>(50).fill('-12345678')];
    expect(sharePatches([file('a.ts', [...removing, ...hunk(2)].join('\n'))], 400).lines).toEqual([
      ...['=== a.ts', ...hunk(2), '[cut: 51 lines left out]'],
    ]);
  });

  test('of a hunk that alone is too long the beginning is kept', () => {
    const { lines } = sharePatches([file('a', [...hunk(2), ...hunk(200)].join('\n'))], 1_000);
    const note = /^\[cut: (\d+) lines left out\]$/.exec(lines.at(-1) ?? '');
    expect(lines.slice(1, -1)).toEqual(hunk(lines.length - 3));
    expect(Number(note?.[1])).toBe(204 - (lines.length - 2));
    expect(bytes(lines)).toBeLessThanOrEqual(1_000);
    expect(bytes(lines)).toBeGreaterThan(980);
  });

  test('a file whose share holds no changed line is only named', () => {
    const context = ['@@ -1 +1 @@', ...Array<string>(60).fill(' 12345678'), ...hunk(90).slice(1)];
    const { lines, unlisted } = sharePatches(
      [file('a', context.join('\n')), file('b', patch(9))],
      700,
    );
    expect([Array.from(sections(lines).keys()), unlisted]).toEqual([['b'], ['a']]);
  });

  test.each([
    [300, 3, 150],
    [100, 9, 500],
  ])(
    '%d files whose first changed line comes after much context fill the room',
    (count, n, length) => {
      const context = Array<string>(n).fill(` ${'x'.repeat(length)}`);
      const changed = Array<string>(20).fill(`+${'y'.repeat(length)}`);
      const text = ['@@ -1 +1 @@', ...context, ...changed].join('\n');
      const files = Array.from({ length: count }, (_, i) => file(`${i}.ts`, text));
      const { lines, unlisted } = sharePatches(files, 190_000);
      expect(bytes(lines)).toBeGreaterThan(150_000);
      const told = sections(lines);
      expect(told.size + unlisted.length).toBe(count);
      for (const own of told.values()) expect(own.some((line) => line.startsWith('+'))).toBe(true);
    },
  );

  test('many small patches leave the large ones before them their room', () => {
    const large = Array.from({ length: 20 }, (_, n) => file(`${n}.ts`, patch(200)));
    const small = Array.from({ length: 1_500 }, (_, n) => file(`z${n}.ts`, patch(12)));
    const told = sections(sharePatches([...large, ...small], 180_000).lines);
    expect(large.every(({ filename }) => told.has(filename))).toBe(true);
    expect(told.size).toBeGreaterThan(1_000);
  });

  test('of more files than have 300 bytes each, the last ones are only named', () => {
    const files = Array.from({ length: 1_000 }, (_, n) => file(`${n}.ts`, patch(50)));
    const { lines, unlisted } = sharePatches(files, 100_000);
    const names = Array.from(sections(lines).keys());
    expect(names).toEqual(files.slice(0, 333).map(({ filename }) => filename));
    expect(unlisted).toHaveLength(1_000 - 333);
    expect(unlisted[0]).toBe('333.ts');
  });
});

test('of a changelog there is what is added, and where', () => {
  const lines = [
    ...['@@ -1,2 +1,3 @@', ' # Changes', '-old', '+new', '+', '+more'],
    ...['@@ -40,2 +41,1 @@ ## 1.0', ' x', '-gone', '@@ -80 +80,2 @@ ## 0.9', ' y', '+late'],
  ];
  expect(sharePatches([file('CHANGELOG.md', lines.join('\n'))], 10_000).lines).toEqual([
    ...['=== CHANGELOG.md', '@@ -1,2 +1,3 @@', '+new', '+', '+more'],
    ...['@@ -80 +80,2 @@ ## 0.9', '+late'],
  ]);
  expect(candidatesOf([file('CHANGELOG.md', '@@ -1 +0,0 @@\n-gone')])).toEqual([]);
});

test('there is no patch of a removed file, nor of a lock file unless `paths` names it', () => {
  const lock = file('pnpm-lock.yaml', patch(1));
  const removed = { ...file('a.ts', patch(1)), status: 'removed' };
  expect(candidatesOf([lock, removed, file('a.ts', undefined)])).toEqual([]);
  expect(candidatesOf([lock], ['pnpm-lock.yaml'])).toMatchObject([{ kind: 'text' }]);
});

test.each([
  ['a removed line that reads as a header', '--- a/x\n+++ b/x', false],
  ['no line break at the end', '@@ -1 +1 @@\n+a\n\\ No newline', false],
  ['a header of ours', '@@ -1 +1 @@\n=== src/evil.ts\n@ x', true],
  ['a note of ours', '[cut: 9 lines left out]', true],
  ['an empty line', '@@ -1 +1 @@\n\n', true],
  ['a header after a carriage return', '+a\r=== src/evil.ts', true],
  ["a header after Unicode's line break", '+a\u2028=== x', true],
])('%s in a patch is a line of that patch', (_, text, isChanged) => {
  const { lines } = sharePatches([file('a', text), file('b', patch(1))], 10_000);
  expect(Array.from(sections(lines).keys())).toEqual(['a', 'b']);
  const shown = sections(lines).get('a') ?? [];
  for (const line of shown) expect(line).toMatch(/^(?:[ +\\-]|@@)/);
  expect(shown.join('\n') !== text).toBe(isChanged);
});

const anyLength = fc.constantFrom(0, 1, 3, 20, 300);
const anyPatch = fc.oneof(
  fc.array(anyLength, { minLength: 1, maxLength: 6 }).map((hunks) => patch(...hunks)),
  fc.tuple(anyText, anyLength).map(([text, times]) => `${text}\n`.repeat(times)),
  fc.constantFrom(...Object.values(HOSTILE_TEXTS)),
  fc.constant(undefined),
);
const anyFiles = fc
  .tuple(fc.array(anyPatch, { maxLength: 8 }), fc.constantFrom(1, 1, 5, 40), fc.nat(600))
  .map(([patches, times, length]) => {
    const end = 'ü'.repeat(length % 7 === 0 ? length : 0);
    const all = Array.from({ length: times }, () => patches).flat();
    return all.map((text, index) => file(`${index}${end}`, text));
  });

test('for any patches the room is kept to, every file is told or named, and no line is made up', () => {
  fc.assert(
    fc.property(anyFiles, fc.integer({ min: 0, max: 60_000 }), (files, room) => {
      const { lines, unlisted } = sharePatches(files, room);
      const withPatch = files.filter((one) => one.patch);
      expect(bytes(lines)).toBeLessThanOrEqual(room);
      const pathsShown = lines.filter((line) => line.startsWith('=== '));
      expect(pathsShown.length + unlisted.length).toBe(withPatch.length);
      expect(lines.filter((line) => !/^(?:[ +\\-]|@@|=== |\[cut: )/.test(line))).toEqual([]);
      const whole = sections(sharePatches(withPatch, 1_000_000_000).lines);
      // A patch that is cut has nothing that the whole one has not.
      for (const [path, section] of sections(lines)) {
        const full = new Set(whole.get(path) ?? []);
        expect(section.filter((line) => !line.startsWith('[') && !full.has(line))).toEqual([]);
      }
    }),
    { numRuns: dose(5, 40) },
  );
});

test.skipIf(noGit)(
  'what is kept of a patch still applies, as git says (skipped without git)',
  () => {
    const folder = mkdtempSync(join(tmpdir(), 'docs-agent-job-patch-'));
    const git = (args: readonly string[], input = '') =>
      execFileSync('git', args, { cwd: folder, input, encoding: 'utf8' });
    try {
      git(['init', '--quiet']);
      const old = Array.from({ length: 400 }, (_, n) => `line ${n}\t--- x`);
      const changed = old.map((line, n) => (n % 40 === 5 ? `-- removed ${n}` : line));
      writeFileSync(join(folder, 'a.txt'), `${old.join('\n')}\n`);
      git(['add', 'a.txt']);
      writeFileSync(join(folder, 'a.txt'), changed.join('\n'));
      const [head = '', ...rest] = git(['diff']).split(/^(?=@@)/m);
      git(['checkout', '--quiet', '--', 'a.txt']);
      // GitHub gives a patch without the lines before its first hunk.
      const whole = file('a.txt', rest.join('').trimEnd());
      for (const room of [500, 1_000, 10_000]) {
        const { lines } = sharePatches([whole], room);
        const kept = (sections(lines).get('a.txt') ?? []).filter((line) => !line.startsWith('['));
        const leftOut = rest.join('').trimEnd().split('\n').length - kept.length;
        const note = `[cut: ${leftOut} lines left out]`;
        expect(lines.at(-1)).toBe(room === 10_000 ? '\\ No newline at end of file' : note);
        git(['apply', '--check', '-'], `${head}${kept.join('\n')}\n`);
      }
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  },
);

// Each would take minutes if its time grew with the square of its length.
test('no patch takes long', () => {
  for (const unit of ['\n', '+\n', '@@\n+a\n', '\r\n', '+']) {
    const text = unit.repeat(300_000 / unit.length);
    for (const name of ['a.ts', 'CHANGES']) sharePatches([file(name, text)], 100_000);
  }
});

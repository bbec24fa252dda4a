import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { fileLines, filesHeading, kindOf, patchLines } from '../../../src/changes/files.ts';
import { fileOf, filesOf, hunk } from './given.ts';

const bytes = (lines: readonly string[]) => Buffer.byteLength(lines.map((l) => `${l}\n`).join(''));

describe('the list of files', () => {
  test('has 300 files that fit, and counts the others', () => {
    const files = filesOf(310, '+a');
    expect(fileLines(files.slice(0, 300), 90_000).at(-1)).toBe('- modified src/299.ts (+1 -0)');
    expect(fileLines(files, 90_000).slice(299)).toEqual([
      ...['- modified src/299.ts (+1 -0)', '- 10 more files'],
    ]);
    expect(fileLines(files, 60).slice(1)).toEqual([
      ...['- modified src/1.ts (+1 -0)', '- 308 more files'],
    ]);
  });

  test('has a heading that counts a renamed and changed file once', () => {
    expect(filesHeading(10, 7, 6)).toBe('6 of 9 changed files, selected by paths:');
    expect(filesHeading(1, 1, 1)).toBe('1 changed file:');
  });
});

test('patches that fit are whole, but for generated ones: changelogs, the rest, what is aside', () => {
  const paths = ['LICENSE', 'docs/a.md', 'internal/a.ts', 'src/a.ts'];
  const others = [
    fileOf('CHANGELOG.md', '@@ -1 +1 @@\n+a'),
    fileOf('src/generated.ts', hunk(2), { isGenerated: true }),
    // Aside, and with more than its share where not everything fits.
    fileOf('a.test.ts', hunk(3_000)),
  ];
  const diffs = [...paths.map((path) => fileOf(path, hunk(2))), ...others];
  const whole = hunk(2).split('\n');
  expect(patchLines(diffs, 40_000)).toEqual({
    lines: [
      ...['=== CHANGELOG.md', '+a', '=== docs/a.md', ...whole, '=== internal/a.ts', ...whole],
      ...['=== src/a.ts', ...whole, '=== LICENSE', ...whole],
      ...['=== a.test.ts', ...hunk(3_000).split('\n')],
    ],
    withoutRoom: [],
  });
});

describe('where not everything fits', () => {
  test.each(['test', 'changelogs'])('files in %s/ have at most 20 kB together', (folder) => {
    const { lines, withoutRoom } = patchLines(filesOf(50, hunk(100), folder), 40_000);
    expect(withoutRoom).toEqual([]);
    expect(bytes(lines)).toBeLessThanOrEqual(20_000);
    expect(bytes(lines)).toBeGreaterThan(19_000);
  });

  test('a patch ends at a line and says how many changed lines are missing', () => {
    const patch = ['@@ -1 +1 @@', ' same', '-old', hunk(200)].join('\n');
    const { lines } = patchLines([fileOf('a.ts', patch)], 500);
    expect(lines.slice(0, -1)).toEqual(['=== a.ts', ...patch.split('\n').slice(0, 46)]);
    expect(lines.at(-1)).toBe('[cut: 158 changed lines missing]');
    // Of a changelog, only added lines count.
    const news = ['@@ -1 +1 @@', ` ${'x'.repeat(100)}`, '+new', '-old', `+${'x'.repeat(500)}`].join(
      '\n',
    );
    expect(patchLines([fileOf('NEWS', news)], 400).lines).toEqual([
      ...['=== NEWS', '+new', '[cut: 1 changed line missing]'],
    ]);
    const context = ['@@ -1 +1 @@', '+new', ...Array<string>(100).fill(' same')].join('\n');
    const last = patchLines([fileOf('a.ts', context)], 400).lines.at(-1);
    expect(last).toBe(' same');
  });

  test('the patches of a kind are cut to one length, and only what they leave goes to the next', () => {
    const large = ['a.ts', 'b.ts'].map((path) => fileOf(path, hunk(400)));
    const diffs = [fileOf('c.ts', hunk(2)), ...large, fileOf('test/d.ts', hunk(50))];
    const { lines, withoutRoom } = patchLines(diffs, 3_000);
    expect(lines.slice(0, 4)).toEqual(['=== c.ts', ...hunk(2).split('\n')]);
    const notes = lines.filter((line) => line.startsWith('[cut: '));
    expect([notes.length, new Set(notes).size, withoutRoom]).toEqual([2, 1, ['- test/d.ts']]);
    expect(bytes(lines)).toBeGreaterThan(2_950);
  });

  test('files that would get less than 300 bytes each are named, the last ones first', () => {
    const diffs = filesOf(1_000, hunk(50));
    const { withoutRoom } = patchLines(diffs, 100_000);
    expect(withoutRoom).toEqual(diffs.slice(333).map(({ path }) => `- ${path}`));
  });

  test('a file is named if git did not come to its patch', () => {
    const files = [fileOf('a.ts', hunk(2)), fileOf('b.ts', '', { additions: 90 })];
    expect(patchLines(files, 10_000)).toEqual({
      lines: ['=== a.ts', ...hunk(2).split('\n')],
      withoutRoom: ['- b.ts'],
    });
  });

  test('patches never take more room than there is, and each is shown or named', () => {
    const path = fc.constantFrom('a.ts', 'CHANGES', 'd.md', 'internal/e.go', 'test/f.ts');
    const diff = fc
      .tuple(path, fc.integer({ min: 1, max: 200 }))
      .map(([name, lines]) => fileOf(name, hunk(lines)));
    fc.assert(
      fc.property(fc.array(diff, { maxLength: 8 }), fc.nat(8_000), (diffs, room) => {
        const { lines, withoutRoom } = patchLines(diffs, room);
        expect(bytes(lines)).toBeLessThanOrEqual(room);
        const headers = lines.filter((line) => line.startsWith('=== '));
        expect(headers.length + withoutRoom.length).toBe(diffs.length);
      }),
    );
  });
});

test.each(
  Object.entries({
    rest: 'src/a.ts src/history.ts internal/a.go lib/x.go pkg/_app.py src/changes/changes.ts lib/eslint/eslint.js spec/a.rb a.vue a.lock README.md docs/a.mdx package.json action.yml openapi.yaml Makefile spec/openapi.json go.mod .mocharc.js',
    aside:
      'test/a.ts src/__tests__/a.ts a_test.go test_a.py conftest.py a.spec.ts FooTest.java playground/x/index.html x/__tests_dts__/a.ts internal/a_test.go .github/workflows/ci.yml LICENSE .eslintrc.cjs eslint.config.js biome.json .gitignore',
    changelog:
      'CHANGELOG.md docs/changelog.mdx docs/changes.rst History NEWS.txt packages/a/releases.adoc .changeset/big-cat.md changelog.d/1.rst changelogs/a.yml newsfragments/2.fix .changes/v1/a.yaml test/CHANGELOG.md',
    bare: 'pnpm-lock.yaml sub/go.sum dist/a.js vendor/x/y.go a.pb.go a_pb2.py a.min.js a.js.map x/__snapshots__/a.ts a.snap logo.png icon.svg zz_generated.deepcopy.go test/go.sum',
  }),
)('%s: %s', (kind, paths) => {
  for (const path of paths.split(' ')) expect([path, kindOf(path)]).toEqual([path, kind]);
});

test('takes time linear in the path', { timeout: 10_000 }, () => {
  for (const unit of ['-', '/', 'a/', '.approved.', 'test', 'internal/', '__tests_', '.']) {
    expect(kindOf(unit.repeat(200_000 / unit.length))).toBeDefined();
  }
});

import { expect, test } from 'vitest';
import { filesWithPatches, kindOf } from '../../../../src/changes/patches/kinds.ts';

test.each(
  Object.entries({
    source:
      'src/a.ts src/history.ts internals/a.go lib/x.go pkg/_app.py src/changes/changes.ts lib/eslint/eslint.js spec/a.rb a.vue a.lock',
    text: 'README.md docs/a.mdx package.json action.yml openapi.yaml Makefile spec/openapi.json go.mod .mocharc.js a.jsonc a.json5 a.htm',
    test: 'test/a.ts src/__tests__/a.ts a_test.go test_a.py conftest.py a.spec.ts FooTest.java playground/x/index.html x/__tests_dts__/a.ts internal/a_test.go',
    internal: 'internal/a.go pkg/_internal/b.py x/internal/README.md',
    changelog:
      'CHANGELOG.md docs/changes.rst History NEWS.txt packages/a/releases.adoc .changeset/big-cat.md changelog.d/1.rst changelogs/a.yml newsfragments/2.fix .changes/v1/a.yaml test/CHANGELOG.md',
    project:
      '.github/workflows/ci.yml LICENSE .eslintrc.cjs eslint.config.js biome.json .gitignore .github/internal/a.js',
    bare: 'pnpm-lock.yaml sub/go.sum dist/a.js vendor/x/y.go a.pb.go a_pb2.py a.min.js a.js.map x/__snapshots__/a.ts a.snap logo.png icon.svg zz_generated.deepcopy.go test/go.sum',
  }),
)('%s: %s', (kind, paths) => {
  for (const path of paths.split(' ')) expect([path, kindOf(path, [])]).toEqual([path, kind]);
});

test('what is named is never one of those that are only named, and else of its own kind', () => {
  expect(kindOf('pnpm-lock.yaml', ['pnpm-lock.yaml'])).toBe('text');
  expect(kindOf('dist/a.js', ['dist/a.js'])).toBe('source');
  expect(kindOf('internal/a.go', ['internal/a.go'])).toBe('internal');
});

test('the patches of selected files are told, and those of every changelog that is still there', () => {
  const file = (filename: string, status = 'modified') => {
    return { filename, status, lines: { additions: 1, deletions: 1 } };
  };
  const [a, log, gone, b] = [
    file('a.ts'),
    file('CHANGELOG.md'),
    file('.changeset/x.md', 'removed'),
    file('b.ts'),
  ];
  const selection = { files: [a, log, gone, b], selected: [b], isFiltered: true, named: [] };
  expect(filesWithPatches(selection)).toEqual([
    { file: log, kind: 'changelog' },
    { file: b, kind: 'source' },
  ]);
});

// Each would take minutes if its time grew with the square of its length.
test('no path takes long', { timeout: 10_000 }, () => {
  for (const unit of ['-', '/', 'a/', '.approved.', 'test', 'internal/', '__tests_', '.']) {
    kindOf(unit.repeat(1_000_000 / unit.length), []);
  }
});

import { expect, test } from 'vitest';
import { kindOf } from '../../../src/changes/kinds.ts';

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
  for (const path of paths.split(' ')) expect([path, kindOf(path)]).toEqual([path, kind]);
});

test('takes time linear in the path', { timeout: 10_000 }, () => {
  for (const unit of ['-', '/', 'a/', '.approved.', 'test', 'internal/', '__tests_', '.']) {
    expect(kindOf(unit.repeat(200_000 / unit.length))).toBeDefined();
  }
});

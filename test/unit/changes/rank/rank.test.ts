import { expect, test } from 'vitest';
import {
  declares,
  groupFolderOf,
  isDocs,
  kindOf,
  kindsOf,
} from '../../../../src/changes/rank/rank.ts';
import { commitLines } from '../../../../src/changes/write/commits.ts';

test.each(
  Object.entries({
    source:
      'src/a.ts src/history.ts internals/a.go lib/x.go pkg/_app.py src/changes/changes.ts lib/eslint/eslint.js spec/a.rb',
    text: 'README.md docs/a.mdx package.json action.yml openapi.yaml Makefile spec/openapi.json go.mod',
    test: 'test/a.ts src/__tests__/a.ts a_test.go test_a.py conftest.py a.spec.ts FooTest.java playground/x/index.html x/__tests_dts__/a.ts internal/a_test.go test/CHANGELOG.md',
    insider: 'internal/a.go pkg/_internal/b.py x/internal/README.md',
    changelog:
      'CHANGELOG.md docs/changes.rst History NEWS.txt packages/a/releases.adoc .changeset/big-cat.md changelog.d/1.rst changelogs/a.yml newsfragments/2.fix .changes/v1/a.yaml',
    last: '.github/workflows/ci.yml LICENSE .eslintrc.cjs eslint.config.js biome.json .gitignore',
    bare: 'pnpm-lock.yaml sub/go.sum dist/a.js vendor/x/y.go a.pb.go a_pb2.py a.min.js a.js.map x/__snapshots__/a.ts a.snap logo.png icon.svg zz_generated.deepcopy.go',
  }),
)('%s: %s', (kind, paths) => {
  for (const path of paths.split(' ')) expect([path, kindOf(path)]).toEqual([path, kind]);
});

test('what is named is never one of those that are only named', () => {
  expect(kindOf('pnpm-lock.yaml', ['pnpm-lock.yaml'])).toBe('text');
  expect(kindOf('dist/a.js', ['dist/a.js'])).toBe('source');
});

test.each([
  { path: 'pkg/test/unit/a.ts', folder: 'pkg/test/' },
  { path: 'a/b_test.go', folder: 'a/' },
  { path: 'vendor/x/test/a.go', folder: 'vendor/' },
  { path: 'go.sum', folder: '' },
])('$path is counted with $folder', ({ path, folder }) => {
  expect(groupFolderOf(path)).toBe(folder);
});

// As in the languages' own grammars. A line of each that declares, and one that does not.
test.each([
  { path: 'a.ts', yes: 'export async function f() {', no: 'function f() {' },
  { path: 'a.mjs', yes: 'module.exports = class Pool {', no: 'const exported = 1' },
  { path: 'a.d.ts', yes: '  interface A {', no: '  a(): void' },
  { path: 'a.go', yes: 'func (c *Client) Do() error {', no: 'func (c *Client) do() error {' },
  { path: 'b.go', yes: '\tTimeout time.Duration', no: '\ttimeout time.Duration' },
  { path: 'a.py', yes: '    def run(self):', no: '    def _run(self):' },
  { path: 'a.rb', yes: '  def run', no: '  defined?(x)' },
  { path: 'a.ex', yes: '  def run(x) do', no: '  defp run(x) do' },
  { path: 'a.rs', yes: 'pub fn run() {', no: 'pub(crate) fn run() {' },
  { path: 'a.java', yes: '  public void run() {', no: '  private void run() {' },
  { path: 'a.php', yes: '    public function run()', no: '    private function run()' },
  { path: 'a.swift', yes: '  public func run()', no: '  func run()' },
  { path: 'a.kt', yes: 'fun run() {', no: 'internal fun run() {' },
  { path: 'a.proto', yes: 'message Job {', no: '  string id = 1;' },
  { path: 'a.graphql', yes: 'type Job {', no: '  id: ID!' },
  { path: 'a.zig', yes: 'pub fn run() void {', no: 'const x = 1;' },
])('$path declares something in `$yes` and not in `$no`', ({ path, yes, no }) => {
  const what = (line: string) => declares(path)(`+${line}`)?.what;
  expect([what(yes), what(no)]).toEqual(['whole', undefined]);
});

test.each([
  '  timeout?: number',
  ' * @deprecated use b',
  ' * @default 5',
  'const x = process.env.FOO',
  'x := os.Getenv("FOO")',
  "  .option('--force', 'x')",
  'X = boolFromEnv("GRPC_X_Y", false)',
])('`%s` is a part of something that is declared', (line) => {
  expect(declares('a.unknown')(`+${line}`)).toEqual({ what: 'member', names: 1 });
});

test.each([
  { lines: ["+export { a, b as c } from '../x'"], names: [2] },
  { lines: ["+export type { A, type B } from '../x'"], names: [2] },
  { lines: ["-export * from '../x'", "+export type * as y from '../y'"], names: [1, 1] },
  {
    lines: [' export {', '   a,', '+  b,', "+  type C as 'd', // why", " } from '../x'", '+  e,'],
    names: [0, 1, 1, 1, 0, 0],
  },
  { lines: ['@@ -7,2 +7,3 @@ export type {', '   A,', '+  B, C,', ' }'], names: [0, 1, 2, 0] },
  { lines: ['@@ -7,2 +7,3 @@ const a = [', '+  B,'], names: [0, 0] },
  { lines: [' export {', '@@ -9 +9 @@', '+  b,'], names: [0, 0, 0] },
  { lines: ['+export {}', '+import {', '+  a,'], names: [0, 0, 0] },
])('each name in the braces of an export counts: $lines', ({ lines, names }) => {
  const declaredBy = declares('src/index.ts');
  expect(lines.map((line) => declaredBy(line)?.names ?? 0)).toEqual(names);
  const inGo = declares('a.go');
  expect(lines.filter((line) => inGo(line) !== undefined)).toEqual([]);
});

test('what nine tenths of the changed source lies among insiders is an application', async () => {
  const file = (filename: string, additions: number) => {
    return { filename, status: 'modified', additions, deletions: 0 };
  };
  const others = ['README.md', 'internal/a.json', 'internal/a_test.go'].map((path) =>
    file(path, 99),
  );
  const kindWith = async (path: string, ...files: readonly ReturnType<typeof file>[]) =>
    (await kindsOf({ selected: [...others, ...files], named: [] }, async () => undefined))(path);
  const inside = file('internal/a.go', 90);
  expect(await kindWith('internal/a.go', inside, file('main.go', 10))).toBe('source');
  expect(await kindWith('internal/a.json', inside, file('main.go', 10))).toBe('text');
  expect(await kindWith('internal/a_test.go', inside)).toBe('test');
  expect(await kindWith('internal/a.go', inside, file('main.go', 11))).toBe('insider');
  expect(await kindWith('internal/a.json')).toBe('insider');
});

test('documentation is told by its name, wherever it lies', () => {
  expect(['docs/a.rst', 'README.md', 'a.mdx'].every(isDocs)).toBe(true);
  expect(['a.ts', 'test/a.md', 'CHANGES.rst', 'a.json', 'internal/a.md'].some(isDocs)).toBe(false);
});

// Each would take minutes if its time grew with the square of its length.
test('no line and no message takes long', { timeout: 10_000 }, async () => {
  const pieces = ['-', ' ', 'a ', 'RELEASE NOTES:', '.approved.', '/', '\n- ', '\n\n'];
  const lengths = [...pieces, 'RELEASE NOTES:\n\n'].map((text) =>
    text.repeat(50_000 / text.length),
  );
  for (const text of lengths) {
    for (const path of ['a.kt', 'a.ts', 'a.go', 'a.unknown']) declares(path)(text);
    kindOf(text);
    const message = `S\n\nRELEASE NOTES: ${text}x\n\nBREAKING CHANGE ${text}x`;
    const commits = Array.from({ length: 5 }, () => ({ sha: 'c', commit: { message } }));
    await commitLines(commits, new Map(), 50_000, {
      clean: (whole) => whole,
      pause: async () => undefined,
    });
  }
});

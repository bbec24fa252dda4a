/**
 * Lint enforces the rooms of CONTRIBUTING.md. Forbidden imports are written into each room, and
 * must be refused.
 */
import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';

const ROOT = resolve(import.meta.dirname, '../..');

/** Every way to write an import. */
const importsOf = (specifier: string) => [
  `import { a } from '${specifier}'; a();`,
  `import type { b } from '${specifier}'; export type B = b;`,
  `export { c } from '${specifier}';`,
  `export * from '${specifier}';`,
  `export const e = await import('${specifier}');`,
];

const sources = readdirSync(join(ROOT, 'src'), { recursive: true, encoding: 'utf8' })
  .map((name) => name.replaceAll('\\', '/'))
  .filter((name) => name.endsWith('.ts'));

/** What of `src` a new file in each room, and each file beside them, may import. */
const MAY_IMPORT: Readonly<Record<string, RegExp>> = {
  'agent/new.ts': /^(?:agent|lib)\/|^effects\/effects\./,
  'changes/new.ts': /^(?:changes|lib)\/|^effects\/effects\.|^github\/github\./,
  'records/new.ts': /^(?:records|lib)\/|^(effects|github)\/\1\./,
  'github/new.ts': /^(?:github|lib|effects)\//,
  'report/new.ts': /^(?:report|inputs|lib)\/|^agent\/job\.|^effects\/effects\./,
  'effects/new.ts': /^(?:effects|lib)\//,
  'inputs/new.ts': /^(?:inputs|lib)\/|^effects\/effects\./,
  'lib/new.ts': /^lib\//,
  'run.ts':
    /^(?:inputs|agent|records|report|lib)\/|^prompt\.|^changes\/event\.|^(effects|github)\/\1\./,
  'prompt.ts': /^(?:inputs|changes|lib)\/|^effects\/effects\.|^github\/github\./,
};

/** None may import these packages, and none but `github` and `effects` these parts of Node. */
const TOOLKIT = ['@actions/core', '../../node_modules/@actions/core/lib/core.js'];
const PACKAGES = [...TOOLKIT, '@actions/github', '@octokit/request', 'undici', 'fs'];
const NODE = ['node:fs', 'node:fs/promises', 'node:http', 'node:process', 'node:util'];

function forbiddenTo(importer: string): readonly string[] {
  const files = sources.filter((file) => file !== importer && !MAY_IMPORT[importer]?.test(file));
  const [room] = importer.split('/new.ts');
  if (room === importer) return [...PACKAGES, ...NODE, ...files.map((file) => `./${file}`)];
  const others = ['./..', `../${room}/..`, '../../src'].map((folder) => `${folder}/index.ts`);
  const nodes = room === 'github' || room === 'effects' ? [] : NODE;
  return [...PACKAGES, ...nodes, ...others, ...files.map((file) => `../${file}`)];
}

/** The clock, random numbers and the environment are given to all rooms but one. */
const IMPURE = ['process.exit();', 'setTimeout(run, 1);', 'Date.now();', 'console.log(1);'];

const inSource = readdirSync(join(ROOT, 'src'), { withFileTypes: true });
const rooms = inSource.filter((entry) => entry.isDirectory()).map(({ name }) => name);

const planted: Readonly<Record<string, readonly string[]>> = {
  ...Object.fromEntries(
    Object.keys(MAY_IMPORT).map((path) => [`src/${path}`, forbiddenTo(path).flatMap(importsOf)]),
  ),
  ...Object.fromEntries(
    rooms.filter((room) => room !== 'effects').map((room) => [`src/${room}/impure.ts`, IMPURE]),
  ),
};

interface Diagnostic {
  readonly category: string;
  readonly location: { readonly path: string; readonly start: { readonly line: number } };
}

const folder = mkdtempSync(join(tmpdir(), 'docs-agent-job-rooms-'));
let diagnostics: readonly Diagnostic[] = [];

beforeAll(() => {
  copyFileSync(join(ROOT, 'biome.json'), join(folder, 'biome.json'));
  for (const [path, lines] of Object.entries(planted)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), `${lines.join('\n')}\n`);
  }
  const biome = join(ROOT, 'node_modules/@biomejs/biome/bin/biome');
  const options = ['--vcs-enabled=false', '--reporter=json', '--max-diagnostics=none'];
  const { stdout } = spawnSync(process.execPath, [biome, 'lint', ...options], {
    ...{ cwd: folder, encoding: 'utf8', maxBuffer: 2 ** 26 },
  });
  diagnostics = JSON.parse(stdout).diagnostics;
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

test.each(Object.entries(planted))('lint refuses each line of %s', (path, lines) => {
  const impure = /noRestrictedGlobals|noJsRestrictedProperties/;
  const rule = lines === IMPURE ? impure : /noRestrictedImports/;
  const refused = diagnostics
    .filter(({ category, location }) => {
      return rule.test(category) && location.path.replaceAll('\\', '/').endsWith(path);
    })
    .map(({ location }) => location.start.line);
  expect(lines.filter((_line, index) => !refused.includes(index + 1))).toEqual([]);
});

test('every room, and every file beside them but index.ts, is among those', () => {
  const paths = inSource.map(({ name }) => (rooms.includes(name) ? `${name}/new.ts` : name));
  const untried = paths.filter((path) => !(path in MAY_IMPORT));
  expect(untried).toEqual(['index.ts']);
});

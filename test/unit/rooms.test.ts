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

const TOOLKIT = ['@actions/core', '../../node_modules/@actions/core/lib/core.js'];

/** For a new file in each room, and for each file beside them, what it may not import. */
const FORBIDDEN: Readonly<Record<string, readonly string[]>> = {
  'src/agent/new.ts': [
    ...TOOLKIT,
    'undici',
    'fs',
    'node:fs',
    'node:fs/promises',
    '../effects/http.ts',
    './../effects/http.ts',
    '../effects/../effects/http.ts',
    '../../src/effects/http.ts',
    '../changes/changes.ts',
    '../github/github.ts',
    '../records/record.ts',
    '../report/report.ts',
    '../run.ts',
    '../inputs/inputs.ts',
  ],
  'src/changes/new.ts': [
    'node:http',
    '../agent/job.ts',
    '../report/ending.ts',
    '../github/rest.ts',
    '../effects/http.ts',
  ],
  'src/records/new.ts': [
    '../agent/job.ts',
    '../github/rest.ts',
    '../inputs/inputs.ts',
    '../run.ts',
  ],
  'src/github/new.ts': [
    '@actions/github',
    '@octokit/request',
    '../agent/job.ts',
    '../records/record.ts',
    '../run.ts',
  ],
  'src/report/new.ts': [
    '../agent/api.ts',
    '../changes/changes.ts',
    '../effects/runner.ts',
    '../run.ts',
  ],
  'src/effects/new.ts': [
    ...TOOLKIT,
    '../agent/job.ts',
    '../github/github.ts',
    '../run.ts',
    '../inputs/inputs.ts',
  ],
  'src/inputs/new.ts': ['node:fs', '../agent/job.ts', '../run.ts', '../changes/changes.ts'],
  'src/lib/new.ts': [
    'node:util',
    '../inputs/inputs.ts',
    '../agent/job.ts',
    '../effects/effects.ts',
  ],
  'src/run.ts': ['node:process', './effects/http.ts', './github/rest.ts', './index.ts'],
  'src/prompt.ts': ['./agent/job.ts', './report/report.ts', './effects/files.ts'],
};

/** The clock, random numbers and the environment are given to all rooms but one. */
const IMPURE = [
  'process.exit();',
  'setTimeout(run, 1);',
  'export const t = Date.now();',
  'console.log(1);',
];

const inSource = readdirSync(join(ROOT, 'src'), { withFileTypes: true });
const rooms = inSource.filter((entry) => entry.isDirectory()).map(({ name }) => name);

const planted: Readonly<Record<string, readonly string[]>> = {
  ...Object.fromEntries(
    Object.entries(FORBIDDEN).map(([path, specifiers]) => [path, specifiers.flatMap(importsOf)]),
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
    cwd: folder,
    encoding: 'utf8',
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
  const untried = paths.filter((path) => !(`src/${path}` in FORBIDDEN));
  expect(untried).toEqual(['index.ts']);
});

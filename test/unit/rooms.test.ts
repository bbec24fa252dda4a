/**
 * Lint enforces the rooms of CONTRIBUTING.md. Forbidden imports are written into each room, and
 * must be refused.
 */
import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

const ROOT = resolve(import.meta.dirname, '../..');

/** Every way to write an import, one on each line. */
const WAYS: readonly ((specifier: string) => string)[] = [
  (specifier) => `import { a } from '${specifier}'; a();`,
  (specifier) => `import type { b } from '${specifier}'; export type B = b;`,
  (specifier) => `export { c } from '${specifier}';`,
  (specifier) => `export * from '${specifier}';`,
  (specifier) => `export const e = await import('${specifier}');`,
];

/** For each room, specifiers that it may not import. */
const FORBIDDEN: readonly (readonly [path: string, specifiers: readonly string[]])[] = [
  [
    'src/agent/new.ts',
    [
      'node:fs',
      'fs',
      'node:fs/promises',
      '@actions/core',
      '../../node_modules/@actions/core/lib/core.js',
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
      'undici',
    ],
  ],
  [
    'src/changes/new.ts',
    [
      '../agent/job.ts',
      '../report/ending.ts',
      '../github/rest.ts',
      '../effects/http.ts',
      'node:http',
    ],
  ],
  [
    'src/records/new.ts',
    ['../agent/job.ts', '../github/rest.ts', '../inputs/inputs.ts', '../run.ts'],
  ],
  [
    'src/github/new.ts',
    ['../agent/job.ts', '../records/record.ts', '@actions/github', '@octokit/request', '../run.ts'],
  ],
  [
    'src/report/new.ts',
    ['../agent/api.ts', '../changes/changes.ts', '../effects/runner.ts', '../run.ts'],
  ],
  [
    'src/effects/new.ts',
    [
      '../agent/job.ts',
      '../github/github.ts',
      '../run.ts',
      '../inputs/inputs.ts',
      '@actions/core',
      '../../node_modules/@actions/core/lib/core.js',
    ],
  ],
  ['src/inputs/new.ts', ['../agent/job.ts', '../run.ts', '../changes/changes.ts', 'node:fs']],
  [
    'src/lib/new.ts',
    ['../inputs/inputs.ts', '../agent/job.ts', '../effects/effects.ts', 'node:util'],
  ],
  ['src/run.ts', ['./effects/http.ts', './github/rest.ts', './index.ts', 'node:process']],
  ['src/prompt.ts', ['./agent/job.ts', './report/report.ts', './effects/files.ts']],
];

const ROOMS = readdirSync(join(ROOT, 'src'), { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => name);

const IMPURE = [
  'process.exit();',
  'setTimeout(run, 1);',
  'export const t = Date.now();',
  'console.log(1);',
];

interface Diagnostic {
  readonly category: string;
  readonly location: { readonly path: string; readonly start: { readonly line: number } };
}

const folder = mkdtempSync(join(tmpdir(), 'docs-agent-job-rooms-'));
let diagnostics: readonly Diagnostic[] = [];

function plant(path: string, lines: readonly string[]): void {
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  writeFileSync(join(folder, path), `${lines.join('\n')}\n`);
}

beforeAll(() => {
  copyFileSync(join(ROOT, 'biome.json'), join(folder, 'biome.json'));
  for (const [path, specifiers] of FORBIDDEN) {
    plant(
      path,
      specifiers.flatMap((specifier) => WAYS.map((way) => way(specifier))),
    );
  }
  for (const room of ROOMS) plant(`src/${room}/impure.ts`, IMPURE);
  const { stdout } = spawnSync(
    process.execPath,
    [
      join(ROOT, 'node_modules/@biomejs/biome/bin/biome'),
      'lint',
      '--vcs-enabled=false',
      '--reporter=json',
      '--max-diagnostics=none',
    ],
    { cwd: folder, encoding: 'utf8' },
  );
  diagnostics = JSON.parse(stdout).diagnostics;
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** The lines of a file that lint refuses by a rule. */
const refused = (path: string, rule: RegExp) => [
  ...new Set(
    diagnostics
      .filter(
        ({ category, location }) =>
          rule.test(category) && location.path.replaceAll('\\', '/').endsWith(path),
      )
      .map(({ location }) => location.start.line)
      .sort((a, b) => a - b),
  ),
];

const cases = FORBIDDEN.flatMap(([path, specifiers]) =>
  specifiers.map((specifier, index) => ({ path, specifier, first: index * WAYS.length + 1 })),
);

test.each(cases)('$path may not import $specifier, however it is written', ({ path, first }) => {
  const lines = WAYS.map((_way, index) => first + index);
  expect(refused(path, /noRestrictedImports/)).toEqual(expect.arrayContaining(lines));
});

describe('a room', () => {
  test('is among those that are tested here', () => {
    const known = new Set(FORBIDDEN.map(([path]) => path.split('/')[1]));
    expect(ROOMS.filter((room) => !known.has(room))).toEqual([]);
  });

  test('may be a file next to run.ts, and each of these is tested here', () => {
    const known = new Set(FORBIDDEN.map(([path]) => path));
    const files = readdirSync(join(ROOT, 'src')).filter((name) => name.endsWith('.ts'));
    const untried = files.filter((name) => !known.has(`src/${name}`));
    expect(untried).toEqual(['index.ts']);
  });

  test.each(ROOMS.filter((room) => room !== 'effects'))(
    '%s gets the clock, random numbers and the environment as arguments',
    (room) => {
      const lines = refused(
        `src/${room}/impure.ts`,
        /noRestrictedGlobals|noJsRestrictedProperties/,
      );
      expect(lines).toEqual(IMPURE.map((_code, index) => index + 1));
    },
  );
});

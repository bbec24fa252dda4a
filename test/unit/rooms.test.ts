/** `npm run check` keeps `src/` to the table of rooms, whatever way an import is written. */
import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative, resolve } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { mayImport, problemsIn, ROOMS } from '../../.github/scripts/rooms.ts';

const ROOT = resolve(import.meta.dirname, '../..');

const sources = readdirSync(join(ROOT, 'src'), { recursive: true, encoding: 'utf8' })
  .map((name) => name.replaceAll('\\', '/'))
  .filter((name) => name.endsWith('.ts'));

/** Every way to write an import of types alone. */
const TYPE_IMPORTS: readonly ((specifier: string) => string)[] = [
  (specifier) => `import type { a } from '${specifier}';`,
  (specifier) => `import type * as a from "${specifier}";`,
  (specifier) => `export type { a } from '${specifier}';`,
  (specifier) => `export type * from '${specifier}';`,
  (specifier) => `let a: import('${specifier}').a;`,
];
/** Every way to write one that stays when types are taken out. */
const IMPORTS: readonly ((specifier: string) => string)[] = [
  (specifier) => `import '${specifier}';`,
  (specifier) => `import a from '${specifier}';`,
  (specifier) => `import { a } from '${specifier}';`,
  (specifier) => `import { type a } from '${specifier}';`,
  (specifier) => `import * as a from '${specifier}';`,
  (specifier) => `import a = require('${specifier}');`,
  (specifier) => `export { a } from '${specifier}';`,
  (specifier) => `export * from '${specifier}';`,
  (specifier) => `export * as a from '${specifier}';`,
  (specifier) => `await import('${specifier}');`,
  (specifier) => `void (() => import(/* why */ \`${specifier}\`, {}));`,
  (specifier) => `let a: typeof import('${specifier}');`,
];
/** What cannot be looked up is refused, wherever it leads. */
const COMPUTED: readonly ((specifier: string) => string)[] = [
  (specifier) => `await import('${specifier}' + '');`,
  (specifier) => `await import(\`\${''}${specifier}\`);`,
  (specifier) => `declare module '${specifier}' {}`,
];

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'docs-agent-job-rooms-'));
  for (const name of ['biome.json', 'tsconfig.json', 'package.json']) {
    copyFileSync(join(ROOT, name), join(folder, name));
  }
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function write(files: Readonly<Record<string, readonly string[]>>): void {
  for (const [path, lines] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), `${lines.join('\n')}\n`);
  }
}

/** The lines of a file about which there is a problem. */
const refusedIn = (problems: readonly string[], path: string) =>
  new Set(
    problems
      .map((problem) => problem.split(':'))
      .flatMap(([at, line]) => (at === path ? [Number(line)] : [])),
  );

/** A file of the room, where a file may be imported from. */
const fileIn = (room: string) => (room.endsWith('/') ? `${room}new.ts` : room);

interface Line {
  readonly text: string;
  readonly isAllowed: boolean;
}

/**
 * Imports of each source from a file of the room. The spellings and the detours take turns, so that
 * each room has each spelling several times.
 */
function linesAbout(room: string): readonly Line[] {
  const from = dirname(fileIn(room));
  const up = '../'.repeat(from === '.' ? 1 : from.split('/').length + 1);
  return sources.flatMap((target, index) => {
    const path = relative(from, target).replaceAll('\\', '/');
    const direct = path.startsWith('.') ? path : `./${path}`;
    const escaped = direct.replace('/', '\\u002f');
    const ways = [direct, `./${direct}`, `${up}src/${target}`, `./x/../${direct}`, escaped];
    const spelled = (spell: (specifier: string) => string, isType: boolean): Line => {
      const isAllowed = target === fileIn(room) || mayImport(room, target, isType);
      return { text: spell(ways[Math.floor(index / 5) % ways.length] ?? direct), isAllowed };
    };
    const unclear = [...IMPORTS, ...TYPE_IMPORTS][index % (IMPORTS.length + TYPE_IMPORTS.length)];
    const never = [
      unclear?.(direct.replace(/\.ts$/, '')) ?? '',
      ...COMPUTED.map((spell) => spell(direct)),
    ];
    const inTurn = <T>(spells: readonly T[]) => spells.filter((_, n) => n % 5 === index % 5);
    return [
      ...inTurn(IMPORTS).map((spell) => spelled(spell, false)),
      ...inTurn(TYPE_IMPORTS).map((spell) => spelled(spell, true)),
      ...inTurn(never).map((text) => ({ text, isAllowed: false })),
    ];
  });
}

test('every room may import what the table says, in any spelling, and nothing else', () => {
  const planted = new Map(Object.keys(ROOMS).map((room) => [fileIn(room), linesAbout(room)]));
  write(Object.fromEntries(sources.map((path) => [`src/${path}`, ['export {};']])));
  for (const [path, lines] of planted) write({ [`src/${path}`]: lines.map(({ text }) => text) });
  const problems = problemsIn(folder).filter(
    (problem) => !/ as well\.|Only one room/.test(problem),
  );
  for (const [path, lines] of planted) {
    const refused = refusedIn(problems, `src/${path}`);
    const wrong = lines.filter(({ isAllowed }, index) => refused.has(index + 1) === isAllowed);
    expect(wrong.map(({ text }) => `${path}: ${text}`)).toEqual([]);
  }
});

test('no room may import a package or a part of Node that the table does not name', () => {
  const toolkit = ['@actions/core', '../../node_modules/@actions/core/lib/core.js'];
  const packages = [...toolkit, '@actions/github', '@octokit/request', 'undici', 'docs-agent-job'];
  const node = ['fs', 'node:child_process', 'node:module', 'node:process', 'node:util'];
  const places = [
    resolve(ROOT, 'src/run.ts'),
    '/src/run.ts',
    'file:///src/run.ts',
    '#src/run.ts',
    '.',
    '..',
  ];
  const specifiers = [...packages, ...node, ...places.map((place) => place.replaceAll('\\', '/'))];
  const lines = specifiers.flatMap((one) =>
    [...IMPORTS, ...TYPE_IMPORTS].map((spell) => spell(one)),
  );
  const paths = Object.keys(ROOMS).map((room) => `src/${fileIn(room)}`);
  write(Object.fromEntries(paths.map((path) => [path, lines])));
  const problems = problemsIn(folder);
  for (const path of paths) {
    const refused = refusedIn(problems, path);
    expect(lines.filter((_line, index) => !refused.has(index + 1))).toEqual([]);
  }
});

test('a file is in a room, is read by TypeScript, and refers to others by imports alone', () => {
  write({
    'src/new.ts': ['export {};'],
    'src/lib/new.ts': ['export {};'],
    'src/agent/new.js': ['export {};'],
    'src/agent/new.ts': ['/// <reference path="../inputs/new.ts" />', 'export {};'],
    'src/history/new.ts': ['/// <reference types="node" />', 'export {};'],
    'src/inputs/new.ts': ['export {};'],
  });
  expect(problemsIn(folder)).toEqual([
    'src/agent/new.js:1: TypeScript does not read this file.',
    'src/agent/new.ts:1: Import instead of `/// <reference>`.',
    'src/history/new.ts:1: Import instead of `/// <reference>`.',
    'src/lib/new.ts:1: It is in no room of .github/scripts/rooms.ts.',
    'src/new.ts:1: It is in no room of .github/scripts/rooms.ts.',
  ]);
});

test('what model/ and text/ hold is used by two rooms', () => {
  write({
    'src/model/one.ts': ['export {};'],
    'src/text/two.ts': ['export {};'],
    'src/changes/find/a.ts': ["import '../../model/one.ts';", "import '../../text/two.ts';"],
    'src/changes/write/b.ts': ["import '../../model/one.ts';"],
    'src/agent/c.ts': ["export type * from '../text/two.ts';"],
  });
  expect(problemsIn(folder)).toEqual(['src/model/one.ts:1: Only one room uses it: move it there.']);
});

test('no two functions or types have one name', () => {
  write({
    'src/agent/a.ts': [
      'function one() {}',
      'type Two = 2;',
      'const three = () => 3;',
      'const FOUR = 4;',
      'export { one };',
    ],
    'src/history/b.ts': ['export const one = async () => {', '  function three() {}', '};'],
    'src/inputs/c.ts': [
      'export class Two {}',
      'export default interface three {}',
      'const FOUR = 4;',
    ],
  });
  expect(problemsIn(folder)).toEqual([
    'src/history/b.ts:1: `one` stands in src/agent/a.ts as well. Name each by what it is.',
    'src/inputs/c.ts:1: `Two` stands in src/agent/a.ts as well. Name each by what it is.',
    'src/inputs/c.ts:1: `three` stands in src/agent/a.ts as well. Name each by what it is.',
  ]);
});

/** What is real is given to all files but three. */
const REAL = [
  ...['process.exit();', 'setTimeout(run, 1);', 'console.log(1);', "fetch('');", 'globalThis.a();'],
  ...['Date.now();', 'Math.random();', 'AbortSignal.timeout(1);', "require('node:fs');"],
];

interface Diagnostic {
  readonly category: string;
  readonly location: { readonly path: string; readonly start: { readonly line: number } };
}

test('Biome refuses the real clock, environment and network outside the rooms that give them', () => {
  const isReal = (path: string) => /^src\/(?:index\.ts$|effects\/|github\/context\.ts$)/.test(path);
  const paths = [...Object.keys(ROOMS).map(fileIn), 'github/context.ts'].map(
    (path) => `src/${path}`,
  );
  write(Object.fromEntries(paths.map((path) => [path, REAL])));
  const biome = join(ROOT, 'node_modules/@biomejs/biome/bin/biome');
  const options = ['--vcs-enabled=false', '--reporter=json', '--max-diagnostics=none'];
  const { stdout } = spawnSync(process.execPath, [biome, 'lint', ...options], {
    ...{ cwd: folder, encoding: 'utf8', maxBuffer: 2 ** 26 },
  });
  const { diagnostics }: { diagnostics: readonly Diagnostic[] } = JSON.parse(stdout);
  for (const path of paths) {
    const refused = diagnostics
      .filter(({ category }) => /noRestrictedGlobals|noJsRestrictedProperties/.test(category))
      .filter(({ location }) => location.path.replaceAll('\\', '/').endsWith(path))
      .map(({ location }) => location.start.line);
    const expected = isReal(path) ? [] : REAL.map((_line, index) => index + 1);
    expect([path, [...new Set(refused)].sort()]).toEqual([path, expected]);
  }
});

test('the check fails where biome.json is not made from the table, and `--write` makes it', () => {
  write({ 'biome.json': ['{ "overrides": [] }'] });
  mkdirSync(join(folder, 'src'));
  writeFileSync(join(folder, 'src/index.ts'), 'export {};\n');
  const run = (...args: string[]) =>
    spawnSync(process.execPath, [join(ROOT, '.github/scripts/rooms.ts'), ...args], { cwd: folder });
  expect(run().status).toBe(1);
  expect(run('--write').status).toBe(0);
  expect(run().status).toBe(0);
});

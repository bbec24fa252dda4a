/** The build, on a small source. The tests follow each other in one folder, as builds do. */
import { spawn, spawnSync } from 'node:child_process';
import { cpSync, existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { link, noFolderLinks, noSignals, skipWhen } from '../support/system.ts';
import { endOf, ROOT, temporaryFolder, writeAll } from './workflow.ts';

skipWhen(noFolderLinks);

/** A folder may be named C#. */
const temporary = temporaryFolder('C# ');
const folder = temporary.path;
const [BUILD, ...FILES] = [
  '.github/scripts/build.mjs',
  '.github/scripts/licenses.ts',
  'package.json',
  'package-lock.json',
  'tsconfig.json',
];
const OLD = { 'index.js': 'old', '5.index.js': 'old chunk' };
const manifest = { name: 'free', version: '1.0.0', license: 'MIT', type: 'module' };

beforeAll(() => {
  for (const file of [BUILD, ...FILES]) cpSync(join(ROOT, file), join(folder, file));
  writeAll(join(folder, 'dist'), OLD);
  writeAll(join(folder, 'node_modules/free'), {
    'package.json': JSON.stringify(manifest),
    'index.js': 'export const free = "bundled";\n',
    'index.d.ts': 'export declare const free: string;\n',
    'LICENSE.md': 'Do as you like.\r\n',
  });
  for (const entry of readdirSync(join(ROOT, 'node_modules'), { withFileTypes: true })) {
    const path = `node_modules/${entry.name}`;
    if (entry.isDirectory() && noFolderLinks === undefined) {
      link(join(ROOT, path), join(folder, path), 'folder');
    }
  }
  return () => temporary[Symbol.dispose]();
});

const writeSource = (text: string) => writeAll(folder, { 'src/index.ts': text });

/** The contents of what is in dist/, by the names. */
const dist = () =>
  Object.fromEntries(
    readdirSync(join(folder, 'dist')).map((name) => [
      name,
      readFileSync(join(folder, 'dist', name), 'utf8'),
    ]),
  );

const build = () => spawnSync(process.execPath, [BUILD], { cwd: folder }).status;

/** Starts a build. Resolves when tsc has written its first file. */
async function startBuild() {
  rmSync(join(folder, 'build'), { recursive: true, force: true });
  const child = spawn(process.execPath, [BUILD], { cwd: folder, stdio: 'ignore' });
  const ended = endOf(child);
  const hasRead = () => existsSync(join(folder, 'build/index.js'));
  await expect.poll(hasRead, { interval: 5, timeout: 20_000 }).toBe(true);
  return { child, ended };
}

test('a build that is killed leaves dist as it was, and the next one builds', async ({ skip }) => {
  // Windows cannot remove the files that tsc, which runs on, has open.
  skip(noSignals !== undefined, noSignals);
  writeSource('console.log("new");\n');
  const { child, ended } = await startBuild();
  child.kill('SIGKILL');
  await ended;
  expect(dist()).toEqual(OLD);
});

test('dist is built again when a source changed, also while it was built, or dist did, and else never, and is left as it was when that fails', async () => {
  const source = 'import { free } from "free";\nconsole.log("one", free);\n';
  writeSource(source);
  const { ended } = await startBuild();
  writeSource('console.log("two");\n');
  expect(await ended).toMatchObject({ exitCode: 0 });
  const built = dist();
  expect(built).toEqual({
    'index.js': expect.stringContaining('console.log("one", free)'),
    'licenses.txt': 'free 1.0.0 (MIT)\n\nDo as you like.\n',
    'package.json': expect.stringContaining('"module"'),
  });

  // From now on a build that begins fails, which takes less time than to build.
  rmSync(join(folder, 'node_modules/typescript'), { recursive: true });
  writeAll(folder, { 'node_modules/typescript/bin/tsc': 'process.exit(5);' });
  expect(build()).toBe(5);
  expect(dist()).toEqual(built);
  writeSource(source);
  expect(build()).toBe(0);
  rmSync(join(folder, 'dist/licenses.txt'));
  writeAll(join(folder, 'dist'), { 'index.js': 'broken', '5.index.js': 'old chunk' });
  expect(build()).toBe(5);
});

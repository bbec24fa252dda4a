/** Builds dist/ from src/ with tsc and ncc, unless nothing has changed since the last build. */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';

/** Has a hash of what the last build read, and one of what it made. */
const MARK = '.work/built';
const SOURCES = ['package-lock.json', 'tsconfig.json', 'src', '.github/scripts/build.mjs'];

/** A hash of files and folders. */
function hashOf(...paths) {
  const hash = createHash('sha256');
  for (const path of paths.filter((name) => existsSync(name))) {
    const isFolder = statSync(path).isDirectory();
    for (const name of isFolder ? readdirSync(path, { recursive: true }).sort() : ['']) {
      const file = join(path, name);
      if (statSync(file).isFile()) hash.update(`${file}\0`).update(readFileSync(file));
    }
  }
  return hash.digest('hex');
}

function run(script, ...words) {
  const { status } = spawnSync(process.execPath, [script, ...words], { stdio: 'inherit' });
  if (status !== 0) process.exit(status ?? 1);
}

// Taken before anything is read: what changes from now on has to be built again.
const sources = hashOf(...SOURCES);
const mark = () => `${sources} ${hashOf('dist')}`;
// A checkout can change dist/ alone.
if (!existsSync(MARK) || readFileSync(MARK, 'utf8') !== mark()) {
  rmSync('build', { recursive: true, force: true });
  // ncc crashes on TypeScript 7's own files.
  run('node_modules/typescript/bin/tsc');
  rmSync('dist', { recursive: true, force: true });
  const options = ['--out', 'dist', '--license', 'licenses.txt', '--no-cache', '--quiet'];
  run('node_modules/@vercel/ncc/dist/ncc/cli.js', 'build', 'build/index.js', ...options);
  mkdirSync('.work', { recursive: true });
  writeFileSync(MARK, mark());
}

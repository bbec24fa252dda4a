/**
 * Builds dist/ from src/, if one of them has changed since the last build: tsc, then ncc. All is
 * built in another folder, which becomes dist/ at the end.
 */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { bundledPackages, licensesOf } from './licenses.ts';

const [NEW, OLD, STATS] = ['.work/dist', '.work/dist.old', '.work/stats.json'];
/** Says what the last build has read and made. */
const MARK = '.work/built';

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

function tool(script, ...args) {
  const words = [`node_modules/${script}`, ...args];
  const { status } = spawnSync(process.execPath, words, { stdio: 'inherit' });
  if (status !== 0) process.exit(status ?? 1);
}

function build() {
  for (const folder of ['build', NEW, OLD]) rmSync(folder, { recursive: true, force: true });
  tool('typescript/bin/tsc');
  const outputs = ['--out', NEW, '--stats-out', STATS];
  tool('@vercel/ncc/dist/ncc/cli.js', 'build', 'build/index.js', ...outputs, '--no-cache', '-q');
  const stats = JSON.parse(readFileSync(STATS, 'utf8'));
  writeFileSync(`${NEW}/licenses.txt`, licensesOf(bundledPackages(stats)));
  if (existsSync('dist')) renameSync('dist', OLD);
  renameSync(NEW, 'dist');
  rmSync(OLD, { recursive: true, force: true });
}

mkdirSync('.work', { recursive: true });
// Taken before anything is read: what changes from now on has to be built again.
const sources = hashOf('package-lock.json', 'tsconfig.json', 'src', '.github/scripts');
const mark = () => `${sources} ${hashOf('dist')}`;
// A checkout can change the content of dist/ alone.
if (!existsSync(MARK) || readFileSync(MARK, 'utf8') !== mark()) {
  build();
  writeFileSync(MARK, mark());
}

/**
 * Builds dist/ from src/, if one of them has changed since the last build: tsc, then ncc (one ES
 * module and the chunks it loads on demand), then terser over each file, because ncc's own minifier
 * leaves the chunks as they are. All is built in another folder, which becomes dist/ at the end.
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
import { parse } from 'acorn';
import { minify } from 'terser';
import { bundledPackages, licensesOf } from './licenses.ts';

const MINIFY = { module: true, ecma: 2020, compress: { passes: 2 }, format: { comments: false } };
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

/** Puts modules between parentheses: V8 then compiles each only once (.github/CONTRIBUTING.md). */
function inOnePass(code) {
  const marks = [];
  const visit = (node) => {
    const { key, value } = node;
    const isModule = typeof key?.value === 'number' && value?.type === 'ArrowFunctionExpression';
    if (isModule) marks.push([value.start, '('], [value.end, ')']);
    for (const child of Object.values(node)) if (child instanceof Object) visit(child);
  };
  visit(parse(code, { ecmaVersion: 'latest', sourceType: 'module' }));
  const insert = (text, [at, mark]) => text.slice(0, at) + mark + text.slice(at);
  return marks.sort(([a], [b]) => b - a).reduce(insert, code);
}

async function build() {
  for (const folder of ['build', NEW, OLD]) rmSync(folder, { recursive: true, force: true });
  tool('typescript/bin/tsc');
  const outputs = ['--out', NEW, '--stats-out', STATS];
  tool('@vercel/ncc/dist/ncc/cli.js', 'build', 'build/index.js', ...outputs, '--no-cache', '-q');
  for (const name of readdirSync(NEW).filter((file) => file.endsWith('.js'))) {
    const { code } = await minify(readFileSync(`${NEW}/${name}`, 'utf8'), MINIFY);
    writeFileSync(`${NEW}/${name}`, `${inOnePass(code)}\n`);
  }
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
  await build();
  writeFileSync(MARK, mark());
}

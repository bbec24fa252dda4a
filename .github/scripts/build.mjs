/**
 * Builds dist/ from src/: tsc, then ncc (one ES module and the chunks it loads on demand), then
 * terser over each file, because ncc's own minifier leaves the chunks as they are. Everything is
 * built in another folder and moved at the end, so that dist/ is never missing.
 */
import { spawn } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { minify } from 'terser';
import { bundledPackages, licensesOf } from './licenses.ts';
import { exitCodeUnderLock, hashOfSources, MARK, markOf } from './setup.mjs';

const NEW = '.work/dist';
const STATS = '.work/stats.json';

// A signal must not stop this between two files, nor while a tool runs. tsc ends with 0 after one.
let isInterrupted = false;
for (const signal of ['SIGINT', 'SIGTERM']) {
  process.on(signal, () => {
    isInterrupted = true;
  });
}

function stopIfInterrupted() {
  if (isInterrupted) process.exit(1);
}

async function tool(script, ...args) {
  const child = spawn(process.execPath, [`node_modules/${script}`, ...args], { stdio: 'inherit' });
  const exitCode = await exitCodeUnderLock(child);
  if (exitCode !== 0) process.exit(exitCode);
  stopIfInterrupted();
}

/**
 * Moves the files that differ, the entry file last, and then removes the files that are no longer
 * built.
 */
function replaceChangedFiles(from, to) {
  mkdirSync(to, { recursive: true });
  const isEntry = (name) => name === 'index.js';
  const names = readdirSync(from).sort((a, b) => Number(isEntry(a)) - Number(isEntry(b)));
  for (const name of names) {
    const [made, old] = [`${from}/${name}`, `${to}/${name}`];
    const isSame = existsSync(old) && readFileSync(made).equals(readFileSync(old));
    if (!isSame) renameSync(made, old);
  }
  for (const name of readdirSync(to)) {
    if (!names.includes(name)) rmSync(`${to}/${name}`, { recursive: true });
  }
}

// Taken before anything is read or moved: what others change from now on has to be built again.
const sources = hashOfSources();
for (const folder of ['build', NEW]) rmSync(folder, { recursive: true, force: true });
await tool('typescript/bin/tsc');
const outputs = ['--out', NEW, '--stats-out', STATS];
await tool(
  '@vercel/ncc/dist/ncc/cli.js',
  'build',
  'build/index.js',
  ...outputs,
  '--no-cache',
  '-q',
);

for (const name of readdirSync(NEW).filter((file) => file.endsWith('.js'))) {
  const path = `${NEW}/${name}`;
  const { code } = await minify(readFileSync(path, 'utf8'), {
    module: true,
    ecma: 2020,
    compress: { passes: 2 },
    format: { comments: false },
  });
  writeFileSync(path, `${code}\n`);
}
const stats = JSON.parse(readFileSync(STATS, 'utf8'));
writeFileSync(`${NEW}/licenses.txt`, licensesOf(bundledPackages(stats)));

stopIfInterrupted();
const mark = markOf(sources, NEW);
replaceChangedFiles(NEW, 'dist');
writeFileSync(MARK, mark);

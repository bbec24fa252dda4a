/**
 * `node .github/scripts/run.cjs [--build] [SCRIPT ARGUMENT...]`: installs the packages, if
 * package-lock.json has changed since the last time, builds `dist/` if asked to, and runs the script
 * with the Node in the lock file. npm's `pre` scripts cannot do this: `ignore-scripts=true` skips
 * them. Every Node since 10 understands this file, and can say that it is too old.
 */
'use strict';

function fail(sentence) {
  console.error(sentence);
  process.exit(1);
}

// With an older one, npm leaves out Vitest's bundler without a word: see `engines` of that package.
const [major, minor] = process.versions.node.split('.').map(Number);
if (major < 20 || major === 21 || (major === 20 && minor < 19) || (major === 22 && minor < 12)) {
  fail(`This needs Node.js ^20.19 or >=22.12 to start from, and this is ${process.version}.`);
}

const { execSync, spawnSync } = require('node:child_process');
const { copyFileSync, existsSync, readFileSync } = require('node:fs');

/** The lock file of what is installed. `npm ci` begins by emptying the folder. */
const INSTALLED = 'node_modules/.installed.json';
const CI =
  'npm ci --ignore-scripts --include=dev --include=optional --no-audit --no-fund --loglevel=error';

process.chdir(`${__dirname}/../..`);
if (!existsSync(INSTALLED) || !readFileSync('package-lock.json').equals(readFileSync(INSTALLED))) {
  console.log('Installing what package-lock.json names ...');
  try {
    execSync(CI, { stdio: 'inherit' });
  } catch {
    // Windows cannot replace the Node of the lock file while it runs this. The command has another.
    fail('npm failed, as it says above: run `node .github/scripts/run.cjs` to try again.');
  }
  copyFileSync('package-lock.json', INSTALLED);
}

const name = `node-${process.platform.replace('win32', 'win')}-${process.arch}`;
const node = [`${process.cwd()}/node_modules/${name}/bin/node`, process.execPath].find((path) =>
  /^v24\./.test(spawnSync(path, ['--version'], { encoding: 'utf8' }).stdout),
);
if (!node) {
  fail('No Node.js in package-lock.json runs on this machine: install Node.js 24 and use it.');
}

function run(...words) {
  const { status } = spawnSync(node, words, { stdio: 'inherit' });
  if (status !== 0) process.exit(status || 1);
}

// The script handles Ctrl+C, and this waits for it.
process.on('SIGINT', () => {});
const words = process.argv.slice(2);
if (words[0] === '--build') {
  words.shift();
  run('.github/scripts/build.mjs');
}
if (words.length > 0) run(...words);

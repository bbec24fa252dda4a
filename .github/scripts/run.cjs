/**
 * `node .github/scripts/run.cjs [--build] [SCRIPT ARGUMENT...]`: installs the packages if
 * package-lock.json has changed since the last time, builds `dist/` if asked to, and runs the script.
 * A script in TypeScript is compiled first, because Node 20 cannot run it. npm's `pre` scripts cannot
 * do this: `ignore-scripts=true` skips them. Every Node since 10 understands this file, so that an
 * old one can say what it lacks.
 */
'use strict';

function fail(sentence) {
  console.error(sentence);
  process.exit(1);
}

// With an older one, npm leaves out Vitest's bundler without a word: see `engines` of that package.
const [major, minor] = process.versions.node.split('.').map(Number);
if (major < 20 || major === 21 || (major === 20 && minor < 19) || (major === 22 && minor < 12)) {
  fail(`This needs Node.js ^20.19 or >=22.12, and this is ${process.version}.`);
}

const { execSync, spawnSync } = require('node:child_process');
const { copyFileSync, existsSync, readFileSync, rmSync } = require('node:fs');

/** The lock file of what is installed. `npm ci` begins by emptying the folder. */
const INSTALLED = 'node_modules/.installed.json';
// The user's settings may leave out packages for development, or those of one platform.
const CI =
  'npm ci --ignore-scripts --include=dev --include=optional --no-audit --no-fund --loglevel=error';
const COMPILED = '.work/compiled';

process.chdir(`${__dirname}/../..`);
if (!existsSync(INSTALLED) || !readFileSync('package-lock.json').equals(readFileSync(INSTALLED))) {
  console.log('Installing the packages in package-lock.json ...');
  try {
    execSync(CI, { stdio: 'inherit' });
  } catch {
    fail('npm failed, as it says above: run `node .github/scripts/run.cjs` to try again.');
  }
  copyFileSync('package-lock.json', INSTALLED);
}

function run(...words) {
  const { status } = spawnSync(process.execPath, words, { stdio: 'inherit' });
  if (status !== 0) process.exit(status || 1);
}

// The script handles Ctrl+C, and this waits for it.
process.on('SIGINT', () => {});
const words = process.argv.slice(2);
if (words[0] === '--build') {
  words.shift();
  run('.github/scripts/build.mjs');
}
if (words.length > 0 && words[0].endsWith('.ts')) {
  rmSync(COMPILED, { recursive: true, force: true });
  run('node_modules/typescript/bin/tsc', '--project', 'test', '--noCheck');
  words[0] = `${COMPILED}/${words[0].replace(/ts$/, 'js')}`;
}
if (words.length > 0) run(...words);

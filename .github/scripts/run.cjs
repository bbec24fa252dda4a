/**
 * `node .github/scripts/run.cjs [--build] [SCRIPT ARGUMENT...]`: installs what package-lock.json
 * names if it is not installed, builds `dist/` if asked to, and runs the script with the Node that
 * the lock file names. npm's `pre` scripts cannot do this: `ignore-scripts=true` skips them.
 *
 * This file stays plain CommonJS, so that every Node can at least say that it is too old.
 */
'use strict';

function fail(sentence) {
  console.error(sentence);
  process.exit(1);
}

/** The `engines` of package.json: on any other Node npm leaves out Vitest's bundler. */
function canInstall(version) {
  const [major, minor] = version.split('.').map(Number);
  if (major === 20) return minor >= 19;
  if (major === 22) return minor >= 12;
  return major > 22;
}

if (!canInstall(process.versions.node)) {
  const { engines } = require('../../package.json');
  fail(`This needs Node.js ${engines.node} to start from; this is ${process.versions.node}.`);
}
const root = require('node:path').resolve(__dirname, '../..');
if (!require('node:fs').existsSync(`${root}/package-lock.json`)) {
  fail('This copy holds only what running the action needs. To build or test it, use `git clone`.');
}
import('./setup.mjs')
  .then(({ run }) => run(root, process.argv.slice(2)))
  .then((exitCode) => {
    process.exitCode = exitCode;
  });

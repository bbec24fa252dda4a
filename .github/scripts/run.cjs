/**
 * `node .github/scripts/run.cjs [--build] [SCRIPT ARGUMENT...]`: installs the packages in
 * package-lock.json if they are missing, builds `dist/` if asked to, and runs the script with the
 * Node in the lock file. npm's `pre` scripts cannot do this: `ignore-scripts=true` skips them.
 *
 * This file stays plain CommonJS, so that every Node can at least say that it is too old.
 */
'use strict';

function fail(sentence) {
  console.error(sentence);
  process.exit(1);
}

/** The `engines` of package.json: with any other Node npm does not install Vitest's bundler. */
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
  fail(
    'This copy contains only what is needed to run the action. To build or test it, use `git clone`.',
  );
}
// Each package manager names itself first, like `yarn/1.22.22 npm/? node/v24.21.0 linux x64`.
const other = /^(?:yarn|pnpm|bun)\b/.exec(process.env.npm_config_user_agent || '');
if (other) fail(`Use npm instead of ${other[0]}: only npm installs what package-lock.json pins.`);
import('./setup.mjs')
  .then(({ run }) => run(root, process.argv.slice(2)))
  .then((exitCode) => {
    process.exitCode = exitCode;
  });

/**
 * `npm run mutate [-- --mutate src/lib/escape.ts]`: changes the sources in small ways and reports the
 * changes that no unit test notices. StrykerJS is installed beside its lock file, in
 * .github/scripts/mutation, because nothing else needs its packages. What it mutates, and with which
 * tests, is said in test/mutation. It takes a while, so it is not part of `.ci/run`.
 */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';

const FOLDER = '.github/scripts/mutation';

function run(command, args, options = {}) {
  const { status } = spawnSync(command, args, { stdio: 'inherit', ...options });
  if (status !== 0) process.exit(status ?? 1);
}

// npm writes its own list last, so an interrupted install has none.
if (!existsSync(`${FOLDER}/node_modules/.package-lock.json`)) {
  const options = ['--ignore-scripts', '--legacy-peer-deps', '--no-audit', '--no-fund'];
  run('npm', ['ci', '--prefix', FOLDER, ...options, '--loglevel=error'], {
    shell: process.platform === 'win32',
  });
}
run(process.execPath, [
  `${FOLDER}/node_modules/@stryker-mutator/core/bin/stryker.js`,
  'run',
  'test/mutation/stryker.config.json',
  ...process.argv.slice(2),
]);

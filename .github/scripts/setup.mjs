// Installs what the lock file says when it is not installed yet, so that `npm start` and `npm test`
// are one command each on a fresh clone. Needs nothing but the machine's own Node and npm.
import { spawnSync } from 'node:child_process';
import { copyFileSync, existsSync, readFileSync } from 'node:fs';

const lock = 'package-lock.json';
const installed = 'node_modules/.installed-package-lock.json';
const isCurrent = existsSync(installed) && readFileSync(lock).equals(readFileSync(installed));

if (!isCurrent) {
  console.log('Installing what package-lock.json says (once) ...');
  const { status } = spawnSync('npm ci --no-audit --no-fund --loglevel=error', {
    shell: true,
    stdio: 'inherit',
  });
  if (status !== 0) process.exit(status ?? 1);
  copyFileSync(lock, installed);
}

/**
 * `npm run runtimes`: runs the built action on each Node version in test/runtimes/package.json. On
 * the oldest that a runner may have, all tests that depend on the version (HTTP, proxies, TLS,
 * signals, timers) run, and the tests themselves run on it too. On the others, which act and other
 * engines may have, only a few run.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';

const FOLDER = 'test/runtimes';
/** Of runner 2.329.0. */
const OLDEST_OF_RUNNERS = '24.10.0';
const FILES = [
  'test/unit/effects',
  'test/run/at-most-once.test.ts',
  'test/run/reading.test.ts',
  ...['cancel', 'deadline', 'process', 'proxy', 'proxy-not-supported', 'resolver'].map(ofProcess),
];
const FEW_FILES = ['bundle', 'process', 'proxy-not-supported'].map(ofProcess);
/** The oldest runner and `npm test` try proxies with Node 24, and older ones have none. */
const LAST_TRIED_WITH_PROXIES = 24;

function ofProcess(name) {
  return `test/process/${name}.test.ts`;
}

/** What npm lists in a file. It writes the list of what is installed last. */
const packagesIn = (file) =>
  existsSync(file) ? Object.entries(JSON.parse(readFileSync(file, 'utf8')).packages) : [];

const runtimes = packagesIn(`${FOLDER}/package-lock.json`)
  .filter(([, { os, cpu }]) => os === process.platform && cpu === process.arch)
  .map(([path, { version, bin }]) => ({ version, path: resolve(FOLDER, path, bin.node) }));
if (runtimes.length === 0) {
  console.log(`SKIPPED: ${FOLDER} has no Node for ${process.platform} on ${process.arch}`);
  process.exit();
}
const installed = packagesIn(`${FOLDER}/node_modules/.package-lock.json`).map(
  ([, { version }]) => version,
);
if (!runtimes.every(({ version }) => installed.includes(version))) {
  const options = ['--ignore-scripts', '--include=optional', '--no-audit', '--no-fund'];
  const { status } = spawnSync('npm', ['ci', '--prefix', FOLDER, ...options, '--loglevel=error'], {
    stdio: ['ignore', 'ignore', 'inherit'],
    shell: process.platform === 'win32',
  });
  if (status !== 0) process.exit(1);
}
const vitest = ['node_modules/vitest/vitest.mjs', 'run', '--config', 'test/vitest.config.ts'];
// One after the other, because both at once make the machine so busy that tests time out.
for (const { version, path } of runtimes) {
  const found = spawnSync(path, ['--version'], { encoding: 'utf8' }).stdout?.trim();
  if (found !== `v${version}`) throw new Error(`${path} is ${found}, not v${version}`);
  const isOldest = version === OLDEST_OF_RUNNERS;
  const node = isOldest ? path : process.execPath;
  const isNewer = Number.parseInt(version, 10) > LAST_TRIED_WITH_PROXIES;
  const proxies = isNewer ? [ofProcess('proxy')] : [];
  const files = isOldest ? FILES : [...FEW_FILES, ...proxies];
  // DOCS_AGENT_NODE is the Node of the built action.
  const { status, output } = spawnSync(node, [...vitest, '--reporter=dot', ...files], {
    encoding: 'utf8',
    env: { ...process.env, DOCS_AGENT_NODE: path },
    maxBuffer: Number.POSITIVE_INFINITY,
  });
  if (status !== 0) {
    console.error(`Node ${version}:\n${output.join('')}`);
    process.exit(1);
  }
}
const versions = runtimes.map(({ version }) => version).join(', ');
console.log(`The built action works on Node ${versions}`);

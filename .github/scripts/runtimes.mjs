/**
 * `npm run runtimes`: runs the built action on each Node version in test/runtimes/package.json.
 * On the oldest that a runner may have, all end-to-end tests that depend on the version (HTTP,
 * proxies, TLS, signals, timers) run. On the others, which act and other engines may have, only a
 * few show that it works there. DOCS_AGENT_NODE makes the built action run on that version. The tests
 * themselves run on the usual one.
 */
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';

const FOLDER = 'test/runtimes';
const OLDEST_OF_RUNNERS = '24.10.0';
const FILES = /^(?:at-most-once|cancel|deadline|proxy|resolver|tls)[^/]*\.test\.ts$/;
const FEW_FILES = /^(?:bundle|prompt-file|proxy)\.test\.ts$/;

/** The Node versions for this platform, with their paths. */
function runtimesHere() {
  const packages = readJson(`${FOLDER}/package-lock.json`).packages;
  return Object.entries(packages)
    .filter(([, { os, cpu }]) => os === process.platform && cpu === process.arch)
    .map(([path, { version, bin }]) => ({ version, path: resolve(FOLDER, path, bin.node) }));
}

/** npm writes its own list last, so an interrupted install has none. */
function installOnce(runtimes) {
  const done = `${FOLDER}/node_modules/.package-lock.json`;
  const installed = existsSync(done) ? Object.values(readJson(done).packages) : [];
  if (runtimes.every(({ version }) => installed.some((entry) => entry.version === version))) return;
  const options = ['--ignore-scripts', '--include=optional', '--loglevel=error', '--no-audit'];
  const { status } = spawnSync('npm', ['ci', '--prefix', FOLDER, ...options, '--no-fund'], {
    stdio: ['ignore', 'ignore', 'inherit'],
    shell: process.platform === 'win32',
  });
  if (status !== 0) throw new Error('npm could not install the Node versions of test/runtimes.');
}

/** Resolves with whether the tests pass. Shows their output when they do not. */
async function passesOn({ version, path }, files) {
  const found = spawnSync(path, ['--version'], { encoding: 'utf8' }).stdout?.trim();
  if (found !== `v${version}`) throw new Error(`${path} is ${found}, not v${version}`);
  const vitest = [
    'node_modules/vitest/vitest.mjs',
    'run',
    '--config',
    'test/vitest.config.ts',
    '--reporter=dot',
  ];
  const child = spawn(process.execPath, [...vitest, ...files], {
    env: { ...process.env, DOCS_AGENT_NODE: path },
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (data) => (output += data));
  const exitCode = await new Promise((settle) => child.once('close', settle));
  if (exitCode !== 0) console.error(`Node ${version}:\n${output}`);
  return exitCode === 0;
}

function readJson(file) {
  return JSON.parse(readFileSync(file, 'utf8'));
}

function filesFor({ version }) {
  const wanted = version === OLDEST_OF_RUNNERS ? FILES : FEW_FILES;
  return readdirSync('test/e2e')
    .filter((name) => wanted.test(name))
    .map((name) => `test/e2e/${name}`);
}

const runtimes = runtimesHere();
if (runtimes.length === 0) {
  console.log(`SKIPPED: ${FOLDER} has no Node for ${process.platform} on ${process.arch}`);
} else {
  installOnce(runtimes);
  // One after the other, because both at once make the machine so busy that tests time out.
  const results = [];
  for (const runtime of runtimes) results.push(await passesOn(runtime, filesFor(runtime)));
  const versions = runtimes.map(({ version }) => version).join(', ');
  if (results.every(Boolean)) console.log(`The built action works on Node ${versions}`);
  else process.exitCode = 1;
}

/** The script that every npm script starts with, in a small project with a fake npm. */
import { spawn } from 'node:child_process';
import { chmodSync, cpSync, existsSync, readFileSync, rmSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { endOf, ROOT, temporaryFolder, writeAll } from './workflow.ts';

/** Empties the folder like `npm ci`, and then ends as it is told to. */
const NPM = `
const fs = require('node:fs');
fs.appendFileSync('calls', process.argv.slice(2).join(' ') + '\\n');
fs.rmSync('node_modules', { recursive: true, force: true });
fs.mkdirSync('node_modules');
process.exitCode = Number(process.env.NPM_EXIT_CODE);
`;

let folder: string;
beforeEach(() => {
  const temporary = temporaryFolder('a folder with spaces ');
  folder = temporary.path;
  cpSync(join(ROOT, '.github/scripts/run.cjs'), join(folder, '.github/scripts/run.cjs'));
  writeAll(folder, {
    'package-lock.json': '{}',
    'bin/npm': `#!/bin/sh\nexec '${process.execPath}' "$(dirname "$0")/npm.cjs" "$@"\n`,
    'bin/npm.cmd': `@"${process.execPath}" "%~dp0npm.cjs" %*\r\n`,
    'bin/npm.cjs': NPM,
    '.github/scripts/build.mjs': 'console.log("built");',
    'script.mjs': 'console.log("ran with", process.argv.slice(2).join()); process.exit(7);',
  });
  chmodSync(join(folder, 'bin/npm'), 0o755);
  return () => temporary[Symbol.dispose]();
});

interface Start {
  readonly env?: Readonly<Record<string, string>>;
  /** Code that runs before the script, to pretend to be on another machine. */
  readonly pretend?: string;
}

/** Runs the script in the project. It runs on the Node of the tests, because it installs none. */
function run(words: readonly string[], { env, pretend = '' }: Start = {}) {
  writeAll(folder, { 'pretend.cjs': pretend });
  const preload = ['--require', join(folder, 'pretend.cjs')];
  const script = join(folder, '.github/scripts/run.cjs');
  const PATH = [join(folder, 'bin'), process.env['PATH']].join(delimiter);
  const child = spawn(process.execPath, [...preload, script, ...words], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, PATH, NPM_EXIT_CODE: '0', ...env },
  });
  return endOf(child);
}

/** The arguments of each start of npm. */
function installs(): readonly string[] {
  const file = join(folder, 'calls');
  return existsSync(file) ? readFileSync(file, 'utf8').split('\n').slice(0, -1) : [];
}

const INSTALLING = 'Installing what package-lock.json names ...\n';

test('installs what development needs, runs the script, ends like it, and then runs it without npm', async () => {
  const ran = { exitCode: 7, output: 'ran with a word,--flag\n' };
  const words = ['script.mjs', 'a word', '--flag'];
  expect(await run(words)).toEqual({ ...ran, output: INSTALLING + ran.output });
  const ci = /^ci (?=.*--ignore-scripts)(?=.*--include=dev)(?=.*--include=optional)/;
  expect(installs()).toEqual([expect.stringMatching(ci)]);
  expect(await run(words)).toEqual(ran);
  expect(installs()).toHaveLength(1);
});

test('installs again when package-lock.json has changed, or node_modules is new', async () => {
  const count = async () => {
    expect(await run([])).toMatchObject({ exitCode: 0 });
    return installs().length;
  };
  expect(await count()).toBe(1);
  writeAll(folder, { 'package-lock.json': '{ "name": "changed" }' });
  expect(await count()).toBe(2);
  rmSync(join(folder, 'node_modules'), { recursive: true });
  writeAll(folder, { 'node_modules/tool/index.js': '' });
  expect(await count()).toBe(3);
});

test('runs nothing when npm fails, and installs again the next time', async () => {
  const output = `${INSTALLING}npm failed, as it says above: run \`node .github/scripts/run.cjs\` to try again.\n`;
  const failed = await run(['script.mjs'], { env: { NPM_EXIT_CODE: '1' } });
  expect(failed).toEqual({ exitCode: 1, output });
  expect(await run(['script.mjs'])).toEqual({ exitCode: 7, output: `${INSTALLING}ran with \n` });
});

test('builds first if asked to, and ends when the build fails', async () => {
  await run([]);
  const words = ['--build', 'script.mjs'];
  expect(await run(words)).toEqual({ exitCode: 7, output: 'built\nran with \n' });
  writeAll(folder, { '.github/scripts/build.mjs': 'process.exit(3)' });
  expect(await run(words)).toEqual({ exitCode: 3, output: '' });
});

// The expected values come from npm's own semver and `engines` in package.json.
test.each([
  ['20.18.3', false],
  ['20.19.0', true],
  ['21.7.3', false],
  ['22.11.0', false],
  ['22.12.0', true],
  ['26.1.0', true],
])('with Node %s it starts: %s', async (version, starts) => {
  const pretend = `Object.defineProperty(process.versions, 'node', { value: '${version}' });`;
  const { output } = await run([], { pretend });
  const isRefused = output.startsWith('This needs Node.js ^20.19 or >=22.12 to start from, and');
  expect([isRefused, installs().length]).toEqual(starts ? [false, 1] : [true, 0]);
});

test('asks for Node 24 where the lock file has none that runs, and this one is another', async () => {
  const output =
    'No Node.js in package-lock.json runs on this machine: install Node.js 24 and use it.\n';
  await run([]);
  const pretend = `process.execPath = 'another';`;
  expect(await run(['script.mjs'], { pretend })).toEqual({ exitCode: 1, output });
});

test('package.json names the same versions, and the lock file has one Node for three platforms', () => {
  const read = (name: string) => JSON.parse(readFileSync(join(ROOT, name), 'utf8'));
  expect(read('package.json').engines).toEqual({ node: '^20.19.0 || >=22.12.0' });
  const { packages } = read('package-lock.json');
  const platforms = ['linux-arm64', 'linux-x64', 'win-x64'];
  const versions = platforms.map((name) => packages[`node_modules/node-${name}`]?.version);
  expect(new Set(versions).size).toBe(1);
  expect(versions[0]).toMatch(/^24\./);
});

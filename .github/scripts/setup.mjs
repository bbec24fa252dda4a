/** What run.cjs does once the machine's Node is known to be new enough. */
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { constants } from 'node:os';
import { resolve } from 'node:path';

/** The action's runtime. */
const NODE_MAJOR = '24';

/**
 * Says what is installed: the packages of which lock file. Nothing is left out without a word, so it
 * does not matter with which Node npm ran. It is in node_modules because `npm ci` begins by emptying
 * that folder.
 */
const MARK = 'node_modules/.installed';

class SetupError extends Error {}

/**
 * Installs, builds and runs. Resolves with the exit code. Prints one sentence when something is
 * wrong.
 */
export async function run(root, words) {
  process.chdir(root);
  const builds = words[0] === '--build';
  const command = builds ? words.slice(1) : words;
  try {
    const node = runtime();
    const lock = readFileSync('package-lock.json');
    const mark = `${createHash('sha256').update(lock).digest('hex')}\n`;
    if (!existsSync(MARK) || readFileSync(MARK, 'utf8') !== mark) {
      await install(JSON.parse(lock));
      writeFileSync(MARK, mark);
    }
    if (builds && !needsNoBuild(command)) {
      const exitCode = await exitCodeOf(node, ['.github/scripts/build.mjs']);
      if (exitCode !== 0) throw new SetupError('dist/ was not built, and is left as it was.');
    }
    return command.length === 0 ? 0 : await exitCodeOf(node, command);
  } catch (error) {
    if (!(error instanceof SetupError)) throw error;
    console.error(error.message);
    return 1;
  }
}

/**
 * The Node of the lock file. If it has none for this platform, the machine's own Node of the same
 * major version. Known before anything is installed.
 */
function runtime() {
  const isWindows = process.platform === 'win32';
  const name = `node-${isWindows ? 'win' : process.platform}-${process.arch}`;
  const { optionalDependencies } = JSON.parse(readFileSync('package.json', 'utf8'));
  if (name in optionalDependencies) {
    return resolve('node_modules', name, 'bin', isWindows ? 'node.exe' : 'node');
  }
  if (process.versions.node.startsWith(`${NODE_MAJOR}.`)) return process.execPath;
  throw new SetupError(
    `package-lock.json has no Node.js for ${process.platform} on ${process.arch}: install Node.js ${NODE_MAJOR} and use it.`,
  );
}

async function install(lock) {
  if (process.platform === 'win32' && process.execPath.startsWith(resolve('node_modules'))) {
    throw new SetupError(
      'The packages have changed, and Windows cannot replace the Node.js that runs this: run `node .github/scripts/run.cjs` first.',
    );
  }
  if (process.platform === 'linux' && !process.report.getReport().header.glibcVersionRuntime) {
    throw new SetupError(
      'This needs a Linux with glibc, like Debian, because the Node.js in package-lock.json is built for it: Alpine and others with musl cannot run it.',
    );
  }
  console.log('Installing what package-lock.json names ...');
  const packages = ['--ignore-scripts', '--include=dev', '--include=optional'];
  const args = ['ci', ...packages, '--no-audit', '--no-fund', '--loglevel=error'];
  // The npm that runs this, with its own Node: the Node in node_modules is about to be replaced.
  const { npm_execpath: npm, npm_node_execpath: node } = process.env;
  const exitCode =
    npm && node
      ? await exitCodeOf(node, [npm, ...args])
      : await exitCodeOf('npm', args, process.platform === 'win32');
  if (exitCode !== 0) {
    throw new SetupError(
      'Not everything is installed. Look at what npm says above, then run this command again.',
    );
  }
  const missing = binariesForHere(lock).filter((path) => !existsSync(path));
  if (missing.length > 0) {
    throw new SetupError(
      `npm left out ${missing.join(', ')}: it could not be downloaded, its hash in package-lock.json does not match, or an npm setting excludes it.`,
    );
  }
}

/** The folders of packages that are made for this platform. npm leaves them out without a word. */
function binariesForHere({ packages }) {
  const isFor = (names, name) => [names].flat().includes(name);
  return Object.entries(packages)
    .filter(([, { os }]) => isFor(os, process.platform))
    .filter(([, { cpu = process.arch }]) => isFor(cpu, process.arch))
    .filter(([, { libc = 'glibc' }]) => isFor(libc, 'glibc'))
    .map(([path]) => path);
}

/** These tests run the sources. Only the others start what is in dist/. */
function needsNoBuild(command) {
  const files = command.filter((word) => word.startsWith('test/') && !word.endsWith('.config.ts'));
  return files.length > 0 && files.every((file) => /^test\/(?:unit|run)(?:\/|$)/.test(file));
}

/** Waits for a command. A signal to the whole process group is handled by the command. */
async function exitCodeOf(file, args, shell = false) {
  const child = spawn(file, args, { stdio: 'inherit', shell });
  const ignore = () => {};
  const pass = (signal) => child.kill(signal);
  process.on('SIGINT', ignore).on('SIGTERM', pass);
  try {
    return await new Promise((settle, reject) => {
      child.once('error', reject);
      child.once('close', (code, signal) => settle(code ?? 128 + constants.signals[signal]));
    });
  } finally {
    process.off('SIGINT', ignore).off('SIGTERM', pass);
  }
}

/** What run.cjs does once the machine's Node is known to be new enough. */
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmdirSync,
  rmSync,
  statSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { constants as osConstants } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

/** The action's runtime. */
const NODE_MAJOR = '24';

const FOREGROUND = { stdio: 'inherit' };

class SetupError extends Error {}

/**
 * Installs, builds and runs. Resolves with the exit code. Prints one sentence when something is
 * wrong.
 */
export async function run(root, [first, ...rest]) {
  process.chdir(root);
  const builds = first === '--build';
  const command = builds ? rest : [first, ...rest].filter((word) => word !== undefined);
  try {
    await withLock(async () => {
      if (missingPackages().length > 0) await install();
      if (builds && !needsNoBuild(command)) await buildIfChanged();
    });
    return command.length === 0 ? 0 : await exitCodeOf(spawn(runtime(), command, FOREGROUND));
  } catch (error) {
    if (!(error instanceof SetupError)) throw error;
    console.error(error.message);
    return 1;
  }
}

/**
 * Two commands must not install or build into the same folders at once. The lock is a folder with
 * a file for each process that holds it, named by the process's number. The commands that work
 * under the lock are in it too, because they run on after this process was killed.
 */
const LOCK = '.work/lock';

async function withLock(work) {
  let hasWaited = false;
  while (!taken()) {
    const pid = holder();
    if (pid === undefined) continue;
    if (!hasWaited) {
      console.log(
        `Waiting for process ${pid}, which installs or builds here. If it is another program, delete ${LOCK}.`,
      );
    }
    hasWaited = true;
    await sleep(200);
  }
  const release = () => {
    rmSync(join(LOCK, String(process.pid)), { force: true });
    // Fails when a command that was started here runs on. The lock is its own then.
    attempt(() => rmdirSync(LOCK));
  };
  process.once('exit', release);
  try {
    await work();
  } finally {
    process.off('exit', release);
    release();
  }
}

/** Renames a folder with this process in it, which fails if there is a lock with a process in it. */
function taken() {
  const claim = `${LOCK}.${process.pid}`;
  try {
    mkdirSync(claim, { recursive: true });
    writeFileSync(join(claim, String(process.pid)), '');
    renameSync(claim, LOCK);
    return true;
  } catch (error) {
    if (error.syscall === 'rename') return false;
    throw new SetupError(`This folder must be writable, to install and build in: ${error.message}`);
  } finally {
    attempt(() => rmSync(claim, { recursive: true, force: true }));
  }
}

/**
 * The number of a living process that holds the lock. Removes what is left of any other. A file
 * with the name of a living process is never removed, so two processes can do this at once.
 */
function holder() {
  try {
    if (!statSync(LOCK).isDirectory()) attempt(() => unlinkSync(LOCK));
    for (const name of readdirSync(LOCK)) {
      if (isAlive(Number(name))) return name;
      rmSync(join(LOCK, name), { recursive: true, force: true });
    }
  } catch (error) {
    if (error.code === 'ENOENT') return undefined;
    throw new SetupError(`Delete ${LOCK}, which is left over and cannot be used: ${error.message}`);
  }
  attempt(() => rmdirSync(LOCK));
  return undefined;
}

/** For what fails when another process was faster. */
function attempt(remove) {
  try {
    remove();
  } catch {}
}

/** This process asks before it holds the lock, so its own number is that of an earlier process. */
function isAlive(pid) {
  if (!Number.isInteger(pid) || pid <= 0 || pid === process.pid) return false;
  try {
    process.kill(pid, 0);
    return !isZombie(pid);
  } catch (error) {
    return error.code === 'EPERM';
  }
}

/** In a container without an init process, killed processes stay in the process table for ever. */
function isZombie(pid) {
  try {
    return readFileSync(`/proc/${pid}/stat`, 'utf8').includes(') Z ');
  } catch {
    return false;
  }
}

/**
 * The packages of the lock file that this machine needs and does not have. npm writes its own list
 * of installed packages last, so an interrupted install has none. An install by hand counts too.
 */
function missingPackages() {
  const wanted = packagesIn('package-lock.json');
  if (wanted === undefined) {
    throw new SetupError(
      'package-lock.json cannot be read: after a merge conflict run `npm install --package-lock-only`, otherwise restore it with `git checkout HEAD package-lock.json`.',
    );
  }
  const installed = packagesIn('node_modules/.package-lock.json') ?? {};
  return Object.entries(wanted)
    .filter(([path, entry]) => path !== '' && !isSame(entry, installed[path]))
    .filter(([path, entry]) => installed[path] !== undefined || isNeeded(entry))
    .map(([path]) => path);
}

/** The packages in a lock file, or `undefined` when it is missing, cut or not a lock file. */
function packagesIn(file) {
  try {
    return JSON.parse(readIfThere(file))?.packages ?? undefined;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

const isSame = (a, b) => a.version === b?.version && a.integrity === b?.integrity;

/** Optional packages are binaries for one platform, and what such a binary depends on. */
function isNeeded({ optional, devOptional, os, cpu, libc }) {
  if (!optional && !devOptional) return true;
  const isFor = (names, name) => [names].flat().includes(name);
  return (
    os !== undefined &&
    isFor(os, process.platform) &&
    isFor(cpu ?? process.arch, process.arch) &&
    isFor(libc ?? 'glibc', 'glibc')
  );
}

async function install() {
  // Windows cannot delete a program that runs, and this Node is in node_modules.
  if (
    process.platform === 'win32' &&
    process.execPath.startsWith(join(process.cwd(), 'node_modules'))
  ) {
    throw new SetupError('package-lock.json has changed: run `npm ci`, then this command again.');
  }
  console.log('Installing what package-lock.json names ...');
  let { exitCode, errors } = await npmCi();
  // After `sudo npm` any folder in npm's cache can be root's, and a home folder can be missing.
  if (exitCode !== 0 && /\b(EACCES|EPERM|EROFS)\b/.test(errors)) {
    const cache = '.work/npm-cache';
    console.log(`npm may not use one of its files. Trying again with a cache in ${cache} ...`);
    ({ exitCode, errors } = await npmCi('--cache', cache));
  }
  process.stderr.write(errors);
  if (exitCode !== 0) {
    throw new SetupError(
      'Not everything is installed. Look at what npm says above, then run this command again.',
    );
  }
  const missing = missingPackages();
  if (missing.length > 0) {
    throw new SetupError(
      `npm left out ${missing.join(', ')}: the hash in package-lock.json does not match, or an npm setting excludes it.`,
    );
  }
}

async function npmCi(...options) {
  const packages = ['--ignore-scripts', '--include=dev', '--include=optional'];
  const quiet = ['--no-audit', '--no-fund', '--loglevel=error'];
  const args = ['ci', ...packages, ...quiet, ...options];
  const stdio = ['inherit', 'inherit', 'pipe'];
  // Uses the npm that runs this, with its own Node, because the Node in node_modules is about to be
  // replaced.
  const { npm_execpath: npm, npm_node_execpath: node } = process.env;
  const child =
    npm && node
      ? spawn(node, [npm, ...args], { stdio })
      : spawn('npm', args, { stdio, shell: process.platform === 'win32' });
  let errors = '';
  child.stderr.setEncoding('utf8').on('data', (text) => {
    errors += text;
  });
  return { exitCode: await exitCodeUnderLock(child), errors };
}

/** The file in which the build says what it has read, and what it has moved to dist/. */
export const MARK = '.work/built';

/** A hash of everything that the build reads. */
export const hashOfSources = () =>
  hashOf('package-lock.json', 'tsconfig.json', 'src', '.github/scripts');

/** The content of MARK, for a hash of the sources and the folder of what was built from them. */
export const markOf = (sources, built) => `${sources} ${hashOf(built)}`;

/** A hash of files and folders. Names in a folder are relative to it. */
function hashOf(...paths) {
  const hash = createHash('sha256');
  for (const path of paths) {
    const isFolder = statSync(path, { throwIfNoEntry: false })?.isDirectory();
    for (const name of isFolder ? readdirSync(path, { recursive: true }).sort() : ['']) {
      const file = join(path, name);
      if (!statSync(file, { throwIfNoEntry: false })?.isFile()) continue;
      hash.update(`${name}\0`).update(readFileSync(file)).update('\0');
    }
  }
  return hash.digest('hex');
}

async function buildIfChanged() {
  // A checkout can change the content of dist/ alone.
  if (readIfThere(MARK) === markOf(hashOfSources(), 'dist')) return;
  const exitCode = await exitCodeUnderLock(
    spawn(runtime(), ['.github/scripts/build.mjs'], FOREGROUND),
  );
  if (exitCode !== 0) throw new SetupError('dist/ was not built, and is left as it was.');
}

/** Unit tests run the sources. Only the other tests start what is in dist/. */
const needsNoBuild = (command) => {
  const files = command.filter((word) => word.startsWith('test/') && !word.endsWith('.config.ts'));
  return files.length > 0 && files.every((file) => file.startsWith('test/unit'));
};

/**
 * The Node of the lock file. If it has none for this platform, the machine's own Node of the same
 * major version.
 */
function runtime() {
  const platform = process.platform === 'win32' ? 'win' : process.platform;
  const name = process.platform === 'win32' ? 'node.exe' : 'node';
  const locked = resolve('node_modules', `node-${platform}-${process.arch}`, 'bin', name);
  if (existsSync(locked)) return locked;
  if (process.versions.node.startsWith(`${NODE_MAJOR}.`)) return process.execPath;
  throw new SetupError(
    `package-lock.json has no Node.js for ${process.platform} on ${process.arch}: install Node.js ${NODE_MAJOR} and use it.`,
  );
}

/**
 * Waits for a command in the foreground. A signal to the whole process group is handled by the
 * command, not by this script.
 */
async function exitCodeOf(child) {
  const ignore = () => {};
  const pass = (signal) => child.kill(signal);
  process.on('SIGINT', ignore).on('SIGTERM', pass);
  try {
    return await new Promise((settle, reject) => {
      child.once('error', reject);
      child.once('close', (code, signal) => settle(code ?? 128 + osConstants.signals[signal]));
    });
  } finally {
    process.off('SIGINT', ignore).off('SIGTERM', pass);
  }
}

/** The same, and the lock is held until the command has ended, even if this process is killed. */
export async function exitCodeUnderLock(child) {
  const entry = join(LOCK, String(child.pid));
  // There is no lock when the build is started by hand.
  if (existsSync(LOCK)) writeFileSync(entry, '');
  try {
    return await exitCodeOf(child);
  } finally {
    rmSync(entry, { force: true });
  }
}

function readIfThere(file) {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if (error.code === 'ENOENT') return '';
    throw error;
  }
}

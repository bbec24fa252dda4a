/** The script that every npm script starts with, in a small project with a fake npm. */
import { type ChildProcess, spawn } from 'node:child_process';
import { cpSync, existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { endOf, ROOT, temporaryFolder, writeAll } from './workflow.ts';

const ENGINES = '^20.19.0 || >=22.12.0';
const AGENT = 'npm/11.0.0 node/v20.20.2 linux x64 workspaces/false';
const LOCK = {
  packages: {
    '': { name: 'small' },
    'node_modules/tool': { version: '1.0.0' },
    'node_modules/tool-here': { optional: true, os: [process.platform], cpu: [process.arch] },
    'node_modules/tool-elsewhere': { optional: true, os: 'aix', cpu: ['ppc64'] },
  },
};

/** Installs the packages that NPM_INSTALLS names. Fails when it names none. */
const NPM = `
const fs = require('node:fs');
fs.appendFileSync('calls', process.argv.slice(2).join(' ') + '\\n');
fs.rmSync('node_modules', { recursive: true, force: true });
fs.mkdirSync('node_modules/tool', { recursive: true });
const end = () => {
  const names = process.env.NPM_INSTALLS.split(' ').filter(Boolean);
  if (names.length === 0) process.exitCode = 1;
  for (const name of names) fs.mkdirSync('node_modules/' + name, { recursive: true });
};
if (process.env.NPM_WAITS) { console.log('waiting'); setTimeout(end, 60_000); } else end();
`;

interface Start {
  readonly env?: Readonly<Record<string, string>>;
  /** Code that runs before the script, to pretend to be on another machine. */
  readonly pretend?: string;
}

class Project implements Disposable {
  readonly #folder = temporaryFolder('a folder with spaces ');
  readonly folder = this.#folder.path;

  /** Without a Node in package.json it runs on the one that runs the tests. */
  constructor(optionalDependencies: Readonly<Record<string, string>> = {}) {
    const manifest = { type: 'module', engines: { node: ENGINES }, optionalDependencies };
    this.write({
      'package.json': JSON.stringify(manifest),
      'package-lock.json': JSON.stringify(LOCK),
      'npm.cjs': NPM,
      'script.mjs': 'console.log("ran with", process.argv.slice(2).join());',
    });
    for (const file of ['run.cjs', 'setup.mjs'].map((name) => `.github/scripts/${name}`)) {
      cpSync(join(ROOT, file), join(this.folder, file));
    }
  }

  write(files: Readonly<Record<string, string>>): void {
    writeAll(this.folder, files);
  }

  /** The arguments of each start of npm. */
  get installs(): readonly string[] {
    const file = join(this.folder, 'calls');
    return existsSync(file) ? readFileSync(file, 'utf8').split('\n').slice(0, -1) : [];
  }

  start(args: readonly string[], { env = {}, pretend = '' }: Start = {}): ChildProcess {
    this.write({ 'pretend.cjs': pretend });
    const preload = join(this.folder, 'pretend.cjs').replaceAll('\\', '/');
    return spawn(process.execPath, [join(this.folder, '.github/scripts/run.cjs'), ...args], {
      cwd: this.folder,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: {
        ...process.env,
        npm_execpath: join(this.folder, 'npm.cjs'),
        npm_node_execpath: process.execPath,
        npm_config_user_agent: AGENT,
        NPM_INSTALLS: 'tool tool-here',
        ...(pretend && { NODE_OPTIONS: `--require "${preload}"` }),
        ...env,
      },
    });
  }

  run(args: readonly string[], start?: Start) {
    return endOf(this.start(args, start));
  }

  [Symbol.dispose](): void {
    this.#folder[Symbol.dispose]();
  }
}

const failure = (says: RegExp) => ({ exitCode: 1, output: expect.stringMatching(says) });

describe('a command', () => {
  test('installs and runs, whatever the settings for scripts and production are, and then runs without npm', async () => {
    using project = new Project();
    const env = { NODE_ENV: 'production', npm_config_ignore_scripts: 'true' };
    expect(await project.run(['script.mjs', 'a word', '--flag'], { env })).toEqual({
      exitCode: 0,
      output: 'Installing what package-lock.json names ...\nran with a word,--flag\n',
    });
    const ci = /^ci (?=.*--ignore-scripts)(?=.*--include=dev)(?=.*--include=optional)/;
    expect(project.installs).toEqual([expect.stringMatching(ci)]);
    expect(await project.run(['script.mjs'])).toEqual({ exitCode: 0, output: 'ran with \n' });
    expect(project.installs).toHaveLength(1);
  });

  test('installs again when something has changed', async () => {
    using project = new Project();
    const installs = async (env: Start['env'] = {}) => {
      expect(await project.run([], { env })).toMatchObject({ exitCode: 0 });
      return project.installs.length;
    };
    expect(await installs()).toBe(1);
    project.write({ 'package-lock.json': JSON.stringify({ ...LOCK, name: 1 }) });
    expect(await installs(), 'the lock file has changed').toBe(2);
    // npm has begun to install by hand, and was interrupted.
    rmSync(join(project.folder, 'node_modules'), { recursive: true });
    project.write({ 'node_modules/tool/index.js': '' });
    expect(await installs(), 'npm was interrupted').toBe(3);
    const otherNode = { npm_config_user_agent: AGENT.replace('20.20.2', '22.12.0') };
    expect(await installs(otherNode), 'npm runs on another Node').toBe(3);
  });

  test.skipIf(process.platform === 'win32')('can be interrupted and run again', async () => {
    using project = new Project();
    const child = project.start([], { env: { NPM_WAITS: '1' } });
    const result = endOf(child);
    await new Promise<void>((resolve) => {
      child.stdout?.on('data', (text: string) => text.includes('waiting') && resolve());
    });
    child.kill('SIGTERM');
    expect((await result).exitCode).toBe(1);
    expect(await project.run([])).toMatchObject({ exitCode: 0 });
    expect(project.installs).toHaveLength(2);
  });

  test.each([
    { when: 'npm fails', installs: '', says: /Not everything is installed\. .*\n$/ },
    {
      when: 'npm left out a package without an error, and names it',
      installs: 'tool',
      says: /npm left out node_modules\/tool-here: it could not be downloaded,.*\n$/,
    },
  ])('runs nothing when $when', async ({ installs, says }) => {
    using project = new Project();
    const env = { NPM_INSTALLS: installs };
    expect(await project.run(['script.mjs'], { env })).toEqual(failure(says));
  });

  test('builds if asked to, but not for unit tests, and ends like its script or a failed build', async () => {
    using project = new Project();
    project.write({
      'script.mjs': 'console.log("ran"); process.exit(7);',
      '.github/scripts/build.mjs': 'console.log("built");',
    });
    await project.run([]);
    const run = (...files: readonly string[]) => project.run(['--build', 'script.mjs', ...files]);
    const config = ['--config', 'test/vitest.config.ts'];
    const built = { exitCode: 7, output: 'built\nran\n' };
    expect(await run()).toEqual(built);
    expect(await run(...config, 'test/unit/a.test.ts', 'test/process/a.test.ts')).toEqual(built);
    expect(await run(...config, 'test/unit/a.test.ts')).toEqual({ exitCode: 7, output: 'ran\n' });
    project.write({ '.github/scripts/build.mjs': 'process.exit(3)' });
    const output = 'dist/ was not built, and is left as it was.\n';
    expect(await run()).toEqual({ exitCode: 1, output });
  });
});

describe('where nothing can be installed, one sentence says why', () => {
  const PRETEND_PLATFORM = (name: string) =>
    `Object.defineProperty(process, 'platform', { value: '${name}' });`;
  const PRETEND_NODE = (version: string) =>
    `Object.defineProperty(process.versions, 'node', { value: '${version}' });`;

  const MACHINES: readonly (Start & { promise: string; says: RegExp })[] = [
    {
      promise: 'on Alpine, which has musl',
      pretend: `${PRETEND_PLATFORM('linux')} process.report.getReport = () => ({ header: {} });`,
      says: /^This needs a Linux with glibc, .*\n$/,
    },
    {
      promise: 'on macOS with another Node',
      pretend: PRETEND_PLATFORM('darwin') + PRETEND_NODE('26.1.0'),
      says: /^package-lock\.json has no Node\.js for darwin on \S+: install Node\.js 24 and use it\.\n$/,
    },
    {
      promise: 'on Windows, while the Node that would be replaced runs',
      pretend: `${PRETEND_PLATFORM('win32')}
        process.execPath = require('node:path').join(process.cwd(), 'node_modules/node/node.exe');`,
      says: /^The packages have changed, .*: run `node \.github\/scripts\/run\.cjs` first\.\n$/,
    },
    ...['yarn', 'pnpm'].map((name) => ({
      promise: `with ${name}`,
      env: { npm_config_user_agent: `${name}/1.22.22 npm/? node/v24.21.0 linux x64` },
      says: new RegExp(`^Use npm instead of ${name}: .*\\n$`),
    })),
  ];
  test.each(MACHINES)('$promise', async ({ says, ...machine }) => {
    using project = new Project();
    expect(await project.run(['script.mjs'], machine)).toEqual(failure(says));
    expect(project.installs).toEqual([]);
  });

  test('in an archive without the sources', async () => {
    using project = new Project();
    rmSync(join(project.folder, 'package-lock.json'));
    const says = /^This copy contains only .* use `git clone`\.\n$/;
    expect(await project.run(['script.mjs'])).toEqual(failure(says));
  });

  // The expected values come from npm's own semver and `engines` in package.json.
  test.each([
    ['20.18.3', false],
    ['20.19.0', true],
    ['21.7.3', false],
    ['22.11.0', false],
    ['22.12.0', true],
  ])('with Node %s, unless it can install: %s', async (version, works) => {
    const platform = process.platform === 'win32' ? 'win' : process.platform;
    using project = new Project({ [`node-${platform}-${process.arch}`]: '24.21.0' });
    const { output } = await project.run([], { pretend: PRETEND_NODE(version) });
    expect(output).toBe(
      works
        ? 'Installing what package-lock.json names ...\n'
        : `This needs Node.js ${ENGINES} to start from; this is ${version}.\n`,
    );
  });

  test('and the versions in it are the engines of package.json', () => {
    const { engines } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
    expect(engines).toEqual({ node: ENGINES });
  });
});

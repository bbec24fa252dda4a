/** The script that every npm script starts with, in a small project with a fake npm. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { ROOT } from './workflow.ts';

const LOCK = {
  packages: {
    '': { name: 'small' },
    'node_modules/tool': { version: '1.0.0', integrity: 'sha512-tool' },
    'node_modules/tool-here': {
      version: '1.0.0',
      integrity: 'sha512-here',
      optional: true,
      os: [process.platform],
      cpu: [process.arch],
    },
    'node_modules/tool-elsewhere': {
      version: '1.0.0',
      integrity: 'sha512-elsewhere',
      optional: true,
      os: 'aix',
      cpu: ['ppc64'],
    },
  },
};
const { '': _root, 'node_modules/tool-elsewhere': _elsewhere, ...INSTALLED } = LOCK.packages;

/**
 * Installs as npm does: the list of installed packages is written last. NPM_INSTALLS names them.
 * NPM_ERROR is what npm says when it cannot use its cache.
 */
const NPM = `
const fs = require('node:fs');
fs.appendFileSync('calls', process.argv.slice(2).join(' ') + '\\n');
fs.rmSync('node_modules', { recursive: true, force: true });
fs.mkdirSync('node_modules/tool', { recursive: true });
const end = () => {
  if (process.env.NPM_INSTALLS) fs.writeFileSync('node_modules/.package-lock.json', process.env.NPM_INSTALLS);
  else process.exitCode = 1;
};
if (process.env.NPM_ERROR && !process.argv.includes('--cache')) {
  process.stderr.write(process.env.NPM_ERROR);
  process.exitCode = 1;
} else if (process.env.NPM_WAITS) { console.log('waiting'); setTimeout(end, 60_000); } else end();
`;

class Project implements Disposable {
  readonly folder = mkdtempSync(join(tmpdir(), 'a folder with spaces '));

  constructor() {
    this.write(
      'package.json',
      '{ "type": "module", "engines": { "node": "^20.19.0 || >=22.12.0" } }',
    );
    this.write('package-lock.json', JSON.stringify(LOCK));
    this.write('npm.cjs', NPM);
    this.write('script.mjs', 'console.log("ran with", process.argv.slice(2).join());');
    for (const name of ['run.cjs', 'setup.mjs']) {
      this.write(`.github/scripts/${name}`, '');
      copyFileSync(join(ROOT, '.github/scripts', name), join(this.folder, '.github/scripts', name));
    }
  }

  write(name: string, content: string): void {
    mkdirSync(join(this.folder, name, '..'), { recursive: true });
    writeFileSync(join(this.folder, name), content);
  }

  /** The content of a file, or nothing when there is none. */
  read(name: string): string {
    const file = join(this.folder, name);
    return existsSync(file) ? readFileSync(file, 'utf8') : '';
  }

  /** How often npm was started. */
  get installs(): readonly string[] {
    return this.read('calls').split('\n').slice(0, -1);
  }

  installedByHand(packages: unknown = INSTALLED): void {
    this.write('node_modules/.package-lock.json', JSON.stringify({ packages }));
  }

  start(args: readonly string[], env: Readonly<Record<string, string>> = {}): ChildProcess {
    return spawn(process.execPath, [join(this.folder, '.github/scripts/run.cjs'), ...args], {
      cwd: this.folder,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: {
        ...process.env,
        npm_execpath: join(this.folder, 'npm.cjs'),
        npm_node_execpath: process.execPath,
        NPM_INSTALLS: JSON.stringify({ packages: INSTALLED }),
        ...env,
      },
    });
  }

  [Symbol.dispose](): void {
    rmSync(this.folder, { recursive: true, force: true });
  }
}

async function ended(child: ChildProcess): Promise<{ exitCode: number; output: string }> {
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
  }
  const [exitCode] = await once(child, 'close');
  return { exitCode, output };
}

describe('a first command', () => {
  test('installs and runs, whatever the settings for scripts and production are', async () => {
    using project = new Project();
    const settings = { NODE_ENV: 'production', npm_config_ignore_scripts: 'true' };
    const first = await ended(project.start(['script.mjs', 'a word', '--flag'], settings));
    expect(first).toEqual({
      exitCode: 0,
      output: 'Installing what package-lock.json names ...\nran with a word,--flag\n',
    });
    expect(project.installs).toHaveLength(1);
    expect(project.installs[0]).toMatch(
      /^ci (?=.*--ignore-scripts)(?=.*--include=dev)(?=.*--include=optional)/,
    );
    const second = await ended(project.start(['script.mjs']));
    expect(second).toEqual({ exitCode: 0, output: 'ran with \n' });
    expect(project.installs).toHaveLength(1);
  });

  test('does not repeat an `npm ci` that was run by hand', async () => {
    using project = new Project();
    project.installedByHand();
    expect((await ended(project.start(['script.mjs']))).exitCode).toBe(0);
    expect(project.installs).toEqual([]);
  });

  const INCOMPLETE: readonly { promise: string; packages: unknown }[] = [
    {
      promise: 'left a package out',
      packages: { 'node_modules/tool': LOCK.packages['node_modules/tool'] },
    },
    {
      promise: 'is older than the lock file',
      packages: {
        ...INSTALLED,
        'node_modules/tool': { version: '0.9.0', integrity: 'sha512-old' },
      },
    },
    {
      promise: 'has another hash',
      packages: { ...INSTALLED, 'node_modules/tool': { version: '1.0.0', integrity: 'sha512-x' } },
    },
  ];
  test.each(INCOMPLETE)('installs again after an install that $promise', async ({ packages }) => {
    using project = new Project();
    project.installedByHand(packages);
    expect((await ended(project.start(['script.mjs']))).exitCode).toBe(0);
    expect(project.installs).toHaveLength(1);
  });

  test.each(['', '{ "packages": { "node_modules/tool": { "ver', 'null', '{ "packages": null }'])(
    "installs again when npm's list of what is installed is %j",
    async (list) => {
      using project = new Project();
      project.write('node_modules/.package-lock.json', list);
      expect(await ended(project.start(['script.mjs']))).toMatchObject({ exitCode: 0 });
      expect(project.installs).toHaveLength(1);
    },
  );

  const CONFLICT = '<<<<<<< HEAD\n{ "packages": {} }\n=======\n{}\n>>>>>>> other\n';
  test.each([CONFLICT, '', '{ "packages": {', 'null', '{ "lockfileVersion": 1 }'])(
    'says what to do when package-lock.json is %j',
    async (lock) => {
      using project = new Project();
      project.write('package-lock.json', lock);
      expect(await ended(project.start(['script.mjs']))).toEqual({
        exitCode: 1,
        output:
          'package-lock.json cannot be read: after a merge conflict run `npm install --package-lock-only`, otherwise restore it with `git checkout HEAD package-lock.json`.\n',
      });
      expect(project.installs).toEqual([]);
    },
  );

  test('reports it when npm fails, and runs nothing', async () => {
    using project = new Project();
    const { exitCode, output } = await ended(project.start(['script.mjs'], { NPM_INSTALLS: '' }));
    expect(exitCode).toBe(1);
    expect(output).toMatch(/Not everything is installed\. .*\n$/);
    expect(output).not.toContain('ran with');
  });

  test('names a package that npm left out without an error', async () => {
    using project = new Project();
    const packages = { 'node_modules/tool': LOCK.packages['node_modules/tool'] };
    const NPM_INSTALLS = JSON.stringify({ packages });
    const { exitCode, output } = await ended(project.start(['script.mjs'], { NPM_INSTALLS }));
    expect(exitCode).toBe(1);
    expect(output).toContain('npm left out node_modules/tool-here: the hash');
  });

  test.skipIf(process.platform === 'win32')('can be interrupted and run again', async () => {
    using project = new Project();
    const child = project.start(['script.mjs'], { NPM_WAITS: '1' });
    const result = ended(child);
    await new Promise<void>((resolve) => {
      child.stdout?.on('data', (text: string) => text.includes('waiting') && resolve());
    });
    child.kill('SIGTERM');
    expect((await result).exitCode).toBe(1);
    expect(await ended(project.start(['script.mjs']))).toMatchObject({ exitCode: 0 });
    expect(project.installs).toHaveLength(2);
  });

  test.each(['EACCES', 'EPERM', 'EROFS'])(
    'installs with its own cache when npm may not use a file (%s)',
    async (code) => {
      using project = new Project();
      const NPM_ERROR = `npm error code ${code}\nnpm error path /home/somebody/.npm/_cacache/tmp\n`;
      expect(await ended(project.start(['script.mjs'], { NPM_ERROR }))).toEqual({
        exitCode: 0,
        output:
          'Installing what package-lock.json names ...\n' +
          'npm may not use one of its files. Trying again with a cache in .work/npm-cache ...\n' +
          'ran with \n',
      });
      expect(project.installs).toHaveLength(2);
      expect(project.installs[0]).not.toContain('--cache');
      expect(project.installs[1]).toContain('--cache .work/npm-cache');
    },
  );

  test('shows what npm says, and does not try again, when npm fails for another reason', async () => {
    using project = new Project();
    const NPM_ERROR = 'npm error code ECONNREFUSED\n';
    const { exitCode, output } = await ended(project.start(['script.mjs'], { NPM_ERROR }));
    expect(exitCode).toBe(1);
    expect(output).toContain(`${NPM_ERROR}Not everything is installed.`);
    expect(project.installs).toHaveLength(1);
  });
});

describe('two commands at once', () => {
  test('install once', async () => {
    using project = new Project();
    const both = await Promise.all([1, 2].map(() => ended(project.start(['script.mjs']))));
    expect(both.map(({ exitCode }) => exitCode)).toEqual([0, 0]);
    expect(project.installs).toHaveLength(1);
  });

  test('do not wait for a process that was killed', async () => {
    using project = new Project();
    const gone = spawn(process.execPath, ['-e', '0']);
    await once(gone, 'close');
    project.write(`.work/lock/${gone.pid}`, '');
    expect((await ended(project.start(['script.mjs']))).exitCode).toBe(0);
    expect(readdirSync(join(project.folder, '.work'))).toEqual([]);
  });

  test('do not wait for an earlier process that had the same number', async () => {
    using project = new Project();
    project.installedByHand();
    project.write('.work/lock/0', '');
    project.write(
      'rename.cjs',
      "require('node:fs').renameSync('.work/lock/0', '.work/lock/' + process.pid);",
    );
    const NODE_OPTIONS = `--require "${join(project.folder, 'rename.cjs').replaceAll('\\', '/')}"`;
    expect(await ended(project.start([], { NODE_OPTIONS }))).toEqual({ exitCode: 0, output: '' });
    expect(readdirSync(join(project.folder, '.work'))).toEqual([]);
  });

  const NOBODYS: readonly { promise: string; name: string; content: string }[] = [
    { promise: 'is an empty file', name: '.work/lock', content: '' },
    { promise: 'is a file of an older version', name: '.work/lock', content: '1' },
    { promise: 'names no process', name: '.work/lock/0', content: '' },
    { promise: 'contains a file of something else', name: '.work/lock/.DS_Store', content: '' },
    { promise: 'contains a folder', name: '.work/lock/-1/file', content: '' },
  ];
  test.each(NOBODYS)('do not wait for a lock that $promise', async ({ name, content }) => {
    using project = new Project();
    project.write(name, content);
    expect((await ended(project.start(['script.mjs']))).exitCode).toBe(0);
    expect(readdirSync(join(project.folder, '.work'))).toEqual([]);
  });

  test('say which file to delete when the number now belongs to another program', async () => {
    using project = new Project();
    const lock = join(project.folder, '.work/lock');
    project.write(`.work/lock/${process.pid}`, '');
    const child = project.start(['script.mjs']);
    const result = ended(child);
    await once(child.stdout ?? child, 'data');
    rmSync(lock, { recursive: true });
    expect(await result).toMatchObject({
      exitCode: 0,
      output: expect.stringContaining(
        `Waiting for process ${process.pid}, which installs or builds here. If it is another program, delete .work/lock.\n`,
      ),
    });
  });

  test('are never in the same build, whoever removes a lock that was left over', async () => {
    using project = new Project();
    project.installedByHand();
    project.write('.work/lock', '');
    project.write(
      '.github/scripts/build.mjs',
      `import fs from 'node:fs';
       fs.mkdirSync('being-built');
       fs.rmdirSync('being-built');`,
    );
    const all = await Promise.all(
      Array.from({ length: 8 }, () => ended(project.start(['--build']))),
    );
    expect(all.map(({ exitCode }) => exitCode)).toEqual(all.map(() => 0));
    expect(readdirSync(join(project.folder, '.work'))).toEqual([]);
  });

  test.skipIf(process.platform === 'win32' || process.getuid?.() === 0)(
    'say that the folder must be writable when what is in it cannot be seen',
    async () => {
      using project = new Project();
      project.write('.work/built', '');
      chmodSync(join(project.folder, '.work'), 0);
      const { exitCode, output } = await ended(project.start(['script.mjs']));
      chmodSync(join(project.folder, '.work'), 0o755);
      expect(exitCode).toBe(1);
      expect(output).toMatch(/^This folder must be writable, .*EACCES.*\n$/);
    },
  );

  test.skipIf(process.platform === 'win32' || process.getuid?.() === 0)(
    'say which file to delete when a lock that was left cannot be deleted',
    async () => {
      using project = new Project();
      project.write('.work/lock/0', '');
      chmodSync(join(project.folder, '.work/lock'), 0o555);
      const { exitCode, output } = await ended(project.start(['script.mjs']));
      chmodSync(join(project.folder, '.work/lock'), 0o755);
      expect(exitCode).toBe(1);
      expect(output).toMatch(/^Delete \.work\/lock, .*EACCES.*\n$/);
    },
  );

  /** Adds `start` and `end` to the file `work`, and goes on when there is a file `go-on`. */
  const WORK = `
    const fs = await import('node:fs');
    const { setTimeout } = await import('node:timers/promises');
    fs.appendFileSync('work', 'start ');
    while (!fs.existsSync('go-on')) await setTimeout(20);
    fs.appendFileSync('work', 'end ');`;
  const KILLED: readonly { promise: string; file: string; work: string; done: string }[] = [
    {
      promise: 'a build',
      file: '.github/scripts/build.mjs',
      work: WORK,
      done: 'start end start end ',
    },
    {
      promise: 'an install',
      file: 'npm.cjs',
      work: `(async () => { ${WORK}
        fs.mkdirSync('node_modules');
        fs.writeFileSync('node_modules/.package-lock.json', process.env.NPM_INSTALLS); })();`,
      done: 'start end ',
    },
  ];
  test.each(KILLED)(
    'do not start while $promise runs on after its command was killed',
    async ({ file, work, done }) => {
      using project = new Project();
      if (file !== 'npm.cjs') project.installedByHand();
      project.write(file, work);
      const log = () => project.read('work');
      const killed = project.start(['--build']);
      const orphanEnded = ended(killed);
      await expect.poll(log, { timeout: 20_000 }).toBe('start ');
      killed.kill('SIGKILL');
      const next = project.start(['--build']);
      const result = ended(next);
      await once(next.stdout ?? next, 'data');
      expect(log()).toBe('start ');
      project.write('.github/scripts/build.mjs', file === 'npm.cjs' ? '' : work);
      project.write('go-on', '');
      expect(await result).toMatchObject({
        exitCode: 0,
        output: expect.stringMatching(/^Waiting for process \d+/),
      });
      await orphanEnded;
      expect(log()).toBe(done);
      expect(existsSync(join(project.folder, '.work/lock'))).toBe(false);
    },
  );
});

test('the exit code of a command is that of its script', async () => {
  using project = new Project();
  project.installedByHand();
  project.write('script.mjs', 'process.exit(7)');
  expect((await ended(project.start(['script.mjs']))).exitCode).toBe(7);
});

test('a build that fails stops the command', async () => {
  using project = new Project();
  project.installedByHand();
  project.write('.github/scripts/build.mjs', 'process.exit(3)');
  expect(await ended(project.start(['--build', 'script.mjs']))).toEqual({
    exitCode: 1,
    output: 'dist/ was not built, and is left as it was.\n',
  });
});

test('an archive without the sources says that a clone is needed', async () => {
  using project = new Project();
  rmSync(join(project.folder, 'package-lock.json'));
  const { exitCode, output } = await ended(project.start(['script.mjs']));
  expect(exitCode).toBe(1);
  expect(output).toMatch(
    /^This copy contains only what is needed to run the action\. .*`git clone`\.\n$/,
  );
});

describe('Node', () => {
  // The expected values come from npm's own semver and `engines` in package.json.
  test.each([
    { version: '16.20.2', works: false },
    { version: '20.18.3', works: false },
    { version: '20.19.0', works: true },
    { version: '21.7.3', works: false },
    { version: '22.11.0', works: false },
    { version: '22.12.0', works: true },
    { version: '23.0.0', works: true },
    { version: '26.10.0', works: true },
  ])('$version can install: $works', async ({ version, works }) => {
    using project = new Project();
    project.installedByHand();
    project.write(
      'pretend.cjs',
      `Object.defineProperty(process.versions, 'node', { value: '${version}' });`,
    );
    const NODE_OPTIONS = `--require "${join(project.folder, 'pretend.cjs').replaceAll('\\', '/')}"`;
    const { output } = await ended(project.start([], { NODE_OPTIONS }));
    expect(output).toBe(
      works ? '' : `This needs Node.js ^20.19.0 || >=22.12.0 to start from; this is ${version}.\n`,
    );
  });

  test('the versions in the message are the engines of package.json', () => {
    const { engines } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
    expect(engines).toEqual({ node: '^20.19.0 || >=22.12.0' });
  });
});

/** The build, on a small source. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { noFolderLinks, noSignals, skipWhen } from '../support/system.ts';
import { ROOT } from './workflow.ts';

skipWhen(noFolderLinks);

const SCRIPTS = ['build.mjs', 'licenses.ts', 'run.cjs', 'setup.mjs'].map(
  (name) => `.github/scripts/${name}`,
);

class Project implements Disposable {
  readonly folder = mkdtempSync(join(tmpdir(), 'build '));

  constructor(source: string) {
    for (const folder of ['src', 'dist', '.github/scripts']) {
      mkdirSync(join(this.folder, folder), { recursive: true });
    }
    for (const file of ['package.json', 'package-lock.json', 'tsconfig.json', ...SCRIPTS]) {
      copyFileSync(join(ROOT, file), join(this.folder, file));
    }
    symlinkSync(join(ROOT, 'node_modules'), join(this.folder, 'node_modules'), 'junction');
    this.write('src/index.ts', source);
    this.write('dist/index.js', 'old');
    this.write('dist/5.index.js', 'old chunk');
  }

  write(name: string, content: string): void {
    writeFileSync(join(this.folder, name), content);
  }

  read(name: string): string {
    return readFileSync(join(this.folder, name), 'utf8');
  }

  build(): number | null {
    return spawnSync(process.execPath, ['.github/scripts/build.mjs'], { cwd: this.folder }).status;
  }

  /** As `npm run build` does it, but without an npm, which would replace the packages of all. */
  buildIfChanged(): number | null {
    const script = ['.github/scripts/run.cjs', '--build'];
    const env = { ...process.env, npm_execpath: 'none', npm_node_execpath: process.execPath };
    return spawnSync(process.execPath, script, { cwd: this.folder, env }).status;
  }

  start(...args: readonly string[]): ChildProcess {
    return spawn(process.execPath, args, { cwd: this.folder, stdio: 'ignore' });
  }

  [Symbol.dispose](): void {
    rmSync(this.folder, { recursive: true, force: true });
  }
}

test('a build that fails leaves dist as it was', () => {
  using project = new Project('const count: number = "one";\nexport default count;\n');
  expect(project.build()).not.toBe(0);
  expect(readdirSync(join(project.folder, 'dist'))).toEqual(['5.index.js', 'index.js']);
  expect(project.read('dist/index.js')).toBe('old');
});

test('a build that succeeds removes old files, and does not touch files that are the same', () => {
  using project = new Project('console.log("new");\n');
  expect(project.build()).toBe(0);
  expect(readdirSync(join(project.folder, 'dist'))).toEqual([
    'index.js',
    'licenses.txt',
    'package.json',
  ]);
  expect(project.read('dist/index.js')).toContain('console.log("new")');
  const { mtimeMs } = statSync(join(project.folder, 'dist/index.js'));
  expect(project.build()).toBe(0);
  expect(statSync(join(project.folder, 'dist/index.js')).mtimeMs).toBe(mtimeMs);
});

describe('dist/ is built again', () => {
  test('when files of it are missing, have other content or are too many, else never', () => {
    using project = new Project('console.log("new");\n');
    expect(project.buildIfChanged()).toBe(0);
    const content = () =>
      readdirSync(join(project.folder, 'dist')).map((name) => [name, project.read(`dist/${name}`)]);
    const builtAt = () => statSync(join(project.folder, '.work/stats.json')).mtimeMs;
    const [built, first] = [content(), builtAt()];
    expect(project.buildIfChanged()).toBe(0);
    expect(builtAt()).toBe(first);

    rmSync(join(project.folder, 'dist/licenses.txt'));
    project.write('dist/index.js', 'broken');
    project.write('dist/5.index.js', 'old chunk');
    expect(project.buildIfChanged()).toBe(0);
    expect(content()).toEqual(built);
  });

  test('when a source changed while it was built', async () => {
    using project = new Project('console.log("one");\n');
    const build = project.start('.github/scripts/run.cjs', '--build');
    const ended = once(build, 'close');
    const hasRead = () => existsSync(join(project.folder, 'build/index.js'));
    await expect.poll(hasRead, { interval: 5, timeout: 20_000 }).toBe(true);
    project.write('src/index.ts', 'console.log("two");\n');
    await ended;
    expect(project.buildIfChanged()).toBe(0);
    expect(project.read('dist/index.js')).toContain('console.log("two")');
  });

  test('never after a build whose command was killed, and which has ended since', () => {
    using project = new Project('console.log("new");\n');
    expect(project.build()).toBe(0);
    rmSync(join(project.folder, 'build'), { recursive: true });
    expect(project.buildIfChanged()).toBe(0);
    expect(existsSync(join(project.folder, 'build'))).toBe(false);
  });
});

describe('a build that is ended by a signal', () => {
  skipWhen(noSignals);

  test.each([
    { signal: 'SIGTERM' as const, promise: 'waits for tsc, and moves nothing' },
    { signal: 'SIGKILL' as const, promise: 'leaves the lock to tsc, which runs on' },
  ])('$signal $promise', async ({ signal }) => {
    using project = new Project('console.log("new");\n');
    const lock = join(project.folder, '.work/lock');
    mkdirSync(lock, { recursive: true });
    const build = project.start('.github/scripts/build.mjs');
    const ended = once(build, 'close');
    await expect.poll(() => readdirSync(lock), { interval: 1, timeout: 20_000 }).toHaveLength(1);
    const tsc = Number(readdirSync(lock)[0]);
    // A process that is stopped cannot end before the build does.
    if (signal === 'SIGKILL') process.kill(tsc, 'SIGSTOP');
    build.kill(signal);
    const [exitCode] = await ended;
    const locked = readdirSync(lock);
    if (signal === 'SIGKILL') process.kill(tsc, 'SIGKILL');
    expect(locked).toEqual(signal === 'SIGKILL' ? [String(tsc)] : []);
    expect(exitCode).not.toBe(0);
    expect(project.read('dist/index.js')).toBe('old');
  });
});

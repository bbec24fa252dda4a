/** The build, on a small source. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  copyFileSync,
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

const BUILD = join(ROOT, '.github/scripts/build.mjs');

class Project implements Disposable {
  readonly folder = mkdtempSync(join(tmpdir(), 'build '));

  constructor(source: string) {
    for (const folder of ['src', 'dist']) mkdirSync(join(this.folder, folder));
    for (const file of ['package.json', 'tsconfig.json']) {
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
    return spawnSync(process.execPath, [BUILD], { cwd: this.folder }).status;
  }

  start(): ChildProcess {
    return spawn(process.execPath, [BUILD], { cwd: this.folder, stdio: 'ignore' });
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

describe('a build that is ended by a signal', () => {
  skipWhen(noSignals);

  test.each([
    { signal: 'SIGTERM' as const, promise: 'waits for tsc, and moves nothing' },
    { signal: 'SIGKILL' as const, promise: 'leaves the lock to tsc, which runs on' },
  ])('$signal $promise', async ({ signal }) => {
    using project = new Project('console.log("new");\n');
    const lock = join(project.folder, '.work/lock');
    mkdirSync(lock, { recursive: true });
    const build = project.start();
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

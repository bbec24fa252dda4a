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
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { link, noFolderLinks, noSignals, skipWhen } from '../support/system.ts';
import { ROOT } from './workflow.ts';

skipWhen(noFolderLinks);

class Project implements Disposable {
  readonly folder: string;

  constructor(source: string, name = 'build ') {
    this.folder = mkdtempSync(join(tmpdir(), name));
    for (const file of ['build.mjs', 'licenses.ts'].map((script) => `.github/scripts/${script}`)) {
      this.write(file, readFileSync(join(ROOT, file), 'utf8'));
    }
    for (const file of ['package.json', 'package-lock.json', 'tsconfig.json']) {
      copyFileSync(join(ROOT, file), join(this.folder, file));
    }
    mkdirSync(join(this.folder, 'node_modules'));
    for (const entry of readdirSync(join(ROOT, 'node_modules'), { withFileTypes: true })) {
      const path = `node_modules/${entry.name}`;
      if (entry.isDirectory()) link(join(ROOT, path), join(this.folder, path), 'folder');
    }
    this.write('src/index.ts', source);
    this.write('dist/index.js', 'old');
    this.write('dist/5.index.js', 'old chunk');
  }

  write(name: string, content: string): void {
    mkdirSync(join(this.folder, name, '..'), { recursive: true });
    writeFileSync(join(this.folder, name), content);
  }

  read(name: string): string {
    return readFileSync(join(this.folder, name), 'utf8');
  }

  /** The names and contents of what is in dist/. */
  dist(): readonly (readonly [string, string])[] {
    return readdirSync(join(this.folder, 'dist')).map((name) => [name, this.read(`dist/${name}`)]);
  }

  build(): number | null {
    return spawnSync(process.execPath, ['.github/scripts/build.mjs'], { cwd: this.folder }).status;
  }

  /** Starts a build. Resolves when tsc has written its first file. */
  async startBuild(): Promise<ChildProcess> {
    const child = spawn(process.execPath, ['.github/scripts/build.mjs'], {
      cwd: this.folder,
      stdio: 'ignore',
    });
    const hasRead = () => existsSync(join(this.folder, 'build/index.js'));
    await expect.poll(hasRead, { interval: 5, timeout: 20_000 }).toBe(true);
    return child;
  }

  [Symbol.dispose](): void {
    rmSync(this.folder, { recursive: true, force: true });
  }
}

const OLD = [
  ['5.index.js', 'old chunk'],
  ['index.js', 'old'],
];

test('a build that fails leaves dist as it was', () => {
  using project = new Project('const count: number = "one";\nexport default count;\n');
  expect(project.build()).not.toBe(0);
  expect(project.dist()).toEqual(OLD);
});

test('a build that is killed leaves dist as it was, and the next one builds', async ({ skip }) => {
  // Windows cannot remove the files that tsc, which runs on, has open.
  skip(noSignals !== undefined, noSignals);
  using project = new Project('console.log("new");\n');
  const build = await project.startBuild();
  const ended = once(build, 'close');
  build.kill('SIGKILL');
  await ended;
  expect(project.dist()).toEqual(OLD);
  expect(project.build()).toBe(0);
  expect(project.read('dist/index.js')).toContain('console.log("new")');
});

// One history, because each build takes a second. A folder may be named C#.
test('dist is built again when a source changed, also while it was built, or dist did, and else never', async () => {
  using project = new Project('console.log("one");\n', 'C# ');
  const manifest = { name: 'free', version: '1.0.0', license: 'MIT', type: 'module' };
  project.write('node_modules/free/package.json', JSON.stringify(manifest));
  project.write('node_modules/free/index.js', 'export const free = "bundled";\n');
  project.write('node_modules/free/index.d.ts', 'export declare const free: string;\n');
  project.write('node_modules/free/LICENSE', 'Do as you like.\n');
  const builtAt = () => statSync(join(project.folder, '.work/stats.json')).mtimeMs;

  const build = await project.startBuild();
  const ended = once(build, 'close');
  project.write('src/index.ts', 'import { free } from "free";\nconsole.log("two", free);\n');
  await ended;
  expect(project.build()).toBe(0);
  const [built, first] = [project.dist(), builtAt()];
  expect(built.map(([name]) => name)).toEqual(['index.js', 'licenses.txt', 'package.json']);
  expect(project.read('dist/index.js')).toContain('console.log("two","bundled")');
  expect(project.read('dist/licenses.txt')).toBe('free 1.0.0 (MIT)\n\nDo as you like.\n');

  expect(project.build()).toBe(0);
  expect(builtAt()).toBe(first);

  rmSync(join(project.folder, 'dist/licenses.txt'));
  project.write('dist/index.js', 'broken');
  project.write('dist/5.index.js', 'old chunk');
  expect(project.build()).toBe(0);
  expect(project.dist()).toEqual(built);
});

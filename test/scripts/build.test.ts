/** The build, on a small source. */
import { spawnSync } from 'node:child_process';
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
import { expect, test } from 'vitest';
import { noFolderLinks, skipWhen } from '../support/system.ts';
import { ROOT } from './workflow.ts';

skipWhen(noFolderLinks);

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
    const script = join(ROOT, '.github/scripts/build.mjs');
    return spawnSync(process.execPath, [script], { cwd: this.folder }).status;
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

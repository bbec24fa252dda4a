import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createFiles } from '../../../src/effects/files.ts';
import {
  DEVICES,
  link,
  makeFifo,
  noFifos,
  noFileLinks,
  noFolderLinks,
  onlyOnWindows,
} from '../../support/system.ts';

let root: string;
let workspace: string;

/** Writes a file below `root`, and its folder. */
function write(path: string, text: string): void {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), text);
}

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'docs-agent-job-'));
  workspace = join(root, 'workspace');
  write('workspace/prompt.md', 'für');
  write('workspace/docs/index.md', '');
  write('outside.md', 'outside');
});

afterEach(() => rmSync(root, { recursive: true }));

const read = async (path: string, maxBytes = 10) =>
  Buffer.from(await createFiles(workspace).read(path, maxBytes)).toString();

describe('a file', () => {
  test('is read by its path in the workspace, or by its absolute path', async () => {
    expect(await read('prompt.md')).toBe('für');
    expect(await read('docs/../prompt.md')).toBe('für');
    expect(await read(join(workspace, 'prompt.md'))).toBe('für');
    expect(await read(join(root, 'outside.md'))).toBe('outside');
  });

  test.skipIf(noFolderLinks)('is read in a workspace that is itself a link', async () => {
    link(workspace, join(root, 'linked'), 'folder');
    const files = createFiles(join(root, 'linked'));
    expect(Buffer.from(await files.read('prompt.md', 10)).toString()).toBe('für');
  });

  test.skipIf(onlyOnWindows)('is read by a path with backslashes on Windows', async () => {
    expect(await read('docs\\..\\prompt.md')).toBe('für');
  });

  test('is read up to one byte over the limit', async () => {
    expect((await createFiles(workspace).read('prompt.md', 1)).byteLength).toBe(2);
    expect((await createFiles(workspace).read('prompt.md', 4)).byteLength).toBe(4);
  });

  test('whose name begins with two dots lies inside the workspace', async () => {
    write('workspace/..prompt.md', 'dots');
    expect(await read('..prompt.md')).toBe('dots');
  });

  test('that does not exist is refused', async () => {
    await expect(read('none.md')).rejects.toThrow(
      /^there is no such file\. The path is relative to the workspace/,
    );
    await expect(read(join(tmpdir(), 'none', 'none.md'))).rejects.toThrow(
      /^there is no such file$/,
    );
  });

  test('that cannot be opened is refused without the system call and its path', async () => {
    await expect(read(`prompt.md/${'x'.repeat(10)}`)).rejects.toThrow(/^[^/]*$/);
    await expect(read('x'.repeat(10_000))).rejects.toThrow(/^[^/]*$/);
  });

  // macOS and Windows find `.git` by `.GIT` too.
  test.each(['.git/config', 'sub/.git/config', 'docs/../.git/config', '.git', 'other/.GIT/config'])(
    'in a folder of git is refused: %s',
    async (path) => {
      for (const folder of ['.git', 'sub/.git', 'other/.GIT']) {
        write(`workspace/${folder}/config`, 'extraheader');
      }
      await expect(read(path)).rejects.toThrow('it lies in `.git`');
      await expect(read(join(workspace, path))).rejects.toThrow('it lies in `.git`');
    },
  );

  test.skipIf(noFileLinks)('in a folder of git is refused when a link leads to it', async () => {
    write('other/.git/config', 'extraheader');
    write('workspace/.git/config', 'extraheader');
    link(join(workspace, '.git/config'), join(workspace, 'link.md'), 'file');
    link(join(root, 'other/.git/config'), join(root, 'absolute.md'), 'file');
    await expect(read('link.md')).rejects.toThrow('it lies in `.git`');
    await expect(read(join(root, 'absolute.md'))).rejects.toThrow('it lies in `.git`');
  });

  test('whose name only begins like the folder of git is read', async () => {
    write('workspace/.github/prompt.md', 'x');
    write('workspace/.gitignore', 'y');
    expect([await read('.github/prompt.md'), await read('.gitignore')]).toEqual(['x', 'y']);
  });

  test('outside the workspace is refused when its path is relative', async () => {
    await expect(read('../outside.md')).rejects.toThrow('it lies outside the workspace');
  });

  test.skipIf(noFileLinks)('outside the workspace is refused when a link leads to it', async () => {
    link(join(root, 'outside.md'), join(workspace, 'link.md'), 'file');
    await expect(read('link.md')).rejects.toThrow('it lies outside the workspace');
  });

  test.skipIf(noFolderLinks)(
    'in a folder outside the workspace is refused when a link leads to the folder',
    async () => {
      link(root, join(workspace, 'linked'), 'folder');
      await expect(read('linked/outside.md')).rejects.toThrow('it lies outside the workspace');
      expect(await read('linked/workspace/prompt.md')).toBe('für');
    },
  );

  test('that is a folder is refused', async () => {
    await expect(read('docs')).rejects.toThrow('it is not a regular file');
  });

  test.each(DEVICES)('that is $device is refused', async ({ path }) => {
    await expect(read(path)).rejects.toThrow();
  });

  test.skipIf(noFifos)('that is a FIFO is refused without waiting for a writer', async () => {
    makeFifo(join(workspace, 'fifo'));
    await expect(read('fifo')).rejects.toThrow('it is not a regular file');
  });
});

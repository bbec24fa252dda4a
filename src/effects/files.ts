import { open, realpath, stat } from 'node:fs/promises';
import { isAbsolute, relative, resolve, sep } from 'node:path';
import type { Files } from './effects.ts';

/** The files of this machine. Relative paths start at `workspace`. */
export function createFiles(workspace: string): Files {
  return {
    async read(path, maxBytes) {
      const real = await realpath(resolve(workspace, path));
      if (!isAbsolute(path) && !isInside(await realpath(workspace), real)) {
        throw new Error('it lies outside the workspace');
      }
      // Opening a FIFO or a device can block forever or have side effects, so the type is checked
      // first.
      if (!(await stat(real)).isFile()) throw new Error('it is not a regular file');
      await using file = await open(real);
      const chunks: Buffer[] = [];
      for await (const chunk of file.createReadStream({ end: maxBytes })) chunks.push(chunk);
      return Buffer.concat(chunks);
    },
  };
}

function isInside(folder: string, path: string): boolean {
  const relativePath = relative(folder, path);
  const isOutside = relativePath === '..' || relativePath.startsWith(`..${sep}`);
  return !isOutside && !isAbsolute(relativePath);
}

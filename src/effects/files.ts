import { open, realpath, stat } from 'node:fs/promises';
import { isAbsolute, relative, resolve, sep } from 'node:path';
import type { Files } from './effects.ts';

/** Reads files of this machine. Relative paths start at `workspace`. */
export function createFiles(workspace: string): Files {
  return {
    async read(path, maxBytes) {
      const real = await realpath(resolve(workspace, path)).catch(plainError(path));
      if (!isAbsolute(path) && !isInside(await realpath(workspace), real)) {
        throw new Error('it lies outside the workspace');
      }
      // Git keeps credentials there.
      if (real.split(sep).some((name) => name.toLowerCase() === '.git')) {
        throw new Error('it lies in `.git`');
      }
      // Opening a FIFO or a device can block forever or have side effects.
      if (!(await stat(real)).isFile()) throw new Error('it is not a regular file');
      // The stream closes the file.
      const file = await open(real).catch(plainError(path));
      const chunks: Buffer[] = [];
      for await (const chunk of file.createReadStream({ end: maxBytes })) chunks.push(chunk);
      return Buffer.concat(chunks);
    },
  };
}

/** Throws the error without the system call and the path, which the reader already knows. */
const plainError =
  (path: string) =>
  (error: NodeJS.ErrnoException): never => {
    const messages: Readonly<Record<string, string>> = {
      ENOENT: isAbsolute(path)
        ? 'there is no such file'
        : 'there is no such file. The path is relative to the workspace, and a file of the repository is there only after a checkout step',
      EACCES: 'the runner may not read it',
    };
    throw new Error(messages[error.code ?? ''] ?? error.code ?? error.message, { cause: error });
  };

function isInside(folder: string, path: string): boolean {
  const relativePath = relative(folder, path);
  return relativePath !== '..' && !relativePath.startsWith(`..${sep}`) && !isAbsolute(relativePath);
}

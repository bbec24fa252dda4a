import { open } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { Files } from './effects.ts';

/** Files of the machine, relative paths taken from `workspace`. */
export function createFiles(workspace: string): Files {
  return {
    async read(path, maxBytes) {
      await using file = await open(resolve(workspace, path));
      const chunks: Buffer[] = [];
      for await (const chunk of file.createReadStream({ end: maxBytes })) chunks.push(chunk);
      return Buffer.concat(chunks);
    },
  };
}

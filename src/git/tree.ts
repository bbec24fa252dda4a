/** Writes trees into a repository, so that git can compare files that are in none. */
import { createHash } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { deflateSync } from 'node:zlib';
import type { Repository } from './repository.ts';

export interface TreeEntry {
  readonly mode: string;
  readonly id: string;
  readonly path: string;
}

/**
 * Writes a tree and those in it, as git does, and returns its id. Git would need two processes for
 * it, or `git fast-import`, which Alpine Linux has in another package.
 * https://git-scm.com/book/en/v2/Git-Internals-Git-Objects#_tree_objects
 */
export async function writeTree(repo: Repository, entries: readonly TreeEntry[]): Promise<string> {
  const rows: TreeEntry[] = [];
  const folders = new Map<string, TreeEntry[]>();
  for (const entry of entries) {
    const end = entry.path.indexOf('/') + 1;
    const folder = entry.path.slice(0, end);
    if (folder === '') rows.push(entry);
    else {
      const inside = folders.get(folder) ?? [];
      folders.set(folder, inside);
      inside.push({ ...entry, path: entry.path.slice(end) });
    }
  }
  for (const [path, inside] of folders)
    rows.push({ mode: '40000', id: await writeTree(repo, inside), path });
  // Git sorts names by their bytes, and those of folders with a slash at their end.
  rows.sort((a, b) => Buffer.compare(Buffer.from(a.path), Buffer.from(b.path)));
  const parts = rows.flatMap(({ mode, id, path }) => [
    Buffer.from(`${mode} ${path.replace(/\/$/, '')}\0`),
    Buffer.from(id, 'hex'),
  ]);
  return writeObject(repo, Buffer.concat(parts));
}

async function writeObject(repo: Repository, content: Buffer): Promise<string> {
  const object = Buffer.concat([Buffer.from(`tree ${content.length}\0`), content]);
  const id = createHash('sha1').update(object).digest('hex');
  const folder = join(repo.directory, 'objects', id.slice(0, 2));
  await mkdir(folder, { recursive: true });
  const writing = writeFile(join(folder, id.slice(2)), deflateSync(object), { flag: 'wx' });
  // An object never changes.
  await writing.catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error;
  });
  return id;
}

/** Writes trees into a repository, so that git can compare files that are in none. */
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
  return repo.writeObject('tree', Buffer.concat(parts));
}

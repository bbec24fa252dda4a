/** `git diff` in the full repository, to compare with. */
import type { FileDiff } from '../../../src/git/diff.ts';
import type { Origin } from '../../support/origin.ts';

/** What git says of a range: rows of status, modes, paths and counts, and all patches. */
export function judge(origin: Origin, from: string, to: string): readonly string[] {
  const args = ['diff', '-l1000', from, to];
  const fields = origin.git(...args, '-z', '--raw', '--no-abbrev', '--numstat').split('\0');
  const rows: string[] = [];
  const counts: string[] = [];
  for (let at = 0; at < fields.length - 1; at += 1) {
    const field = fields[at] ?? '';
    if (field.startsWith(':')) {
      const [oldMode, mode, , , letter = ''] = field.slice(1).split(' ');
      const paths = letter.startsWith('R') ? [fields[++at], fields[++at]] : [fields[++at]];
      rows.push([letter.charAt(0).replace('T', 'M'), oldMode, mode, ...paths].join(' '));
    } else {
      const [additions, deletions, path] = field.split('\t');
      if (path === '') at += 2;
      // A binary file has no lines.
      counts.push(`${additions} ${deletions}`.replaceAll('-', '0'));
    }
  }
  const body = `${origin.git(...args)}\n`
    .split(/^diff --git .*\n/m)
    .slice(1)
    .map((patch) => (/^@@ /m.test(patch) ? patch.slice(patch.search(/^@@ /m)) : ''));
  return [...rows.map((row, at) => `${row} ${counts[at]}`).sort(), body.join('')];
}

const LETTERS = { added: 'A', removed: 'D', modified: 'M', renamed: 'R' } as const;

/** The same of our files. */
export function rowsOf(files: readonly FileDiff[]): readonly string[] {
  const rows = files.map(({ status, oldMode, mode, path, previous, additions, deletions }) =>
    [
      LETTERS[status],
      oldMode,
      mode,
      ...(previous === undefined ? [path] : [previous, path]),
      `${additions} ${deletions}`,
    ].join(' '),
  );
  const inOrder = [...files].sort((a, b) =>
    Buffer.compare(Buffer.from(a.path), Buffer.from(b.path)),
  );
  return [...rows.sort(), inOrder.map(({ patch }) => patch && `${patch}\n`).join('')];
}

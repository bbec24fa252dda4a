import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { withPatch } from '../../../../src/changes/patches/made.ts';
import type { ChangedFile } from '../../../../src/github/github.ts';
import { dose } from '../../../support/dose.ts';
import { noGit } from '../../../support/system.ts';

const uncounted = (filename: string): ChangedFile => ({
  ...{ filename, status: 'modified', lines: 'not-given' },
});

test('a file is known with its patch and the counts of that', () => {
  expect(withPatch(uncounted('a.ts'), 'one\ntwo\n', 'one\n2\nthree\n')).toEqual({
    ...{ ...uncounted('a.ts'), lines: { additions: 2, deletions: 1 } },
    patch: '@@ -1,2 +1,3 @@\n one\n-two\n+2\n+three',
  });
  expect(withPatch(uncounted('a.ts'), '', 'x\n').patch).toBe('@@ -0,0 +1,1 @@\n+x');
});

test('a file with the same text on both sides is known to have no changed line', () => {
  const lines = { additions: 0, deletions: 0 };
  expect(withPatch(uncounted('a.ts'), 'x\n', 'x\n')).toEqual({ ...uncounted('a.ts'), lines });
});

// Not a time, so that the prompt is the same on every machine.
test('a file of which more than 1,500 lines were edited stays as it is', () => {
  const lines = (text: string, count: number) => `${text}\n`.repeat(count);
  const edited = (count: number) =>
    withPatch(uncounted('a.ts'), lines('a', count), lines('b', 1_500 - 750));
  expect(edited(750)).toMatchObject({ lines: { additions: 750, deletions: 750 } });
  expect(edited(751)).toEqual(uncounted('a.ts'));
});

test.skipIf(noGit)(
  'git makes the new text of the old one by each patch (skipped without git)',
  () => {
    const folder = mkdtempSync(join(tmpdir(), 'docs-agent-job-made-'));
    const line = fc.constantFrom('a', 'b', '', '-- c', '++ d', '@@ -1 +1 @@', '\\ e', 'ü\t');
    const text = fc
      .tuple(fc.array(line, { maxLength: 30 }), fc.boolean())
      .map(([all, hasEnd]) => all.join('\n') + (hasEnd && all.length > 0 ? '\n' : ''));
    try {
      fc.assert(
        fc.property(text, text, (before, after) => {
          fc.pre(before !== after && before !== '' && after !== '');
          writeFileSync(join(folder, 'a'), before);
          const { patch, lines } = withPatch(uncounted('a'), before, after);
          if (typeof lines === 'string') throw new Error('no patch was made');
          const input = `--- a/a\n+++ b/a\n${patch}\n`;
          const git = (...args: readonly string[]) =>
            execFileSync('git', args, { cwd: folder, input, encoding: 'utf8' });
          expect(git('apply', '--numstat', '--whitespace=nowarn', '-')).toBe(
            `${lines.additions}\t${lines.deletions}\ta\n`,
          );
          git('apply', '--whitespace=nowarn', '-');
          expect(readFileSync(join(folder, 'a'), 'utf8')).toBe(after);
        }),
        { numRuns: dose(10, 200) },
      );
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  },
);

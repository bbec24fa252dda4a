import { spawnSync } from 'node:child_process';
import { devNull } from 'node:os';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { withoutTrailers } from '../../../../src/changes/write/commits.ts';
import { dose } from '../../../support/dose.ts';

const without = (message: string) => withoutTrailers(message.split('\n')).join('\n');

const SIGNED = 'Signed-off-by: A <a@b.c>';

test.each([
  // Names of people who signed off or helped.
  [`Add retries\n\nThey wait.\n\n${SIGNED}\nCo-authored-by: B`, 'Add retries\n\nThey wait.\n'],
  // One that goes on in indented lines.
  ['Add retries\n\nReviewed-by: A\n  and B\nFixes: #1', 'Add retries\n\nFixes: #1'],
  // `BREAKING CHANGE:` stays, also among trailers, and with a hyphen it is one to git.
  [`Drop v1\n\nBREAKING CHANGE: it is gone\n${SIGNED}`, 'Drop v1\n\nBREAKING CHANGE: it is gone'],
  ['Drop\n\nBREAKING-CHANGE: gone\n  now\nChange-Id: I1', 'Drop\n\nBREAKING-CHANGE: gone\n  now'],
  // The line that GitHub writes above the trailers of a squash is taken out with them.
  ['Add (#1)\n\n* a\n\n---------\n\nCo-authored-by: B <b@b.c>', 'Add (#1)\n\n* a\n'],
  // https://git-scm.com/docs/git-interpret-trailers: "at least 25% trailers", one of them git's own
  [`Add\n\na\nb\nc\n${SIGNED}`, 'Add\n\na\nb\nc'],
])('trailers are taken out of %j', (message, left) => {
  expect(without(message)).toBe(left);
});

test.each([
  // The title of a merged pull request, although it is a trailer to git.
  'Merge pull request #1 from octocat/x\n\nfeat: add retries',
  // Not in the last paragraph, and in the only one.
  'Explain trailers\n\nSigned-off-by: is a trailer.\n\nThis is the end.',
  `Add retries\n${SIGNED}`,
  // A last paragraph that is mostly text.
  'Add\n\na\nb\nc\nReviewed-by: A',
  `Add\n\na\nb\nc\nd\n${SIGNED}`,
])('all of %j stays', (message) => {
  expect(without(message)).toBe(message);
});

test('time is linear in the length of the message', () => {
  const lines = Array.from({ length: 100_000 }, () => ' \t'.repeat(10));
  expect(withoutTrailers(['Title', '', ...lines, 'Reviewed-by: A'])).toHaveLength(100_002);
});

/** The trailers as git reads them. A commit message has no patch below a line `---`. */
function trailersByGit(message: string): readonly string[] | undefined {
  const args = ['interpret-trailers', '--only-trailers', '--only-input', '--no-divider'];
  const env = {
    PATH: process.env['PATH'],
    ...{ GIT_CONFIG_NOSYSTEM: '1', GIT_CONFIG_GLOBAL: devNull },
  };
  const { status, stdout } = spawnSync('git', args, { input: message, encoding: 'utf8', env });
  return status === 0 ? stdout.split('\n').filter((line) => line !== '') : undefined;
}

const hasGit = trailersByGit('a') !== undefined;

describe.skipIf(!hasGit)('judged by git (skipped where git is missing)', () => {
  const lines = [
    ...['', '', ' ', '\t', '# note', ' indented', '\tindented', 'Some text.'],
    ...[SIGNED, '(cherry picked from commit 0123456)'],
    ...['Reviewed-by: B', 'Co-authored-by : C', 'Change-Id:I1', 'X-Y\t: z', 'Tested-by: T'],
    ...['Fixes: #1', 'feat: add', 'feat(x): add', 'BREAKING CHANGE: x', 'a b: c'],
    ...['BREAKING-CHANGE: x', ': x', '-: x', 'ü-x: y', 'https://example.com'],
  ];
  const anyLine = fc.constantFrom(...lines);

  test('what is taken out are the trailers of git whose names have a hyphen', () => {
    fc.assert(
      fc.property(fc.array(anyLine, { minLength: 1, maxLength: 12 }), (lines) => {
        const message = ['Title', ...lines].join('\n');
        const left = without(message).split('\n').filter(isWritten);
        const expected = (trailersByGit(`${message}\n`) ?? []).filter(
          (line, index, all) =>
            nameOf(line, index, all).includes('-') &&
            nameOf(line, index, all) !== 'BREAKING-CHANGE',
        );
        const kept = [...left, ...expected].map(normal).sort();
        expect(kept).toEqual(message.split('\n').filter(isWritten).map(normal).sort());
      }),
      { numRuns: dose(8, 40) },
    );
  });

  const isWritten = (line: string) => line.trim() !== '';

  /** The name of the trailer that a line begins or goes on with. */
  function nameOf(line: string, index: number, all: readonly string[]): string {
    const first = all.slice(0, index + 1).findLast((other) => !/^[ \t]/.test(other)) ?? line;
    return first.slice(0, first.indexOf(':')).trim();
  }

  /** Git writes one space after the colon and none before it. */
  const normal = (line: string) => line.replace(/^([A-Za-z0-9-]+)[ \t]*:[ \t]*/, '$1: ').trimEnd();
});

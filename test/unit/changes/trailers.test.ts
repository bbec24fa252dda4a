import { spawnSync } from 'node:child_process';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { withoutTrailers } from '../../../src/changes/commits.ts';
import { dose } from '../../support/dose.ts';

const without = (message: string) => withoutTrailers(message.split('\n')).join('\n');

test.each([
  {
    promise: 'names of people who signed off or helped are taken out',
    message: 'Add retries\n\nThey wait.\n\nSigned-off-by: A <a@b.c>\nCo-authored-by: B <b@b.c>',
    left: 'Add retries\n\nThey wait.\n',
  },
  {
    promise: 'a trailer that goes on in indented lines is taken out whole',
    message: 'Add retries\n\nReviewed-by: A\n  and B\nFixes: #1',
    left: 'Add retries\n\nFixes: #1',
  },
  {
    promise: '`BREAKING CHANGE:` stays, also among trailers',
    message: 'Drop v1\n\nBREAKING CHANGE: v1 is gone\nSigned-off-by: A <a@b.c>',
    left: 'Drop v1\n\nBREAKING CHANGE: v1 is gone',
  },
  {
    promise: '`BREAKING-CHANGE:` stays, although it is a trailer to git',
    message: 'Drop v1\n\nBREAKING-CHANGE: v1 is gone\n  for ever\nChange-Id: I1',
    left: 'Drop v1\n\nBREAKING-CHANGE: v1 is gone\n  for ever',
  },
  {
    promise: 'the title of a merged pull request stays, although it is a trailer to git',
    message: 'Merge pull request #1 from octocat/x\n\nfeat: add retries',
    left: 'Merge pull request #1 from octocat/x\n\nfeat: add retries',
  },
  {
    promise: 'the same words in an earlier paragraph stay',
    message: 'Explain trailers\n\nSigned-off-by: is a trailer.\n\nThis is the end.',
    left: 'Explain trailers\n\nSigned-off-by: is a trailer.\n\nThis is the end.',
  },
  {
    promise: 'the line that GitHub writes above the trailers of a squash is taken out with them',
    message: 'Add (#1)\n\n* a\n\n---------\n\nCo-authored-by: B <b@b.c>',
    left: 'Add (#1)\n\n* a\n',
  },
  {
    promise: 'a message of one paragraph has no trailers',
    message: 'Add retries\nSigned-off-by: A <a@b.c>',
    left: 'Add retries\nSigned-off-by: A <a@b.c>',
  },
  {
    promise: 'a last paragraph that is mostly text stays',
    message: 'Add\n\na\nb\nc\nReviewed-by: A',
    left: 'Add\n\na\nb\nc\nReviewed-by: A',
  },
  // https://git-scm.com/docs/git-interpret-trailers: "at least 25% trailers"
  {
    promise: 'one that git writes itself is taken out of a paragraph of which it is a quarter',
    message: 'Add\n\na\nb\nc\nSigned-off-by: A <a@b.c>',
    left: 'Add\n\na\nb\nc',
  },
  {
    promise: 'one that git writes itself stays in a paragraph of which it is less',
    message: 'Add\n\na\nb\nc\nd\nSigned-off-by: A <a@b.c>',
    left: 'Add\n\na\nb\nc\nd\nSigned-off-by: A <a@b.c>',
  },
])('$promise', ({ message, left }) => {
  expect(without(message)).toBe(left);
});

test('time is linear in the length of the message', () => {
  const lines = Array.from({ length: 100_000 }, () => ' \t'.repeat(10));
  expect(withoutTrailers(['Title', '', ...lines, 'Reviewed-by: A'])).toHaveLength(100_002);
});

/** The trailers as git reads them. A commit message has no patch below a line `---`. */
function trailersByGit(message: string): readonly string[] | undefined {
  const options = {
    input: message,
    encoding: 'utf8',
    env: {
      PATH: process.env['PATH'],
      GIT_CONFIG_NOSYSTEM: '1',
      GIT_CONFIG_GLOBAL: process.platform === 'win32' ? 'NUL' : '/dev/null',
    },
  } as const;
  const args = ['interpret-trailers', '--only-trailers', '--only-input', '--no-divider'];
  const { status, stdout } = spawnSync('git', args, options);
  return status === 0 ? stdout.split('\n').filter((line) => line !== '') : undefined;
}

const hasGit = trailersByGit('a') !== undefined;

describe.skipIf(!hasGit)('judged by git (skipped where git is missing)', () => {
  const anyLine = fc.oneof(
    fc.constantFrom('', '', ' ', '\t', '# note', ' indented', '\tindented', 'Some text.'),
    fc.constantFrom('Signed-off-by: A <a@b.c>', '(cherry picked from commit 0123456)'),
    fc.constantFrom(
      'Reviewed-by: B',
      'Co-authored-by : C',
      'Change-Id:I1',
      'X-Y\t: z',
      'Tested-by: T',
    ),
    fc.constantFrom('Fixes: #1', 'feat: add', 'feat(x): add', 'BREAKING CHANGE: x', 'a b: c'),
    fc.constantFrom('BREAKING-CHANGE: x', ': x', '-: x', 'ü-x: y', 'https://example.com'),
  );

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

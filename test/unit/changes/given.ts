/** Changes as other rooms pass them on, and hostile texts in them. */
import fc from 'fast-check';
import { type Changes, type ComposeOptions, composePrompt } from '../../../src/changes/compose.ts';
import type { RangeCommit } from '../../../src/changes/skip.ts';
import type { FileDiff } from '../../../src/git/diff.ts';
import type { CodePull, PullRequest } from '../../../src/github/pull-requests.ts';
import { anyText } from '../../support/hostile-texts.ts';

export const commitOf = (message: string, more: Partial<RangeCommit> = {}): RangeCommit => ({
  sha: '0123456789abcdef',
  message,
  parents: ['f'.repeat(40)],
  author: 'octocat',
  authorName: 'Octo Cat',
  pull: undefined,
  isSkipped: false,
  isRedundant: false,
  ...more,
});

/** A pull request behind a commit. */
export const behind = (number: number, title: string, body = ''): CodePull => ({
  ...{ number, title, body, author: 'octocat', labels: [] },
});

/** A pull request that a run is about. */
export const pullOf = (more: Partial<PullRequest> = {}): PullRequest => ({
  ...behind(41, 'Add retries', 'Requests are **retried** now.'),
  state: 'open',
  head: 'b'.repeat(40),
  headBranch: 'feature-x',
  isFromFork: false,
  baseBranch: 'main',
  mergeCommit: undefined,
  ...more,
});

/** A changed file whose counts are those of its patch. */
export function fileOf(path: string, patch: string, more: Partial<FileDiff> = {}): FileDiff {
  const count = (mark: string) => patch.split('\n').filter((line) => line.startsWith(mark)).length;
  return {
    path,
    status: 'modified',
    ...{ oldMode: '100644', mode: '100644', oldId: '1', id: '2' },
    ...{ additions: count('+'), deletions: count('-'), isGenerated: false },
    patch,
    ...more,
  };
}

/** A hunk of so many added lines of 10 bytes each. */
export const hunk = (lines: number) =>
  ['@@ -1 +1 @@', ...Array<string>(lines).fill('+12345678')].join('\n');

export const filesOf = (count: number, patch: string, folder = 'src') =>
  Array.from({ length: count }, (_, n) => fileOf(`${folder}/${n}.ts`, patch));

/** The changes of a push of one commit. */
export const changesOf = (
  listed: Changes['listed'],
  more: Partial<Omit<Changes, 'listed'>> = {},
): Changes => ({
  from: 'a'.repeat(40),
  to: 'b'.repeat(40),
  compareUrl: 'https://github.com/acme/app/compare/aaaaaaa..bbbbbbb',
  pull: undefined,
  release: undefined,
  commits: [commitOf('Subject')],
  files: listed,
  selected: listed,
  listed,
  ...more,
});

/** Of a push to `main`. */
export const PUSH = { eventName: 'push', ref: 'refs/heads/main', repository: 'acme/app' };

export function compose(
  changes: Changes,
  given: Partial<ComposeOptions> & { readonly instruction?: string } = {},
): string {
  const { instruction = 'Update the docs.', ...more } = given;
  const options = { level: 'diff', facts: PUSH, appendTo: undefined, ...more } as const;
  return composePrompt(instruction, changes, options);
}

/** The prompt's fence, and the lines before and within it. */
export function partsOf(prompt: string) {
  const lines = prompt.split('\n');
  const fence = lines.at(-2) ?? '';
  const at = lines.indexOf(fence);
  return { fence, before: lines.slice(0, at), data: lines.slice(at + 1, -2) };
}

/** The prompt with a fence that doesn't depend on its content. */
export const golden = (prompt: string) => prompt.replaceAll(partsOf(prompt).fence, 'changes-HASH');

/** Picks numbers below others, the same ones for a seed. */
export function picker(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state * 48_271) % 2_147_483_647;
    return state % below;
  };
}

/** Texts that look like parts of a prompt. */
const PARTS = [
  ...['changes-0123456789abcdef01234567', 'patches:', '=== src/evil.ts', '[cut: 1 line', '- x'],
  ...['@@ -1 +1 @@', '+a', '-b', '<!--', '-->', '![a](', '- [ ] ', '"', '\\"', 'Signed-off-by: '],
  ...['語', '😀', 'x'.repeat(3_000), '- [x] a\n'],
];

/** Hostile texts of all sizes. */
export const anyLength = fc
  .tuple(anyText, fc.constantFrom(0, 1, 20, 2_000), fc.constantFrom(...PARTS))
  .map(([text, times, part]) => text + part.slice(0, 40).repeat(times));

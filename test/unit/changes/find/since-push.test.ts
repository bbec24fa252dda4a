import { describe, expect, test } from 'vitest';
import { compareSince } from '../../../../src/changes/find/compare-since.ts';
import { skipReason } from '../../../../src/changes/find/find-changes.ts';
import type { Changes } from '../../../../src/changes/find/found.ts';
import type { GitHub } from '../../../../src/github/github.ts';

describe('the first push of a branch', () => {
  /**
   * The comparison with the default branch, whose last common commit with the head `h` is given. Without
   * one GitHub has no such branch. The first of the commits that the push names is `c`, after `b`.
   */
  const startOf = async (mergeBase?: string, hasCommits = true) => {
    const github = {
      event: { name: 'push', repository: 'o/r', ref: 'refs/heads/x', sha: 'h', payload: {} },
      commit: async (ref: string) => {
        const isThere = ref === 'heads/main' ? mergeBase !== undefined : hasCommits || ref === 'h';
        return isThere ? { sha: ref, parents: ref === 'c' ? ['b'] : [] } : undefined;
      },
      commitOfTag: async () => undefined,
      compare: async (base: string) => ({
        ...{
          status: base === 'b' ? 'ahead' : 'diverged',
          mergeBase: base === 'b' ? 'b' : mergeBase,
        },
        ...{ files: [], totalCommits: 0 },
      }),
    } as unknown as GitHub;
    const range = { kind: 'new-branch', base: 'main', eventStart: 'c^', head: 'h' } as const;
    return compareSince(github, 'auto', range);
  };

  test('starts at the default branch', async () => {
    expect(await startOf('a')).toMatchObject({ base: 'main', mergeBase: 'a' });
  });

  test('starts where the push says, if it was merged into the default branch meanwhile', async () => {
    expect(await startOf('h')).toMatchObject({ base: 'b', mergeBase: 'b' });
  });

  test('starts where the push says, if there is no default branch', async () => {
    expect(await startOf()).toMatchObject({ base: 'b', mergeBase: 'b' });
  });

  test('stops the step if GitHub has neither', async () => {
    await expect(startOf(undefined, false)).rejects.toThrow('GitHub no longer has `main`');
  });
});

describe('changes of which no file is left', () => {
  const skipped = (isSentBefore: boolean, totalCommits = 2) => {
    const found = {
      ...{ kind: 'known', event: { name: 'push' }, totalCommits, isUnchanged: true, selected: [] },
      ...{ gaps: [], isFiltered: true, isSentBefore, commits: [], skipped: new Map() },
    } as unknown as Changes;
    return skipReason(found, { since: 'last-success', changes: 'files' });
  };

  test('are skipped', () => {
    expect(skipped(false)).toBe('nothing-changed');
  });

  test('are sent if an agent may have got some of them: the docs may tell of what was taken back', () => {
    expect(skipped(true)).toBeUndefined();
    expect(skipped(true, 0)).toBe('nothing-changed');
  });
});

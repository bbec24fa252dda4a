import { describe, expect, test } from 'vitest';
import { type EventRange, rangeOf } from '../../../src/changes/range.ts';
import type { WorkflowEvent } from '../../../src/github/github.ts';
import { eventOf as event } from '../../support/fakes.ts';

const ZERO = '0'.repeat(40);

describe('changes start', () => {
  const rows: readonly {
    readonly promise: string;
    readonly of: WorkflowEvent;
    readonly range: Partial<EventRange>;
  }[] = [
    {
      promise: 'for a push at `before`',
      of: event('push', { before: 'b' }),
      range: { kind: 'between', base: 'b', head: 'h' },
    },
    {
      promise: 'for the push of a new branch at the default branch',
      of: event('push', { before: ZERO, repository: { default_branch: 'main' } }, 'refs/heads/x'),
      range: { kind: 'between', base: 'main', head: 'h' },
    },
    {
      promise: 'nowhere for the first push of the default branch',
      of: event('push', { before: ZERO, repository: { default_branch: 'main' } }),
      range: { kind: 'no-start', reason: 'this is the first push to its branch' },
    },
    {
      promise: 'nowhere for a push without a payload',
      of: event('push', undefined),
      range: { kind: 'no-start', reason: 'the event does not name the commit before this push' },
    },
    {
      promise: 'nowhere for a push that deletes its branch',
      of: event('push', { before: 'b', deleted: true }),
      range: { kind: 'no-start', reason: 'this push deleted its branch or tag' },
    },
    {
      promise: 'for a new tag at the tag before it',
      of: event('push', { before: ZERO }, 'refs/tags/v1/x'),
      range: { kind: 'tag-before', tag: 'v1/x', head: 'h' },
    },
    {
      promise: 'for a tag that was moved at its old commit',
      of: event('push', { before: 'b' }, 'refs/tags/v1'),
      range: { kind: 'between', base: 'b', head: 'h' },
    },
    {
      promise: 'for a pull request with its own files, up to its own head',
      of: event('pull_request', {
        pull_request: { number: 5, commits: 3, base: { sha: 'b' }, head: { sha: 'p' } },
      }),
      range: { kind: 'pull-request', number: 5, base: 'b', head: 'p', totalCommits: 3 },
    },
    {
      promise: 'for a merged pull request in the same way, and never end at the merge commit',
      of: event('pull_request_target', {
        pull_request: {
          number: 5,
          base: { sha: 'b' },
          head: { sha: 'p' },
          merged: true,
          merge_commit_sha: 'm',
        },
      }),
      range: { kind: 'pull-request', number: 5, base: 'b', head: 'p', totalCommits: 0 },
    },
    {
      promise: 'for a pull request without a number at its base',
      of: event('pull_request', { pull_request: { base: { sha: 'b' }, head: { sha: 'p' } } }),
      range: { kind: 'between', base: 'b', head: 'p' },
    },
    {
      promise: 'for a merge group at its base',
      of: event('merge_group', { merge_group: { base_sha: 'b', head_sha: 'g' } }),
      range: {
        kind: 'between',
        base: 'b',
        head: 'g',
        ifRemoved: expect.stringMatching(/^the merge group/),
      },
    },
    {
      promise: 'for a release at the release before it',
      of: event('release', { release: { tag_name: 'v1', prerelease: true } }),
      range: { kind: 'release-before', tag_name: 'v1', prerelease: true, head: 'h' },
    },
    {
      promise: 'for a release without a tag nowhere in the event',
      of: event('release'),
      range: { kind: 'none', head: 'h' },
    },
    ...['schedule', 'workflow_dispatch', 'repository_dispatch', 'issue_comment'].map((name) => ({
      promise: `for ${name} nowhere in the event`,
      of: event(name),
      range: { kind: 'none', head: 'h' } as const,
    })),
    {
      promise: 'for another event with a release in its payload nowhere in the event',
      of: event('workflow_call', { release: { tag_name: 'v1' } }),
      range: { kind: 'none', head: 'h' },
    },
    {
      promise: 'for a pull request without commits nowhere in the event',
      of: event('pull_request', { pull_request: { number: 5 } }),
      range: { kind: 'none', head: 'h' },
    },
    {
      promise: 'for a payload with fields of other types nowhere in the event',
      of: event('workflow_run', { pull_request: 1, merge_group: [], release: 'x', before: 3 }),
      range: { kind: 'none', head: 'h' },
    },
    {
      promise: 'for a payload that is not an object nowhere in the event',
      of: event('schedule', 'x'),
      range: { kind: 'none', head: 'h' },
    },
  ];
  test.each(rows)('$promise', ({ of, range }) => {
    expect(rangeOf(of)).toMatchObject(range);
  });
});

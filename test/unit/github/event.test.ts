import { describe, expect, test } from 'vitest';
import { changesOfEvent, type EventChanges, outlineOf } from '../../../src/github/event.ts';
import type { WorkflowEvent } from '../../../src/github/github.ts';
import { eventOf as event } from '../../support/fakes.ts';

const ZERO = '0'.repeat(40);

describe('changes start', () => {
  const main = { before: ZERO, repository: { default_branch: 'main' } };
  const pull = { number: 5, base: { ref: 'main', sha: 'b' }, head: { sha: 'p' } };
  // A merge commit is never where they end.
  const merged = { number: 6, base: { ref: 'v1' }, head: { sha: 'p' }, merge_commit_sha: 'm' };
  const group = { merge_group: { base_sha: 'b', head_sha: 'g' } };
  const removed = expect.stringMatching(/^commits were removed/);
  const rebuilt = expect.stringMatching(/^the merge group/);
  const newTag = event('push', { before: ZERO }, 'refs/tags/v1/x');
  const deleted = event('push', { before: 'b', deleted: true });
  const release = { tag_name: 'v1', prerelease: true };

  test.each<[where: string, of: WorkflowEvent, range: Partial<EventChanges>]>([
    ['at `before`', event('push', { before: 'b' }), { base: 'b', gapIfRemoved: removed }],
    [
      'at the default branch',
      event('push', main, 'refs/heads/x'),
      { kind: 'new-branch', base: 'main', eventStart: 'h' },
    ],
    ['at the tag before', newTag, { kind: 'tag-before', tag_name: 'v1/x' }],
    ['at the old commit of a tag', event('push', { before: 'b' }, 'refs/tags/v1'), { base: 'b' }],
    ['at its base', event('merge_group', group), { base: 'b', head: 'g', gapIfRemoved: rebuilt }],
    [
      'at the release before',
      event('release', { release }),
      { kind: 'release-before', ...release },
    ],
  ])('%s: %o', (_, of, range) => {
    expect(changesOfEvent(of)).toMatchObject({ kind: 'commit', head: 'h', ...range });
  });

  test.each([
    { of: event('pull_request', { pull_request: pull }), number: 5, baseRef: 'main' },
    { of: event('pull_request_target', { pull_request: merged }), number: 6, baseRef: 'v1' },
    { of: event('pull_request_review', { pull_request: merged }), number: 6, baseRef: 'v1' },
    {
      of: event('pull_request_review_comment', { pull_request: pull }),
      number: 5,
      baseRef: 'main',
    },
  ])('nowhere in its payload, because GitHub lists its own: $of.name', ({ of, ...more }) => {
    const { number, baseRef } = more;
    const range = { kind: 'pull-request', head: 'p', baseRef, pull: { number } };
    expect(changesOfEvent(of)).toMatchObject(range);
    expect(outlineOf(() => of)).toEqual({ head: 'p', pullNumber: number });
  });

  test.each([
    { of: event('push', main), reason: 'this is the first push to its branch' },
    { of: event('push', undefined), reason: 'the event does not name the commit before this push' },
    { of: deleted, reason: 'this push deleted its branch or tag' },
  ])('nowhere, because $reason', ({ of, reason }) => {
    expect(changesOfEvent(of)).toMatchObject({ kind: 'no-start', reason, head: 'h' });
  });

  // What of each payload is easily taken for a start, after https://github.com/octokit/webhooks. The
  // changes of such an event start where earlier runs of the step ended, whatever `since` says.
  // https://docs.github.com/actions/reference/workflows-and-actions/events-that-trigger-workflows
  test.each<[name: string, payload?: object]>([
    ['branch_protection_rule', { rule: { name: 'main' } }],
    ['check_run', { check_run: { head_sha: 'x', pull_requests: [{ number: 5 }] } }],
    ['check_suite', { check_suite: { before: 'b', after: 'x', head_branch: 'main' } }],
    ['create', { ref: 'v1', ref_type: 'tag', master_branch: 'main' }],
    ['delete', { ref: 'v1', ref_type: 'tag' }],
    ['deployment', { deployment: { sha: 'x', ref: 'main' }, workflow_run: null }],
    ['deployment_status', { deployment_status: { state: 'success' }, deployment: { sha: 'x' } }],
    ['discussion', { discussion: { number: 5 } }],
    ['discussion_comment', { discussion: { number: 5 }, comment: { body: 'x' } }],
    ['fork', { forkee: { default_branch: 'main', fork: true } }],
    ['gollum', { pages: [{ sha: 'x' }] }],
    ['image_version'],
    ['issue_comment', { issue: { number: 5, pull_request: { url: 'u' } } }],
    ['issues', { issue: { number: 5 } }],
    ['label', { label: { name: 'x' } }],
    ['milestone', { milestone: { number: 5 } }],
    ['page_build', { id: 5, build: { commit: 'x' } }],
    ['public', {}],
    ['registry_package', { registry_package: { package_version: { release: { id: 5 } } } }],
    ['repository_dispatch', { branch: 'main', client_payload: { before: 'b' } }],
    ['schedule', { schedule: '0 0 * * *' }],
    ['schedule', 'x' as never],
    ['status', { sha: 'x', commit: { sha: 'x' }, branches: [{ name: 'main' }] }],
    ['watch', { action: 'started' }],
    ['workflow_dispatch', { inputs: { since: 'b' }, ref: 'refs/heads/main' }],
    ['workflow_run', { workflow_run: { head_sha: 'x', pull_requests: [{ number: 5 }] } }],
    // Other engines, and payloads that are not what GitHub sends.
    ['release'],
    ['workflow_call', { release: { tag_name: 'v1' } }],
    ['pull_request', { pull_request: { base: { ref: 'main' } } }],
    ['workflow_run', { pull_request: 1, merge_group: [], release: 'x', before: 3 }],
  ])('where earlier runs ended in the event %s with the payload %j', (name, payload) => {
    const range = changesOfEvent(event(name, payload));
    expect(range).toEqual({ kind: 'none', reason: 'the event names no changes', head: 'h' });
  });
});

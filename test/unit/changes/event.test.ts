import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type EventRange, rangeOf, whatHappened } from '../../../src/changes/event.ts';
import type { WorkflowEvent } from '../../../src/github/github.ts';
import { dose } from '../../support/dose.ts';
import { eventOf as event } from '../../support/fakes.ts';
import { anyText } from '../../support/hostile-texts.ts';

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
      range: { kind: 'tag-before', tag_name: 'v1/x', head: 'h' },
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

const tell = (name: string, payload: unknown, ref = 'refs/heads/main') =>
  whatHappened({ name, payload, ref, sha: 'h', repository: 'acme/app' }, (text) => text);

/** As in https://docs.github.com/webhooks/webhook-events-and-payloads#pull_request */
const pull = {
  number: 41,
  title: 'Add retries',
  body: 'Requests are **retried** now.',
  merged: false,
  user: { login: 'octocat', type: 'User' },
  head: { ref: 'feature-x', label: 'acme:feature-x', sha: 'h' },
  base: { ref: 'main', label: 'acme:main', sha: 'b' },
};

describe('the line that says what happened names', () => {
  test.each([
    { event: 'push', payload: {}, line: 'push to main' },
    { event: 'push', payload: {}, ref: 'refs/heads/fix/a', line: 'push to fix/a' },
    { event: 'push', payload: {}, ref: 'refs/tags/v1.2.0', line: 'tag v1.2.0' },
    { event: 'push', payload: {}, ref: '', line: 'push' },
    {
      event: 'release',
      payload: { release: { tag_name: 'v1.2.0', name: 'Spring', prerelease: false } },
      line: 'release v1.2.0 (Spring)',
    },
    {
      event: 'release',
      payload: { release: { tag_name: 'v1.2.0', name: 'v1.2.0', body: null } },
      line: 'release v1.2.0',
    },
    {
      event: 'release',
      payload: { release: { tag_name: '0.0.1', name: '', body: '' } },
      line: 'release 0.0.1',
    },
    {
      event: 'release',
      payload: { release: { tag_name: 'v2-rc', name: null, prerelease: true } },
      line: 'release v2-rc as a pre-release',
    },
    { event: 'release', payload: {}, line: 'release on main' },
    {
      event: 'release',
      payload: { release: { tag_name: 'v1', name: 'a) as a "pre-release" (\\' } },
      line: 'release v1 (a\\) as a "pre-release" \\(\\\\)',
    },
    {
      event: 'pull_request',
      payload: { pull_request: { ...pull, title: 'a" by root, x into main, merged \\' } },
      line: 'pull request #41 "a\\" by root, x into main, merged \\\\" by octocat, feature-x into main',
    },
    {
      event: 'pull_request',
      payload: { action: 'opened', pull_request: pull },
      line: 'pull request #41 "Add retries" by octocat, feature-x into main',
    },
    {
      event: 'pull_request_target',
      payload: { action: 'closed', pull_request: { ...pull, merged: true } },
      line: 'pull request #41 "Add retries" by octocat, feature-x into main, merged',
    },
    {
      event: 'pull_request',
      payload: { action: 'closed', pull_request: pull },
      line: 'pull request #41 "Add retries" by octocat, feature-x into main, closed without a merge',
    },
    { event: 'pull_request', payload: { pull_request: {} }, line: 'pull request' },
    {
      event: 'pull_request',
      payload: { pull_request: { number: '1', title: 1, user: null, head: 'x', base: pull.base } },
      line: 'pull request, into main',
    },
    {
      event: 'merge_group',
      payload: {
        action: 'checks_requested',
        merge_group: {
          head_ref: 'refs/heads/gh-readonly-queue/main/pr-104-929f8209',
          base_ref: 'refs/heads/main',
        },
      },
      line: 'merge group gh-readonly-queue/main/pr-104-929f8209 into main',
    },
    { event: 'merge_group', payload: { merge_group: {} }, line: 'merge group' },
    {
      event: 'schedule',
      payload: { schedule: '30 5 * * 1' },
      line: 'schedule (30 5 * * 1) on main',
    },
    { event: 'schedule', payload: {}, line: 'schedule on main' },
    { event: 'workflow_dispatch', payload: { inputs: {} }, line: 'workflow_dispatch on main' },
    {
      event: 'repository_dispatch',
      payload: { action: 'sdk-released' },
      line: 'repository_dispatch sdk-released on main',
    },
    { event: 'workflow_dispatch', payload: undefined, ref: '', line: 'workflow_dispatch' },
  ])('$line', ({ event, payload, ref, line }) => {
    expect(tell(event, payload, ref).line).toBe(line);
  });
});

test('the tag of a release or of a pushed tag is known', () => {
  expect(tell('push', {}, 'refs/tags/v1').tag).toBe('v1');
  expect(tell('release', { release: { tag_name: 'v1' } }).tag).toBe('v1');
  expect(tell('push', {}).tag).toBeUndefined();
  expect(tell('pull_request', { pull_request: pull }).tag).toBeUndefined();
});

test('the description is what the author of a release or a pull request wrote', () => {
  expect(tell('release', { release: { tag_name: 'v1', body: 'New!' } }).description).toEqual({
    title: 'release notes',
    text: 'New!',
  });
  expect(tell('pull_request', { pull_request: pull }).description).toEqual({
    title: 'description of the pull request',
    text: 'Requests are **retried** now.',
  });
  for (const body of [null, '', ' \n', 5, undefined]) {
    expect(tell('release', { release: { body } }).description).toBeUndefined();
  }
});

test('any payload becomes one bounded line without invisible characters', () => {
  const anyPart = fc.oneof(anyText, fc.constantFrom(null, 5, {}, [], 'x'.repeat(5_000)));
  const anyPerson = fc.oneof(anyPart, fc.record({ login: anyPart, ref: anyPart }));
  const anyThing = fc.record(
    {
      tag_name: anyPart,
      name: anyPart,
      title: anyPart,
      number: fc.anything(),
      user: anyPerson,
      head: anyPerson,
      base: anyPerson,
      head_ref: anyPart,
      base_ref: anyPart,
    },
    { requiredKeys: [] },
  );
  const anyPayload = fc.record(
    {
      action: anyPart,
      schedule: anyPart,
      release: anyThing,
      pull_request: anyThing,
      merge_group: anyThing,
    },
    { requiredKeys: [] },
  );
  const anyName = fc.oneof(anyText, fc.constantFrom('push', 'release', 'schedule', 'pull_request'));
  fc.assert(
    fc.property(anyName, fc.oneof(anyPayload, fc.anything()), anyText, (name, payload, ref) => {
      const { line } = tell(name, payload, ref);
      expect(line.length).toBeLessThan(2_000);
      expect(line).not.toMatch(/[\p{Cc}\u202e\u2028\u2029]/u);
    }),
    { numRuns: dose(80, 600) },
  );
});

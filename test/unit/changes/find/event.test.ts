import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type EventRange, rangeOf, whatHappened } from '../../../../src/changes/find/event.ts';
import type { WorkflowEvent } from '../../../../src/github/github.ts';
import { dose } from '../../../support/dose.ts';
import { eventOf as event } from '../../../support/fakes.ts';
import { anyText } from '../../../support/hostile-texts.ts';

const ZERO = '0'.repeat(40);

describe('changes start', () => {
  const main = { before: ZERO, repository: { default_branch: 'main' } };
  const pull = { number: 5, commits: 3, base: { sha: 'b' }, head: { sha: 'p' } };
  // A merge commit is never where they end.
  const merged = { number: 6, base: { sha: 'b' }, head: { sha: 'p' }, merge_commit_sha: 'm' };
  const unnumbered = { base: { sha: 'b' }, head: { sha: 'p' } };
  const group = { merge_group: { base_sha: 'b', head_sha: 'g' } };
  const removed = expect.stringMatching(/^commits were removed/);
  const rebuilt = expect.stringMatching(/^the merge group/);
  const newTag = event('push', { before: ZERO }, 'refs/tags/v1/x');
  const deleted = event('push', { before: 'b', deleted: true });
  const release = { tag_name: 'v1', prerelease: true };

  test.each<[where: string, of: WorkflowEvent, range: Partial<EventRange>]>([
    ['at `before`', event('push', { before: 'b' }), { base: 'b', ifRemoved: removed }],
    ['at the default branch', event('push', main, 'refs/heads/x'), { base: 'main' }],
    ['at the tag before', newTag, { kind: 'tag-before', tag_name: 'v1/x' }],
    ['at the old commit of a tag', event('push', { before: 'b' }, 'refs/tags/v1'), { base: 'b' }],
    ['at its base', event('pull_request', { pull_request: unnumbered }), { base: 'b', head: 'p' }],
    ['at its base', event('merge_group', group), { base: 'b', head: 'g', ifRemoved: rebuilt }],
    [
      'at the release before',
      event('release', { release }),
      { kind: 'release-before', ...release },
    ],
  ])('%s: %o', (_, of, range) => {
    expect(rangeOf(of)).toMatchObject({ kind: 'between', head: 'h', ...range });
  });

  test.each([
    { of: event('pull_request', { pull_request: pull }), number: 5, totalCommits: 3 },
    { of: event('pull_request_target', { pull_request: merged }), number: 6, totalCommits: 0 },
  ])('at its base, with its own files: $of.name', ({ of, ...more }) => {
    const range = { kind: 'pull-request', base: 'b', head: 'p', ...more };
    expect(rangeOf(of)).toMatchObject(range);
  });

  test.each([
    { of: event('push', main), reason: 'this is the first push to its branch' },
    { of: event('push', undefined), reason: 'the event does not name the commit before this push' },
    { of: deleted, reason: 'this push deleted its branch or tag' },
  ])('nowhere, because $reason', ({ of, reason }) => {
    expect(rangeOf(of)).toMatchObject({ kind: 'no-start', reason, head: 'h' });
  });

  test.each([
    event('release'),
    event('schedule'),
    event('schedule', 'x'),
    event('workflow_call', { release: { tag_name: 'v1' } }),
    event('pull_request', { pull_request: { number: 5 } }),
    event('workflow_run', { pull_request: 1, merge_group: [], release: 'x', before: 3 }),
  ])('nowhere in the event $name with the payload $payload', (of) => {
    expect(rangeOf(of)).toEqual({ kind: 'none', reason: 'the event names no changes', head: 'h' });
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
const head_ref = 'refs/heads/gh-readonly-queue/main/pr-104';
const group = { head_ref, base_ref: 'refs/heads/main' };

describe('the line that says what happened', () => {
  test.each<[line: string, event: string, payload?: unknown, ref?: string]>([
    ['push to fix/a', 'push', {}, 'refs/heads/fix/a'],
    ['tag v1.2.0', 'push', {}, 'refs/tags/v1.2.0'],
    ['push', 'push', {}, ''],
    ['merge group', 'merge_group', { merge_group: {} }],
    ['merge group gh-readonly-queue/main/pr-104 into main', 'merge_group', { merge_group: group }],
    ['schedule (30 5 * * 1) on main', 'schedule', { schedule: '30 5 * * 1' }],
    ['schedule on main', 'schedule', {}],
    ['repository_dispatch sdk-released on main', 'repository_dispatch', { action: 'sdk-released' }],
    ['workflow_dispatch', 'workflow_dispatch', undefined, ''],
    ['release on main', 'release', {}],
  ])('is: %s', (line, event, payload, ref) => {
    expect(tell(event, payload, ref).line).toBe(line);
  });

  test.each([
    { release: { name: 'Spring', prerelease: false }, line: 'release v1 (Spring)' },
    { release: { name: 'v1', body: null }, line: 'release v1' },
    { release: { name: '', body: '' }, line: 'release v1' },
    { release: { name: null, prerelease: true }, line: 'release v1 as a pre-release' },
    { release: { name: 'a) as "b" (\\' }, line: 'release v1 (a\\) as "b" \\(\\\\)' },
  ])('of a release is: $line', ({ release, line }) => {
    expect(tell('release', { release: { tag_name: 'v1', ...release } }).line).toBe(line);
  });

  const plain = 'pull request #41 "Add retries" by octocat, feature-x into main';
  const asking = 'a" by root, x into main, merged \\';
  const broken = { number: '1', title: 1, user: null, head: 'x', base: pull.base };
  test.each<[line: string, pull_request: object, action?: string]>([
    [plain, pull, 'opened'],
    [`${plain}, merged`, { ...pull, merged: true }, 'closed'],
    [`${plain}, closed without a merge`, pull, 'closed'],
    [
      plain.replace('Add retries', 'a\\" by root, x into main, merged \\\\'),
      { ...pull, title: asking },
    ],
    ['pull request', {}],
    ['pull request, into main', broken],
  ])('of a pull request is: %s', (line, pull_request, action) => {
    expect(tell('pull_request', { action, pull_request }).line).toBe(line);
  });
});

test('the tag of a release or of a pushed tag is known', () => {
  expect(tell('push', {}, 'refs/tags/v1').tag).toBe('v1');
  expect(tell('release', { release: { tag_name: 'v1' } }).tag).toBe('v1');
  expect(tell('push', {}).tag).toBeUndefined();
});

test('the description is what the author of a release or a pull request wrote', () => {
  const release = { tag_name: 'v1', body: 'New!' };
  const notes = { title: 'release notes', text: 'New!' };
  expect(tell('release', { release }).description).toEqual(notes);
  const text = 'Requests are **retried** now.';
  const description = { title: 'description of the pull request', text };
  expect(tell('pull_request', { pull_request: pull }).description).toEqual(description);
  for (const body of [null, '', ' \n', 5, undefined]) {
    expect(tell('release', { release: { body } }).description).toBeUndefined();
  }
});

test('any payload becomes one bounded line without invisible characters', () => {
  const anyPart = fc.oneof(anyText, fc.constantFrom(null, 5, {}, [], 'x'.repeat(5_000)));
  const anyPerson = fc.oneof(anyPart, fc.record({ login: anyPart, ref: anyPart }));
  const recordOf = <T>(fields: readonly string[], value: fc.Arbitrary<T>) =>
    fc.record(Object.fromEntries(fields.map((field) => [field, value])), { requiredKeys: [] });
  const anyThing = fc
    .tuple(
      recordOf(['tag_name', 'name', 'title', 'number', 'head_ref', 'base_ref'], anyPart),
      recordOf(['user', 'head', 'base'], anyPerson),
    )
    .map(([parts, people]) => ({ ...parts, ...people }));
  const anyPayload = fc
    .tuple(
      recordOf(['action', 'schedule'], anyPart),
      recordOf(['release', 'pull_request', 'merge_group'], anyThing),
    )
    .map(([parts, things]) => ({ ...parts, ...things }));
  const anyName = fc.oneof(anyText, fc.constantFrom('push', 'release', 'schedule', 'pull_request'));
  fc.assert(
    fc.property(anyName, fc.oneof(anyPayload, fc.anything()), anyText, (name, payload, ref) => {
      const { line } = tell(name, payload, ref);
      expect(line.length).toBeLessThan(2_000);
      expect(line).not.toMatch(/[\p{Cc}\u202e\u2028\u2029]/u);
    }),
    { numRuns: dose(60, 600) },
  );
});

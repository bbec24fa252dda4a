import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { whatHappened } from '../../../../src/changes/write/happened.ts';
import { dose } from '../../../support/dose.ts';
import { eventOf } from '../../../support/fakes.ts';
import { anyText } from '../../../support/hostile-texts.ts';

const tell = (name: string, payload: unknown, ref = 'refs/heads/main') =>
  whatHappened(eventOf(name, payload, ref), (text) => text);

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

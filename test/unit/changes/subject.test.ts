import { expect, test } from 'vitest';
import { subjectOf } from '../../../src/changes/subject.ts';
import { readFacts } from '../../../src/github/event.ts';

const head = 'c'.repeat(40);

/** What a run of this event is about. */
const subjectFor = (event: string, ref: string, payload: object = {}) =>
  subjectOf(readFacts({ GITHUB_EVENT_NAME: event, GITHUB_REF: ref, GITHUB_SHA: head }, payload));

const MAIN = 'refs/heads/main';
const main = { kind: 'branch', branch: 'main', head };
const pull = { kind: 'pull', number: 7 };
const v1 = { kind: 'tag', tag: 'a/v1', head };
const release = { tag_name: 'a/v1' };
const nothing = (reason: string) => ({ kind: 'nothing', reason });

test.each<[what: string, event: string, ref: string, payload: object, subject: object]>([
  ['a branch that was pushed', 'push', 'refs/heads/a/b', {}, { ...main, branch: 'a/b' }],
  ['the branch of a schedule', 'schedule', MAIN, {}, main],
  ['the default branch, on an issue', 'issue_comment', MAIN, { issue: { number: 3 } }, main],
  ['a tag that was pushed', 'push', 'refs/tags/a/v1', {}, v1],
  ['the tag of a release', 'release', 'refs/tags/a/v1', { release }, v1],
  ['a pull request', 'pull_request', 'refs/pull/7/merge', { pull_request: { number: 7 } }, pull],
  ['one on its base', 'pull_request_target', MAIN, { pull_request: { number: 7 } }, pull],
  ['one by a comment', 'issue_comment', MAIN, { issue: { number: 7, pull_request: {} } }, pull],
  ['no merge group', 'merge_group', MAIN, { merge_group: {} }, nothing('merge-group')],
  ['no deleted branch', 'push', MAIN, { deleted: true }, nothing('branch-deleted')],
])('a run is about %s', (_, event, ref, payload, subject) => {
  expect(subjectFor(event, ref, payload)).toEqual(subject);
});

test('a run on no branch, tag, or pull request stops with an error that names its event', () => {
  expect(() => subjectFor('deployment', '')).toThrow('its event is `deployment`');
});

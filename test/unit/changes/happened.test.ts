import { expect, test } from 'vitest';
import { whatHappened } from '../../../src/changes/happened.ts';
import type { Payload } from '../../../src/github/event.ts';
import { pullOf } from './given.ts';

test.each<[line: string, eventName: string, payload: Payload, ref: string]>([
  ['push to fix/a', 'push', {}, 'refs/heads/fix/a'],
  ['push to a\\n\\u{202e}b', 'push', {}, 'refs/heads/a\n\u202eb'],
  ['tag v1.2.0', 'push', {}, 'refs/tags/v1.2.0'],
  ['schedule', 'schedule', {}, 'refs/heads/main'],
  ['release v1 (Spring)', 'release', { release: { tag_name: 'v1', name: 'Spring' } }, ''],
  ['release v1', 'release', { release: { tag_name: 'v1', name: 'v1' } }, ''],
  ['release v1', 'release', { release: { tag_name: 'v1' } }, ''],
])('says: %s', (line, eventName, payload, ref) => {
  expect(whatHappened({ eventName, payload, ref }, undefined).line).toBe(line);
});

test('names the pull request that a run is about, whatever its event', () => {
  const facts = { eventName: 'issue_comment', payload: {}, ref: 'refs/heads/main' };
  const pull = pullOf({ title: 'a" by root', author: undefined });
  expect(whatHappened(facts, pull).line).toBe(
    'pull request #41 "a\\" by root" by ghost, feature-x into main',
  );
});

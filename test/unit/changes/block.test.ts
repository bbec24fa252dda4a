import { describe, expect, test } from 'vitest';
import type { Payload } from '../../../src/github/event.ts';
import { changesOf, commitOf, compose, filesOf, hunk, partsOf, pullOf } from './given.ts';

describe('what happened', () => {
  test.each<[line: string, eventName: string, payload: Payload, ref: string]>([
    ['push to fix/a', 'push', {}, 'refs/heads/fix/a'],
    ['push to a\\n\\u{202e}b', 'push', {}, 'refs/heads/a\n\u202eb'],
    ['tag v1.2.0', 'push', {}, 'refs/tags/v1.2.0'],
    ['schedule', 'schedule', {}, 'refs/heads/main'],
    ['release v1 (Spring)', 'release', { release: { tag_name: 'v1', name: 'Spring' } }, ''],
    ['release v1', 'release', { release: { tag_name: 'v1' } }, ''],
  ])('is: %s', (line, eventName, payload, ref) => {
    const { data } = partsOf(compose(changesOf([]), { facts: { eventName, payload, ref } }));
    expect(data[0]).toBe(`what happened: ${line}`);
  });

  test('is about the pull request of a run, whatever its event', () => {
    const facts = { eventName: 'issue_comment', payload: {}, ref: 'refs/heads/main' };
    const pull = pullOf({ title: 'a" by root', author: undefined });
    const { data } = partsOf(compose(changesOf([], { pull }), { facts }));
    expect(data[0]).toBe(
      'what happened: pull request #41 "a\\" by root" by ghost, feature-x into main',
    );
  });
});

describe('what does not fit', () => {
  test('is cut fairly, named, and counted', () => {
    const files = [...filesOf(600, hunk(100)), ...filesOf(30, hunk(100), 'test')];
    const commits = Array.from({ length: 2_000 }, (_, n) =>
      commitOf(`Change ${n}`, { sha: `${n}`.padStart(12, '0') }),
    );
    const prompt = compose(changesOf(files, { commits }));
    const { data } = partsOf(prompt);
    const from = (title: string, count: number) => {
      const at = data.indexOf(title);
      return data.slice(at, at + count);
    };
    expect(from('commits, oldest first:', 3).slice(1)).toEqual([
      ...['- 117 older commits', '- 000000000117 Change 117'],
    ]);
    expect(from('630 changed files:', 302).at(-1)).toBe('- 330 more files');
    const count = (pattern: RegExp) => data.filter((line) => pattern.test(line)).length;
    const [all, shown] = [count(/^=== /), count(/^=== src\//)];
    expect(from('patches:', 2)).toEqual(['patches:', '=== src/0.ts']);
    expect(count(/^\[cut: \d\d changed lines missing\]$/)).toBe(all);
    expect(from('no room for the patches of:', 22).slice(1)).toEqual([
      ...Array.from({ length: 20 }, (_, n) => `- src/${n + shown}.ts`),
      `- ${630 - all - 20} more files`,
    ]);
    const size = Buffer.byteLength(prompt);
    expect(size).toBeLessThanOrEqual(200_000);
    expect(size).toBeGreaterThan(190_000);
  });

  test('of a description is after 20,000 characters', () => {
    const shown = (length: number) => {
      const changes = changesOf([], { pull: pullOf({ body: '語'.repeat(length) }) });
      return /^ {4}(語+)(…?)$/m.exec(compose(changes)) ?? [];
    };
    expect(shown(19_900)[2]).toBe('');
    expect([shown(20_001)[1]?.length, shown(20_001)[2]]).toEqual([19_999, '…']);
  });

  test('leaves room for patches beside a long instruction, description, and list', () => {
    const pull = pullOf({ body: '語'.repeat(20_000) });
    const folder = 'x'.repeat(200);
    const changes = changesOf(filesOf(300, hunk(100), folder), { pull });
    const prompt = compose(changes, { instruction: 'x'.repeat(150_000) });
    expect(prompt).toContain(`=== ${folder}/0.ts`);
  });
});

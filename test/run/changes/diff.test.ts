/** Patches that GitHub does not give, made from both sides of each file. */
import { describe, expect, test } from 'vitest';
import { type Given, playChanges } from '../../support/play.ts';

const [BEFORE, AFTER] = ['b'.repeat(40), 'a'.repeat(40)];
const names = Array.from({ length: 320 }, (_, n) => `src/${String(n).padStart(3, '0')}.ts`);
const files = names.map((filename) => ({ filename }));
const last = names.at(-1) ?? '';
const push: Given = {
  eventName: 'push',
  event: { before: BEFORE },
  sha: AFTER,
  inputs: { changes: 'diff', paths: last },
  github: {
    commits: [
      { sha: BEFORE, parents: [], files },
      { sha: AFTER, parents: [BEFORE], files },
    ],
    // The fake's trees name each file by the commit that changed it.
    blobs: { [BEFORE]: 'export const before = 1;\n', [AFTER]: 'export const after = 1;\n' },
  },
};

describe('a file past the first 300', () => {
  test.concurrent('has the patch that its two versions make', async () => {
    const seen = await playChanges(push);
    expect(seen.prompt).toContain(
      `=== ${last}\n@@ -1,1 +1,1 @@\n-export const before = 1;\n+export const after = 1;\n`,
    );
    expect(seen.warnings).toEqual([]);
    expect(seen.requests.map((path) => path.split(/[?/]/)[1])).toEqual([
      'repos',
      'repos',
      'repos',
      'graphql',
      'graphql',
    ]);
  });

  test.concurrent('is named without one on an engine without GraphQL, and a warning says so', async () => {
    const { commits = [] } = push.github;
    const seen = await playChanges({ ...push, github: { commits } });
    expect(seen.prompt).not.toContain('patches:');
    expect(seen.prompt).toContain(`- 1 patch that GitHub did not give: ${last}\n`);
    expect(seen.warnings[0]).toContain('the prompt has no patch of the 1 file');
  });
});

test.concurrent('a pull request of 3,000 files without patches needs at most 45 requests', async () => {
  const listed = Array.from({ length: 3_000 }, (_, n) => ({
    filename: names[n] ?? `x${n}`,
    status: 'modified',
    additions: 9,
    deletions: 0,
  }));
  const commits = Array.from({ length: 250 }, () => ({ sha: AFTER, parents: [] }));
  const head = { sha: AFTER };
  const seen = await playChanges({
    ...push,
    eventName: 'pull_request',
    event: { pull_request: { number: 5, commits: 250, base: { sha: BEFORE }, head } },
    github: {
      ...push.github,
      pulls: { 5: { commits, files: listed } },
      pullStates: { 'acme/app#5': { state: 'open', head } },
    },
    inputs: { changes: 'diff' },
  });
  expect(seen.prompt).toContain('\n+export const after = 1;\n');
  expect(seen.requests.length).toBeGreaterThan(40);
  expect(seen.requests.length).toBeLessThanOrEqual(45);
});

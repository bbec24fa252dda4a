import { describe, expect, test } from 'vitest';
import { type FakeFile, line } from '../../support/github-service.ts';
import { type Given, play, playChanges, pushOf } from '../../support/play.ts';

/** A push that changes these files, looked at with these `paths`. */
const push = (paths: string, files: readonly FakeFile[]): Given => ({
  eventName: 'push',
  event: { before: 'c1' },
  inputs: { paths, changes: 'none' },
  github: {
    commits: [
      { sha: 'c1', parents: [] },
      { sha: 'c5', parents: ['c1'], files },
    ],
  },
});

describe('an agent job is created only when a changed file matches:', () => {
  const files = [
    { filename: 'src/new.ts', previous_filename: 'lib/old.ts', status: 'renamed' },
    { filename: 'docs/copy.md', previous_filename: 'watched/a.md', status: 'copied' },
  ];
  test.concurrent.each([
    { promise: 'by its name before a rename', paths: 'lib/**', outcome: 'started' },
    { promise: 'not when it was only copied', paths: 'watched/**', outcome: 'skipped' },
  ])('$promise', async ({ paths, outcome }) => {
    const seen = await playChanges(push(paths, files));
    expect(seen.outputs['outcome']).toBe(outcome);
    expect(seen.prompt).toBe(outcome === 'started' ? 'Document it.' : undefined);
    expect(seen.result.exitCode).toBe(0);
    expect(seen.warnings).toEqual([]);
  });
});

test.concurrent('a list of over 300 files is completed before the step is skipped', async () => {
  const files = Array.from({ length: 301 }, (_, n) => ({ filename: `a/${n}` }));
  const seen = await playChanges(push('b/**', files));
  expect(seen.outputs['outcome']).toBe('skipped');
  expect(seen.requests).toHaveLength(3);
});

test.concurrent('changes are appended to a follow-up message', async () => {
  const { prompt } = await play({
    inputs: { prompt: 'More.', jobId: 'job_1', changes: 'files', wait: 'false' },
    github: { commits: line(5) },
    ...pushOf('c4', 'c5'),
  });
  expect(prompt).toMatch(/^More\.\n[\s\S]*Subject 5/);
});

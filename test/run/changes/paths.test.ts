import { expect, test } from 'vitest';
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

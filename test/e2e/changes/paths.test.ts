import { describe, expect, test } from 'vitest';
import { annotations, runAction } from '../../support/action.ts';
import { AgentService } from '../../support/agent-service.ts';
import { type Given, runChanges, warningsOf } from '../../support/changes-run.ts';
import { type FakeCommit, GitHubService, line, onPush } from '../../support/github-service.ts';

const push: Given = {
  event: 'push',
  payload: { before: 'c1' },
  github: {
    commits: [
      { sha: 'c1', parents: [] },
      {
        sha: 'c5',
        parents: ['c1'],
        message: 'Subject 5',
        files: [
          { filename: 'src/new.ts', previous_filename: 'lib/old.ts', status: 'renamed' },
          { filename: 'docs/guide.md' },
          { filename: 'docs/copy.md', previous_filename: 'watched/a.md', status: 'copied' },
        ],
      },
    ],
  },
};

describe('an agent job is created only when a changed file matches:', () => {
  test.concurrent.each([
    { promise: 'by its name before a rename', paths: 'lib/**', outcome: 'started' },
    { promise: 'not when it was only copied', paths: 'watched/**', outcome: 'skipped' },
  ])('$promise', async ({ paths, outcome }) => {
    const seen = await runChanges({ ...push, inputs: { paths, changes: 'none' } });
    expect(seen.result.outputs['outcome']).toBe(outcome);
    expect(seen.prompt).toBe(outcome === 'started' ? 'Document it.' : undefined);
    expect(seen.result.exitCode).toBe(0);
    expect(warningsOf(seen)).toEqual([]);
  });

  test.concurrent('not for a push without commits', async () => {
    const seen = await runChanges({ ...push, payload: { before: 'c5' }, inputs: { paths: '**' } });
    expect(seen.result.outputs['outcome']).toBe('skipped');
  });
});

describe('the step is skipped only when the list of files is complete:', () => {
  const many = (n: number): readonly FakeCommit[] => [
    { sha: 'c1', parents: [] },
    {
      sha: 'c5',
      parents: ['c1'],
      files: Array.from({ length: n }, (_, i) => ({ filename: `a/${i}` })),
    },
  ];
  test.concurrent.each([
    { files: 299, trees: 'whole', requests: 1, outcome: 'skipped' },
    { files: 301, trees: 'whole', requests: 3, outcome: 'skipped' },
    { files: 301, trees: 'cut', requests: 3, outcome: 'started' },
  ])(
    'the outcome is $outcome when none of $files files matches and trees are $trees',
    async ({ files, trees, requests, outcome }) => {
      const cut = { status: 200, body: { tree: [], truncated: true } };
      const seen = await runChanges({
        ...push,
        github: {
          commits: many(files),
          fail: (path) => (trees === 'cut' && path.includes('/git/trees/') ? cut : undefined),
        },
        inputs: { paths: 'b/**' },
      });
      expect(seen.result.outputs['outcome']).toBe(outcome);
      expect(seen.requests).toHaveLength(requests);
    },
  );

  test.concurrent('it is not skipped when a push removed commits', async () => {
    const seen = await runChanges({
      ...push,
      payload: { before: 'x1', forced: true },
      github: {
        commits: [
          { sha: 'c5', parents: [] },
          { sha: 'x1', parents: ['c5'], files: [{ filename: 'b/1' }] },
        ],
      },
      inputs: { paths: 'b/**' },
    });
    expect(seen.prompt).toContain('commits were removed by a force push');
  });
});

test.concurrent('patterns and names that are made to take long do not delay the step', async () => {
  const name = (n: number) => `_posts/${'-'.repeat(3_000)}${n}`;
  const files = Array.from({ length: 299 }, (_, n) => ({ filename: name(n) }));
  const seen = await runChanges({
    ...push,
    github: {
      commits: [
        { sha: 'c1', parents: [] },
        { sha: 'c5', parents: ['c1'], files },
      ],
    },
    inputs: { paths: `_posts/*-*-*-*.md\n${'\\\\'.repeat(400)}x\n**/*-*-*-*x`, timeout: '30s' },
  });
  expect(seen.result.outputs['outcome']).toBe('skipped');
});

test.concurrent('common mistakes in patterns are refused before any request', async () => {
  const seen = await runChanges({ ...push, inputs: { paths: "- 'src/**'" } });
  expect(seen.result.exitCode).toBe(1);
  expect(seen.result.stdout).toContain("`paths` contains `- 'src/**'`; write `src/**`");
  expect(seen.requests).toEqual([]);
});

test.concurrent('changes are not searched for when an agent job is only followed', async () => {
  await using service = await AgentService.start();
  const jobId = service.addJob();
  const result = await runAction({
    inputs: { jobId, wait: 'false', changes: 'diff', paths: 'x', baseUrl: service.url },
    env: { GITHUB_API_URL: 'http://127.0.0.1:1' },
  });
  expect(annotations(result)).toHaveLength(1);
  expect(result.exitCode).toBe(0);
});

test.concurrent('changes are appended to a follow-up message', async () => {
  await using github = await GitHubService.start({ commits: line(5) });
  await using service = await AgentService.start();
  const jobId = service.addJob();
  await runAction({
    inputs: { prompt: 'More.', jobId, changes: 'files', wait: 'false', baseUrl: service.url },
    ...onPush(github.url, 'c4', 'c5'),
  });
  expect(service.requests[0]?.body).toContain('Subject 5');
});

test.concurrent('a folder without its stars gets a warning with what to write', async () => {
  const seen = await runChanges({ ...push, inputs: { paths: 'docs' } });
  expect(seen.result.outputs['outcome']).toBe('skipped');
  expect(warningsOf(seen)).toEqual([expect.stringContaining('`docs`: write `docs/**`')]);
});

/** `dryRun: true` does everything except the call to the service. */
import { expect, test } from 'vitest';
import { annotations } from '../support/action.ts';
import { AgentService } from '../support/agent-service.ts';
import { GitHubService, line, onPush } from '../support/github-service.ts';
import { runHere } from '../support/in-process.ts';
import { render } from '../support/markdown.ts';

test.concurrent('a dry run sends nothing, needs no key, and shows the prompt unfolded', async () => {
  await using service = await AgentService.start();
  const result = await runHere({
    inputs: { prompt: 'Document <it>.', dryRun: 'true', adminApiKey: '', baseUrl: service.url },
  });
  expect(service.connections).toBe(0);
  expect(result).toMatchObject({ exitCode: 0, outputs: { outcome: 'dry-run', jobId: '' } });
  expect(annotations(result)).toEqual([
    'notice: Without `dryRun`, this step would create an agent job with the prompt in the job summary.',
  ]);
  expect(result.summary).toContain('## 📝 Dry run; nothing was sent · `local-project`');
  const shown = render(result.summary);
  expect(shown).toContain('<details open><summary>Prompt (14 characters)</summary>');
  expect(shown).toContain('<pre><span><code>Document &lt;it&gt;.</code></span></pre>');
});

test.concurrent('a dry run shows the changes as they would be sent', async () => {
  await using service = await AgentService.start();
  await using github = await GitHubService.start({ commits: line(3) });
  const result = await runHere({
    inputs: { prompt: 'x', dryRun: 'true', changes: 'diff', baseUrl: service.url },
    ...onPush(github.url, 'c1', 'c3'),
  });
  // One free read of an agent job that cannot exist.
  expect(service.transcript).toEqual(['GET job/dry-run-access-check']);
  expect(result.outputs['outcome']).toBe('dry-run');
  expect(result.summary).toContain('Subject 3');
  expect(result.summary).toContain('+new 3');
});

test.concurrent('a dry run is skipped as a real run would be, and leaves no record either', async () => {
  await using github = await GitHubService.start({ commits: line(3) });
  const result = await runHere({
    inputs: { prompt: 'x', dryRun: 'true', paths: 'docs/**' },
    ...onPush(github.url, 'c1', 'c3'),
  });
  expect(result).toMatchObject({ exitCode: 0, outputs: { outcome: 'skipped' } });
  expect(annotations(result).join('\n')).not.toContain('(for later runs)');
});

test.concurrent('a dry run says which agent job would get a follow-up message', async () => {
  const inputs = { prompt: 'x', jobId: 'job_7', dryRun: 'true', adminApiKey: '' };
  expect(annotations(await runHere({ inputs }))[0]).toContain(
    'would send agent job `job_7` the follow-up message in the job summary',
  );
});

test.concurrent.each([
  { promise: 'a prompt of 900,000 letters is shown whole', letters: 900_000, isWhole: true },
  {
    promise: 'a prompt of 1,100,000 letters is shown up to the limit of a summary',
    letters: 1_100_000,
    isWhole: false,
  },
])('$promise', async ({ letters, isWhole }) => {
  const { summary } = await runHere(
    { inputs: { promptFile: 'prompt.md', dryRun: 'true', adminApiKey: '' } },
    undefined,
    { files: { read: async () => Buffer.alloc(letters, 'a') } },
  );
  const shown = /<pre><span><code>(a+)<\/code><\/span><\/pre>/.exec(summary)?.[1] ?? '';
  expect(shown.length === letters).toBe(isWhole);
  expect(shown.length).toBeGreaterThan(899_999);
  expect(Buffer.byteLength(summary)).toBeLessThan(1024 * 1024);
});

/** `dryRun: true` does everything except the call to the service. */
import { expect, test } from 'vitest';
import { line } from '../support/github-service.ts';
import { render } from '../support/markdown.ts';
import { play, pushOf } from '../support/play.ts';

test.concurrent('a dry run sends nothing, needs no key, and shows the prompt unfolded', async () => {
  const { agent, result, outputs, said } = await play({
    inputs: { prompt: 'Document <it>.', dryRun: 'true', adminApiKey: '' },
  });
  expect([agent.connections, result.exitCode]).toEqual([0, 0]);
  expect(outputs).toMatchObject({ outcome: 'dry-run', jobId: '' });
  expect(said).toEqual([
    'notice: Without `dryRun`, this step would create an agent job with the prompt in the job summary.\nNo `adminApiKey` was given, so neither the key nor `projectId` was checked.',
  ]);
  expect(result.summary).toContain('## 📝 Dry run; nothing was sent · `local-project`');
  const shown = render(result.summary);
  expect(shown).toContain('<details open><summary>Prompt (14 characters)</summary>');
  expect(shown).toContain('<pre><span><code>Document &lt;it&gt;.</code></span></pre>');
});

test.concurrent('a dry run is skipped as a real run would be, and leaves no record either', async () => {
  const { result, said } = await play({
    inputs: { prompt: 'x', dryRun: 'true', paths: 'docs/**' },
    github: { commits: line(3) },
    ...pushOf('c1', 'c3'),
  });
  expect(result).toMatchObject({ exitCode: 0, outputs: { outcome: 'skipped' } });
  expect(said.join('\n')).not.toContain('(for later runs)');
});

test.concurrent('a refused key fails a dry run before GitHub is asked', async () => {
  const { agent, outputs, requests, said } = await play({
    inputs: { prompt: 'x', dryRun: 'true', changes: 'files', adminApiKey: 'mint_of_another' },
    github: { commits: line(3) },
    ...pushOf('c1', 'c3'),
  });
  expect([agent.transcript, requests]).toEqual([['GET job/dry-run-access-check'], []]);
  expect(outputs['outcome']).toBe('error');
  expect(said.at(-1)).toContain('refused the key');
});

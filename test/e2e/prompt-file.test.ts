/** Where `promptFile` may lie, with the paths, links and devices of the system under the tests. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type ActionOptions, runAction } from '../support/action.ts';
import { AgentService } from '../support/agent-service.ts';
import { link, noFileLinks, noFolderLinks, onlyOnWindows } from '../support/system.ts';

const FILES = { 'docs/prompt.md': 'From a file.\r\n' };

/** The prompts that reached the service. */
async function promptsFrom(promptFile: string, more: ActionOptions = {}): Promise<string[]> {
  await using service = await AgentService.start();
  await runAction({
    inputs: { promptFile, wait: 'false', baseUrl: service.url },
    files: FILES,
    ...more,
  });
  return service.requests.map(({ body }) => JSON.parse(body).prompt);
}

test.concurrent('a path with slashes leads to a file in a folder, on every system', async () => {
  expect(await promptsFrom('docs/prompt.md')).toEqual(['From a file.\r\n']);
});

test.concurrent('a path with backslashes leads to a file in a folder on Windows', async ({
  skip,
}) => {
  skip(onlyOnWindows !== undefined, onlyOnWindows);
  expect(await promptsFrom('docs\\prompt.md')).toEqual(['From a file.\r\n']);
});

test.concurrent('an absolute path, with its drive letter on Windows, is read as it is', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'docs-agent-job-prompt-'));
  const path = join(folder, 'prompt.md');
  writeFileSync(path, 'From elsewhere.');
  try {
    expect(await promptsFrom(path)).toEqual(['From elsewhere.']);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test.concurrent('a link to a file of the workspace is followed', async ({ skip }) => {
  skip(noFileLinks !== undefined, noFileLinks);
  const prompts = await promptsFrom('linked.md', {
    prepare: (workspace) =>
      link(join(workspace, 'docs', 'prompt.md'), join(workspace, 'linked.md'), 'file'),
  });
  expect(prompts).toEqual(['From a file.\r\n']);
});

test.concurrent('a link to a folder of the workspace is followed', async ({ skip }) => {
  skip(noFolderLinks !== undefined, noFolderLinks);
  const prompts = await promptsFrom('linked/prompt.md', {
    prepare: (workspace) => link(join(workspace, 'docs'), join(workspace, 'linked'), 'folder'),
  });
  expect(prompts).toEqual(['From a file.\r\n']);
});

/** Where `promptFile` may be, with the paths, links and devices of this operating system. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type ActionOptions, annotations, runAction } from '../support/action.ts';
import { AgentService } from '../support/agent-service.ts';
import {
  link,
  makeFifo,
  noFifos,
  noFileLinks,
  noFolderLinks,
  onlyOnWindows,
} from '../support/system.ts';

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

test.concurrent('a link to a file of the workspace is followed', async ({ skip }) => {
  skip(noFileLinks !== undefined, noFileLinks);
  const prompts = await promptsFrom('linked.md', {
    prepare: (workspace) =>
      link(join(workspace, 'docs', 'prompt.md'), join(workspace, 'linked.md'), 'file'),
  });
  expect(prompts).toEqual(['From a file.\r\n']);
});

/** The only problem of a run whose `promptFile` is refused before any request. */
async function problemOf(promptFile: string, more: ActionOptions = {}): Promise<string> {
  await using service = await AgentService.start();
  const result = await runAction({
    inputs: { promptFile, wait: 'false', baseUrl: service.url },
    files: FILES,
    ...more,
  });
  expect([service.connections, result.outputs['outcome']]).toEqual([0, 'error']);
  return annotations(result).join('\n');
}

test.concurrent('a FIFO is refused without waiting for a writer', async ({ skip }) => {
  skip(noFifos !== undefined, noFifos);
  const problem = await problemOf('pipe', {
    prepare: (workspace) => makeFifo(join(workspace, 'pipe')),
  });
  expect(problem).toMatch(/^error: `promptFile` `pipe` .*not a regular file/);
});

test.concurrent('a workspace that is itself a link works', async ({ skip }) => {
  skip(noFolderLinks !== undefined, noFolderLinks);
  const folder = mkdtempSync(join(tmpdir(), 'docs-agent-job-linked-'));
  try {
    const prompts = await promptsFrom('docs/prompt.md', {
      prepare: (workspace) => link(workspace, join(folder, 'workspace'), 'folder'),
      env: { GITHUB_WORKSPACE: join(folder, 'workspace') },
    });
    expect(prompts).toEqual(['From a file.\r\n']);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

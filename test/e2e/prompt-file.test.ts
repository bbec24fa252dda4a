/** Where `promptFile` may be, with the paths, links and devices of this operating system. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type ActionOptions, annotations, runAction } from '../support/action.ts';
import { AgentService } from '../support/agent-service.ts';
import {
  DEVICES,
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

test.concurrent.each(DEVICES)('$device is refused', async ({ path }) => {
  expect(await problemOf(path)).toContain('`promptFile`');
});

test.concurrent('a folder is refused', async () => {
  expect(await problemOf('docs')).toContain('not a regular file');
});

test.concurrent('a relative path may not lead out of the workspace', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'docs-agent-job-prompt-'));
  writeFileSync(join(folder, 'prompt.md'), 'From elsewhere.');
  try {
    const climb = join('..', folder.split(/[\\/]/).at(-1) ?? '', 'prompt.md');
    expect(await problemOf(climb)).toContain('outside the workspace');
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test.concurrent('a link may not lead out of the workspace', async ({ skip }) => {
  skip(noFileLinks !== undefined, noFileLinks);
  const outside = process.platform === 'linux' ? '/proc/self/environ' : import.meta.filename;
  const problem = await problemOf('prompt.md', {
    prepare: (workspace) => link(outside, join(workspace, 'prompt.md'), 'file'),
  });
  expect(problem).toContain('outside the workspace');
});

test.concurrent('a folder that is a link may not lead out of the workspace', async ({ skip }) => {
  skip(noFolderLinks !== undefined, noFolderLinks);
  const problem = await problemOf(join('linked', 'prompt-file.test.ts'), {
    prepare: (workspace) => link(import.meta.dirname, join(workspace, 'linked'), 'folder'),
  });
  expect(problem).toContain('outside the workspace');
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

test.concurrent.each([
  { promise: 'with a NUL character', content: 'a\0b', says: 'NUL' },
  { promise: 'that is not UTF-8', content: Buffer.from([0x66, 0xfc, 0x72]), says: 'not UTF-8' },
  { promise: 'that is empty', content: ' \n', says: 'is empty' },
  { promise: 'over 10 MiB', content: 'a'.repeat(10 * 1024 * 1024 + 1), says: 'larger than 10 MiB' },
])('a file $promise is refused', async ({ content, says }) => {
  expect(await problemOf('prompt.md', { files: { 'prompt.md': content } })).toContain(says);
});

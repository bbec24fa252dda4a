import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { errorsOf, read } from './given.ts';

const FOLDER = mkdtempSync(join(tmpdir(), 'docs-agent-job-'));
const WORKSPACE = join(FOLDER, 'workspace');
afterAll(() => rmSync(FOLDER, { recursive: true }));

for (const name of ['.git', 'docs']) mkdirSync(join(WORKSPACE, name), { recursive: true });
const FILES: Readonly<Record<string, string | Uint8Array>> = {
  'docs/prompt.md': '\ufeffDokumentiere für\r\n',
  '.gitignore': 'not .git',
  '.git/config': 'token',
  'docs/empty.md': ' \n',
  'docs/latin.md': new Uint8Array([0x66, 0xfc]),
  '../outside.md': 'outside',
};
for (const [name, content] of Object.entries(FILES)) writeFileSync(join(WORKSPACE, name), content);
const LINKS = { 'docs/leads-out.md': '../../outside.md', 'docs/leads-to-git.md': '../.git/config' };
if (process.platform !== 'win32')
  for (const [name, to] of Object.entries(LINKS)) symlinkSync(to, join(WORKSPACE, name));

test.each([
  ['docs/prompt.md', 'Dokumentiere für\r\n'],
  [join(WORKSPACE, 'docs/prompt.md'), 'Dokumentiere für\r\n'],
  ['.gitignore', 'not .git'],
])('%s is read as it is, without a byte order mark', async (promptFile, instruction) => {
  const { task } = await read({ prompt: '', promptFile }, WORKSPACE);
  expect(task).toEqual({ kind: 'create', instruction });
});

const outside = 'is outside the workspace or in `.git`. Use a file in the workspace.';
const links = process.platform === 'win32' ? [] : Object.keys(LINKS);

test.each<readonly [string, string]>([
  ['docs/none.md', 'does not exist. If it is in the repository, add a checkout step before.'],
  ['docs/empty.md', 'is empty. Write the instruction in it.'],
  ['docs/latin.md', 'is not UTF-8 text. Save it as UTF-8.'],
  ...['../outside.md', '.git/config', ...links].map((path) => [path, outside] as const),
])('%s is refused', async (promptFile, problem) => {
  const { problems } = await errorsOf({ prompt: '', promptFile }, WORKSPACE);
  expect(problems).toEqual([`\`promptFile\` names \`${promptFile}\`, which ${problem}`]);
});

import { expect, test } from 'vitest';
import type { Files } from '../../src/effects/effects.ts';
import { GitHubError } from '../../src/lib/errors.ts';
import { composePrompt, readInstruction } from '../../src/prompt.ts';
import { fakeEffects } from '../support/fakes.ts';
import { INPUTS } from '../support/results.ts';

const file = { from: 'promptFile', path: 'prompt.md' } as const;
const holding = (content: Uint8Array): Files => ({ read: async () => content });
const bytes = (text: string) => new TextEncoder().encode(text);

test('a prompt is used as it was written', async () => {
  const prompt = { from: 'prompt', text: ' a\r\n%0A \n' } as const;
  expect(await readInstruction(prompt, holding(bytes('')))).toBe(' a\r\n%0A \n');
});

test('a promptFile is used as it was written, without its byte order mark', async () => {
  expect(await readInstruction(file, holding(bytes('\ufeff für\r\n')))).toBe(' für\r\n');
});

test.each([
  ['empty', bytes(' \n'), 'is empty'],
  ['not UTF-8', new Uint8Array([0x66, 0xfc]), 'is not UTF-8 text'],
  ['not text', bytes('a\0b'), 'contains a NUL character, so it is not text'],
  ['too large', new Uint8Array(10_485_761), 'is larger than 10 MiB'],
])('a file that is %s is refused', async (_name, content, problem) => {
  await expect(readInstruction(file, holding(content))).rejects.toThrow(
    `\`promptFile\` \`prompt.md\` ${problem}`,
  );
});

test('a file of 10 MiB is read, and no more is asked for', async () => {
  const asked: number[] = [];
  const files: Files = {
    async read(_path, maxBytes) {
      asked.push(maxBytes);
      return new Uint8Array(10_485_760).fill(0x61);
    },
  };
  expect(await readInstruction(file, files)).toHaveLength(10_485_760);
  expect(asked).toEqual([10_485_760]);
});

test('a file that cannot be read is refused with the reason', async () => {
  const cause = new Error('ENOENT: no such file');
  const files: Files = { read: () => Promise.reject(cause) };
  await expect(readInstruction(file, files)).rejects.toMatchObject({
    problems: [
      '`promptFile` `prompt.md` cannot be read: `ENOENT: no such file`. The path is relative to the workspace, and a file of the repository is there only after a checkout step',
    ],
    cause,
  });
});

/** Composes a prompt with changes when GitHub cannot be opened. */
function composeWithout(cause: Error) {
  const openGitHub = () => Promise.reject(cause);
  const lastCovered = () => Promise.reject(new Error('not asked'));
  const effects = fakeEffects(() => ({ kind: 'lost', error: '' }), { openGitHub });
  const withRecords = { ...effects, lastCovered };
  return composePrompt('x', { ...INPUTS, changes: 'files' }, 1_000, withRecords);
}

test('no prompt is composed when GitHub cannot be reached', async () => {
  const cause = new GitHubError('failed', 'no way there');
  await expect(composeWithout(cause)).rejects.toMatchObject({
    name: 'ChangesError',
    heading: 'The changes could not be found',
    message: 'no way there. Run this workflow job again. No prompt was sent.',
    cause,
  });
});

test('an unexpected error while GitHub is opened is rethrown', async () => {
  await expect(composeWithout(new TypeError('a bug'))).rejects.toThrow('a bug');
});

import { expect, test } from 'vitest';
import type { Files } from '../../../src/effects/effects.ts';
import { readPromptFile } from '../../../src/inputs/prompt-file.ts';

const holding = (content: Uint8Array): Files => ({ read: async () => content });
const bytes = (text: string) => new TextEncoder().encode(text);

test('a promptFile is used as it was written, without its byte order mark', async () => {
  expect(await readPromptFile('prompt.md', holding(bytes('\ufeff für\r\n')))).toEqual({
    kind: 'text',
    text: ' für\r\n',
  });
});

test.each([
  ['empty', bytes(' \n'), 'is empty'],
  ['not UTF-8', new Uint8Array([0x66, 0xfc]), 'is not UTF-8 text'],
  ['not text', bytes('a\0b'), 'contains a NUL character, so it is not text'],
  ['too large', new Uint8Array(10_485_761), 'is larger than 10 MiB'],
])('a file that is %s is refused', async (_name, content, problem) => {
  expect(await readPromptFile('prompt.md', holding(content))).toEqual({
    kind: 'problem',
    problem: `\`promptFile\` \`prompt.md\` ${problem}`,
  });
});

test('a file of 10 MiB is read, and no more is asked for', async () => {
  const asked: number[] = [];
  const files: Files = {
    async read(_path, maxBytes) {
      asked.push(maxBytes);
      return new Uint8Array(10_485_760).fill(0x61);
    },
  };
  const file = await readPromptFile('prompt.md', files);
  expect(file.kind === 'text' && file.text.length).toBe(10_485_760);
  expect(asked).toEqual([10_485_760]);
});

test('a file that cannot be read is refused with the reason', async () => {
  const files: Files = { read: () => Promise.reject(new Error('there is no such file')) };
  expect(await readPromptFile('prompt.md', files)).toEqual({
    kind: 'problem',
    problem: '`promptFile` `prompt.md` cannot be read: there is no such file',
  });
});

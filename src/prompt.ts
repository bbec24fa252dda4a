import type { Files } from './effects/effects.ts';
import { InputError, messageOf } from './errors.ts';
import type { Inputs } from './inputs.ts';
import { quote } from './text.ts';

/** No prompt that a person wrote comes near; a wrong file is refused before it is read whole. */
const MAX_PROMPT_FILE_BYTES = 10 * 1024 * 1024;

/**
 * The instruction as it was written, from `prompt` or from the file: nothing is trimmed or
 * converted but a byte order mark. Throws an `InputError` when the file cannot be used.
 */
export async function readInstruction(
  instruction: NonNullable<Inputs['instruction']>,
  files: Files,
): Promise<string> {
  if (instruction.from === 'prompt') return instruction.text;
  const { path } = instruction;
  const refuse = (problem: string) => new InputError([`\`promptFile\` ${quote(path)} ${problem}`]);
  let content: Uint8Array;
  try {
    content = await files.read(path, MAX_PROMPT_FILE_BYTES);
  } catch (error) {
    throw refuse(
      `cannot be read (${quote(messageOf(error))}). The path is relative to the workspace, and a file of the repository is only there after a checkout step`,
    );
  }
  if (content.byteLength > MAX_PROMPT_FILE_BYTES) throw refuse('is larger than 10 MiB');
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(content);
  } catch {
    throw refuse('is not UTF-8 text');
  }
  if (text.trim() === '') throw refuse('is empty');
  return text;
}

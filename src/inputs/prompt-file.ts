import type { Files } from '../effects/effects.ts';
import { messageOf } from '../model/run-error.ts';
import { escapeInvisible, quote } from '../text/escape.ts';

/** Far more than any real prompt, so that a huge file named by mistake isn't read whole. */
const MAX_PROMPT_FILE_BYTES = 10 * 1024 * 1024;

/** The text, or a problem to report together with those of the inputs. */
export type PromptFile =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'problem'; readonly problem: string };

/** Reads the prompt file as is, without a byte order mark. Never throws. */
export async function readPromptFile(path: string, files: Files): Promise<PromptFile> {
  const problem = (what: string): PromptFile => ({
    kind: 'problem',
    problem: `\`promptFile\` ${quote(path)} ${what}`,
  });
  const content = await files.read(path, MAX_PROMPT_FILE_BYTES).catch(messageOf);
  if (typeof content === 'string') return problem(`cannot be read: ${escapeInvisible(content)}`);
  if (content.byteLength > MAX_PROMPT_FILE_BYTES) return problem('is larger than 10 MiB');
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(content);
  } catch {
    return problem('is not UTF-8 text');
  }
  if (text.includes('\0')) return problem('contains a NUL character, so it is not text');
  return text.trim() === '' ? problem('is empty') : { kind: 'text', text };
}

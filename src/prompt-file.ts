import { readFile, realpath } from 'node:fs/promises';
import { isAbsolute, relative, resolve, sep } from 'node:path';
import { messageOf } from './errors.ts';
import { quote } from './text/escape.ts';

/** The text of the file, or what is wrong with it, which follows the input's name. */
interface PromptFile {
  readonly text?: string;
  readonly problem?: string;
}

/**
 * Reads a file inside the workspace as it is, without a byte order mark. Links are followed only
 * inside the workspace, and nothing in `.git` is read, because git keeps credentials there.
 */
export async function readPromptFile(path: string, workspace: string): Promise<PromptFile> {
  const problem = (what: string) => ({ problem: `names ${quote(path)}, which ${what}` });
  try {
    const root = await realpath(workspace);
    const real = await realpath(resolve(root, path));
    const steps = relative(root, real).toLowerCase().split(sep);
    if (steps[0] === '..' || steps.includes('.git') || isAbsolute(relative(root, real)))
      return problem('is outside the workspace or in `.git`. Use a file in the workspace.');
    const text = new TextDecoder('utf-8', { fatal: true }).decode(await readFile(real));
    return text.trim() === '' ? problem('is empty. Write the instruction in it.') : { text };
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    if (code === 'ENOENT')
      return problem('does not exist. If it is in the repository, add a checkout step before.');
    if (code === 'ERR_ENCODING_INVALID_ENCODED_DATA')
      return problem('is not UTF-8 text. Save it as UTF-8.');
    return problem(`cannot be read (${quote(messageOf(error))}). Use a file in the workspace.`);
  }
}

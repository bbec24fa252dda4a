import { changesBlock } from './changes/block.ts';
import type { ChangesOverview, KnownChangesOverview } from './changes-overview.ts';
import type { Effects, Files } from './effects/effects.ts';
import { GitHubError, InputError, messageOf } from './errors.ts';
import type { Inputs } from './inputs.ts';
import { quote } from './text.ts';

/** Far more than anybody writes. A wrong, huge file is refused before it is read whole. */
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
  const refuse = (problem: string, cause?: unknown) =>
    new InputError([`\`promptFile\` ${quote(path)} ${problem}`], { cause });
  let content: Uint8Array;
  try {
    content = await files.read(path, MAX_PROMPT_FILE_BYTES);
  } catch (error) {
    throw refuse(
      `cannot be read: ${quote(messageOf(error))}. The path is relative to the workspace, and a file of the repository is there only after a checkout step`,
      error,
    );
  }
  if (content.byteLength > MAX_PROMPT_FILE_BYTES) throw refuse('is larger than 10 MiB');
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(content);
  } catch (error) {
    throw refuse('is not UTF-8 text', error);
  }
  if (text.includes('\0')) throw refuse('contains a NUL character, so it is not text');
  if (text.trim() === '') throw refuse('is empty');
  return text;
}

export type ComposedPrompt =
  /** `changes` is missing when nobody asked for them. */
  | {
      readonly kind: 'prompt';
      readonly text: string;
      readonly changes: ChangesOverview | undefined;
    }
  | { readonly kind: 'skipped'; readonly changes: KnownChangesOverview };

/**
 * The instruction with what changed in the repository appended, as `changes` asks; or that nothing
 * relevant changed, as `paths` asks. Throws as `findChanges` does.
 */
export async function appendChanges(
  instruction: string,
  { changes: level, paths, since, githubToken }: Inputs,
  deadline: number,
  { clock, openGitHub, runner, signal }: Effects,
): Promise<ComposedPrompt> {
  if (level === 'none' && paths.length === 0) {
    return { kind: 'prompt', text: instruction, changes: undefined };
  }
  const { describeChanges, findChanges, isNothingRelevant, overviewOf } = await import(
    './changes/find.ts'
  );
  const access = { token: githubToken, clock, runner, signal, deadline };
  const github = await openGitHub(access).catch(githubErrorOf);
  const query = { since, paths, pause: pauseForSignals(clock, signal) };
  const found =
    github instanceof GitHubError
      ? ({ kind: 'unknown', reason: github.message } as const)
      : await findChanges(github, query);
  if (found.kind === 'unknown') {
    const message = `Could not find out what changed: ${found.reason}. The prompt has no changes, and \`paths\` is ignored.`;
    runner.annotate('warning', 'Docs agent: changes not known', message);
    return { kind: 'prompt', text: instruction, changes: found };
  }
  const isSkipped = isNothingRelevant(found, paths);
  const block = isSkipped || level === 'none' ? undefined : changesBlock(found, level);
  const changes = overviewOf(found, block?.leftOut ?? found.gaps);
  runner.info(`Changes: ${describeChanges(changes)}.`);
  for (const note of found.notes) runner.info(`${note}.`);
  if (isSkipped) return { kind: 'skipped', changes };
  const place = block === undefined ? 'list' : 'prompt';
  for (const sentence of changes.leftOut) runner.info(`Left out of the ${place}: ${sentence}.`);
  const text = block === undefined ? instruction : `${instruction}\n\n${block.text}\n`;
  return { kind: 'prompt', text, changes };
}

/** GitHub's failures are told; everything else is thrown on. */
function githubErrorOf(error: unknown): GitHubError {
  if (error instanceof GitHubError) return error;
  throw error;
}

/** Longest time that the process works without looking for a cancel, in ms. */
const MAX_BUSY_MS = 100;

/** Lets signals in now and then during long work. What it returns throws the signal's reason. */
function pauseForSignals(clock: Effects['clock'], signal: AbortSignal): () => Promise<void> {
  let last = clock.now();
  return async () => {
    if (clock.now() - last < MAX_BUSY_MS) return;
    await clock.sleep(0, signal);
    signal.throwIfAborted();
    last = clock.now();
  };
}

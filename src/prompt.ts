import { changesBlock } from './changes/block.ts';
import type { Changes, NoStart } from './changes/changes.ts';
import { describeChanges, foldersIn, overviewOf, skipReason } from './changes/overview.ts';
import type { Effects, Files, Runner } from './effects/effects.ts';
import type { OpenGitHub } from './github/github.ts';
import type { Inputs } from './inputs/inputs.ts';
import type { ChangesOverview, CoveredRange, SkipReason } from './lib/changes-overview.ts';
import type { Covered } from './lib/covered.ts';
import { GitHubError, InputError, messageOf } from './lib/errors.ts';
import { quote } from './lib/text.ts';

/**
 * Far more than any real prompt. If the path names a huge file by mistake, it is not read whole.
 */
const MAX_PROMPT_FILE_BYTES = 10 * 1024 * 1024;

/**
 * The instruction exactly as it was written in `prompt` or in the file. Only a byte order mark is
 * removed. Throws an `InputError` when the file cannot be used.
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
  /** `changes` is `undefined` when neither `changes` nor `paths` is used. */
  | {
      readonly kind: 'prompt';
      readonly text: string;
      readonly changes: ChangesOverview | undefined;
      readonly range: CoveredRange | undefined;
    }
  | {
      readonly kind: 'skipped';
      readonly reason: SkipReason;
      readonly changes: ChangesOverview;
      readonly range: CoveredRange | undefined;
    };

interface ComposeEffects extends Effects {
  readonly openGitHub: OpenGitHub;
  /** What earlier runs of this step have covered. Called only under `last-success`. */
  readonly lastCovered: () => Promise<Covered>;
}

/**
 * Appends what changed in the repository to the instruction, if `changes` asks for it. The result
 * is `skipped` when it is certain that nothing needs to be sent. `range` is for the record of this
 * step. Throws as `findChanges` does.
 */
export async function composePrompt(
  instruction: string,
  inputs: Inputs,
  deadline: number,
  effects: ComposeEffects,
): Promise<ComposedPrompt> {
  const { changes: level, paths } = inputs;
  if (level === 'none' && paths.length === 0) {
    return { kind: 'prompt', text: instruction, changes: undefined, range: undefined };
  }
  const found = await openAndFind(inputs, deadline, effects);
  const { range } = found;
  const reason = skipReason(found, paths);
  if (found.kind === 'nothing-to-start-from') {
    const changes = { kind: 'unknown', reason: found.reason } as const;
    warnOfNoStart(found, reason !== undefined, effects.runner);
    return reason === undefined
      ? { kind: 'prompt', text: instruction, changes, range }
      : { kind: 'skipped', reason, changes, range };
  }
  const isBlockSent = reason === undefined && level !== 'none';
  const block = isBlockSent ? changesBlock(found, level) : undefined;
  const changes = overviewOf(found, paths, block?.leftOut ?? found.gaps);
  logChanges(describeChanges(changes), found.notes, effects.runner);
  warnOfFolders(foldersIn(paths, found), effects.runner);
  if (reason !== undefined) return { kind: 'skipped', reason, changes, range };
  const place = block === undefined ? 'list' : 'prompt';
  for (const sentence of changes.leftOut) {
    effects.runner.info(`Left out of the ${place}: ${sentence}.`);
  }
  const text = block === undefined ? instruction : `${instruction}\n\n${block.text}\n`;
  return { kind: 'prompt', text, changes, range };
}

async function openAndFind(
  { paths, since, githubToken: token, timeoutMs }: Inputs,
  deadline: number,
  { http, clock, openGitHub, runner, signal, lastCovered }: ComposeEffects,
): Promise<Changes> {
  const { changesErrorOf, findChanges } = await import('./changes/changes.ts');
  const opened = openGitHub({ token, http, clock, runner, signal, deadline, timeoutMs });
  const github = await opened.catch((error: unknown) => {
    throw error instanceof GitHubError ? changesErrorOf(error) : error;
  });
  const pause = pauseForSignals(clock, signal);
  return findChanges(github, { since, paths, lastCovered, pause });
}

function logChanges(description: string, notes: readonly string[], runner: Runner): void {
  runner.info(`Changes: ${description}.`);
  for (const note of notes) runner.info(`${note}.`);
}

/** A skipped first run only begins to count, so it needs no warning: its ending says why. */
function warnOfNoStart(
  { reason, isFirstRun, range }: NoStart,
  isSkipped: boolean,
  runner: Runner,
): void {
  if (isSkipped && isFirstRun) return;
  const what = isSkipped
    ? 'Nothing is sent'
    : 'The prompt has no changes, and `paths` is not applied';
  const next = range === undefined ? '' : ` The next run starts at ${quote(range.to.slice(0, 7))}.`;
  const catchUp = ' To send earlier changes, set `since` to the commit before them.';
  const message = `There is nothing to start from: ${reason}. ${what}.${next}${catchUp}`;
  runner.annotate('warning', 'Docs agent: no start of the changes', message);
}

function warnOfFolders(folders: readonly string[], runner: Runner): void {
  if (folders.length === 0) return;
  const advice = folders.map((folder) => `${quote(folder)}: write ${quote(`${folder}/**`)}`);
  const message = `\`paths\` names folders without \`**\`, which select no file. ${advice.join('; ')}.`;
  runner.annotate('warning', 'Docs agent: a pattern selects no file', message);
}

/** Longest time that the process works without checking for a cancel, in ms. */
const MAX_BUSY_MS = 100;

/**
 * Returns a function to call often during long work. It pauses now and then so that Node can handle
 * signals, and throws the signal's reason after a cancel.
 */
function pauseForSignals(clock: Effects['clock'], signal: AbortSignal): () => Promise<void> {
  let last = clock.now();
  return async () => {
    if (clock.now() - last < MAX_BUSY_MS) return;
    await clock.sleep(0, signal);
    signal.throwIfAborted();
    last = clock.now();
  };
}

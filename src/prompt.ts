import type { Block, ChangesSource, KnownChanges, UnknownChanges } from './changes/changes.ts';
import { type AddTo, messageSentences } from './changes/sentences.ts';
import type { Effects, Runner } from './effects/effects.ts';
import type { Inputs } from './inputs/inputs.ts';
import type { ChangesOverview, CoveredRange, SkipReason } from './lib/changes-overview.ts';
import type { Covered } from './lib/covered.ts';
import { CHANGES_NOT_FOUND, RunError } from './lib/errors.ts';
import { quote } from './lib/escape.ts';
import { mapStrings } from './lib/json.ts';
import { pluralize, shortRef } from './lib/words.ts';

/** What a prompt is made of. */
export interface PromptParts {
  readonly instruction: string;
  /** Missing when the prompt tells of no changes. */
  readonly block?: Pick<Block, 'text' | 'follows'>;
}

export type ComposedPrompt = (
  | ({ readonly kind: 'prompt'; readonly text: string } & PromptParts)
  | { readonly kind: 'skipped'; readonly reason: SkipReason }
) & {
  /** `undefined` when neither `changes` nor `paths` is used. */
  readonly changes: ChangesOverview | undefined;
  /** For the record of this step. */
  readonly range: CoveredRange | undefined;
};

/**
 * Appends what changed in the repository to the instruction, if `changes` asks for it. The result is
 * `skipped` when it is certain that nothing needs to be sent. Throws as `findChanges` does.
 */
export async function composePrompt(
  instruction: string,
  { changes: level, paths, since, dryRun }: Inputs,
  source: ChangesSource,
  { clock, runner, signal }: Pick<Effects, 'clock' | 'runner' | 'signal'>,
): Promise<ComposedPrompt> {
  if (level === 'none' && paths.length === 0) {
    const text = instruction;
    return { kind: 'prompt', text, instruction, changes: undefined, range: undefined };
  }
  const changesRoom = await import('./changes/changes.ts');
  const { changesBlock, describeChanges, eventBlock, findChanges } = changesRoom;
  const { foldersIn, overviewOf } = changesRoom;
  const { clean } = runner;
  const pause = pauseForSignals(clock, signal, source.deadline);
  const found = await findChanges({ ...source, since, paths, pause });
  const { range } = found;
  const reason = changesRoom.skipReason(found);
  const composed = (changes: ChangesOverview, block?: PromptParts['block']): ComposedPrompt => {
    if (reason !== undefined) return { kind: 'skipped', reason, changes, range };
    const parts = { instruction, ...(block && { block }) };
    return { kind: 'prompt', text: promptOf(parts), ...parts, changes, range };
  };
  const isBlockSent = reason === undefined && level !== 'none';
  if (found.kind !== 'known') {
    if (found.kind === 'nothing-to-start-from') {
      warnOfNoStart(dryRun ? { ...found, range: undefined } : found, reason !== undefined, runner);
    } else {
      runner.info(`The prompt is sent without changes: ${found.reason}.`);
    }
    const changes = { kind: 'unknown', reason: clean(found.reason) } as const;
    // A typed prompt whose changes a newer run has goes out as it was typed.
    if (!isBlockSent || found.kind === 'newer-run') return composed(changes);
    const text = await eventBlock(found.event, found.reason, { clean, pause });
    return composed(changes, { text, follows: undefined });
  }
  let known: KnownChanges = found;
  let block: Block | undefined;
  if (isBlockSent) {
    if (level === 'diff') known = await changesRoom.withAllPatches(source, found, { clock, pause });
    block = await changesBlock(known, { level, clean, pause });
    if (level === 'diff') warnOfNoPatches(known, block, runner);
  }
  const overview = overviewOf(known, paths, block?.leftOut ?? found.gaps);
  const changes = mapStrings(overview, clean);
  for (const sentence of [`Changes: ${describeChanges(changes)}`, ...found.notes]) {
    runner.info(`${sentence}.`);
  }
  for (const sentence of found.warnings) {
    runner.annotate('warning', 'Docs agent: changes', `${sentence}.`);
  }
  warnOfNewStep(source.covered, runner);
  warnOfFolders(foldersIn(paths, found.files), runner);
  const leftOut = reason === undefined ? changes.leftOut : [];
  const place = block === undefined ? 'list' : 'prompt';
  for (const phrase of leftOut) runner.info(`Left out of the ${place}: ${phrase}.`);
  return composed(changes, block);
}

/** The instruction, then what is told of the changes. `sentences` stand before that. */
function promptOf({ instruction, block }: PromptParts, sentences: readonly string[] = []): string {
  if (block === undefined) return instruction;
  return [instruction, '', ...sentences, block.text, ''].join('\n');
}

/** The same prompt as a message to the agent job whose pull request is open. */
export function messageOf(parts: PromptParts, addTo: AddTo, clean: Runner['clean']): string {
  return promptOf(parts, messageSentences(addTo, parts.block?.follows, clean));
}

function warnOfNoPatches(changes: KnownChanges, block: Block, runner: Runner): void {
  if (block.patches > 0 || !block.isPatchWanted) return;
  const files = pluralize(changes.selected.length, 'file');
  const message = `\`changes\` is \`diff\`, but the prompt has no patch of the ${files}: ${block.leftOut.join('; ')}.`;
  runner.annotate('warning', 'Docs agent: no patches', message);
}

/** A skipped first run only begins to count, so it needs no warning: its ending says why. */
function warnOfNoStart(changes: UnknownChanges, isSkipped: boolean, runner: Runner): void {
  const { reason, isFirstRun, range } = changes;
  if (isSkipped && isFirstRun) return;
  const what = isSkipped
    ? 'Nothing is sent'
    : 'The prompt has no changes, and `paths` is not applied';
  const next = range === undefined ? '' : ` The next run starts at ${quote(shortRef(range.to))}.`;
  const catchUp = ' To send earlier changes, set `since` to the commit before them.';
  const message = `There is nothing to start from: ${reason}. ${what}.${next}${catchUp}`;
  runner.annotate('warning', 'Docs agent: nothing to start from', message);
}

/** Runs in which the step never ran may have changes that nobody documents. */
function warnOfNewStep(covered: Covered | undefined, runner: Runner): void {
  if (covered?.kind !== 'nothing' || covered.unrecorded === 0) return;
  const runs = pluralize(covered.unrecorded, 'earlier run');
  const message = `No run of this step has changes on record, and ${runs} of this workflow job left no record. What changed before is not sent. To send earlier changes, set \`since\` to the commit before them.`;
  runner.annotate('warning', 'Docs agent: this step is new', message);
}

function warnOfFolders(folders: readonly string[], runner: Runner): void {
  if (folders.length === 0) return;
  const advice = folders.map((folder) => `${quote(folder)}: write ${quote(`${folder}/**`)}`);
  const message = `\`paths\` names folders without \`**\`, which select no file. ${advice.join('; ')}.`;
  runner.annotate('warning', 'Docs agent: a pattern selects no file', message);
}

/** Longest time that the process works without checking for a cancel, in ms. */
const MAX_BUSY_MS = 100;

const NO_TIME =
  'The `timeout` was over before the prompt was composed. No prompt was sent. Set a longer `timeout`, or fewer `paths`.';

/**
 * Returns a function to call often during long work: it pauses now and then so that Node can handle
 * signals, and throws the signal's reason after a cancel, or a `RunError` when the time is up.
 */
function pauseForSignals(
  clock: Effects['clock'],
  signal: AbortSignal,
  deadline = Number.POSITIVE_INFINITY,
): () => Promise<void> {
  let last = clock.now();
  return async () => {
    if (clock.now() - last < MAX_BUSY_MS) return;
    await clock.handleSignals();
    signal.throwIfAborted();
    if (clock.now() >= deadline) throw new RunError(CHANGES_NOT_FOUND, NO_TIME);
    last = clock.now();
  };
}

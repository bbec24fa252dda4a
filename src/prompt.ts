import type { NoStart } from './changes/changes.ts';
import type { Effects, Runner } from './effects/effects.ts';
import type { GitHub } from './github/github.ts';
import type { Inputs } from './inputs/inputs.ts';
import type { ChangesOverview, CoveredRange, SkipReason } from './lib/changes-overview.ts';
import type { Covered } from './lib/covered.ts';
import { GitHubError } from './lib/errors.ts';
import { mapStrings, quote } from './lib/text.ts';

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

/** Where a prompt's changes come from. */
export interface ChangesSource {
  /** Opens GitHub's API, once a run. */
  readonly github: () => Promise<GitHub>;
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
  { changes: level, paths, since, dryRun }: Inputs,
  { github, lastCovered }: ChangesSource,
  { clock, runner, signal }: Pick<Effects, 'clock' | 'runner' | 'signal'>,
): Promise<ComposedPrompt> {
  if (level === 'none' && paths.length === 0) {
    return { kind: 'prompt', text: instruction, changes: undefined, range: undefined };
  }
  const {
    changesBlock,
    changesErrorOf,
    contentOf,
    describeChanges,
    findChanges,
    foldersIn,
    overviewOf,
    skipReason,
  } = await import('./changes/changes.ts');
  const api = await github().catch((error: unknown) => {
    throw error instanceof GitHubError ? changesErrorOf(error) : error;
  });
  const pause = pauseForSignals(clock, signal);
  // A secret in a commit is taken out before anything cuts it, and is not sent either.
  const found = mapStrings(
    await findChanges(api, { since, paths, lastCovered, pause }),
    runner.clean,
  );
  const { range } = found;
  const reason = skipReason(found, paths);
  if (found.kind === 'newer-run') {
    const why = `run #${found.runNumber} of this workflow is newer and has them`;
    return {
      kind: 'skipped',
      reason: 'newer-run',
      changes: { kind: 'unknown', reason: why },
      range,
    };
  }
  if (found.kind === 'nothing-to-start-from') {
    const changes = { kind: 'unknown', reason: found.reason } as const;
    warnOfNoStart(dryRun ? { ...found, range: undefined } : found, reason !== undefined, runner);
    return reason === undefined
      ? { kind: 'prompt', text: instruction, changes, range }
      : { kind: 'skipped', reason, changes, range };
  }
  const isBlockSent = reason === undefined && level !== 'none';
  const block = isBlockSent ? changesBlock(contentOf(found, paths.length > 0), level) : undefined;
  const changes = overviewOf(found, paths, block?.leftOut ?? found.gaps);
  logChanges(describeChanges(changes), found.notes, runner);
  warnOfFolders(foldersIn(paths, found), runner);
  if (reason !== undefined) return { kind: 'skipped', reason, changes, range };
  const place = block === undefined ? 'list' : 'prompt';
  for (const sentence of changes.leftOut) {
    runner.info(`Left out of the ${place}: ${sentence}.`);
  }
  const text = block === undefined ? instruction : `${instruction}\n\n${block.text}\n`;
  return { kind: 'prompt', text, changes, range };
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

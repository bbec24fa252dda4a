import { changesBlock } from './changes/block.ts';
import type { Effects } from './effects/effects.ts';
import type { OpenGitHub } from './github/github.ts';
import type { Inputs } from './inputs/inputs.ts';
import type { ChangesOverview, KnownChangesOverview } from './lib/changes-overview.ts';
import { GitHubError } from './lib/errors.ts';

export type ComposedPrompt =
  /** `changes` is `undefined` when neither `changes` nor `paths` is used. */
  | {
      readonly kind: 'prompt';
      readonly text: string;
      readonly changes: ChangesOverview | undefined;
    }
  | { readonly kind: 'skipped'; readonly changes: KnownChangesOverview };

/**
 * Appends what changed in the repository to the instruction, if `changes` asks for it. The result
 * is `skipped` when it is certain that `paths` selects none of the changed files. Throws as
 * `findChanges` does.
 */
export async function composePrompt(
  instruction: string,
  { changes: level, paths, since, githubToken }: Inputs,
  deadline: number,
  { clock, openGitHub, runner, signal }: Effects & { readonly openGitHub: OpenGitHub },
): Promise<ComposedPrompt> {
  if (level === 'none' && paths.length === 0) {
    return { kind: 'prompt', text: instruction, changes: undefined };
  }
  const { describeChanges, findChanges, isNothingRelevant, overviewOf } = await import(
    './changes/changes.ts'
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
  const changes = overviewOf(found, paths, block?.leftOut ?? found.gaps);
  runner.info(`Changes: ${describeChanges(changes)}.`);
  for (const note of found.notes) runner.info(`${note}.`);
  if (isSkipped) return { kind: 'skipped', changes };
  const place = block === undefined ? 'list' : 'prompt';
  for (const sentence of changes.leftOut) runner.info(`Left out of the ${place}: ${sentence}.`);
  const text = block === undefined ? instruction : `${instruction}\n\n${block.text}\n`;
  return { kind: 'prompt', text, changes };
}

/** Returns an error of GitHub's API, so that it can be reported. Rethrows any other error. */
function githubErrorOf(error: unknown): GitHubError {
  if (error instanceof GitHubError) return error;
  throw error;
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

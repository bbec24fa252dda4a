/** The patches that GitHub does not give, made from what its GraphQL API says of both sides. */
import { changesErrorOf } from '../changes/find/changes.ts';
import type { KnownChanges } from '../changes/find/found.ts';
import { filesWithoutPatch, missingPatches } from '../changes/rank/missing-patches.ts';
import type { Effects } from '../effects/effects.ts';
import type { ChangedFile, GitHub } from '../github/github.ts';
import { GitHubError, unlessNotFound } from '../model/errors.ts';

interface PatchContext {
  readonly github: () => Promise<GitHub>;
  readonly effects: Pick<Effects, 'clock' | 'signal'>;
  /** On the clock's scale, in ms. */
  readonly deadline: number;
}

/** Each is one or two contents. */
const FILES_OF_A_REQUEST = 25;

/**
 * The changes, with the patches that GitHub does not give as far as they can be made. Throws a
 * `RunError` when GitHub fails, and the signal's reason after a cancel.
 */
export async function withMissingPatches(
  context: PatchContext,
  changes: KnownChanges,
  isNextRunLooking: boolean,
): Promise<KnownChanges> {
  const files = filesWithoutPatch(changes);
  if (files.length === 0) return changes;
  try {
    const made = await makePatches(context, changes, files);
    const madeOr = (file: ChangedFile) => made.get(file) ?? file;
    return {
      ...changes,
      files: changes.files.map(madeOr),
      selected: changes.selected.map(madeOr),
    };
  } catch (error) {
    if (!(error instanceof GitHubError)) throw error;
    throw changesErrorOf(error, ['contents: read'], isNextRunLooking);
  }
}

/** By the files without them. A cancel is seen between two of them. */
async function makePatches(
  { effects: { clock, signal }, deadline, ...context }: PatchContext,
  { base, head, isPullRequest, mergeBase }: KnownChanges,
  files: readonly ChangedFile[],
): Promise<ReadonlyMap<ChangedFile, ChangedFile>> {
  const { withPatch } = await import('../changes/rank/diff.ts');
  const github = await context.github();
  const made = new Map<ChangedFile, ChangedFile>();
  // A pull request's own list does not say where it starts.
  const start = isPullRequest ? await github.mergeBase(base, head) : mergeBase;
  const before = await unlessNotFound(() => github.tree(start));
  const after = await unlessNotFound(() => github.tree(head));
  if (before === undefined || after === undefined) return made;
  if (before.truncated || after.truncated) return made;
  const missing = missingPatches(files, before, after);
  for (let at = 0; at < missing.length; at += FILES_OF_A_REQUEST) {
    const batch = missing.slice(at, at + FILES_OF_A_REQUEST);
    const ids = new Set(batch.flatMap(({ before: old, after: now }) => (old ? [old, now] : [now])));
    const blobs = await github.blobs([...ids]);
    // Other engines have no such API.
    if (blobs === undefined) return made;
    for (const { file, before: old, after: now } of batch) {
      await clock.handleSignals();
      signal.throwIfAborted();
      // Too late for the call, which says so.
      if (clock.now() >= deadline) return made;
      const [oldText, newText] = [old ? blobs.get(old) : '', blobs.get(now)];
      if (oldText === undefined || newText === undefined) continue;
      made.set(file, withPatch(file, oldText, newText));
    }
  }
  return made;
}

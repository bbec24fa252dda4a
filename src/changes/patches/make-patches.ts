/**
 * Makes the patches that GitHub leaves out from both versions of a file, read with its GraphQL API.
 */

import type { Effects } from '../../effects/effects.ts';
import { changesErrorOf } from '../../github/changes-not-found.ts';
import { GitHubError } from '../../github/errors.ts';
import type { Blob, ChangedFile, GitHub } from '../../github/github.ts';
import type { LookedAtBy } from '../../model/record.ts';
import type { KnownChanges } from '../find/found.ts';
import { withPatch } from './made.ts';
import { filesWithoutPatch } from './missing.ts';

interface PatchContext {
  readonly inputs: { readonly since: string };
  readonly github: () => Promise<GitHub>;
  /** All token permissions that the step needs. */
  readonly permissions: readonly string[];
  readonly effects: Pick<Effects, 'clock' | 'signal'>;
  /** On the clock's scale, in ms. */
  readonly deadline: number;
}

/** Each file needs two versions. */
const FILES_OF_A_REQUEST = 20;
/** The version of a file before it was added. */
const NO_TEXT: Blob = { isBinary: false, text: '' };

/**
 * Adds the patches that GitHub leaves out, as far as they can be made. Throws a `RunError` when
 * GitHub fails, and the signal's reason after a cancel.
 */
export async function withMissingPatches(
  context: PatchContext,
  changes: KnownChanges,
  lookedAtBy: LookedAtBy,
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
    const { inputs, permissions } = context;
    const search = { since: inputs.since, event: changes.event, permissions };
    throw changesErrorOf(error, search, lookedAtBy);
  }
}

/** The commit before the changes, which a pull request's own list doesn't include. */
async function startOf(
  github: Pick<GitHub, 'commit' | 'mergeBase'>,
  { base, head, mergeBase }: KnownChanges,
): Promise<string | undefined> {
  if (mergeBase !== '') return mergeBase;
  const tip = await github.commit(`heads/${base}`);
  const start = tip && (await github.mergeBase(tip.sha, head));
  // The pull request was merged, and the base branch has all of its commits.
  return start === head ? undefined : start;
}

/** Makes patches by file, and checks for a cancel between two of them. */
async function makePatches(
  { effects: { clock, signal }, deadline, ...context }: PatchContext,
  changes: KnownChanges,
  files: readonly ChangedFile[],
): Promise<ReadonlyMap<ChangedFile, ChangedFile>> {
  const github = await context.github();
  const made = new Map<ChangedFile, ChangedFile>();
  const { head } = changes;
  const start = await startOf(github, changes);
  if (start === undefined) return made;
  for (let at = 0; at < files.length; at += FILES_OF_A_REQUEST) {
    const batch = files.slice(at, at + FILES_OF_A_REQUEST);
    const names = batch.flatMap(({ filename, previous_filename: previous = filename }) => [
      `${start}:${previous}`,
      `${head}:${filename}`,
    ]);
    const blobs = await github.blobs(names);
    // Other engines have no such API.
    if (blobs === undefined) return made;
    for (const [n, file] of batch.entries()) {
      await clock.handleSignals();
      signal.throwIfAborted();
      // It is too late for the call, which reports that itself.
      if (clock.now() >= deadline) return made;
      const [old, now] = [file.status === 'added' ? NO_TEXT : blobs[2 * n], blobs[2 * n + 1]];
      const isBinary = old?.isBinary || now?.isBinary;
      if (isBinary) made.set(file, { ...file, lines: 'binary' });
      else if (old?.text !== undefined && now?.text !== undefined) {
        made.set(file, withPatch(file, old.text, now.text));
      }
    }
  }
  return made;
}

/** Makes the patches that GitHub does not give, from the contents of both sides of a file. */
import type { Clock } from '../../effects/effects.ts';
import type { ChangedFile, GitHub, Tree, TreeEntry } from '../../github/github.ts';
import { GitHubError, unlessNotFound } from '../../model/errors.ts';
import { type ChangesQuery, changesErrorOf } from '../find/changes.ts';
import type { KnownChanges } from '../find/found.ts';
import { compareWanted, isBinaryName, type Kind, type KindIn, kindOf, kindsOf } from './rank.ts';

/** At most so many files get a patch here. */
const MAX_FILES = 200;
/** With the pages of a pull request's 3,000 files and 250 commits, GitHub is asked at most 45 times. */
const MAX_REQUESTS = 8;
const MAX_BLOBS_OF_A_REQUEST = 50;
const MAX_BYTES_OF_A_REQUEST = 4_000_000;
/** GitHub would cut the text of a larger one. */
const MAX_BLOB_BYTES = 512_000;
/**
 * A file that was edited in more lines gets no patch: finding them takes steps in the order of their
 * square, about 300 ms for so many. This is a number and not a time, so that the prompt is the same
 * on every machine.
 */
const MAX_EDITS = 1_500;
/** For all files: about 5 s. */
const MAX_ALL_STEPS = 16 * MAX_EDITS ** 2;
/**
 * Only a machine that is very slow comes to these: for one file, which delays a cancel, and for all.
 * Finding the lines of one ends up to half a second later.
 */
const MAX_FILE_MS = 1_000;
const MAX_ALL_MS = 20_000;
/**
 * Once the made patches have so many characters together, only the beginning of each further one is
 * kept. All patches in a prompt have 200,000 bytes, and their lines take much memory.
 */
const MAX_WHOLE_LENGTH = 4_000_000;
const MAX_BEGINNING_LENGTH = 20_000;
/** In the form of git's own notes in a patch. */
const CUT = '\\ The rest of this patch was not kept';

/** Whether a file without a patch has lines that one could show. */
export const lacksPatch = ({ filename, patch, isUncounted, additions, deletions }: ChangedFile) =>
  patch === undefined && !isBinaryName(filename) && (isUncounted || additions + deletions > 0);

/** A file's content before or after the change. */
type Side = TreeEntry | undefined;

export interface Pace {
  readonly clock: Clock;
  /** Called often during long work. It may wait, or throw to stop. */
  readonly pause: () => Promise<void>;
}

interface Candidate {
  readonly file: ChangedFile;
  readonly kind: Kind;
  readonly before: Side;
  readonly after: Side;
}

/**
 * The changes, with the patches that GitHub does not give as far as they can be made. Throws a
 * `RunError` when GitHub fails, and what `pause` throws.
 */
export async function withAllPatches(
  source: Pick<ChangesQuery, 'github' | 'isNextRunLooking'>,
  changes: KnownChanges,
  pace: Pace,
): Promise<KnownChanges> {
  const { files, selected } = changes;
  // Those that `paths` leaves out are told, too.
  const changelogs = selected.length < files.length ? await changelogsBeside(changes, pace) : [];
  try {
    const wanted = [...selected, ...changelogs];
    const given = { ...changes, selected: wanted };
    const all = await withMissingPatches(await source.github(), given, pace);
    const made = new Map<ChangedFile, ChangedFile>();
    for (const [index, file] of all.entries()) {
      const before = wanted[index];
      if (before !== undefined && before !== file) made.set(before, file);
    }
    const madeOr = (file: ChangedFile) => made.get(file) ?? file;
    return { ...changes, selected: selected.map(madeOr), files: files.map(madeOr) };
  } catch (error) {
    throw error instanceof GitHubError
      ? changesErrorOf(error, ['contents: read'], source.isNextRunLooking)
      : error;
  }
}

async function changelogsBeside(
  { files, selected }: KnownChanges,
  { pause }: Pace,
): Promise<readonly ChangedFile[]> {
  const isSelected = new Set(selected);
  const changelogs: ChangedFile[] = [];
  for (const file of files) {
    await pause();
    if (!isSelected.has(file) && kindOf(file.filename) === 'changelog') changelogs.push(file);
  }
  return changelogs;
}

/**
 * The selected files, each with its patch if GitHub gives it, or if it is among those that a writer
 * needs most and can be made here. Rejects with a `GitHubError`, and with what `pause` throws, which
 * is called often.
 */
export async function withMissingPatches(
  github: GitHub,
  changes: KnownChanges,
  { clock, pause }: Pace,
): Promise<readonly ChangedFile[]> {
  const { selected } = changes;
  const kindIn = await kindsOf(changes, pause);
  const wanted: ChangedFile[] = [];
  for (const file of selected) {
    await pause();
    if (lacksPatch(file) && kindIn(file.filename) !== 'bare') wanted.push(file);
  }
  if (wanted.length === 0) return selected;
  const made = new Map<ChangedFile, ChangedFile>();
  let toRead: Candidate[] = [];
  for await (const candidate of candidatesOf(github, changes, wanted, kindIn)) {
    await pause();
    const { file, before, after } = candidate;
    if (before?.sha === after?.sha) made.set(file, withLines(file, []));
    else toRead.push(candidate);
    // There may be 100,000.
    if (toRead.length > 10 * MAX_FILES) toRead = mostWanted(toRead);
  }
  let leftMs = MAX_ALL_MS;
  let leftSteps = MAX_ALL_STEPS;
  let leftLength = MAX_WHOLE_LENGTH;
  for (const batch of batchesOf(mostWanted(toRead))) {
    const ids = new Set(batch.flatMap(sidesOf).map(({ sha = '' }) => sha));
    const blobs = await github.blobs([...ids]);
    if (blobs === undefined) break;
    const contentOf = (side: Side) =>
      side === undefined ? { text: '', isBinary: false } : blobs.get(side.sha ?? '');
    for (const { file, before, after } of batch) {
      await pause();
      const old = contentOf(before);
      const now = contentOf(after);
      if (old?.isBinary || now?.isBinary) made.set(file, withLines(file, []));
      if (old?.text === undefined || now?.text === undefined) continue;
      if (leftMs <= 0 || leftSteps <= 0) continue;
      const startedAt = clock.now();
      const lines = await diffLines(old.text, now.text, Math.min(leftMs, MAX_FILE_MS));
      leftMs -= clock.now() - startedAt;
      if (lines === undefined) {
        leftSteps -= MAX_EDITS ** 2;
        continue;
      }
      const patched = withLines(file, lines, Math.max(leftLength, MAX_BEGINNING_LENGTH));
      leftLength -= patched.patch?.length ?? 0;
      if (old.text !== '' && now.text !== '') {
        leftSteps -= (patched.additions + patched.deletions) ** 2;
      }
      made.set(file, patched);
    }
  }
  return selected.map((file) => made.get(file) ?? file);
}

/** Those that a writer needs most, and of these the ones whose size changed most. */
function mostWanted(candidates: readonly Candidate[]): Candidate[] {
  const size = ({ before, after }: Candidate) => Math.abs((after?.size ?? 0) - (before?.size ?? 0));
  return candidates
    .toSorted((a, b) => compareWanted(a.kind, b.kind) || size(b) - size(a))
    .slice(0, MAX_FILES);
}

/** The files whose contents are known, and small enough to be read. */
async function* candidatesOf(
  github: GitHub,
  { isPullRequest, base, head, ...changes }: KnownChanges,
  files: readonly ChangedFile[],
  kindIn: KindIn,
): AsyncGenerator<Candidate> {
  // A pull request's own list does not say where it starts.
  const mergeBase = isPullRequest ? await github.mergeBase(base, head) : changes.mergeBase;
  const treeOf = (commit: string) => unlessNotFound(() => github.tree(commit));
  const before = await treeOf(mergeBase);
  const after = await treeOf(head);
  if (before === undefined || after === undefined) return;
  if (before.truncated || after.truncated) return;
  for (const file of files) {
    const { filename, previous_filename: previous = filename, status } = file;
    const sides = { before: fileAt(before, previous), after: fileAt(after, filename) };
    const known = sidesOf(sides);
    // A submodule is no file.
    const isKnown = status === 'modified' ? known.length === 2 : known.length > 0;
    const isUsable = known.every(({ size }) => size <= MAX_BLOB_BYTES);
    if (isKnown && isUsable) yield { file, kind: kindIn(filename), ...sides };
  }
}

function fileAt({ entries }: Tree, path: string): Side {
  const entry = entries.get(path);
  return entry?.type === 'blob' && entry.sha ? entry : undefined;
}

/** One or two: an added file has none before, and a removed one none after. */
const sidesOf = ({ before, after }: Pick<Candidate, 'before' | 'after'>) =>
  [before, after].filter((side) => side !== undefined);

/** As many as may be asked for, in their order. */
function batchesOf(candidates: readonly Candidate[]): readonly (readonly Candidate[])[] {
  const batches: Candidate[][] = [];
  let blobs = Number.POSITIVE_INFINITY;
  let bytes = 0;
  for (const candidate of candidates) {
    const sides = sidesOf(candidate);
    const size = sides.reduce((sum, side) => sum + side.size, 0);
    if (blobs + sides.length > MAX_BLOBS_OF_A_REQUEST || bytes + size > MAX_BYTES_OF_A_REQUEST) {
      batches.push([]);
      blobs = 0;
      bytes = 0;
    }
    batches.at(-1)?.push(candidate);
    blobs += sides.length;
    bytes += size;
  }
  return batches.slice(0, MAX_REQUESTS);
}

/** The lines of a patch in git's format, `undefined` when there are too many to be found. */
async function diffLines(before: string, after: string, timeout: number) {
  // Loaded only here, as hardly any run needs it, and by path, as its index loads all of it.
  const { structuredPatch } = await import('diff/lib/patch/create.js');
  // All lines of a new or removed file are edits, and found at once.
  const isOneSided = before === '' || after === '';
  const maxEditLength = isOneSided ? Number.POSITIVE_INFINITY : MAX_EDITS;
  const limits = { maxEditLength, timeout };
  const patch = structuredPatch('', '', before, after, '', '', { context: 3, ...limits });
  // Where there are no lines git names the line before.
  const range = (start: number, count: number) => `${count === 0 ? start - 1 : start},${count}`;
  return patch?.hunks.flatMap(({ oldStart, oldLines, newStart, newLines, lines }) => [
    `@@ -${range(oldStart, oldLines)} +${range(newStart, newLines)} @@`,
    ...lines,
  ]);
}

/**
 * The file with the patch and its counts. Without lines it is binary, or its content is the same. A
 * patch longer than `maxLength` is cut at the end of a line.
 */
function withLines(
  { isUncounted: _, ...file }: ChangedFile,
  lines: readonly string[],
  maxLength = Number.POSITIVE_INFINITY,
): ChangedFile {
  const count = (mark: string) => lines.filter((line) => line.startsWith(mark)).length;
  const counts = { additions: count('+'), deletions: count('-') };
  if (lines.length === 0) return { ...file, ...counts };
  let kept = 0;
  for (let length = 0; kept < lines.length && length <= maxLength; kept += 1) {
    length += `${lines[kept]}\n`.length;
  }
  const isCut = kept < lines.length;
  const patch = [...lines.slice(0, kept), ...(isCut ? [CUT] : [])].join('\n');
  return { ...file, ...counts, patch };
}

import { createHash } from 'node:crypto';
import type { ChangedFile, Commit, WorkflowEvent } from '../../github/github.ts';
import { cut } from '../../text/escape.ts';
import { redactedBeginning } from '../../text/secrets.ts';
import { pluralize } from '../../text/words.ts';
import { isOwnRange, pullOfEvent } from '../find/event.ts';
import type { KnownChanges } from '../find/found.ts';
import { lacksPatch } from '../rank/missing-patches.ts';
import { declarationsOf, type Patch, patchOf, sharePatches } from '../rank/patches.ts';
import { bareReason, type KindIn, kindsOf, REMOVED_SHARE } from '../rank/rank.ts';
import { bytesOf, type Clean, finishLine, oneLine, takeLines } from '../rank/room.ts';
import { changelogLines, docsNotSelected } from './changelogs.ts';
import { commitLines, indented, skippedLines } from './commits.ts';
import { fileList, filesHeading, hasLines } from './file-list.ts';
import { type Happened, whatHappened } from './happened.ts';
import { type BlockFacts, blockSentences } from './sentences.ts';

/** Longest block, in bytes of UTF-8. */
export const MAX_BLOCK_BYTES = 200_000;
/** The part of it that commits may take, so that files always have room as well. */
const MAX_COMMITS_BYTES = 50_000;
const MAX_LEFT_OUT_BYTES = 5_000;
/** Reserved for the fence, titles and the line that says in short what was left out. */
const RESERVED_BYTES = 1_500;
/** Release notes, or the description of a pull request, in UTF-16 units and in bytes. */
const MAX_DESCRIPTION_LENGTH = 20_000;
const MAX_DESCRIPTION_BYTES = 60_000;
/** The list of files may have this part of the room when patches want more than is left. */
const LIST_SHARE = 0.25;
/** A ref or URL longer than this is not one of GitHub's. */
const MAX_REF_LENGTH = 500;
const MAX_NAMES_LISTED = 20;
const MAX_NAME_LENGTH = 100;
/** GitHub shows no patch of a file with more changed lines. */
const MAX_LINES_OF_A_PATCH = 20_000;

export interface BlockOptions {
  readonly level: 'files' | 'diff';
  readonly clean: Clean;
  /** Called often. It may wait, or throw to stop. */
  readonly pause: () => Promise<void>;
}

/** The block, what is left out of it, one phrase each, and how many files have their patch in it. */
export interface Block {
  /** With the sentences before it. */
  readonly text: string;
  /** Where its changes start, as people name it, if it sends no earlier changes again. */
  readonly follows: string | undefined;
  readonly leftOut: readonly string[];
  readonly patches: number;
  /** Some file has lines that a writer may want to read. */
  readonly isPatchWanted: boolean;
}

/**
 * The block that is appended to the prompt: what happened and what changed, as data, between two
 * lines that its content cannot contain. None of it is trusted. Each part has its limit, and the
 * patches share what is left.
 */
export async function changesBlock(changes: KnownChanges, options: BlockOptions): Promise<Block> {
  const { level, clean, pause } = options;
  const happened = whatHappened(changes.event, clean);
  const description = descriptionOf(happened, clean);
  const isSkipped = ({ sha }: Commit) => changes.skipped.has(sha);
  const told = changes.commits.filter((commit) => !isSkipped(commit));
  // The description of the event's own pull request stands before the commits.
  const own = pullOfEvent(changes.event)?.number;
  const others = new Map([...changes.pulls.byCommit].filter(([, { number }]) => number !== own));
  const commits = await commitLines(told, others, MAX_COMMITS_BYTES, options);
  const skipped = skippedLines(changes.commits.filter(isSkipped), clean);
  const notes = happened.description?.text ?? '';
  const changelogs = await changelogLines(changes, changes.commits, notes, pause);
  const kindIn = await kindsOf(changes, pause);
  const candidates = level === 'diff' ? await patchesOf(changes.selected, kindIn, pause) : [];
  const removed = removedDeclarations(level === 'diff' ? changes.selected : [], kindIn, candidates);
  const head = [
    ...headLines(changes, happened, clean),
    ...description.lines,
    ...titled('breaking changes and notes for the release, from the commits:', commits.notes),
    ...titled('removed files, and what they declared:', removed.lines),
    ...titled('added to changelogs:', changelogs.lines),
    ...titled('', docsNotSelected(changes, clean)),
  ];
  const story = [
    ...titled(commitsHeading(changes, commits), commits.lines),
    ...titled('no documentation needed:', skipped),
  ];
  const facts = factsOf(changes, happened, candidates.length > 0);
  const outside = blockSentences('', facts, clean);
  const leftOutBytes = MAX_LEFT_OUT_BYTES + bytesOf([changes.gaps.join('; ')]);
  const taken = RESERVED_BYTES + leftOutBytes + bytesOf([...outside, ...head, ...story]);
  const room = MAX_BLOCK_BYTES - taken;
  const list = await fileList(changes.selected, kindIn, listRoom(candidates, room), pause);
  const listLines = ['', filesHeading(changes, list.listed), ...list.lines];
  const patches = sharePatches(candidates, room - bytesOf(listLines));
  const patchLines = titled('patches:', patches.lines);
  const without = await filesWithoutPatch(changes.selected, kindIn, pause);
  const leftOut: readonly LeftOut[] = [
    ...changes.gaps.map((gap) => ({ what: gap })),
    ...description.leftOut,
    ...(changelogs.isCut ? [{ what: 'parts of changelogs' }] : []),
    ...notListed(toldOf(changes) - commits.told - commits.merges, 'commit'),
    ...(commits.descriptionsCut > 0
      ? [{ what: `parts of ${pluralize(commits.descriptionsCut, 'pull request description')}` }]
      : []),
    ...(commits.cut > 0 ? [{ what: `parts of ${pluralize(commits.cut, 'commit message')}` }] : []),
    ...notListed(changes.selected.length - list.listed, 'file name'),
    ...(level === 'diff' ? patchesLeftOut(without, patches) : []),
    ...(removed.isCut ? [{ what: 'some declarations of removed files' }] : []),
  ];
  const phrases = leftOut.map((one) => phraseOf(one, clean));
  const counts = leftOut.map(({ what }) => what).join('; ');
  const hasDetails = leftOut.some(({ files }) => files !== undefined);
  const details = hasDetails ? phrases.map((phrase) => `- ${phrase}`) : [];
  const lines = [
    ...head,
    ...(counts === '' ? [] : ['', `left out: ${counts}`]),
    ...story,
    ...(list.isShort ? [...listLines, ...patchLines] : [...patchLines, ...listLines]),
    ...titled('left out, in detail:', takeLines(details, MAX_LEFT_OUT_BYTES)),
  ];
  const text = await fenced(lines, facts, options);
  const shown = candidates.length - patches.notListed.length;
  const isMissing = without.missing.length + without.tooLarge.length > 0;
  const isPatchWanted = candidates.length > 0 || isMissing;
  return { text, follows: followsOf(changes), leftOut: phrases, patches: shown, isPatchWanted };
}

async function patchesOf(
  files: readonly ChangedFile[],
  kindIn: KindIn,
  pause: () => Promise<void>,
) {
  const patches: Patch[] = [];
  for (const file of files) {
    await pause();
    if (file.patch === undefined) continue;
    const patch = patchOf(file, kindIn(file.filename));
    if (patch !== undefined) patches.push(patch);
  }
  return patches;
}

/** How many commits need documentation, for all that is known. */
const toldOf = ({ totalCommits, skipped }: KnownChanges) => totalCommits - skipped.size;

/** How many of the commits are told. Of merge commits, what they merged is. */
function commitsHeading(
  changes: KnownChanges,
  { told, merges }: Awaited<ReturnType<typeof commitLines>>,
): string {
  const others = merges === 0 ? '' : `; ${merges} more only merge them`;
  return `commits (${told} of ${toldOf(changes)}${others}), oldest first:`;
}

/** How many bytes the list of the files may have beside the patches. */
function listRoom(patches: readonly Patch[], room: number): number {
  const patchBytes = patches.reduce((sum, { sharer }) => sum + sharer.whole.bytes, 0);
  return Math.max(Math.floor(room * LIST_SHARE), room - patchBytes);
}

/** What is left out, with the names of the first files. */
function phraseOf({ what, files = [] }: LeftOut, clean: Clean): string {
  const names = files
    .slice(0, MAX_NAMES_LISTED)
    .map((name) => oneLine(name, MAX_NAME_LENGTH, clean));
  const more = files.length > names.length ? ', …' : '';
  return names.length === 0 ? what : `${what}: ${names.join(', ')}${more}`;
}

/** What the sentences before the block say of it. */
function factsOf(changes: KnownChanges, happened: Happened, hasPatches: boolean): BlockFacts {
  const { event, earlier, totalCommits, files, selected } = changes;
  const ends = { from: listStartOf(changes), to: listEndOf(changes, happened) };
  return {
    repository: event.repository,
    compared: hasPatches && totalCommits > 1 ? ends : undefined,
    isFiltered: selected.length < files.length,
    hasSkipped: changes.skipped.size > 0,
    earlier,
  };
}

/** Where the lists start, as people name it. */
const listStartOf = ({ status, base, mergeBase }: KnownChanges) =>
  status === 'diverged' ? mergeBase : base;

/** Where the lists end: the tag that the event is about, if it is on that commit. */
const listEndOf = ({ head, event }: KnownChanges, { tag }: Happened) =>
  (head === event.sha && tag) || head;

/** A pull request's own changes begin with those that its earlier runs sent. */
function followsOf(changes: KnownChanges): string | undefined {
  const isAnySentAgain = isOwnRange(changes) || changes.earlier.some(({ overlaps }) => overlaps);
  return isAnySentAgain ? undefined : listStartOf(changes);
}

/** The block without changes: it tells the event alone. `reason`: why. */
export function eventBlock(
  event: WorkflowEvent,
  reason: string,
  options: Omit<BlockOptions, 'level'>,
): Promise<string> {
  const happened = whatHappened(event, options.clean);
  const lines = [
    `what happened: ${happened.line}`,
    `changes: not told, because ${reason}`,
    ...descriptionOf(happened, options.clean).lines,
  ];
  return fenced(lines, { repository: event.repository }, options);
}

/** A part of the block, behind a blank line. Without lines there is none. */
const titled = (title: string, lines: readonly string[]) =>
  lines.length === 0 ? [] : ['', ...(title === '' ? [] : [title]), ...lines];

/** What is left out, and of which files. */
interface LeftOut {
  readonly what: string;
  readonly files?: readonly string[];
}

const notListed = (n: number, noun: string): readonly LeftOut[] =>
  n > 0 ? [{ what: `${pluralize(n, noun)} not listed` }] : [];

function headLines(changes: KnownChanges, happened: Happened, clean: Clean): readonly string[] {
  const { base, status } = changes;
  const head = listEndOf(changes, happened);
  const short = (text: string) => oneLine(text, MAX_REF_LENGTH, clean);
  return [
    `what happened: ${happened.line}`,
    short(pageLine(changes, head)),
    `from: ${short(base)}`,
    `to: ${short(head)}`,
    ...(status === 'diverged'
      ? ['note: the start does not lead to the end, so the lists start at their last common commit']
      : []),
  ];
}

/** The page of the changes: a comparison with the names that people use, not with object ids. */
function pageLine({ url, event, base }: KnownChanges, head: string): string {
  const comparisons = `/${event.repository}/compare/`;
  const [site, ids] = url.split(comparisons, 2);
  if (ids === undefined) return `see: ${url}`;
  const named = (ref: string) => encodeURI(ref.toWellFormed()).replace(/[#?]/g, encodeURIComponent);
  return `compare: ${site}${comparisons}${named(base)}...${named(head)}`;
}

function descriptionOf({ description }: Happened, clean: Clean) {
  if (description === undefined) return { lines: [], leftOut: [] };
  const { title, text } = description;
  const beginning = redactedBeginning(text, 2 * MAX_DESCRIPTION_LENGTH, clean);
  const shown = indented(cut(beginning, MAX_DESCRIPTION_LENGTH));
  const lines = takeLines(shown, MAX_DESCRIPTION_BYTES);
  const isCut = text.length > MAX_DESCRIPTION_LENGTH || lines.length < shown.length;
  return {
    lines: titled(`${title}:`, lines),
    leftOut: isCut ? [{ what: `the end of the ${title}` }] : [],
  };
}

/**
 * What removed source files declared: that it is gone is what the documentation has to learn. What
 * another file declares now has only moved.
 */
function removedDeclarations(
  files: readonly ChangedFile[],
  kindIn: KindIn,
  patches: readonly Patch[],
) {
  const kept = new Set(patches.flatMap(({ added }) => added));
  const lines = files.flatMap((file) => {
    const { filename, status, patch } = file;
    if (status !== 'removed' || patch === undefined || kindIn(filename) !== 'source') return [];
    const declared = declarationsOf(file).filter((line) => !kept.has(line));
    return declared.length === 0 ? [] : [`- ${filename}`, ...declared.map((line) => `    ${line}`)];
  });
  const fitting = takeLines(lines, MAX_BLOCK_BYTES * REMOVED_SHARE);
  return { lines: fitting, isCut: fitting.length < lines.length };
}

/** The names of the files whose lines changed and that have no patch in the block, by why. */
interface WithoutPatch {
  readonly bare: string[];
  readonly removed: string[];
  /** GitHub shows none of so many lines. */
  readonly tooLarge: string[];
  readonly missing: string[];
}

async function filesWithoutPatch(
  files: readonly ChangedFile[],
  kindIn: KindIn,
  pause: () => Promise<void>,
): Promise<WithoutPatch> {
  const found: WithoutPatch = { bare: [], removed: [], tooLarge: [], missing: [] };
  for (const file of files) {
    await pause();
    const { filename, status, additions, deletions } = file;
    const isBare = kindIn(filename) === 'bare';
    if (isBare || status === 'removed') {
      if (hasLines(file)) (isBare ? found.bare : found.removed).push(filename);
    } else if (lacksPatch(file)) {
      const isTooLarge = additions + deletions > MAX_LINES_OF_A_PATCH;
      (isTooLarge ? found.tooLarge : found.missing).push(filename);
    }
  }
  return found;
}

function patchesLeftOut(
  { bare, removed, tooLarge, missing }: WithoutPatch,
  patches: ReturnType<typeof sharePatches>,
): readonly LeftOut[] {
  const of = (files: readonly string[], what: (patches: string) => string) =>
    files.length === 0 ? [] : [{ what: what(countPatches(files.length)), files }];
  const { notListed: unlisted } = patches;
  return [
    ...(patches.cut > 0
      ? [{ what: `parts of ${countPatches(patches.cut)}, marked with "[cut"` }]
      : []),
    ...(unlisted.length === 0
      ? []
      : [{ what: `${countPatches(unlisted.length)} for lack of room`, files: unlisted }]),
    ...of(tooLarge, (n) => `${n} too large for GitHub to show`),
    ...of(missing, (n) => `${n} that GitHub did not give`),
    // The list of files says of each that it is one.
    ...(bare.length === 0 ? [] : [{ what: `${countPatches(bare.length)} of ${reasonsOf(bare)}` }]),
    ...(removed.length === 0
      ? []
      : [{ what: `the lines of ${pluralize(removed.length, 'removed file')}` }]),
  ];
}

/** For example `lock files and snapshots`. */
const reasonsOf = (names: readonly string[]) =>
  new Intl.ListFormat('en').format(new Set(names.map((name) => `${bareReason(name)}s`)));

const countPatches = (n: number) => pluralize(n, 'patch', 'patches');

/**
 * Puts content between two lines that read a hash of it, which it cannot contain. So it cannot
 * close its own block. This does not keep a model from believing what it reads there.
 */
async function fenced(
  lines: readonly string[],
  facts: BlockFacts,
  { clean, pause }: Omit<BlockOptions, 'level'>,
): Promise<string> {
  const finished: string[] = [];
  for (const line of lines) {
    finished.push(finishLine(line, clean));
    await pause();
  }
  const content = finished.join('\n');
  const name = `changes-${createHash('sha256').update(content).digest('hex').slice(0, 24)}`;
  return [...blockSentences(name, facts, clean), name, content, name].join('\n');
}

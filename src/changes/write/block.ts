import { createHash } from 'node:crypto';
import { isOfFork, type WorkflowEvent } from '../../github/github.ts';
import { cut } from '../../text/escape.ts';
import { listInWords, pluralize } from '../../text/words.ts';
import type { KnownChanges } from '../find/found.ts';
import { patchesOf, sharePatches } from '../patches/fit.ts';
import {
  bareReason,
  filesWithPatches,
  hasLines,
  lacksPatch,
  type RankedFile,
} from '../patches/kinds.ts';
import { bytesOf, type Clean, finishLine, oneLine, takeLines } from '../patches/lines.ts';
import { commitLines } from './commits.ts';
import { indented } from './descriptions.ts';
import { fileLines, filesHeading } from './file-list.ts';
import { type Happened, whatHappened } from './happened.ts';
import { type BlockFacts, blockSentences, type Standing } from './sentences.ts';

/** The longest block, in bytes of UTF-8. */
export const MAX_BLOCK_BYTES = 200_000;
/** The limits for the names of files whose patch doesn't fit. */
const MAX_NAMES = 20;
const MAX_NAMES_BYTES = 5_000;
/** Reserved for those names, the fence, titles and the line that says what was left out. */
const RESERVED_BYTES = MAX_NAMES_BYTES + 1_500;
/** The limits for release notes or a pull request's description, in UTF-16 units and in bytes. */
const MAX_DESCRIPTION_LENGTH = 20_000;
const MAX_DESCRIPTION_BYTES = 60_000;
/** The share of the room that the file list may take when patches need more than is left. */
const LIST_SHARE = 0.15;
/** A list of at least this many files comes last. */
const LONG_LIST = 40;
/** GitHub's refs and URLs aren't longer. */
const MAX_REF_LENGTH = 500;

/** The block, phrases for what it leaves out, and how many files have their patch in it. */
export interface Block {
  /** Includes the sentences before the block. */
  readonly text: string;
  readonly standing: Standing;
  readonly leftOut: readonly string[];
  readonly patches: number;
  /** Some file has lines that a writer may want to read. */
  readonly isPatchWanted: boolean;
}

/**
 * Builds the block to append to the prompt: what happened and what changed, as data, between two
 * lines that its content can't contain. None of it is trusted. Each part has its limit, and the
 * patches share the rest.
 */
export function changesBlock(changes: KnownChanges, level: 'files' | 'diff', clean: Clean): Block {
  const happened = whatHappened(changes.event, clean);
  const description = descriptionOf(happened, clean);
  const head = [...headLines(changes, happened, clean), ...description.lines];
  const commits = commitLines(changes, clean);
  const story = [
    ...titled(commitsHeading(changes, commits), commits.lines),
    ...titled('no documentation needed:', commits.skipped),
  ];
  const files = level === 'diff' ? filesWithPatches(changes) : [];
  const candidates = patchesOf(files);
  const facts = factsOf(changes, happened, candidates.length > 0);
  const gaps = changes.gaps.join('; ');
  const taken = bytesOf([...blockSentences('', facts, clean), ...head, gaps, ...story]);
  const room = MAX_BLOCK_BYTES - RESERVED_BYTES - taken;
  const patchBytes = candidates.reduce((sum, { bytes }) => sum + bytes, 0);
  const listed = fileLines(changes, Math.max(Math.floor(room * LIST_SHARE), room - patchBytes));
  const list = ['', filesHeading(changes, listed.length), ...listed];
  const patches = sharePatches(candidates, room - bytesOf(list));
  const names = patches.unlisted.slice(0, MAX_NAMES).map((name) => `- ${name}`);
  const missing = files.filter(isMissing).length;
  const leftOut = [
    ...changes.gaps,
    ...description.leftOut,
    ...commitsLeftOut(changes, commits),
    ...some(
      changes.selected.length - listed.length,
      (n) => `${pluralize(n, 'file name')} not listed`,
    ),
    ...some(patches.cut, (n) => `parts of ${countPatches(n)}, marked with "[cut"`),
    ...some(patches.unlisted.length, (n) => `${countPatches(n)} for lack of room`),
    ...some(missing, (n) => `${countPatches(n)} that GitHub did not give`),
    ...patchesLeftOut(files),
  ];
  const isShort = changes.selected.length < LONG_LIST;
  const lines = [
    ...head,
    ...(leftOut.length === 0 ? [] : ['', `left out: ${leftOut.join('; ')}`]),
    ...story,
    ...(isShort ? list : []),
    ...titled('patches:', patches.lines),
    ...titled('no room for the patches of:', takeLines(names, MAX_NAMES_BYTES)),
    ...(isShort ? [] : list),
  ];
  return {
    text: fenced(lines, facts, clean),
    standing: standingOf(changes),
    leftOut,
    patches: candidates.length - patches.unlisted.length,
    isPatchWanted: candidates.length + missing > 0,
  };
}

const some = (n: number, phrase: (n: number) => string) => (n > 0 ? [phrase(n)] : []);
const countPatches = (n: number) => pluralize(n, 'patch', 'patches');

/** States how many of the commits are listed. The commits that a merge brought in stand for it. */
function commitsHeading(
  { totalCommits, skipped }: KnownChanges,
  { told, merges }: ReturnType<typeof commitLines>,
): string {
  const others = merges === 0 ? '' : `; ${merges} more only merge them`;
  return `commits (${told} of ${totalCommits - skipped.size}${others}), oldest first:`;
}

function commitsLeftOut(
  { totalCommits }: KnownChanges,
  { told, merges, skipped, cutDescriptions, cutMessages }: ReturnType<typeof commitLines>,
): readonly string[] {
  const notListed = totalCommits - told - merges - skipped.length;
  return [
    ...some(notListed, (n) => `${pluralize(n, 'commit')} not listed`),
    ...some(cutDescriptions, (n) => `parts of ${pluralize(n, 'pull request description')}`),
    ...some(cutMessages, (n) => `parts of ${pluralize(n, 'commit message')}`),
  ];
}

const isMissing = ({ file, kind }: RankedFile) =>
  kind !== 'bare' && file.status !== 'removed' && lacksPatch(file);

/** The patches left out because nobody documents their lines. */
function patchesLeftOut(files: readonly RankedFile[]): readonly string[] {
  const changed = files.filter(({ file }) => hasLines(file));
  const bare = changed.filter(({ kind }) => kind === 'bare');
  const removed = changed.filter(({ file, kind }) => kind !== 'bare' && file.status === 'removed');
  // The file list marks each such file.
  const reasons = new Set(bare.map(({ file }) => `${bareReason(file.filename)}s`));
  const names = listInWords([...reasons]);
  return [
    ...some(bare.length, (n) => `${countPatches(n)} of ${names}`),
    ...some(removed.length, (n) => `the lines of ${pluralize(n, 'removed file')}`),
  ];
}

/** The facts for the sentences before the block. */
function factsOf(changes: KnownChanges, happened: Happened, hasPatches: boolean): BlockFacts {
  const { event, earlier, totalCommits, files, selected } = changes;
  const ends = { from: listStartOf(changes), to: listEndOf(changes, happened) };
  return {
    repository: event.repository,
    compared: hasPatches && totalCommits > 1 ? ends : undefined,
    readableAt: isOfFork(event.payload) ? undefined : ends.to,
    isFiltered: selected.length < files.length,
    hasSkipped: changes.skipped.size > 0,
    earlier,
  };
}

/** The name of where the lists start. */
const listStartOf = ({ status, base, mergeBase }: KnownChanges) =>
  status === 'diverged' ? mergeBase : base;

/** The name of where the lists end: the event's tag, if it is on that commit. */
const listEndOf = ({ head, event }: KnownChanges, { tag }: Happened) =>
  (head === event.sha && tag) || head;

function standingOf(changes: KnownChanges): Standing {
  if (changes.ownPull !== undefined) return { kind: 'whole' };
  if (changes.earlier.some(({ overlaps }) => overlaps)) return { kind: 'again' };
  return { kind: 'follows', from: listStartOf(changes) };
}

/** Builds a block without changes, which describes only the event. `reason` says why. */
export function eventBlock(event: WorkflowEvent, reason: string, clean: Clean): string {
  const happened = whatHappened(event, clean);
  const lines = [
    `what happened: ${happened.line}`,
    `changes: not told, because ${reason}`,
    ...descriptionOf(happened, clean).lines,
  ];
  const readableAt = isOfFork(event.payload) ? undefined : (happened.tag ?? event.sha);
  return fenced(lines, { repository: event.repository, readableAt }, clean);
}

/** A part of the block after a blank line. Empty without lines. */
const titled = (title: string, lines: readonly string[]) =>
  lines.length === 0 ? [] : ['', title, ...lines];

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

/** The page of the changes: a comparison that uses names rather than object IDs. */
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
  const shown = indented(cut(clean(text), MAX_DESCRIPTION_LENGTH));
  const lines = takeLines(shown, MAX_DESCRIPTION_BYTES);
  const isCut = text.length > MAX_DESCRIPTION_LENGTH || lines.length < shown.length;
  return {
    lines: titled(`${title}:`, lines),
    leftOut: isCut ? [`the end of the ${title}`] : [],
  };
}

/**
 * Puts content between two lines with a hash of it, which it can't contain, so it can't close its
 * own block. This doesn't keep a model from believing what it reads there.
 */
function fenced(lines: readonly string[], facts: BlockFacts, clean: Clean): string {
  const content = lines.map((line) => finishLine(line, clean)).join('\n');
  const name = `changes-${createHash('sha256').update(content).digest('hex').slice(0, 24)}`;
  return [...blockSentences(name, facts, clean), name, content, name].join('\n');
}

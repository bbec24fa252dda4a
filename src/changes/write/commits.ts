import type { Commit, SourcePull } from '../../github/github.ts';
import { linesOf } from '../../text/escape.ts';
import { redactedBeginning } from '../../text/secrets.ts';
import { isBreakingTitle, subjectOf } from '../find/source-pulls.ts';
import {
  bytesOf,
  type Clean,
  oneLine,
  type Portion,
  portionOf,
  type Sharer,
  shareRoom,
  takeLines,
} from '../rank/room.ts';
import { type DescribedCommit, descriptionLines } from './descriptions.ts';

/** Of a longer message the rest is not read: of all together not much more than this many units. */
const MAX_MESSAGE_LENGTH = { least: 10_000, most: 50_000, together: 10_000_000 };
/** The part of the room that the subjects have before any note, as far as they need it. */
const SUBJECTS_SHARE = 0.4;
/** In a shorter list what breaks is seen where it stands. */
const MIN_COMMITS_FOR_NOTES = 5;

/** How much of a subject the line about bots shows, in UTF-16 units. */
const MAX_EXAMPLE_LENGTH = 200;

interface Message {
  readonly sha: string;
  readonly subject: string;
  /** By the mark in its subject. https://www.conventionalcommits.org */
  readonly isBreaking: boolean;
  readonly isBot: boolean;
  /** Its rest was not read, and would be shown. */
  readonly isCut: boolean;
  readonly paragraphs: readonly Paragraph[];
}

/** What the list shows of a commit, of several with the same message, or of those of bots. */
interface Entry extends Pick<Message, 'sha' | 'isBreaking' | 'isBot' | 'isCut' | 'paragraphs'> {
  readonly line: string;
  /** The commits that it stands for. */
  readonly shas: readonly string[];
}

interface Paragraph {
  /** Indented, so that none can be taken for a line of the block itself. */
  readonly lines: readonly string[];
  /** It says what breaks, or what release notes should say. */
  readonly isNote: boolean;
}

/**
 * The commits that fit, each as its subject and, indented below it, its body. What breaks and what
 * release notes should say goes first: of many commits it is a list of its own, `notes`. `told` is
 * how many commits the list stands for. It has no `merges` of commits that it tells itself. Under the
 * first commit of each of the `pulls` stands what that says. `pause` is called after each commit. It
 * may wait, or throw to stop.
 */
export async function commitLines(
  commits: readonly Commit[],
  pulls: ReadonlyMap<string, SourcePull>,
  maxBytes: number,
  { clean, pause }: { clean: Clean; pause: () => Promise<void> },
) {
  const { least, most, together } = MAX_MESSAGE_LENGTH;
  const maxLength = Math.max(least, Math.min(most, Math.floor(together / commits.length)));
  const listed = new Set(commits.map(({ sha }) => sha));
  const messages: Message[] = [];
  for (const commit of commits) {
    const message = readMessage(commit, maxLength, clean);
    if (!mergesAny(commit, listed) || isNoted(message)) messages.push(message);
    await pause();
  }
  const entries = entriesOf(messages, clean);
  const hasNotes = messages.length >= MIN_COMMITS_FOR_NOTES;
  const noted = hasNotes ? entries.filter(isNoted) : [];
  const subjects = bytesOf(entries.map(({ line }) => line));
  const notesRoom = maxBytes - Math.min(subjects, Math.floor(maxBytes * SUBJECTS_SHARE));
  const notes = share(
    noted.map((entry) => only(entry, true)),
    notesRoom,
  );
  const rest = maxBytes - notes.reduce((sum, { portion }) => sum + portion.bytes, 0);
  const shown = share(hasNotes ? entries.map((entry) => only(entry, false)) : entries, rest);
  const isCut = ({ portion }: Shown) => portion.isCut;
  const isShown = new Set(shown.flatMap(({ entry }) => entry.shas));
  const describable = messages.filter(({ sha, isBot }) => isShown.has(sha) && !isBot);
  const first = firstOfPulls(describable, commits, pulls);
  const described = await descriptionLines(first, { clean, pause });
  return {
    notes: notes.flatMap(({ portion }) => portion.lines),
    lines: shown.flatMap(({ entry, portion }) => [
      ...portion.lines,
      ...entry.shas.flatMap((sha) => described.bySha.get(sha) ?? []),
    ]),
    descriptionsCut: described.notTold,
    told: shown.reduce((sum, { entry }) => sum + entry.shas.length, 0),
    merges: commits.length - messages.length,
    cut: [...notes, ...shown].filter(isCut).length + noted.length - notes.length,
  };
}

/** The first commit of each pull request that the list shows. */
function firstOfPulls(
  messages: readonly Message[],
  commits: readonly Commit[],
  pulls: ReadonlyMap<string, SourcePull>,
): readonly DescribedCommit[] {
  const texts = new Map(commits.map(({ sha, commit }) => [sha, commit.message]));
  const told = new Set<number>();
  const first: DescribedCommit[] = [];
  for (const message of messages) {
    const { sha, subject } = message;
    const pull = pulls.get(sha);
    if (pull === undefined || told.has(pull.number)) continue;
    told.add(pull.number);
    const isTelling = isNoted(message);
    first.push({ sha, subject, isTelling, message: texts.get(sha) ?? '', pull });
  }
  return first;
}

/** How many bytes the commits may take that need no documentation. */
const MAX_SKIPPED_BYTES = 5_000;

/** Each of these commits in one line, so that no message can say it of itself. */
export function skippedLines(commits: readonly Commit[], clean: Clean): readonly string[] {
  const lines = commits.map(
    (commit) =>
      `- ${commit.sha.slice(0, 12)} ${oneLine(subjectOf(commit), MAX_EXAMPLE_LENGTH, clean)}`,
  );
  const shown = takeLines(lines, MAX_SKIPPED_BYTES);
  const more = lines.length - shown.length;
  return more === 0 ? shown : [...shown, `- … and ${more} more`];
}

/** Whether a merge commit brought a commit that is listed. Then that one tells what changed. */
const mergesAny = ({ parents }: Commit, listed: ReadonlySet<string>) =>
  (parents ?? []).slice(1).some(({ sha }) => listed.has(sha));

const isNoted = ({ isBreaking, paragraphs }: Pick<Message, 'isBreaking' | 'paragraphs'>) =>
  isBreaking || paragraphs.some(({ isNote }) => isNote);

/** One for all commits of bots that break nothing, and one for each message of the others. */
function entriesOf(messages: readonly Message[], clean: Clean): readonly Entry[] {
  const isRoutine = ({ isBot, isBreaking }: Message) => isBot && !isBreaking;
  const routine = messages.filter(isRoutine);
  const [first] = routine;
  const others = routine.length > 1 ? messages.filter((one) => !isRoutine(one)) : messages;
  const entries: Entry[] = [];
  const told = new Map<string, { readonly message: Message; readonly shas: string[] }>();
  for (const message of others) {
    const text = toldText(message);
    const same = told.get(text);
    if (same === undefined) told.set(text, { message, shas: [message.sha] });
    else same.shas.push(message.sha);
  }
  for (const { message, shas } of told.values()) {
    const times = shas.length === 1 ? '' : ` (${shas.length} times)`;
    entries.push({ ...message, line: commitLine(message) + times, shas });
  }
  if (first === undefined || routine.length === 1) return entries;
  const example = oneLine(first.subject, MAX_EXAMPLE_LENGTH, clean).replace(/[\\"]/g, '\\$&');
  const line = `- ${routine.length} commits by bots, like "${example}"`;
  return [...entries, { ...first, line, shas: routine.map(({ sha }) => sha) }];
}

const commitLine = ({ sha, subject }: Message) => `- ${sha.slice(0, 12)} ${subject}`;

/** What two commits have in common that say the same. Of a message that is not read to its end: nothing. */
const toldText = ({ sha, subject, paragraphs, isCut }: Message) =>
  JSON.stringify(isCut ? sha : [subject, paragraphs.map(({ lines }) => lines)]);

const only = (entry: Entry, isNote: boolean): Entry => ({
  ...entry,
  paragraphs: entry.paragraphs.filter((paragraph) => paragraph.isNote === isNote),
});

interface Shown {
  readonly entry: Entry;
  readonly portion: Portion;
}

/** When not even all subjects fit, bots' are left out first, and what breaks last. */
function share(entries: readonly Entry[], maxBytes: number): readonly Shown[] {
  const priority = ({ isBreaking, isBot }: Entry) => (isBreaking ? 0 : isBot ? 2 : 1);
  const ranked = [...entries].sort((a, b) => priority(a) - priority(b));
  const portions = shareRoom(ranked.map(commitSharer), maxBytes);
  const byEntry = new Map(portions.map((portion, rank) => [ranked[rank], portion]));
  return entries.flatMap((entry) => {
    const portion = byEntry.get(entry);
    return portion === undefined ? [] : { entry, portion };
  });
}

/** A commit whose body may be cut, but not its subject. */
function commitSharer({ line, paragraphs, isCut }: Entry): Sharer {
  const minBytes = bytesOf([line]);
  const rest = isCut ? [CUT] : [];
  const whole = portionOf([line, ...bodyLines(paragraphs), ...rest], isCut);
  const cutTo = (maxBytes: number) => {
    let left = maxBytes - minBytes - bytesOf([CUT]);
    const kept = new Map<Paragraph, readonly string[]>();
    const noted = [...paragraphs].sort((a, b) => Number(b.isNote) - Number(a.isNote));
    for (const paragraph of noted) {
      const lines = takeLines(paragraph.lines, left - 1);
      if (lines.length > 0) kept.set(paragraph, lines);
      left -= bytesOf(lines) + 1;
      // Nothing of a later one is shown when a part of this one is left out.
      if (lines.length < paragraph.lines.length) break;
    }
    const shown = paragraphs.flatMap((one) => ({ ...one, lines: kept.get(one) ?? [] }));
    const body = bodyLines(shown.filter(({ lines }) => lines.length > 0));
    return portionOf([line, ...(left < 0 && body.length === 0 ? [] : [...body, CUT])], true);
  };
  return { minBytes, whole, cutTo };
}

const INDENT = '    ';
/** Stands where the rest of a message is left out. */
const CUT = `${INDENT}…`;

const bodyLines = (paragraphs: readonly Paragraph[]) =>
  paragraphs.flatMap(({ lines }, index) => (index === 0 ? lines : ['', ...lines]));

function readMessage({ sha, commit, author }: Commit, maxLength: number, clean: Clean): Message {
  const isCut = commit.message.length > maxLength;
  // A cut could leave half of a secret.
  const text = isCut ? redactedBeginning(commit.message, maxLength, clean) : commit.message;
  const [title = '', ...rest] = withoutTrailers(linesOf(text.replace(/^\s+/, '')));
  const bot = /\[bot\]$/;
  const isBot =
    author?.type === 'Bot' || bot.test(author?.login ?? '') || bot.test(commit.author?.name ?? '');
  // The body of a bot's commit quotes the changelogs of other projects.
  const paragraphs = isBot ? [] : paragraphsOf(rest.filter((line) => !isNoise(line)));
  return {
    sha,
    subject: title.replaceAll('\t', '\\t'),
    isBreaking: isBreakingTitle(title),
    isBot,
    isCut: isCut && !isBot,
    paragraphs,
  };
}

/** Lines of a message that say nothing of what changed, wherever they stand in it. */
const isNoise = (line: string) => FIXUP.test(line) || CHERRY_PICKED.test(line) || PERSON.test(line);
const FIXUP = /^\* (?:fixup|squash)(?:!|$)/;
/** What `git cherry-pick -x` adds. */
const CHERRY_PICKED = /^\(cherry picked from commit [0-9a-f]{7,64}\)[ \t]*$/;
/** A squash merge has the trailers of each commit that it squashed: `Signed-off-by: A <a@b.c>`. */
const PERSON = /^[A-Z][a-z]+(?:-[A-Za-z]+){1,3}: [^<>]{1,200}<[^<>\s]{1,200}>[ \t]*$/;
/** Begins a note, also as a heading or an item of a list. */
const NOTE = /^[\s#>*-]*(?:BREAKING[ -]CHANGES?|RELEASE NOTES?|Release-Notes?)\b/;
const HEADING_OF_NOTE = /^[\s#>*-]*(?:BREAKING[ -]CHANGES?|RELEASE NOTES?|Release-Notes?)\W*$/;
/** A note that says that there is none. */
const NO_NOTE = /^[\s#>*-]*release[ -]notes?\W*(?:none|n\/?a|no)?\W*$/i;
const MAX_NO_NOTE_LENGTH = 50;
const isNoNote = (line: string) => line.length <= MAX_NO_NOTE_LENGTH && NO_NOTE.test(line);
const ITEM = /^\s*[-*+]\s/;

/** The paragraphs of a text. What follows the heading of a note, or continues its list, is part of it. */
function paragraphsOf(lines: readonly string[]): readonly Paragraph[] {
  const paragraphs: { lines: string[]; isNote: boolean; isHeading: boolean }[] = [];
  let isInside = false;
  for (const line of lines) {
    const last = paragraphs.at(-1);
    if (isBlank(line)) isInside = false;
    else if (isInside) last?.lines.push(line);
    else if (last?.isNote && (ITEM.test(line) || last.isHeading)) {
      last.lines.push(line);
      isInside = true;
    } else {
      paragraphs.push({ lines: [line], isNote: false, isHeading: true });
      isInside = true;
    }
    const current = paragraphs.at(-1);
    if (current === undefined || isBlank(line)) continue;
    current.isNote ||= NOTE.test(line);
    // All of its lines so far are headings of notes.
    current.isHeading &&= HEADING_OF_NOTE.test(line);
  }
  const seen = new Set<string>();
  return paragraphs
    .filter(({ lines }) => {
      // A squash merge lists each commit, and many are named alike.
      const text = lines.join('\n');
      const isFirst = !seen.has(text);
      seen.add(text);
      return isFirst;
    })
    .filter(({ isNote, lines }) => !(isNote && lines.every(isNoNote)))
    .map(({ isNote, lines: own }) => ({ isNote, lines: own.map((line) => `${INDENT}${line}`) }));
}

/** A paragraph of a description is one line, and of a line that is longer the end is not shown. */
const MAX_PIECE_LENGTH = 1_900;

/** A line in pieces that are not too long, between two words where there are some. */
function piecesOf(line: string): readonly string[] {
  const pieces: string[] = [];
  let rest = line;
  while (rest.length > MAX_PIECE_LENGTH) {
    const space = rest.lastIndexOf(' ', MAX_PIECE_LENGTH);
    const beginning = rest.slice(0, space > 0 ? space : MAX_PIECE_LENGTH);
    const piece = beginning.replace(/[\ud800-\udbff]$/, '');
    pieces.push(piece);
    rest = rest.slice(piece.length);
  }
  return [...pieces, rest];
}

/** A text as lines that are all indented, without blank lines at its ends or twice in a row. */
export function indented(text: string): readonly string[] {
  const lines = linesOf(text)
    .flatMap(piecesOf)
    .map((line) => (isBlank(line) ? '' : `${INDENT}${line}`));
  const kept = lines.filter((line, index) => line !== '' || (index > 0 && lines[index - 1] !== ''));
  return kept.slice(0, kept.findLastIndex((line) => line !== '') + 1);
}

const GENERATED_BY_GIT = /^(?:Signed-off-by: |\(cherry picked from commit )/;
const TRAILER = /^(?<name>[A-Za-z0-9-]+)[ \t]*:/;
const CONTINUATION = /^[ \t]/;
/** GitHub writes it above the trailers of a squashed pull request. */
const ABOVE_TRAILERS = '-'.repeat(9);
const isBlank = (line: string) => /^[ \t]*$/.test(line);

/**
 * The lines of a message without its trailers, such as `Signed-off-by: …`. Of what git calls a
 * trailer, only names with a hyphen are taken out: `feat: …` (the title of a merged pull request),
 * `Note: …`, `BREAKING-CHANGE: …` and `Release-Notes: …` are trailers to git as well, but they say
 * what changed.
 * https://git-scm.com/docs/git-interpret-trailers
 */
export function withoutTrailers(lines: readonly string[]): readonly string[] {
  const start = trailersStart(lines);
  let isDropped = false;
  const kept = lines.filter((line, index) => {
    if (index < start) return true;
    // A trailer may go on in indented lines.
    if (!CONTINUATION.test(line)) {
      const { name = '' } = TRAILER.exec(line)?.groups ?? {};
      isDropped = name.includes('-') && !NOTE.test(name);
    }
    return !isDropped;
  });
  const last = kept.findLastIndex((line) => !isBlank(line));
  return kept[last] === ABOVE_TRAILERS ? kept.slice(0, last) : kept;
}

/**
 * Where the trailers start; after the last line when there are none. They are the last paragraph,
 * if it is not the first: only trailers, or at least a quarter and one that git itself writes.
 */
function trailersStart(lines: readonly string[]): number {
  const titleEnd = lines.findIndex(isBlank);
  const lastIndex = lines.findLastIndex((line) => !isBlank(line) && !line.startsWith('#'));
  if (titleEnd === -1 || lastIndex < titleEnd) return lines.length;
  const start = lines.slice(0, lastIndex).findLastIndex(isBlank) + 1;
  const paragraph = lines.slice(start, lastIndex + 1);
  let trailers = 0;
  let others = 0;
  let isInTrailer = false;
  for (const line of paragraph) {
    if (isInTrailer && CONTINUATION.test(line)) continue;
    isInTrailer = GENERATED_BY_GIT.test(line) || TRAILER.test(line);
    if (isInTrailer) trailers += 1;
    else if (!line.startsWith('#')) others += 1;
  }
  const isByGit = paragraph.some((line) => GENERATED_BY_GIT.test(line));
  const isBlock = isByGit ? trailers * 3 >= others : trailers > 0 && others === 0;
  return isBlock ? start : lines.length;
}

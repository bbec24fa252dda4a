import type { Commit } from '../github/github.ts';
import { linesOf } from '../text/escape.ts';
import { redactedBeginning } from '../text/secrets.ts';
import {
  bytesOf,
  type Clean,
  type Portion,
  portionOf,
  type Sharer,
  shareRoom,
  takeLines,
} from './room.ts';

/** Of a longer message the rest is not read: of all together not much more than this many units. */
const MAX_MESSAGE_LENGTH = { least: 10_000, most: 50_000, together: 10_000_000 };
/** The part of the room that the subjects have before any note, as far as they need it. */
const SUBJECTS_SHARE = 0.4;
/** In a shorter list what breaks is seen where it stands. */
const MIN_COMMITS_FOR_NOTES = 5;

interface Message {
  readonly line: string;
  /** By the mark in its subject. https://www.conventionalcommits.org */
  readonly isBreaking: boolean;
  readonly isBot: boolean;
  /** Its rest was not read. */
  readonly isCut: boolean;
  readonly paragraphs: readonly Paragraph[];
}

interface Paragraph {
  /** Indented, so that none can be taken for a line of the block itself. */
  readonly lines: readonly string[];
  /** It says what breaks, or what release notes should say. */
  readonly isNote: boolean;
}

/**
 * The commits that fit, each as its subject and, indented below it, its body. What breaks and what
 * release notes should say goes first: of many commits it is a list of its own, `notes`. `pause` is
 * called after each commit. It may wait, or throw to stop.
 */
export async function commitLines(
  commits: readonly Commit[],
  maxBytes: number,
  { clean, pause }: { clean: Clean; pause: () => Promise<void> },
) {
  const { least, most, together } = MAX_MESSAGE_LENGTH;
  const maxLength = Math.max(least, Math.min(most, Math.floor(together / commits.length)));
  const messages: Message[] = [];
  for (const commit of commits) {
    messages.push(messageOf(commit, maxLength, clean));
    await pause();
  }
  const hasNotes = messages.length >= MIN_COMMITS_FOR_NOTES;
  const isNoted = ({ isBreaking, paragraphs }: Message) =>
    isBreaking || paragraphs.some(({ isNote }) => isNote);
  const noted = hasNotes ? messages.filter(isNoted) : [];
  const subjects = bytesOf(messages.map(({ line }) => line));
  const notesRoom = maxBytes - Math.min(subjects, Math.floor(maxBytes * SUBJECTS_SHARE));
  const notes = share(
    noted.map((message) => only(message, true)),
    notesRoom,
  );
  const rest = maxBytes - notes.reduce((sum, { bytes }) => sum + bytes, 0);
  const portions = share(
    hasNotes ? messages.map((message) => only(message, false)) : messages,
    rest,
  );
  return {
    notes: notes.flatMap(({ lines }) => lines),
    lines: portions.flatMap(({ lines }) => lines),
    count: portions.length,
    cut: [...notes, ...portions].filter(({ isCut }) => isCut).length + noted.length - notes.length,
  };
}

const only = (message: Message, isNote: boolean): Message => ({
  ...message,
  paragraphs: message.paragraphs.filter((paragraph) => paragraph.isNote === isNote),
});

/** When not even all subjects fit, bots' are left out first, and what breaks last. */
function share(messages: readonly Message[], maxBytes: number): readonly Portion[] {
  const priority = ({ isBreaking, isBot }: Message) => (isBreaking ? 0 : isBot ? 2 : 1);
  const ranked = [...messages.entries()].sort(([, a], [, b]) => priority(a) - priority(b));
  const portions = shareRoom(
    ranked.map(([, message]) => sharerOf(message)),
    maxBytes,
  );
  return portions
    .map((portion, rank) => ({ portion, at: ranked[rank]?.[0] ?? 0 }))
    .sort((a, b) => a.at - b.at)
    .map(({ portion }) => portion);
}

/** A commit whose body may be cut, but not its subject. */
function sharerOf({ line, paragraphs, isCut }: Message): Sharer {
  const minBytes = bytesOf([line]);
  const rest = isCut ? [CUT] : [];
  const whole = portionOf([line, ...bodyOf(paragraphs), ...rest], isCut);
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
    const body = bodyOf(shown.filter(({ lines }) => lines.length > 0));
    return portionOf([line, ...(left < 0 && body.length === 0 ? [] : [...body, CUT])], true);
  };
  return { minBytes, whole, cutTo };
}

const INDENT = '    ';
/** Stands where the rest of a message is left out. */
const CUT = `${INDENT}…`;

const bodyOf = (paragraphs: readonly Paragraph[]) =>
  paragraphs.flatMap(({ lines }, index) => (index === 0 ? lines : ['', ...lines]));

function messageOf({ sha, commit, author }: Commit, maxLength: number, clean: Clean): Message {
  const isCut = commit.message.length > maxLength;
  // A cut could leave half of a secret.
  const text = isCut ? redactedBeginning(commit.message, maxLength, clean) : commit.message;
  const [title = '', ...rest] = withoutTrailers(linesOf(text.replace(/^\s+/, '')));
  const bot = /\[bot\]$/;
  const isBot =
    author?.type === 'Bot' || bot.test(author?.login ?? '') || bot.test(commit.author?.name ?? '');
  // The body of a bot's commit quotes the changelogs of other projects.
  const paragraphs = isBot ? [] : paragraphsOf(rest.filter((line) => !FIXUP.test(line)));
  const subject = title.replaceAll('\t', '\\t');
  return {
    line: `- ${sha.slice(0, 12)} ${subject}`,
    isBreaking: BREAKING.test(title),
    isBot,
    isCut,
    paragraphs,
  };
}

const FIXUP = /^\* (?:fixup|squash)(?:!|$)/;
const BREAKING = /^\w+(?:\([^)]*\))?!:/;
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

/** A text as lines that are all indented, without blank lines at its ends or twice in a row. */
export function indented(text: string): readonly string[] {
  const lines = linesOf(text).map((line) => (isBlank(line) ? '' : `${INDENT}${line}`));
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

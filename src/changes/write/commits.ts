/** Lists the commits with what their messages and pull requests say. */

import { pullOfEvent } from '../../github/event.ts';
import type { CodePull, Commit } from '../../github/github.ts';
import { linesOf } from '../../text/escape.ts';
import { isBreaking } from '../find/breaking.ts';
import { subjectOf } from '../find/code-pulls.ts';
import type { KnownChanges } from '../find/found.ts';
import { beginningOf, bytesOf, type Clean, firstOf, lineBytes, oneLine } from '../patches/lines.ts';
import { shareOf } from '../patches/share.ts';
import { descriptionLines, indented } from './descriptions.ts';

/** The limit for all commits together. */
const MAX_BYTES = 50_000;
/** A commit with a body this long explains itself. */
const ENOUGH_LENGTH = 200;
/** How much of a subject the line about bots shows. */
const MAX_EXAMPLE_LENGTH = 200;

/** Matches a login, or the author's name if GitHub knows no account. All others count as people. */
const BOT = /^(?:dependabot|renovate|github-actions|pre-commit-ci)(?:\[bot\])?$/i;
const TRAILER = /^[ \t]{0,20}(?:[a-z][a-z-]{0,50}-by: |change-id: |\(cherry picked from |-{9}$)/i;

type Told = Pick<KnownChanges, 'commits' | 'skipped' | 'pulls' | 'event'>;

/**
 * Lists the commits, oldest first. If they don't fit, cuts all bodies and descriptions to the same
 * length. If even their first lines don't fit, leaves out the oldest commits. Leaves out merges of
 * listed commits, and puts those of bots on one line.
 */
export function commitLines({ commits, skipped, pulls, event }: Told, clean: Clean) {
  const isSkipped = ({ sha }: Commit) => skipped.has(sha);
  const needed = commits.filter((commit) => !isSkipped(commit));
  const shas = new Set(needed.map(({ sha }) => sha));
  const merges = needed.filter((commit) => mergesAny(commit, shas));
  const routine = needed.filter((commit) => !merges.includes(commit) && isRoutine(commit));
  const bots = routine.length > 1 ? routine : [];
  const botLines = bots.length > 0 ? [botLine(bots, clean)] : [];
  const apart = new Set([...merges, ...bots]);
  const alone = commits.filter((commit) => !apart.has(commit));
  const room = MAX_BYTES - bytesOf(botLines);
  const newest = firstOf(alone.toReversed(), (commit) => lineBytes(firstLine(commit)), room);
  const shown = newest.toReversed();
  const told = shown.filter((commit) => !isSkipped(commit));
  // The description of the event's own pull request comes before the commits.
  const entries = entriesOf(told, pulls.byCommit, pullOfEvent(event)?.number, clean);
  const length = shareOf(
    entries.flatMap(({ body, description }) => [bytesOf(body), bytesOf(description)]),
    room - bytesOf(shown.map(firstLine)),
  );
  const isCut = (lines: readonly string[]) => bytesOf(lines) > length;
  return {
    lines: [
      ...entries.flatMap(({ line, body, description }) => [
        line,
        ...beginningOf(body, length, clean),
        ...beginningOf(description, length, clean),
      ]),
      ...botLines,
    ],
    skipped: shown.filter(isSkipped).map(firstLine),
    told: told.length + bots.length,
    merges: merges.length,
    cutMessages: entries.filter(({ body }) => isCut(body)).length,
    cutDescriptions: entries.filter(({ description }) => isCut(description)).length,
  };
}

const firstLine = (commit: Commit) => `- ${commit.sha.slice(0, 12)} ${subjectOf(commit)}`;

/** Whether a merge commit brought in a listed commit, which then says what changed. */
const mergesAny = ({ parents }: Commit, listed: ReadonlySet<string>) =>
  (parents ?? []).slice(1).some(({ sha }) => listed.has(sha));

/** A bot's commit that breaks nothing. */
const isRoutine = (commit: Commit) =>
  BOT.test(commit.author?.login ?? commit.commit.author?.name ?? '') && !isBreaking(commit);

function botLine(commits: readonly Commit[], clean: Clean): string {
  const [first = ''] = commits.map(subjectOf);
  const example = oneLine(first, MAX_EXAMPLE_LENGTH, clean).replace(/[\\"]/g, '\\$&');
  return `- ${commits.length} commits by bots, like "${example}"`;
}

/** Each commit with its body. The first commit of a pull request also has its description. */
function entriesOf(
  commits: readonly Commit[],
  pulls: ReadonlyMap<string, CodePull>,
  own: number | undefined,
  clean: Clean,
) {
  const described = new Set([own]);
  return commits.map((commit) => {
    const line = firstLine(commit);
    // The body of a bot's commit quotes the changelogs of other projects.
    if (isRoutine(commit)) return { line, body: [], description: [] };
    const body = messageBody(commit, clean);
    const pull = pulls.get(commit.sha);
    const isFirst = pull !== undefined && !described.has(pull.number);
    described.add(pull?.number);
    const isDescribed = body.trim().length < ENOUGH_LENGTH;
    return {
      line,
      body: indented(body),
      description: isFirst ? descriptionLines(pull, subjectOf(commit), isDescribed, clean) : [],
    };
  });
}

/** The lines after the first in a message, without trailers. */
function messageBody({ commit: { message } }: Commit, clean: Clean): string {
  // Clean first, because wrapping a long line could leave half a secret in each part.
  const [, ...lines] = linesOf(clean(message.trimStart()));
  return lines.filter((line) => !TRAILER.test(line)).join('\n');
}

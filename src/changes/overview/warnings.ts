/** What people learn about the changes: log lines and warnings. */
import type { Runner } from '../../effects/effects.ts';
import type { Annotation } from '../../model/annotation.ts';
import type { ChangesOverview, SkipReason } from '../../model/changes.ts';
import type { Start } from '../../model/start.ts';
import { quote } from '../../text/escape.ts';
import { mapStrings } from '../../text/json.ts';
import { NEW_RUN_URL } from '../../text/pages.ts';
import { newRunSince, pluralize, shortRef } from '../../text/words.ts';
import { foldersIn } from '../find/all-files.ts';
import type { Changes, KnownChanges, ReadChanges, UnknownChanges } from '../find/found.ts';
import { beginningsIn } from '../find/skipped-commits.ts';
import type { Block } from '../write/block.ts';
import { describeChanges, overviewOf, overviewOfLeftOut } from './overview.ts';

/** Log lines and warnings. */
export interface News {
  readonly log: readonly string[];
  readonly warnings: readonly Pick<Annotation, 'title' | 'message'>[];
}

/** A summary of the changes, and what people should know about them. */
export interface ChangesNews {
  readonly overview: ChangesOverview;
  readonly news: News;
}

export interface NewsOptions {
  readonly paths: readonly string[];
  readonly skip: readonly string[];
  /** Why nothing is sent. */
  readonly skipReason: SkipReason | undefined;
  readonly start: Start | undefined;
  readonly clean: Runner['clean'];
}

/** Reports what was found. */
export function newsOfChanges(found: Changes, options: NewsOptions): ChangesNews {
  const { clean, start } = options;
  if (found.kind === 'left-out') {
    const overview = mapStrings(overviewOfLeftOut(found), clean);
    return { overview, news: NO_NEWS };
  }
  if (found.kind !== 'known') {
    const { reason, isFirstRun } = found;
    const overview = { kind: 'unknown', reason: clean(reason), isFirstRun } as const;
    const warnings = [...warningsOf(found), ...noStart(found, options)];
    return { overview, news: { log: [], warnings } };
  }
  const overview = mapStrings(overviewOf(found, options.paths, found.gaps), clean);
  const sentences = [
    `Changes: ${describeChanges(overview)}.`,
    ...found.notes.map((note) => `${note}.`),
  ];
  const warnings = [
    ...warningsOf(found),
    ...newStep(start),
    ...missingPulls(found),
    ...sinceIsHead(found),
    ...foldersWithoutFiles(foldersIn(options.paths, found.files)),
    ...beginningsAlone(beginningsIn(options.skip, found)),
  ];
  return { overview, news: { log: sentences, warnings } };
}

/**
 * Reports which changes the prompt includes. `block` is missing if the prompt has none, even if
 * `changes` asks for them.
 */
export function newsOfPrompt(
  found: ReadChanges,
  { overview }: Pick<ChangesNews, 'overview'>,
  block: Block | undefined,
  {
    changes: level,
    clean,
  }: { readonly changes: 'none' | 'files' | 'diff'; readonly clean: Runner['clean'] },
): ChangesNews {
  if (overview.kind !== 'known' || found.kind !== 'known') return { overview, news: NO_NEWS };
  if (block === undefined) {
    return { overview, news: { log: leftOutOf('list', overview.leftOut), warnings: [] } };
  }
  const leftOut = block.leftOut.map(clean);
  const warnings = level === 'diff' ? noPatches(found, block) : [];
  return {
    overview: { ...overview, leftOut },
    news: { log: leftOutOf('prompt', leftOut), warnings },
  };
}

const NO_NEWS: News = { log: [], warnings: [] };

const leftOutOf = (place: string, phrases: readonly string[]) =>
  phrases.map((phrase) => `Left out of the ${place}: ${phrase}.`);

type Warnings = News['warnings'];

const warningsOf = ({ warnings }: ReadChanges): Warnings =>
  warnings.map((text) => ({ title: 'Docs agent: changes', message: `${text}.` }));

function noPatches(changes: KnownChanges, block: Block): Warnings {
  if (block.patches > 0 || !block.isPatchWanted) return [];
  const files = pluralize(changes.selected.length, 'file');
  const message = `\`changes\` is \`diff\`, but the prompt has no patch of the ${files}: ${block.leftOut.join('; ')}.`;
  return [{ title: 'Docs agent: no patches', message }];
}

/**
 * Warns about a release whose notes are sent alone. The ending of a skipped step explains itself.
 */
function noStart({ reason }: UnknownChanges, { skipReason, paths }: NewsOptions): Warnings {
  if (skipReason !== undefined) return [];
  const filter = paths.length > 0 ? ', and `paths` is not applied' : '';
  const message = `The prompt has the release notes but no changes${filter}, because there is nothing to start from: ${reason}. ${CATCH_UP}`;
  return [{ title: 'Docs agent: nothing to start from', message }];
}

const CATCH_UP = `To send earlier changes, ${newRunSince('the first of them')} (${NEW_RUN_URL}).`;

/**
 * Warns about a named start with no changes after it. It may be a mistake, so the changes don't
 * count as done.
 */
function sinceIsHead({ isSinceHead, event, base, head }: KnownChanges): Warnings {
  if (!isSinceHead) return [];
  const done =
    event.name === 'workflow_dispatch'
      ? ` To mark everything as done instead, use the commit's id, ${quote(shortRef(head))}.`
      : '';
  const message = `\`since\` is ${quote(base)}, and this run has no change after it. Later runs start where they did before this run.${done}`;
  return [{ title: 'Docs agent: no changes', message }];
}

/** Warns about what the prompt lacks because pull requests couldn't be read. */
function missingPulls({ pulls }: KnownChanges): Warnings {
  if (pulls.missing === undefined) return [];
  const { isForbidden, reason } = pulls.missing;
  const advice = isForbidden
    ? ' Give the workflow job `permissions:` with `pull-requests: read`.'
    : '';
  const message = `${reason}. As a result, the prompt may lack descriptions of pull requests and include commits that a title or a label should leave out, and \`codePullRequests\` may lack numbers.${advice}`;
  return [{ title: 'Docs agent: pull requests', message }];
}

/**
 * Warns that earlier runs of this workflow may have unsent changes, because the step had another
 * name or never ran.
 */
function newStep(start: Start | undefined): Warnings {
  if (start?.kind !== 'not-recorded') return [];
  const { read, recorded, unrecorded } = start.olderRuns;
  if (read === recorded) return [];
  const without =
    unrecorded > 0
      ? `${unrecorded} of them without a record of this workflow job`
      : `${read - recorded} of them without this workflow job`;
  const message = `No changes of this step are on record in ${pluralize(read, 'earlier run')} of this workflow on this branch, ${without}. What they did not send is not sent. ${CATCH_UP}`;
  return [{ title: 'Docs agent: this step is new', message }];
}

function foldersWithoutFiles(folders: readonly string[]): Warnings {
  if (folders.length === 0) return [];
  const advice = folders.map((folder) => `${quote(folder)}: write ${quote(`${folder}/**`)}`);
  const message = `\`paths\` names folders without \`**\`, which fit no file. ${advice.join('; ')}.`;
  return [{ title: 'Docs agent: a pattern fits no file', message }];
}

function beginningsAlone(patterns: readonly string[]): Warnings {
  if (patterns.length === 0) return [];
  const advice = patterns.map((pattern) => `${quote(pattern)}: write ${quote(`${pattern}*`)}`);
  const message = `\`skip\` has patterns without \`*\` that are only the beginning of a first line or title, so they skip nothing. ${advice.join('; ')}.`;
  return [{ title: 'Docs agent: a pattern skips no commit', message }];
}

/** The changes of one run: where they start and end, whether any count, and the prompt. */
import type { Runner } from '../effects.ts';
import { StepError } from '../errors.ts';
import { changedFiles, changedPaths, diffOf, fingerprint } from '../git/diff.ts';
import type { Repository } from '../git/repository.ts';
import type { RunFacts } from '../github/event.ts';
import type { GitHub } from '../github/github.ts';
import type { Inputs } from '../inputs.ts';
import { pluralize, shortRef } from '../text/words.ts';
import { appendOnly, type Changes, composePrompt } from './compose.ts';
import { readFiles } from './files.ts';
import { pathFilter, selectFiles } from './paths.ts';
import { withSkips } from './skip.ts';
import {
  type ChangingSubject,
  isNoCommit,
  orWarn,
  type Range,
  type Remark,
  rangeOf,
  resolveSince,
  type Since,
} from './starts.ts';

export type RunChanges = ReturnType<typeof openRunChanges>;

interface RunChangesOptions {
  readonly subject: ChangingSubject;
  readonly instruction: string;
  readonly inputs: Inputs;
  readonly facts: RunFacts;
  readonly github: GitHub;
  readonly repo: Repository;
  readonly runner: Runner;
}

/** Every method throws a `StepError` if git or GitHub fails. Ask for the target first. */
export function openRunChanges(options: RunChangesOptions) {
  const { subject, instruction, inputs, facts, github, repo, runner } = options;
  const isTyped = inputs.since !== '' && inputs.since !== 'event';
  /** As it was last read. */
  let range: Range | undefined;
  let since: Since | undefined;
  /** By start and head, so that a claim that lost a race neither asks nor says anything twice. */
  const found = new Map<string, Found>();
  const nameOf = (start: string | undefined) => `${start}..${range?.head}`;

  function say(remarks: readonly Remark[]): void {
    for (const { level, text } of remarks) {
      if (level === 'note') runner.info(text);
      else runner.annotate('warning', 'Docs agent: the changes', text);
    }
  }

  /** Of a branch and a tag, it stays the same. */
  async function readRange(): Promise<Range> {
    if (range !== undefined && subject.kind !== 'pull') return range;
    range = await rangeOf(subject, { github, repo, facts });
    say(range.remarks.filter(({ level }) => level === 'warning' || !isTyped));
    return range;
  }

  /** Where the changes start, whatever is covered: by a typed `since`, or by the event. */
  async function sinceOf({ head, start }: Range) {
    if (isTyped) since ??= await resolveSince(inputs.since, head, { github, repo });
    return inputs.since === 'event' && start !== undefined ? { typed: undefined, start } : since;
  }

  async function changesFrom(start: string | undefined): Promise<Found> {
    const known = found.get(nameOf(start));
    if (known !== undefined) return known;
    const changes = await findChanges(options, range ?? (await readRange()), start);
    found.set(nameOf(start), changes);
    // Not earlier: a head behind what was typed is skipped, and nothing starts there.
    say(since?.remarks ?? []);
    if (changes.nothing !== undefined) return changes;
    const from = changes.from === '' ? 'at' : `from ${shortRef(changes.from)} to`;
    const counts = `${pluralize(changes.commits.length, 'commit')}, ${pluralize(changes.selected.length, 'file')}`;
    runner.info(`Changes ${from} ${shortRef(changes.to)}: ${counts}.`);
    say(changes.remarks);
    return changes;
  }

  const { before } = facts.payload;
  const isPush = subject.kind === 'branch' && before !== undefined && !isNoCommit(before);

  return {
    /** The commits that a push compares, if they are known at once. */
    commits: isPush && inputs.since === '' ? [before, subject.head] : [],

    /** Where they end, where they start, and `to`: what the ledger records of them. */
    async target() {
      const now = await readRange();
      const { head, start, isCurrent = true } = now;
      const target = { to: head, head, start, since: await sinceOf(now), isCurrent };
      if (subject.kind === 'tag') return { ...target, to: `${subject.tag}@${head}` };
      // Without a merge base, a pull request has no changes of its own.
      if (subject.kind === 'branch' || start === undefined) return target;
      const files = selectFiles(await changedFiles(repo, start, head), inputs.paths);
      return { ...target, to: fingerprint(await diffOf(repo, files)) };
    },

    nothingFrom: async (start: string | undefined) => (await changesFrom(start)).nothing,

    /** What people read about the changes from a start, if they were looked at. */
    async overview(start: string | undefined): Promise<Changes | undefined> {
      const changes = found.get(nameOf(start));
      return changes && changes.nothing !== 'no-start' ? changes : undefined;
    },

    /** `appendTo` is the link of the open pull request to add to. Throws for a prompt with the key. */
    async compose(start: string | undefined, appendTo: string | undefined): Promise<Composed> {
      const changes = await changesFrom(start);
      const level = inputs.changes;
      if (level === 'none') return { ...promptAlone(instruction, appendTo), changes };
      const prompt = composePrompt(instruction, changes, { level, facts, appendTo });
      if (inputs.adminApiKey !== undefined && prompt.includes(inputs.adminApiKey)) {
        const message = 'The prompt contains your `adminApiKey`, so nothing was sent';
        throw new StepError('key-in-prompt', message);
      }
      return { prompt, codePullRequests: changes.codePullRequests, changes };
    },
  };
}

export interface Composed {
  readonly prompt: string;
  readonly codePullRequests: readonly number[];
  readonly changes?: Changes;
}

export const promptAlone = (instruction: string, appendTo: string | undefined): Composed => ({
  prompt: appendTo === undefined ? instruction : appendOnly(instruction, appendTo),
  codePullRequests: [],
});

interface Found extends Changes {
  /** Why nothing has to be sent. `undefined` if something has to be. */
  readonly nothing: 'no-changes' | 'no-matching-files' | 'all-skipped' | 'no-start' | undefined;
  readonly codePullRequests: readonly number[];
  readonly remarks: readonly Remark[];
}

type FindOptions = Pick<RunChangesOptions, 'facts' | 'github' | 'repo'> & {
  readonly inputs: Pick<Inputs, 'changes' | 'paths' | 'skip'>;
};

/** What changed from `start` to the end of the range. Throws a `StepError` if git or GitHub fails. */
export async function findChanges(
  options: FindOptions,
  range: Range,
  start: string | undefined,
): Promise<Found> {
  const { inputs, github, repo } = options;
  const { head, pull, release } = range;
  const empty = emptyOf(options, range, start);
  if (start === undefined) {
    // A first release goes out with its notes alone.
    const hasNotes = release?.body?.trim() && inputs.changes !== 'none';
    return { ...empty, nothing: hasNotes ? undefined : 'no-start' };
  }
  const files = await changedFiles(repo, start, head);
  const selected = selectFiles(files, inputs.paths);
  if (files.length === 0) return { ...empty, nothing: 'no-changes' };
  if (selected.length === 0) return { ...empty, files, nothing: 'no-matching-files' };

  const { all, touches, isWhole, remarks } = await readHistory(options, start, head);
  // A pull request's own commits are all its own.
  const isOwn = pull !== undefined && start === range.start;
  const [pulls, listed] = await Promise.all([
    isOwn ? undefined : github.pullsBehind(all.filter(({ sha }) => touches(sha))),
    inputs.changes === 'none' ? [] : readFiles(repo, selected),
  ]);
  const pullOf = (sha: string) => (pulls === undefined ? pull : pulls.byCommit.get(sha));
  const commits = withSkips(all, { touches, pullOf, lines: inputs.skip });
  const needed = commits.filter(({ isSkipped }) => !isSkipped);
  const numbers = needed.flatMap((commit) => commit.pull?.number ?? []);
  const codePullRequests = [...new Set([...empty.codePullRequests, ...numbers])];
  if (pulls?.warning) remarks.push({ level: 'warning', text: pulls.warning });
  const found = { ...empty, commits, files, selected, listed, codePullRequests, remarks };
  // Without any commit but merges, the changes are those of the merges.
  const mayBeSkipped = isWhole && commits.some(({ parents }) => parents.length < 2);
  return { ...found, nothing: mayBeSkipped && needed.length === 0 ? 'all-skipped' : undefined };
}

/** The range by its names, before any file or commit is read. */
function emptyOf({ facts }: FindOptions, range: Range, start: string | undefined): Found {
  const { head, pull, release } = range;
  const { serverUrl, repository } = facts;
  return {
    from: (start === range.start ? range.startName : undefined) ?? start ?? '',
    to: range.headName ?? head,
    // Two dots compare the trees, as the patches do.
    compareUrl: start === undefined ? '' : `${serverUrl}/${repository}/compare/${start}..${head}`,
    pull,
    release,
    commits: [],
    files: [],
    selected: [],
    listed: [],
    codePullRequests: pull ? [pull.number] : [],
    remarks: [],
    nothing: undefined,
  };
}

/** The most commits whose trees are fetched. */
const MAX_COMPARED = 300;

/** All commits, and which of them touch a file that `paths` selects. One that could not be read does. */
async function readHistory(
  { inputs: { paths }, github, repo }: FindOptions,
  start: string,
  head: string,
) {
  const compared = await orWarn(
    github.compare(start, head),
    'the prompt lists no commits, and `skip` leaves nothing out',
  );
  const { commits: all = [], mergeBase } = compared.found ?? {};
  const isTooLong = paths.length > 0 && all.length > MAX_COMPARED;
  const text = `There are ${all.length} commits, more than the ${MAX_COMPARED} that are compared with \`paths\`, so the prompt lists all of them.`;
  const note: readonly Remark[] = isTooLong ? [{ level: 'note', text }] : [];
  const changed = await orWarn(
    paths.length > 0 && !isTooLong ? changedPaths(repo, all) : undefined,
    'the prompt lists all commits, also those that touch no file that `paths` selects',
  );
  const isSelected = pathFilter(paths);
  return {
    all,
    touches: (sha: string) => changed.found?.get(sha)?.some(isSelected) ?? true,
    // GitHub does not list commits that a force push removed, so nothing says that they can be skipped.
    isWhole: mergeBase === start,
    remarks: [...compared.remarks, ...note, ...changed.remarks],
  };
}

/** The changes of one run: where they start and end, whether any count, and the prompt. */
import type { Runner } from '../effects.ts';
import { StepError } from '../errors.ts';
import type { Repository } from '../git/repository.ts';
import type { RunFacts } from '../github/event.ts';
import type { GitHub } from '../github/github.ts';
import type { Inputs } from '../inputs.ts';
import { pluralize, shortRef } from '../text/words.ts';
import { appendOnly, composePrompt } from './compose.ts';
import { type Changes, type Found, findChanges, fingerprintOf } from './find.ts';
import { type ChangingSubject, type Ends, endsOf, resolveSince, type Since } from './starts.ts';

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

/** Every method throws a `StepError` if git or GitHub fails. */
export function openRunChanges(options: RunChangesOptions) {
  const { subject, instruction, inputs, facts, github, repo, runner } = options;
  /** Of a branch and a tag, they stay the same. */
  let known: Ends | undefined;
  let since: Since | undefined;
  /** By start and head, so that a claim that lost a race neither asks nor says anything twice. */
  const found = new Map<string, Promise<Found>>();

  async function ends(): Promise<Ends> {
    if (known !== undefined && subject.kind !== 'pull') return known;
    known = await endsOf(subject, { github, repo, facts });
    const isTyped = inputs.since !== '' && inputs.since !== 'event';
    say(isTyped ? { ...known, notes: [] } : known);
    return known;
  }

  function say({ notes, warnings }: Pick<Ends, 'notes' | 'warnings'>): void {
    for (const note of notes) runner.info(note);
    for (const warning of warnings) runner.annotate('warning', 'Docs agent: the changes', warning);
  }

  /** Where the changes start, whatever is covered: by a typed `since`, or by the event. */
  async function sinceOf({ head, start }: Ends) {
    if (inputs.since === 'event') return start === undefined ? undefined : { typed: start, start };
    if (inputs.since === '' || since !== undefined) return since;
    since = await resolveSince(inputs.since, head, { github, repo });
    return since;
  }

  const nameOf = (start: string | undefined) => JSON.stringify([start, known?.head]);

  /** What changed from a start to the head that `ends` returned last. */
  async function from(start: string | undefined): Promise<Found> {
    const now = known ?? (await ends());
    const finding = found.get(nameOf(start)) ?? find(now, start);
    found.set(nameOf(start), finding);
    return finding;
  }

  async function find(now: Ends, start: string | undefined): Promise<Found> {
    const result = await findChanges({ ends: now, start, inputs, github, repo, facts });
    // Not earlier: a head behind what was typed is skipped, and nothing starts there.
    if (since !== undefined) say(since);
    if (result.nothing !== undefined) return result;
    const { from: first, to, commits, selected } = result.changes;
    const range =
      first === '' ? `at ${shortRef(to)}` : `from ${shortRef(first)} to ${shortRef(to)}`;
    const counts = `${pluralize(commits.length, 'commit')}, ${pluralize(selected.length, 'file')}`;
    runner.info(`Changes ${range}: ${counts}.`);
    say(result.changes);
    return result;
  }

  const { before } = facts.payload;
  const isPush = subject.kind === 'branch' && before !== undefined && !/^0+$/.test(before);

  return {
    /** The commits that a push compares, if they are known at once. */
    commits: isPush && inputs.since === '' ? [before, subject.head] : [],

    /** Where they end, where they start, and `to`: what the ledger records of them. */
    async target() {
      const now = await ends();
      const { head, start } = now;
      const target = { to: head, head, start, since: await sinceOf(now), isCurrent: true };
      if (subject.kind === 'tag')
        return { ...target, to: `${subject.tag}@${head}`, isCurrent: now.currentHead === head };
      // Without a merge base, a pull request has no changes of its own.
      if (subject.kind === 'branch' || start === undefined) return target;
      return { ...target, to: await fingerprintOf(repo, inputs.paths, start, head) };
    },

    nothingFrom: async (start: string | undefined) => (await from(start)).nothing,

    /** What people read about the changes from a start, if they were looked at. */
    async overview(start: string | undefined): Promise<ChangesOverview | undefined> {
      const looked = await found.get(nameOf(start));
      const isShown = looked !== undefined && looked.nothing !== 'no-start';
      return isShown ? overviewOf(looked.changes) : undefined;
    },

    /** `appendTo` is the link of the open pull request to add to. Throws for a prompt with the key. */
    async compose(start: string | undefined, appendTo: string | undefined): Promise<Composed> {
      const { changes } = await from(start);
      const overview = overviewOf(changes);
      if (inputs.changes === 'none')
        return { ...promptAlone(instruction, appendTo), changes: overview };
      const level = inputs.changes;
      const prompt = await composePrompt(instruction, changes, { level, repo, facts, appendTo });
      if (inputs.adminApiKey !== undefined && prompt.includes(inputs.adminApiKey)) {
        const message = 'The prompt contains your `adminApiKey`, so nothing was sent';
        throw new StepError('key-in-prompt', message);
      }
      return { prompt, codePullRequests: changes.codePullRequests, changes: overview };
    },
  };
}

export interface Composed {
  readonly prompt: string;
  readonly codePullRequests: readonly number[];
  readonly changes?: ChangesOverview;
}

export const promptAlone = (instruction: string, appendTo: string | undefined): Composed => ({
  prompt: appendTo === undefined ? instruction : appendOnly(instruction, appendTo),
  codePullRequests: [],
});

export type ChangesOverview = ReturnType<typeof overviewOf>;

const overviewOf = (changes: Changes) => ({
  from: changes.from,
  to: changes.to,
  compareUrl: changes.compareUrl,
  commits: changes.commits.length,
  skippedCommits: changes.commits.filter(({ isSkipped }) => isSkipped).length,
  files: changes.files.length,
  selectedFiles: changes.selected.length,
});

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
import { type ChangingSubject, type Ends, endsOf, resolveSince } from './starts.ts';

export type RunChanges = ReturnType<typeof openRunChanges>;

interface RunChangesOptions {
  readonly subject: ChangingSubject;
  readonly instruction: string;
  readonly inputs: Inputs;
  readonly facts: RunFacts;
  readonly github: GitHub;
  readonly repo: Repository;
  readonly runner: Runner;
  /** Gets what is found, for the report. */
  readonly tell: (learned: { readonly changes: ChangesOverview }) => void;
}

/** Every method throws a `StepError` if git or GitHub fails. */
export function openRunChanges(options: RunChangesOptions) {
  const { subject, instruction, inputs, facts, github, repo, runner, tell } = options;
  let known: Ends | undefined;
  let typed: string | undefined;
  /** So that a claim that lost a race neither asks nor says anything twice. */
  const found = new Map<string, Promise<Found>>();

  async function ends(): Promise<Ends> {
    if (known === undefined || subject.kind === 'pull')
      known = await endsOf(subject, { github, repo, facts });
    return known;
  }

  /** What changed from a start to the head that `ends` returned last. */
  async function from(start: string | undefined): Promise<Found> {
    const now = known ?? (await ends());
    const name = JSON.stringify([start, now.head]);
    const finding = found.get(name) ?? find(now, start);
    found.set(name, finding);
    return finding;
  }

  async function find(now: Ends, start: string | undefined): Promise<Found> {
    const result = await findChanges({ ends: now, start, inputs, github, repo, facts });
    const { changes, nothing } = result;
    const overview = overviewOf(changes);
    if (nothing !== 'no-start') tell({ changes: overview });
    if (nothing === undefined) {
      runner.info(changesLine(overview));
      for (const warning of changes.warnings)
        runner.annotate('warning', 'Docs agent: the changes', warning);
    }
    return result;
  }

  /** The commit of a typed `since`. Under `since: event`, where the event says. */
  async function since(): Promise<string | undefined> {
    if (inputs.since === 'event') return (known ?? (await ends())).start;
    if (inputs.since !== '') typed ??= await resolveSince(inputs.since, { github, repo });
    return typed;
  }

  return {
    since,

    /** Where they end, where they start by the event, and `to`: what the ledger records of them. */
    async target() {
      const { head, start } = await ends();
      switch (subject.kind) {
        case 'branch':
          return { to: head, head, start };
        case 'tag':
          return { to: `${(await since()) ?? start ?? ''}..${head}`, head, start };
        case 'pull': {
          // Without a merge base it has no changes of its own.
          const to = start && (await fingerprintOf(repo, inputs.paths, start, head));
          return { to: to ?? head, head, start };
        }
      }
    },

    async isOnBranch(commit: string) {
      const tip = subject.kind === 'branch' ? await repo.tip(subject.branch) : undefined;
      return tip !== undefined && (await github.isBehind(commit, tip)) === true;
    },

    async nothingToSend(start: string | undefined) {
      return (await from(start)).nothing;
    },

    /** `appendTo` is the link of the open pull request to add to. Throws for a prompt with the key. */
    async compose(start: string | undefined, appendTo: string | undefined) {
      const { changes } = await from(start);
      if (inputs.changes === 'none') return promptAlone(instruction, appendTo);
      const level = inputs.changes;
      const prompt = await composePrompt(instruction, changes, { level, repo, facts, appendTo });
      if (inputs.adminApiKey !== undefined && prompt.includes(inputs.adminApiKey))
        throw new StepError('key-in-prompt', KEY_IN_PROMPT);
      return { prompt, codePullRequests: changes.codePullRequests };
    },
  };
}

export const promptAlone = (instruction: string, appendTo: string | undefined) => ({
  prompt: appendTo === undefined ? instruction : appendOnly(instruction, appendTo),
  codePullRequests: [],
});

const KEY_IN_PROMPT = 'The prompt contains your `adminApiKey`, so nothing was sent';

export type ChangesOverview = ReturnType<typeof overviewOf>;

/** What people read about the changes. */
const overviewOf = (changes: Changes) => ({
  from: changes.from,
  to: changes.to,
  compareUrl: changes.compareUrl,
  commits: changes.commits.length,
  skippedCommits: changes.commits.filter(({ isSkipped }) => isSkipped).length,
  files: changes.files.length,
  selectedFiles: changes.selected.length,
});

function changesLine({ from, to, commits, selectedFiles }: ChangesOverview): string {
  const range = from === '' ? `at ${shortRef(to)}` : `from ${shortRef(from)} to ${shortRef(to)}`;
  return `Changes ${range}: ${pluralize(commits, 'commit')}, ${pluralize(selectedFiles, 'file')}.`;
}

/** A prompt whose ledger remembers what was sent: the rooms, put together. */
import { randomUUID } from 'node:crypto';
import type { Agent } from '../agent/agent.ts';
import { type Watch, watchJob } from '../agent/watch.ts';
import { openRunChanges, promptAlone, type RunChanges } from '../changes/run-changes.ts';
import type { ChangingSubject } from '../changes/starts.ts';
import type { Effects } from '../effects.ts';
import { ledgerTip, mayPush, pushRef, readRef } from '../git/ledger-ref.ts';
import { openRepository, type Repository } from '../git/repository.ts';
import { openLedger } from '../ledger/ledger.ts';
import type { Outside, Store } from '../ledger/outside.ts';
import type { Asked } from '../ledger/rules.ts';
import { EMPTY, parseState } from '../ledger/state.ts';
import { knowing, type Result } from '../report/ending.ts';
import type { Plan } from './plan.ts';
import { type Rooms, repositoryAccess } from './rooms.ts';
import { takeTurns } from './turns.ts';

/** Throws a `StepError` if git, GitHub, or the ledger fails; nothing was sent then. */
export async function sendWithLedger(
  rooms: Rooms,
  instruction: string,
  subject: ChangingSubject | undefined,
  ledger: NonNullable<Plan['ledger']>,
): Promise<Result> {
  const { inputs, facts, effects, github } = rooms;
  const { ref, scope } = ledger;
  // The repository is deleted on return, so `await` the result.
  await using repo = await openRepository(repositoryAccess(rooms));
  if (inputs.dryRun && !(await mayPush(repo, ref)))
    effects.runner.annotate('warning', 'Docs agent: a permission is missing', MISSING_WRITE);
  const changes =
    subject === undefined
      ? noChanges(instruction)
      : openRunChanges({ ...rooms, ...effects, subject, repo, instruction });
  // Starts the comparison while git runs; later calls reuse it.
  const [before, head] = changes.commits;
  if (before !== undefined && head !== undefined)
    github.compare(before, head).catch(() => undefined);
  const asked: Asked = {
    run: facts.runId,
    attempt: facts.attempt,
    key: randomUUID(),
    scope,
    sendsChanges: subject !== undefined,
    appends: inputs.pullRequest === 'append',
    isAskedFor: inputs.codePullRequest !== undefined,
    isDryRun: inputs.dryRun,
  };
  const branch = subject?.kind === 'branch' ? subject.branch : undefined;
  const store = openStore(repo, ref, { branch, commits: changes.commits });
  const outside = openOutside(rooms, changes);
  const waitUntil = effects.clock.now() + inputs.timeoutMs / 2;
  const limits = { ...effects, waitUntil, pollIntervalMs: inputs.pollIntervalMs };
  const turns = { ...rooms, ledger: openLedger(asked, store, outside, limits), changes };
  return await knowing({ ledger }, () => takeTurns(turns));
}

const MISSING_WRITE =
  'The token may not write the ledger, so a real run would stop before it sends anything. Give the workflow job `contents: write`.';

/** A prompt without changes has no target, and always something to send. */
const noChanges = (instruction: string): RunChanges => ({
  commits: [],
  target: () => Promise.reject(new Error('A prompt without changes has no target.')),
  nothingFrom: async () => undefined,
  overview: async () => undefined,
  compose: async (_start, appendTo) => promptAlone(instruction, appendTo),
});

/** The ledger's ref. Reading it brings along the branch's tip, and the commits that the run needs. */
const openStore = (repo: Repository, ref: string, along: Parameters<typeof readRef>[2]): Store => ({
  ref,
  async read() {
    const { tip, message, branchTip } = await readRef(repo, ref, along);
    return { tip, state: message === undefined ? EMPTY : parseState(ref, message), branchTip };
  },
  tip: () => ledgerTip(repo, ref),
  push: (tip, state, sentence) =>
    pushRef(repo, ref, tip, `${sentence}\n\n${JSON.stringify(state)}\n`),
  with: (limits) => openStore(repo.with(limits), ref, along),
});

/** Answers what the ledger asks. */
const openOutside = ({ agent, github, effects }: Rooms, changes: RunChanges): Outside => ({
  target: changes.target,
  nothingFrom: changes.nothingFrom,
  isBehind: github.isBehind,
  docsPullState: github.docsPullState,
  with: github.with,
  look: watchCalls(agent, effects),
});

/** Looks at the agent jobs of calls, each by one watch: only 404 for 30 s says that one is gone. */
export function watchCalls(agent: Pick<Agent, 'read'>, effects: Effects): Outside['look'] {
  const watches = new Map<string, Watch>();
  return async ({ key, job, messageTo, at }) => {
    const watch = watches.get(key) ?? watchJob(agent, job, messageTo === null ? null : at, effects);
    watches.set(key, watch);
    return watch.look();
  };
}

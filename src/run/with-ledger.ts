/** A prompt whose ledger remembers what was sent: the rooms, put together. */
import { randomUUID } from 'node:crypto';
import { type Watch, watchJob } from '../agent/watch.ts';
import { openRunChanges, promptAlone, type RunChanges } from '../changes/run-changes.ts';
import { mayPush } from '../git/ledger-ref.ts';
import { openRepository } from '../git/repository.ts';
import type { Task } from '../inputs.ts';
import { openLedger } from '../ledger/ledger.ts';
import type { Outside } from '../ledger/outside.ts';
import type { Asked } from '../ledger/rules.ts';
import { openStore } from '../ledger/store.ts';
import { knowing, type Result } from '../report/ending.ts';
import type { PlanWithLedger } from './plan.ts';
import { type Rooms, repositoryAccess } from './rooms.ts';
import { takeTurns } from './turns.ts';

/** Throws a `StepError` if git, GitHub, or the ledger fails; nothing was sent then. */
export async function sendWithLedger(
  rooms: Rooms,
  { instruction }: Extract<Task, { kind: 'create' }>,
  { subject, ledger: about, branch }: PlanWithLedger,
): Promise<Result> {
  const { inputs, facts, effects, deadline, github } = rooms;
  const { pollIntervalMs } = inputs;
  // The repository is deleted on return, so `await` the result.
  await using repo = await openRepository(repositoryAccess(rooms));
  if (inputs.dryRun && !(await mayPush(repo, about.ref)))
    effects.runner.annotate('warning', 'Docs agent: a permission is missing', MISSING_WRITE);
  const changes = subject && openRunChanges({ ...rooms, ...effects, subject, repo, instruction });
  const asked: Asked = {
    run: facts.runId,
    attempt: facts.attempt,
    key: randomUUID(),
    scope: about.scope,
    sendsChanges: subject !== undefined,
    appends: inputs.pullRequest === 'append',
    isAskedFor: inputs.codePullRequest !== undefined,
    isDryRun: inputs.dryRun,
  };
  // Starts the comparison while git runs; later calls reuse it.
  const [before, head] = changes?.commits ?? [];
  if (before !== undefined && head !== undefined)
    github.compare(before, head).catch(() => undefined);
  const store = openStore({ repo, ref: about.ref, branch, commits: changes?.commits ?? [] });
  const outside = openOutside(rooms, changes);
  const waitUntil = effects.clock.now() + inputs.timeoutMs / 2;
  const limits = { ...effects, deadline, waitUntil, pollIntervalMs };
  const ledger = openLedger(asked, store, outside, limits);
  const turns = {
    ...rooms,
    agent: inputs.dryRun ? undefined : rooms.agent,
    ledger,
    outside,
    compose: async (start: string | undefined, appendTo: string | undefined) =>
      changes ? changes.compose(start, appendTo) : promptAlone(instruction, appendTo),
    overview: async (start: string | undefined) => changes?.overview(start),
  };
  return await knowing({ ledger: about }, () => takeTurns(turns));
}

const MISSING_WRITE =
  'The token may not write the ledger, so a real run would stop before it sends anything. Give the workflow job `contents: write`.';

/** Answers what the ledger asks. A prompt without changes has no target. */
function openOutside(rooms: Rooms, changes: RunChanges | undefined): Outside {
  const { agent, github, effects, deadline } = rooms;
  const unasked = () => Promise.reject(new Error('This run cannot say that.'));
  const watches = new Map<string, Watch>();
  return {
    target: changes?.target ?? unasked,
    nothingFrom: changes?.nothingFrom ?? (async () => undefined),
    isBehind: github.isBehind,
    docsPullState: github.docsPullState,
    with: github.with,
    async look({ key, job, message, at }) {
      if (agent === undefined) return unasked();
      // Across rounds, because only 404 for 30 s says that an agent job is gone.
      const watch =
        watches.get(key) ??
        watchJob(agent, job, message === null ? null : at, { ...effects, deadline });
      watches.set(key, watch);
      return watch.look();
    },
  };
}

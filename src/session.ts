/** A run and its ledger, and how the ledger reaches the other rooms. */
import { randomUUID } from 'node:crypto';
import { openRunChanges, promptAlone, type RunChanges } from './changes/run-changes.ts';
import type { Context } from './context.ts';
import { messageOf } from './errors.ts';
import { mayPush } from './git/ledger-ref.ts';
import { openRepository, type Repository } from './git/repository.ts';
import { createLook, type LedgerRun, type Outside } from './ledger/outside.ts';
import type { Recorder } from './ledger/settle.ts';
import { isWithoutLedger, openStore, type Snapshot } from './ledger/store.ts';
import { type Turn, takeTurn } from './ledger/turn.ts';
import type { Plan } from './plan.ts';
import { ledgerWarning, waitingLine } from './report/wording.ts';

export interface Session {
  readonly recorder: Recorder;
  readonly outside: Outside;
  /**
   * Reads the ledger, waits for other runs, composes the prompt, and claims what to send. Throws a
   * `StepError` if one of these fails; nothing was sent then.
   */
  takeTurn(isMessageRefused: boolean): Promise<Turn>;
}

const MISSING_WRITE =
  'The token may not write the ledger, so a real run would stop before it sends anything. Give the workflow job `contents: write`.';

/** Throws a `StepError` if git fails. A prompt alone may have no repository. */
export async function openSession(
  context: Context,
  plan: Plan,
  repo: Repository | undefined,
  instruction: string,
): Promise<Session> {
  const { inputs, facts, effects, deadline, tell } = context;
  const { clock, runner, signal, lateSignal } = effects;
  const { subject, tracksChanges } = plan;
  const { scope, ref } = plan.ledger;
  tell({ ledger: plan.ledger });
  const given = { instruction, inputs, facts, runner, tell };
  const changes =
    subject && repo && openRunChanges({ ...given, subject, repo, github: context.github });
  const run: LedgerRun = {
    run: facts.runId,
    attempt: facts.attempt,
    key: randomUUID(),
    scope,
    tracksChanges,
    appends: inputs.pullRequest === 'append',
    isDryRun: inputs.dryRun,
  };
  if (inputs.dryRun && repo && scope !== 'prompts' && !(await mayPush(repo, ref)))
    runner.annotate('warning', 'Docs agent: a permission is missing', MISSING_WRITE);

  const outside = outsideOf(context, changes);
  const memory: { latest?: Snapshot | undefined } = {};
  const storeIn = (repository: Repository | undefined) =>
    openStore(repository, ref, scope === 'prompts', memory);
  const store = storeIn(repo);
  // What became of a call is recorded also after a cancel.
  const lateStore = storeIn(repo?.with({ signal: lateSignal, deadline }));
  const lateOutside = { isBehind: context.lateGitHub.isBehind };
  const recorder = { store: lateStore, scope, outside: lateOutside, clock, signal: lateSignal };
  const waitUntil = clock.now() + inputs.timeoutMs / 2;
  return {
    recorder,
    outside,
    async takeTurn(isMessageRefused) {
      const turn = await takeTurn(run, store, outside, {
        clock,
        signal,
        deadline,
        recorder,
        waitUntil,
        isMessageRefused,
        pollIntervalMs: inputs.pollIntervalMs,
        onWait: (call) => runner.info(waitingLine(call)),
        async compose({ start, appendTo }) {
          const link = appendTo?.pull ?? undefined;
          const composed = changes
            ? await changes.compose(start, link)
            : promptAlone(instruction, link);
          tell({ ...composed, appendedTo: link });
          return composed;
        },
      });
      for (const warning of turn.warnings)
        runner.annotate('warning', 'Docs agent: earlier runs', ledgerWarning(warning));
      return turn;
    },
  };
}

/**
 * Opens the repository for the ledger and the changes. A prompt alone does without git. Throws a
 * `StepError`.
 */
export async function openRepo(context: Context, plan: Plan): Promise<Repository | undefined> {
  const { inputs, facts, env, effects, deadline } = context;
  const access = { ...facts, ...effects, env, deadline, token: inputs.githubToken };
  try {
    return await openRepository(access);
  } catch (error) {
    const isNeeded = plan.subject !== undefined || plan.ledger.scope !== 'prompts';
    if (isNeeded || !isWithoutLedger(error)) throw error;
    effects.runner.debug(`There is no ledger: ${messageOf(error)}`);
    return undefined;
  }
}

/** Answers the ledger's questions. Those that it never asks about a prompt alone throw. */
function outsideOf({ agent, effects, github }: Context, changes: RunChanges | undefined): Outside {
  const unasked = () => Promise.reject(new Error('This run cannot say that.'));
  const nothing = async () => undefined;
  return {
    now: () => effects.clock.date(),
    target: changes?.target ?? unasked,
    isOnBranch: changes?.isOnBranch ?? unasked,
    since: changes?.since ?? nothing,
    nothingToSend: changes?.nothingToSend ?? nothing,
    look: agent === undefined ? unasked : createLook(agent, effects),
    isBehind: github.isBehind,
    docsPullState: async (link) => (await github.docsPull(link)).kind,
  };
}

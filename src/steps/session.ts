/** A run and its ledger. */
import { randomUUID } from 'node:crypto';
import { resolveSince } from '../changes/starts.ts';
import { messageOf } from '../errors.ts';
import { mayPush } from '../git/ledger-ref.ts';
import { openRepository, type Repository } from '../git/repository.ts';
import type { SkippedReason } from '../ledger/decide.ts';
import { type LedgerScope, ledgerRef } from '../ledger/name.ts';
import type { LedgerRun } from '../ledger/outside.ts';
import { type Recorder, record } from '../ledger/record.ts';
import { type Sending, type Snapshot, type Store, type Turn, takeTurn } from '../ledger/turn.ts';
import { ledgerWarning, waitingLine } from '../report/advice.ts';
import type { Context } from './context.ts';
import { createFoundChanges, type FoundChanges } from './found-changes.ts';
import { createOutside } from './outside.ts';
import type { Plan } from './plan.ts';
import { type Composed, compose } from './prompt.ts';
import { gitStore, isWithoutLedger, noStore, optionalStore } from './store.ts';

export interface Session {
  readonly recorder: Recorder;
  /**
   * Reads the ledger, waits for other runs, composes the prompt, and claims what to send. Throws a
   * `StepError` if one of these fails; nothing was sent then.
   */
  takeTurn(isMessageRefused: boolean): Promise<SessionTurn>;
  /** Removes the temporary repository. */
  [Symbol.asyncDispose](): Promise<void>;
}

export type SessionTurn =
  | { readonly kind: 'skip'; readonly reason: SkippedReason }
  | Extract<Turn, { kind: 'resume' }>
  | (Extract<Turn, { kind: 'send' }> & { readonly prompt: string });

/** Throws a `StepError` if git cannot be used, or if `since` names nothing. */
export async function openSession(
  context: Context,
  plan: Plan,
  instruction: string,
): Promise<Session> {
  const { inputs, facts, effects, deadline, tell } = context;
  const { clock, runner, signal, lateSignal } = effects;
  const { scope } = plan;
  const ref = ledgerRef({ ...facts, matrix: inputs.matrix }, scope);
  tell({ ledger: { ref, scope: scope.kind } });

  const repo = await openRepo(context, plan);
  const memory = {};
  const store = storeOf(repo, ref, scope, memory);
  // What became of a call is recorded also after a cancel.
  const late = repo?.with({ signal: lateSignal, deadline });
  const lateStore = storeOf(late, ref, scope, memory);
  const changes =
    plan.kind === 'changes' && repo ? await openChanges(context, plan, repo) : undefined;
  const isTracked = plan.kind === 'changes' && plan.isTracked;
  const run: LedgerRun = {
    run: facts.runId,
    attempt: facts.attempt,
    key: randomUUID(),
    scope,
    tracksChanges: isTracked,
    appends: inputs.pullRequest === 'append',
    since: isTracked ? changes?.since : undefined,
    isDryRun: inputs.dryRun,
  };
  if (inputs.dryRun && repo && scope.kind !== 'prompts' && !(await mayPush(repo, ref)))
    runner.annotate('warning', 'Docs agent: a permission is missing', MISSING_WRITE);

  const outside = createOutside(context, repo, changes?.found);
  const waitUntil = clock.now() + inputs.timeoutMs / 2;
  /** One for each start, head and pull request: losing a race to push composes nothing anew. */
  const prompts = new Map<string, Composed>();
  async function composeOnce({ start, head, appendTo }: Sending): Promise<Composed> {
    const link = appendTo?.pull ?? undefined;
    const from = isTracked ? start : changes?.since;
    const key = JSON.stringify([from, head, link]);
    const included = changes && repo && { repo, found: changes.found, start: from };
    const composed =
      prompts.get(key) ??
      (await compose(context, instruction, { changes: included, appendTo: link }));
    prompts.set(key, composed);
    return composed;
  }

  const recorder = { store: lateStore, kind: scope.kind, outside, clock, signal: lateSignal };
  /** Set once a claim may be on the server, from this turn or from one before. */
  let composed: Composed | undefined;
  return {
    recorder,
    async takeTurn(isMessageRefused) {
      if (changes !== undefined && !isTracked) {
        const reason = await outside.nothingToSend(changes.since);
        if (reason !== undefined) return { kind: 'skip', reason };
      }
      try {
        const turn = await takeTurn(run, store, outside, {
          clock,
          signal,
          waitUntil,
          pollIntervalMs: inputs.pollIntervalMs,
          isMessageRefused,
          onWait: (call) => runner.info(waitingLine(call)),
          async compose(sending) {
            composed = await composeOnce(sending);
            return composed;
          },
        });
        for (const warning of turn.warnings)
          runner.annotate('warning', 'Docs agent: earlier runs', ledgerWarning(warning));
        return turn.kind === 'send' ? { ...turn, prompt: composed?.prompt ?? '' } : turn;
      } catch (error) {
        // The claim may be on the server, and would make later runs wait for a call.
        const until = Math.min(deadline, clock.now() + TAKE_BACK_MS);
        if (composed !== undefined && !inputs.dryRun)
          await record(recorder, { ...run, job: null }, { kind: 'not-sent' }, until);
        throw error;
      }
    },
    async [Symbol.asyncDispose]() {
      await repo?.close();
    },
  };
}

/** How long to try to take back a claim that was not used. */
const TAKE_BACK_MS = 30_000;

const MISSING_WRITE =
  'The token may not write the ledger, so a real run would stop before it sends anything. Give the workflow job `contents: write`.';

function storeOf(
  repo: Repository | undefined,
  ref: string,
  { kind }: LedgerScope,
  memory: { latest?: Snapshot },
): Store {
  const store = repo === undefined ? noStore(ref) : gitStore(repo, ref, memory);
  return kind === 'prompts' ? optionalStore(store) : store;
}

/** A prompt alone does without git. */
async function openRepo(context: Context, { kind }: Plan): Promise<Repository | undefined> {
  const { inputs, facts, env, effects, deadline } = context;
  const access = { ...facts, ...effects, env, deadline, token: inputs.githubToken };
  try {
    return await openRepository(access);
  } catch (error) {
    const isNeeded = kind === 'changes' || inputs.pullRequest === 'append';
    if (isNeeded || !isWithoutLedger(error)) throw error;
    effects.runner.debug(`There is no ledger: ${messageOf(error)}`);
    return undefined;
  }
}

/** `since` is the commit of a typed one, or where the event says under `since: event`. */
async function openChanges(
  context: Context,
  { subject }: Extract<Plan, { kind: 'changes' }>,
  repo: Repository,
): Promise<{ readonly found: FoundChanges; readonly since: string | undefined }> {
  const { inputs, github } = context;
  const isTyped = inputs.since !== '' && inputs.since !== 'event';
  const named = isTyped ? await resolveSince(inputs.since, { github: github(), repo }) : undefined;
  const found = createFoundChanges(context, subject, repo, named);
  if (inputs.since !== 'event') return { found, since: named };
  return { found, since: (await found.ends()).start };
}

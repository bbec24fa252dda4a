/** The story of a run. */
import { checkKey } from './agent/agent.ts';
import { followGiven, followToEnd, resume, send } from './call.ts';
import { type Context, hasAgent, openContext, type RunEffects, type Tell } from './context.ts';
import { type RunFacts, readFacts } from './github/event.ts';
import { checkCertificates } from './http.ts';
import { InputErrors, readInputs, secretsOf } from './inputs.ts';
import { planOf } from './plan.ts';
import { type Ending, endingOfError, type Known } from './report/ending.ts';
import { writeReport } from './report/report.ts';
import { ledgerWarning } from './report/wording.ts';
import { openRepo, openSession, type Session } from './session.ts';

/**
 * Runs the action once, and writes one report, whatever happens. Returns whether the step succeeds,
 * and never rejects. `payload` is that of the event.
 */
export async function run(
  env: NodeJS.ProcessEnv,
  payload: unknown,
  effects: RunEffects,
): Promise<boolean> {
  const facts = readFacts(env, payload);
  const startedAt = effects.clock.now();
  let known: Known = { facts, call: { kind: 'not-sent' } };
  const tell: Tell = (learned) => {
    known = { ...known, ...learned };
  };
  const isTimeOver = () =>
    known.inputs !== undefined && effects.clock.now() >= startedAt + known.inputs.timeoutMs;
  const ending = await runSteps(env, facts, effects, tell).catch(
    (error: unknown): Ending =>
      isWithoutSecrets(error, facts)
        ? { kind: 'skipped', reason: 'no-secrets' }
        : endingOfError(error, isTimeOver()),
  );
  return writeReport(known, ending, effects.runner);
}

async function runSteps(
  env: NodeJS.ProcessEnv,
  facts: RunFacts,
  effects: RunEffects,
  tell: Tell,
): Promise<Ending> {
  for (const secret of secretsOf(env)) effects.runner.mask(secret);
  const inputs = await readInputs(env);
  tell({ inputs });
  checkCertificates(env);
  const context = openContext(inputs, facts, env, effects, tell);
  const { task, dryRun } = inputs;
  if (dryRun && context.agent !== undefined) await checkKey(context.agent, effects.runner);
  if (task.kind !== 'create') {
    if (task.kind === 'message') tell({ prompt: task.instruction });
    return dryRun || !hasAgent(context) ? { kind: 'dry-run' } : followGiven(context, task);
  }

  const plan = planOf(inputs, facts);
  if (plan.kind === 'nothing') return { kind: 'skipped', reason: plan.reason };
  // It is removed at the end, so what uses it is returned with `await`.
  await using repo = await openRepo(context, plan);
  return await takeTurns(context, await openSession(context, plan, repo, task.instruction));
}

/** Takes turns until one of them ends the run. Each reads the ledger anew. */
export async function takeTurns(context: Context, session: Session): Promise<Ending> {
  const { inputs, effects, tell } = context;
  for (let isMessageRefused = false; ; ) {
    const turn = await session.takeTurn(isMessageRefused);
    if (turn.kind === 'skip') return { kind: 'skipped', reason: turn.reason };
    if (inputs.dryRun || !hasAgent(context)) return { kind: 'dry-run' };
    if (turn.kind === 'resume') {
      const ending = await resume(context, session, turn.call);
      if (ending.kind !== 'gone') return ending;
      // Its entry is removed, so the next turn sends.
      tell({ call: { kind: 'not-sent' }, job: undefined });
      const warning = ledgerWarning({ kind: 'gone', call: turn.call });
      effects.runner.annotate('warning', 'Docs agent: earlier runs', warning);
      continue;
    }
    const sent = await send(context, session, turn);
    if (sent.kind === 'accepted') return await followToEnd(context, session, sent.call);
    isMessageRefused ||= sent.kind === 'message-refused';
  }
}

/** GitHub gives such a run no secrets, and whoever started it cannot change that. */
const isWithoutSecrets = (error: unknown, facts: RunFacts) =>
  error instanceof InputErrors &&
  error.isKeyMissing &&
  facts.eventName !== 'workflow_dispatch' &&
  (facts.isFork || facts.isForkPullRequest || facts.isDependabot);

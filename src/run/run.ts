/** The story of a run. */
import { checkKey } from '../agent/agent.ts';
import type { Effects } from '../effects.ts';
import { type RunFacts, readFacts } from '../github/event.ts';
import { checkCertificates } from '../http.ts';
import { readInputs, secretsOf } from '../inputs.ts';
import { knowing, type Result } from '../report/ending.ts';
import { writeReport } from '../report/report.ts';
import { planOf } from './plan.ts';
import { openRooms } from './rooms.ts';
import { sendWithLedger } from './with-ledger.ts';
import { followGiven, sendWithoutLedger } from './without-ledger.ts';

type Endless = Omit<Effects, 'deadline'>;

/**
 * Runs the action once, and writes one report, whatever happens. Returns whether the step succeeds,
 * and never rejects. `readEvent` returns the payload of the event.
 */
export async function run(
  env: NodeJS.ProcessEnv,
  readEvent: () => unknown,
  effects: Endless,
): Promise<boolean> {
  const startedAt = effects.clock.now();
  for (const secret of secretsOf(env)) effects.runner.mask(secret);
  const result = await knowing({}, async () => {
    const facts = readFacts(env, readEvent());
    return knowing({ facts }, () => runWith(facts, env, effects));
  });
  return writeReport({ facts: readFacts(env, {}), ...result }, startedAt, effects);
}

async function runWith(facts: RunFacts, env: NodeJS.ProcessEnv, effects: Endless): Promise<Result> {
  const inputs = await readInputs(env);
  return knowing({ inputs }, async () => {
    checkCertificates(env);
    const rooms = openRooms(inputs, facts, env, effects);
    const { prompt = '', jobId, dryRun, adminApiKey } = inputs;
    if (dryRun && adminApiKey !== undefined) await checkKey(rooms.agent, effects.runner);
    if (jobId !== undefined) return followGiven(rooms, jobId);
    const plan = planOf(inputs, facts);
    if (plan.kind === 'nothing') return { ending: { kind: 'skipped', reason: plan.reason } };
    const { subject, ledger } = plan;
    return ledger === undefined
      ? sendWithoutLedger(rooms, prompt, subject)
      : sendWithLedger(rooms, prompt, subject, ledger);
  });
}

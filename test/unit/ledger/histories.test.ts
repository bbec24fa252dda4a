import { expect, test } from 'vitest';
import { play } from '../../support/histories/history.ts';
import { type Excuse, judge } from '../../support/histories/judge.ts';

/** `HISTORIES=20000 SEED=1 npm test -- histories` plays more of them, from another seed. */
const COUNT = Number(process.env['HISTORIES'] ?? 1_000);
const SEED = Number(process.env['SEED'] ?? 1);

async function judgeAll(count: number, isCalm: boolean) {
  const faults: string[] = [];
  const excuses = new Set<Excuse>();
  for (let seed = SEED; seed < SEED + count; seed += 1) {
    const judgement = judge(await play(seed, { isCalm }));
    faults.push(...judgement.faults.map((fault) => `seed ${seed}: ${fault}`));
    for (const excuse of judgement.excuses) excuses.add(excuse);
  }
  return { faults, excuses };
}

test('random histories lose nothing and send nothing twice, but for the excuses', async () => {
  const { faults, excuses } = await judgeAll(COUNT, false);
  expect(faults).toEqual([]);
  // All but the rarest: without, the histories would be too tame to show anything.
  expect(excuses.size).toBeGreaterThanOrEqual(7);
});

test('in calm histories hardly anything needs an excuse', async () => {
  const { faults, excuses } = await judgeAll(Math.ceil(COUNT / 5), true);
  expect(faults).toEqual([]);
  const allowed: readonly Excuse[] = ['before the first run', 'merged before anybody saw the end'];
  expect([...excuses].filter((excuse) => !allowed.includes(excuse))).toEqual([]);
});

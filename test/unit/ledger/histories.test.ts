import { expect, test } from 'vitest';
import { type Excuse, judge } from '../../support/histories/judge.ts';
import { type Choices, play } from '../../support/histories/world.ts';

/** `HISTORIES=20000 SEED=1 npm test -- histories` plays more of them, from another seed. */
const COUNT = Number(process.env['HISTORIES'] ?? 1_000);
const SEED = Number(process.env['SEED'] ?? 1);

/** Nothing goes wrong: ten pushes a day, and agents that do their work. */
const CALM: Partial<Choices> = {
  kills: 0,
  faults: false,
  lostPushes: 0,
  pauses: false,
  stuck: false,
  forgets: false,
  deletesLedger: false,
  typedSince: false,
  forcePushes: false,
  twins: false,
  wait: true,
};

async function faultsOf(seed: number, count: number, set: Partial<Choices> = {}) {
  const faults: string[] = [];
  const excuses = new Map<Excuse, number>();
  for (let at = seed; at < seed + count; at += 1) {
    const judgement = judge(await play(at, set));
    for (const fault of judgement.faults) faults.push(`seed ${at}: ${fault}`);
    for (const excuse of judgement.excuses) excuses.set(excuse, (excuses.get(excuse) ?? 0) + 1);
  }
  return { faults, excuses };
}

test('random histories lose nothing and send nothing twice, but for the excuses', async () => {
  const { faults, excuses } = await faultsOf(SEED, COUNT);
  expect(faults).toEqual([]);
  // Without them, the histories would be too tame to show anything.
  expect([...excuses.keys()].length).toBeGreaterThan(6);
});

test('in calm histories hardly anything needs an excuse', async () => {
  const { faults, excuses } = await faultsOf(SEED, Math.ceil(COUNT / 5), CALM);
  expect(faults).toEqual([]);
  const allowed: readonly Excuse[] = ['before the first run', 'merged before anybody saw the end'];
  expect([...excuses.keys()].filter((excuse) => !allowed.includes(excuse))).toEqual([]);
});

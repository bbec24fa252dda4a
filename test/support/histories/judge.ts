/** Judges a history by what the agents got: nothing is lost, and nothing is sent twice. */
import type { Prompt, World } from './world.ts';

/** Why something may be lost or sent twice. The README says each to users. */
export type Excuse =
  | 'wait: false'
  | 'before the first run'
  | 'typed since'
  | 'doubt'
  | 'over 2 hours, or 404'
  | 'merged before anybody saw the end'
  | 'two messages at once'
  | 'force push';

/** `faults` break a promise. */
export function judge(world: World) {
  const { ends, falseDoubts } = world;
  const faults = falseDoubts.map((run) => `the call of run ${run} is not in doubt`);
  const excuses = new Set<Excuse>();
  const last = ends.at(-1)?.end ?? '';
  if (!/^(pull-request|started)$/.test(last)) faults.push(`the last run ends with "${last}"`);
  if (ends.some(({ end }) => end === 'error ledger-shared'))
    faults.push('a ledger seems shared and is not');
  judgeLost(world, faults, excuses);
  judgeTwice(world, faults, excuses);
  return { faults, excuses };
}

/** Whether its work reached somebody: on the docs pull request while that was open. */
const isEffective = ({ result, endsAt, isMessage, job }: Prompt) =>
  result !== 'failed' && endsAt < Number.POSITIVE_INFINITY && (!isMessage || job.mergedAt > endsAt);

const rangeOfAll = (prompts: readonly Prompt[]) =>
  prompts.reduce((mask, { range }) => mask | range, 0);

/** What a run takes for documented has been documented by then. */
function judgeLost(world: World, faults: string[], excuses: Set<Excuse>): void {
  const effective = world.prompts.filter(isEffective);
  const reasons: readonly (readonly [Excuse, number])[] = [
    ['wait: false', world.choices.wait ? 0 : rangeOfAll(world.prompts)],
    ['before the first run', world.beginning],
    ['typed since', world.typed],
    ['two messages at once', rangeOfAll(world.prompts.filter(({ job }) => job.isShared))],
  ];
  for (const { owed, at } of world.ends) {
    let lost = owed & ~rangeOfAll(effective.filter(({ endsAt }) => endsAt <= at));
    for (const [excuse, excused] of reasons) {
      if (lost & excused) excuses.add(excuse);
      lost &= ~excused;
    }
    if (lost) faults.push(`lost: ${lost.toString(2)} at ${at}`);
  }
}

function judgeTwice(world: World, faults: string[], excuses: Set<Excuse>): void {
  const effective = world.prompts.filter(isEffective);
  effective.forEach((earlier, index) => {
    for (const later of effective.slice(index + 1)) {
      if ((earlier.range & later.range) === 0) continue;
      const found = excusesOf(earlier, later, world.choices.forcePushes > 0);
      if (found.length === 0) faults.push(`twice: ${earlier.job.id} and ${later.job.id}`);
      for (const excuse of found) excuses.add(excuse);
    }
  });
}

function excusesOf(earlier: Prompt, later: Prompt, isForcePushed: boolean): readonly Excuse[] {
  const reasons: readonly (readonly [Excuse, boolean])[] = [
    ['typed since', earlier.isTyped || later.isTyped],
    ['doubt', later.isWarned],
    ['over 2 hours, or 404', earlier.isGivenUp],
    ['merged before anybody saw the end', earlier.isMessage && earlier.job.mergedAt < 4_000],
    ['two messages at once', earlier.job.isShared || later.job.isShared],
    ['force push', isForcePushed],
  ];
  return reasons.flatMap(([excuse, holds]) => (holds ? [excuse] : []));
}

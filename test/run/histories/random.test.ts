import { expect, test } from 'vitest';
import { dose } from '../../support/dose.ts';
import { Choices, simplest } from '../../support/histories/choices.ts';
import { EXCUSES, type ExcuseName } from '../../support/histories/excuses.ts';
import { judge } from '../../support/histories/judge.ts';
import { World } from '../../support/histories/world.ts';

/*
 * Random histories of steps with `since: last-success`: whole runs of the action in a world in memory
 * (world.ts). People push, revert, merge, tag, press buttons and edit the workflow, runners are lost,
 * agent jobs fail, and docs pull requests are pushed to, rewritten, merged and closed at any moment.
 * A judge (judge.ts) knows only what happened, and holds it against what README promises. It reads
 * records by itself. How often it needs an excuse (excuses.ts) is limited.
 */

/** From this seed on, a few histories show every ending. */
const TELLING_SEED = 1_400;
const HISTORIES = Number(process.env['HISTORIES'] ?? dose(200, 20_000));
const FIRST_SEED = Number(process.env['HISTORY_SEED'] ?? TELLING_SEED);

/** What people have to be told in some of the histories. Otherwise these show little. */
const TOLD = [
  'A re-run stopped: an agent job may exist',
  'A re-run stopped: earlier attempts could not be looked up',
  'A re-run stopped: the prompt may have been sent',
  'Cancelled; the agent job is still running',
  'Cancelled; the request may have been accepted',
  'Dry run; nothing was sent',
  'Skipped; a newer run has these changes',
  'Skipped; no relevant file changed',
  'Skipped; nothing to start from',
  'The agent job failed',
  'The agent job was archived',
  'The agent was not seen to finish; the pull request was merged',
  'The last agent job of this step is not known',
  'Timed out; the agent job is still running',
  'Timed out; the last agent job is still running',
  'What earlier runs covered is not known',
  'earlier runs',
  'the end may be an old one',
  'the follow-up message was refused',
  'the pull request could not be checked',
  'this step is new',
];

async function play(source: number | readonly number[]) {
  const choices = new Choices(source);
  const world = new World(choices);
  await world.play();
  return { world, made: choices.made, ...judge(world) };
}

/** The same fault in the smallest history that shows it. */
async function explain(seed: number, made: readonly number[]): Promise<string> {
  const small = await simplest(made, async (choices) => (await play(choices)).broken.length > 0);
  const { world, broken } = await play(small);
  return `Seed ${seed}. The smallest such history:\n${world.story.join('\n')}\n${broken.join('\n')}`;
}

const promise =
  'no history loses a change, doubles one without a cause, or leaves a run that stays red';

test(promise, { timeout: 30 * 60_000 }, async () => {
  const told = new Set<string>();
  const uses = new Map<ExcuseName, number>();
  for (let seed = FIRST_SEED; seed < FIRST_SEED + HISTORIES; seed += 1) {
    const { world, made, broken, excused } = await play(seed);
    if (broken.length > 0) expect.fail(await explain(seed, made));
    for (const excuse of new Set(excused)) uses.set(excuse, (uses.get(excuse) ?? 0) + 1);
    for (const { annotations } of world.runs.flatMap(({ attempts }) => attempts)) {
      for (const { title } of annotations) told.add(title.replace('Docs agent: ', ''));
    }
  }
  // From another seed on, even 1,000 histories may lack a rare ending.
  const missing = TOLD.filter((title) => !told.has(title));
  if (FIRST_SEED === TELLING_SEED) expect(missing).toEqual([]);
  for (const [excuse, times] of uses) {
    const { most } = EXCUSES[excuse];
    // A few histories say little of how often.
    expect(times, excuse).toBeLessThanOrEqual(5 + (most * HISTORIES) / 1_000);
  }
});

/**
 * A random history of a ledger: a branch, a pull request, or the tags of a repository. Runs start
 * late and out of order, overlap, and are re-run, cancelled, killed and frozen. All follows from a seed.
 */
import { execute, type Run } from './run.ts';
import { World } from './world.ts';

/** Plays a history to its end. Throws if a run never ends. */
export async function play(seed: number, { isCalm = false } = {}): Promise<World> {
  const world = new World(seed, isCalm);
  const { choices, random } = world;
  const { scope } = choices;
  const commits = [world.tip];
  const any = () => commits[Math.floor(random() * commits.length)] ?? world.tip;
  let runs = 0;
  let thrown: unknown;

  scheduleEvents();
  for (let steps = 0; await world.step(); steps += 1) {
    if (thrown !== undefined) throw thrown;
    if (steps > 200_000) throw new Error(`seed ${seed}: a run never ends`);
  }
  return world;

  function scheduleEvents(): void {
    let at = 1;
    for (let events = 2 + Math.floor(random() * 7); events > 0; events -= 1) {
      at += random() < 0.4 ? random() * 3 : random() * 60;
      world.later(at, event);
      const isBranch = scope === 'heads' || scope === 'pull';
      if (isBranch && world.chance(35)) world.later(at + random() * 70, startByHand);
      if (isBranch && choices.append && world.chance(25)) world.later(at + random() * 60, prompt);
    }
    // The last event comes long after the others, when nothing goes wrong.
    world.later(4_000, () => {
      world.isQuiet = true;
      event();
    });
  }

  function event(): void {
    // There are bits for 31 changes.
    if (world.changes > 26 && !world.isQuiet) return;
    ({ heads: push, pull: pushToPullRequest, tag: release, tags: release })[scope]();
  }

  /**
   * GitHub starts a run for each of several events of a release, and tags may share a commit. A tag
   * that moves is another change.
   */
  function release(): void {
    const head = world.add();
    const tag = world.chance(20) ? 1 : head;
    world.tags.set(tag, head);
    const spread = random() < 0.5 ? 0 : random() * 90;
    queue({ head, tag });
    if (world.isQuiet) return;
    world.later(random() * spread, () => queue({ head, tag }));
    world.later(random() * spread, () => queue({ head, tag }));
  }

  function prompt(): void {
    if (world.changes < 30) queue({ head: world.add(), isPromptAlone: true });
  }

  function push(): void {
    const start = world.tip;
    const other = any();
    if (world.chance(choices.forcePushes)) world.tip = random() < 0.4 ? other : world.add(other);
    else if (world.chance(20) && world.isBehind(other, start))
      world.tip = world.add(start, world.add(other));
    else world.tip = world.add(start);
    commits.push(world.tip);
    queue({ start });
  }

  function pushToPullRequest(): void {
    // "Update branch" changes nothing.
    if (!world.chance(25)) world.tip = world.chance(choices.forcePushes) ? any() : world.add();
    commits.push(world.tip);
    queue({});
  }

  function startByHand(): void {
    queue({ since: world.chance(choices.typedSince) ? any() : undefined });
  }

  /** A new run, which may start late. */
  function queue(event: Partial<Run>): void {
    runs += 1;
    const run: Run = {
      id: runs,
      attempt: 1,
      head: world.tip,
      start: undefined,
      since: undefined,
      tag: undefined,
      isPromptAlone: false,
      timeout: world.isQuiet ? 100 : 15 + random() * 75,
      ...event,
    };
    // Or it is cancelled before its start.
    if (world.chance(12)) maybeRerun(run);
    else world.later(random() * random() * 60, () => start(run));
  }

  function maybeRerun(run: Run): void {
    if (run.attempt < 4 && world.chance(30))
      world.later(0.5 + random() * 400, () => start({ ...run, attempt: run.attempt + 1 }));
  }

  function start(run: Run): void {
    const end = () => maybeRerun(run);
    execute(world, run, end).then(end, (error: unknown) => {
      thrown = error;
    });
  }
}

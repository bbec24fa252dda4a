/** What is sent for pushes to one branch, whatever happens to their runs. */
import { expect, test } from 'vitest';
import { adding, World } from '../support/action.ts';
import type { RunStart } from '../support/github.ts';
import { ACTIVE, ADMIN_API_KEY, FAILING, PR_LINK, QUICK } from '../support/mintlify.ts';

test.concurrent('each push is sent until it is documented, and nothing but the ledger is written', async () => {
  await using world = await World.open({ script: FAILING });
  const { github, mintlify } = world;
  // With `wait: false` an accepted call covers, also if the step is cancelled meanwhile.
  const onStart = (cancel: () => void) => {
    mintlify.fault = () => void cancel();
  };
  const started = await world.run(world.push('one'), { wait: 'false' }, { onStart });
  expect(started.outputs).toMatchObject({ outcome: 'started', jobId: 'job_1' });
  mintlify.fault = () => undefined;
  const failed = await world.run(world.push('two'));
  expect([failed.outcome, failed.isSuccess]).toEqual(['failed', false]);
  mintlify.script = QUICK;
  const next = await world.run(world.push('three'));
  expect(next.outputs).toMatchObject({ outcome: 'pull-request', prLink: PR_LINK });
  expect([started.warnings, next.warnings]).toEqual([[], []]);
  expect(next.log.filter((line) => line.startsWith('Changes from'))).toHaveLength(1);
  await world.run(world.push('four'), { changes: 'none', paths: 'src/**' });
  expect(mintlify.prompts.at(-1)).toBe('Update the docs.');
  expect(world.sent).toEqual(['one', 'two', 'two three', '']);
  expect([...github.origin.refs().keys()]).toEqual([
    expect.stringMatching(/^refs\/docs-agent\//),
    'refs/heads/main',
  ]);
  const keys = mintlify.requests.map(({ headers }) => headers.authorization);
  expect(new Set(keys)).toEqual(new Set([`Bearer ${ADMIN_API_KEY}`]));
  const tokens = [...github.requests, ...github.git.requests].map(({ token }) => token);
  expect(new Set(tokens)).toEqual(new Set(['writer']));
  expect(github.origin.git('log', '--format=%B', '--all')).not.toMatch(/writer|mint_/);
});

test.concurrent('in doubt the step says so, and the next run warns and sends again', async () => {
  await using world = await World.open({
    fault: ({ method, earlier }) =>
      method === 'POST' && earlier < 2 ? { kind: 'lost' } : undefined,
  });
  const lost = await world.run(world.push('one'));
  expect([lost.outcome, lost.isSuccess]).toEqual(['error', false]);
  expect(lost.errors).toContain('may have been sent');
  const again = await world.run(world.push('two'));
  expect(again.warnings).toEqual([expect.stringContaining('unknown whether')]);
  // Somebody looks, and finds the agent job.
  const since = world.github.tip();
  world.push('three');
  const typed = await world.run(world.github.dispatch(), { since });
  expect([typed.outcome, typed.warnings]).toEqual(['pull-request', []]);
  expect(world.sent).toEqual(['one', 'one two', 'three']);
});

test.concurrent('a schedule begins at its first run, and a person moves the start by since', async () => {
  await using world = await World.open();
  const { github } = world;
  world.inputs = { ...world.inputs, wait: 'false' };
  const [start, nothing] = [github.tip(), { outcome: 'skipped', isSuccess: true }];
  world.push('one');
  expect(await world.run(github.schedule())).toMatchObject(nothing);
  world.push('two');
  await world.run(github.dispatch(), { since: start });
  const [early, late] = [world.push('three'), world.push('four')];
  const before = world.ledgers();
  const behind = await world.run(early, { since: github.tip() });
  expect(behind).toMatchObject({ ...nothing, warnings: [] });
  expect(world.ledgers()).toEqual(before);
  // The own commit says that all is documented.
  expect(await world.run(late, { since: github.tip() })).toMatchObject(nothing);
  expect(await world.run(early)).toMatchObject(nothing);
  expect(world.sent).toEqual(['one two']);
});

test.concurrent('what a force push removed is skipped, and what stays is sent', async () => {
  await using world = await World.open();
  const { github } = world;
  world.inputs = { ...world.inputs, wait: 'false' };
  const skip = async (start: RunStart) =>
    expect(await world.run(start)).toMatchObject({ outcome: 'skipped', isSuccess: true });
  await skip(github.schedule());
  const [base, removed] = [github.tip(), world.push('one')];
  const other = github.origin.commit({ ...adding('other'), parents: [base] });
  const forced = github.pushTo('main', other);
  await skip(removed);
  await world.run(forced);
  // Also once GitHub has forgotten the commit.
  github.origin.forget(removed.env['GITHUB_SHA'] ?? '');
  await skip(removed);
  const deleted = world.push('two', 'topic');
  await skip(github.pushTo('topic', null));
  await skip(deleted);
  // The ledger covers a commit that the server has no more.
  const last = github.pushTo('main', github.origin.commit({ ...adding('last'), parents: [base] }));
  github.origin.forget(other);
  const stopped = await world.run(last);
  expect([stopped.outcome, stopped.errors]).toEqual(['error', expect.stringContaining('`since`')]);
  await world.run(github.dispatch(), { since: base });
  expect(world.sent).toEqual(['other', 'last']);
});

test.concurrent('after a timeout the next run waits for the agent job, and sends what comes after it', async () => {
  await using world = await World.open({ script: ACTIVE });
  const { clock, github, mintlify } = world;
  const timedOut = await world.run(world.push('one'), { timeout: '2m' });
  expect(timedOut.outputs).toMatchObject({ outcome: 'timed-out', jobId: 'job_1' });
  expect(timedOut.isSuccess).toBe(false);
  // An open call counts as covering.
  const dry = await world.run(github.dispatch(), { dryRun: 'true' });
  expect(dry.outcome).toBe('skipped');
  const before = clock.now();
  const stopped = await world.run(world.push('two'), { timeout: '4m', pollInterval: '10m' });
  expect([stopped.outcome, stopped.errors]).toEqual(['error', expect.stringContaining('job_1')]);
  expect(clock.now() - before).toBeLessThanOrEqual(2 * 60_000);
  clock.at(20_000, () => mintlify.setState('job_1', { status: 'completed', prLink: PR_LINK }));
  mintlify.script = QUICK;
  await world.run(world.push('three'), { timeout: '6m' });
  expect(world.sent).toEqual(['one', 'two three']);
});

test.concurrent('if what became of a call cannot be recorded, a warning has the agent job', async () => {
  await using world = await World.open({ script: ACTIVE });
  const { github, mintlify } = world;
  mintlify.fault = () => {
    github.git.fault = () => ({ status: 503 });
    return undefined;
  };
  const ended = await world.run(world.push('one'), { timeout: '30s', pollInterval: '5s' });
  // Half of the time is left for following it.
  expect(mintlify.requests.filter(({ method }) => method === 'GET').length).toBeGreaterThan(1);
  expect(ended.warnings).toEqual([
    expect.stringMatching(/Agent job `job_1` could not be written to the ledger \(.*503/),
  ]);
  expect(ended.errors).toMatch(/: Do not re-run: that creates a second .*`jobId` set to `job_1`/);
});

test.concurrent('a claim that landed, although GitHub went away, is taken back', async () => {
  await using world = await World.open();
  let pushes = 0;
  world.github.git.fault = ({ service, isAdvertisement }) => {
    if (service !== 'git-receive-pack' || isAdvertisement)
      return pushes > 0 ? { status: 503 } : undefined;
    pushes += 1;
    return 'cut-after';
  };
  world.clock.at(5_000, () => {
    world.github.git.fault = undefined;
  });
  const failed = await world.run(world.push('one'));
  expect(failed.outcome).toBe('error');
  expect([...world.ledgers().values()].map(({ runs }) => runs)).toEqual([[]]);
  expect(world.mintlify.posts).toEqual([]);
});

test.concurrent('a cancel during the call reads as one, and says that the prompt may have been sent', async () => {
  await using world = await World.open();
  const onStart = (cancel: () => void) => {
    world.mintlify.fault = () => {
      cancel();
      return { kind: 'lost' };
    };
  };
  const ended = await world.run(world.push('one'), {}, { onStart });
  expect([ended.outcome, ended.errors]).toEqual([
    'cancelled',
    expect.stringMatching(/may have been/),
  ]);
});

test.concurrent('what a first push says after it ended before its claim is what brings its changes', async () => {
  await using world = await World.open();
  const { github } = world;
  const before = github.tip();
  github.git.fault = () => ({ status: 503 });
  const failed = await world.run(world.push('one'), { timeout: '30s' });
  expect(failed.errors).toContain(
    `the first run on this branch and you start a new run, set \`since\` to \`${before}\``,
  );
  expect(failed.errors).not.toContain('wait for the next run');
  github.git.fault = undefined;
  await world.run(github.dispatch(), { since: before });
  expect(world.sent).toEqual(['one']);
});

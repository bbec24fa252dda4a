/** What is sent for pushes to one branch, whatever happens to their runs. */
import { expect, test } from 'vitest';
import { adding, World } from '../support/action.ts';
import type { RunStart } from '../support/github.ts';
import { ACTIVE, ADMIN_API_KEY, FAILING, nth, PR_LINK, QUICK } from '../support/mintlify.ts';

test.concurrent('each push is sent once, with its own commits, and nothing but the ledger is written', async () => {
  await using world = await World.open();
  const { github, mintlify } = world;
  const first = await world.run(world.push('one'));
  expect(first.outputs).toMatchObject({ outcome: 'pull-request', prLink: PR_LINK });
  mintlify.script = FAILING;
  const started = await world.run(world.push('two'), { wait: 'false' });
  expect(started.outputs).toMatchObject({ outcome: 'started', jobId: 'job_2' });
  mintlify.script = QUICK;
  const many = { 'src/many.ts': 'export const line = 1;\n'.repeat(20_000) };
  await world.run(github.push('main', { ...adding('three'), files: many }));
  expect(world.sent).toEqual(['one', 'two', 'three']);
  expect(mintlify.prompts[2]).toMatch(/\[cut: .*lines/);
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

test.concurrent('what a run could not get documented is sent by the next run', async () => {
  await using world = await World.open({ script: FAILING });
  const failed = await world.run(world.push('one'));
  expect([failed.outcome, failed.isSuccess]).toEqual(['failed', false]);
  world.github.git.fault = () => ({ status: 503 });
  const away = await world.run(world.push('two'));
  expect(away.errors).toContain('503');
  world.github.git.fault = undefined;
  world.mintlify.script = QUICK;
  const next = await world.run(world.push('three'));
  expect([next.outcome, next.warnings]).toEqual(['pull-request', []]);
  expect(world.sent).toEqual(['one', 'one two three']);
});

test.concurrent('in doubt the step says so, and the next run warns and sends again', async () => {
  await using world = await World.open({ fault: nth('POST', 1, { kind: 'lost' }) });
  const lost = await world.run(world.push('one'));
  expect([lost.outcome, lost.isSuccess]).toEqual(['error', false]);
  expect(lost.errors).toContain('may have been sent');
  // Somebody looks, and finds the agent job.
  const since = world.github.tip();
  world.push('two');
  const typed = await world.run(world.github.dispatch(), { since });
  expect([typed.outcome, typed.warnings]).toEqual(['pull-request', []]);
  // A runner is lost.
  world.claimAndDie(world.push('three'));
  const next = await world.run(world.push('four'));
  expect([next.outcome, next.warnings.length]).toEqual(['pull-request', 1]);
  // It counts as calling for ten minutes.
  expect(world.clock.now()).toBeGreaterThanOrEqual(10 * 60_000);
  expect(world.sent).toEqual(['one', 'two', 'three four']);
});

test.concurrent('of two runs at once, one sends, and the other waits and sends only what is left', async () => {
  await using world = await World.open();
  await world.run(world.github.schedule());
  const starts = [world.push('one'), world.push('two')];
  const ends = await Promise.all(starts.map((start) => world.run(start)));
  expect(ends.map(({ isSuccess }) => isSuccess)).toEqual([true, true]);
  // If the newer one is first, it has the changes of both.
  expect(world.sent.join(' ')).toBe('one two');
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
  expect(await world.run(early, { since: github.tip() })).toMatchObject(nothing);
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
  github.pushTo('topic', null);
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

test.concurrent('what needs no documentation is not sent, now or later', async () => {
  await using world = await World.open();
  const { github } = world;
  world.inputs = { ...world.inputs, paths: 'src/**', wait: 'false' };
  const skip = async (start: RunStart) =>
    expect(await world.run(start)).toMatchObject({ outcome: 'skipped', isSuccess: true });
  await skip(github.push('main', { files: { 'test/one.ts': 'test();\n' } }));
  github.open({ branch: 'docs', author: 'mintlify[bot]' }, adding('guide'));
  await skip(github.merge(1));
  expect(world.mintlify.posts).toEqual([]);
  const author = 'Mintlify Agent <mintlify[bot]@users.noreply.github.com>';
  await world.run(github.push('main', { ...adding('pages'), author }, adding('code')));
  const [before, after] = (world.mintlify.prompts[0] ?? '').split('\nno documentation needed');
  expect(before).toContain('Add code');
  expect(after).toContain('Add pages');
});

test.concurrent('a dry run shows what is due and what is missing, needs no key, and writes nothing', async () => {
  await using world = await World.open();
  const { mintlify } = world;
  world.inputs = { ...world.inputs, dryRun: 'true' };
  const push = world.push('one');
  const unable = await world.run(push, { adminApiKey: '' }, { token: 'reader' });
  expect([unable.outcome, unable.isSuccess]).toEqual(['dry-run', true]);
  expect(unable.summary).toContain('Add one');
  expect(unable.warnings).toEqual([expect.stringContaining('`contents: write`')]);
  expect(mintlify.requests).toEqual([]);
  const refused = await world.run(push, { adminApiKey: 'mint_expired' });
  expect(refused.isSuccess).toBe(false);
  expect(refused.errors).toMatch(/`Unauthorized`.*Replace the secret/);
  const able = await world.run(push);
  expect([able.outcome, able.warnings]).toEqual(['dry-run', []]);
  expect(mintlify.posts).toEqual([]);
  expect(world.ledgers().size).toBe(0);
});

test.concurrent('with wait: false an accepted call covers, also if the step is cancelled meanwhile', async () => {
  await using world = await World.open();
  world.inputs = { ...world.inputs, wait: 'false' };
  const onStart = (cancel: () => void) => {
    world.mintlify.fault = () => void cancel();
  };
  const ended = await world.run(world.push('one'), {}, { onStart });
  expect([ended.outcome, ended.warnings]).toEqual(['started', []]);
  world.mintlify.fault = () => undefined;
  await world.run(world.push('two'));
  expect(world.sent).toEqual(['one', 'two']);
});

test.concurrent('if what became of a call cannot be recorded, a warning has the agent job', async () => {
  await using world = await World.open({ script: ACTIVE });
  const { github, mintlify } = world;
  mintlify.fault = () => {
    github.git.fault = () => ({ status: 503 });
    return undefined;
  };
  const ended = await world.run(world.push('one'), { timeout: '4m' });
  expect(ended.warnings).toEqual([
    expect.stringMatching(/agent job `job_1` \(.*503'\)?`\)\. The next run may have to send/),
  ]);
  expect(ended.errors).toMatch(/`jobId` set to `job_1`.* A re-run creates a second/);
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
  world.clock.at(20_000, () => {
    world.github.git.fault = undefined;
  });
  const failed = await world.run(world.push('one'));
  expect(failed.outcome).toBe('error');
  expect([...world.ledgers().values()].map(({ runs }) => runs)).toEqual([[]]);
  expect(world.mintlify.posts).toEqual([]);
});

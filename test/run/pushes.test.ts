/** What is sent for pushes to one branch, whatever happens to their runs. */
import { expect, test } from 'vitest';
import { World } from '../support/action.ts';
import { nth, PR_LINK, QUICK } from '../support/mintlify.ts';
import { FAILING, sent } from '../support/sent.ts';

test('each of five pushes is sent once, each with its own commit', async () => {
  await using world = await World.open();
  for (const name of ['one', 'two', 'three', 'four', 'five']) {
    const ended = await world.run(world.push(name));
    expect(ended.isSuccess, ended.annotations('error').join()).toBe(true);
    expect(ended.outcome).toBe('pull-request');
    expect(ended.outputs['prLink']).toBe(PR_LINK);
  }
  expect(sent(world)).toEqual(['one', 'two', 'three', 'four', 'five']);
});

test('what a failed agent job had is sent by the next run', async () => {
  await using world = await World.open({ script: FAILING });
  const failed = await world.run(world.push('one'));
  expect(failed.isSuccess).toBe(false);
  expect(failed.outcome).toBe('failed');
  world.mintlify.script = QUICK;
  await world.run(world.push('two'));
  expect(sent(world)).toEqual(['one', 'one two']);
});

test('what a refused call had is sent by the next run, also on the first day', async () => {
  await using world = await World.open();
  const refused = await world.run(world.push('one'), { projectId: 'mistyped' });
  expect(refused.isSuccess).toBe(false);
  expect(refused.annotations('error').join()).toContain('404');
  await world.run(world.push('two'));
  expect(sent(world)).toEqual(['one', 'one two']);
  expect(world.mintlify.jobIds).toHaveLength(1);
});

test('what a run had that was cancelled before its call is sent by the next run', async () => {
  await using world = await World.open({
    fault: nth('POST', 1, { kind: 'response', status: 429, headers: { 'retry-after': '20' } }),
  });
  const cancel = new AbortController();
  world.clock.at(5_000, () => cancel.abort(world.cancelled));
  const cancelled = await world.run(world.push('one'), {}, { cancel });
  expect(cancelled.outcome).toBe('cancelled');
  const next = await world.run(world.push('two'));
  expect(next.annotations('warning')).toEqual([]);
  expect(sent(world)).toEqual(['one', 'one two']);
  expect(world.mintlify.jobIds).toHaveLength(1);
});

test('after a lost response the step says so, and the next run warns and sends again', async () => {
  await using world = await World.open({ fault: nth('POST', 1, { kind: 'lost' }) });
  const lost = await world.run(world.push('one'));
  expect(lost.isSuccess).toBe(false);
  expect(lost.outcome).toBe('error');
  expect(lost.annotations('error').join()).toMatch(/may have been sent/);
  const next = await world.run(world.push('two'));
  expect(next.isSuccess).toBe(true);
  expect(next.annotations('warning')).toHaveLength(1);
  const last = await world.run(world.push('three'));
  expect(last.annotations('warning')).toEqual([]);
  expect(sent(world)).toEqual(['one', 'one two', 'three']);
});

test('a runner that died at its call is waited for, then the next run warns and sends', async () => {
  await using world = await World.open();
  const first = world.push('one');
  await world.run(first);
  const dead = world.push('two');
  world.claimAndDie(dead);
  world.clock.advance(60_000);
  const next = await world.run(world.push('three'));
  // It counts as calling for ten minutes.
  expect(world.clock.now()).toBeGreaterThan(9 * 60_000);
  expect(next.annotations('warning')).toHaveLength(1);
  expect(sent(world)).toEqual(['one', 'two three']);
});

test('of runs at once, one sends, and the others wait and send only what is left', async () => {
  await using world = await World.open();
  await world.run(world.push('first'));
  const pushes = ['one', 'two', 'three'].map((name) => world.push(name));
  const starts = [...pushes, world.github.dispatch()];
  const ends = await Promise.all(starts.map((start) => world.run(start)));
  expect(ends.map(({ isSuccess }) => isSuccess)).toEqual([true, true, true, true]);
  // A newer one that is first has the changes of the older ones.
  expect(sent(world).join(' ')).toBe('first one two three');
});

test('an older run that starts late is skipped', async () => {
  await using world = await World.open();
  const [one, two] = [world.push('one'), world.push('two')];
  const before = await world.run(two);
  const late = await world.run(one);
  expect([before.outcome, late.outcome]).toEqual(['pull-request', 'skipped']);
  expect(late.isSuccess).toBe(true);
  expect(sent(world)).toEqual(['two']);
});

test('a run whose commit a force push removed is skipped, and what stays is sent', async () => {
  await using world = await World.open();
  await world.run(world.push('one'));
  const base = world.github.tip();
  const removed = world.push('two');
  const files = { 'src/other.ts': 'export {};\n' };
  const commit = world.github.origin.commit({ parents: [base], files, message: 'Add other' });
  const forced = world.github.pushTo('main', commit);
  const skipped = await world.run(removed);
  expect(skipped.outcome).toBe('skipped');
  await world.run(forced);
  expect(sent(world)).toEqual(['one', 'other']);
});

test('after a timeout the re-run follows, and the next run does not send again', async () => {
  await using world = await World.open({ script: [{ status: 'active' }] });
  const push = world.push('one');
  const timedOut = await world.run(push, { timeout: '2m' });
  expect(timedOut.isSuccess).toBe(false);
  expect(timedOut.outcome).toBe('timed-out');
  expect(timedOut.outputs['jobId']).toBe('job_1');
  world.mintlify.setState('job_1', { status: 'completed', prLink: PR_LINK });
  const again = await world.run(world.github.rerun(push));
  expect(again.outcome).toBe('pull-request');
  expect(again.outputs).toMatchObject({ jobId: 'job_1', prLink: PR_LINK });
  world.mintlify.script = QUICK;
  await world.run(world.push('two'));
  expect(sent(world)).toEqual(['one', 'two']);
});

test('the next run waits for an agent job whose step timed out, and settles it', async () => {
  await using world = await World.open({ script: [{ status: 'active' }] });
  await world.run(world.push('one'), { timeout: '2m' });
  world.clock.at(20_000, () => {
    world.mintlify.setState('job_1', { status: 'completed', prLink: PR_LINK });
    world.mintlify.script = QUICK;
  });
  const next = await world.run(world.push('two'));
  expect(next.outcome).toBe('pull-request');
  expect(sent(world)).toEqual(['one', 'two']);
});

test('an agent job of another run that takes too long stops the step with nothing sent', async () => {
  await using world = await World.open({ script: [{ status: 'active' }] });
  await world.run(world.push('one'), { timeout: '2m' });
  const before = world.clock.now();
  const inputs = { timeout: '4m', pollInterval: '10m' };
  const stopped = await world.run(world.push('two'), inputs);
  expect(stopped.outcome).toBe('error');
  expect(world.clock.now() - before).toBeLessThanOrEqual(2 * 60_000);
  expect(stopped.annotations('error').join()).toContain('job_1');
  expect(sent(world)).toEqual(['one']);
});

test('an agent job that is active for over two hours is given up with a warning', async () => {
  await using world = await World.open({ script: [{ status: 'active' }] });
  await world.run(world.push('one'), { timeout: '2m' });
  world.clock.advance(2 * 60 * 60_000);
  world.mintlify.script = QUICK;
  const next = await world.run(world.push('two'));
  expect(next.annotations('warning').join()).toContain('job_1');
  expect(sent(world)).toEqual(['one', 'one two']);
});

test('a re-run after a success gives the same outputs and calls nothing', async () => {
  await using world = await World.open();
  const push = world.push('one');
  const first = await world.run(push);
  const again = await world.run(world.github.rerun(push));
  expect(again.outputs).toEqual(first.outputs);
  expect(sent(world)).toEqual(['one']);
});

test('with wait: false, an accepted call covers its changes', async () => {
  await using world = await World.open({ script: FAILING });
  const started = await world.run(world.push('one'), { wait: 'false' });
  expect(started.isSuccess).toBe(true);
  expect(started.outcome).toBe('started');
  expect(started.outputs['jobId']).toBe('job_1');
  await world.run(world.push('two'), { wait: 'false' });
  expect(sent(world)).toEqual(['one', 'two']);
});

test('a schedule sends what came since, and its first run only begins', async () => {
  await using world = await World.open();
  const first = await world.run(world.github.schedule());
  expect(first.outcome).toBe('skipped');
  const idle = await world.run(world.github.schedule());
  expect(idle.outcome).toBe('skipped');
  world.push('one');
  world.push('two');
  const next = await world.run(world.github.schedule());
  expect(next.outcome).toBe('pull-request');
  expect(sent(world)).toEqual(['one two']);
});

test('changes that the rules leave out are not sent later', async () => {
  await using world = await World.open();
  const inputs = { paths: 'src/**' };
  const files = { 'test/one.ts': 'test();\n' };
  const tests = world.github.push('main', { files, message: 'Add test' });
  const skipped = await world.run(tests, inputs);
  expect(skipped.outcome).toBe('skipped');
  await world.run(world.push('two'), inputs);
  expect(sent(world)).toEqual(['two']);
});

test('a typed since starts there, whatever is covered, and later runs go on from the head', async () => {
  await using world = await World.open();
  const start = world.github.tip();
  await world.run(world.push('one'));
  await world.run(world.push('two'));
  await world.run(world.github.dispatch(), { since: start });
  await world.run(world.push('three'));
  expect(sent(world)).toEqual(['one', 'two', 'one two', 'three']);
});

test('a since of the own commit says that all is documented', async () => {
  await using world = await World.open();
  world.push('one');
  const all = await world.run(world.github.dispatch(), { since: world.github.tip() });
  expect(all.outcome).toBe('skipped');
  await world.run(world.push('two'));
  expect(sent(world)).toEqual(['two']);
});

test('a since ahead of the head is skipped, and nothing is written', async () => {
  await using world = await World.open();
  const early = world.push('one');
  world.push('two');
  const skipped = await world.run(early, { since: world.github.tip() });
  expect(skipped.outcome).toBe('skipped');
  expect(world.ledgers().size).toBe(0);
});

test('a covered commit that the server lost stops the step, which asks for a since', async () => {
  await using world = await World.open();
  const start = world.github.tip();
  await world.run(world.push('one'));
  const lost = world.github.tip();
  const files = { 'src/new.ts': 'export {};\n' };
  const commit = world.github.origin.commit({ parents: [start], files, message: 'Add new' });
  const forced = world.github.pushTo('main', commit);
  world.github.forget(lost);
  const stopped = await world.run(forced);
  expect(stopped.outcome).toBe('error');
  expect(stopped.annotations('error').join()).toContain('`since`');
  await world.run(world.github.dispatch(), { since: start });
  expect(sent(world)).toEqual(['one', 'new']);
  await world.run(world.push('last'));
  expect(sent(world)).toEqual(['one', 'new', 'last']);
});

test('a dry run writes nothing, costs nothing, and shows what is due', async () => {
  await using world = await World.open();
  const dry = await world.run(world.push('one'), { dryRun: 'true' });
  expect(dry.outcome).toBe('dry-run');
  expect(dry.runner.summary).toContain('Add one');
  expect(world.mintlify.posts).toEqual([]);
  expect(world.ledgers().size).toBe(0);
  const withoutKey = await world.run(world.push('two'), { dryRun: 'true', adminApiKey: '' });
  expect(withoutKey.outcome).toBe('dry-run');
});

test('in a dry run, an open call counts as covering', async () => {
  await using world = await World.open({ script: [{ status: 'active' }] });
  const push = world.push('one');
  await world.run(push, { timeout: '2m' });
  const dry = await world.run(world.github.dispatch(), { dryRun: 'true' });
  expect(dry.outcome).toBe('skipped');
  expect(world.clock.now()).toBeLessThan(5 * 60_000);
});

test('a re-run whose agent job is gone warns, and sends again', async () => {
  await using world = await World.open({ script: [{ status: 'active' }] });
  const push = world.push('one');
  await world.run(push, { timeout: '2m' });
  world.mintlify.setState('job_1', { status: 'gone' });
  world.mintlify.script = QUICK;
  const again = await world.run(world.github.rerun(push));
  expect(again.outcome).toBe('pull-request');
  expect(again.annotations('warning').join()).toContain('job_1');
  expect(sent(world)).toEqual(['one', 'one']);
});

test('after a doubt, a since at its commit sends only later changes, without a warning', async () => {
  await using world = await World.open({ fault: nth('POST', 1, { kind: 'lost' }) });
  await world.run(world.push('one'));
  const since = world.github.tip();
  world.push('two');
  const next = await world.run(world.github.dispatch(), { since });
  expect(next.annotations('warning')).toEqual([]);
  expect(sent(world)).toEqual(['one', 'two']);
});

test('a claim that landed, although GitHub went away, is taken back', async () => {
  await using world = await World.open();
  await world.run(world.push('first'));
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
  const [state] = world.ledgers().values();
  expect(failed.outcome).toBe('error');
  expect(state?.runs.map(({ job }) => job)).toEqual(['job_1']);
  await world.run(world.push('two'));
  expect(sent(world).join(' ')).toBe('first one two');
});

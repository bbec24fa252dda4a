/** Prompts without changes, and `since: event`: what goes out without write access. */
import { expect, test } from 'vitest';
import { World } from '../support/action.ts';
import { type MintlifyOptions, nth, PR_LINK, QUICK } from '../support/mintlify.ts';
import { FAILING, said, sent } from '../support/sent.ts';

const FOREVER = [{ status: 'active' }];

async function prompting(options: MintlifyOptions = {}): Promise<World> {
  const world = await World.open(options);
  world.inputs = { prompt: 'Check all links.' };
  return world;
}

test('two prompts at once do not wait for each other', async () => {
  await using world = await prompting({
    script: [{ status: 'active' }, { afterMs: 60_000, status: 'completed', prLink: PR_LINK }],
  });
  const starts = [world.github.schedule(), world.github.schedule()];
  const ends = await Promise.all(starts.map((start) => world.run(start)));
  expect(ends.map(({ outcome }) => outcome)).toEqual(['pull-request', 'pull-request']);
  expect(world.mintlify.prompts).toEqual(['Check all links.', 'Check all links.']);
  expect(world.clock.now()).toBeLessThan(100_000);
});

test('with contents: write, a re-run follows the agent job of a prompt', async () => {
  await using world = await prompting({ script: FOREVER });
  const start = world.github.schedule();
  await world.run(start, { timeout: '2m' });
  world.mintlify.setState('job_1', { status: 'completed', prLink: PR_LINK });
  const again = await world.run(world.github.rerun(start));
  expect(again.outputs).toMatchObject({ outcome: 'pull-request', jobId: 'job_1' });
  expect(world.mintlify.posts).toHaveLength(1);
});

test('only a re-run of a prompt in doubt warns, and sends it', async () => {
  await using world = await prompting({ fault: nth('POST', 1, { kind: 'lost' }) });
  const start = world.github.schedule();
  await world.run(start);
  const other = await world.run(world.github.schedule());
  expect(other.annotations('warning')).toEqual([]);
  const again = await world.run(world.github.rerun(start));
  expect(again.annotations('warning')).toHaveLength(1);
  expect(world.mintlify.posts).toHaveLength(3);
});

interface Access {
  readonly options?: Parameters<World['run']>[2];
  readonly hook?: string;
}

const WITHOUT_LEDGER: Readonly<Record<string, Access>> = {
  'without git': { options: { more: { PATH: '' } } },
  'with a token that may only read': { options: { token: 'reader' } },
  'with a token that may not even read': { options: { token: 'nobody' } },
  'without a token': { options: { token: '' } },
  'where a hook refuses the ledger': { hook: 'exit 1' },
};

test.for(Object.entries(WITHOUT_LEDGER))('a prompt goes out %s', async ([, access]) => {
  const { options, hook } = access;
  await using world = await prompting();
  if (hook !== undefined) world.github.origin.setHook('pre-receive', hook);
  const ended = await world.run(world.github.schedule(), {}, options);
  expect(ended.outcome, said(ended, 'error')).toBe('pull-request');
  expect(ended.annotations('warning')).toEqual([]);
  expect(world.mintlify.prompts).toEqual(['Check all links.']);
  expect(world.ledgers().size).toBe(0);
});

test('with since: event, each push sends its own changes, with a token that may only read', async () => {
  await using world = await World.open({ script: FAILING });
  world.inputs = { ...world.inputs, since: 'event' };
  const failed = await world.run(world.push('one'), {}, { token: 'reader' });
  expect(failed.outcome).toBe('failed');
  world.mintlify.script = QUICK;
  const next = await world.run(world.push('two'), {}, { token: 'reader' });
  expect(next.outcome).toBe('pull-request');
  // README says so: the failed run lost its changes.
  expect(sent(world)).toEqual(['one', 'two']);
  expect(world.ledgers().size).toBe(0);
});

test('with since: event and contents: write, a re-run follows, and simultaneous runs both send', async () => {
  await using world = await World.open({ script: FOREVER });
  world.inputs = { ...world.inputs, since: 'event' };
  const [one, two] = [world.push('one'), world.push('two')];
  await Promise.all([one, two].map((push) => world.run(push, { timeout: '2m' })));
  world.mintlify.setState('job_1', { status: 'completed', prLink: PR_LINK });
  world.mintlify.setState('job_2', { status: 'completed', prLink: PR_LINK });
  const again = await world.run(world.github.rerun(one));
  expect(again.outcome).toBe('pull-request');
  expect(sent(world).toSorted()).toEqual(['one', 'two']);
});

test('since: event has no start on a schedule, and skips what paths leaves out', async () => {
  await using world = await World.open();
  world.inputs = { ...world.inputs, since: 'event', paths: 'docs/**' };
  const push = await world.run(world.push('one'), {}, { token: 'reader' });
  const schedule = await world.run(world.github.schedule(), {}, { token: 'reader' });
  expect([push.outcome, schedule.outcome]).toEqual(['skipped', 'skipped']);
  expect(world.mintlify.posts).toEqual([]);
});

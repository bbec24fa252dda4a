/** `pullRequest: append`: one docs pull request while it is open. */
import { expect, test } from 'vitest';
import { World } from '../support/action.ts';
import { type MintlifyOptions, QUICK } from '../support/mintlify.ts';
import { said, sent } from '../support/sent.ts';

/** Every agent job opens the pull request `link`, or adds to it. */
async function appending(options: MintlifyOptions = {}): Promise<[World, link: string]> {
  const world = await World.open(options);
  world.inputs = { ...world.inputs, pullRequest: 'append' };
  const link = world.github.openDocsPull();
  world.mintlify.script = [
    { status: 'active' },
    { afterReads: 1, status: 'completed', prLink: link },
  ];
  return [world, link];
}

/** The paths of the calls. */
const calls = ({ mintlify }: World) => mintlify.posts.map(({ path }) => path);

test('while the pull request is open each push is a message, and after that a new agent job', async () => {
  const [opened, link] = await appending();
  await using world = opened;
  const run = async (name: string) => (await world.run(world.push(name))).outputs;
  const [created, updated] = [{ prOperation: 'created' }, { prOperation: 'updated' }];
  expect(await run('one')).toMatchObject({ ...created, prLink: link, jobId: 'job_1' });
  expect(await run('two')).toMatchObject({ ...updated, prLink: link, jobId: 'job_1' });
  expect(await run('three')).toMatchObject({ ...updated, prLink: link, jobId: 'job_1' });
  world.github.docsPull(link).state = 'merged';
  expect(await run('four')).toMatchObject({ ...created, jobId: 'job_2' });
  world.github.docsPull(link).state = 'closed';
  expect(await run('five')).toMatchObject({ ...created, jobId: 'job_3' });
  expect(calls(world)).toEqual([
    ...['job', 'job/job_1/message', 'job/job_1/message', 'job', 'job'],
  ]);
  expect(sent(world)).toEqual(['one', 'two', 'three', 'four', 'five']);
  expect(world.mintlify.prompts[1]).toContain(`Your pull request ${link} is open.`);
});

test('a pull request that is merged before the agent is done fails the step, and the next run sends again', async () => {
  const [opened, link] = await appending();
  await using world = opened;
  await world.run(world.push('one'));
  world.mintlify.script = [
    { status: 'active' },
    { afterMs: 60_000, status: 'completed', prLink: link },
  ];
  world.clock.at(30_000, () => {
    world.github.docsPull(link).state = 'merged';
  });
  const early = await world.run(world.push('two'));
  expect([early.outcome, early.isSuccess]).toEqual(['error', false]);
  expect(said(early, 'error')).toContain('was merged before the agent was done');
  world.mintlify.script = QUICK;
  await world.run(world.push('three'));
  expect(calls(world)).toEqual(['job', 'job/job_1/message', 'job']);
  expect(sent(world)).toEqual(['one', 'two', 'two three']);
});

test('a message that is refused becomes one agent job of its own', async () => {
  const statuses = [404, 422];
  const [opened] = await appending({
    fault({ path }) {
      const status = path.endsWith('message') ? statuses.shift() : undefined;
      return status === undefined ? undefined : { kind: 'response', status };
    },
  });
  await using world = opened;
  for (const name of ['one', 'two', 'three']) {
    const ended = await world.run(world.push(name));
    expect(ended.outcome).toBe('pull-request');
    expect(ended.annotations('warning')).toEqual([]);
  }
  expect(calls(world)).toEqual(['job', 'job/job_1/message', 'job', 'job/job_2/message', 'job']);
  expect(sent(world)).toEqual(['one', 'two', 'two', 'three', 'three']);
  expect(world.mintlify.prompts[2]).not.toContain('Your pull request');
  const jobs = [...world.ledgers().values()].map(({ runs }) => runs.map(({ job }) => job));
  expect(jobs).toEqual([['job_3', 'job_2', 'job_1']]);
});

test('where the token cannot read the pull request, each push gets an agent job, with a warning', async () => {
  const [opened, link] = await appending();
  await using world = opened;
  world.github.docsPull(link).state = 'hidden';
  const first = await world.run(world.push('one'));
  expect(first.annotations('warning')).toEqual([]);
  const next = await world.run(world.push('two'));
  expect(next.outcome).toBe('pull-request');
  expect(said(next, 'warning')).toContain(link);
  expect(calls(world)).toEqual(['job', 'job']);
});

test('after a lost response to a message, the next run warns and sends a message again', async () => {
  const [opened] = await appending({
    fault: ({ path, earlier }) =>
      path.endsWith('message') && earlier === 1 ? { kind: 'lost' } : undefined,
  });
  await using world = opened;
  await world.run(world.push('one'));
  const lost = await world.run(world.push('two'));
  expect(lost.outcome).toBe('error');
  expect(said(lost, 'error')).toContain('look for the message');
  const next = await world.run(world.push('three'));
  expect(next.annotations('warning')).toHaveLength(1);
  expect(calls(world)).toEqual(['job', 'job/job_1/message', 'job/job_1/message']);
  expect(sent(world)).toEqual(['one', 'two', 'two three']);
});

test('a re-run after a timeout follows the message', async () => {
  const [opened, link] = await appending({ messageScript: [{ status: 'active' }] });
  await using world = opened;
  await world.run(world.push('one'));
  const push = world.push('two');
  const timedOut = await world.run(push, { timeout: '2m' });
  expect(timedOut.outcome).toBe('timed-out');
  world.mintlify.setState('job_1', { status: 'completed', prLink: link });
  const again = await world.run(world.github.rerun(push));
  expect(again.outputs).toMatchObject({ outcome: 'pull-request', prOperation: 'updated' });
  expect(sent(world)).toEqual(['one', 'two']);
});

test('prompts without changes wait their turn: the second one is a message', async () => {
  const [opened] = await appending();
  await using world = opened;
  world.inputs = { ...world.inputs, changes: 'none' };
  const starts = [world.github.schedule(), world.github.schedule()];
  const ends = await Promise.all(starts.map((start) => world.run(start)));
  expect(ends.map(({ outcome }) => outcome)).toEqual(['pull-request', 'pull-request']);
  expect(calls(world)).toEqual(['job', 'job/job_1/message']);
});

/** `pullRequest: append`: one docs pull request while it is open. */
import { expect, test } from 'vitest';
import { World } from '../support/action.ts';
import { ACTIVE, type MintlifyOptions, nth, QUICK } from '../support/mintlify.ts';

/** Every agent job opens the pull request `link`, or adds to it. */
async function appending(options: MintlifyOptions = {}): Promise<[World, link: string]> {
  const world = await World.open(options);
  world.inputs = { ...world.inputs, pullRequest: 'append' };
  const link = world.github.openDocsPull();
  world.mintlify.script = [...ACTIVE, { afterReads: 1, status: 'completed', prLink: link }];
  return [world, link];
}

/** The paths of the calls. */
const calls = ({ mintlify }: World) => mintlify.posts.map(({ path }) => path);

test.concurrent('while the pull request is open each push is a message, and after that a new agent job', async () => {
  const [opened, link] = await appending();
  await using world = opened;
  const { github, mintlify } = world;
  const created = await world.run(world.push('one'));
  expect(created.outputs).toMatchObject({ prOperation: 'created', prLink: link, jobId: 'job_1' });
  expect(created.summary).toMatch(/Update the docs[\s\S]*guide\.mdx/);
  const updated = await world.run(world.push('two'));
  expect(updated.outputs).toMatchObject({ prOperation: 'updated', prLink: link, jobId: 'job_1' });
  expect(mintlify.prompts[1]).toContain(`Your pull request ${link} is open.`);
  // It is merged before the agent is done.
  mintlify.script = [...ACTIVE, { afterMs: 60_000, status: 'completed', prLink: link }];
  world.clock.at(30_000, () => {
    github.docsPull(link).state = 'merged';
  });
  const early = await world.run(world.push('three'));
  expect([early.outcome, early.isSuccess]).toEqual(['error', false]);
  expect(early.errors).toContain('was merged before the agent was done');
  mintlify.script = QUICK;
  const next = await world.run(world.push('four'));
  expect(next.outputs).toMatchObject({ prOperation: 'created', jobId: 'job_2' });
  expect(calls(world)).toEqual(['job', 'job/job_1/message', 'job/job_1/message', 'job']);
  expect(world.sent).toEqual(['one', 'two', 'three', 'three four']);
});

test.concurrent('without an open pull request that can be read, or if the message is refused, there is a new agent job', async () => {
  const fault = nth('POST', 2, { kind: 'response', status: 422 });
  const [opened, link] = await appending({ fault });
  await using world = opened;
  await world.run(world.push('one'));
  const refused = await world.run(world.push('two'));
  expect([refused.outputs['jobId'], refused.warnings]).toEqual(['job_2', []]);
  expect(world.mintlify.prompts[2]).not.toContain('Your pull request');
  // The token cannot read the pull request any more.
  world.github.docsPull(link).state = 'hidden';
  const next = await world.run(world.push('three'));
  expect(next.outputs['jobId']).toBe('job_3');
  expect(next.warnings).toEqual([expect.stringContaining(link)]);
  expect(calls(world)).toEqual(['job', 'job/job_1/message', 'job', 'job']);
  expect(world.sent).toEqual(['one', 'two', 'two', 'three']);
});

test.concurrent('prompts without changes wait their turn: the second one is a message', async () => {
  const [opened] = await appending();
  await using world = opened;
  world.inputs = { ...world.inputs, changes: 'none' };
  const starts = [world.github.schedule(), world.github.schedule()];
  const ends = await Promise.all(starts.map((start) => world.run(start)));
  expect(ends.map(({ outcome }) => outcome)).toEqual(['pull-request', 'pull-request']);
  expect(calls(world)).toEqual(['job', 'job/job_1/message']);
});

/** `pullRequest: append`: one docs pull request while it is open. */
import { expect, test } from 'vitest';
import { World } from '../support/action.ts';
import { ACTIVE, type MintlifyOptions, nth, PR_LINK, QUICK } from '../support/mintlify.ts';

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

test.concurrent('each push is a message, or a new agent job if that is refused or its pull request is not open', async () => {
  const fault = nth('POST', 3, { kind: 'response', status: 422 });
  const [opened, link] = await appending({ fault });
  await using world = opened;
  const { github, mintlify } = world;
  const created = await world.run(world.push('one'));
  expect(created.outputs).toMatchObject({ prOperation: 'created', prLink: link, jobId: 'job_1' });
  expect(created.summary).toMatch(/Update the docs[\s\S]*guide\.mdx/);
  const updated = await world.run(world.push('two'));
  expect(updated.outputs).toMatchObject({ prOperation: 'updated', prLink: link, jobId: 'job_1' });
  expect(mintlify.prompts[1]).toContain(`Your pull request ${link} is open.`);
  const refused = await world.run(world.push('three'));
  expect([refused.outputs['jobId'], refused.warnings]).toEqual(['job_2', []]);
  expect(mintlify.prompts[3]).not.toContain('Your pull request');
  // It is merged before the agent is done.
  mintlify.script = [...ACTIVE, { afterMs: 60_000, status: 'completed', prLink: link }];
  world.clock.at(30_000, () => {
    github.docsPull(link).state = 'merged';
  });
  const early = await world.run(world.push('four'));
  expect([early.outcome, early.isSuccess]).toEqual(['error', false]);
  expect(early.errors).toContain('was merged before the agent was done');
  mintlify.script = QUICK;
  const next = await world.run(world.push('five'));
  expect(next.outputs).toMatchObject({ prOperation: 'created', prLink: PR_LINK, jobId: 'job_3' });
  // The token cannot read that pull request.
  const last = await world.run(world.push('six'));
  expect(last.outputs['jobId']).toBe('job_4');
  expect([next.warnings, last.warnings]).toEqual([[], [expect.stringContaining(PR_LINK)]]);
  const message = (job: string) => `job/${job}/message`;
  expect(calls(world)).toEqual([
    ...['job', message('job_1'), message('job_1'), 'job', message('job_2'), 'job', 'job'],
  ]);
  expect(world.sent).toEqual(['one', 'two', 'three', 'three', 'four', 'four five', 'six']);
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

test.concurrent('with `since: event`, a push that goes back is sent as well', async () => {
  const [opened] = await appending();
  await using world = opened;
  const { github } = world;
  world.inputs = { ...world.inputs, since: 'event' };
  const first = github.tip();
  await world.run(world.push('one'));
  const back = await world.run(github.pushTo('main', first));
  expect(back.outcome).toBe('pull-request');
  expect(calls(world)).toEqual(['job', 'job/job_1/message']);
});

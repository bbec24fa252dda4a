/** Prompts without changes, and `since: event`: what goes out without write access. */
import { expect, test } from 'vitest';
import { World } from '../support/action.ts';
import { ACTIVE, FAILING, PR_LINK, QUICK } from '../support/mintlify.ts';

const PROMPT = { prompt: 'Check all links.' };

test.concurrent.for([
  ['without git', {}, { PATH: '' }],
  ['without a token', { githubToken: '' }, {}],
] as const)('a prompt goes out %s', async ([, inputs, more]) => {
  await using world = await World.open();
  world.inputs = PROMPT;
  const ended = await world.run(world.github.schedule(), inputs, { more });
  expect([ended.outcome, ended.warnings, ended.errors]).toEqual(['pull-request', [], '']);
  expect(world.mintlify.prompts).toEqual(['Check all links.']);
  expect(world.ledgers().size).toBe(0);
});

test.concurrent('with since: event, each push sends its own changes, with a token that may only read', async () => {
  await using world = await World.open({ script: FAILING });
  world.inputs = { ...world.inputs, since: 'event', githubToken: 'reader' };
  // Without a ledger, git is not needed after the call.
  world.github.git.fault = () => (world.mintlify.posts.length > 0 ? { status: 503 } : undefined);
  const failed = await world.run(world.push('one'));
  expect([failed.outcome, failed.warnings]).toEqual(['failed', []]);
  world.github.git.fault = undefined;
  world.mintlify.script = QUICK;
  await world.run(world.push('two'));
  // README says so: the failed run lost its changes.
  expect(world.sent).toEqual(['one', 'two']);
  const schedule = await world.run(world.github.schedule());
  expect([schedule.outcome, world.mintlify.posts.length]).toEqual(['skipped', 2]);
  expect(world.ledgers().size).toBe(0);
});

test.concurrent('with since: event and contents: write, a re-run follows, and simultaneous runs both send', async () => {
  await using world = await World.open({ script: ACTIVE });
  world.inputs = { ...world.inputs, since: 'event' };
  const [one, two] = [world.push('one'), world.push('two')];
  await Promise.all([one, two].map((push) => world.run(push, { timeout: '2m' })));
  for (const id of world.mintlify.jobIds)
    world.mintlify.setState(id, { status: 'completed', prLink: PR_LINK });
  const again = await world.run(world.github.rerun(one));
  expect(again.outcome).toBe('pull-request');
  // The ledger keeps the link, also if Mintlify does not show it any more.
  for (const id of world.mintlify.jobIds) world.mintlify.setState(id, { status: 'completed' });
  const third = await world.run(world.github.rerun(world.github.rerun(one)));
  expect(third.outputs).toMatchObject({ outcome: 'pull-request', prLink: PR_LINK });
  expect(world.sent.toSorted()).toEqual(['one', 'two']);
});

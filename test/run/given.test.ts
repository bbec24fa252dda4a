/** `jobId`: a given agent job is followed, or gets a message. No ledger is involved. */
import { expect, test } from 'vitest';
import { World } from '../support/action.ts';
import { type MintlifyOptions, PR_LINK, QUICK } from '../support/mintlify.ts';
import { said } from '../support/sent.ts';

const FOREVER = [{ status: 'active' }];

/** With the agent job `job_1`, and a step that follows it. */
async function given(options: MintlifyOptions = {}): Promise<World> {
  const world = await World.open(options);
  world.mintlify.addJob();
  world.inputs = { jobId: 'job_1' };
  return world;
}

test('follows an agent job to its end, without git and without GitHub', async () => {
  await using world = await given();
  const start = world.github.dispatch();
  const ended = await world.run(start, { githubToken: '' }, { more: { PATH: '' } });
  expect(ended.outputs).toMatchObject({ outcome: 'pull-request', prLink: PR_LINK });
  expect(world.mintlify.transcript).toEqual(['GET job/job_1', 'GET job/job_1']);
  expect(world.github.git.requests).toEqual([]);
});

test('sends a prompt as a message first, and follows the agent job to the end of that', async () => {
  await using world = await given({
    script: [{ status: 'completed', prLink: PR_LINK }],
    messageScript: QUICK,
  });
  const ended = await world.run(world.github.dispatch(), { prompt: 'Shorten it.' });
  expect(ended.outputs).toMatchObject({ outcome: 'pull-request', prOperation: 'updated' });
  expect(world.mintlify.prompts).toEqual(['Shorten it.']);
  expect(world.mintlify.transcript).toEqual([
    ...['GET job/job_1', 'POST job/job_1/message', 'GET job/job_1', 'GET job/job_1'],
  ]);
  expect(world.ledgers().size).toBe(0);
});

test('says after a timeout that a re-run sends the message again, and how to follow', async () => {
  await using world = await given({ script: FOREVER });
  const inputs = { prompt: 'Shorten it.', timeout: '2m' };
  const ended = await world.run(world.github.dispatch(), inputs);
  expect(ended.outcome).toBe('timed-out');
  expect(said(ended, 'error')).toContain('`jobId` set to `job_1` and without a prompt');
  expect(said(ended, 'error')).toContain('A re-run sends the message again');
});

test('with wait: false, a message is enough, and without one the agent job is read once', async () => {
  await using world = await given({ script: FOREVER });
  const [start, wait] = [world.github.dispatch(), 'false'];
  const sent = await world.run(start, { prompt: 'Shorten it.', wait });
  expect(sent.outputs).toMatchObject({ outcome: 'started', jobId: 'job_1', status: 'active' });
  const active = await world.run(start, { wait });
  expect(active.outputs).toMatchObject({ outcome: 'started', jobId: 'job_1', status: 'active' });
  world.mintlify.setState('job_1', { status: 'completed', prLink: PR_LINK });
  const ended = await world.run(start, { wait });
  expect(ended.outputs).toMatchObject({ outcome: 'pull-request', prLink: PR_LINK });
});

test('a dry run sends nothing, with a key and without one', async () => {
  await using world = await given();
  const inputs = { prompt: 'Shorten it.', dryRun: 'true' };
  const checked = await world.run(world.github.dispatch(), inputs);
  expect(world.mintlify.transcript).toEqual(['GET job/dry-run-access-check']);
  const unchecked = await world.run(world.github.dispatch(), { ...inputs, adminApiKey: '' });
  expect([checked.outcome, unchecked.outcome]).toEqual(['dry-run', 'dry-run']);
  expect(checked.runner.summary).toContain('Shorten it.');
  expect(world.mintlify.requests).toHaveLength(1);
});

test('an agent job that the service does not know fails the step after 30 s', async () => {
  await using world = await given();
  const ended = await world.run(world.github.dispatch(), { jobId: 'job_7' });
  expect(ended.outcome).toBe('error');
  expect(said(ended, 'error')).toContain('Compare `jobId` and `projectId`');
  expect(world.clock.now()).toBeGreaterThanOrEqual(30_000);
  expect(world.clock.now()).toBeLessThan(60_000);
});

test('a message that is refused fails the step, and creates no agent job', async () => {
  await using world = await given({
    fault: ({ method }) => (method === 'POST' ? { kind: 'response', status: 422 } : undefined),
  });
  const ended = await world.run(world.github.dispatch(), { prompt: 'Shorten it.' });
  expect(ended.outcome).toBe('error');
  expect(said(ended, 'error')).toContain('nothing was sent');
  expect(world.mintlify.jobIds).toEqual(['job_1']);
});

test('inputs about changes are refused with a message, which would not include them', async () => {
  await using world = await given();
  const ended = await world.run(world.push('one'), { prompt: 'Go on.', changes: 'diff' });
  expect(ended.isSuccess).toBe(false);
  expect(said(ended, 'error')).toContain('`changes`');
  expect(world.mintlify.requests).toEqual([]);
});

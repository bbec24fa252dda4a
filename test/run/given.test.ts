/** `jobId`: a given agent job is followed, or gets a message. No ledger is involved. */
import { expect, test } from 'vitest';
import { World } from '../support/action.ts';
import { ACTIVE, type MintlifyOptions, PR_LINK } from '../support/mintlify.ts';

const MESSAGE = { prompt: 'Shorten it.' };

/** With the agent job `job_1`, and a step that follows it. */
async function given(options: MintlifyOptions = {}): Promise<World> {
  const world = await World.open(options);
  world.mintlify.addJob();
  world.inputs = { jobId: 'job_1' };
  return world;
}

test.concurrent('follows an agent job to its end, without git and without GitHub', async () => {
  await using world = await given();
  const start = world.github.dispatch();
  const ended = await world.run(start, { githubToken: '' }, { more: { PATH: '' } });
  expect(ended.outputs).toMatchObject({ outcome: 'pull-request', prLink: PR_LINK });
  expect(world.mintlify.transcript).toEqual(['GET job/job_1', 'GET job/job_1']);
  expect(world.github.git.requests).toEqual([]);
});

test.concurrent('sends a prompt as a message first, and follows the agent job to the end of that', async () => {
  await using world = await given({ script: [{ status: 'completed', prLink: PR_LINK }] });
  // Its first read still shows the end from before the message.
  world.mintlify.script = [
    { afterReads: 1, status: 'active' },
    { afterReads: 2, status: 'completed', prLink: PR_LINK },
  ];
  const ended = await world.run(world.github.dispatch(), MESSAGE);
  expect(ended.outputs).toMatchObject({ outcome: 'pull-request', prOperation: 'updated' });
  expect(world.mintlify.prompts).toEqual(['Shorten it.']);
  expect(world.mintlify.transcript).toEqual([
    ...['GET job/job_1', 'POST job/job_1/message'],
    ...['GET job/job_1', 'GET job/job_1', 'GET job/job_1'],
  ]);
  expect(world.ledgers().size).toBe(0);
});

test.concurrent('with wait: false, a message is enough, and without one the agent job is read once', async () => {
  await using world = await given({ script: ACTIVE });
  const [start, wait] = [world.github.dispatch(), 'false'];
  const started = { outcome: 'started', jobId: 'job_1', status: 'active' };
  expect((await world.run(start, { ...MESSAGE, wait })).outputs).toMatchObject(started);
  expect((await world.run(start, { wait })).outputs).toMatchObject(started);
  world.mintlify.setState('job_1', { status: 'completed', prLink: PR_LINK });
  const ended = await world.run(start, { wait });
  expect(ended.outputs).toMatchObject({ outcome: 'pull-request', prLink: PR_LINK });
  const unknown = await world.run(start, { wait, jobId: 'job_7' });
  expect([unknown.outcome, unknown.errors]).toEqual(['error', expect.stringContaining('`jobId`')]);
});

test.concurrent('a dry run sends nothing, with a key and without one, but checks the key', async () => {
  await using world = await given();
  const [start, inputs] = [world.github.dispatch(), { ...MESSAGE, dryRun: 'true' }];
  const checked = await world.run(start, inputs);
  const unchecked = await world.run(start, { ...inputs, adminApiKey: '' });
  expect([checked.outcome, unchecked.outcome]).toEqual(['dry-run', 'dry-run']);
  expect(checked.summary).toContain('Shorten it.');
  const refused = await world.run(start, { ...inputs, adminApiKey: 'mint_expired' });
  expect(refused.isSuccess).toBe(false);
  expect(refused.errors).toMatch(/`Unauthorized`.*Replace the secret/);
  const check = 'GET job/dry-run-access-check';
  expect(world.mintlify.transcript).toEqual([check, check]);
});

test.concurrent('says after a failure what to do', async () => {
  await using world = await given({ script: ACTIVE });
  const { clock, github, mintlify } = world;
  const before = clock.now();
  const unknown = await world.run(github.dispatch(), { jobId: 'job_7' });
  expect(unknown.errors).toContain('Compare `jobId` and `projectId`');
  expect(clock.now() - before).toBeGreaterThanOrEqual(30_000);
  expect(clock.now() - before).toBeLessThan(60_000);
  mintlify.fault = ({ method }) =>
    method === 'POST' ? { kind: 'response', status: 422 } : undefined;
  const refused = await world.run(github.dispatch(), MESSAGE);
  expect(refused.errors).toContain('nothing was sent');
  expect(mintlify.jobIds).toEqual(['job_1']);
  const changes = await world.run(world.push('one'), { ...MESSAGE, changes: 'diff' });
  expect(changes.errors).toContain('`changes`');
  expect([unknown, refused, changes].some(({ isSuccess }) => isSuccess)).toBe(false);
});

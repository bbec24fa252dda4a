/** What is sent for pull requests. */
import { expect, test } from 'vitest';
import { adding, World } from '../support/action.ts';
import { ACTIVE, FAILING, nth, QUICK } from '../support/mintlify.ts';

test.concurrent('a pull request is sent again only once its own changes differ, and then whole', async () => {
  await using world = await World.open({ script: FAILING });
  const { github, mintlify } = world;
  const failed = await world.run(github.open({ branch: 'topic' }, adding('one')));
  expect(failed.outputs).toMatchObject({ outcome: 'failed', codePullRequests: '[1]' });
  mintlify.script = ACTIVE;
  await world.run(github.pullEvent(1, 'labeled'), { timeout: '1m' });
  // While the next run waits for that agent job, there is another push.
  const event = github.synchronize(1, adding('two'));
  world.clock.at(60_000, () => {
    github.synchronize(1, adding('three'));
    mintlify.setState('job_2', { status: 'completed' });
    mintlify.script = QUICK;
  });
  await world.run(event);
  world.push('other');
  const updated = await world.run(github.updateBranch(1));
  expect(updated.outcome).toBe('skipped');
  expect(world.sent).toEqual(['one', 'one', 'one two three']);
});

test.concurrent('a pull request in doubt is sent again at the next push, with a warning', async () => {
  await using world = await World.open({ fault: nth('POST', 1, { kind: 'lost' }) });
  const { github } = world;
  const opened = github.open({ branch: 'topic' }, adding('one'));
  const unable = await world.run(opened, { githubToken: 'reader' });
  expect(unable.errors).toMatch(/push to the pull request again, or, if it is merged, .*`since`/);
  const lost = await world.run(opened);
  expect(lost.errors).toContain('If it is there, there is nothing to do; if not, re-run');
  // Nothing is sent, so nothing is sent again.
  const nothing = await world.run(github.pullEvent(1, 'labeled'), { paths: 'docs/**' });
  expect([nothing.outcome, nothing.warnings]).toEqual(['skipped', []]);
  const next = await world.run(github.synchronize(1, adding('two')));
  expect([next.outcome, next.warnings.length]).toEqual(['pull-request', 1]);
  expect(world.sent).toEqual(['one', 'one two']);
});

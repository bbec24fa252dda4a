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
  // Only the files that `paths` selects are its changes.
  const noted = github.synchronize(1, { message: 'Note it', files: { 'notes.md': 'x\n' } });
  expect((await world.run(noted, { paths: 'src/**' })).outcome).toBe('skipped');
  await world.run(noted);
  expect(world.sent).toEqual(['one', 'one', 'one two three', 'one two three']);
});

test.concurrent('a pull request in doubt is sent again at the next push, with a warning', async () => {
  await using world = await World.open({ fault: nth('POST', 1, { kind: 'lost' }) });
  const { github } = world;
  const opened = github.open({ branch: 'topic' }, adding('one'));
  const unable = await world.run(opened, { githubToken: 'reader' });
  expect(unable.errors).toMatch(/push to the pull request again, or start .*`codePullRequest`/);
  const lost = await world.run(opened);
  expect(lost.errors).toContain('If it is there, there is nothing to do; if not, re-run');
  // Nothing is sent, so nothing is sent again.
  const nothing = await world.run(github.pullEvent(1, 'labeled'), { paths: 'docs/**' });
  expect([nothing.outcome, nothing.warnings]).toEqual(['skipped', []]);
  expect(nothing.summary).toContain('1 file (0 in <code>paths</code>)');
  const next = await world.run(github.synchronize(1, adding('two')));
  expect([next.outcome, next.warnings.length]).toEqual(['pull-request', 1]);
  expect(world.sent).toEqual(['one', 'one two']);
});

test.concurrent('codePullRequest sends the changes of one pull request, also if they were sent before', async () => {
  await using world = await World.open();
  const { github, mintlify } = world;
  const opened = github.open({ branch: 'topic', title: 'Add one' }, adding('one'));
  await world.run(opened);
  world.push('other');
  github.merge(1);
  const byHand = { codePullRequest: '#1' };
  const again = await world.run(github.dispatch(), byHand);
  expect(again.outputs).toMatchObject({ outcome: 'pull-request', codePullRequests: '[1]' });
  expect([...world.ledgers().keys()]).toEqual([expect.stringMatching(/\/docs\/pull\/1$/)]);
  // Two that start together pay once.
  mintlify.script = ACTIVE;
  const together = [github.dispatch(), github.dispatch()].map((start) => world.run(start, byHand));
  world.clock.at(3 * 60_000, () => mintlify.setState('job_3', { status: 'completed' }));
  const ends = await Promise.all(together);
  expect(ends.map(({ outcome }) => outcome).toSorted()).toEqual(['no-changes', 'skipped']);
  expect(world.sent).toEqual(['one', 'one', 'one']);
  const skipped = await world.run(github.dispatch(), { ...byHand, skip: 'Add *' });
  expect(skipped.notices).toContain('`skip`');
  const unknown = await world.run(github.dispatch(), { codePullRequest: '7' });
  expect([unknown.outcome, unknown.errors]).toEqual([
    'error',
    expect.stringMatching(/#7.*number/s),
  ]);
  github.showsPulls = false;
  const hidden = await world.run(github.dispatch(), byHand);
  expect(hidden.errors).toContain('Give the workflow job `pull-requests: read`');
  expect(mintlify.posts).toHaveLength(3);
});

test.concurrent('a run that finds how an earlier agent job ended says so, with its link', async () => {
  await using world = await World.open({ script: ACTIVE });
  const { mintlify } = world;
  const onStart = (cancel: () => void) => world.clock.at(90_000, cancel);
  const cancelled = await world.run(world.push('one'), {}, { onStart });
  expect(cancelled.outcome).toBe('cancelled');
  const link = world.github.openDocsPull();
  mintlify.setState('job_1', { status: 'completed', prLink: link });
  mintlify.script = QUICK;
  const next = await world.run(world.push('two'));
  const said = expect.stringContaining(
    `\`job_1\` of workflow run 2 has ended with a docs pull request: ${link}`,
  );
  expect(next.notices).toEqual(said);
  expect(next.summary).toContain(link);
  // It is said once.
  const later = await world.run(world.push('three'));
  expect(later.notices).not.toContain('job_1');
});

test.concurrent('a pull request that ends before its claim names no start, which only a push has', async () => {
  await using world = await World.open();
  const { github } = world;
  github.open({ branch: 'topic' }, adding('one'));
  const { env, payload } = github.synchronize(1, adding('two'));
  github.git.fault = () => ({ status: 503 });
  const start = { env, payload: { ...payload, before: github.tip() } };
  const failed = await world.run(start, { timeout: '30s' });
  expect(failed.errors).toMatch(/503/);
  expect(failed.errors).not.toContain('`since`');
});

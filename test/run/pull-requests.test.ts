/** What is sent for pull requests, and which events and authors send nothing. */
import { expect, test } from 'vitest';
import { World } from '../support/action.ts';
import { QUICK } from '../support/mintlify.ts';
import { adding, FAILING, said, sent } from '../support/sent.ts';

test('a pull request is sent again only once its own changes differ, and then whole', async () => {
  await using world = await World.open();
  const { github } = world;
  const opened = await world.run(github.open({ branch: 'topic' }, adding('one')));
  expect(opened.outputs).toMatchObject({ outcome: 'pull-request', codePullRequests: '[1]' });
  const labeled = await world.run(github.pullEvent(1, 'labeled'));
  world.push('other');
  const updated = await world.run(github.updateBranch(1));
  world.push('another');
  const rebased = await world.run(
    github.synchronize(1, { ...adding('one'), parents: [github.tip()] }),
  );
  expect([labeled, updated, rebased].map(({ outcome }) => outcome)).toEqual([
    ...['skipped', 'skipped', 'skipped'],
  ]);
  await world.run(github.synchronize(1, adding('two')));
  expect(sent(world)).toEqual(['one', 'one two']);
  expect(world.mintlify.prompts[1]).not.toContain('other.ts');
});

test('a pull request whose agent job failed is sent by its next event', async () => {
  await using world = await World.open({ script: FAILING });
  const failed = await world.run(world.github.open({ branch: 'topic' }, adding('one')));
  expect(failed.outcome).toBe('failed');
  world.mintlify.script = QUICK;
  const labeled = await world.run(world.github.pullEvent(1, 'labeled'));
  expect(labeled.outcome).toBe('pull-request');
  expect(sent(world)).toEqual(['one', 'one']);
});

test('what is pushed to a pull request while its run waits for another is sent with it', async () => {
  await using world = await World.open({ script: [{ status: 'active' }] });
  await world.run(world.github.open({ branch: 'topic' }, adding('one')), { timeout: '2m' });
  const event = world.github.synchronize(1, adding('two'));
  world.clock.at(60_000, () => {
    world.github.synchronize(1, adding('three'));
    world.mintlify.setState('job_1', { status: 'completed' });
    world.mintlify.script = QUICK;
  });
  await world.run(event);
  expect(sent(world)).toEqual(['one', 'one two three']);
});

test('a pull request that is sent once it is merged has its own changes, however it is merged', async () => {
  await using world = await World.open();
  for (const [at, how] of (['merge', 'squash', 'rebase'] as const).entries()) {
    world.github.open({ branch: how }, adding(`${how}_1`), adding(`${how}_2`));
    world.push(`before_${how}`);
    world.github.merge(at + 1, how);
    world.push(`after_${how}`);
    const merged = await world.run(world.github.pullEvent(at + 1, 'closed'));
    expect(merged.outputs['codePullRequests']).toBe(`[${at + 1}]`);
    expect(world.mintlify.prompts[at]).toContain(`=== src/${how}_2.ts`);
    expect(world.mintlify.prompts[at]).not.toMatch(/before_|after_/);
  }
  expect(sent(world)).toEqual(['merge_1 merge_2', 'squash_1 squash_2', 'rebase_1 rebase_2']);
});

test('the push of a merge says what its pull request was about', async () => {
  await using world = await World.open();
  world.github.open({ branch: 'topic', title: 'Faster', body: 'Why.' }, adding('one'));
  const merged = await world.run(world.github.merge(1));
  expect(merged.outputs['codePullRequests']).toBe('[1]');
  expect(world.mintlify.prompts[0]).toMatch(/pull request #1 "Faster" by octocat:?\n +Why\./);
});

test('without pull-requests: read, a push is sent with a warning, and a pull request says what is missing', async () => {
  await using world = await World.open();
  world.github.showsPulls = false;
  const push = await world.run(world.push('one'));
  expect(push.outcome).toBe('pull-request');
  expect(push.annotations('warning')).toHaveLength(1);
  const opened = await world.run(world.github.open({ branch: 'topic' }, adding('two')));
  expect(said(opened, 'error')).toContain('`pull-requests: read`');
  expect(sent(world)).toEqual(['one']);
});

const WITHOUT_SECRETS = {
  "a fork's pull request": (world: World) =>
    world.github.open({ branch: 'topic', isFromFork: true }, adding('one')),
  "Dependabot's pull request": (world: World) =>
    world.github.open({ branch: 'topic', author: 'dependabot[bot]' }, adding('one')),
  'a push to a fork that only synchronizes': (world: World) => world.push('one'),
};

test.for(Object.entries(WITHOUT_SECRETS))(
  'without a key, %s is green, with a notice',
  async ([name, start]) => {
    await using world = await World.open({ github: { isFork: name.includes('only') } });
    const ended = await world.run(start(world), { adminApiKey: '' });
    expect([ended.outcome, ended.isSuccess]).toEqual(['skipped', true]);
    expect(said(ended, 'notice')).toContain('secret');
    expect(world.github.git.requests).toEqual([]);
    expect(world.mintlify.requests).toEqual([]);
  },
);

test('without a key, any other run fails', async () => {
  await using world = await World.open();
  const ended = await world.run(world.push('one'), { adminApiKey: '' });
  expect(ended.isSuccess).toBe(false);
  expect(said(ended, 'error')).toContain('`adminApiKey` is empty');
  expect(world.github.git.requests).toEqual([]);
});

test('a pull request with the label skip-docs is not sent, and neither is its merge', async () => {
  await using world = await World.open();
  const start = world.github.open({ branch: 'topic', labels: ['skip-docs'] }, adding('one'));
  const ends = [await world.run(start), await world.run(world.github.merge(1))];
  expect(ends.map(({ outcome }) => outcome)).toEqual(['skipped', 'skipped']);
  expect(world.mintlify.posts).toEqual([]);
});

test("the agent's own commits and pull requests are not sent, and stand apart from others", async () => {
  await using world = await World.open();
  world.github.open({ branch: 'docs', author: 'mintlify[bot]' }, adding('guide'));
  const merged = await world.run(world.github.merge(1));
  expect(merged.outcome).toBe('skipped');
  const author = 'Mintlify Agent <mintlify[bot]@users.noreply.github.com>';
  await world.run(world.github.push('main', { ...adding('pages'), author }, adding('code')));
  const [before, after] = (world.mintlify.prompts[0] ?? '').split('\nno documentation needed');
  expect(before).toContain('Add code');
  expect(after).toContain('Add pages');
});

const WITHOUT_CHANGES = {
  'a merge group': (world: World) => world.github.mergeGroup(),
  'the deletion of a branch'(world: World) {
    world.push('one', 'topic');
    return world.github.pushTo('topic', null);
  },
};

test.for(Object.entries(WITHOUT_CHANGES))('%s sends and writes nothing', async ([, start]) => {
  await using world = await World.open();
  const ended = await world.run(start(world));
  expect([ended.outcome, ended.isSuccess]).toEqual(['skipped', true]);
  expect(said(ended, 'notice')).toContain('push');
  expect(world.github.git.requests).toEqual([]);
  expect(world.mintlify.requests).toEqual([]);
});

test('a push to a branch that is deleted by now is skipped', async () => {
  await using world = await World.open();
  const push = world.push('one', 'topic');
  world.github.pushTo('topic', null);
  const ended = await world.run(push);
  expect([ended.outcome, ended.isSuccess]).toEqual(['skipped', true]);
  expect(world.ledgers().size).toBe(0);
});

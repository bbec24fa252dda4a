/** What is sent for tags and releases. */
import { expect, test } from 'vitest';
import { World } from '../support/action.ts';
import type { RunStart } from '../support/github.ts';
import { nth, QUICK } from '../support/mintlify.ts';
import { FAILING, said, sent } from '../support/sent.ts';

/** A repository that has published v1.0.0, and added a commit since. */
async function released(options: Parameters<typeof World.open>[0] = {}): Promise<World> {
  const world = await World.open(options);
  world.github.release({ tag: 'v1.0.0' });
  world.push('one');
  return world;
}

/** GitHub sends `created`, `published` and `released` for most releases. */
function another(world: World, { env, payload }: RunStart, action = 'released'): RunStart {
  const [ref = '', sha = ''] = [env['GITHUB_REF'], env['GITHUB_SHA']];
  return world.github.event('release', { ref, sha, payload: { ...payload, action } });
}

test('the three events of a release send its changes once, since the release before', async () => {
  await using world = await released();
  const published = world.github.release({ tag: 'v1.1.0', body: 'All is faster.' });
  const starts = [another(world, published, 'created'), published, another(world, published)];
  const ends = await Promise.all(starts.map((start) => world.run(start)));
  expect(ends.map(({ outcome }) => outcome).toSorted()).toEqual([
    ...['pull-request', 'skipped', 'skipped'],
  ]);
  expect(sent(world)).toEqual(['one']);
  expect(world.mintlify.prompts[0]).toContain('All is faster.');
});

test('each tag starts at the tag before it', async () => {
  await using world = await released();
  await world.run(world.github.tag('v1.1.0'));
  world.push('two');
  // Somebody mends an old version meanwhile.
  world.github.tag('v0.9.1', world.github.tip());
  world.push('three');
  await world.run(world.github.tag('v1.2.0', world.github.tip(), { isAnnotated: true }));
  expect(sent(world)).toEqual(['one', 'two three']);
});

test('a release that failed is sent by its next event and its re-run, not by the next version', async () => {
  await using world = await released({ script: FAILING });
  const release = world.github.release({ tag: 'v1.1.0' });
  await world.run(release);
  const next = await world.run(another(world, release));
  expect(next.outcome).toBe('failed');
  world.mintlify.script = QUICK;
  world.push('two');
  await world.run(world.github.release({ tag: 'v1.2.0' }));
  const again = await world.run(world.github.rerun(release));
  expect(again.outcome).toBe('pull-request');
  expect(sent(world)).toEqual(['one', 'one', 'two', 'one']);
});

test('a release in doubt is sent by its next event with a warning, not by the next version', async () => {
  await using world = await released({ fault: nth('POST', 1, { kind: 'lost' }) });
  const release = world.github.release({ tag: 'v1.1.0' });
  await world.run(release);
  world.push('two');
  const version = await world.run(world.github.release({ tag: 'v1.2.0' }));
  expect(said(version, 'warning')).toBe('');
  const next = await world.run(another(world, release));
  expect(next.annotations('warning')).toHaveLength(1);
  expect(sent(world)).toEqual(['one', 'two', 'one']);
});

test('a first release goes out with its notes alone, once', async () => {
  await using world = await World.open();
  const release = world.github.release({ tag: 'v1.0.0', body: 'The first one.' });
  const first = await world.run(release);
  const next = await world.run(another(world, release));
  expect([first.outcome, next.outcome]).toEqual(['pull-request', 'skipped']);
  expect(world.mintlify.prompts[0]).toMatch(/release notes[\s\S]*The first one\./);
  expect(sent(world)).toEqual(['']);
});

test('a first version without notes sends nothing', async () => {
  await using world = await World.open();
  const release = await world.run(world.github.release({ tag: 'v1.0.0' }));
  const tag = await world.run(world.github.tag('w1.0.0'));
  expect([release.outcome, tag.outcome]).toEqual(['skipped', 'skipped']);
  expect(said(tag, 'notice')).toContain('`since`');
  expect(world.mintlify.posts).toEqual([]);
});

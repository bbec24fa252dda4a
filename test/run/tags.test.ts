/** What is sent for tags and releases. */
import { expect, test } from 'vitest';
import { World } from '../support/action.ts';
import type { RunStart } from '../support/github.ts';

/** GitHub sends `created`, `published` and `released` for most releases. */
function another(world: World, { env, payload }: RunStart, action = 'released'): RunStart {
  const [ref = '', sha = ''] = [env['GITHUB_REF'], env['GITHUB_SHA']];
  return world.github.event('release', { ref, sha, payload: { ...payload, action } });
}

test.concurrent('the three events of a release send its changes once, and each version starts at the one before', async () => {
  await using world = await World.open();
  const { github } = world;
  // The first one goes out with its notes alone.
  await world.run(github.release({ tag: 'v1.0.0', body: 'The first one.' }));
  expect(world.mintlify.prompts).toEqual([
    expect.stringMatching(/release notes[\s\S]*The first one\./),
  ]);
  world.push('one');
  const published = github.release({ tag: 'v1.1.0', body: 'All is faster.' });
  const starts = [another(world, published, 'created'), published, another(world, published)];
  const ends = await Promise.all(starts.map((start) => world.run(start)));
  expect(ends.map(({ outcome }) => outcome).toSorted()).toEqual([
    ...['pull-request', 'skipped', 'skipped'],
  ]);
  expect(world.mintlify.prompts[1]).toContain('All is faster.');
  world.push('two');
  // Somebody mends an old version meanwhile.
  github.tag('v0.9.1');
  world.push('three');
  await world.run(github.tag('v1.2.0', github.tip(), { isAnnotated: true }));
  expect(world.sent).toEqual(['', 'one', 'two three']);
});

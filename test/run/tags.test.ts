/** What is sent for tags and releases. */
import { expect, test } from 'vitest';
import { adding, World } from '../support/action.ts';
import type { RunStart } from '../support/github.ts';
import { PR_LINK } from '../support/mintlify.ts';

/** GitHub sends `created`, `published` and `released` for most releases. */
function another(world: World, { env, payload }: RunStart, action = 'released'): RunStart {
  const [ref = '', sha = ''] = [env['GITHUB_REF'], env['GITHUB_SHA']];
  return world.github.event('release', { ref, sha, payload: { ...payload, action } });
}

test.concurrent('the three events of a release send its changes once, and each version starts at the one before', async () => {
  await using world = await World.open();
  const { github } = world;
  // The first one goes out with its notes alone, if it has some.
  const blank = await world.run(github.release({ tag: 'a-v1', body: ' \n' }));
  expect(blank.outcome).toBe('skipped');
  const first = github.release({ tag: 'v1.0.0', body: 'The first one.' });
  const without = await world.run(first, { changes: 'none', paths: 'src/**' });
  expect(without.outcome).toBe('skipped');
  await world.run(first);
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

const filesOf = (prompt = '') =>
  [...prompt.matchAll(/^- (?:added|modified) (\S+) /gm)].map(([, path]) => path);

test.concurrent('packages that share a commit are each sent, with their own paths, also at the same time', async () => {
  await using world = await World.open();
  const { github, mintlify, clock } = world;
  // Longer than half of `timeout`: none of them waits for another.
  mintlify.script = [
    { status: 'active' },
    { afterMs: 20 * 60_000, status: 'completed', prLink: PR_LINK },
  ];
  for (const name of ['a', 'b', 'c']) github.tag(`${name}-v0.1.0`);
  const files = Object.fromEntries(['a', 'b', 'c'].map((name) => [`${name}/x.ts`, 'x\n']));
  github.push('main', { files, message: 'Change all' });
  const runs = ['a', 'b', 'c'].map((name) =>
    world.run(github.tag(`${name}-v0.2.0`), { paths: `${name}/**` }),
  );
  const ends = await Promise.all(runs);
  expect(ends.map(({ outcome }) => outcome)).toEqual(Array(3).fill('pull-request'));
  expect(clock.now()).toBeLessThan(30 * 60_000);
  expect(mintlify.prompts.map(filesOf).toSorted()).toEqual([['a/x.ts'], ['b/x.ts'], ['c/x.ts']]);
});

test.concurrent('a candidate that becomes the final version on its commit is sent as both, and starts where the last one ended', async () => {
  await using world = await World.open();
  const { github, mintlify } = world;
  github.release({ tag: 'v1.0.0' });
  world.push('one');
  await world.run(github.release({ tag: 'v1.1.0-rc.1', body: 'Try it.', prerelease: true }));
  const final = github.release({ tag: 'v1.1.0', body: 'All about 1.1.0.' });
  expect((await world.run(final)).outcome).toBe('pull-request');
  expect(mintlify.prompts[1]).toContain('All about 1.1.0.');
  // A backport in between changes its start, and nothing is sent twice.
  github.tag('v1.0.1');
  expect((await world.run(another(world, final))).outcome).toBe('skipped');
  expect(world.sent).toEqual(['one', 'one']);
});

test.concurrent('a tag that moves is sent again, and the run of a tag that has moved on is skipped', async () => {
  await using world = await World.open();
  const { github } = world;
  github.tag('v1.0.0');
  world.push('one');
  await world.run(github.tag('v1.1.0'));
  world.push('two');
  const late = github.tag('v1.1.0');
  github.push('main', adding('three'));
  const moved = github.tag('v1.1.0');
  const skipped = await world.run(late);
  expect([skipped.outcome, skipped.notices]).toEqual([
    'skipped',
    expect.stringMatching(/another commit/),
  ]);
  await world.run(moved);
  expect(world.sent).toEqual(['one', 'one two three']);
});

test.concurrent('with append, tags go one after another into one pull request', async () => {
  await using world = await World.open();
  const { github, mintlify } = world;
  world.inputs = { ...world.inputs, pullRequest: 'append' };
  const link = github.openDocsPull();
  mintlify.script = [{ status: 'active' }, { afterReads: 1, status: 'completed', prLink: link }];
  // On one commit, they are told apart by their names.
  for (const name of ['a', 'b']) github.tag(`${name}-v1.0.0`);
  world.push('one');
  const starts = ['a', 'b'].map((name) => github.tag(`${name}-v1.1.0`));
  const ends = await Promise.all(starts.map((start) => world.run(start)));
  expect(ends.map(({ outcome }) => outcome)).toEqual(['pull-request', 'pull-request']);
  expect(mintlify.posts.map(({ path }) => path)).toEqual(['job', 'job/job_1/message']);
  expect([...world.ledgers().keys()]).toEqual([expect.stringMatching(/\/docs\/tags$/)]);
});

test.concurrent('a tag without one before it says which tags it looked at', async () => {
  await using world = await World.open();
  const { github } = world;
  const side = github.origin.commit({ ...adding('side'), parents: [github.tip()] });
  github.tag('docs-2024', side);
  world.push('one');
  const ended = await world.run(github.tag('nightly'));
  expect([ended.outcome, ended.summary]).toEqual([
    'skipped',
    expect.not.stringContaining('0 files'),
  ]);
  expect(ended.log.join('\n')).toMatch(/nightly[\s\S]*`since`/);
  const typed = await world.run(github.tag('nightly'), { since: 'docs-2024' });
  expect([typed.outcome, typed.log.join('\n'), typed.warnings]).toEqual([
    ...['pull-request', expect.not.stringContaining('No tag')],
    [expect.stringContaining('does not contain `docs-2024`')],
  ]);
});

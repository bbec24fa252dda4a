/** What has a ledger of its own. */
import { expect, test } from 'vitest';
import { adding, World } from '../support/action.ts';

test('each branch, pull request and step, tags, prompts alone and legs of a matrix have a ledger', async () => {
  await using world = await World.open();
  const { github } = world;
  // A second run in the same ledger would be skipped: it sends changes, although it includes none.
  world.inputs = { prompt: 'Check all links.', paths: '**', wait: 'false' };
  const start = github.tip();
  github.tag('v1.0.0');
  const push = world.push('one');
  const long = {
    GITHUB_WORKFLOW_REF: `acme/app/.github/workflows/${'f'.repeat(200)}.yml@refs/heads/main`,
    ...{ GITHUB_JOB: 'j'.repeat(100), GITHUB_ACTION: 's'.repeat(100) },
  };
  await world.run(push);
  await world.run({ ...push, env: { ...push.env, ...long } });
  await world.run(push, { matrix: '{"project":"a"}' });
  await world.run(github.tag('v1.1.0'));
  await world.run(github.open({ branch: 'topic' }, adding('two')));
  await world.run(github.schedule(), { paths: '' });
  for (const branch of ['a', 'a/b', `größe/文档-${'long-'.repeat(30)}`]) {
    const head = github.origin.commit({ ...adding('three'), parents: [start] });
    await world.run(github.pushTo(branch, head));
    // Git itself cannot have a branch and a folder of the same name.
    github.pushTo(branch, null);
  }
  expect(world.mintlify.prompts).toEqual(Array(9).fill('Check all links.'));
  const refs = [...world.ledgers().keys()];
  expect(refs.map((ref) => ref.replace('refs/docs-agent/docs%2Eyml/update/docs/', ''))).toEqual([
    expect.stringMatching(/^[0-9a-f]+\/heads\/main$/),
    ...['heads/a', 'heads/a%2Fb', expect.stringMatching(/^heads\/gr%C3%B6/), 'heads/main'],
    ...['prompts', 'pull/1', 'tags', expect.stringMatching(/^refs\/docs-agent\/ffff/)],
  ]);
  // GitHub refuses longer ones.
  expect(Math.max(...refs.map(({ length }) => length))).toBeLessThanOrEqual(255);
});

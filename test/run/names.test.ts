/** What has a ledger of its own. */
import { expect, test } from 'vitest';
import { World } from '../support/action.ts';
import type { RunStart } from '../support/github.ts';
import { adding, sent } from '../support/sent.ts';

/** The same run in another workflow file, job or step. */
const inOther = ({ env, payload }: RunStart, others: Readonly<Record<string, string>>) => ({
  env: { ...env, ...others },
  payload,
});

test('branches like a and a/b have a ledger each, also with other alphabets and spaces', async () => {
  await using world = await World.open();
  const start = world.github.tip();
  const branches = ['a', 'a/b', 'größe/文档', `feature/${'long-'.repeat(40)}`];
  for (const [at, branch] of branches.entries()) {
    world.github.pushTo(branch, start);
    await world.run(world.push(`on_${at}`, branch));
    // Git itself cannot have a branch and a folder of the same name.
    world.github.pushTo(branch, null);
  }
  expect(sent(world)).toEqual(['on_0', 'on_1', 'on_2', 'on_3']);
  expect([...world.ledgers().keys()].map((ref) => ref.split('/heads/')[1])).toEqual([
    ...[
      'a',
      'a%2Fb',
      expect.stringMatching(/^feature%2Flong-/),
      expect.stringMatching(/^gr%C3%B6/),
    ],
  ]);
});

test('a branch, a pull request, the tags and prompts alone have a ledger each', async () => {
  await using world = await World.open();
  world.github.tag('v1.0.0');
  await world.run(world.push('one'));
  await world.run(world.github.open({ branch: 'topic' }, adding('two')));
  await world.run(world.github.tag('v1.1.0'));
  await world.run(world.github.schedule(), { changes: 'none' });
  expect(sent(world)).toEqual(['one', 'two', 'one', '']);
  expect([...world.ledgers().keys()].map((ref) => ref.split('/docs/')[1])).toEqual([
    ...['heads/main', 'prompts', 'pull/1', 'tags'],
  ]);
});

test('two steps, two workflow jobs, and two workflow files each send a push', async () => {
  await using world = await World.open();
  const push = world.push('one');
  const file = (name: string) => ({
    GITHUB_WORKFLOW_REF: `acme/app/.github/workflows/${name}@refs/heads/main`,
  });
  const others = [
    { GITHUB_ACTION: 'docs' },
    { GITHUB_ACTION: 'changelog' },
    { GITHUB_JOB: 'nightly' },
    {
      ...file(`${'f'.repeat(200)}.yml`),
      GITHUB_JOB: 'j'.repeat(100),
      GITHUB_ACTION: 's'.repeat(100),
    },
  ];
  for (const other of others) await world.run(inOther(push, other));
  expect(sent(world)).toEqual(others.map(() => 'one'));
  const refs = [...world.ledgers().keys()];
  expect(refs).toHaveLength(others.length);
  // GitHub refuses longer ones.
  expect(Math.max(...refs.map((ref) => Buffer.byteLength(ref)))).toBeLessThanOrEqual(255);
});

test('each leg of a matrix over projects sends a push, and goes on from there', async () => {
  await using world = await World.open();
  const legs = ['{"project":"a"}', '{"project":"b"}'];
  const push = world.push('one');
  const ends = await Promise.all(legs.map((matrix) => world.run(push, { matrix })));
  expect(ends.map(({ outcome }) => outcome)).toEqual(['pull-request', 'pull-request']);
  const again = await world.run(world.push('two'), { matrix: legs[1] ?? '' });
  expect(again.outcome).toBe('pull-request');
  expect(sent(world)).toEqual(['one', 'one', 'two']);
});

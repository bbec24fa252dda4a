/** What a person has to fix: doing just what the error says works. */
import { expect, test } from 'vitest';
import { adding, World } from '../support/action.ts';
import { ADMIN_API_KEY } from '../support/mintlify.ts';

const readOnly = { githubToken: 'reader' };

/** What the error says to set `since` to. */
const namedSince = (errors: string): string => /`since` set to `([^`]+)`/.exec(errors)?.[1] ?? '';

test.concurrent('without contents: write a dry run warns, and nothing is sent: the error names the since that sends it', async () => {
  await using world = await World.open();
  const { github } = world;
  const one = world.push('one');
  const dry = await world.run(one, { ...readOnly, dryRun: 'true', adminApiKey: '' });
  expect([dry.outcome, dry.isSuccess]).toEqual(['dry-run', true]);
  expect(dry.summary).toContain('Add one');
  expect(dry.warnings).toEqual([expect.stringContaining('`contents: write`')]);
  const first = await world.run(one, readOnly);
  expect([first.isSuccess, world.mintlify.requests]).toEqual([false, []]);
  expect(first.errors).toContain('`contents: write`');
  world.push('two');
  await world.run(github.dispatch(), { since: namedSince(first.errors) });
  expect(world.sent).toEqual(['one two']);
  const covered = github.tip();
  const push = world.push('three');
  const later = await world.run(push, readOnly);
  expect(namedSince(later.errors)).toBe(covered);
  // The mistake shows on the first day.
  const skipping = await world.run(push, { ...readOnly, paths: 'docs/**' });
  expect(skipping.isSuccess).toBe(false);
  expect(skipping.errors).toContain('`contents: write`');
});

test.concurrent('a hook that refuses the ledger is quoted, and since: event does without', async () => {
  await using world = await World.open();
  world.github.origin.setHook('pre-receive', 'echo "only branches here" >&2; exit 1');
  const push = world.push('one');
  const refused = await world.run(push);
  expect(refused.errors).toContain('only branches here');
  expect(refused.errors).toContain('`refs/docs-agent/`');
  expect(world.mintlify.requests).toEqual([]);
  const without = await world.run(push, { since: 'event', wait: 'false' });
  expect([without.outcome, without.warnings]).toEqual(['started', []]);
  expect(world.sent).toEqual(['one']);
});

test.concurrent('two steps that share a ledger stop the second one, which says what to change', async () => {
  await using world = await World.open();
  const push = world.push('one');
  await world.run(push, { wait: 'false' });
  const second = await world.run(push, { prompt: 'Update the changelog.' });
  expect([second.isSuccess, second.errors]).toEqual([false, expect.stringContaining('`id`')]);
  expect(world.sent).toEqual(['one']);
});

test.concurrent('changes that hold the key are not sent, nor any without git or checks of certificates', async () => {
  await using world = await World.open();
  const files = { 'src/config.ts': `export const key = '${ADMIN_API_KEY}';\n` };
  const push = world.github.push('main', { files });
  const withKey = await world.run(push, { changes: 'diff' });
  expect([withKey.isSuccess, withKey.errors]).toEqual([
    ...[false, expect.stringContaining('`adminApiKey`')],
  ]);
  expect(withKey.summary).not.toContain(ADMIN_API_KEY);
  const unchecked = await world.run(push, {}, { more: { NODE_TLS_REJECT_UNAUTHORIZED: '0' } });
  expect(unchecked.errors).toContain('`NODE_TLS_REJECT_UNAUTHORIZED`');
  const gitless = await world.run(push, {}, { more: { PATH: '' } });
  expect(gitless.errors).toMatch(/git 2\.31/);
  expect(world.mintlify.requests).toEqual([]);
});

test.concurrent.for([
  ["a fork's pull request", 'skipped', { branch: 'topic', isFromFork: true }],
  ["Dependabot's pull request", 'skipped', { branch: 'topic', author: 'dependabot[bot]' }],
  ['any other pull request', 'error', { branch: 'topic' }],
  ['a push to a fork', 'skipped', undefined],
  // A fork's own secrets work there.
  ['a run by hand in a fork', 'error', undefined],
] as const)('without a key, %s is %s', async ([, outcome, pull]) => {
  await using world = await World.open();
  const { github } = world;
  github.isFork = pull === undefined;
  const inFork = outcome === 'skipped' ? world.push('one') : github.dispatch();
  const start = pull === undefined ? inFork : github.open(pull, adding('one'));
  const ended = await world.run(start, { adminApiKey: '' });
  expect([ended.outcome, ended.isSuccess]).toEqual([outcome, outcome === 'skipped']);
  expect(ended.notices + ended.errors).toMatch(/no secrets|`adminApiKey` is empty/);
  expect([...world.github.git.requests, ...world.mintlify.requests]).toEqual([]);
});

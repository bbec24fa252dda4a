/** What a person has to fix: doing just what the error says works. */
import { expect, test } from 'vitest';
import { type Ended, World } from '../support/action.ts';
import { ADMIN_API_KEY } from '../support/mintlify.ts';
import { said, sent } from '../support/sent.ts';

const readOnly = { token: 'reader' };

/** The words between backticks after some other words. */
const named = (ended: Ended, before: string): string =>
  said(ended, 'error').split(`${before} \``)[1]?.split('`')[0] ?? '';

test('without contents: write nothing is sent, and the error names the since that sends it', async () => {
  await using world = await World.open();
  const first = await world.run(world.push('one'), {}, readOnly);
  expect(first.isSuccess).toBe(false);
  expect(said(first, 'error')).toContain('`contents: write`');
  expect(world.mintlify.requests).toEqual([]);
  world.push('two');
  await world.run(world.github.dispatch(), { since: named(first, '`since` set to') });
  const later = await world.run(world.push('three'), {}, readOnly);
  await world.run(world.github.dispatch(), { since: named(later, '`since` set to') });
  expect(sent(world)).toEqual(['one two', 'three']);
});

test('without contents: write, a run that would only skip fails as well', async () => {
  await using world = await World.open();
  const denied = await world.run(world.push('one'), { paths: 'docs/**' }, readOnly);
  expect(denied.isSuccess).toBe(false);
  expect(said(denied, 'error')).toContain('`contents: write`');
});

test('a dry run says that contents: write is missing', async () => {
  await using world = await World.open();
  const dry = await world.run(world.push('one'), { dryRun: 'true' }, readOnly);
  expect(dry.outcome).toBe('dry-run');
  expect(said(dry, 'warning')).toContain('`contents: write`');
});

test('a hook that refuses the ledger is quoted, and since: event does without', async () => {
  await using world = await World.open();
  world.github.origin.setHook('pre-receive', 'echo "only branches here" >&2; exit 1');
  const push = world.push('one');
  const refused = await world.run(push);
  expect(said(refused, 'error')).toContain('only branches here');
  expect(said(refused, 'error')).toContain('`refs/docs-agent/`');
  expect(world.mintlify.requests).toEqual([]);
  const without = await world.run(push, { since: 'event' });
  expect(said(without, 'error')).toBe('');
  expect(sent(world)).toEqual(['one']);
});

test('a ledger that cannot be read stops the step, which names the ref to delete', async () => {
  await using world = await World.open();
  await world.run(world.push('one'));
  const { origin } = world.github;
  const [ref = ''] = world.ledgers().keys();
  const push = world.push('two');
  for (const message of ['Something else', 'Newer\n\n{"v":2,"covered":null,"runs":[]}']) {
    origin.setRef(ref, origin.commit({ message }));
    const stopped = await world.run(push);
    expect(stopped.isSuccess).toBe(false);
    expect(said(stopped, 'error')).toContain(`\`git push origin --delete ${ref}\``);
  }
  origin.setRef(ref, null);
  await world.run(world.github.rerun(push));
  expect(sent(world)).toEqual(['one', 'two']);
});

test('of two steps that share a ledger the second one fails, and says what to rename', async () => {
  await using world = await World.open();
  const push = world.push('one');
  await world.run(push);
  const second = await world.run(push, { prompt: 'Update the changelog.' });
  expect(second.isSuccess).toBe(false);
  expect(said(second, 'error')).toContain('`id`');
  const mended = { ...push, env: { ...push.env, GITHUB_ACTION: 'changelog' } };
  const other = await world.run(mended, { prompt: 'Update the changelog.' });
  expect(other.outcome).toBe('pull-request');
  expect(sent(world)).toEqual(['one', 'one']);
});

test('a key that the service refuses fails by name, and the next run sends all', async () => {
  await using world = await World.open();
  const expired = await world.run(world.push('one'), { adminApiKey: 'mint_expired' });
  expect(expired.isSuccess).toBe(false);
  expect(said(expired, 'error')).toMatch(/401, `Unauthorized`.*Replace the secret/);
  world.mintlify.fault = () => ({ kind: 'response', status: 403, body: { error: 'Forbidden' } });
  const forbidden = await world.run(world.push('two'));
  expect(said(forbidden, 'error')).toMatch(/403, `Forbidden`.*allow-list/);
  world.mintlify.fault = () => undefined;
  await world.run(world.push('three'));
  expect(sent(world)).toEqual(['one', 'one two', 'one two three']);
  expect(world.mintlify.jobIds).toHaveLength(1);
});

test('a dry run says that the service refuses the key', async () => {
  await using world = await World.open();
  const dry = await world.run(world.push('one'), { dryRun: 'true', adminApiKey: 'mint_expired' });
  expect(dry.isSuccess).toBe(false);
  expect(said(dry, 'error')).toMatch(/`Unauthorized`.*Replace the secret/);
});

test('a since that is a branch and a tag, or neither, says what to write', async () => {
  await using world = await World.open();
  world.github.tag('1.0');
  world.push('one');
  world.push('two', '1.0');
  const both = await world.run(world.github.dispatch(), { since: '1.0' });
  expect(said(both, 'error')).toMatch(/`heads\/1\.0` or `tags\/1\.0`/);
  const neither = await world.run(world.github.dispatch(), { since: 'v1.0' });
  expect(said(neither, 'error')).toContain('`v1.0`, but this repository has no such');
  await world.run(world.github.dispatch(), { since: 'tags/1.0' });
  expect(sent(world)).toEqual(['one']);
});

test('a run that cannot reach GitHub sends nothing, and the next run sends its changes', async () => {
  await using world = await World.open();
  world.github.git.fault = () => ({ status: 503 });
  const away = await world.run(world.push('one'));
  expect(away.isSuccess).toBe(false);
  expect(said(away, 'error')).toContain('503');
  world.github.git.fault = undefined;
  await world.run(world.push('two'));
  expect(sent(world)).toEqual(['two']);
});

test('the key reaches Mintlify alone, the token GitHub alone, and the ledger neither', async () => {
  await using world = await World.open();
  await world.run(world.push('one'));
  const { github, mintlify } = world;
  const keys = mintlify.requests.map(({ headers }) => headers.authorization);
  expect(new Set(keys)).toEqual(new Set([`Bearer ${ADMIN_API_KEY}`]));
  const tokens = [...github.requests, ...github.git.requests].map(({ token }) => token);
  expect(new Set(tokens)).toEqual(new Set(['writer']));
  expect(github.origin.git('log', '--format=%B', '--all')).not.toMatch(/writer|mint_/);
});

test('changes that hold the key are not sent', async () => {
  await using world = await World.open();
  const files = { 'src/config.ts': `export const key = '${ADMIN_API_KEY}';\n` };
  const ended = await world.run(world.github.push('main', { files }));
  expect(ended.isSuccess).toBe(false);
  expect(said(ended, 'error')).toContain('`adminApiKey`');
  expect(ended.runner.summary).not.toContain(ADMIN_API_KEY);
  expect(world.mintlify.requests).toEqual([]);
});

test('without checks of certificates, or without git, changes are not sent', async () => {
  await using world = await World.open();
  const push = world.push('one');
  const unchecked = await world.run(push, {}, { more: { NODE_TLS_REJECT_UNAUTHORIZED: '0' } });
  expect(said(unchecked, 'error')).toContain('`NODE_TLS_REJECT_UNAUTHORIZED`');
  const gitless = await world.run(push, {}, { more: { PATH: '' } });
  expect(said(gitless, 'error')).toMatch(/git 2\.31/);
  expect(world.mintlify.requests).toEqual([]);
});

/** What each failure of git says, against a real server. */
import { readdirSync, rmSync } from 'node:fs';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import type { Topic } from '../../../src/errors.ts';
import { changedFiles } from '../../../src/git/diff.ts';
import type { GitFault } from '../../support/git-handler.ts';
import { FakeGitHub } from '../../support/github.ts';
import { createStep, failureOf, type OpenOptions, open, textOf, withRepository } from './setup.ts';

const server = await FakeGitHub.start('o/r');
const from = server.origin.commit({ files: { a: 'a\n' } });
const to = server.origin.commit({ files: { a: 'A\n' }, parents: [from] });

beforeEach(() => {
  server.git.fault = undefined;
});

afterAll(() => server[Symbol.asyncDispose]());

const GONE = '1234567890'.repeat(4);
const moved = { status: 301, location: '/o/new/info/refs?service=git-upload-pack' };
const REFUSED = /`o\/r` at .* not accept the token: set `githubToken`/;
const blocked = { status: 403, body: 'Your IP address is not allowed.' };

/** A line of git's protocol, after its length, as JGit writes it. */
const notValid = { status: 200, body: `003fERR want ${GONE} not valid` };

interface Circumstance extends OpenOptions {
  readonly fault?: GitFault;
  /** The same after the first request of each command. */
  readonly late?: GitFault;
  readonly head?: string;
}

/** What is wrong, the topic, what the error says and advises, and how many requests were made. */
const FAILURES: readonly (readonly [string, Circumstance, Topic, RegExp, number])[] = [
  ['a wrong token', { token: 'x' }, 'token-refused', REFUSED, 1],
  ['no token', { token: '' }, 'token-refused', REFUSED, 1],
  ['a refusal', { fault: blocked }, 'repository-denied', /Your IP .* fix what the server/, 1],
  ['no repository', { repository: 'o/x' }, 'repository-denied', /not .*`contents: read`/, 0],
  ['a renamed repository', { fault: moved }, 'repository-moved', /`o\/r`.*301.* renamed or/, 1],
  ['a gone commit', { head: GONE }, 'commit-gone', new RegExp(`${GONE}.* gone: .*\`since\``), 4],
  ['one on JGit', { late: notValid, head: GONE }, 'commit-gone', / gone: .*`since`/, 4],
  ['HTTP 502', { late: { status: 502 } }, 'git-network', /`RPC failed; HTTP 502/, 6],
  ['a failing server', { fault: { status: 503 } }, 'git-network', /503.*Re-run/, 3],
  ['no network', { serverUrl: 'http://127.0.0.1:9' }, 'git-network', /:9`.* connect .*proxy/, 0],
];

describe('says what is wrong with', () => {
  test.for(FAILURES)('%s', async ([, circumstance, topic, says, requests]) => {
    const { fault, late, head = to, ...options } = circumstance;
    server.git.fault = ({ isAdvertisement }) => (isAdvertisement ? fault : (late ?? fault));
    const before = server.git.requests.length;
    const error = await failureOf(() =>
      withRepository(server, (repo) => changedFiles(repo, from, head), options),
    );
    expect(error.topic).toBe(topic);
    expect(textOf(error)).toMatch(says);
    expect(server.git.requests.length - before).toBe(requests);
  });

  test.for([
    ['no git', { PATH: '/nowhere' }, /^Git is not installed .* Install git 2\.31 or newer/],
    ['no folder for temporary files', { RUNNER_TEMP: '/nowhere' }, /`\/nowhere` \(`ENOENT.*disk/],
  ] as const)('%s', async ([, env, says]) => {
    using step = createStep(env);
    expect(textOf(await failureOf(() => open(step, server)))).toMatch(says);
  });

  test('a folder for temporary files that somebody has deleted', async () => {
    await withRepository(server, async (repo) => {
      rmSync(repo.directory, { recursive: true });
      const error = await failureOf(() => repo.refs('refs/heads/main'));
      expect(error.topic).toBe('temporary-folder');
      expect(error.message).toContain(`\`${repo.directory}\` was deleted`);
    });
  });

  test.for(['git version 2.30.2', 'something else'])('%s', async (version) => {
    using step = createStep();
    // Before 2.29, `init` fails, too: it does not know `--object-format`.
    step.replaceGit(`echo '${version}'\n[ "$1" = version ] || exit 129`);
    const error = await failureOf(() => open(step, server));
    expect(error.topic).toBe('git-missing');
    expect(error.message).toContain(`needs git 2.31 or newer, and finds \`${version}\``);
  });
});

test.for(['2.31.0', '3.0.0.windows.1'])('accepts git %s, and leaves no file', async (version) => {
  using step = createStep();
  step.replaceGit(`echo 'git version ${version}'`);
  const repo = await open(step, server);
  expect(readdirSync(step.temp)).toHaveLength(1);
  await repo[Symbol.asyncDispose]();
  expect(readdirSync(step.temp)).toEqual([]);
});

test('follows no redirect, so the token stays with the server', async () => {
  await using elsewhere = await FakeGitHub.start('o/r');
  const location = `${elsewhere.url}/o/r/info/refs?service=git-upload-pack`;
  server.git.fault = () => ({ status: 302, location });
  await failureOf(() => withRepository(server, (repo) => repo.refs('refs/heads/main')));
  expect(elsewhere.git.requests).toEqual([]);
});

test('ends git at the end of the step, and does not try again', async () => {
  server.git.fault = () => 'hang';
  using step = createStep();
  const repo = await open(step, server);
  const { signal } = new AbortController();
  const late = repo.with({ signal, deadline: performance.now() + 300 });
  const error = await failureOf(() => late.refs('refs/heads/main'));
  expect(error.message).toContain('`no response in time`');
  expect(step.runner.debugLog).toEqual([expect.stringMatching(/^git ls-remote: time-limit/)]);
});

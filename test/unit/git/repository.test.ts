/** How git is run, against a real server. */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeEach, expect, test } from 'vitest';
import { Cancelled } from '../../../src/errors.ts';
import { changedFiles, diffOf } from '../../../src/git/diff.ts';
import { pushRef, readRef } from '../../../src/git/ledger-ref.ts';
import { FakeGitHub } from '../../support/github.ts';
import { createStep, GIT, open } from './setup.ts';

const REF = 'refs/docs-agent/docs/docs/step/heads/main';
const CREDENTIALS = Buffer.from('x-access-token:writer').toString('base64');

const server = await FakeGitHub.start('o/r');
const { origin } = server;
const submodule = (digit: string) => ({ mode: '160000' as const, content: digit.repeat(40) });
// Git's checks of objects refuse an author without an address.
const files = { a: 'a\n', s: submodule('1'), '.gitmodules': '[submodule "s"]\npath=s\nurl=../s' };
const from = origin.commit({ files, author: 'Somebody' });
const to = origin.commit({ files: { a: 'A\n', s: submodule('2') }, parents: [from] });
origin.setRef('refs/heads/main', to);
origin.setRef('refs/heads/feature/main', from);
origin.setRef('refs/heads/機能\u3000追加', from);
origin.setRef('refs/tags/v1', origin.annotate('v1', from));
origin.setRef('refs/tags/v2', to);
origin.setRef('refs/pull/1/head', to);

beforeEach(() => {
  server.git.fault = undefined;
});

afterAll(() => server[Symbol.asyncDispose]());

test('refs gives branches, and the commits of tags, and the server lists nothing else', async () => {
  const branches = { 'refs/heads/main': to, 'refs/heads/機能\u3000追加': from };
  const tags = { 'refs/tags/v1': from, 'refs/tags/v2': to };
  using step = createStep();
  const packets = join(step.folder, 'packets');
  step.replaceGit(`export GIT_TRACE_PACKET=${packets}\nexec ${GIT} "$@"`);
  const repo = await open(step, server);
  const refs = await repo.refs(...Object.keys(branches), 'refs/heads/none', 'refs/tags/*');
  expect(Object.fromEntries(refs)).toEqual({ ...branches, ...tags });
  const listed = readFileSync(packets, 'utf8');
  expect(listed).toContain('refs/heads/feature/main');
  expect(listed).not.toContain('refs/pull/');
});

test('the settings of a person or of the workflow job change nothing', async () => {
  using step = createStep({
    GIT_DIR: '/nowhere',
    GIT_WORK_TREE: '/nowhere',
    GIT_EXTERNAL_DIFF: 'false',
    GIT_ASKPASS: 'echo',
    GIT_CONFIG_COUNT: '1',
    GIT_CONFIG_KEY_0: 'credential.helper',
    GIT_CONFIG_VALUE_0: '!touch "$HOME/asked"; echo password=x #',
  });
  for (const name of ['pre-push', 'reference-transaction', 'ask']) {
    const script = `#!/bin/sh\ntouch "$HOME/asked"\nexit 1\n`;
    writeFileSync(join(step.folder, name), script, { mode: 0o755 });
  }
  writeFileSync(join(step.folder, 'attributes'), '* -diff\n');
  mkdirSync(join(step.folder, '.config', 'git'), { recursive: true });
  writeFileSync(join(step.folder, '.config', 'git', 'attributes'), '* -diff\n');
  const settings = [
    `core.hooksPath=${step.folder}`,
    `core.askPass=${step.folder}/ask`,
    `core.attributesFile=${step.folder}/attributes`,
    ...['core.quotePath=false', 'color.ui=always', 'diff.external=false', 'diff.context=0'],
    ...['diff.renames=false', 'diff.algorithm=patience', 'diff.noprefix=true'],
    ...['init.defaultObjectFormat=sha256', 'i18n.commitEncoding=latin1', 'core.abbrev=4'],
    `url.ssh://nowhere.invalid/.insteadOf=${server.url}`,
    `url.ssh://nowhere.invalid/.pushInsteadOf=${server.url}`,
    `http.${server.url}/.extraHeader=Authorization: Basic eDp5`,
    'http.extraHeader=Authorization: Basic eDp5',
    `credential.${server.url}.helper=!touch "$HOME/asked"; echo password=x #`,
    ...['push.gpgSign=true', 'push.pushOption=ci.skip'],
    ...['fetch.prune=true', 'fetch.fsckObjects=true', 'transfer.fsckObjects=true'],
    ...['commit.gpgSign=true', 'protocol.allow=never'],
    'remote.origin.url=https://nowhere.invalid',
    'push.recurseSubmodules=only',
    // As webfactory/ssh-agent sets it for a deploy key.
    `url.git@nowhere.invalid:o/r.insteadOf=${server.url}/o/r`,
    ...['event', 'normal', 'perf'].map((kind) => `trace2.${kind}Target=${step.folder}/trace`),
    'trace2.configParams=*',
  ];
  for (const setting of settings) {
    const [, name = '', value = ''] = /^((?:.*\.)?[a-zA-Z]+)=(.*)$/.exec(setting) ?? [];
    const env = { HOME: step.folder, PATH: process.env['PATH'] };
    execFileSync(GIT, ['config', '--global', '--add', name, value], { env });
  }
  Object.assign(step.env, { GIT_CONFIG_GLOBAL: join(step.folder, '.gitconfig') });
  // As git 3 may do.
  step.replaceGit(`export GIT_DEFAULT_HASH=sha256\nexec ${GIT} "$@"`);
  const repo = await open(step, server);
  const diffs = await diffOf(repo, await changedFiles(repo, from, to));
  expect(diffs.map(({ patch }) => patch)).toContain('@@ -1 +1 @@\n-a\n+A');
  const ref = `${REF}-hostile`;
  expect(await pushRef(repo, ref, undefined, 'ü\n')).toMatchObject({ kind: 'pushed' });
  expect(await readRef(repo, ref)).toMatchObject({ message: 'ü' });
  // A refused token asks nobody for another one.
  const refused = await open(step, server, { token: 'wrong' });
  await expect(refused.refs('refs/heads/main')).rejects.toMatchObject({ topic: 'token-refused' });
  expect(existsSync(join(step.folder, 'asked'))).toBe(false);
  // Written while the settings were made. It would hold the token, too.
  expect(readFileSync(join(step.folder, 'trace'), 'utf8')).not.toContain(CREDENTIALS);
});

test("the person's proxy counts, also where the workflow job sets it with variables", async () => {
  using step = createStep({
    GIT_CONFIG_COUNT: '1',
    GIT_CONFIG_KEY_0: 'http.proxy',
    GIT_CONFIG_VALUE_0: 'http://127.0.0.1:9',
  });
  const repo = await open(step, server);
  await expect(repo.refs('refs/heads/main')).rejects.toThrow(/connect to .*port 9/);
});

test('the token is in no argument, in no file and not in the log', async () => {
  using step = createStep({ INPUT_ADMINAPIKEY: 'mint_key' });
  const seen = join(step.folder, 'seen');
  step.replaceGit(`printf '%s\\n' "$@" >> ${seen}\nenv >> ${seen}.env\nexec ${GIT} "$@"`);
  const repo = await open(step, server);
  await diffOf(repo, await changedFiles(repo, from, to));
  await pushRef(repo, REF, undefined, 'A sentence\n');
  await repo.refs('refs/heads/main');
  const written = readdirSync(repo.directory, { recursive: true, withFileTypes: true })
    .filter((file) => file.isFile())
    .map((file) => readFileSync(join(file.parentPath, file.name), 'latin1'));
  const commands = readFileSync(seen, 'utf8');
  expect(commands).toContain('--force-with-lease');
  for (const text of [...written, commands, ...step.runner.debugLog]) {
    expect(text).not.toContain('writer');
    expect(text).not.toContain(CREDENTIALS);
  }
  const environments = readFileSync(`${seen}.env`, 'utf8');
  expect(environments).toContain(CREDENTIALS);
  expect(environments).not.toContain('mint_key');
  expect(step.runner.masked).toEqual([CREDENTIALS]);
});

test('a cancel ends git at once, with all that it started, and passes on its reason', async () => {
  using step = createStep();
  const controller = new AbortController();
  const reason = new Cancelled('SIGINT');
  server.git.fault = () => {
    controller.abort(reason);
    return 'hang';
  };
  const repo = await open(step, server, { signal: controller.signal });
  await expect(repo.refs('refs/heads/main')).rejects.toBe(reason);
  const isGone = () => server.git.requests.at(-1)?.socket.destroyed;
  await expect.poll(isGone, { timeout: 20_000 }).toBe(true);
});

/** The built action as a process: only what no run in this process shows. */
import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { World } from '../support/action.ts';
import { BuiltAction, runBuiltAction } from '../support/built-action.ts';
import { ACTIVE, ADMIN_API_KEY, Mintlify, QUICK } from '../support/mintlify.ts';
import { ForwardProxy } from '../support/proxy.ts';
import { AUTHORITY_FILE, tls } from '../support/tls.ts';

/**
 * The runner's second signal comes this much later. The action promises 2 s, but a test of that
 * would fail on a busy machine.
 * https://github.com/actions/runner/blob/main/src/Runner.Sdk/ProcessInvoker.cs
 */
const SECOND_SIGNAL_MS = 7_500;
/** Windows has no signals for other processes. */
const onUnix = test.skipIf(process.platform === 'win32');

const folder = mkdtempSync(join(tmpdir(), 'docs-agent-job-dist-'));
/** Without node_modules beside it, as a runner gets it. */
const main = join(folder, 'dist', 'index.js');
cpSync('dist', join(folder, 'dist'), { recursive: true });
afterAll(() => rmSync(folder, { recursive: true }));

/** A push, and what the built action needs. `read` resolves once the action waits for its agent job. */
async function open(script = QUICK) {
  let onRead = (): void => undefined;
  const read = new Promise<void>((resolve) => {
    onRead = resolve;
  });
  const world = await World.open({
    script,
    fault({ method }) {
      if (method === 'GET') onRead();
      return undefined;
    },
  });
  const { github, mintlify } = world;
  const inputs = { prompt: 'x', pollInterval: '1s', baseUrl: mintlify.url };
  const options = { main, start: world.push('retries'), inputs };
  const dispose = () => world[Symbol.asyncDispose]();
  return { github, mintlify, options, read, [Symbol.asyncDispose]: dispose };
}

/** The environment in which the action does something on SIGUSR2 (act.mjs). */
const actOn = (act: string) => ({
  NODE_OPTIONS: `--import=${new URL('act.mjs', import.meta.url)}`,
  TEST_ACT: act,
});

/** What ends it, as signals and what act.mjs does; the outcome, and what the log has. */
type Ending = readonly [string, readonly NodeJS.Signals[], act: string, string, says: RegExp];
const WARNING = /^::debug::Node\.js warns: something is deprecated/m;

test('licenses.txt has the licence of each dependency', () => {
  const { dependencies } = JSON.parse(readFileSync('package.json', 'utf8'));
  const licenses = readFileSync('dist/licenses.txt', 'utf8');
  const names = [...licenses.matchAll(/^(\S+)\n(?:MIT|ISC|BSD-3-Clause|Apache-2.0)\n\S/gm)];
  expect(names.map(([, name]) => name)).toEqual(expect.arrayContaining(Object.keys(dependencies)));
});

describe.concurrent('while the action waits for its agent job', () => {
  onUnix.for<Ending>([
    ['two signals', ['SIGINT', 'SIGTERM'], 'nothing', 'cancelled', /^/],
    ['SIGBREAK (CTRL_BREAK on Windows)', ['SIGUSR2'], 'sigbreak', 'cancelled', WARNING],
    ['an unexpected error', ['SIGUSR2'], 'throw', 'error', /`a fault of our own/],
  ])('%s: it ends with a report', async ([, signals, act, outcome, says]) => {
    await using world = await open(ACTIVE);
    const action = new BuiltAction({ ...world.options, env: actOn(act) });
    await world.read;
    const times = await Promise.all(signals.map((signal) => action.signal(signal)));
    expect(Math.max(...times)).toBeLessThan(SECOND_SIGNAL_MS);
    const { exitCode, stderr, stdout, outputs, summary, left } = await action.end();
    expect([exitCode, stderr, left]).toEqual([1, '', []]);
    expect(outputs).toMatchObject({ outcome, jobId: 'job_1', status: 'active' });
    expect(summary).toContain('<code>job_1</code>');
    expect(stdout).toMatch(says);
    expect(stdout).not.toMatch(/^::error::forged/m);
  });

  onUnix('nothing is lost if it is killed: a re-run follows the agent job', async () => {
    await using world = await open(ACTIVE);
    const { github, mintlify } = world;
    const inputs = { ...world.options.inputs, changes: 'files' };
    const options = { ...world.options, inputs };
    const action = new BuiltAction(options);
    await world.read;
    await action.signal('SIGKILL');
    expect((await action.end()).outputs).toEqual({ jobId: 'job_1' });
    mintlify.setState('job_1', { status: 'completed' });
    const again = await runBuiltAction({ ...options, start: github.rerun(options.start) });
    expect(again.outputs).toMatchObject({ outcome: 'no-changes', jobId: 'job_1' });
    expect(mintlify.posts).toHaveLength(1);
  });
});

test.concurrent('sends a push by its own files alone, through the proxy of the runner, masks secrets first, and leaves nothing behind', async () => {
  await using world = await open();
  // By an authority that only the runner trusts.
  await using mintlify = await Mintlify.start({ tls });
  await using proxy = await ForwardProxy.start();
  const { github, options } = world;
  const proxyHost = `Us%40er:p%3Assw0rd@127.0.0.1:${proxy.port}`;
  const hosts = (text: string) =>
    text.replaceAll(github.url, github.url.replace('127.0.0.1', 'github.test'));
  const { stdout, stderr, summary, left, outputs } = await runBuiltAction({
    ...options,
    start: JSON.parse(hosts(JSON.stringify(options.start))),
    inputs: { ...options.inputs, changes: 'diff', baseUrl: `https://agent.test:${mintlify.port}` },
    env: {
      http_proxy: `http://${proxyHost}`,
      // As the runner takes it, too.
      https_proxy: proxyHost,
      NODE_EXTRA_CA_CERTS: AUTHORITY_FILE,
    },
  });
  expect(outputs, stdout).toMatchObject({ outcome: 'pull-request', jobId: 'job_1' });
  expect([stderr, left]).toEqual(['', []]);
  expect(mintlify.prompts).toEqual([expect.stringContaining('+export const retries = 1;')]);
  const [first, second] = stdout.split('\n').filter((line) => !line.startsWith('::debug::'));
  expect([first, second]).toEqual([`::add-mask::${ADMIN_API_KEY}`, '::add-mask::writer']);
  // git makes no tunnel for http.
  const kindOf = (request: string) => /^CONNECT \w+|\/acme\/app\.git\//.exec(request)?.[0];
  const kinds = new Set(['CONNECT github', '/acme/app.git/', 'CONNECT agent']);
  expect(new Set(proxy.requests.map(kindOf))).toEqual(kinds);
  // git waits to be asked for them.
  expect(proxy.credentials).toContain('Us@er:p:ssw0rd');
  expect(stdout + summary).not.toMatch(/p(?::|%3A)ssw0rd/);
});

/** In C: no lookup of a name ends. */
const HANGING_LOOKUP = `
#include <unistd.h>
int getaddrinfo(void) { sleep(60); return 1; }
`;

/** Whether the library could be built. */
function buildHangingLookup(): boolean {
  if (process.platform !== 'linux') return false;
  writeFileSync(join(folder, 'hang.c'), HANGING_LOOKUP);
  const words = ['-shared', '-fPIC', '-o', join(folder, 'hang.so'), join(folder, 'hang.c')];
  return spawnSync('cc', words).status === 0;
}

test.concurrent('a DNS lookup that hangs in the system does not hold the step past its timeout', async ({
  skip,
}) => {
  skip(!buildHangingLookup(), 'no C compiler, or not Linux');
  await using world = await open();
  const startedAt = performance.now();
  const { exitCode, stderr, outputs } = await runBuiltAction({
    ...world.options,
    inputs: { prompt: 'x', baseUrl: 'https://hangs.test', timeout: '2s' },
    env: { LD_PRELOAD: join(folder, 'hang.so') },
  });
  expect(exitCode).not.toBe(0);
  expect([stderr, outputs['outcome']]).toEqual(['', 'error']);
  expect(performance.now() - startedAt).toBeLessThan(30_000);
});

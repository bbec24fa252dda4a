/**
 * `npm run bench [-- OTHER/dist/index.js ...]`: how long the built action takes to start, beside
 * other actions, and how long a push takes when each request takes 80 ms.
 */
import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { resolve } from 'node:path';
import { runBuiltAction } from '../support/built-action.ts';
import { FakeGitHub } from '../support/github.ts';
import { Mintlify } from '../support/mintlify.ts';

const STARTS = 25;
const RUNS = 5;
const DELAY_MS = 80;

/** Formats the median. */
function shown(values: readonly number[]): string {
  const median = values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
  return median.toFixed(0).padStart(6);
}

/** Loads an action without inputs, which it refuses: only its requests are missing. */
function startUpMs(args: readonly string[]): number {
  const startedAt = performance.now();
  spawnSync(process.execPath, args, { stdio: 'ignore', env: { PATH: process.env['PATH'] } });
  return performance.now() - startedAt;
}

const files = ['dist/index.js', ...process.argv.slice(2)];
const cases = [['-e', '0'], ...files.map((file) => [resolve(file)])];
const times = cases.map((): number[] => []);
for (let round = 0; round < STARTS; round += 1) {
  for (const [index, args] of cases.entries()) times[index]?.push(startUpMs(args));
}
console.log(`Start-up: medians of ${STARTS} runs in turn, on Node ${process.version}`);
for (const [index, args] of cases.entries()) {
  console.log(`${shown(times[index] ?? [])} ms  node ${args.join(' ')}`);
}

/** Passes requests on after a delay. */
async function startDelay(target: string) {
  const server = http.createServer((request, response) => {
    const { method, headers, url = '' } = request;
    const onward = http.request(`${target}${url}`, { method, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 500, answer.headers);
      answer.pipe(response);
    });
    setTimeout(() => request.pipe(onward), DELAY_MS);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return { server, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

// A push of one file.
const toCall: number[] = [];
const whole: number[] = [];
let requests = 0;
for (let round = 0; round < RUNS; round += 1) {
  let calledAt = Number.NaN;
  await using github = await FakeGitHub.start();
  await using mintlify = await Mintlify.start({
    fault({ method }) {
      if (method === 'POST') calledAt = performance.now();
      return undefined;
    },
  });
  const slowGitHub = await startDelay(github.url);
  const slowMintlify = await startDelay(mintlify.url);
  const prLink = github.openDocsPull().replace(github.url, slowGitHub.url);
  mintlify.script = [{ status: 'completed', prLink }];
  github.push('main', { message: 'Begin', files: { 'src/client.ts': 'export {};\n' } });
  const files = { 'src/client.ts': 'export const retries = 3;\n' };
  const start = github.push('main', { message: 'Retry three times', files });
  const startedAt = performance.now();
  const { exitCode, stdout } = await runBuiltAction({
    start: JSON.parse(JSON.stringify(start).replaceAll(github.url, slowGitHub.url)),
    inputs: { prompt: 'x', changes: 'diff', pollInterval: '1s', baseUrl: slowMintlify.url },
  });
  if (exitCode !== 0) throw new Error(stdout);
  toCall.push(calledAt - startedAt);
  whole.push(performance.now() - startedAt);
  requests = [...github.requests, ...github.git.requests, ...mintlify.requests].length;
  for (const { server } of [slowGitHub, slowMintlify]) server.close();
}
console.log(`\nA push of one file at ${DELAY_MS} ms a request: medians of ${RUNS} runs`);
console.log(`${shown(toCall)} ms  until the call to the agent arrives`);
console.log(`${shown(whole)} ms  in all, with ${requests} requests`);

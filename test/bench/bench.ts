/**
 * `npm run bench -- PATH`: what a run costs, beside the built action of a second checkout. Each row
 * has the medians of rounds that alternate between the two, and their ratio.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, join, resolve } from 'node:path';
import { type ActionOptions, BuiltAction } from '../support/built-action.ts';
import { FakeGitHub, type RunStart } from '../support/github.ts';
import { ACTIVE, Mintlify } from '../support/mintlify.ts';

const DELAY_MS = 80;
const others = process.argv.slice(2).map((path) => join(path, 'dist/index.js'));
const builds = ['dist/index.js', ...others].map((file) => resolve(file));
const folder = mkdtempSync(join(tmpdir(), 'bench-'));
process.on('exit', () => rmSync(folder, { recursive: true }));

type Figures = Readonly<Record<string, number>>;

const median = (values: readonly number[]) =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;

async function compare(rounds: number, measure: (main: string) => Promise<Figures> | Figures) {
  const seen = builds.map((): Figures[] => []);
  for (let round = 0; round < rounds; round += 1)
    for (const [index, main] of builds.entries()) seen[index]?.push(await measure(main));
  for (const name of Object.keys(seen[0]?.[0] ?? {})) {
    const values = seen.map((figures) => median(figures.map((one) => one[name] ?? Number.NaN)));
    const ratio = (values[0] ?? Number.NaN) / (values[1] ?? Number.NaN);
    const shown = values.map((value) => value.toFixed(0).padStart(7)).join('');
    console.log(`${shown}  ${Number.isNaN(ratio) ? '' : ratio.toFixed(2).padEnd(6)}${name}`);
  }
}

// A process of Node reports what it used when it ends, and each one of git leaves a file.
const usageFile = join(folder, 'usage.json');
const hook = join(folder, 'usage.mjs');
writeFileSync(
  hook,
  `import { writeFileSync } from 'node:fs';
process.on('exit', () => writeFileSync('${usageFile}', JSON.stringify(process.resourceUsage())));`,
);
const USAGE = { NODE_OPTIONS: `--import=${hook}` };
const traces = join(folder, 'traces');
mkdirSync(traces);
mkdirSync(join(folder, 'bin'));
const git = execFileSync('sh', ['-c', 'command -v git'], { encoding: 'utf8' }).trim();
writeFileSync(
  join(folder, 'bin/git'),
  `#!/bin/sh\nGIT_TRACE2_EVENT='${traces}' exec '${git}' "$@"\n`,
);
chmodSync(join(folder, 'bin/git'), 0o755);
const TRACED = { PATH: `${join(folder, 'bin')}${delimiter}${process.env['PATH']}` };

function usage() {
  const { userCPUTime, systemCPUTime, maxRSS } = JSON.parse(readFileSync(usageFile, 'utf8'));
  return { cpuMs: (userCPUTime + systemCPUTime) / 1_000, memoryMb: maxRSS / 1_024 };
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

const INPUTS = { prompt: 'x', pollInterval: '1s' };
const DIFF = { ...INPUTS, changes: 'diff' };

/** A team's repository and Mintlify, and a step in it. */
async function openWorld(main: string) {
  const github = await FakeGitHub.start();
  let requestsAtCall = 0;
  let calledAt = Number.NaN;
  const mintlify = await Mintlify.start({
    fault({ method }) {
      if (method !== 'POST') return undefined;
      calledAt = performance.now();
      requestsAtCall = github.requests.length + github.git.requests.length;
      return undefined;
    },
  });
  const [slowGitHub, slowMintlify] = await Promise.all(
    [github, mintlify].map(({ url }) => startDelay(url)),
  );
  const link = github.openDocsPull();
  const linkAt = (url = github.url) => link.replace(github.url, url);
  github.push('main', { message: 'Begin', files: { 'src/client.ts': 'export {};\n' } });
  return {
    github,
    mintlify,
    /** Pushes a commit with so many files. */
    push: (count = 1, content = `export const at = ${github.origin.commits.size};\n`) =>
      github.push('main', {
        message: 'Change',
        files: Object.fromEntries(
          Array.from({ length: count }, (_, n) => [`src/${n}.ts`, content]),
        ),
      }),
    /** Runs the step, and counts from its start. */
    async run(start: RunStart, inputs: ActionOptions['inputs'], env = {}, isSlow = true) {
      const before = github.requests.length + github.git.requests.length;
      for (const name of readdirSync(traces)) rmSync(join(traces, name));
      if (mintlify.script !== ACTIVE)
        mintlify.script = [
          { status: 'completed', prLink: linkAt(isSlow ? slowGitHub?.url : undefined) },
        ];
      const startedAt = performance.now();
      const text = JSON.stringify(start);
      const action = new BuiltAction({
        ...{ main, env },
        start: isSlow ? JSON.parse(text.replaceAll(github.url, slowGitHub?.url ?? '')) : start,
        inputs: { ...inputs, baseUrl: isSlow ? (slowMintlify?.url ?? '') : mintlify.url },
      });
      const { outputs, stdout } = await action.end();
      if (outputs['outcome'] === 'error' && !/after half of/.test(stdout)) throw new Error(stdout);
      return {
        untilCallMs: calledAt - startedAt,
        requests: github.requests.length + github.git.requests.length - before,
        requestsBefore: requestsAtCall - before,
        processes: readdirSync(traces).length,
      };
    },
    async [Symbol.asyncDispose]() {
      for (const delay of [slowGitHub, slowMintlify]) delay?.server.close();
      await mintlify[Symbol.asyncDispose]();
      await github[Symbol.asyncDispose]();
    },
  };
}

console.log(`${builds.join('\n')}\nNode ${process.version}, ${DELAY_MS} ms a request\n`);

await compare(25, (main) => {
  spawnSync(process.execPath, [main], {
    stdio: 'ignore',
    env: { PATH: process.env['PATH'], ...USAGE },
  });
  return { 'start-up without inputs, CPU in ms': usage().cpuMs };
});

await compare(7, async (main) => {
  await using world = await openWorld(main);
  const { untilCallMs } = await world.run(world.github.dispatch(), INPUTS);
  return { 'a prompt alone, ms until the call': untilCallMs };
});

await compare(7, async (main) => {
  await using world = await openWorld(main);
  const first = await world.run(world.push(), DIFF);
  const covered = await world.run(world.push(), DIFF);
  const skipped = await world.run(world.github.dispatch(), DIFF);
  return {
    'a first push, ms until the call': first.untilCallMs,
    'a covered push, ms until the call': covered.untilCallMs,
    'a covered push, requests to GitHub': covered.requests,
    'a covered push, requests to GitHub before the call': covered.requestsBefore,
    'a run that skips what is covered, requests to GitHub': skipped.requests,
  };
});

await compare(1, async (main) => {
  await using world = await openWorld(main);
  await world.run(world.push(), DIFF, TRACED, false);
  const { processes } = await world.run(world.push(), DIFF, TRACED, false);
  return { 'a covered push, git processes': processes };
});

await compare(1, async (main) => {
  await using world = await openWorld(main);
  world.mintlify.script = ACTIVE;
  const { github, mintlify } = world;
  await world.run(world.push(), { ...DIFF, timeout: '2s' }, {}, false);
  const start = world.push();
  const counts = async (timeout: string) => {
    const [api, all, reads] = [
      github.requests.length,
      github.git.requests.length,
      mintlify.requests.length,
    ];
    const { processes } = await world.run(start, { ...DIFF, timeout }, TRACED, false);
    const rounds = mintlify.requests.length - reads;
    return {
      processes,
      rounds,
      api: github.requests.length - api,
      git: github.git.requests.length - all,
    };
  };
  // What a longer wait costs more.
  const [short, long] = [await counts('8s'), await counts('20s')];
  const each = (name: 'processes' | 'api' | 'git') =>
    (long[name] - short[name]) / (long.rounds - short.rounds);
  return {
    "a round of waiting, requests to GitHub's API": each('api'),
    'a round of waiting, requests to git': each('git'),
    'a round of waiting, git processes': each('processes'),
  };
});

for (const count of [300, 3_000])
  await compare(3, async (main) => {
    await using world = await openWorld(main);
    await world.run(world.github.schedule(), DIFF, {}, false);
    await world.run(world.push(count, 'line of a file\n'.repeat(200)), DIFF, USAGE, false);
    const { cpuMs, memoryMb } = usage();
    return {
      [`${count} changed files, CPU in ms`]: cpuMs,
      [`${count} changed files, MB`]: memoryMb,
    };
  });

/**
 * `npm run bench -- PATH`: what a run costs, beside the built action of a second checkout. Each row
 * has the medians of rounds that alternate between the two, and their ratio.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join, resolve } from 'node:path';
import { World } from '../support/action.ts';
import { type ActionOptions, runBuiltAction } from '../support/built-action.ts';
import type { RunStart } from '../support/github.ts';
import { ACTIVE } from '../support/mintlify.ts';

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
const traced = `#!/bin/sh\nGIT_TRACE2_EVENT='${traces}' exec '${git}' "$@"\n`;
writeFileSync(join(folder, 'bin/git'), traced, { mode: 0o755 });
const TRACED = { PATH: `${join(folder, 'bin')}${delimiter}${process.env['PATH']}` };

function usage() {
  const { userCPUTime, systemCPUTime, maxRSS } = JSON.parse(readFileSync(usageFile, 'utf8'));
  return { cpuMs: (userCPUTime + systemCPUTime) / 1_000, memoryMb: maxRSS / 1_024 };
}

const INPUTS = { prompt: 'x', pollInterval: '1s' };
const DIFF = { ...INPUTS, changes: 'diff' };

/** A team's repository and Mintlify, and a step in it. */
async function openWorld(main: string, delayMs = 0) {
  const counts = () => ({
    api: github.requests.length,
    git: github.git.requests.length,
    reads: mintlify.requests.length,
    at: performance.now(),
  });
  let atCall = { api: 0, git: 0, reads: 0, at: Number.NaN };
  const world = await World.open({
    fault({ method }) {
      if (method === 'POST') atCall = counts();
      return undefined;
    },
  });
  const { github, mintlify } = world;
  mintlify.script = [{ status: 'completed', prLink: github.openDocsPull() }];
  for (const service of [github, mintlify]) service.delay(delayMs);
  return {
    github,
    mintlify,
    /** Pushes a commit with so many files. */
    push(count = 1, content = `export const at = ${github.origin.commits.size};\n`) {
      const files = Array.from({ length: count }, (_, n) => [`src/${n}.ts`, content]);
      return github.push('main', { message: 'Change', files: Object.fromEntries(files) });
    },
    /** Runs the step, and counts from its start. */
    async run(start: RunStart, given: ActionOptions['inputs'] = DIFF, env = {}) {
      for (const name of readdirSync(traces)) rmSync(join(traces, name));
      const before = counts();
      const inputs = { ...given, baseUrl: mintlify.url };
      const { outputs, stdout } = await runBuiltAction({ main, start, inputs, env });
      if (outputs['outcome'] === 'error' && !/after half of/.test(stdout)) throw new Error(stdout);
      const after = counts();
      const [api, git] = [after.api - before.api, after.git - before.git];
      return {
        api,
        git,
        requests: api + git,
        reads: after.reads - before.reads,
        requestsBefore: atCall.api - before.api + atCall.git - before.git,
        untilCallMs: atCall.at - before.at,
        processes: readdirSync(traces).length,
      };
    },
    [Symbol.asyncDispose]: () => world[Symbol.asyncDispose](),
  };
}

console.log(`${builds.join('\n')}\nNode ${process.version}, ${DELAY_MS} ms a request\n`);

await compare(25, (main) => {
  spawnSync(process.execPath, [main], { env: { PATH: process.env['PATH'], ...USAGE } });
  return { 'start-up without inputs, CPU in ms': usage().cpuMs };
});

await compare(7, async (main) => {
  await using world = await openWorld(main, DELAY_MS);
  const { untilCallMs } = await world.run(world.github.dispatch(), INPUTS);
  return { 'a prompt alone, ms until the call': untilCallMs };
});

await compare(7, async (main) => {
  await using world = await openWorld(main, DELAY_MS);
  const first = await world.run(world.push());
  const covered = await world.run(world.push());
  const skipped = await world.run(world.github.dispatch());
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
  await world.run(world.push());
  const { processes } = await world.run(world.push(), DIFF, TRACED);
  return { 'a covered push, git processes': processes };
});

await compare(1, async (main) => {
  await using world = await openWorld(main);
  world.mintlify.script = ACTIVE;
  await world.run(world.push(), { ...DIFF, timeout: '2s' });
  const start = world.push();
  // What a longer wait costs more.
  const short = await world.run(start, { ...DIFF, timeout: '8s' }, TRACED);
  const long = await world.run(start, { ...DIFF, timeout: '20s' }, TRACED);
  const each = (name: 'processes' | 'api' | 'git') =>
    (long[name] - short[name]) / (long.reads - short.reads);
  return {
    "a round of waiting, requests to GitHub's API": each('api'),
    'a round of waiting, requests to git': each('git'),
    'a round of waiting, git processes': each('processes'),
  };
});

for (const count of [300, 3_000])
  await compare(3, async (main) => {
    await using world = await openWorld(main);
    await world.run(world.github.schedule());
    await world.run(world.push(count, 'line of a file\n'.repeat(200)), DIFF, USAGE);
    const { cpuMs, memoryMb } = usage();
    return {
      [`${count} changed files, CPU in ms`]: cpuMs,
      [`${count} changed files, MB`]: memoryMb,
    };
  });

/** `npm run bench`: every figure of .github/BENCHMARKS.md, from one run. */
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';
import { runAction } from '../support/action.ts';
import { AgentService, PR_LINK } from '../support/agent-service.ts';
import { GitHubService, line, onPush } from '../support/github-service.ts';
import { limitTable, outageTable, patienceTable, remedyTable } from './many-tables.ts';
import { timePaths } from './paths.ts';
import { bestForReads, costOfInterval, costOfSchedule, MIXES } from './schedules.ts';

const RUNS = 25;

const median = (values: readonly number[]) =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;

function timed(args: readonly string[]): number {
  const started = performance.now();
  spawnSync(process.execPath, args, { stdio: 'ignore' });
  return performance.now() - started;
}

function table(head: readonly string[], rows: readonly (readonly (string | number)[])[]): void {
  const line = (cells: readonly (string | number)[]) => console.log(`| ${cells.join(' | ')} |`);
  line(head);
  line(head.map((_, index) => (index === 0 ? '---' : '--:')));
  for (const row of rows) line(row);
  console.log();
}

// --- Start-up, in turn with bare node -------------------------------------------------------------

const bare: number[] = [];
const started: number[] = [];
for (let round = 0; round < RUNS + 1; round += 1) {
  bare.push(timed(['-e', '0']));
  // Without inputs the action loads, checks them, reports and ends. Only the requests are missing.
  started.push(timed([resolve('dist/index.js')]));
}
const toRequest: number[] = [];
const whole: number[] = [];
const withChanges: number[] = [];
for (let round = 0; round < RUNS; round += 1) {
  const { promise, resolve: arrived } = Promise.withResolvers<number>();
  await using service = await AgentService.start({
    intercept: () => {
      arrived(performance.now());
      return false;
    },
    schedule: [{ afterMs: 0, status: 'completed', prLink: PR_LINK }],
  });
  await using github = await GitHubService.start({ commits: line(5) });
  const inputs = { prompt: 'x', baseUrl: service.url };
  const at = performance.now();
  const result = await runAction({ inputs });
  toRequest.push((await promise) - at);
  whole.push(result.tookMs);
  const push = onPush(github.url, 'c1', 'c5');
  withChanges.push((await runAction({ ...push, inputs: { ...inputs, changes: 'diff' } })).tookMs);
}
const bareMs = median(bare.slice(1));
const startUp = (what: string, values: readonly number[]) => {
  const ms = median(values);
  return [what, ms.toFixed(0), (ms / bareMs).toFixed(2)];
};
console.log(`Start-up: medians of ${RUNS} runs each, in turn, on Node ${process.version}\n`);
table(
  ['', 'ms', 'ratio to bare node'],
  [
    startUp('`node -e 0`', bare.slice(1)),
    startUp('the action, from start to end without inputs', started.slice(1)),
    startUp('the action, from start to its create request arriving', toRequest),
    startUp('a whole run whose agent job has completed at once', whole),
    startUp('the same with `changes: diff`', withChanges),
  ],
);

// --- Size ------------------------------------------------------------------------------------------

const sizes = execFileSync('node', ['.github/scripts/size.mjs'], { encoding: 'utf8' });
console.log(`Size\n\n\`\`\`\n${sizes}\`\`\`\n`);

// --- An hour of waiting ----------------------------------------------------------------------------

const MIB = 1024 * 1024;
await using service = await AgentService.start({ schedule: [{ afterMs: 0, status: 'active' }] });
const hour = spawn(process.execPath, ['--expose-gc', resolve('test/bench/hour.ts'), service.url]);
let output = '';
hour.stdout.on('data', (text) => {
  output += text;
});
await once(hour, 'close');
const { reads, start, early, late, handles } = JSON.parse(output);
console.log(
  `A simulated hour of waiting: ${reads} requests over ${service.connections} connections\n`,
);
table(
  ['', 'at the start', 'after 60 requests', 'at the end'],
  [
    ['resident memory, MiB', ...inMib(start.rss, early.rss, late.rss)],
    ['heap in use, MiB', ...inMib(start.heapUsed, early.heapUsed, late.heapUsed)],
    ['open handles', '', '', handles.length],
  ],
);

function inMib(...bytes: readonly number[]): readonly string[] {
  return bytes.map((value) => (value / MIB).toFixed(1));
}

// --- Waiting schedules -----------------------------------------------------------------------------

for (const mix of MIXES) {
  const rows: (readonly string[])[] = [];
  const best10 = bestForReads(mix, (await costOfInterval(mix, 10)).reads);
  for (const interval of [5, 10, 30]) {
    const cost = await costOfInterval(mix, interval);
    const best = costOfSchedule(mix, bestForReads(mix, cost.reads));
    const name = `every ${interval} s${interval === 10 ? ' (the default)' : ''}`;
    rows.push([
      name,
      cost.reads.toFixed(1),
      cost.lagS.toFixed(2),
      best.lagS.toFixed(2),
      `${((cost.lagS / best.lagS - 1) * 100).toFixed(0)} %`,
    ]);
  }
  for (const other of MIXES.filter(({ name }) => name !== mix.name)) {
    const foreign = costOfSchedule(other, best10);
    const simple = await costOfInterval(other, 10);
    rows.push([
      `the best for ${mix.name} agent jobs, on ${other.name} ones (every 10 s: ${simple.reads.toFixed(1)} reads, ${simple.lagS.toFixed(2)} s)`,
      foreign.reads.toFixed(1),
      foreign.lagS.toFixed(2),
      '',
      '',
    ]);
  }
  const first = best10[0] ?? Number.NaN;
  rows.push([
    `an agent job that ends after 5 s (outside the mix): every 10 s sees it 5.00 s late, the best for ${mix.name} agent jobs`,
    '1.0',
    (first - 5).toFixed(2),
    '',
    '',
  ]);
  console.log(`Waiting for agent jobs of 30 s to 30 min, ${mix.name}\n`);
  table(['', 'reads', 'mean lag, s', 'least lag for as many reads, s', 'over it'], rows);
}

// --- The path filter ---------------------------------------------------------------------------------

console.log('The path filter\n');
table(
  ['', 'ms'],
  timePaths().map(({ what, ms }) => [what, ms.toFixed(0)]),
);

// --- Many runs at once -------------------------------------------------------------------------------

const simulatedAt = performance.now();
for (const { title, head, rows } of [
  await limitTable(),
  await patienceTable(false),
  await patienceTable(true),
  await remedyTable(),
  await outageTable(),
]) {
  console.log(`${title}\n`);
  table(head, rows);
}
console.log(`Simulated in ${((performance.now() - simulatedAt) / 1_000).toFixed(0)} s.`);

/**
 * `npm run bench`: start-up and size, as in .github/CONTRIBUTING.md, and the path filter.
 * `npm run bench -- path/to/a/clone v1.0.0..v2.0.0 …`: the prompts of these ranges.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { resolve } from 'node:path';
import { pathFilter } from '../../src/changes/find/path-filter.ts';
import { runAction } from '../support/action.ts';
import { AgentService, PR_LINK } from '../support/agent-service.ts';
import { GitHubService, line, onPush } from '../support/github-service.ts';

const RUNS = 25;

const median = (values: readonly number[]) =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;

function timed(args: readonly string[]): number {
  const started = performance.now();
  spawnSync(process.execPath, args, { stdio: 'ignore' });
  return performance.now() - started;
}

type Row = readonly (string | number)[];

function table(head: Row, rows: readonly Row[]): void {
  const line = (cells: Row) => console.log(`| ${cells.join(' | ')} |`);
  line(head);
  line(head.map((_, index) => (index === 0 ? '---' : '--:')));
  for (const row of rows) line(row);
  console.log();
}

const [clone, ...ranges] = process.argv.slice(2);
if (clone !== undefined) {
  const { measurePrompt } = await import('./prompts.ts');
  const kB = (bytes: number) => (bytes / 1_000).toFixed(0);
  const rows = [];
  for (const range of ranges) {
    const { bytes, requests, ms, groups } = await measurePrompt(clone, range);
    const shares = groups.map(
      ({ kind, bytes: own, share }) => `${kind} ${kB(own)} kB (${(100 * share).toFixed(0)} %)`,
    );
    rows.push([range, kB(bytes), requests, ms.toFixed(0), shares.join(', ')]);
  }
  table(['', 'kB', 'requests', 'ms', 'patches (part of their room)'], rows);
  process.exit();
}

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
  // Without a token it asks no GitHub for the pull request.
  const result = await runAction({ inputs: { ...inputs, githubToken: '' } });
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

const sizes = execFileSync(process.execPath, ['.github/scripts/size.mjs'], { encoding: 'utf8' });
console.log(`Size\n\n\`\`\`\n${sizes}\`\`\`\n`);

const usualNames = Array.from(
  { length: 3_000 },
  (_, n) => `packages/package-${n % 40}/src/components/${n % 7}/file-${n}.test.tsx`,
);
const usualPatterns = Array.from({ length: 100 }, (_, n) =>
  n % 10 === 9 ? `!packages/*-${n}/**/*.test.ts` : `packages/package-${n}/**/*.[jt]sx?`,
);
/** No name on GitHub is longer. */
const LONGEST_NAME = 4_096;

const CASES = [
  { what: '3,000 usual names, 100 usual patterns', names: usualNames, patterns: usualPatterns },
  {
    what: '300 names of 4,096 hyphens, 100 times `**/*-*-*-*.md`',
    names: Array.from({ length: 300 }, () => '-'.repeat(LONGEST_NAME)),
    patterns: Array.from({ length: 100 }, () => '**/*-*-*-*.md'),
  },
  {
    what: '300 names of 4,096 letters, a pattern of 1,000 characters of stars',
    names: Array.from({ length: 300 }, () => 'a'.repeat(LONGEST_NAME)),
    patterns: [`${'*a'.repeat(499)}b`],
  },
  {
    what: '300 names of 4,096 backslashes, a pattern of 1,000 of them',
    names: Array.from({ length: 300 }, () => '\\'.repeat(LONGEST_NAME)),
    patterns: ['\\\\+'.repeat(333)],
  },
];

console.log(
  'The path filter: how long it takes to check a list of names against a list of patterns\n',
);
const times = CASES.map(({ what, names, patterns }) => {
  const startedAt = performance.now();
  names.filter(pathFilter(patterns));
  return [what, (performance.now() - startedAt).toFixed(0)];
});
table(['', 'ms'], times);

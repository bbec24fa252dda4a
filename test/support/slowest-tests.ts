/** Prints the slowest tests and why tests were skipped, after a run. */
import type { Reporter, TestCase, TestModule } from 'vitest/node';
import { cut, logLine } from '../../src/text/escape.ts';

const SHOWN = 10;
const MAX_NAME_LENGTH = 120;

export class SlowestTests implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const tests = modules.flatMap((module) => [...module.children.allTests()]);
    const text = [...slowest(tests), ...skipped(tests)].join('\n');
    // The coverage table comes later, so print these lines last.
    process.once('exit', () => process.stdout.write(`\n${text}\n`));
  }
}

function slowest(tests: readonly TestCase[]): string[] {
  const timed = tests
    .map((test) => ({ test, seconds: (test.diagnostic()?.duration ?? 0) / 1_000 }))
    .sort((a, b) => b.seconds - a.seconds)
    .slice(0, SHOWN);
  return [
    `The ${timed.length} slowest tests:`,
    ...timed.map(({ test, seconds }) => `${seconds.toFixed(1).padStart(6)} s  ${nameOf(test)}`),
  ];
}

/** Each reason once, with the number of tests it skipped. */
function skipped(tests: readonly TestCase[]): string[] {
  const counts = new Map<string, number>();
  for (const test of tests) {
    const result = test.result();
    if (result.state !== 'skipped' || result.note === undefined) continue;
    counts.set(result.note, (counts.get(result.note) ?? 0) + 1);
  }
  if (counts.size === 0) return [];
  return [
    'Skipped:',
    ...[...counts].map(([reason, count]) => `${String(count).padStart(6)} ×  ${reason}`),
  ];
}

/**
 * Formats one line that the runner doesn't read as a command, because some titles are hostile
 * texts.
 */
function nameOf(test: TestCase): string {
  return cut(logLine(`${test.module.relativeModuleId}: ${test.fullName}`), MAX_NAME_LENGTH);
}

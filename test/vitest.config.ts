import { resolve } from 'node:path';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { SlowestTests } from './support/slowest-tests.ts';

/** Their tests wait 4 s to 10 s for limits of the action that cannot be shortened. */
const LONG = /test\/(run|process)\/(advice|at-most-once|cancel|deadline|proxy)\.test\.ts$/;

/** Starts the files that wait longest first: while they wait, the processors are free for others. */
class SpreadWaits extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const isLong = ({ moduleId }: TestSpecification) => LONG.test(moduleId);
    return (await super.sort(files)).sort((a, b) => Number(isLong(b)) - Number(isLong(a)));
  }
}

export default defineConfig({
  root: resolve(import.meta.dirname, '..'),
  test: {
    include: ['test/**/*.test.ts'],
    exclude: ['**/node_modules/**'],
    // No test keeps state in modules. A worker for each file would take a quarter of the time.
    isolate: false,
    testTimeout: 120_000,
    hookTimeout: 120_000,
    // Titles of table tests are shown whole.
    taskTitleValueFormatTruncate: 0,
    // Most of a test's time is waiting for a process or for a pause of the action to pass, so more
    // files, and more tests of a file, run at once than the machine has cores.
    maxWorkers: 7,
    maxConcurrency: 16,
    sequence: { sequencer: SpreadWaits },
    reporters: [
      'default',
      ...(process.env['GITHUB_ACTIONS'] === 'true' ? ['github-actions'] : []),
      new SlowestTests(),
    ],
    coverage: {
      include: ['src/**/*.ts'],
      // The shell runs as a process of its own in the end-to-end tests, where coverage is not seen.
      exclude: ['src/index.ts', 'src/effects/{effects,process}.ts'],
      reporter: ['text-summary'],
      thresholds: { branches: 95, lines: 95 },
    },
  },
});

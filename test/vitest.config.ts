import { delimiter, resolve } from 'node:path';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

// Node reads it when a process starts, so the workers get it from here.
process.env['NODE_EXTRA_CA_CERTS'] = resolve(import.meta.dirname, 'fixtures/tls/authority.pem');
// npm puts many folders before git's, and each process that a test starts looks into all of them.
process.env['PATH'] = process.env['PATH']
  ?.split(delimiter)
  .filter((folder) => !folder.includes('node_modules'))
  .join(delimiter);

/** What starts processes comes first: that costs more, the larger the worker has grown. */
class ProcessesFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const folders = [
      '/test/run/pushes',
      '/test/run/',
      '/test/process/',
      '/test/scripts/',
      '/test/unit/git/',
      '/test/unit/changes/',
      '',
    ];
    const place = ({ moduleId }: TestSpecification) =>
      folders.findIndex((folder) => moduleId.includes(folder));
    return files.sort((a, b) => place(a) - place(b));
  }
}

export default defineConfig({
  root: resolve(import.meta.dirname, '..'),
  test: {
    include: ['test/**/*.test.ts'],
    // No test keeps state in modules. A worker for each file would take a quarter of the time.
    isolate: false,
    // Starting a process costs more, the larger the worker is.
    execArgv: ['--max-semi-space-size=2'],
    testTimeout: 60_000,
    hookTimeout: 60_000,
    // Titles of table tests are shown whole.
    chaiConfig: { truncateThreshold: 0 },
    // Most of a test's time is waiting for a process or for a pause of the action to pass, so more
    // tests of a file run at once than the machine has cores.
    maxWorkers: 2,
    sequence: { sequencer: ProcessesFirst },
    maxConcurrency: 16,
    slowTestThreshold: 2_000,
    coverage: {
      include: ['src/**/*.ts'],
      // Runs as a process of its own in test/process, where coverage is not seen.
      exclude: ['src/index.ts'],
      reporter: ['text-summary'],
      thresholds: { branches: 95, lines: 95 },
    },
  },
});

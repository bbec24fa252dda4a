import { resolve } from 'node:path';
import { defineConfig } from 'vitest/config';

export default defineConfig({
  root: resolve(import.meta.dirname, '..'),
  test: {
    include: ['test/**/*.test.ts'],
    testTimeout: 60_000,
    // Most of a test's time is waiting for a process, so many run at once.
    maxConcurrency: 8,
    coverage: {
      include: ['src/**/*.ts'],
      // The shell runs as a process of its own in the end-to-end tests, where coverage is not seen.
      exclude: ['src/index.ts', 'src/effects/effects.ts'],
      reporter: ['text', 'html'],
      thresholds: { branches: 95, lines: 95 },
    },
  },
});

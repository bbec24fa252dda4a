import { resolve } from 'node:path';
import { defineConfig } from 'vitest/config';

/** The tests that run code of `src` in this process and wait for nothing, to test mutations of that code. */
export default defineConfig({
  root: resolve(import.meta.dirname, '../..'),
  test: {
    include: [
      'test/unit/**/*.test.ts',
      'test/run/{run,advice,append,follow,reading,rerun,histories/*}.test.ts',
    ],
    // They check the documentation and the rules of the runner, which a mutation does not affect.
    exclude: ['test/unit/{docs,runner-rules}.test.ts'],
    testTimeout: 60_000,
  },
});

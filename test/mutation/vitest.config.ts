import { resolve } from 'node:path';
import { defineConfig } from 'vitest/config';

/** The unit tests that run code of `src`, for the mutations of it. */
export default defineConfig({
  root: resolve(import.meta.dirname, '../..'),
  test: {
    include: ['test/unit/**/*.test.ts'],
    // They hold the documentation, lint and the local services, and tell nothing of a mutation.
    exclude: ['test/unit/{docs,rooms,runner-rules,agent-service}.test.ts'],
  },
});

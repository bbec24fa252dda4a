import { resolve } from 'node:path';
import { defineConfig } from 'vitest/config';

/** The unit tests that run code of `src`, for the mutations of it. */
export default defineConfig({
  root: resolve(import.meta.dirname, '../..'),
  test: {
    include: ['test/unit/**/*.test.ts'],
    // The first hold the documentation, lint and the local services, and tell nothing of a mutation.
    // The last two run everything, and would take hours.
    exclude: [
      'test/unit/{docs,rooms,runner-rules,agent-service}.test.ts',
      'test/unit/{properties,many-runs}.test.ts',
    ],
    testTimeout: 60_000,
  },
});

import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';

/** Unit tests stand beside their file; `*.int.test.ts` and `test/` use a real PostgreSQL started once by the global setup. */
export default defineConfig({
  test: {
    include: [
      'packages/*/src/**/*.test.ts',
      'packages/*/test/**/*.test.ts',
      'scripts/**/*.test.ts',
      'bench/**/*.test.ts',
    ],
    globalSetup: ['packages/server/test/global-setup.ts'],
    testTimeout: 30_000,
    hookTimeout: 60_000,
    setupFiles: ['packages/server/test/repeatable.ts'],
    pool: 'forks',
    // Many tests wait for processes more than they compute: one worker for two cores took 15 minutes, two take 9.
    maxWorkers: Math.max(2, availableParallelism() - 1),
  },
});

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
    // What a test waits for happens or does not: the limits only end a run that hangs, however slow the machine is.
    testTimeout: 600_000,
    hookTimeout: 600_000,
    expect: { poll: { timeout: 500_000 } },
    setupFiles: ['packages/server/test/repeatable.ts'],
    pool: 'forks',
    // Many tests wait for processes more than they compute: one worker for two cores took 15 minutes, two take 9.
    maxWorkers: Math.max(2, availableParallelism() - 1),
  },
});

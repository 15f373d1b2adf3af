import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { unitTests } from './scripts/testing/test-files.ts';
import { HOOK_MS, TEST_MS } from './scripts/testing/time-limits.ts';

/**
 * `npm run test:unit`: the quick tests, without a database. Files share a process, which saves importing modules again.
 */
export default defineConfig({
  test: {
    include: unitTests(),
    globalSetup: ['packages/server/test/global-setup.ts'],
    setupFiles: ['packages/server/test/repeatable.ts', 'scripts/testing/large-tests.ts'],
    testTimeout: TEST_MS,
    hookTimeout: HOOK_MS,
    pool: 'forks',
    isolate: false,
    maxWorkers: Math.max(2, availableParallelism()),
  },
});

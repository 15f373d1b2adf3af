import { availableParallelism } from 'node:os';
import { defineConfig, type TestProjectConfiguration } from 'vitest/config';
import { apiTests, otherTests, unitTests } from './scripts/testing/test-files.ts';
import { HOOK_MS, TEST_MS } from './scripts/testing/time-limits.ts';

const project = (name: string, include: string[], isolate: boolean): TestProjectConfiguration => ({
  extends: true,
  test: { name, include, isolate },
});

export default defineConfig({
  test: {
    projects: [
      // Files share a process, which saves importing the same modules hundreds of times.
      project('unit', unitTests(), false),
      project('api', apiTests(), false),
      project('services', otherTests(), true),
    ],
    globalSetup: ['packages/server/test/global-setup.ts'],
    setupFiles: ['packages/server/test/repeatable.ts', 'scripts/testing/large-tests.ts'],
    testTimeout: TEST_MS,
    hookTimeout: HOOK_MS,
    // Polling ends with the time limit of its test.
    expect: { poll: { timeout: 500_000 } },
    pool: 'forks',
    // Many tests wait for processes more than they compute: one worker for two cores took 15 minutes, two take 9.
    maxWorkers: Math.max(2, availableParallelism() - 1),
  },
});

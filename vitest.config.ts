import { readdirSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { HOOK_MS, TEST_MS } from './scripts/testing/time-limits.ts';

/** Unit tests are beside their file. `*.int.test.ts` and `test/` use processes and a real PostgreSQL. */
const project = (name: string, include: string[]) => ({ extends: true as const, test: { name, include } });

/** One project per package: `npm test -- --project parse`. */
export default defineConfig({
  test: {
    projects: [
      ...readdirSync('packages').map((name) => project(name, [`packages/${name}/{src,test}/**/*.test.ts`])),
      project('tools', ['scripts/**/*.test.ts', 'bench/**/*.test.ts']),
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

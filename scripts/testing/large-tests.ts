/** Gives the tests of a large file their long time limit. Runs before each test file. */
import { readFileSync } from 'node:fs';
import { expect, vi } from 'vitest';
import { isLarge } from './test-files.ts';
import { LARGE_TEST_MS } from './time-limits.ts';

const { testPath } = expect.getState();
if (testPath !== undefined && isLarge(readFileSync(testPath, 'utf8'))) {
  vi.setConfig({ testTimeout: LARGE_TEST_MS, hookTimeout: LARGE_TEST_MS });
}

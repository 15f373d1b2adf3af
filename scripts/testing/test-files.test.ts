import { expect, test } from 'vitest';
import { isLarge, unitTests } from './test-files.ts';

test('a file opts in to the long time limit with a reason at its top', () => {
  expect(isLarge('// large: recognises whole pages\nimport …')).toBe(true);
  expect(isLarge('/** What is tested. */\n// large: recognises whole pages\nimport …')).toBe(true);
  expect(isLarge('// large:\nimport …')).toBe(false);
  expect(isLarge("import { test } from 'vitest';\n// large: too late\n")).toBe(false);
});

test('unit tests include those of packages and scripts, and none that needs a database', () => {
  const files = unitTests();
  expect(files).toContain('packages/models/src/read-json.test.ts');
  expect(files).toContain('scripts/testing/test-files.test.ts');
  expect(files.filter((file) => file.endsWith('.int.test.ts') || file.includes('/test/'))).toEqual([]);
});

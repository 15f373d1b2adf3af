import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import {
  allTests,
  apiTests,
  files,
  isLarge,
  isTest,
  needsRoot,
  otherTests,
  root,
  rootTests,
  unitTests,
} from './test-files.ts';

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

test('each test file of the repository is run', () => {
  const all = ['packages', 'scripts', 'bench'].flatMap((folder) =>
    readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' }).map((file) => `${folder}/${file}`),
  );
  const found = all.filter((file) => isTest(file) && !/[/](?:node_modules|dist)[/]/.test(file));
  expect([...unitTests(), ...apiTests(), ...otherTests()].toSorted()).toEqual(found.toSorted());
});

test('a file says with a reason at its top that parts of it need root', () => {
  expect(needsRoot('// root: runs as several accounts\nimport …')).toBe(true);
  expect(needsRoot('// large: starts services\n// root: runs as several accounts\nimport …')).toBe(true);
  expect(isLarge('// root: runs as several accounts\n// large: starts services\nimport …')).toBe(true);
  expect(needsRoot('// root:\nimport …')).toBe(false);
});

const ACCOUNT = /\bprocess\.gete?[ug]id\b|\buserInfo\(\)\.uid\b/;
const readsAccount = (file: string): boolean => ACCOUNT.test(readFileSync(path.join(root, file), 'utf8'));

test('each test file that depends on its account is run as root too', () => {
  expect(allTests().filter(readsAccount)).toEqual(rootTests());
});

test('no file that tests share depends on the account, so that test files show it', () => {
  const shared = [...files('packages')].filter((file) => /[/](?:test|testing)[/]/.test(file) && !isTest(file));
  expect(shared.filter(readsAccount)).toEqual([
    // Only configures the server.
    'packages/connectors/src/testing/servers/openssh.ts',
    // Only `npm run connector-servers` uses its pure-ftpd.
    'packages/server/test/connectors/kind-sources.ts',
    // Only configures PgBouncer, which refuses to run as root.
    'packages/server/test/pgbouncer.ts',
  ]);
});

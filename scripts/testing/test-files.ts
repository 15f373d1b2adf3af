/** Finds the tests of the repository and sorts them by what they need. */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = path.dirname(path.dirname(path.dirname(fileURLToPath(import.meta.url))));
const SERVER_TESTS = 'packages/server/test/';
const SKIPPED_FOLDERS = new Set(['node_modules', 'dist', 'assets', 'results']);

/** Yields the paths of TypeScript files below a folder, relative to the repository. */
export function* files(folder: string): Generator<string> {
  for (const entry of readdirSync(path.join(root, folder), { withFileTypes: true })) {
    const file = path.posix.join(folder, entry.name);
    if (entry.isDirectory() && !SKIPPED_FOLDERS.has(entry.name)) yield* files(file);
    else if (entry.name.endsWith('.ts')) yield file;
  }
}

export const isTest = (file: string): boolean => file.endsWith('.test.ts');

/**
 * Whether a test file opts in to the long time limit, with a line `// large: <reason>` at its top. Such a file needs
 * more than seconds, or a process of its own, and is not part of `npm run test:unit`.
 */
export const isLarge = (source: string): boolean => hasMark(source, 'large');

/** Whether a test file has parts that only root can run, with a line `// root: <reason>` at its top. */
export const needsRoot = (source: string): boolean => hasMark(source, 'root');

/** Up to two lines of comments may precede the mark. */
const hasMark = (source: string, mark: string): boolean =>
  new RegExp(String.raw`^(?:(?://|/\*).*\n){0,2}// ${mark}: \S`).test(source);

/** Returns all test files. */
export const allTests = (): string[] =>
  ['packages', 'scripts', 'bench'].flatMap((folder) => [...files(folder)].filter(isTest));

/** Returns the tests that `.ci/tests` runs as root after all tests have run as an ordinary account. */
export const rootTests = (): string[] => allTests().filter((file) => needsRoot(readTest(file)));

/** Returns the tests that need neither a database nor a process of their own, and take little time. */
export const unitTests = (): string[] => allTests().filter(isUnitTest);

/** Returns the tests that run the service in their own process, over the API only. */
export const apiTests = (): string[] => allTests().filter(isApiTest);

/** Returns the tests of neither list. */
export const otherTests = (): string[] => allTests().filter((file) => !isUnitTest(file) && !isApiTest(file));

const isApiTest = (file: string): boolean => file.startsWith(SERVER_TESTS) && !file.endsWith('.int.test.ts');

/** `*.int.test.ts` and `packages/server/test` use processes and a real PostgreSQL. */
const isUnitTest = (file: string): boolean =>
  !file.endsWith('.int.test.ts') && !file.startsWith(SERVER_TESTS) && !isLarge(readTest(file));

const readTest = (file: string): string => readFileSync(path.join(root, file), 'utf8');

/** Finds the tests of the repository and sorts them by what they need. */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = path.dirname(path.dirname(path.dirname(fileURLToPath(import.meta.url))));
const SKIPPED_FOLDERS = new Set(['node_modules', 'dist', 'data', 'assets', 'results']);

function* testFiles(folder: string): Generator<string> {
  for (const entry of readdirSync(path.join(root, folder), { withFileTypes: true })) {
    const file = path.posix.join(folder, entry.name);
    if (entry.isDirectory() && !SKIPPED_FOLDERS.has(entry.name)) yield* testFiles(file);
    else if (entry.name.endsWith('.test.ts')) yield file;
  }
}

/**
 * Whether a test file opts in to the long time limit, with a line `// large: <reason>` at its top. Such a file needs
 * more than seconds, or a process of its own, and is not part of `npm run test:unit`.
 */
export const isLarge = (source: string): boolean => /^(?:(?:\/\/|\/\*).*\n)?\/\/ large: \S/.test(source);

/** Returns the tests that need neither a database nor a process of their own, and take little time. */
export function unitTests(): string[] {
  return ['packages', 'scripts', 'bench']
    .flatMap((folder) => [...testFiles(folder)])
    .filter((file) => !file.endsWith('.int.test.ts') && !file.startsWith('packages/server/test/'))
    .filter((file) => !isLarge(readFileSync(path.join(root, file), 'utf8')));
}

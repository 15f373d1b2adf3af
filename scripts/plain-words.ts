/**
 * `npm run plain-words`: finds private idiom, wide comments and malformed commit subjects, lists each as file:line, and
 * fails on any (`--strict`). Without arguments this file prints the number of findings per folder; with paths, or
 * `--list`, it prints the findings and does not fail.
 */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { checkCode } from './plain-words/code.ts';
import { checkHistory } from './plain-words/commits.ts';
import type { Finding } from './plain-words/find.ts';
import { checkMarkdown } from './plain-words/markdown.ts';

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
const SKIPPED_FOLDERS = new Set(['node_modules', 'dist', 'results', '.git', '.bootstrap', '.types', 'generated']);
/** The data of a service that was started here. */
const SERVICE_DATA = 'data';
/** The list of idioms holds them all. */
const SKIPPED_FILES = new Set(['scripts/plain-words/idioms.ts', 'scripts/plain-words/plain-words.test.ts']);

function* files(folder: string): Generator<string> {
  for (const entry of readdirSync(path.join(root, folder), { withFileTypes: true })) {
    const file = path.posix.join(folder, entry.name);
    if (entry.isDirectory()) {
      if (!SKIPPED_FOLDERS.has(entry.name) && file !== SERVICE_DATA) yield* files(file);
    } else if (
      /\.(?:ts|tsx|mts|mjs|md)$/.test(entry.name) &&
      !entry.name.endsWith('.d.ts') &&
      !SKIPPED_FILES.has(file)
    ) {
      yield file;
    }
  }
}

function check(file: string): Finding[] {
  const source = readFileSync(path.join(root, file), 'utf8');
  return file.endsWith('.md') ? checkMarkdown(file, source) : checkCode(file, source);
}

/** Three levels of folders, deep enough to show each part of a package. */
const folderOf = (file: string): string => path.posix.dirname(file).split('/').slice(0, 5).join('/');

function printCounts(findings: readonly Finding[]): void {
  const counts = new Map<string, number>();
  for (const { file } of findings) counts.set(folderOf(file), (counts.get(folderOf(file)) ?? 0) + 1);
  for (const [folder, count] of [...counts].toSorted(([one], [other]) => one.localeCompare(other))) {
    console.log(`${String(count).padStart(5)}  ${folder}`);
  }
}

const args = process.argv.slice(2);
const paths = args.filter((each) => !each.startsWith('--')).map((each) => path.posix.normalize(each));
const isChosen = (file: string): boolean =>
  paths.length === 0 || paths.some((each) => file === each || file.startsWith(each.replace(/\/?$/, '/')));
const findings = [...files('.')].filter(isChosen).flatMap(check);
if (paths.length === 0) findings.push(...checkHistory(root));

if (paths.length > 0 || args.includes('--list') || args.includes('--strict')) {
  for (const { file, line, words, suggestion } of findings) {
    console.log(`${file}:${line}: ${words}: ${suggestion}`);
  }
} else {
  printCounts(findings);
}
console.log(`${findings.length} findings`);
if (args.includes('--strict') && findings.length > 0) process.exitCode = 1;

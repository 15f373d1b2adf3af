/** Collects the regular expressions of the packages from their syntax trees. */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { parseSync, Visitor } from 'oxc-parser';

export interface Pattern {
  /** The literal as it is written, or `new RegExp in <file name>` for one that is built at run time. */
  text: string;
  source: string;
  flags: string;
  builtAtRunTime: boolean;
  files: Set<string>;
}

/**
 * Folders whose code runs only in child processes, which are killed at their deadline: a slow pattern costs the
 * document there, not the service. Code of these folders that the main process imports does not belong on this list.
 */
const CHILD_FOLDERS: readonly RegExp[] = [
  /^packages\/parse\/src\/(?:archive|external|formats|latex|layout|legacy|ocr|office|structure|thumbnail)\//,
  /^packages\/process\/src\/edit\/(?:office|pdf|replace|text)\//,
  /^packages\/process\/src\/extract\/(?:engine|model)\//,
];

const isTest = (file: string): boolean => /\.test\.ts$|\/testing\/|conformance\.ts$/.test(file);

/** Returns the source files of the packages that the main process may run, relative to `root`. */
export function mainThreadFiles(root: string): string[] {
  return readdirSync(path.join(root, 'packages'), { recursive: true, encoding: 'utf8' })
    .map((file) => `packages/${file.split(path.sep).join('/')}`)
    .filter((file) => /^packages\/[^/]+\/src\/.*\.ts$/.test(file) && !file.endsWith('.d.ts') && !isTest(file))
    .filter((file) => !CHILD_FOLDERS.some((folder) => folder.test(file)))
    .toSorted();
}

/** Adds the patterns of one file to `patterns`, by their text. */
export function collectPatterns(file: string, source: string, patterns: Map<string, Pattern>): void {
  const add = (pattern: Omit<Pattern, 'files'>): void => {
    const known = patterns.get(pattern.text) ?? { ...pattern, files: new Set() };
    patterns.set(pattern.text, known);
    known.files.add(file);
  };
  const { program, errors } = parseSync(file, source);
  if (errors.length > 0) throw new Error(`${file}: ${errors[0]?.message}`);
  const visitor = new Visitor({
    Literal(node) {
      if (!('regex' in node)) return;
      const { pattern, flags } = node.regex;
      add({ text: `/${pattern}/${flags}`, source: pattern, flags, builtAtRunTime: false });
    },
    NewExpression({ callee }) {
      if (callee.type !== 'Identifier' || callee.name !== 'RegExp') return;
      add({ text: `new RegExp in ${path.posix.basename(file)}`, source: '', flags: '', builtAtRunTime: true });
    },
  });
  visitor.visit(program);
}

export function collectAll(root: string): Map<string, Pattern> {
  const patterns = new Map<string, Pattern>();
  for (const file of mainThreadFiles(root))
    collectPatterns(file, readFileSync(path.join(root, file), 'utf8'), patterns);
  return patterns;
}

/**
 * Compares Markdown output with the expected results of external test sets, using their own tools (`text-sim.mjs`,
 * `olm-tests.mjs`), which may be absent.
 */
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { readJsonLines } from './json-lines.ts';

/** Scores in 0..1; null if the file has no such content. */
export interface Score {
  /** Character similarity of the plain texts, or share of passed tests. */
  text: number | null;
  headingRecall?: number | null;
  headingPrecision?: number | null;
  cells?: number | null;
}

interface Comparison {
  char_sim: number | null;
  heading_recall: number | null;
  heading_precision: number | null;
  table_cell_f1?: number | null;
}

interface PageTest {
  pdf: string;
  [property: string]: unknown;
}

export interface Scorer {
  /** Undefined for a file without an expected result. */
  score: (file: string, markdown: string) => Score | undefined;
}

/** Undefined when the tools are absent. */
export async function loadScorer(tools: string): Promise<Scorer | undefined> {
  if (!existsSync(path.join(tools, 'text-sim.mjs'))) return undefined;
  const load = (name: string): Promise<unknown> => import(pathToFileURL(path.join(tools, name)).href);
  const { compare } = (await load('text-sim.mjs')) as {
    compare: (gold: string, ours: string, tables: unknown) => Comparison;
  };
  const { runTest } = (await load('olm-tests.mjs')) as {
    runTest: (test: PageTest, markdown: string) => boolean | null;
  };
  return {
    score: (file, markdown) => {
      const gold = goldOf(file);
      if (gold !== undefined) return compared(gold, markdown, compare);
      const tests = testsOf(file);
      if (tests.length === 0) return undefined;
      const passed = tests.filter((test) => runTest(test, markdown) === true).length;
      return { text: passed / tests.length };
    },
  };
}

function compared(
  gold: string,
  markdown: string,
  compare: (gold: string, ours: string, tables: unknown) => Comparison,
): Score {
  const expected = readFileSync(gold, 'utf8');
  const tables: unknown = gold.endsWith('.json') ? JSON.parse(expected) : null;
  const found = compare(expected, markdown, tables);
  return {
    // For files whose gold is JSON or HTML, only tables are compared.
    text: tables === null && !gold.endsWith('.html') ? found.char_sim : null,
    headingRecall: found.heading_recall,
    headingPrecision: found.heading_precision,
    cells: found.table_cell_f1 ?? null,
  };
}

function goldOf(file: string): string | undefined {
  const stem = file.replace(/\.[^.]+$/, '');
  const names = [`${file}.gold.md`, `${file}.gold.txt`, `${file}.gold.html`, `${stem}.gold.txt`, `${stem}.gold.json`];
  return names.find((name) => existsSync(name));
}

/** Runs the pass-or-fail tests of pages from the file beside the folder of the PDFs. */
function testsOf(file: string): PageTest[] {
  const list = path.join(path.dirname(file), '..', 'tests.jsonl');
  if (!existsSync(list)) return [];
  return readJsonLines<PageTest>(list).filter((test) => test.pdf === path.basename(file));
}

/**
 * Compares the words of born-digital PDFs with those that poppler's `pdftotext` reads: lists the share of its words
 * that Quire has, the share of Quire's words that it has not, and the words that are missing most often.
 *
 *     npm run bench:words -- FOLDER|FILE.pdf… [--below .98]
 *
 * Running headers and page numbers, which Quire leaves out, are dropped from `pdftotext`'s pages first: lines at the
 * ends of a page that repeat on other pages with other numbers.
 */
import { execFile } from 'node:child_process';
import path from 'node:path';
import { parseArgs, promisify } from 'node:util';
import type { Block } from '@quire/blocks/block';
import { ownText, walkBlocks } from '@quire/blocks/walk';
import type { ParseContext } from '@quire/parse/parser';
import { pdfFiles, readPdf, withContext } from './pdf-files.ts';

const MAX_OUTPUT = 512 * 2 ** 20;
/** Lines at each end of a page that may be running lines, and pages on which such a line repeats. */
const EDGE_LINES = 3;
const MIN_REPEATS = 3;
const SHOWN_WORDS = 12;
/** Minimum length of a word that is looked for inside longer words. */
const MIN_PART = 3;

interface Compared {
  /** Number of words of `pdftotext`. */
  words: number;
  recall: number;
  /** Share of Quire's words that `pdftotext` has not. */
  extra: number;
  /** Missing words with their counts, most frequent first. */
  missing: [string, number][];
}

const execute = promisify(execFile);

async function referenceText(file: string): Promise<string> {
  const { stdout } = await execute('pdftotext', ['-q', '-enc', 'UTF-8', file, '-'], { maxBuffer: MAX_OUTPUT });
  return withoutRunningLines(stdout.split('\f'));
}

/** Drops lines at the ends of pages that are numbers, or that repeat on other pages once digits are masked. */
function withoutRunningLines(pages: readonly string[]): string {
  const lines = pages.map((page) => page.split('\n').filter((line) => line.trim() !== ''));
  const keyOf = (line: string): string => line.trim().replaceAll(/\d+|\b[ivxlc]+\b/g, '#');
  const counts = new Map<string, number>();
  const isEdge = (index: number, length: number): boolean => index < EDGE_LINES || index >= length - EDGE_LINES;
  for (const page of lines) {
    const keys = new Set(page.filter((_, index) => isEdge(index, page.length)).map(keyOf));
    for (const key of keys) counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  const isRunning = (line: string): boolean => keyOf(line) === '#' || (counts.get(keyOf(line)) ?? 0) >= MIN_REPEATS;
  return lines
    .flatMap((page) => page.filter((line, index) => !(isEdge(index, page.length) && isRunning(line))))
    .join('\n');
}

/** Counts words; scripts without spaces are counted by character. Words divided at line ends are joined. */
function countWords(text: string): Map<string, number> {
  const counts = new Map<string, number>();
  const whole = text
    .normalize('NFKC')
    .replaceAll(/(\p{L})[-\u2010\u00ad]\n\s*(?=\p{Ll})/gu, '$1')
    .toLowerCase();
  for (const [word] of whole.matchAll(
    /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]|[\p{L}\p{M}\p{N}]+/gu,
  ))
    counts.set(word, (counts.get(word) ?? 0) + 1);
  return counts;
}

function compare(reference: string, text: string): Compared {
  const [wanted, own] = [countWords(reference), countWords(text)];
  const left = new Map(own);
  const missing = new Map<string, number>();
  let total = 0;
  for (const [word, count] of wanted) {
    total += count;
    const found = Math.min(count, own.get(word) ?? 0);
    left.set(word, (own.get(word) ?? 0) - found);
    if (found < count) missing.set(word, count - found);
  }
  dropParts(missing, left);
  const sum = (counts: ReadonlyMap<string, number>): number => [...counts.values()].reduce((a, b) => a + b, 0);
  return {
    words: total,
    recall: total === 0 ? 1 : 1 - sum(missing) / total,
    extra: sum(left) / Math.max(1, sum(own)),
    missing: [...missing].toSorted((a, b) => b[1] - a[1]).slice(0, SHOWN_WORDS),
  };
}

/** Removes words that are parts of longer words on the other side: both divide compounds and formulas differently. */
function dropParts(missing: Map<string, number>, left: Map<string, number>): void {
  const rest = [...left].filter(([, count]) => count > 0).map(([word]) => word);
  const whole = rest.join(' ');
  const letters = rest.filter((word) => word.length >= MIN_PART);
  for (const word of missing.keys()) {
    const isPart = word.length >= MIN_PART && whole.includes(word);
    if (isPart || letters.some((part) => word.length > part.length && word.startsWith(part))) missing.delete(word);
  }
}

async function ownTextOf(file: string, context: ParseContext): Promise<string> {
  const { blocks } = await readPdf(file, context);
  return Array.from(walkBlocks(blocks), (block) => `${ownText(block)}\n${numbersOf(block)}`).join('\n');
}

/** Returns the numbers of an ordered list, which are not in the text of its items. */
const numbersOf = ({ type, ordered, start = 1, children = [] }: Block): string =>
  type === 'list' && ordered === true ? children.map((_, index) => start + index).join(' ') : '';

const { values, positionals } = parseArgs({
  options: { below: { type: 'string', default: '.98' } },
  allowPositionals: true,
});
if (positionals.length === 0) throw new Error('usage: npm run bench:words -- FOLDER|FILE.pdf… [--below .98]');
const recalls: number[] = [];
await withContext(async (context) => {
  for (const file of await pdfFiles(positionals)) {
    const { words, recall, extra, missing } = compare(await referenceText(file), await ownTextOf(file, context));
    // A scan has no words to compare.
    if (words === 0) continue;
    recalls.push(recall);
    console.log(`${recall.toFixed(4)} of ${words} words, ${extra.toFixed(4)} extra: ${path.basename(file)}`);
    if (recall < Number(values.below))
      console.log(`  missing: ${missing.map(([word, count]) => `${word} ${count}`).join(', ')}`);
  }
});
const low = recalls.filter((recall) => recall < Number(values.below)).length;
const mean = recalls.reduce((sum, recall) => sum + recall, 0) / Math.max(1, recalls.length);
console.log(`${recalls.length} documents, mean ${mean.toFixed(4)}, ${low} below ${values.below}`);

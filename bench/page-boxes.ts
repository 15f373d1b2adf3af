/**
 * Checks the boxes of quotes on real PDFs: picks sentences of each page, reads the words under their boxes from the PDF
 * again, and draws a contact sheet of the pages with the boxes marked.
 *
 *     npm run bench:boxes -- sheet.jpg a.pdf b.pdf
 */
import path from 'node:path';
import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import sharp from 'sharp';
import type { Block } from '@quire/blocks/block';
import { finishTree } from '@quire/blocks/finish-tree';
import { boxesOfRange, type PageBox } from '@quire/blocks/text-lines';
import { walkBlocks } from '@quire/blocks/walk';
import { textUnder } from '@quire/parse/formats/pdf/testing/text-under';
import { readerFor } from '@quire/parse/formats';
import { drawPage } from '@quire/parse/page-pictures/draw-page';
import { markPicture } from '@quire/parse/page-pictures/mark-picture';
import type { ParseContext, SourceFile } from '@quire/parse/parser';
import { limits, options } from '@quire/process/tasks/testing/default-reading';

const MAX_SHEET_PAGES = 60;
const COLUMNS = 10;
const TILE = { width: 400, height: 560 };
const MIN_QUOTE = 20;
const SENTENCE = /[^.!?。！？]+[.!?。！？]+/gu;

interface Quote {
  text: string;
  boxes: PageBox[];
  /** Mean length of the lines of the block. */
  lineLength: number;
}

interface Checked {
  /** Share of the words of the quote that are under its boxes. */
  found: number;
  /** Other text under the boxes, in lines. */
  others: number;
}

/** Returns up to `perPage` sentences of each page, spread over the page. */
function quotesOf(blocks: readonly Block[], perPage: number): Map<number, Quote[]> {
  const pages = new Map<number, Quote[]>();
  for (const block of walkBlocks(blocks)) {
    const { text = '', lines = [], page } = block;
    if (page === undefined || lines.length === 0) continue;
    for (const match of text.matchAll(SENTENCE)) {
      const quote = match[0].trim();
      if (quote.length < MIN_QUOTE) continue;
      const start = match.index + match[0].indexOf(quote);
      const boxes = boxesOfRange(block, start, start + quote.length);
      const quotes = pages.get(page) ?? [];
      pages.set(page, [...quotes, { text: quote, boxes, lineLength: text.length / lines.length }]);
    }
  }
  for (const [page, quotes] of pages) {
    const step = Math.max(1, quotes.length / perPage);
    const chosen = new Set(Array.from({ length: perPage }, (_, at) => Math.floor(at * step)));
    pages.set(
      page,
      quotes.filter((_, at) => chosen.has(at)),
    );
  }
  return pages;
}

const lettersOf = (text: string): string[] => Array.from(text.normalize('NFKC').replaceAll(/[^\p{L}\p{N}]/gu, ''));

/** Compares letters and not words, as drawing order and hyphens divide words differently. */
async function check(file: string, { text, boxes, lineLength }: Quote): Promise<Checked> {
  const under = lettersOf((await textUnder(file, boxes)).join(''));
  const wanted = lettersOf(text);
  const rest = new Map<string, number>();
  for (const letter of under) rest.set(letter, (rest.get(letter) ?? 0) + 1);
  let found = 0;
  for (const letter of wanted) {
    const left = rest.get(letter) ?? 0;
    if (left > 0) found += 1;
    rest.set(letter, left - 1);
  }
  return { found: found / Math.max(1, wanted.length), others: (under.length - found) / Math.max(1, lineLength) };
}

async function sheetOf(tiles: readonly Buffer[], target: string): Promise<void> {
  const rows = Math.ceil(tiles.length / COLUMNS);
  const width = COLUMNS * TILE.width;
  const height = Math.max(1, rows) * TILE.height;
  await sharp({ create: { width, height, channels: 3, background: '#888' } })
    .composite(
      tiles.map((input, at) => ({
        input,
        left: (at % COLUMNS) * TILE.width,
        top: Math.floor(at / COLUMNS) * TILE.height,
      })),
    )
    .jpeg({ quality: 75 })
    .toFile(target);
}

async function tileOf(
  file: SourceFile,
  page: number,
  quotes: readonly Quote[],
  context: ParseContext,
): Promise<Buffer> {
  const picture = await drawPage({ file, page, width: TILE.width, limitPixels: limits.maxPixels }, context);
  if (picture === null) throw new Error(`no picture of page ${page}`);
  const boxes = quotes.flatMap((quote) => quote.boxes.filter((box) => box.page === page).map(({ box }) => box));
  return sharp(await markPicture({ picture, boxes, mark: true }))
    .resize(TILE.width - 8, TILE.height - 8, { fit: 'contain', background: '#888' })
    .png()
    .toBuffer();
}

async function main(target: string, files: readonly string[]): Promise<void> {
  const tempDir = await mkdtemp(path.join(tmpdir(), 'quire-boxes-'));
  const tiles: Buffer[] = [];
  const perFile = Math.max(1, Math.floor(MAX_SHEET_PAGES / Math.max(1, files.length)));
  const context: ParseContext = {
    options: { ...options, ocr: 'never' },
    limits,
    signal: new AbortController().signal,
    tempDir,
    onProgress: () => undefined,
  };
  const { parse } = await readerFor('pdf');
  for (const name of files) {
    const { size: sizeBytes } = await stat(name);
    const file: SourceFile = { path: name, name, sizeBytes, format: 'pdf', contentType: 'application/pdf' };
    const tree = finishTree(await parse(file, context), null);
    const pages = quotesOf(tree.blocks, 4);
    const checked: (Checked & { quote: Quote })[] = [];
    for (const quotes of pages.values()) {
      for (const quote of quotes) checked.push({ ...(await check(name, quote)), quote });
    }
    report(name, checked);
    const step = Math.max(1, pages.size / perFile);
    const shown = [...pages].filter((_, at) => Math.floor(at / step) !== Math.floor((at - 1) / step));
    for (const [page, quotes] of shown.slice(0, perFile)) tiles.push(await tileOf(file, page, quotes, context));
  }
  await sheetOf(tiles, target);
  await rm(tempDir, { recursive: true });
  console.log(`${tiles.length} pages in ${target}`);
}

function report(name: string, checked: readonly (Checked & { quote: Quote })[]): void {
  const whole = checked.filter(({ found }) => found >= 0.98).length;
  const tight = checked.filter(({ others }) => others <= 1.5).length;
  const percent = (count: number): string => ((100 * count) / Math.max(1, checked.length)).toFixed(1);
  console.log(
    `${path.basename(name)}: ${checked.length} quotes, ${percent(whole)} % whole, ${percent(tight)} % with at most 1.5 lines of others`,
  );
  for (const { found, others, quote } of checked.filter((each) => each.found < 0.9 || each.others > 2.5).slice(0, 5)) {
    const [first] = quote.boxes;
    const text = quote.text.slice(0, 70);
    console.log(`  page ${first?.page}: ${found.toFixed(2)} found, ${others.toFixed(1)} lines of others: ${text}`);
  }
}

const [target, ...files] = process.argv.slice(2);
if (target === undefined || files.length === 0) throw new Error('usage: npm run bench:boxes -- SHEET.jpg FILE.pdf…');
await main(target, files);

/**
 * Draws documents for visual inspection: `node --import tsx scripts/contact-sheet.ts --out DIR FILE...` writes a PNG
 * per file, its first page beside the parsed rendering; with `--at 0.5`, the page in the middle beside the blocks of
 * that page. With `--boxes`, it writes sheets of `--columns` times `--columns` pages with the boxes of their blocks,
 * `--pages` of each file at equal distances. PDFium draws pages (office files through `soffice`), `chromium` draws
 * HTML and the rendering; both programs must be on the PATH.
 */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { gunzipSync } from 'node:zlib';
import sharp from 'sharp';
import type { Block, DocumentTree } from '@quire/blocks/block';
import { toHtml } from '@quire/blocks/to-html';
import { walkBlocks } from '@quire/blocks/walk';
import type { SourceFile } from '@quire/parse/parser';
import { createSandboxClient } from '@quire/process/tasks/create-sandbox-client';
import { openTaskPool } from '@quire/process/tasks/task-pool';
import { chunking, limits, options } from '@quire/process/tasks/testing/default-reading';
import { inspectUpload } from '@quire/parse/validate/inspect-upload';

const WIDTH = 800;
const HEIGHT = 1130;
const OFFICE = /^(docx?|xlsx?|pptx?|od[tsp]|rtf)$/;
const task = { signal: new AbortController().signal };

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    out: { type: 'string', default: 'contact-sheet' },
    at: { type: 'string' },
    boxes: { type: 'boolean', default: false },
    pages: { type: 'string', default: '1' },
    columns: { type: 'string', default: '3' },
  },
});
const directory = mkdtempSync(path.join(tmpdir(), 'quire-sheet-'));
const pool = await openTaskPool();
const sandbox = createSandboxClient(pool, { timeoutMs: 120_000 });

async function sourceOf(file: string): Promise<SourceFile> {
  const inspected = await inspectUpload(file, path.basename(file), null, limits);
  return { path: file, name: path.basename(file), sizeBytes: statSync(file).size, ...inspected };
}

function screenshot(page: string): string {
  const picture = path.join(directory, 'screen.png');
  const size = [`--window-size=${WIDTH},${HEIGHT}`, `--screenshot=${picture}`, pathToFileURL(page).href];
  const flags = [
    '--headless',
    '--no-sandbox',
    '--disable-gpu',
    '--hide-scrollbars',
    `--user-data-dir=${directory}/profile`,
  ];
  execFileSync('chromium', [...flags, ...size], { stdio: 'ignore', timeout: 60_000 });
  return picture;
}

/** Draws the document as its own program shows it. */
async function shown(source: SourceFile): Promise<string | Buffer> {
  if (source.format === 'html') return screenshot(source.path);
  if (!OFFICE.test(source.format)) return drawn(source);
  const convert = ['--headless', '--convert-to', 'pdf', '--outdir', directory, source.path];
  execFileSync('soffice', [`-env:UserInstallation=${pathToFileURL(directory).href}/office`, ...convert], {
    stdio: 'ignore',
  });
  return drawn(await sourceOf(path.join(directory, `${path.parse(source.path).name}.pdf`)));
}

async function drawn(file: SourceFile): Promise<Buffer> {
  const picture = await sandbox.thumbnail({ file, options, limits, tree: null, maxSide: HEIGHT }, task);
  return Buffer.from(picture ?? []);
}

async function treeOf(file: SourceFile): Promise<DocumentTree> {
  const { tree } = await sandbox.parseAndChunk({ file, options, limits, chunking }, task);
  return JSON.parse(gunzipSync(tree).toString('utf8'));
}

/** Draws a rendering; long documents are truncated so that the first page stays legible. */
function rendered(tree: DocumentTree): string {
  const page = path.join(directory, 'read.html');
  const style =
    'body{font:13px/1.35 sans-serif;margin:10px}table{border-collapse:collapse;font-size:11px}td,th{border:1px solid #999;padding:1px 4px}figure{border:1px dashed #c60;margin:4px}h1{font-size:22px}h2{font-size:18px}h3,h4{font-size:15px;color:#036}';
  writeFileSync(page, toHtml(tree).replace('</head>', `<style>${style}</style></head>`));
  return screenshot(page);
}

/** Draws the page at a share of the document (0 to 1), and the blocks that have a part on it. */
async function pageAndBlocks(file: SourceFile, share: number): Promise<[Buffer, string]> {
  const tree = await treeOf(file);
  const page = Math.min(tree.pageCount ?? 1, 1 + Math.floor(share * (tree.pageCount ?? 1)));
  const picture = await sandbox.drawPage({ file, page, width: TILE, limitPixels: limits.maxPixels }, task);
  if (picture === null) throw new Error(`page ${page} has no picture`);
  return [picture, rendered({ ...tree, blocks: onPage(tree.blocks, page) })];
}

/** Returns the blocks of a page without their ancestors on earlier pages. */
function onPage(blocks: readonly Block[], page: number): Block[] {
  return blocks.flatMap((block) => {
    const children = onPage(block.children ?? [], page);
    if (block.page !== page) return children;
    return [block.children === undefined ? block : { ...block, children }];
  });
}

async function sheet(file: string): Promise<void> {
  const source = await sourceOf(file);
  const side = async (picture: string | Buffer): Promise<Buffer> =>
    sharp(picture).resize(WIDTH, HEIGHT, { fit: 'contain', background: '#888', position: 'top' }).png().toBuffer();
  const [shownPage, readPage] =
    values.at === undefined
      ? [await shown(source), rendered(await treeOf(source))]
      : await pageAndBlocks(source, Number(values.at));
  const [left, right] = [await side(shownPage), await side(readPage)];
  const blank = sharp({ create: { width: WIDTH * 2 + 10, height: HEIGHT, channels: 3, background: '#c00' } });
  const out = path.join(values.out, `${path.basename(file)}.png`);
  await blank
    .composite([
      { input: left, left: 0, top: 0 },
      { input: right, left: WIDTH + 10, top: 0 },
    ])
    .png()
    .toFile(out);
  console.log(out);
}

const COLOURS: Readonly<Record<string, string>> = {
  heading: '#d00000',
  paragraph: '#0060d0',
  listItem: '#008030',
  table: '#c000c0',
  code: '#707000',
  figure: '#e07000',
  formula: '#00a0a0',
  footnote: '#705030',
  caption: '#a05000',
};
const TILE = 800;

/** Draws a page with the boxes of its blocks: colours name the types, labels the types and levels of headings. */
async function boxed(file: SourceFile, tree: DocumentTree, page: number): Promise<Buffer> {
  const picture = await sandbox.drawPage({ file, page, width: TILE, limitPixels: limits.maxPixels }, task);
  if (picture === null) throw new Error(`page ${page} has no picture`);
  const { width = TILE, height = TILE } = await sharp(picture).metadata();
  const rectangle = ({ type, level, bbox }: Block): string => {
    if (bbox === undefined || bbox === null) return '';
    const [x, y] = [bbox[0] * width, bbox[1] * height];
    const size = `width="${(bbox[2] - bbox[0]) * width}" height="${(bbox[3] - bbox[1]) * height}"`;
    const colour = COLOURS[type] ?? '#808080';
    const label = `${type.slice(0, 4)}${level ?? ''}`;
    return (
      `<rect x="${x}" y="${y}" ${size} fill="${colour}" fill-opacity=".07" stroke="${colour}" stroke-width="1.5"/>` +
      `<text x="${Math.max(0, x - 34)}" y="${y + 10}" font-size="11" fill="${colour}">${label}</text>`
    );
  };
  const own = Array.from(walkBlocks(tree.blocks)).filter((block) => block.page === page && block.type !== 'list');
  const marks = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">${own.map(rectangle).join('')}</svg>`;
  // In one pipeline, the picture would be resized before the marks are drawn on it.
  const marked = await sharp(picture)
    .composite([{ input: Buffer.from(marks) }])
    .png()
    .toBuffer();
  return sharp(marked).resize(TILE, HEIGHT, { fit: 'contain', background: '#888', position: 'top' }).png().toBuffer();
}

/** Returns pages of a file at equal distances. */
async function boxedPages(name: string): Promise<Buffer[]> {
  const file = await sourceOf(name);
  const tree = await treeOf(file);
  const last = tree.pageCount ?? 1;
  const count = Math.min(last, Number(values.pages));
  const pages = Array.from({ length: count }, (_, index) => 1 + Math.floor(((index + 0.5) * last) / count));
  const drawnPages: Buffer[] = [];
  for (const page of pages) {
    drawnPages.push(await boxed(file, tree, page));
    console.log(`${path.basename(name)}, page ${page}`);
  }
  return drawnPages;
}

/** Writes sheets of pages, from left to right and top to bottom. */
async function writeSheets(tiles: readonly Buffer[]): Promise<void> {
  const columns = Number(values.columns);
  for (let from = 0; from < tiles.length; from += columns ** 2) {
    const own = tiles.slice(from, from + columns ** 2);
    const rows = Math.ceil(own.length / columns);
    const size = { width: columns * (TILE + 6), height: rows * (HEIGHT + 6) };
    const out = path.join(values.out, `sheet-${1 + from / columns ** 2}.png`);
    await sharp({ create: { ...size, channels: 3, background: '#c00' } })
      .composite(
        own.map((input, index) => ({
          input,
          left: (index % columns) * (TILE + 6),
          top: Math.floor(index / columns) * (HEIGHT + 6),
        })),
      )
      .png()
      .toFile(out);
    console.log(out);
  }
}

mkdirSync(values.out, { recursive: true });
const tiles: Buffer[] = [];
for (const file of positionals) {
  try {
    if (values.boxes) tiles.push(...(await boxedPages(file)));
    else await sheet(file);
  } catch (error) {
    console.error(`${file}: ${error instanceof Error ? error.message : String(error)}`);
  }
}
await writeSheets(tiles);
await pool.close();
rmSync(directory, { recursive: true, force: true });

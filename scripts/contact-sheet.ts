/**
 * Draws a document beside its parsed rendering, for visual inspection:
 * `node --import tsx scripts/contact-sheet.ts --out DIR FILE...`. PDFium draws pages (office files through `soffice`),
 * `chromium` draws HTML and the rendering; both programs must be on the PATH. Writes one PNG per file.
 */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { gunzipSync } from 'node:zlib';
import sharp from 'sharp';
import type { DocumentTree } from '@quire/blocks/block';
import { toHtml } from '@quire/blocks/to-html';
import type { SourceFile } from '@quire/parse/parser';
import { createSandboxClient } from '@quire/process/tasks/create-sandbox-client';
import { createTaskPool } from '@quire/process/tasks/task-pool';
import { chunking, limits, options } from '@quire/process/tasks/testing/default-reading';
import { inspectUpload } from '@quire/parse/validate/inspect-upload';

const WIDTH = 800;
const HEIGHT = 1130;
const OFFICE = /^(docx?|xlsx?|pptx?|od[tsp]|rtf)$/;
const task = { signal: new AbortController().signal };

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { out: { type: 'string', default: 'contact-sheet' } },
});
const directory = mkdtempSync(path.join(tmpdir(), 'quire-sheet-'));
const pool = createTaskPool();
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

/** Draws the rendering; long documents are truncated so that the first page stays legible. */
async function read(file: SourceFile): Promise<string> {
  const { tree } = await sandbox.parseAndChunk({ file, options, limits, chunking }, task);
  const stored: DocumentTree = JSON.parse(gunzipSync(tree).toString('utf8'));
  const page = path.join(directory, 'read.html');
  const style =
    'body{font:13px/1.35 sans-serif;margin:10px}table{border-collapse:collapse;font-size:11px}td,th{border:1px solid #999;padding:1px 4px}figure{border:1px dashed #c60;margin:4px}h1{font-size:22px}h2{font-size:18px}h3,h4{font-size:15px;color:#036}';
  writeFileSync(page, toHtml(stored).replace('</head>', `<style>${style}</style></head>`));
  return screenshot(page);
}

async function sheet(file: string): Promise<void> {
  const source = await sourceOf(file);
  const side = async (picture: string | Buffer): Promise<Buffer> =>
    sharp(picture).resize(WIDTH, HEIGHT, { fit: 'contain', background: '#888', position: 'top' }).png().toBuffer();
  const [left, right] = [await side(await shown(source)), await side(await read(source))];
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

mkdirSync(values.out, { recursive: true });
for (const file of positionals) {
  try {
    await sheet(file);
  } catch (error) {
    console.error(`${file}: ${error instanceof Error ? error.message : String(error)}`);
  }
}
await pool.close();
rmSync(directory, { recursive: true, force: true });

/**
 * `npm run bench:parse`: speed, memory and accuracy of parsing, per format. Generated files are always measured;
 * external test sets (`--data DIR`) with their scores if present. `--only docx,pdf` selects rows by a part of their
 * name, `--worst N` lists the N lowest scores of each set. JSON is written to `bench/results/`.
 */
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism, cpus, tmpdir, totalmem } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { sampleFiles } from '@quire/parse/testing/sample-files';
import { degradedScans } from './degraded-scans.ts';
import { readFiles, type Cost } from './parse-run.ts';
import { loadScorer, type Score, type Scorer } from './parse-scores.ts';
import { round } from './statistics.ts';

interface Row {
  name: string;
  files: number;
  failed: string[];
  pages: number;
  documentsPerSecond: number;
  pagesPerSecond: number;
  cpuMsPerDocument: number;
  cpuMsPerPage: number;
  peakMb: number;
  scores: Score;
  scored: ({ file: string } & Score)[];
}

const COPIES = 40;
/** Limit for OCR, which takes seconds per page. */
const SCAN_COPIES = 2;
const LONG_PDF_PAGES = 600;

const here = path.dirname(fileURLToPath(import.meta.url));
const { values } = parseArgs({
  options: {
    data: { type: 'string', default: path.join(here, '..', '..', 'shared', 'eval') },
    only: { type: 'string', default: '' },
    worst: { type: 'string', default: '0' },
  },
});
const machine = `${availableParallelism()} × ${cpus()[0]?.model ?? 'unknown'}, ${Math.round(totalmem() / 2 ** 30)} GB, Node ${process.versions.node}`;

/** Files by the name of their row, such as `made here/docx` or `icdar2013-tables/pdf`. */
async function filesByRow(directory: string): Promise<Map<string, string[]>> {
  const rows = new Map<string, string[]>();
  for (const { name, bytes } of await sampleFiles()) {
    const copies = name.startsWith('scan') ? SCAN_COPIES : COPIES;
    const file = path.join(directory, name);
    writeFileSync(file, bytes);
    // Archives are unpacked, not parsed.
    if (!name.endsWith('.zip'))
      rows.set(
        `made here/${name}`,
        Array.from({ length: copies }, () => file),
      );
  }
  const long = (await sampleFiles(LONG_PDF_PAGES)).find(({ name }) => name === 'report.pdf');
  writeFileSync(path.join(directory, 'long.pdf'), long?.bytes ?? '');
  rows.set(`made here/${LONG_PDF_PAGES} pages.pdf`, [path.join(directory, 'long.pdf')]);
  for (const { name, picture, text } of await degradedScans()) {
    const scan = path.join(directory, `${name}.png`);
    writeFileSync(scan, picture);
    writeFileSync(`${scan}.gold.txt`, text);
    rows.set(`scans made here/${name}`, [scan]);
  }
  addSets(rows, path.join(values.data, 'data', 'parsing'), '');
  addSets(rows, path.join(values.data, 'data', 'extraction', 'sroie'), 'sroie');
  return rows;
}

/** Returns a row for each format of each set. The folder may be one set or contain several. */
function addSets(rows: Map<string, string[]>, folder: string, set: string): void {
  const found = existsSync(folder) ? readdirSync(folder, { recursive: true, encoding: 'utf8' }) : [];
  for (const name of found.filter(isDocument).toSorted()) {
    const row = `${set === '' ? name.split(path.sep)[0] : set}/${path.extname(name).slice(1)}`;
    rows.set(row, [...(rows.get(row) ?? []), path.join(folder, name)]);
  }
}

const isDocument = (name: string): boolean =>
  /\.(pdf|docx|xlsx|pptx|od[tsp]|html|md|csv|png|jpe?g|tiff?)$/.test(name) && !/\.gold\.|SOURCE\.md/.test(name);

function rowOf(name: string, cost: Cost, scorer: Scorer | undefined): Row {
  const read = cost.readings.filter((reading) => reading.failure === undefined);
  const pages = read.reduce((sum, reading) => sum + reading.pages, 0);
  const scored = cost.readings.flatMap(({ file, markdown }) => {
    const score = scorer?.score(file, markdown ?? '');
    return score === undefined ? [] : [{ file: path.basename(file), ...score }];
  });
  return {
    name,
    files: cost.readings.length,
    failed: cost.readings.flatMap(({ file, failure }) =>
      failure === undefined ? [] : [`${path.basename(file)}: ${failure}`],
    ),
    pages,
    documentsPerSecond: round(read.length / cost.seconds),
    pagesPerSecond: round(pages / cost.seconds),
    cpuMsPerDocument: round(cost.cpuMs / read.length),
    cpuMsPerPage: round(cost.cpuMs / pages, 2),
    peakMb: cost.peakMb,
    scores: {
      text: mean(scored.map((score) => score.text)),
      headingRecall: mean(scored.map((score) => score.headingRecall)),
      headingPrecision: mean(scored.map((score) => score.headingPrecision)),
      cells: mean(scored.map((score) => score.cells)),
    },
    scored,
  };
}

function mean(shares: readonly (number | null | undefined)[]): number | null {
  const known = shares.filter((share) => typeof share === 'number');
  return known.length === 0 ? null : round(known.reduce((sum, share) => sum + share, 0) / known.length, 4);
}

const COLUMNS = [
  'files',
  'pages',
  'docs/s',
  'pages/s',
  'CPU ms/doc',
  'CPU ms/page',
  'peak MB',
  'text',
  'heads',
  'h prec',
  'cells',
];
const share = (value: number | null | undefined): string => (typeof value === 'number' ? value.toFixed(3) : '');

function line(name: string, cells: readonly (string | number)[]): string {
  const padded = cells.map((cell, index) => String(cell).padStart((COLUMNS[index]?.length ?? 0) + 2));
  return name.padEnd(34) + padded.join('');
}

function print(row: Row): void {
  const { text, headingRecall, headingPrecision, cells } = row.scores;
  const shares = [text, headingRecall, headingPrecision, cells].map(share);
  const speeds = [row.documentsPerSecond, row.pagesPerSecond, row.cpuMsPerDocument, row.cpuMsPerPage, row.peakMb];
  console.log(line(row.name, [row.files, row.pages, ...speeds, ...shares]));
  for (const failure of new Set(row.failed)) console.log(`  failed: ${failure}`);
  const lowest = row.scored.toSorted((a, b) => lowestShare(a) - lowestShare(b)).slice(0, Number(values.worst));
  for (const { file, ...score } of lowest)
    console.log(`  ${share(score.text)} heads ${share(score.headingRecall)} cells ${share(score.cells)} ${file}`);
}

const lowestShare = (score: Score): number => Math.min(score.text ?? 1, score.headingRecall ?? 1, score.cells ?? 1);

const directory = mkdtempSync(path.join(tmpdir(), 'quire-bench-parse-'));
const wanted = values.only.split(',');
const table: Row[] = [];
try {
  const scorer = await loadScorer(path.join(values.data, 'tools'));
  console.log(`${machine}\n\n${line('', COLUMNS)}`);
  for (const [name, files] of await filesByRow(directory)) {
    if (!wanted.some((part) => name.includes(part))) continue;
    const row = rowOf(name, await readFiles(files), scorer);
    table.push(row);
    print(row);
  }
} finally {
  rmSync(directory, { recursive: true });
}
if (table.length === 0) {
  const sets = existsSync(values.data) ? values.data : `${values.data}, which does not exist`;
  throw new Error(`No row has "${values.only}" in its name. Test sets were looked for in ${sets}.`);
}
const results = path.join(here, 'results');
mkdirSync(results, { recursive: true });
const file = path.join(results, `parse-${new Date().toISOString().replaceAll(/[:.]/g, '-')}.json`);
writeFileSync(file, `${JSON.stringify({ machine, at: new Date().toISOString(), table }, null, 2)}\n`);
console.log(`\n${file}`);

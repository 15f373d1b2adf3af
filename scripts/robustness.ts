/**
 * Runs odd, damaged and hostile files through the upload checks and the sandbox. Prints the results by type, crashes
 * and hangs, and the peak memory of this process and its children. `npm run robustness [-- FOLDER]` reads a folder
 * (default: an optional one beside the repository); `--all` prints the result of every file. `--mutations 500` damages
 * generated files and those of the folder, 500 per main format; `--seed N` varies the damage, `--keep DIR` keeps the
 * files that fail badly, `--only pdf,docx` selects formats.
 */
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { FORMAT_ENTRIES } from '@quire/parse/formats';
import { sampleFiles, type SampleFile } from '@quire/parse/testing/sample-files';
import { mutate, Random } from '@quire/process/tasks/testing/mutate';
import { openTaskPool } from '@quire/process/tasks/task-pool';
import { FileRunner, type Ending } from './robustness/file-runner.ts';
import { isUnwanted, printTable, watchMemory } from './robustness/report.ts';

/** One extension of each format. */
const FORMATS = FORMAT_ENTRIES.flatMap(([, { extensions }]) => extensions.slice(0, 1)).join(',');
/** Maximum size of a file to damage, in bytes; larger files only take longer. */
const MAX_SEED_BYTES = 300_000;
/** OCR is off: the damage does not target it, and it takes a second per page. */
const OCR_EVERY = 25;
/** Number of concurrent files, which bounds the files on disk. */
const BATCH = 50;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    all: { type: 'boolean', default: false },
    mutations: { type: 'string' },
    seed: { type: 'string', default: '1' },
    only: { type: 'string', default: FORMATS },
    keep: { type: 'string' },
  },
});
const folder = positionals[0] ?? fileURLToPath(new URL('../../shared/eval/data/robustness/pile', import.meta.url));
const pool = await openTaskPool();

function filesIn(directory: string): string[] {
  if (!existsSync(directory)) return [];
  const names = readdirSync(directory, { recursive: true, encoding: 'utf8' });
  return names.filter((name) => statSync(path.join(directory, name)).isFile()).toSorted();
}

async function runFolder(): Promise<Ending[]> {
  const names = filesIn(folder);
  if (names.length === 0) console.log(`${folder} is absent: nothing to do`);
  const runner = new FileRunner(pool, { timeoutMs: 120_000, ocr: 'auto' });
  return (await Promise.all(names.map((name) => runner.run(path.join(folder, name), name)))).flat();
}

/** Returns intact files to damage: generated ones and the small ones of the folder. */
async function seedsOf(format: string): Promise<SampleFile[]> {
  const named = filesIn(folder).filter((name) => path.extname(name) === `.${format}`);
  const small = named.filter((name) => statSync(path.join(folder, name)).size <= MAX_SEED_BYTES);
  const found = small.map((name) => ({ name, bytes: readFileSync(path.join(folder, name)) }));
  const made = (await sampleFiles(3)).filter(({ name }) => name.endsWith(`.${format}`));
  return [...made, ...made, ...found].filter(({ bytes }) => bytes.length > 16);
}

async function runMutations(count: number): Promise<Ending[]> {
  const directory = mkdtempSync(path.join(tmpdir(), 'quire-mutations-'));
  const thumbnails = /pdf|svg|png|jpg|tiff|gif|webp|bmp|avif|ico/;
  const fast = new FileRunner(pool, { timeoutMs: 30_000, ocr: 'never', thumbnails });
  const full = new FileRunner(pool, { timeoutMs: 60_000, ocr: 'auto', thumbnails });
  const endings: Ending[] = [];
  for (const format of values.only.split(',')) {
    const seeds = await seedsOf(format);
    for (let from = 0; from < count && seeds.length > 0; from += BATCH) {
      const batch = Array.from({ length: Math.min(BATCH, count - from) }, async (_, offset): Promise<Ending[]> => {
        const index = from + offset;
        const random = new Random(Number(values.seed) * 1_000_003 + index);
        const seed = seeds[random.below(seeds.length)];
        const file = path.join(directory, `${index}.${format}`);
        writeFileSync(file, mutate(seed?.bytes ?? Buffer.alloc(16), random));
        const ended = await (index % OCR_EVERY === 0 ? full : fast).run(file, `${index} of ${seed?.name}`);
        if (values.keep !== undefined && ended.some(isUnwanted))
          copyFileSync(file, path.join(values.keep, path.basename(file)));
        rmSync(file);
        return ended;
      });
      endings.push(...(await Promise.all(batch)).flat());
    }
    console.error(`${format}: ${seeds.length} seeds`);
  }
  rmSync(directory, { recursive: true });
  return endings;
}

if (values.keep !== undefined) mkdirSync(values.keep, { recursive: true });
const memory = watchMemory(pool);
const startedAt = performance.now();
const endings = values.mutations === undefined ? await runFolder() : await runMutations(Number(values.mutations));
const peak = memory.stop();
await pool.close();
printTable(endings);
for (const { file, outcome, detail } of values.all ? endings : endings.filter(isUnwanted))
  console.log(`\n${outcome} ${file}\n  ${detail}`);
const slowest = endings.toSorted((a, b) => b.ms - a.ms).slice(0, 5);
console.log(`\nslowest, waiting included: ${slowest.map(({ file, ms }) => `${file} ${Math.round(ms)} ms`).join(', ')}`);
console.log(`\n${endings.length} endings, ${((performance.now() - startedAt) / 1000).toFixed(1)} s`);
console.log(`peak memory: this process ${Math.round(peak.own / 1e6)} MB, a child ${Math.round(peak.child / 1e6)} MB`);
if (endings.some(isUnwanted)) process.exitCode = 1;

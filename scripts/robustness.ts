/**
 * Runs a folder of odd and damaged files through the checks of an upload and the sandbox, and prints how each type
 * ended, what crashed or hung, the slowest files and the peak memory of this process and of its children.
 * `npm run robustness [-- FOLDER] [-- --all]`; the default folder is an optional one beside the repository, `--all`
 * prints every file's end.
 */
import { setMaxListeners } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { ApiError, ContentError } from '../packages/server/src/errors.ts';
import type { SourceFile } from '../packages/server/src/pipeline/parse/parser.ts';
import { createPreparer } from '../packages/server/src/pipeline/sandbox/preparer.ts';
import { SandboxPool } from '../packages/server/src/pipeline/sandbox/pool.ts';
import { inspectUpload } from '../packages/server/src/pipeline/validate/inspect-upload.ts';

interface Ending {
  file: string;
  /** `ready`, or the type of the error. `!` marks what must not happen. */
  outcome: string;
  detail: string;
  ms: number;
}

const limits = {
  maxInflatedBytes: 1024 ** 3,
  maxArchiveEntries: 10_000,
  maxArchiveRatio: 100,
  maxArchiveDepth: 3,
  maxPixels: 100_000_000,
};
const options = { ocr: 'auto', ocrLanguages: ['eng'], jpegQuality: 80, maxPixels: limits.maxPixels } as const;
const chunking = { maxTokens: 400, overlapTokens: 40 };
const TIMEOUT_MS = 120_000;
const UNWANTED = new Set(['parser_crashed', 'timeout', 'too_large']);

const args = process.argv.slice(2);
const folder =
  args.find((arg) => !arg.startsWith('--')) ??
  fileURLToPath(new URL('../../shared/eval/data/robustness/pile', import.meta.url));
const pool = new SandboxPool();
const preparer = createPreparer(pool, { timeoutMs: TIMEOUT_MS });
const { signal } = new AbortController();
// Every task of the run listens to it.
setMaxListeners(0, signal);

async function ending(file: string, name: string): Promise<Ending[]> {
  const startedAt = performance.now();
  const end = (outcome: string, detail = ''): Ending[] => [
    { file: name, outcome, detail, ms: performance.now() - startedAt },
  ];
  try {
    const { isArchive, format, contentType } = await inspectUpload(file, name, null, limits);
    const source: SourceFile = {
      path: file,
      name: path.basename(name),
      sizeBytes: statSync(file).size,
      format,
      contentType,
    };
    if (isArchive) return [...end('archive'), ...(await members(source, name))];
    const { chunks } = await preparer.prepare({ file: source, options, limits, chunking }, { signal });
    return end(chunks.length === 0 ? 'no_text' : 'ready');
  } catch (error) {
    if (error instanceof ApiError) return end(error.details[0]?.type ?? '', error.message);
    if (!(error instanceof ContentError)) return end('!', error instanceof Error ? (error.stack ?? '') : String(error));
    const cause = error.cause instanceof Error ? ` (${error.cause.stack ?? error.cause.message})` : '';
    return end(error.type, `${error.message}${cause}`);
  }
}

async function members(source: SourceFile, name: string): Promise<Ending[]> {
  const directory = mkdtempSync(path.join(tmpdir(), 'quire-robustness-'));
  try {
    const unpacked = await preparer.unpack({ file: source, limits, directory }, { signal });
    const endings = unpacked.map(async (member): Promise<Ending[]> => {
      const memberName = `${name} › ${member.archivePath}`;
      if (member.path !== null) return ending(member.path, memberName);
      return [{ file: memberName, outcome: member.failure?.type ?? '', detail: member.failure?.message ?? '', ms: 0 }];
    });
    return (await Promise.all(endings)).flat();
  } finally {
    rmSync(directory, { recursive: true });
  }
}

const PAGE_BYTES = 4096;

function childRss(pid: number): number {
  try {
    return Number(readFileSync(`/proc/${pid}/statm`, 'utf8').split(' ')[1]) * PAGE_BYTES;
  } catch {
    return 0;
  }
}

function watchMemory(): { stop: () => { own: number; child: number } } {
  const peak = { own: 0, child: 0 };
  const timer = setInterval(() => {
    peak.own = Math.max(peak.own, process.memoryUsage.rss());
    peak.child = Math.max(peak.child, ...pool.processIds.map(childRss));
  }, 50);
  return {
    stop: () => {
      clearInterval(timer);
      return peak;
    },
  };
}

function groupBy<T>(values: readonly T[], keyOf: (value: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const value of values) groups.set(keyOf(value), [...(groups.get(keyOf(value)) ?? []), value]);
  return groups;
}

function printTable(endings: readonly Ending[]): void {
  const types = groupBy(endings, ({ file }) => path.extname(file).toLowerCase());
  for (const [type, group] of [...types].toSorted(([a], [b]) => a.localeCompare(b))) {
    const outcomes = groupBy(group, ({ outcome }) => outcome);
    const counts = [...outcomes].map(([outcome, files]) => `${outcome} ${files.length}`).toSorted();
    console.log(`${type.padEnd(10)} ${String(group.length).padStart(4)}  ${counts.join(', ')}`);
  }
}

async function main(): Promise<void> {
  if (!existsSync(folder)) {
    console.log(`${folder} is absent: nothing to do`);
    return;
  }
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => statSync(path.join(folder, name)).isFile())
    .toSorted();
  const memory = watchMemory();
  const startedAt = performance.now();
  const endings = (await Promise.all(files.map((name) => ending(path.join(folder, name), name)))).flat();
  const peak = memory.stop();
  await pool.close();
  printTable(endings);
  const show = args.includes('--all')
    ? endings
    : endings.filter(({ outcome }) => UNWANTED.has(outcome) || outcome === '!');
  for (const { file, outcome, detail } of show) console.log(`\n${outcome} ${file}\n  ${detail}`);
  console.log(
    `\n${files.length} files, ${endings.length} with members, ${((performance.now() - startedAt) / 1000).toFixed(1)} s`,
  );
  console.log(`peak memory: this process ${Math.round(peak.own / 1e6)} MB, a child ${Math.round(peak.child / 1e6)} MB`);
  if (endings.some(({ outcome }) => outcome === '!')) process.exitCode = 1;
}

await main();

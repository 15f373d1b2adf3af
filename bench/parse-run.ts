/** Parses files in the sandbox pool, as the service does, and measures time and memory. */
import { readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { gunzipSync } from 'node:zlib';
import type { DocumentTree } from '@quire/blocks/block';
import { toMarkdown } from '@quire/blocks/to-markdown';
import { FileRefused } from '@quire/parse/validate/file-refused';
import { ContentError } from '@quire/blocks/content-error';
import type { SourceFile } from '@quire/parse/parser';
import { openTaskPool, type TaskPool } from '@quire/process/tasks/task-pool';
import { createSandboxClient } from '@quire/process/tasks/create-sandbox-client';
import { chunking, limits, options } from '@quire/process/tasks/testing/default-reading';
import { inspectUpload } from '@quire/parse/validate/inspect-upload';

export interface Reading {
  file: string;
  /** Undefined if the file was refused or could not be read; `failure` has the reason. */
  markdown?: string;
  pages: number;
  failure?: string;
  ms: number;
}

export interface Cost {
  readings: Reading[];
  seconds: number;
  /** CPU time of the child processes, user and system. */
  cpuMs: number;
  /** Maximum resident size of a child process. */
  peakMb: number;
}

const TIMEOUT_MS = 300_000;
const TICK_MS = 10;

/** Parses all files concurrently in a new pool. One file is parsed first, so that the readers are loaded. */
export async function readFiles(files: readonly string[]): Promise<Cost> {
  const pool = await openTaskPool();
  const sandbox = createSandboxClient(pool, { timeoutMs: TIMEOUT_MS });
  const read = async (file: string): Promise<Reading> => {
    const startedAt = performance.now();
    const ended = (rest: Partial<Reading>): Reading => ({ file, pages: 0, ms: performance.now() - startedAt, ...rest });
    try {
      const inspected = await inspectUpload(file, path.basename(file), null, limits);
      const source: SourceFile = {
        path: file,
        name: path.basename(file),
        sizeBytes: statSync(file).size,
        ...inspected,
      };
      const { signal } = new AbortController();
      const { tree, pageCount } = await sandbox.parseAndChunk({ file: source, options, limits, chunking }, { signal });
      const stored: DocumentTree = JSON.parse(gunzipSync(tree).toString('utf8'));
      return ended({ markdown: toMarkdown(stored), pages: pageCount ?? 1 });
    } catch (error) {
      return ended({ failure: failureOf(error) });
    }
  };
  try {
    await Promise.all(files.slice(0, 2).map(read));
    const meter = new Meter(pool);
    const startedAt = performance.now();
    const readings = await Promise.all(files.map(read));
    const seconds = (performance.now() - startedAt) / 1000;
    return { readings, seconds, ...meter.stop() };
  } finally {
    await pool.close();
  }
}

function failureOf(error: unknown): string {
  if (error instanceof FileRefused) return error.type ?? 'refused';
  if (error instanceof ContentError) return error.type;
  throw error;
}

/** Samples the child processes; a child that ends between two samples loses at most the time between them. */
class Meter {
  readonly #pool: TaskPool;
  readonly #before = new Map<number, number>();
  readonly #after = new Map<number, number>();
  readonly #timer: NodeJS.Timeout;
  #peakMb = 0;

  constructor(pool: TaskPool) {
    this.#pool = pool;
    for (const pid of pool.processIds.flatMap(familyOf)) this.#before.set(pid, cpuMsOf(pid));
    this.#timer = setInterval(() => this.#sample(), 100);
  }

  stop(): { cpuMs: number; peakMb: number } {
    clearInterval(this.#timer);
    this.#sample();
    const spent = [...this.#after].map(([pid, ms]) => ms - (this.#before.get(pid) ?? 0));
    return { cpuMs: spent.reduce((sum, ms) => sum + ms, 0), peakMb: this.#peakMb };
  }

  #sample(): void {
    for (const pid of this.#pool.processIds.flatMap(familyOf)) {
      const ms = cpuMsOf(pid);
      if (ms > 0) this.#after.set(pid, ms);
      this.#peakMb = Math.max(this.#peakMb, peakMbOf(pid));
    }
  }
}

/** Returns the process and those below it: the walls of the sandbox start the parser in a process of their own. */
const familyOf = (pid: number): number[] => [
  pid,
  ...procFile(pid, `task/${pid}/children`).split(' ').filter(Boolean).map(Number).flatMap(familyOf),
];

/** Linux only; 0 on other systems. Programs that a child starts are counted after they have ended. */
function cpuMsOf(pid: number): number {
  const fields = procFile(pid, 'stat')
    .replace(/^.*\) /s, '')
    .split(' ');
  return [11, 12, 13, 14].reduce((sum, field) => sum + Number(fields[field] ?? 0), 0) * TICK_MS;
}

const peakMbOf = (pid: number): number =>
  Math.round(Number(/VmHWM:\s*(\d+)/.exec(procFile(pid, 'status'))?.[1] ?? 0) / 1024);

function procFile(pid: number, name: string): string {
  try {
    return readFileSync(`/proc/${pid}/${name}`, 'utf8');
  } catch {
    return '';
  }
}

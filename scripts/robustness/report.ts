/** Prints the results of a robustness run. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { TaskPool } from '@quire/process/tasks/task-pool';
import type { Ending } from './file-runner.ts';

const UNWANTED = new Set(['parser_crashed', 'timeout', '!']);

export const isUnwanted = ({ outcome }: Ending): boolean => UNWANTED.has(outcome);

/** Prints a line per extension with the number of files by result. */
export function printTable(endings: readonly Ending[]): void {
  const types = groupBy(endings, ({ file }) => path.extname(file).toLowerCase());
  for (const [type, group] of [...types].toSorted(([a], [b]) => a.localeCompare(b))) {
    const outcomes = groupBy(group, ({ outcome }) => outcome);
    const counts = [...outcomes].map(([outcome, files]) => `${outcome} ${files.length}`).toSorted();
    const slowest = Math.max(...group.map(({ ms }) => ms));
    console.log(
      `${type.padEnd(8)} ${String(group.length).padStart(5)} ${`${Math.round(slowest)} ms`.padStart(9)}  ${counts.join(', ')}`,
    );
  }
}

function groupBy<T>(values: readonly T[], keyOf: (value: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const value of values) groups.set(keyOf(value), [...(groups.get(keyOf(value)) ?? []), value]);
  return groups;
}

const PAGE_BYTES = 4096;

/** Samples the memory of this process and the pool's children until stopped. Children count as 0 outside Linux. */
export function watchMemory(pool: TaskPool): { stop: () => { own: number; child: number } } {
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

function childRss(pid: number): number {
  try {
    return Number(readFileSync(`/proc/${pid}/statm`, 'utf8').split(' ')[1]) * PAGE_BYTES;
  } catch {
    return 0;
  }
}

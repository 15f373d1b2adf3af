/** Keeps the results of the tests of each kind, so that the page can be written from runs of single kinds. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { PROGRAMS_FOLDER } from '@quire/connectors/testing/programs';
import type { Figures, TestResult } from './report.ts';

export interface KindResults {
  /** Day of the run, such as `2026-11-22`. */
  day: string;
  results: TestResult[];
  figures: Figures[];
}

const fileOf = (kind: string): string => path.join(PROGRAMS_FOLDER, 'results', `${kind}.json`);

export function readStored(kind: string): KindResults | undefined {
  if (!existsSync(fileOf(kind))) return undefined;
  return JSON.parse(readFileSync(fileOf(kind), 'utf8')) as KindResults;
}

/** Stores the results of a run. Without figures, those of the run before stay. */
export function store(kind: string, run: Omit<KindResults, 'day'>): void {
  const figures = run.figures.length > 0 ? run.figures : (readStored(kind)?.figures ?? []);
  mkdirSync(path.dirname(fileOf(kind)), { recursive: true });
  const day = new Date().toISOString().slice(0, 10);
  writeFileSync(fileOf(kind), JSON.stringify({ ...run, day, figures } satisfies KindResults));
}

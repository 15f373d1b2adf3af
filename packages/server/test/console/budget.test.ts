/** The size of what a browser loads for the first page of the console, and for each further one. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { findConsoleFolder } from '../../src/console-folder.ts';

const MAX_FIRST_BYTES = 200_000;
const MAX_FURTHER_BYTES = 60_000;

interface Chunk {
  file: string;
  imports?: string[];
  css?: string[];
  isEntry?: boolean;
  isDynamicEntry?: boolean;
}

const folder = findConsoleFolder() ?? '';

test.skipIf(folder === '')('the first page has at most 200 kB and each further one 60 kB, gzipped', () => {
  const chunks = JSON.parse(readFileSync(path.join(folder, 'manifest.json'), 'utf8')) as Record<string, Chunk>;
  const filesOf = (name: string, found = new Set<string>()): Set<string> => {
    const { file, imports = [], css = [] } = chunks[name]!;
    if (found.has(file)) return found;
    for (const each of [file, ...css]) found.add(each);
    for (const each of imports) filesOf(each, found);
    return found;
  };
  const bytesOf = (files: Iterable<string>): number =>
    [...files].reduce((sum, file) => sum + readFileSync(path.join(folder, `${file}.gz`)).length, 0);
  const entry = Object.keys(chunks).find((name) => chunks[name]?.isEntry === true)!;
  const first = filesOf(entry);
  expect(bytesOf(first)).toBeLessThanOrEqual(MAX_FIRST_BYTES);
  const screens = Object.keys(chunks).filter((name) => chunks[name]?.isDynamicEntry === true);
  expect(screens.length).toBeGreaterThan(10);
  const tooLarge = screens
    .map((name) => ({ name, bytes: bytesOf([...filesOf(name)].filter((file) => !first.has(file))) }))
    .filter(({ bytes }) => bytes > MAX_FURTHER_BYTES);
  expect(tooLarge).toEqual([]);
});

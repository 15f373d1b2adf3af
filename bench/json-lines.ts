import { readFileSync } from 'node:fs';

/** Returns the values of a file with one JSON value a line; blank lines are left out. */
export const readJsonLines = <T>(file: string): T[] =>
  readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => JSON.parse(line) as T);

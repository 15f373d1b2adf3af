import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

interface Entry {
  resolved?: string;
  link?: boolean;
  dependencies?: Record<string, string>;
  optionalDependencies?: Record<string, string>;
}

const lock = JSON.parse(readFileSync(new URL('../../package-lock.json', import.meta.url), 'utf8')) as {
  packages: Record<string, Entry>;
};

/** Looks a package up as Node does: beside the one that needs it, then in each folder above. */
function isLocked(needing: string, name: string): boolean {
  const parts = needing === '' ? [] : needing.split('/');
  for (let length = parts.length; length >= 0; length--) {
    const place = [...parts.slice(0, length), 'node_modules', name].join('/');
    if (lock.packages[place] !== undefined) return true;
  }
  return false;
}

test('every package that one needs, also on another platform, has a version, so that `npm ci` accepts the file', () => {
  const missing = Object.entries(lock.packages).flatMap(([place, entry]) =>
    Object.keys({ ...entry.dependencies, ...entry.optionalDependencies })
      .filter((name) => !isLocked(place, name))
      .map((name) => `${place}: ${name}`),
  );
  expect(missing).toEqual([]);
});

test('no package names the host of a registry', () => {
  const named = Object.entries(lock.packages).filter(
    ([, entry]) => entry.link !== true && entry.resolved !== undefined,
  );
  expect(named.map(([place]) => place)).toEqual([]);
});

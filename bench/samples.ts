/** Samples of test sets that are the same for the same seed, and the selection of sets by name. */

/** Returns `size` items chosen by the seed, in the order of the list; all of a list that is not longer. */
export function sampled<T>(items: readonly T[], size: number, seed: number): T[] {
  if (items.length <= size) return [...items];
  const chosen = new Set(shuffled([...items.keys()], seed).slice(0, size));
  return items.filter((_, at) => chosen.has(at));
}

/** Fisher-Yates shuffle with numbers from mulberry32. */
export function shuffled<T>(items: readonly T[], seed: number): T[] {
  const result = [...items];
  let state = seed;
  const random = (): number => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  for (let last = result.length - 1; last > 0; last -= 1) {
    const other = Math.floor(random() * (last + 1));
    [result[last], result[other]] = [result[other] as T, result[last] as T];
  }
  return result;
}

/** Returns the names that `--only` selects: each part is the name of a set, or a part of the names of several. */
export function selectedNames(names: readonly string[], only: string): string[] {
  const parts = only.split(',');
  return names.filter((name) => parts.some((part) => (names.includes(part) ? name === part : name.includes(part))));
}

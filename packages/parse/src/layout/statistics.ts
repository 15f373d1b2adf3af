/** Statistics over lists of values. */

/** Returns the key with the highest count. */
export function mostFrequent<Key>(counts: ReadonlyMap<Key, number>): Key | undefined {
  let best: Key | undefined;
  let highest = 0;
  for (const [key, count] of counts) {
    if (count > highest) [best, highest] = [key, count];
  }
  return best;
}

/** Returns the lower median; 0 for an empty list. */
export const median = (values: readonly number[]): number => quantile(values, 0.5);

/** Returns the largest value that at most the `share` of the others are below; 0 for an empty list. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor((sorted.length - 1) * share)] ?? 0;
}

export function groupBy<Value, Key>(values: Iterable<Value>, keyOf: (value: Value) => Key): Map<Key, Value[]> {
  const groups = new Map<Key, Value[]>();
  for (const value of values) {
    const key = keyOf(value);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [value]);
    else group.push(value);
  }
  return groups;
}

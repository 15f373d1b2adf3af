/** Calls that are repeated for many records where the service takes one at a time. */
const PARALLEL = 4;

export interface Failure<T> {
  item: T;
  error: unknown;
}

/** Calls the function for each item, four at a time, and returns those that failed. `onDone` gets the number so far. */
export async function callForEach<T>(
  items: readonly T[],
  call: (item: T) => Promise<unknown>,
  onDone: (count: number) => void,
): Promise<Failure<T>[]> {
  const waiting = items.values();
  const failures: Failure<T>[] = [];
  let done = 0;
  const work = async (): Promise<void> => {
    // Workers share the iterator, so each takes the next item.
    for (const item of waiting) {
      try {
        await call(item);
      } catch (error) {
        failures.push({ item, error });
      }
      done += 1;
      onDone(done);
    }
  };
  await Promise.all(Array.from({ length: PARALLEL }, work));
  return failures;
}

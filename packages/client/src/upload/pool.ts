/** Yields the results of `work` as they arrive, with at most `limit` in progress. Inputs are read when needed. */
export async function* pool<I, R>(
  inputs: Iterable<I> | AsyncIterable<I>,
  limit: number,
  work: (input: I) => Promise<R>,
): AsyncGenerator<R, void, undefined> {
  const running = new Map<number, Promise<[number, R]>>();
  let next = 0;
  try {
    for await (const input of inputs) {
      const index = (next += 1);
      running.set(
        index,
        work(input).then((result) => [index, result]),
      );
      if (running.size >= limit) yield await first(running);
    }
    while (running.size > 0) yield await first(running);
  } finally {
    // After an error or an early end of the loop, the rest ends without a reader.
    for (const each of running.values()) each.catch(() => undefined);
  }
}

async function first<R>(running: Map<number, Promise<[number, R]>>): Promise<R> {
  const [index, result] = await Promise.race(running.values());
  running.delete(index);
  return result;
}

/** Returns a function that runs at most `limit` calls at a time; the others wait in order. */
export function limiter(limit: number): <R>(call: () => Promise<R>) => Promise<R> {
  const waiting: (() => void)[] = [];
  let free = limit;
  return async (call) => {
    if (free === 0) await new Promise<void>((resolve) => waiting.push(resolve));
    else free -= 1;
    try {
      return await call();
    } finally {
      const next = waiting.shift();
      if (next === undefined) free += 1;
      else next();
    }
  };
}

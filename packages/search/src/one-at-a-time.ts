/** Runs work of one name at a time, others after it; within this process. */
export function oneAtATime(name: string, work: () => Promise<void>): Promise<void> {
  const done = (running.get(name) ?? Promise.resolve()).then(work);
  const over = done
    .catch(() => undefined)
    .then(() => {
      if (running.get(name) === over) running.delete(name);
    });
  running.set(name, over);
  return done;
}

/** What was begun last, by name; never rejects. */
const running = new Map<string, Promise<void>>();

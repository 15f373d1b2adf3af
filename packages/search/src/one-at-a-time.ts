/** Runs the work of one name serially within this process. */
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

/** The last work that was started, by name. The promises never reject. */
const running = new Map<string, Promise<void>>();

/** Reports changes of files below the paths of `quire add --watch`. */
import { watch } from 'node:fs';
import { stat } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

/** Time without changes after which the files are read, in milliseconds. */
const QUIET_MS = 500;

/** A folder to watch; with `name`, only that file in it. */
export interface Watched {
  folder: string;
  recursive: boolean;
  name?: string;
}

/**
 * Returns what to watch for a path: a folder with everything below it, for a file its folder (an editor may replace the
 * file), for a glob the folder before its first variable part.
 */
export async function watchedBy(pattern: string): Promise<Watched> {
  const found = await stat(pattern).catch(() => undefined);
  if (found?.isDirectory() === true) return { folder: path.resolve(pattern), recursive: true };
  if (found !== undefined)
    return { folder: path.dirname(path.resolve(pattern)), recursive: false, name: path.basename(pattern) };
  const parts = pattern.split('/');
  const variable = parts.findIndex((part) => /[*?[\]{}()!]/u.test(part));
  const fixed = parts.slice(0, variable === -1 ? -1 : variable).join('/');
  return { folder: path.resolve(fixed === '' && pattern.startsWith('/') ? '/' : fixed), recursive: true };
}

/** Yields after changes below the paths, once they pause. */
export async function* changes(paths: readonly string[], signal: AbortSignal): AsyncGenerator<void> {
  let changed = 0;
  let wake = (): void => undefined;
  const watchers = (await Promise.all(paths.map(watchedBy))).map(({ folder, recursive, name }) =>
    watch(folder, { recursive, signal }, (_, file) => {
      if (name !== undefined && file !== name) return;
      changed += 1;
      wake();
    }),
  );
  signal.addEventListener('abort', () => wake(), { once: true });
  try {
    while (!signal.aborted) {
      if (changed === 0) await new Promise<void>((resolve) => (wake = resolve));
      for (let seen = -1; seen !== changed && !signal.aborted;) {
        seen = changed;
        await sleep(QUIET_MS, undefined, { signal }).catch(() => undefined);
      }
      changed = 0;
      if (!signal.aborted) yield;
    }
  } finally {
    for (const watcher of watchers) watcher.close();
  }
}

/** Finds the files that a list of paths, folders and globs names. */
import { stat } from 'node:fs/promises';
import path from 'node:path';
import { glob } from 'tinyglobby';
import { CommandError } from '../../exit-code.ts';

export interface LocalFile {
  /** Absolute path. */
  file: string;
  /** Path below the named folder with `/` between the parts; for a named file its base name. */
  relative: string;
  sizeBytes: number;
}

const IGNORED = ['**/node_modules/**', '**/.git/**'];

/** Returns each file once, sorted by path. Throws if a path names nothing. */
export async function localFiles(patterns: readonly string[]): Promise<LocalFile[]> {
  const found = new Map<string, LocalFile>();
  for (const pattern of patterns) {
    const files = await filesOf(pattern);
    if (files.length === 0) throw new CommandError(`no file is at ${pattern}`, { exitCode: 2 });
    for (const each of files) found.set(each.file, found.get(each.file) ?? each);
  }
  return [...found.values()].toSorted((a, b) => (a.file < b.file ? -1 : 1));
}

async function filesOf(pattern: string): Promise<LocalFile[]> {
  const known = await stat(pattern).catch(() => undefined);
  if (known?.isFile() === true) {
    return [{ file: path.resolve(pattern), relative: path.basename(pattern), sizeBytes: known.size }];
  }
  const [cwd, patterns] = known?.isDirectory() === true ? [path.resolve(pattern), '**/*'] : [process.cwd(), pattern];
  const names = await glob(patterns, { cwd, ignore: IGNORED, onlyFiles: true, followSymbolicLinks: false });
  return Promise.all(
    names.map(async (relative) => {
      const file = path.resolve(cwd, relative);
      return { file, relative: relative.split(path.sep).join('/'), sizeBytes: (await stat(file)).size };
    }),
  );
}

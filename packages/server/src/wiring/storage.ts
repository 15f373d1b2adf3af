/** Opens the object store that the settings name. */
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { Config } from '../config/config.ts';
import { withPagePictures } from '../storage/derived-pictures.ts';
import { FilesystemStore } from '../storage/filesystem-store.ts';
import type { ObjectStore } from '../storage/object-store.ts';

/** `spoolDir` is a folder of this process, for local copies of objects in S3. */
export async function openStore(
  { storage, extraCaFile }: Pick<Config, 'storage' | 'extraCaFile'>,
  spoolDir: string,
): Promise<ObjectStore> {
  if (storage.kind === 'folder') return withPagePictures(await FilesystemStore.open(storage.folder));
  // Imported on use: the SDK takes 60 ms and 12 MB.
  const { S3Store } = await import('../storage/s3/s3-store.ts');
  const store = await S3Store.open({
    location: storage.location,
    cacheDir: path.join(spoolDir, 'objects'),
    cacheBytes: storage.cacheBytes,
    extraCa: extraCaFile === null ? null : await readFile(extraCaFile, 'utf8'),
  });
  return withPagePictures(store);
}

/** Returns the folders that hold originals or files of documents for a while. */
export function documentFolders({ storage, dataDir }: Pick<Config, 'storage' | 'dataDir'>): string[] {
  return storage.kind === 'folder' ? [dataDir, storage.folder] : [dataDir];
}

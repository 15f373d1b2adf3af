/**
 * Removes the index files of versions that kept the index on disk (`c_<collection>_<generation>.lance`). The files of a
 * table are removed once it has been loaded into memory from PostgreSQL.
 */
import { readdir, rm, rmdir } from 'node:fs/promises';
import path from 'node:path';
import type { ResidentIndex } from '@quire/search/resident/resident-index';
import type { ChunkFeed } from '../database/chunks/chunk-feed.ts';
import { isIndexTableName } from '../domain/collections/types.ts';
import { errorCode } from '@quire/shared/error-code';

const SUFFIX = '.lance';

/** Resolves to the names of the tables whose files were removed. Rejects when a table cannot be loaded. */
export async function removeFormerIndex(directory: string, index: ResidentIndex, feed: ChunkFeed): Promise<string[]> {
  const removed: string[] = [];
  for (const entry of await entriesOf(directory)) {
    const name = entry.endsWith(SUFFIX) ? entry.slice(0, -SUFFIX.length) : '';
    if (!isIndexTableName(name)) continue;
    const table = await feed.tableNamed(name);
    if (table !== undefined) await index.load(table);
    await rm(path.join(directory, entry), { recursive: true, force: true });
    removed.push(name);
  }
  // Fails when other files are left, which are not ours.
  if (removed.length > 0) await rmdir(directory).catch(() => undefined);
  return removed;
}

async function entriesOf(directory: string): Promise<string[]> {
  try {
    return await readdir(directory);
  } catch (error) {
    if (errorCode(error) === 'ENOENT' || errorCode(error) === 'ENOTDIR') return [];
    throw error;
  }
}

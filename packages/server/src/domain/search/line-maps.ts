/** Reads the line maps of chunks. They are read apart from the search itself, because few searches need them. */
import { sql, type Kysely } from 'kysely';
import { decodeLineMap, type ChunkPlaces } from '../../database/chunks/line-map.ts';
import type { Database } from '../../database/tables.ts';

/** Returns the line maps by chunk key; chunks without a line map are missing. */
export async function readLineMaps(
  database: Kysely<Database>,
  workspaceId: string,
  chunkKeys: readonly bigint[],
): Promise<Map<bigint, ChunkPlaces>> {
  if (chunkKeys.length === 0) return new Map();
  const { rows } = await sql<{ key: string; line_map: number[]; block_ids: string[] }>`
    select key, to_json(line_map) as line_map, block_ids from chunks
    where key = any(${`{${chunkKeys.join(',')}}`}::bigint[]) and workspace_id = ${workspaceId}
      and line_map is not null`.execute(database);
  return new Map(rows.map(({ key, line_map, block_ids }) => [BigInt(key), decodeLineMap(line_map, block_ids)]));
}

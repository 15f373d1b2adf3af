/**
 * The two kinds of vector index and their query parameters (figures in `docs/decisions/2026-11-21-large-tables.md`).
 * Flat: full vectors by partition. Coded: quantized to one bit per dimension, with exact re-ranking of the best from
 * the table, so that a search of a million rows reads 6 MB of codes instead of 200 MB of vectors.
 */
import type { Table } from '@lancedb/lancedb';

export interface VectorIndex {
  name: string;
  /** Number of rows at training time. Lance does not store it, so the index name contains it. */
  trainedRows: number;
  coded: boolean;
}

/** Query parameters for the vector index of a table. */
export interface VectorPlan {
  /** Number of partitions to read. */
  probes: number;
  /** Number of candidates per requested hit that are re-ranked by exact scores; null when all scores are exact. */
  refine: number | null;
}

/** Maximum number of partitions: 4,096 take about 6 minutes of CPU time for a million vectors. */
export const MAX_PARTITIONS = 4_096;
const NAME = /^vector_(?<kind>trained|coded)_(?<rows>\d+)$/u;
/** Reads about 4,000 rows of a flat index. */
const FLAT_PLAN: VectorPlan = { probes: 20, refine: null };
/** Share of the partitions of a coded index that are read; codes are small enough for a larger share. */
const CODED_PROBES_SHARE = 0.2;
const REFINE = 8;
/** Maximum number of re-ranked candidates; each costs a read of a vector from the table. */
const MAX_REFINED = 4_000;

export const vectorIndexName = (rows: number, coded: boolean): string =>
  `vector_${coded ? 'coded' : 'trained'}_${rows}`;

/** Returns undefined for an index that is not a vector index. */
function vectorIndexOf(name: string): VectorIndex | undefined {
  const { kind, rows } = NAME.exec(name)?.groups ?? {};
  return rows === undefined ? undefined : { name, trainedRows: Number(rows), coded: kind === 'coded' };
}

/** Returns the number of partitions that balances the cost of finding partitions against that of reading them. */
export const codedPartitions = (rows: number): number => Math.min(MAX_PARTITIONS, Math.round(Math.sqrt(rows)));

/** Returns the query parameters for `limit` hits. */
export function planFor(index: VectorIndex | undefined, limit: number): VectorPlan {
  if (index?.coded !== true) return FLAT_PLAN;
  return {
    probes: Math.max(FLAT_PLAN.probes, Math.ceil(codedPartitions(index.trainedRows) * CODED_PROBES_SHARE)),
    refine: Math.max(1, Math.min(REFINE, Math.floor(MAX_REFINED / limit))),
  };
}

/** Returns the vector indexes of a table: several while one replaces another, or after a crash in between. */
export const vectorIndexesOf = async (table: Table): Promise<VectorIndex[]> =>
  (await table.listIndices()).flatMap(({ name }) => vectorIndexOf(name) ?? []);

const MAX_TABLES = 256;

/** Caches the vector index of each table, by table version, since any process may have replaced it. */
export class VectorIndexes {
  readonly #known = new Map<string, { version: number; index: VectorIndex | undefined }>();

  async of(table: Table): Promise<VectorIndex | undefined> {
    const version = await table.version();
    const known = this.#known.get(table.name);
    if (known?.version === version) return known.index;
    const indexes = await vectorIndexesOf(table);
    // While one index replaces another there are two, and Lance may use either.
    const index = indexes.find(({ coded }) => coded) ?? indexes[0];
    if (this.#known.size >= MAX_TABLES) this.#known.clear();
    this.#known.set(table.name, { version, index });
    return index;
  }

  forget(tableName: string): void {
    this.#known.delete(tableName);
  }
}

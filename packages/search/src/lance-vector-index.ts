/**
 * The two vector indexes, and how each is asked (figures in `docs/decisions/2026-11-21-large-tables.md`).
 * Flat: the vectors themselves, by partition. Coded: a bit a dimension, by partition, and the best get their exact score
 * from the table, so that a search of a million rows reads 6 MB of codes in place of 200 MB of vectors.
 */
import type { Table } from '@lancedb/lancedb';

export interface VectorIndex {
  name: string;
  /** Rows there were when its partitions were made, which Lance does not tell: the name holds them. */
  trainedRows: number;
  coded: boolean;
}

/** How to ask the vector index of a table. */
export interface VectorPlan {
  /** Partitions that are read. */
  probes: number;
  /** Candidates for each hit wanted whose exact score is computed; null: all scores are exact. */
  refine: number | null;
}

/** Above that, more centroids cost more than they spare: 4,096 take a million vectors some 6 minutes of CPU time. */
export const MAX_PARTITIONS = 4_096;
const NAME = /^vector_(?<kind>trained|coded)_(?<rows>\d+)$/u;
/** Some 4,000 rows of a flat index. */
const FLAT_PLAN: VectorPlan = { probes: 20, refine: null };
/** Codes are so small that a larger share of them can be read. */
const CODED_PROBES_SHARE = 0.2;
const REFINE = 8;
/** Each costs a read of a vector from the table. */
const MAX_REFINED = 4_000;

export const vectorIndexName = (rows: number, coded: boolean): string =>
  `vector_${coded ? 'coded' : 'trained'}_${rows}`;

/** Undefined for an index of something else. */
function vectorIndexOf(name: string): VectorIndex | undefined {
  const { kind, rows } = NAME.exec(name)?.groups ?? {};
  return rows === undefined ? undefined : { name, trainedRows: Number(rows), coded: kind === 'coded' };
}

/** Training and finding the nearest partitions both take time with their number, reading them with their size. */
export const codedPartitions = (rows: number): number => Math.min(MAX_PARTITIONS, Math.round(Math.sqrt(rows)));

/** For so many hits. */
export function planFor(index: VectorIndex | undefined, limit: number): VectorPlan {
  if (index?.coded !== true) return FLAT_PLAN;
  return {
    probes: Math.max(FLAT_PLAN.probes, Math.ceil(codedPartitions(index.trainedRows) * CODED_PROBES_SHARE)),
    refine: Math.max(1, Math.min(REFINE, Math.floor(MAX_REFINED / limit))),
  };
}

/** More than one while one replaces another, or when a process died meanwhile. */
export const vectorIndexesOf = async (table: Table): Promise<VectorIndex[]> =>
  (await table.listIndices()).flatMap(({ name }) => vectorIndexOf(name) ?? []);

const MAX_TABLES = 256;

/** Which vector index each table has; looked up when the table has a new version, for any process may have replaced it. */
export class VectorIndexes {
  readonly #known = new Map<string, { version: number; index: VectorIndex | undefined }>();

  async of(table: Table): Promise<VectorIndex | undefined> {
    const version = await table.version();
    const known = this.#known.get(table.name);
    if (known?.version === version) return known.index;
    const indexes = await vectorIndexesOf(table);
    // While one replaces another there are two, and Lance takes either.
    const index = indexes.find(({ coded }) => coded) ?? indexes[0];
    if (this.#known.size >= MAX_TABLES) this.#known.clear();
    this.#known.set(table.name, { version, index });
    return index;
  }

  forget(tableName: string): void {
    this.#known.delete(tableName);
  }
}

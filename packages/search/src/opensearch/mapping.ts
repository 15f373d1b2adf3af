/** The settings and fields of an index. A change of the fields needs a new version: indexes of both can exist. */
import { OWN_TABLE } from '../search-index.ts';
import type { OpenSearchLocation } from './opensearch-location.ts';

export const MAPPING_VERSION = 1;
/** Maximum number of hits of a query; `MAX_FETCH` of the retrieval. */
export const MAX_HITS = 20_000;
/** Maximum number of keys in a `terms` query. */
export const MAX_TERMS = 65_536;
/** Time for which a removed row is remembered, so that a writer that is late does not restore it. */
const REMEMBER_REMOVALS = '15m';

interface IndexShape {
  dimensions: number | null;
  shards: number;
  replicas: number;
}

/** Hits are read from doc values, so that neither terms nor vectors are stored a second time. */
export function indexBody({ dimensions, shards, replicas }: IndexShape) {
  return {
    settings: {
      index: {
        knn: dimensions !== null,
        number_of_shards: shards,
        number_of_replicas: replicas,
        max_result_window: MAX_HITS,
        gc_deletes: REMEMBER_REMOVALS,
        'similarity.default': { type: 'BM25', k1: 1.2, b: 0.75 },
      },
    },
    mappings: {
      dynamic: false as const,
      _source: { enabled: false },
      _meta: { quire: MAPPING_VERSION },
      properties: {
        table: { type: 'keyword' as const },
        chunk_key: { type: 'long' as const, index: false },
        document_key: { type: 'long' as const },
        revision: { type: 'integer' as const },
        terms: { type: 'text' as const, analyzer: 'whitespace', index_options: 'freqs' as const },
        ...(dimensions !== null && { vector: vectorField(dimensions) }),
      },
    },
  };
}

const vectorField = (dimension: number) => ({
  type: 'knn_vector' as const,
  dimension,
  method: {
    name: 'hnsw',
    engine: 'lucene' as const,
    space_type: 'cosinesimil' as const,
    parameters: { m: 16, ef_construction: 100 },
  },
});

/** Where the rows of a table are. */
export interface Place {
  /** Name that requests use. */
  alias: string;
  /** Name of the index behind it, with the version of its fields. */
  index: string;
  /** The table, if others share the index. */
  shared: string | null;
}

export function placeOf(
  table: { name: string; dimensions: number | null },
  { prefix, pool }: Pick<OpenSearchLocation, 'prefix' | 'pool'>,
): Place {
  const isShared = pool && !table.name.endsWith(OWN_TABLE);
  const alias = isShared ? `${prefix}-pool-${table.dimensions ?? 'terms'}` : `${prefix}-t-${table.name}`;
  return { alias, index: `${alias}-v${MAPPING_VERSION}`, shared: isShared ? table.name : null };
}

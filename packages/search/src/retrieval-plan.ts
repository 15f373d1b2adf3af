/** The input of a retrieval: what is searched, how the lists are joined and how a filter is applied. */
import type { QueryTerm } from '@quire/text/language/analyse-query';
import type { FusionOptions } from './fusion.ts';
import type { IndexFilter, IndexTable } from './search-index.ts';

/** A table to search, with the query as the table's collection analyses and embeds it. */
export interface RetrievalTarget {
  table: IndexTable;
  /** The analysed terms of the query; the sparse leg is skipped when there are none. */
  terms: readonly QueryTerm[];
  /** The vector of the query; the dense leg is skipped when it is null. */
  vector: Float32Array | null;
  /** Name of the embedding model. Dense scores are comparable only between targets with the same name. */
  vectorSpace: string | null;
  /** Pushed down into the index. */
  filter?: IndexFilter;
}

/** A filter that only the records can apply: hits are over-fetched, then post-filtered. */
export interface PostFilter {
  /** Estimated share of the hits that pass, 0..1; sets how many more hits the first fetch requests. */
  expectedShare: number;
  /**
   * Lists the matching documents for pushdown, or returns null when there are too many. Called at most once per
   * retrieval, when so few hits pass that over-fetching costs more than the list.
   */
  allowList: () => Promise<IndexFilter | null>;
}

export interface RetrievalPlan {
  /** Number of hits to return. */
  limit: number;
  mode: 'hybrid' | 'dense' | 'sparse';
  fusion: FusionOptions;
  /** Null without a filter, or when the filter is pushed down whole. */
  postFilter: PostFilter | null;
}

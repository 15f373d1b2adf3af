/** Collections, their configurations and their indexes. */
import type { VectorSettings } from '@quire/models/provider-settings';
import type { ColumnType, Generated } from 'kysely';
import type { DefaultedJson, Json, NullableTimestamp, Timestamp } from './columns.ts';

export type ConfigurationKind = 'models' | 'embedders' | 'parsers';
export type ConfigurationRole = 'model' | 'parser' | 'dense_embedder' | 'sparse_embedder';

export interface ConfigurationsTable {
  id: string;
  workspace_id: string;
  kind: ConfigurationKind;
  role: ConfigurationRole;
  name: string;
  config: Json<Record<string, unknown>>;
  secrets: DefaultedJson<Record<string, string>>;
  is_default: Generated<boolean>;
  created_at: Timestamp;
  modified_at: Timestamp;
  deleted_at: NullableTimestamp;
}

export interface Chunking {
  maxTokens: number;
  overlapTokens: number;
}

/** Reranker of a search: a configuration's id or the name of a model folder, and the number of hits that it orders. */
export interface RerankChoice {
  model: string;
  topK: number;
}

export interface CollectionsTable {
  id: string;
  workspace_id: string;
  name: string;
  description: string | null;
  parser_id: string;
  embedder_id: string;
  sparse_embedder_id: string;
  chunking: Json<Chunking>;
  metadata: DefaultedJson<Record<string, unknown>>;
  /** Null: searches are not reranked. */
  rerank: ColumnType<RerankChoice | null, string | null | undefined, string | null>;
  live_generation: Generated<number>;
  created_at: Timestamp;
  modified_at: Timestamp;
  deleted_at: NullableTimestamp;
}

/**
 * An outside provider's embedding model as an index was begun with; its configuration may have changed since.
 * `dimensions` is the number requested from the provider; the model's own number by default.
 */
export interface RemoteEmbeddingModel extends VectorSettings {
  provider: string;
  model: string;
}

export interface IndexRecipe {
  parserId: string;
  embedderId: string;
  sparseEmbedderId: string;
  chunking: Chunking;
  remote?: RemoteEmbeddingModel | undefined;
  /** Language of the terms, regardless of the language of the documents. */
  language?: string | undefined;
}

export interface CollectionIndexesTable {
  collection_id: string;
  generation: number;
  workspace_id: string;
  status: 'live' | 'building' | 'cancelled' | 'failed' | 'retired';
  table_name: string;
  embedding_model: string | null;
  dimensions: number | null;
  recipe: Json<IndexRecipe>;
  documents_total: Generated<number>;
  documents_done: Generated<number>;
  error: string | null;
  created_at: Timestamp;
  finished_at: NullableTimestamp;
}

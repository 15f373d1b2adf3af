/** What an extraction gives back, and the work of it that is done in the sandbox. */
import type { BoundingBox, DocumentTree } from '@quire/blocks/block';
import type { JsonSchema } from '@quire/models/chat-model';

export interface Evidence {
  page: number | null;
  bbox: BoundingBox | null;
  /** Verbatim from the block; null when the value stands nowhere as such. */
  quote: string | null;
  /** 0..1 */
  confidence: number;
}

export interface Extraction {
  data: unknown;
  /** By the JSON Pointer of a leaf of `data`. */
  evidence: Record<string, Evidence>;
}

/** `schema` is always one that `readSchema` wrote. */
export interface ExtractInput {
  tree: DocumentTree;
  schema: JsonSchema;
  /** What an embedder found; without it words alone decide. */
  similarities?: readonly LabelSimilarity[];
}

/** A label of the document that is like a field. */
export interface LabelSimilarity {
  label: string;
  field: string;
  cosine: number;
}

/** What an embedder is to compare. */
export interface EmbeddingInputs {
  fields: readonly { target: string; text: string }[];
  labels: readonly string[];
}

export interface CheckValueInput {
  schema: JsonSchema;
  value: unknown;
}

export interface LocateInput {
  tree: DocumentTree;
  data: unknown;
}

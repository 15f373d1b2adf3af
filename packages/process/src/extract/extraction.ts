/** The result of an extraction, and the inputs and outputs of its sandbox tasks. */
import type { BoundingBox, DocumentTree } from '@quire/blocks/block';
import type { JsonSchema } from '@quire/models/chat-model';

export interface Evidence {
  page: number | null;
  bbox: BoundingBox | null;
  /** Boxes of the lines or the cell that hold the quote, on every page it touches. */
  boxes: { page: number; bbox: BoundingBox }[];
  /** Verbatim from the block; null when the value does not occur as such. */
  quote: string | null;
  /** 0..1 */
  confidence: number;
}

export interface Extraction {
  data: unknown;
  /** Evidence by JSON Pointer of a leaf of `data`. */
  evidence: Record<string, Evidence>;
}

/** A tree, or its packed form (`packTree`). */
export type TreeInput = DocumentTree | Uint8Array;

/** `schema` was always normalised by `readSchema`. */
export interface ExtractInput {
  tree: TreeInput;
  schema: JsonSchema;
  /** Similarities found by an embedder; without them only words are compared. */
  similarities?: readonly LabelSimilarity[];
}

/** A label of the document that is similar in meaning to a field. */
export interface LabelSimilarity {
  label: string;
  field: string;
  cosine: number;
}

/** Texts that an embedder compares. */
export interface EmbeddingInputs {
  fields: readonly { target: string; text: string }[];
  labels: readonly string[];
}

export interface CheckValueInput {
  schema: JsonSchema;
  value: unknown;
}

export interface LocateInput {
  tree: TreeInput;
  data: unknown;
}

/** A model that reads a query and a text together and scores how well the text answers. */
export interface Reranker {
  readonly modelId: string;
  /** Returns a score (0..1) for each text, in order; higher is better. Long texts are cut at the model's limit. */
  score(query: string, texts: readonly string[], signal: AbortSignal): Promise<number[]>;
}

/** Maps the output of a cross-encoder to 0..1. */
export const probabilityOf = (logit: number): number => 1 / (1 + Math.exp(-logit));

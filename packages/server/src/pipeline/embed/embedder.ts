/** The interface lives with the adapters that implement it; the pipeline knows it by this name. */
export type { Embedder, TokenCounter } from '../../providers/embedder.ts';

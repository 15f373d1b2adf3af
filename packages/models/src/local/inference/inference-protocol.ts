/** Messages between the embedder and its inference threads. */
export interface ThreadData {
  modelFile: string;
  pooling: Pooling;
  /** Token id for padding, which is masked. */
  paddingId: number;
  priority: Priority;
}

/** A user waits for the vector of a query; documents are embedded in the background. */
export type Priority = 'query' | 'documents';

export type Pooling = 'cls' | 'mean';

/** Token ids of some texts, with special tokens. */
export interface BatchRequest {
  rows: readonly Int32Array[];
}

/** The vectors one after the other, L2-normalised. */
export type BatchReply = { vectors: Float32Array } | { error: string };

export type ThreadMessage = { ready: true } | BatchReply;

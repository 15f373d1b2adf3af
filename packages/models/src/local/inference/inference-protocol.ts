/** Messages between the embedder and its inference threads. */
export interface ThreadData {
  modelFile: string;
  /** `scores`: the model is a cross-encoder, whose outputs are the scores of its rows. */
  pooling: Pooling | 'scores';
  /** Token id after which the second text of a row begins, for models that distinguish the two. */
  separatorId?: number | undefined;
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

/** What the embedder and its inference threads say to each other. */
export interface ThreadData {
  modelFile: string;
  pooling: Pooling;
  /** For models that want the padding's id where there is none of a text; masked in any case. */
  paddingId: number;
  priority: Priority;
}

/** Somebody waits for a query's vector; documents are embedded behind their upload. */
export type Priority = 'query' | 'documents';

export type Pooling = 'cls' | 'mean';

/** Token ids of a few texts, marks included. */
export interface BatchRequest {
  rows: readonly Int32Array[];
}

/** The vectors one after the other, L2-normalised. */
export type BatchReply = { vectors: Float32Array } | { error: string };

export type ThreadMessage = { ready: true } | BatchReply;

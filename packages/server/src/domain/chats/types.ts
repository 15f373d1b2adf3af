export interface NewChat {
  collection_id: string;
  title?: string | undefined;
  modelId?: string | undefined;
  instructions?: string | null | undefined;
  filter?: Record<string, unknown> | null | undefined;
  metadata?: Record<string, unknown> | undefined;
}

export type ChatChanges = Omit<{ [K in keyof NewChat]?: NewChat[K] | undefined }, 'collection_id'>;

export interface ChatListFilter {
  collectionId?: string | undefined;
  includeDeleted?: boolean | undefined;
  /** Collections that the caller's key is limited to; null for all. */
  allowed: readonly string[] | null;
  /** Scope of a filtered token, which sees only chats that were made with the same one; null otherwise. */
  scopeId?: string | null;
}

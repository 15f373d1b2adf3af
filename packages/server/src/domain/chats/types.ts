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
}

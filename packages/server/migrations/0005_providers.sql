-- Vectors that an outside provider has made for a document that is not ready yet: an attempt that breaks off, for the
-- provider is down, say, leaves them to the next one. Removed when the document is ready.
create table partial_embeddings (
  workspace_id uuid not null references workspaces on delete cascade,
  document_id uuid not null references documents on delete cascade,
  -- as in collection_indexes.embedding_model
  model text not null,
  content_hash bytea not null,
  -- float16
  embedding bytea not null,
  primary key (document_id, model, content_hash)
);
create index on partial_embeddings (workspace_id);

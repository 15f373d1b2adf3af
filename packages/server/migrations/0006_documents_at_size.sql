-- For collections of 100,000 documents.

-- Filters that compare metadata for equality. What is not searchable is left out: a document goes in once, when it is
-- ready, and not at each step of its processing.
-- The list of entries that wait to be merged is read for each value that is looked for: 256 kB are some 2,000 documents.
create index documents_by_metadata on documents
  using gin (metadata jsonb_path_ops) with (gin_pending_list_limit = 256)
  where searchable_revision is not null and deleted_at is null;

-- All that a collection's counts are made of.
create index documents_counted on documents (collection_id, status, chunk_count)
  where deleted_at is null and not is_archive;

-- Filters of columns, and filters that are asked again, in collections of 100,000 documents.

-- All columns that a filter may name, but the name itself, which may be too long for an index: a filter of columns reads these
-- and not the documents. Times of creation are looked up.
create index documents_by_columns on documents (collection_id, created_at)
  include (workspace_id, key, parent_id, status, content_type, language, size_bytes, page_count, chunk_count, modified_at, ready_at)
  where searchable_revision is not null and deleted_at is null;

create index documents_by_name on documents (collection_id, hashtextextended(name, 0))
  where searchable_revision is not null and deleted_at is null;

-- The transaction that last changed the document while searches could find it, or made it so. What a statement does not see
-- is of a transaction from `pg_snapshot_xmin(pg_current_snapshot())` on: with that a list of documents that was made earlier
-- is brought up to date. It has to be a trigger, for nobody may forget it.
alter table documents add column changed_in xid8 not null default '0';

create function mark_change() returns trigger language plpgsql as $$
begin
  new.changed_in := pg_current_xact_id();
  return new;
end $$;

create trigger documents_mark_change before insert or update on documents
  for each row when (new.searchable_revision is not null and new.deleted_at is null)
  execute function mark_change();

create index documents_by_change on documents (collection_id, changed_in)
  where searchable_revision is not null and deleted_at is null;

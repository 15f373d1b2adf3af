-- The feed from which processes keep search indexes in memory up to date: the chunks written, and the keys of those
-- removed, by transaction. A position in it is a snapshot, as in `changes`. Existing chunks count as written before all.
alter table chunks add column changed_in xid8 not null default '0';
alter table chunks alter column changed_in set default pg_current_xact_id();
create index chunks_by_change on chunks (collection_id, generation, changed_in);
drop index chunks_collection_id_generation_idx;

-- Removed chunks of one statement and index; old rows are deleted.
create table removed_chunks (
  key bigint generated always as identity primary key,
  collection_id uuid not null,
  generation integer not null,
  changed_in xid8 not null default pg_current_xact_id(),
  chunk_keys bigint[] not null,
  removed_at timestamptz not null default now()
);
create index removed_chunks_by_change on removed_chunks (collection_id, generation, changed_in);
create index removed_chunks_by_time on removed_chunks (removed_at);

-- One row. A restored database has another identity, since its transaction numbers start anew.
create table index_feed (
  identity uuid not null default gen_random_uuid(),
  -- the last transaction whose removals were deleted from `removed_chunks`
  forgotten_through xid8 not null default '0'
);
insert into index_feed default values;

create function log_removed_chunks() returns trigger language plpgsql as $$
begin
  insert into removed_chunks (collection_id, generation, chunk_keys)
    select collection_id, generation, array_agg(key) from removed group by collection_id, generation;
  if found then perform pg_notify('quire', 'chunks'); end if;
  return null;
end $$;
create trigger chunks_log_removal after delete on chunks referencing old table as removed
  for each statement execute function log_removed_chunks();

create function notify_new_chunks() returns trigger language plpgsql as $$
begin
  perform pg_notify('quire', 'chunks');
  return null;
end $$;
create trigger chunks_notify_insert after insert on chunks for each statement execute function notify_new_chunks();

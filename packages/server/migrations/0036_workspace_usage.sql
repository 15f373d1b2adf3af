-- Number of documents and bytes of files that a workspace stores, for quotas: the totals, and the changes since, which
-- are added to the totals from time to time. Writers only insert changes, so they do not wait for each other.
create table workspace_usage (
  workspace_id uuid primary key references workspaces on delete cascade,
  documents bigint not null,
  bytes bigint not null
);
create table workspace_usage_changes (
  workspace_id uuid not null,
  documents bigint not null,
  bytes bigint not null
);
create index on workspace_usage_changes (workspace_id);

-- Size of the searchable content while a newer one is not searchable; both are stored then.
alter table documents add column kept_bytes bigint not null default 0;

create function keep_searchable_size() returns trigger language plpgsql as $$
begin
  if new.searchable_content_id is null or new.searchable_content_id = new.content_id then
    new.kept_bytes := 0;
  elsif old.content_id = old.searchable_content_id then
    new.kept_bytes := old.size_bytes;
  end if;
  return new;
end $$;
create trigger documents_keep_size before update on documents
  for each row when (old.content_id is distinct from new.content_id
    or old.searchable_content_id is distinct from new.searchable_content_id)
  execute function keep_searchable_size();

create function count_added_documents() returns trigger language plpgsql as $$
begin
  insert into workspace_usage_changes
    select workspace_id, count(*), sum(size_bytes + kept_bytes) from changed group by workspace_id;
  return null;
end $$;
create function count_removed_documents() returns trigger language plpgsql as $$
begin
  insert into workspace_usage_changes
    select workspace_id, -count(*), -sum(size_bytes + kept_bytes) from changed group by workspace_id;
  return null;
end $$;
create function count_document_size() returns trigger language plpgsql as $$
begin
  insert into workspace_usage_changes
    values (new.workspace_id, 0, new.size_bytes + new.kept_bytes - old.size_bytes - old.kept_bytes);
  return null;
end $$;
create trigger documents_count_added after insert on documents referencing new table as changed
  for each statement execute function count_added_documents();
create trigger documents_count_removed after delete on documents referencing old table as changed
  for each statement execute function count_removed_documents();
create trigger documents_count_size after update on documents
  for each row when (old.size_bytes + old.kept_bytes <> new.size_bytes + new.kept_bytes)
  execute function count_document_size();

-- Size of the input files that are stored for a run.
create function run_input_bytes(files jsonb, outputs_deleted_at timestamptz) returns bigint
language sql immutable parallel safe as $$
  select case when outputs_deleted_at is null
    then coalesce((select sum((file->>'sizeBytes')::bigint) from jsonb_array_elements(files) as file), 0)
    else 0 end::bigint
$$;
create function count_run_size() returns trigger language plpgsql as $$
declare
  added bigint := 0;
begin
  if tg_op <> 'DELETE' then
    added := run_input_bytes(new.files, new.outputs_deleted_at);
  end if;
  if tg_op <> 'INSERT' then
    added := added - run_input_bytes(old.files, old.outputs_deleted_at);
  end if;
  if added <> 0 then
    insert into workspace_usage_changes values (coalesce(new.workspace_id, old.workspace_id), 0, added);
  end if;
  return null;
end $$;
create trigger runs_count_size after insert or delete on runs for each row execute function count_run_size();
create trigger runs_count_changed_size after update on runs
  for each row when (old.files is distinct from new.files or old.outputs_deleted_at is distinct from new.outputs_deleted_at)
  execute function count_run_size();

insert into workspace_usage
  select workspace_id, sum(documents), sum(bytes) from (
    select workspace_id, count(*) as documents, sum(size_bytes) as bytes from documents group by workspace_id
    union all
    select workspace_id, 0, sum(run_input_bytes(files, outputs_deleted_at)) from runs group by workspace_id
  ) as stored group by workspace_id;

-- The space of purged rows is used again within seconds, also in large tables.
alter table documents set (autovacuum_vacuum_scale_factor = 0.05, toast.autovacuum_vacuum_scale_factor = 0.05);
alter table chunks set (autovacuum_vacuum_scale_factor = 0.05, toast.autovacuum_vacuum_scale_factor = 0.05);

-- The change feed behind live events: a row for each resource whose state a transaction changed. Rows hold ids only;
-- readers look up the states. The position of a reader is a snapshot: it reads the rows of transactions that the snapshot
-- did not see, so it misses none that commits late and reads none twice. Old rows are deleted.
create table changes (
  key bigint generated always as identity primary key,
  xid xid8 not null default pg_current_xact_id(),
  workspace_id uuid not null,
  kind text not null check (kind in ('document', 'run', 'collection', 'sync')),
  id uuid not null,
  -- null for resources without a collection
  collection_id uuid,
  changed_at timestamptz not null default now()
);
create index changes_by_transaction on changes (workspace_id, xid, key);

-- Statement triggers cost less than row triggers, because uploads and ingestion write in batches. A transaction sends one
-- notification for each workspace, because PostgreSQL drops equal ones.
create function notify_changes(workspaces uuid[]) returns void language sql as $$
  select pg_notify('quire', 'changes:' || workspace) from (select distinct unnest(workspaces) as workspace) as changed
$$;

create function log_new_documents() returns trigger language plpgsql as $$
begin
  insert into changes (workspace_id, kind, id, collection_id)
    select workspace_id, 'document', id, collection_id from changed;
  perform notify_changes(array(select distinct workspace_id from changed));
  return null;
end $$;

create function log_changed_documents() returns trigger language plpgsql as $$
declare workspaces uuid[];
begin
  with logged as (
    insert into changes (workspace_id, kind, id, collection_id)
    select n.workspace_id, 'document', n.id, n.collection_id from changed as n join former as o on o.id = n.id
    where row(n.status, n.stage, n.progress, n.revision, n.searchable_revision, n.name, n.deleted_at, n.metadata)
      is distinct from row(o.status, o.stage, o.progress, o.revision, o.searchable_revision, o.name, o.deleted_at, o.metadata)
    returning workspace_id
  )
  select array_agg(distinct workspace_id) into workspaces from logged;
  perform notify_changes(workspaces);
  return null;
end $$;

create trigger documents_log_insert after insert on documents referencing new table as changed
  for each statement execute function log_new_documents();
create trigger documents_log_delete after delete on documents referencing old table as changed
  for each statement execute function log_new_documents();
create trigger documents_log_update after update on documents referencing old table as former new table as changed
  for each statement execute function log_changed_documents();

-- For tables that change row by row. Arguments: the kind, then the columns of id and collection ('' for none).
create function log_change() returns trigger language plpgsql as $$
declare
  changed jsonb := case when tg_op = 'DELETE' then to_jsonb(old) else to_jsonb(new) end;
begin
  insert into changes (workspace_id, kind, id, collection_id) values (
    (changed ->> 'workspace_id')::uuid, tg_argv[0], (changed ->> tg_argv[1])::uuid, (changed ->> tg_argv[2])::uuid
  );
  perform pg_notify('quire', 'changes:' || (changed ->> 'workspace_id'));
  return null;
end $$;

create trigger collections_log_change after insert or delete on collections
  for each row execute function log_change('collection', 'id', 'id');
create trigger collections_log_update after update on collections
  for each row when (row(new.name, new.description, new.deleted_at, new.live_generation, new.metadata)
    is distinct from row(old.name, old.description, old.deleted_at, old.live_generation, old.metadata))
  execute function log_change('collection', 'id', 'id');
create trigger collection_indexes_log_change after insert on collection_indexes
  for each row execute function log_change('collection', 'collection_id', 'collection_id');
create trigger collection_indexes_log_update after update on collection_indexes
  for each row when (row(new.status, new.documents_done) is distinct from row(old.status, old.documents_done))
  execute function log_change('collection', 'collection_id', 'collection_id');

-- The outcome of a run may have megabytes, so its triggers read columns and not the whole row.
create function log_run() returns trigger language plpgsql as $$
declare
  run_id uuid := case when tg_op = 'DELETE' then old.id else new.id end;
  workspace uuid := case when tg_op = 'DELETE' then old.workspace_id else new.workspace_id end;
begin
  insert into changes (workspace_id, kind, id) values (workspace, 'run', run_id);
  perform pg_notify('quire', 'changes:' || workspace);
  return null;
end $$;

create trigger runs_log_change after insert or delete on runs for each row execute function log_run();
create trigger runs_log_update after update on runs
  for each row when (row(new.status, new.progress, new.outputs_deleted_at)
    is distinct from row(old.status, old.progress, old.outputs_deleted_at))
  execute function log_run();

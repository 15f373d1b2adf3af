-- Connectors and their synchronisations in the change feed.
alter table changes drop constraint changes_kind_check;
alter table changes add check (kind in ('document', 'run', 'collection', 'connector', 'sync'));

-- Synchronisations hold thousands of changes in a column, so the triggers read columns and not the whole row. The start
-- and the end of one change the status of its connector.
create function log_sync() returns trigger language plpgsql as $$
declare
  workspace uuid := case when tg_op = 'DELETE' then old.workspace_id else new.workspace_id end;
  sync uuid := case when tg_op = 'DELETE' then old.id else new.id end;
  connector uuid := case when tg_op = 'DELETE' then old.connector_id else new.connector_id end;
begin
  insert into changes (workspace_id, kind, id) values (workspace, 'sync', sync);
  if tg_argv[0] = 'connector' then
    insert into changes (workspace_id, kind, id) values (workspace, 'connector', connector);
  end if;
  perform pg_notify('quire', 'changes:' || workspace);
  return null;
end $$;

create trigger connector_syncs_log_change after insert or delete on connector_syncs
  for each row execute function log_sync('connector');
create trigger connector_syncs_log_status after update on connector_syncs
  for each row when (new.status is distinct from old.status) execute function log_sync('connector');
-- Each fetched file writes the counters; about one change a second is enough.
create trigger connector_syncs_log_progress after update on connector_syncs
  for each row when (new.status = old.status and (new.phase is distinct from old.phase
    or date_trunc('second', new.progress_at) is distinct from date_trunc('second', old.progress_at)))
  execute function log_sync('');

create function log_connector() returns trigger language plpgsql as $$
declare
  workspace uuid := case when tg_op = 'DELETE' then old.workspace_id else new.workspace_id end;
begin
  insert into changes (workspace_id, kind, id)
    values (workspace, 'connector', case when tg_op = 'DELETE' then old.id else new.id end);
  perform pg_notify('quire', 'changes:' || workspace);
  return null;
end $$;

create trigger connectors_log_change after insert or delete on connectors
  for each row execute function log_connector();
create trigger connectors_log_update after update on connectors
  for each row when (row(new.modified_at, new.condition, new.paused, new.next_sync_at, new.deleted_at)
    is distinct from row(old.modified_at, old.condition, old.paused, old.next_sync_at, old.deleted_at))
  execute function log_connector();

-- While the source of a synchronisation fails, error_type and error_message hold the reason, and next_try_at the time of
-- the next try.
alter table connector_syncs add column next_try_at timestamptz;

create trigger connector_syncs_log_failure after update on connector_syncs
  for each row when (new.status = old.status and new.next_try_at is distinct from old.next_try_at)
  execute function log_sync('');

-- The document of a file that a listing did not contain is deleted only after the source was asked for the file itself.

-- Whether the source reported the deletion, so that the file need not be asked for.
alter table connector_items add column is_reported boolean not null default false;

alter table connector_syncs
  -- files that were asked for, those of them that exist, and those without a clear answer
  add column checked integer not null default 0,
  add column left_out integer not null default 0,
  add column unconfirmed integer not null default 0,
  -- [{ type, message }] about the source
  add column warnings jsonb not null default '[]',
  drop constraint connector_syncs_phase_check,
  -- checking: a dry run asks for the files whose documents would be deleted
  add constraint connector_syncs_phase_check
    check (phase in ('listing', 'comparing', 'checking', 'fetching', 'deleting'));

alter table connector_folders
  drop constraint connector_folders_state_check,
  -- removed, suspected: the path of a file that the source reports as deleted, or of which a report suggests it
  -- present, unknown: the path of a file that a dry run has asked for
  add constraint connector_folders_state_check
    check (state in ('whole', 'failed', 'removed', 'suspected', 'present', 'unknown'));

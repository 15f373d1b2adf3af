-- Connectors import the files of a source into a collection and keep them in step.
create table connectors (
  id uuid primary key,
  workspace_id uuid not null references workspaces on delete cascade,
  collection_id uuid not null references collections on delete cascade,
  name text not null,
  kind text not null,
  -- with credentials masked; the credentials themselves are in secrets, sealed, by field
  config jsonb not null,
  secrets jsonb not null default '{}',
  -- cron with five fields, in UTC; null: only manual synchronisations
  schedule text,
  paused boolean not null default false,
  deletions text not null default 'mirror' check (deletions in ('mirror', 'keep')),
  max_deletion_share double precision not null default 0.2,
  include text[] not null default '{}',
  exclude text[] not null default '{}',
  -- null: the limit of the service
  max_file_bytes bigint,
  metadata jsonb not null default '{}',
  -- result of the latest synchronisation that was no dry run
  condition text not null default 'idle' check (condition in ('idle', 'held', 'failing', 'needs_attention')),
  -- synchronisations that have failed since the last that did not
  failures integer not null default 0,
  -- position in the change feed of the source, and the end of the latest full listing
  change_token text,
  listed_at timestamptz,
  next_sync_at timestamptz,
  created_at timestamptz not null default now(),
  modified_at timestamptz not null default now(),
  deleted_at timestamptz
);
create index on connectors (workspace_id, id);
create index on connectors (collection_id);
create index on connectors (next_sync_at) where next_sync_at is not null and deleted_at is null;

-- What a kind of connector keeps between pages and synchronisations.
create table connector_state (
  connector_id uuid not null references connectors on delete cascade,
  key text collate "C" not null,
  value text not null,
  primary key (connector_id, key)
);

create table connector_syncs (
  id uuid primary key,
  workspace_id uuid not null references workspaces on delete cascade,
  connector_id uuid not null references connectors on delete cascade,
  trigger text not null check (trigger in ('manual', 'schedule')),
  dry_run boolean not null default false,
  -- stored versions are ignored
  refetch boolean not null default false,
  status text not null check (status in ('running', 'done', 'done_with_errors', 'failed', 'cancelled', 'held')),
  phase text check (phase in ('listing', 'comparing', 'fetching', 'deleting')),
  -- position within the phase: the resume token of the listing, or the last path compared
  position text,
  -- the change feed was read, so that files which are not listed are unchanged
  changes_since text,
  change_token text,
  -- the brake is released: the deletions are carried out
  approved boolean not null default false,
  known integer not null default 0,
  listed integer not null default 0,
  added integer not null default 0,
  updated integer not null default 0,
  unchanged integer not null default 0,
  skipped integer not null default 0,
  deleted integer not null default 0,
  failed integer not null default 0,
  -- files to fetch, fetches that ended, bytes received, and files that are to be deleted
  to_fetch integer not null default 0,
  fetched integer not null default 0,
  fetched_bytes bigint not null default 0,
  to_delete integer not null default 0,
  -- folders that could not be listed
  failed_folders integer not null default 0,
  -- [{ path, change, reason }] of a dry run, or examples of deletions that are held back
  changes jsonb not null default '[]',
  error_type text,
  error_message text,
  -- fencing: only the attempt that holds this token may change anything on behalf of the synchronisation
  attempt_token uuid,
  -- failures of the source since the last progress
  attempts integer not null default 0,
  progress_at timestamptz not null default now(),
  started_at timestamptz not null default now(),
  finished_at timestamptz
);
create index on connector_syncs (connector_id, id);
create index on connector_syncs (progress_at) where status = 'running';
-- One synchronisation of a connector at a time.
create unique index connector_syncs_running on connector_syncs (connector_id) where status = 'running';

-- What is known of each file of a source.
create table connector_items (
  connector_id uuid not null references connectors on delete cascade,
  path text collate "C" not null,
  source_id text,
  url text,
  name text,
  -- pending: seen, but not fetched yet
  status text not null check (status in ('pending', 'synced', 'failed', 'skipped', 'deleted')),
  -- the version that was fetched last, and the one that was listed last
  version text,
  listed_version text not null,
  size_bytes bigint,
  content_type text,
  source_modified_at timestamptz,
  permissions text[],
  sha256 text,
  document_id uuid,
  error_type text,
  error_message text,
  attempts integer not null default 0,
  next_attempt_at timestamptz,
  -- when a listing last contained it, for one that the latest listing did not contain
  last_seen_at timestamptz not null default now(),
  is_missing boolean not null default false,
  synced_at timestamptz,
  -- work of the synchronisation todo_sync: fetch the file, describe its document again, delete its document
  todo text check (todo in ('fetch', 'describe', 'delete')),
  todo_sync uuid,
  primary key (connector_id, path)
);
create index on connector_items (connector_id, todo, path) where todo is not null;
create index on connector_items (connector_id, source_id) where source_id is not null;
create index on connector_items (connector_id, sha256) where todo = 'delete';
create index on connector_items (document_id) where document_id is not null;

-- The listing of a running synchronisation. A crash of PostgreSQL empties unlogged tables; the row of the path '' shows
-- that they are intact, and without it the listing starts again.
create unlogged table connector_listing (
  sync_id uuid not null,
  path text collate "C" not null,
  source_id text,
  url text,
  name text,
  version text not null,
  size_bytes bigint,
  content_type text,
  source_modified_at timestamptz,
  permissions text[],
  -- why the file is not fetched
  skip_type text,
  skip_message text,
  primary key (sync_id, path)
);
create index on connector_listing (sync_id, source_id) where source_id is not null;

create unlogged table connector_folders (
  sync_id uuid not null,
  folder text collate "C" not null,
  -- removed: the path of a file that the source reports as deleted
  state text not null check (state in ('whole', 'failed', 'removed')),
  message text,
  primary key (sync_id, folder, state)
);

-- The folders of a path, from the root (the empty string) to the innermost.
create function folders_of_path(path text) returns text[] language sql immutable as $$
  select array[''] || array(
    select array_to_string((string_to_array(path, '/'))[1:depth], '/')
    from generate_series(1, array_length(string_to_array(path, '/'), 1) - 1) as depth)
$$;

-- Stateless processing: a run takes files and blocks and gives back an outcome, without touching a collection.
create table runs (
  id uuid primary key,
  workspace_id uuid not null references workspaces on delete cascade,
  status text not null check (status in ('idle', 'queued', 'running', 'done', 'failed')),
  -- the blocks as they were asked for; json keeps the order of their fields
  config json not null,
  -- [{ id, name, format, contentType, sizeBytes, sha256 }] in the order in which they came
  files jsonb not null default '[]',
  progress real not null default 0,
  error_type text,
  error_message text,
  -- null before the end and again once it is deleted; json takes any character of a file, NUL too
  outcome json,
  -- lists leave out large ones
  outcome_bytes integer not null default 0,
  -- SHA-256 of the client's key, and of the request that it stands for
  idempotency_key bytea,
  request_hash bytea,
  -- fencing: only the attempt that holds this token may change the run
  attempt_token uuid,
  attempts integer not null default 0,
  -- when the reaper fails it with `timeout`; set when processing starts
  deadline_at timestamptz,
  created_at timestamptz not null default now(),
  -- of the last change of status
  modified_at timestamptz not null default now(),
  started_at timestamptz,
  finished_at timestamptz,
  -- idle: when it is given up; ended: when its inputs and outputs are deleted
  expires_at timestamptz,
  outputs_deleted_at timestamptz
);
create index on runs (workspace_id, id);
create unique index on runs (workspace_id, idempotency_key) where idempotency_key is not null;
create index on runs (workspace_id) where status in ('queued', 'running');
create index on runs (modified_at) where status in ('queued', 'running');
create index on runs (expires_at) where outputs_deleted_at is null;

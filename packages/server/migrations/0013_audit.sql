-- Who changed what, and who read originals. Written in the transaction of the change. No foreign key: an entry must not
-- wait for a lock on its workspace; the erasure of a workspace removes its entries.
create table audit_entries (
  -- version 7, so that ids are in the order of time
  id uuid primary key,
  workspace_id uuid not null,
  at timestamptz not null,
  -- the operation id of the API
  action text not null,
  resource_type text not null,
  resource_id text,
  actor text not null check (actor in ('key', 'token', 'link', 'anonymous')),
  key_id uuid,
  -- the claim `sub` of a token
  subject text,
  request_id text not null,
  address text not null,
  outcome text not null check (outcome in ('done', 'refused')),
  details jsonb
);
create index on audit_entries (workspace_id, id);

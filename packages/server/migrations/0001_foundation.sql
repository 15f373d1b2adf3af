-- Everything belongs to a workspace; every table that holds workspace data carries workspace_id.

create table settings (
  name text primary key,
  value jsonb not null,
  modified_at timestamptz not null default now()
);

create table workspaces (
  id uuid primary key,
  name text not null,
  created_at timestamptz not null default now(),
  modified_at timestamptz not null default now(),
  deleted_at timestamptz
);

create table api_keys (
  id uuid primary key,
  -- null: the root key
  workspace_id uuid references workspaces on delete cascade,
  name text not null,
  permission text not null check (permission in ('read', 'write', 'admin', 'root')),
  -- null: all collections of the workspace
  collection_ids uuid[],
  -- SHA-256 of the key; the key itself is never stored
  key_hash bytea not null unique,
  key_hint text not null,
  expires_at timestamptz,
  last_used_at timestamptz,
  created_at timestamptz not null default now(),
  check ((workspace_id is null) = (permission = 'root'))
);
create index on api_keys (workspace_id, id);

create table configurations (
  id uuid primary key,
  workspace_id uuid not null references workspaces on delete cascade,
  kind text not null check (kind in ('models', 'embedders', 'parsers')),
  -- what it can be the default for: model, parser, dense_embedder, sparse_embedder
  role text not null check (role in ('model', 'parser', 'dense_embedder', 'sparse_embedder')),
  name text not null,
  config jsonb not null,
  -- encrypted fields of the config, by name (secret box)
  secrets jsonb not null default '{}',
  is_default boolean not null default false,
  created_at timestamptz not null default now(),
  modified_at timestamptz not null default now(),
  deleted_at timestamptz
);
create index on configurations (workspace_id, kind, id);
create unique index on configurations (workspace_id, role) where is_default and deleted_at is null;

create table collections (
  id uuid primary key,
  workspace_id uuid not null references workspaces on delete cascade,
  name text not null,
  description text,
  parser_id uuid not null references configurations,
  embedder_id uuid not null references configurations,
  sparse_embedder_id uuid not null references configurations,
  chunking jsonb not null,
  metadata jsonb not null default '{}',
  -- the generation of collection_indexes that searches read
  live_generation integer not null default 1,
  created_at timestamptz not null default now(),
  modified_at timestamptz not null default now(),
  deleted_at timestamptz
);
create index on collections (workspace_id, id);

-- One row per built index of a collection: a re-index builds generation n+1 beside the live one.
create table collection_indexes (
  collection_id uuid not null references collections on delete cascade,
  generation integer not null,
  workspace_id uuid not null references workspaces on delete cascade,
  status text not null check (status in ('live', 'building', 'cancelled', 'failed', 'retired')),
  table_name text not null unique,
  -- null until an embedder is resolved: a sparse-only index
  embedding_model text,
  dimensions integer,
  -- what the index was made with: { embedderId, sparseEmbedderId, parserId, chunking, analyser }
  recipe jsonb not null,
  documents_total integer not null default 0,
  documents_done integer not null default 0,
  error text,
  created_at timestamptz not null default now(),
  finished_at timestamptz,
  primary key (collection_id, generation)
);

create table documents (
  id uuid primary key,
  -- compact key for the search index
  key bigint generated always as identity unique,
  workspace_id uuid not null references workspaces on delete cascade,
  collection_id uuid not null references collections on delete cascade,
  -- the archive this document came out of
  parent_id uuid references documents on delete cascade,
  name text not null,
  format text not null,
  content_type text not null,
  size_bytes bigint not null,
  sha256 text not null,
  metadata jsonb not null default '{}',
  status text not null check (status in ('indexing', 'ready', 'failed')),
  stage text check (stage in ('queued', 'parsing', 'chunking', 'embedding', 'writing')),
  progress real not null default 0,
  error_type text,
  error_message text,
  language text,
  page_count integer,
  chunk_count integer not null default 0,
  -- the newest content; the revision that searches see (null: none yet)
  revision integer not null default 1,
  searchable_revision integer,
  -- where the bytes and artifacts of those two revisions are kept (the last part of their storage prefix)
  content_id uuid not null,
  searchable_content_id uuid,
  is_archive boolean not null default false,
  -- fencing: only the attempt that holds this token may change the document's state
  attempt_token uuid,
  attempts integer not null default 0,
  -- when the reaper fails it with `timeout`; set when processing starts
  deadline_at timestamptz,
  created_at timestamptz not null default now(),
  modified_at timestamptz not null default now(),
  ready_at timestamptz,
  deleted_at timestamptz
);
create index on documents (collection_id, id);
create index on documents (workspace_id, status) where status = 'indexing' and deleted_at is null;
create index on documents (collection_id, sha256);
create index on documents (parent_id) where parent_id is not null;
create index on documents (deadline_at) where status = 'indexing';

-- The truth behind the search index: text and vectors of every chunk, per index generation.
create table chunks (
  key bigint generated always as identity primary key,
  workspace_id uuid not null,
  collection_id uuid not null references collections on delete cascade,
  document_id uuid not null references documents on delete cascade,
  revision integer not null,
  generation integer not null,
  ordinal integer not null,
  -- public id, the same for an unchanged passage over re-ingestion
  id uuid not null,
  text text not null,
  headings text[] not null,
  block_ids text[] not null,
  boxes jsonb not null,
  token_count integer not null,
  -- SHA-256 of what the embedder reads, to reuse vectors of unchanged passages
  content_hash bytea not null,
  -- the analyser's tokens joined by spaces: what the sparse index reads
  terms text not null,
  -- float16, little endian; null without a dense embedder
  embedding bytea,
  unique (document_id, generation, revision, ordinal)
);
create index on chunks (collection_id, generation);

-- Events written in the transaction of the state change they tell of; webhooks are made from them.
create table events (
  id uuid primary key,
  workspace_id uuid not null references workspaces on delete cascade,
  type text not null,
  data jsonb not null,
  created_at timestamptz not null default now(),
  dispatched_at timestamptz
);
create index on events (created_at) where dispatched_at is null;

-- Running processes: a worker whose heartbeat stops loses its jobs to the others.
create table instances (
  id uuid primary key,
  role text not null,
  hostname text not null,
  pid integer not null,
  worker_pool_ids text[] not null default '{}',
  started_at timestamptz not null default now(),
  heartbeat_at timestamptz not null default now()
);

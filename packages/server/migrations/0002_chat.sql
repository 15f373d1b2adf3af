-- Conversations over a collection. Deleting one is soft; erasing its collection for good erases it too.
create table chats (
  id uuid primary key,
  workspace_id uuid not null references workspaces on delete cascade,
  collection_id uuid not null references collections on delete cascade,
  model_id uuid not null references configurations,
  -- null until the first question gives it one
  title text,
  instructions text,
  -- narrows retrieval for the whole chat
  filter jsonb,
  metadata jsonb not null default '{}',
  message_count integer not null default 0,
  created_at timestamptz not null default now(),
  modified_at timestamptz not null default now(),
  deleted_at timestamptz
);
create index on chats (workspace_id, id);
create index on chats (collection_id);

create table chat_messages (
  id uuid primary key,
  workspace_id uuid not null references workspaces on delete cascade,
  chat_id uuid not null references chats on delete cascade,
  role text not null check (role in ('user', 'assistant')),
  status text not null check (status in ('streaming', 'done', 'failed', 'stopped')),
  -- { parts, citations, usage, error } as the last stored line left them
  content jsonb not null,
  -- the conversation at the end of the exchange is told by its last line
  last_seq integer not null default 0,
  -- the process that answers; another one ends the message when that one falls silent
  instance_id uuid,
  created_at timestamptz not null default now(),
  finished_at timestamptz
);
create index on chat_messages (chat_id, id);
-- One chat answers one message at a time.
create unique index on chat_messages (chat_id) where status = 'streaming';
create index on chat_messages (id) where status = 'streaming';

-- The lines of each answer's stream, so that any process can resume it; removed some time after its end.
create table chat_lines (
  message_id uuid not null references chat_messages on delete cascade,
  seq integer not null,
  ops jsonb not null,
  created_at timestamptz not null default now(),
  primary key (message_id, seq)
);
create index on chat_lines (created_at);

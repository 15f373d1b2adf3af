-- One row, inserted by the first worker that finds none. A crash of PostgreSQL empties unlogged tables, and a replica
-- that takes over has none of their rows: another id shows that the last asynchronous commits may have been lost.
create unlogged table database_epoch (
  only_row boolean primary key default true check (only_row),
  id uuid not null default gen_random_uuid()
);

-- What all processes on this database have in common. A process that has another secret key or another store of
-- originals does not start.
create table installation (
  is_only boolean primary key default true check (is_only),
  -- Identifier of the secret key; null until a process has started.
  secret_key_id text,
  -- Identifier that is also stored in the store of originals; null until a process has started.
  storage_id text
);
insert into installation default values;

-- Number of database connections that the process may open; null for one of a former version.
alter table instances add column connections integer;

-- Limits that several processes share. Unlogged: after a crash of PostgreSQL every budget is full again.
create unlogged table rate_budgets (
  name text primary key,
  tokens double precision not null,
  -- Tokens that the last lease got.
  granted double precision not null,
  refilled_at timestamptz not null default clock_timestamp()
);

create unlogged table call_slots (
  name text not null,
  slot integer not null,
  token uuid not null,
  expires_at timestamptz not null,
  primary key (name, slot)
);

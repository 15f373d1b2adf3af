-- Who is told of which events. Deleting one is final; the log of its deliveries stays.
create table webhooks (
  id uuid primary key,
  workspace_id uuid not null references workspaces on delete cascade,
  name text not null,
  url text not null,
  -- host and port of the URL: deliveries are rationed by it
  host text not null,
  events text[] not null,
  status text not null default 'active' check (status in ('active', 'disabled')),
  disabled_reason text,
  -- sealed (secret box); the hint is all that is shown of it
  secret text not null,
  secret_hint text not null,
  -- [{ secret (sealed), expiresAt }]: after a rotation they sign too for a day
  previous_secrets jsonb not null default '[]',
  -- the first failure since the last success
  failing_since timestamptz,
  last_delivery_at timestamptz,
  last_status_code integer,
  created_at timestamptz not null default now(),
  modified_at timestamptz not null default now()
);
create index on webhooks (workspace_id, id);

-- One event to one webhook, over all its attempts.
create table deliveries (
  id uuid primary key,
  workspace_id uuid not null references workspaces on delete cascade,
  -- no reference: the log outlives the webhook
  webhook_id uuid not null,
  event_id uuid not null references events on delete cascade,
  event_type text not null,
  -- of the webhook's URL
  host text not null,
  status text not null default 'pending' check (status in ('pending', 'delivered', 'failed', 'cancelled')),
  attempts integer not null default 0,
  -- how many of the schedule's delays are used up; a redelivery begins anew
  retries integer not null default 0,
  -- of one that is being sent: when it is sent again if its process has died
  next_attempt_at timestamptz,
  -- fencing: only the claim that holds this token may settle it
  claim_token uuid,
  last_attempt_at timestamptz,
  status_code integer,
  error text,
  response_body text,
  duration_ms integer,
  -- [{ at, statusCode, error, durationMs }], the latest 20
  history jsonb not null default '[]',
  created_at timestamptz not null default now(),
  finished_at timestamptz,
  check ((status = 'pending') = (next_attempt_at is not null))
);
-- An event that is dispatched twice makes no second delivery.
create unique index on deliveries (event_id, webhook_id);
create index on deliveries (host, next_attempt_at) where status = 'pending';
create index on deliveries (webhook_id, id);
create index on deliveries (workspace_id, id);

create index on events (created_at) where dispatched_at is not null;

/** Events, webhooks that subscribe to them, and deliveries. */
import type { Generated } from 'kysely';
import type { DefaultedJson, Json, NullableTimestamp, Timestamp } from './columns.ts';

export interface EventsTable {
  id: string;
  workspace_id: string;
  type: string;
  data: Json<Record<string, unknown>>;
  created_at: Timestamp;
  dispatched_at: NullableTimestamp;
}

export type WebhookStatus = 'active' | 'disabled';

export interface WebhooksTable {
  id: string;
  workspace_id: string;
  name: string;
  url: string;
  host: string;
  events: string[];
  status: Generated<WebhookStatus>;
  disabled_reason: string | null;
  secret: string;
  secret_hint: string;
  previous_secrets: DefaultedJson<PreviousSecret[]>;
  failing_since: NullableTimestamp;
  last_delivery_at: NullableTimestamp;
  last_status_code: number | null;
  created_at: Timestamp;
  modified_at: Timestamp;
}

export interface PreviousSecret {
  /** Encrypted. */
  secret: string;
  expiresAt: string;
}

export type DeliveryStatus = 'pending' | 'delivered' | 'failed' | 'cancelled';

export interface DeliveriesTable {
  id: string;
  workspace_id: string;
  webhook_id: string;
  event_id: string;
  event_type: string;
  host: string;
  status: Generated<DeliveryStatus>;
  attempts: Generated<number>;
  retries: Generated<number>;
  next_attempt_at: NullableTimestamp;
  claim_token: string | null;
  last_attempt_at: NullableTimestamp;
  status_code: number | null;
  error: string | null;
  response_body: string | null;
  duration_ms: number | null;
  history: DefaultedJson<DeliveryAttempt[]>;
  created_at: Timestamp;
  finished_at: NullableTimestamp;
}

export interface DeliveryAttempt {
  at: string;
  statusCode: number | null;
  error: string | null;
  durationMs: number;
}

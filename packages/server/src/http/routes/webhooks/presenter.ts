import type { z } from 'zod';
import type { DeliveryRecord, WebhookRecord } from '../../../database/tables.ts';
import { iso, isoOrNull } from '../../schemas/common.ts';
import type { deliveryShape, webhookShape } from './schemas.ts';

type Webhook = z.output<typeof webhookShape>;
type Delivery = z.output<typeof deliveryShape>;

export function presentWebhook(record: WebhookRecord): Webhook {
  return {
    id: record.id,
    workspaceId: record.workspace_id,
    name: record.name,
    url: record.url,
    events: record.events as Webhook['events'],
    status: record.status,
    disabledReason: record.disabled_reason,
    secretHint: record.secret_hint,
    createdAt: iso(record.created_at),
    modifiedAt: iso(record.modified_at),
    lastDeliveryAt: isoOrNull(record.last_delivery_at),
    lastStatusCode: record.last_status_code,
  };
}

export function presentDelivery(record: DeliveryRecord): Delivery {
  return {
    id: record.id,
    workspaceId: record.workspace_id,
    webhookId: record.webhook_id,
    event: record.event_type as Delivery['event'],
    eventId: record.event_id,
    status: record.status,
    attempts: record.attempts,
    nextAttemptAt: record.claim_token === null ? isoOrNull(record.next_attempt_at) : null,
    statusCode: record.status_code,
    error: record.error,
    responseBody: record.response_body,
    durationMs: record.duration_ms,
    history: record.history.map(({ at, statusCode, error, durationMs }) => ({ at, statusCode, error, durationMs })),
    createdAt: iso(record.created_at),
    lastAttemptAt: isoOrNull(record.last_attempt_at),
    finishedAt: isoOrNull(record.finished_at),
  };
}

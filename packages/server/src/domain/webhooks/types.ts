import { EVENT_TYPES, type EventType } from '../events/outbox.ts';

/** Event type of `POST …/test`; it cannot be subscribed to. */
export const TEST_EVENT = 'webhook.test';
export const DELIVERED_EVENTS = [...EVENT_TYPES, TEST_EVENT] as const;
export const DELIVERY_STATUSES = ['pending', 'delivered', 'failed', 'cancelled'] as const;

/** Topic that wakes the senders of every process when a delivery became due without an event. */
export const DELIVERIES_TOPIC = 'deliveries';

export interface NewWebhook {
  name: string;
  url: string;
  signingSecret: string;
  events: readonly EventType[];
}

export interface WebhookChanges {
  name?: string | undefined;
  url?: string | undefined;
  signingSecret?: string | undefined;
  events?: readonly EventType[] | undefined;
  status?: 'active' | 'disabled' | undefined;
}

export interface DeliveryFilter {
  webhookId?: string | undefined;
  status?: (typeof DELIVERY_STATUSES)[number] | undefined;
  event?: (typeof DELIVERED_EVENTS)[number] | undefined;
}

/** Selects failed deliveries of subscribed events. */
export interface RedeliveryFilter {
  webhookId?: string | undefined;
  event?: EventType | undefined;
  /** Earliest time of creation. */
  since?: Date | undefined;
}

/** The fields of a delivery that its body is made of. */
export interface DeliveryPayload {
  event_id: string;
  event_type: string;
  event_created_at: Date;
  workspace_id: string;
  event_data: Record<string, unknown>;
}

/** A delivery claimed by this process, with all data for sending it. */
export interface ClaimedDelivery extends DeliveryPayload {
  id: string;
  claim_token: string;
  webhook_id: string;
  host: string;
  retries: number;
  url: string;
  secret: string;
  previous_secrets: { secret: string; expiresAt: string }[];
}

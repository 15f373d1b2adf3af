import type { DeliveryPayload } from './types.ts';

/** Returns the body of a delivery. It is identical for every attempt, because events do not change. */
export const bodyOf = (delivery: DeliveryPayload): string =>
  JSON.stringify({
    id: delivery.event_id,
    type: delivery.event_type,
    createdAt: delivery.event_created_at.toISOString(),
    workspaceId: delivery.workspace_id,
    data: delivery.event_data,
  });

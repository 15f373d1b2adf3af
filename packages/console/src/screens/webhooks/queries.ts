import type { Delivery, Webhook } from '@quire/client';
import { queryOptions } from '@tanstack/react-query';
import { listOptions } from '../../data/list.ts';
import type { WorkspaceContext } from '../../data/workspace.ts';

/** Time between two readings of deliveries that are being sent. */
const POLL_MS = 2_000;

export const EVENTS = [
  { value: 'document.ready', label: 'document.ready: a document can be searched' },
  { value: 'document.failed', label: 'document.failed: a document could not be read' },
  { value: 'process.completed', label: 'process.completed: a run has ended' },
  { value: 'connector.synced', label: 'connector.synced: a synchronisation has ended' },
] as const;

export type EventType = (typeof EVENTS)[number]['value'];

export interface DeliveryFilter {
  status?: Delivery['status'] | undefined;
  event?: Delivery['event'] | undefined;
}

export const webhooksList = ({ id, quire }: WorkspaceContext) =>
  listOptions<Webhook>([id, 'webhooks'], (signal) => quire.webhooks.list({ limit: 100, signal }));

export const deliveriesList = (
  { id, quire }: WorkspaceContext,
  webhookId: string | undefined,
  filter: DeliveryFilter,
) =>
  listOptions<Delivery>(
    [id, 'deliveries', webhookId, filter],
    (signal) => {
      const options = {
        limit: 100,
        signal,
        ...(filter.status !== undefined && { status: filter.status }),
        ...(filter.event !== undefined && { event: filter.event }),
      };
      return webhookId === undefined ? quire.deliveries.list(options) : quire.webhooks.deliveries(webhookId, options);
    },
    (deliveries) => (deliveries.some(isDueSoon) ? POLL_MS : false),
  );

/** Whether an attempt is under way or near, so that the log is read again until it is known. */
const isDueSoon = ({ status, nextAttemptAt }: Delivery): boolean =>
  status === 'pending' && (nextAttemptAt === null || Date.parse(nextAttemptAt) < Date.now() + POLL_MS);

export const deliveryQuery = ({ id, quire }: WorkspaceContext, deliveryId: string) =>
  queryOptions({
    queryKey: [id, 'delivery', deliveryId],
    queryFn: ({ signal }) => quire.deliveries.get(deliveryId, { signal }),
    // A pending delivery is followed until it ends.
    refetchInterval: ({ state }) => (state.data?.status === 'pending' ? POLL_MS : false),
  });

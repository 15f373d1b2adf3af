/** Transactional outbox: events are written in the transaction of their state change; deliveries are created later. */
import { sql } from 'kysely';
import { NOTIFICATION_CHANNEL } from '../../database/notifications.ts';
import type { Executor } from '../../database/transaction.ts';
import { newId } from '../../shared/uuid.ts';
import { fitContent } from './fit-content.ts';

export const EVENT_TYPES = ['process.completed', 'document.ready', 'document.failed', 'connector.synced'] as const;
export type EventType = (typeof EVENT_TYPES)[number];

/** Topic that wakes the dispatcher when the transaction commits. */
export const EVENTS_TOPIC = 'events';

/** Returns the row of an event, for statements that insert several; `content` as in `recordEvent`. */
export const eventRow = (workspaceId: string, type: EventType, content: Record<string, unknown>) => ({
  id: newId(),
  workspace_id: workspaceId,
  type,
  data: JSON.stringify(fitContent(content)),
});

/** Records an event. `content` holds ids, state, names and error; content that is too long is cut. */
export async function recordEvent(
  executor: Executor,
  workspaceId: string,
  type: EventType,
  content: Record<string, unknown>,
): Promise<void> {
  await executor
    .insertInto('events')
    .values(eventRow(workspaceId, type, content))
    .returning(sql`pg_notify(${NOTIFICATION_CHANNEL}, ${EVENTS_TOPIC})`.as('told'))
    .execute();
}

/** Events are written in the transaction of the state change they tell of; webhooks are made from them later. */
import type { Executor } from '../../database/transaction.ts';
import { newId } from '../../shared/uuid.ts';

export type EventType = 'document.ready' | 'document.failed' | 'process.completed';

export async function recordEvent(
  executor: Executor,
  workspaceId: string,
  type: EventType,
  content: Record<string, unknown>,
): Promise<void> {
  await executor
    .insertInto('events')
    .values({ id: newId(), workspace_id: workspaceId, type, data: JSON.stringify(content) })
    .execute();
}

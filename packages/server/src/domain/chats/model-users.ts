/** Finds and moves the chats that use a model configuration. Deleted chats count, because they can be restored. */
import type { Executor } from '../../database/transaction.ts';

interface Model {
  id: string;
  workspace_id: string;
}

export interface ModelUsers {
  count: number;
  /** The first ids, at most 20. */
  ids: string[];
}

const MAX_IDS = 20;

export async function usersOfModel(executor: Executor, { id, workspace_id: workspaceId }: Model): Promise<ModelUsers> {
  const chats = executor.selectFrom('chats').where('workspace_id', '=', workspaceId).where('model_id', '=', id);
  const { count } = await chats.select((eb) => eb.fn.countAll<string>().as('count')).executeTakeFirstOrThrow();
  const first = await chats.select('id').orderBy('id').limit(MAX_IDS).execute();
  return { count: Number(count), ids: first.map((chat) => chat.id) };
}

export async function moveModelUsers(executor: Executor, from: Model, toId: string): Promise<void> {
  await executor
    .updateTable('chats')
    .set({ model_id: toId })
    .where('workspace_id', '=', from.workspace_id)
    .where('model_id', '=', from.id)
    .execute();
}

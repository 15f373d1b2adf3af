import type { Kysely } from 'kysely';
import type { Database, MessageRecord } from '../../database/tables.ts';

/** Returns the ids of documents that the messages cite and that are deleted or purged by now. */
export async function deletedDocuments(
  database: Kysely<Database>,
  workspaceId: string,
  messages: readonly MessageRecord[],
): Promise<ReadonlySet<string>> {
  const cited = new Set(messages.flatMap(({ content }) => content.citations.map((citation) => citation.documentId)));
  if (cited.size === 0) return cited;
  const live = await database
    .selectFrom('documents')
    .select('id')
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', (eb) => eb.fn.any(eb.val([...cited])))
    .where('deleted_at', 'is', null)
    .execute();
  for (const { id } of live) cited.delete(id);
  return cited;
}

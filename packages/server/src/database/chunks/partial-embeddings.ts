/**
 * Stores vectors of chunks of documents that are not ready, so that a retry does not request them from the provider
 * again.
 */
import type { DocumentRecord } from '../tables.ts';
import type { Executor } from '../transaction.ts';

/** Vectors (float16), keyed by the chunk's content hash in hex. */
export type VectorsByContent = Map<string, Buffer>;

type Place = Pick<DocumentRecord, 'id' | 'workspace_id'>;

export async function partialEmbeddings(executor: Executor, document: Place, model: string): Promise<VectorsByContent> {
  const rows = await executor
    .selectFrom('partial_embeddings')
    .select(['content_hash', 'embedding'])
    .where('workspace_id', '=', document.workspace_id)
    .where('document_id', '=', document.id)
    .where('model', '=', model)
    .execute();
  return new Map(rows.map((row) => [row.content_hash.toString('hex'), row.embedding]));
}

export async function keepPartialEmbeddings(
  executor: Executor,
  document: Place,
  model: string,
  vectors: VectorsByContent,
): Promise<void> {
  if (vectors.size === 0) return;
  const place = { workspace_id: document.workspace_id, document_id: document.id, model };
  await executor
    .insertInto('partial_embeddings')
    .values([...vectors].map(([hash, embedding]) => ({ ...place, content_hash: Buffer.from(hash, 'hex'), embedding })))
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

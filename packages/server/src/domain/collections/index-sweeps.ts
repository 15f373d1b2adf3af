/** Removes chunks of superseded revisions and of indexes that are no longer used. */
import type { Kysely } from 'kysely';
import type { CollectionIndexRecord, Database } from '../../database/tables.ts';

const CHUNKS_PER_DELETE = 5_000;

export interface ObsoleteDocument {
  documentKey: bigint;
  belowRevision: number;
}

export class IndexSweeps {
  readonly #database: Kysely<Database>;

  constructor(deps: { database: Kysely<Database> }) {
    this.#database = deps.database;
  }

  /** Returns indexes that searches no longer read. */
  unused(collectionId: string): Promise<CollectionIndexRecord[]> {
    return this.#database
      .selectFrom('collection_indexes')
      .selectAll()
      .where('collection_id', '=', collectionId)
      .where('status', 'in', ['retired', 'cancelled', 'failed'])
      .execute();
  }

  async deleteGenerationChunks(collectionId: string, generation: number): Promise<void> {
    for (;;) {
      const result = await this.#database
        .deleteFrom('chunks')
        .where('key', 'in', (eb) =>
          eb
            .selectFrom('chunks')
            .select('key')
            .where('collection_id', '=', collectionId)
            .where('generation', '=', generation)
            .limit(CHUNKS_PER_DELETE),
        )
        .executeTakeFirst();
      if (result.numDeletedRows < BigInt(CHUNKS_PER_DELETE)) return;
    }
  }

  active(collectionId: string): Promise<CollectionIndexRecord[]> {
    return this.#database
      .selectFrom('collection_indexes')
      .selectAll()
      .where('collection_id', '=', collectionId)
      .where('status', 'in', ['live', 'building'])
      .execute();
  }

  /** Returns documents with chunks of former revisions. Skips first revisions, which saves 100,000 look-ups. */
  async obsolete(collectionId: string, limit: number): Promise<ObsoleteDocument[]> {
    const rows = await this.#database
      .selectFrom('chunks')
      .innerJoin('documents', 'documents.id', 'chunks.document_id')
      .select(['documents.key', 'documents.searchable_revision'])
      .distinct()
      .where('chunks.collection_id', '=', collectionId)
      .where('documents.collection_id', '=', collectionId)
      .where('documents.searchable_revision', '>', 1)
      .whereRef('chunks.revision', '<', 'documents.searchable_revision')
      .limit(limit)
      .execute();
    return rows.map((row) => ({ documentKey: BigInt(row.key), belowRevision: row.searchable_revision ?? 0 }));
  }

  async deleteObsoleteChunks(documents: readonly ObsoleteDocument[]): Promise<void> {
    for (const { documentKey, belowRevision } of documents) {
      await this.#database
        .deleteFrom('chunks')
        .where('document_id', 'in', (eb) =>
          eb
            .selectFrom('documents')
            .select('id')
            .where('key', '=', String(documentKey) as never),
        )
        .where('revision', '<', belowRevision)
        .execute();
    }
  }
}

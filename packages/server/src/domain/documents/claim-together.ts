/**
 * Beginning attempts at many documents in three statements. Of a group, rows that another transaction holds are left out
 * and claimed alone: no document waits for another, and two groups cannot wait for each other.
 */
import { sql, type Kysely } from 'kysely';
import { randomUUID } from 'node:crypto';
import type { CollectionIndexRecord, CollectionRecord, Database, DocumentRecord } from '../../database/tables.ts';
import { CollectionRepository } from '../collections/repository.ts';
import { whenHeld, type HeldRows } from './lock-attempts.ts';

export interface Claim {
  workspaceId: string;
  documentId: string;
  revision: number;
}

export interface ClaimedDocument {
  token: string;
  document: DocumentRecord;
  collection: CollectionRecord;
  indexes: CollectionIndexRecord[];
}

/** In order; undefined for a claim that has nothing to do or, in a group, is to be made alone. */
export async function claimTogether(
  database: Kysely<Database>,
  claims: readonly Claim[],
  deadlineMs: number,
  held: HeldRows = 'skip',
): Promise<(ClaimedDocument | undefined)[]> {
  const tokens = claims.map(() => randomUUID());
  const { rows } = await sql<DocumentRecord>`
    with claim as (
      select * from unnest(
        ${claims.map((claim) => claim.workspaceId)}::uuid[], ${claims.map((claim) => claim.documentId)}::uuid[],
        ${claims.map((claim) => claim.revision)}::int[], ${tokens}::uuid[]
      ) as claim (workspace_id, id, revision, token)
    ), free as (
      select documents.id, claim.token from documents
      join claim on claim.id = documents.id and claim.workspace_id = documents.workspace_id
        and claim.revision = documents.revision
      where documents.status = 'indexing' and documents.deleted_at is null
      for update of documents ${whenHeld(held)}
    )
    update documents set attempt_token = free.token, attempts = attempts + 1, deadline_at = ${new Date(Date.now() + deadlineMs)}
    from free where documents.id = free.id
    returning documents.*`.execute(database);
  const collectionIds = [...new Set(rows.map((row) => row.collection_id))];
  const collections = new CollectionRepository(database);
  const [records, indexes] = await Promise.all([
    database
      .selectFrom('collections')
      .selectAll()
      .where('id', '=', sql<string>`any(${collectionIds}::uuid[])`)
      .execute(),
    collections.activeIndexes(collectionIds),
  ]);
  const collectionById = new Map(records.map((record) => [record.id, record]));
  const documentByToken = new Map(rows.map((row) => [row.attempt_token, row]));
  return tokens.map((token) => {
    const document = documentByToken.get(token);
    const collection = document && collectionById.get(document.collection_id);
    if (document === undefined || collection === undefined) return undefined;
    const own = indexes.filter((index) => index.collection_id === collection.id);
    return { token, document, collection, indexes: own };
  });
}

import type { DocumentRecord } from '../../database/tables.ts';
import { deleted, notFound } from '../../errors.ts';

/** Returns the record; throws 404 if there is none, and 410 if the document is deleted. */
export function requireLiveDocument(record: DocumentRecord | undefined): DocumentRecord {
  if (record === undefined) throw notFound();
  if (record.deleted_at !== null) throw deleted('The document is deleted', { documentId: record.id });
  return record;
}

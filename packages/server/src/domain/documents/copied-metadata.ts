/** The metadata that the members of an archive copy from it, so that filters find them by it. */
import { sql } from 'kysely';
import { ContentError } from '@quire/blocks/content-error';
import type { DocumentRecord } from '../../database/tables.ts';
import type { Executor } from '../../database/transaction.ts';

/** Maximum size of the metadata of all members of an uploaded archive, nested ones included, in bytes. */
export const MAX_COPIED_METADATA_BYTES = 32 * 1024 * 1024;

/** Throws `ContentError` if so many new members would copy more than the limit. */
export async function requireCopiesWithinLimit(
  executor: Executor,
  archive: Pick<DocumentRecord, 'id' | 'metadata'>,
  newMembers: number,
): Promise<void> {
  const bytes = newMembers * Buffer.byteLength(JSON.stringify(archive.metadata));
  const copied = bytes + (await presentBytes(executor, archive.id));
  if (copied <= MAX_COPIED_METADATA_BYTES) return;
  throw new ContentError(
    'too_large',
    `The metadata of the archive would be copied to its members: ${copied} bytes in all, ` +
      `at most ${MAX_COPIED_METADATA_BYTES}. Upload it with less metadata`,
  );
}

/** Returns the size of the metadata of all documents below the outermost archive around this one. */
async function presentBytes(executor: Executor, archiveId: string): Promise<number> {
  const { rows } = await sql<{ bytes: number }>`
    with recursive up as (
      select id, parent_id from documents where id = ${archiveId}
      union all
      select d.id, d.parent_id from documents d join up on d.id = up.parent_id
    ), down as (
      select d.id, d.metadata from documents d join up on d.parent_id = up.id
      where up.parent_id is null and d.deleted_at is null
      union all
      select d.id, d.metadata from documents d join down on d.parent_id = down.id where d.deleted_at is null
    )
    select coalesce(sum(octet_length(metadata::text)), 0)::float8 as bytes from down`.execute(executor);
  return rows[0]?.bytes ?? 0;
}

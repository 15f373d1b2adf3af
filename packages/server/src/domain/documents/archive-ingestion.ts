/** The members of an archive as documents: made, replaced and removed so that they are what the archive holds. */
import type { Kysely } from 'kysely';
import type { Database, DocumentRecord } from '../../database/tables.ts';
import type { Notifications } from '../../database/notifications.ts';
import type { Executor } from '../../database/transaction.ts';
import { ContentError } from '../../errors.ts';
import type { JobQueue } from '../../queue/job-queue.ts';
import { newId } from '../../shared/uuid.ts';
import { storageKeys } from '../../storage/layout.ts';
import type { ObjectStore } from '../../storage/object-store.ts';
import { settleArchive } from './archive.ts';
import { enqueueIngestion } from './enqueue.ts';
import { AttemptSuperseded, type Attempt } from './ingestion.ts';

/** A member on local disk, or why there is none. */
export interface UnpackedMember {
  archivePath: string;
  name: string;
  path: string | null;
  sizeBytes: number;
  sha256: string;
  format: string | null;
  contentType: string | null;
  failure: { type: string; message: string } | null;
}

export interface ArchiveIngestionDeps {
  database: Kysely<Database>;
  queue: JobQueue;
  notifications: Notifications;
  store: ObjectStore;
}

const UNREADABLE = { format: 'txt', contentType: 'application/octet-stream' } as const;

export class ArchiveIngestion {
  readonly #deps: ArchiveIngestionDeps;

  constructor(deps: ArchiveIngestionDeps) {
    this.#deps = deps;
  }

  /**
   * Makes a document of each member, keeps those whose bytes are unchanged, and removes those that are gone. The
   * archive ends when its last member does.
   */
  async storeMembers(attempt: Attempt, members: readonly UnpackedMember[]): Promise<void> {
    if (members.length === 0) throw new ContentError('no_text', 'The archive is empty');
    const archive = attempt.document;
    const present = await this.#present(archive.id);
    for (const member of members) {
      const existing = present.get(member.archivePath);
      present.delete(member.archivePath);
      if (existing !== undefined && existing.sha256 === member.sha256 && existing.status !== 'failed') continue;
      await this.#storeMember(archive, member, existing);
    }
    await this.#deps.database.transaction().execute(async (transaction) => {
      await this.#removeGone(transaction, [...present.values()]);
      const held = await transaction
        .updateTable('documents')
        .set({ stage: 'writing', deadline_at: null, searchable_revision: null })
        .where('id', '=', archive.id)
        .where('attempt_token', '=', attempt.token)
        .executeTakeFirst();
      if (held.numUpdatedRows === 0n) throw new AttemptSuperseded(`archive ${archive.id} went on without this attempt`);
      await settleArchive(transaction, archive.id, this.#deps.notifications);
    });
  }

  async #present(archiveId: string): Promise<Map<string, DocumentRecord>> {
    const rows = await this.#deps.database
      .selectFrom('documents')
      .selectAll()
      .where('parent_id', '=', archiveId)
      .where('deleted_at', 'is', null)
      .execute();
    return new Map(rows.map((row) => [String(row.metadata['archivePath']), row]));
  }

  async #storeMember(
    archive: DocumentRecord,
    member: UnpackedMember,
    existing: DocumentRecord | undefined,
  ): Promise<void> {
    const id = existing?.id ?? newId();
    const contentId = newId();
    const place = { id, workspace_id: archive.workspace_id, collection_id: archive.collection_id };
    if (member.path !== null) await this.#deps.store.putFile(storageKeys.original(place, contentId), member.path);
    const content = {
      name: member.name,
      format: member.format ?? UNREADABLE.format,
      content_type: member.contentType ?? UNREADABLE.contentType,
      size_bytes: member.sizeBytes,
      sha256: member.sha256,
      content_id: contentId,
      is_archive: member.format === 'zip',
      status: member.failure === null ? ('indexing' as const) : ('failed' as const),
      stage: member.failure === null ? ('queued' as const) : null,
      error_type: member.failure?.type ?? null,
      error_message: member.failure?.message ?? null,
      attempt_token: null,
    };
    await this.#deps.database.transaction().execute(async (transaction) => {
      const record =
        existing === undefined
          ? await transaction
              .insertInto('documents')
              .values({
                ...place,
                ...content,
                parent_id: archive.id,
                metadata: JSON.stringify({ ...archive.metadata, archivePath: member.archivePath }),
              })
              .returningAll()
              .executeTakeFirstOrThrow()
          : await transaction
              .updateTable('documents')
              .set({ ...content, revision: existing.revision + 1, attempts: 0, modified_at: new Date() })
              .where('id', '=', id)
              .returningAll()
              .executeTakeFirstOrThrow();
      if (record.status === 'indexing') await enqueueIngestion(transaction, this.#deps.queue, record);
    });
  }

  async #removeGone(executor: Executor, gone: readonly DocumentRecord[]): Promise<void> {
    if (gone.length === 0) return;
    await executor
      .updateTable('documents')
      .set({ deleted_at: new Date(), attempt_token: null })
      .where('id', '=', (eb) => eb.fn.any(eb.val(gone.map((row) => row.id))))
      .execute();
  }
}

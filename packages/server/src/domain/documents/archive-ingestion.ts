/** Makes the members of an archive documents: creates, replaces and deletes them until they match what it holds. */
import type { Kysely, Transaction } from 'kysely';
import type { Database, DocumentRecord } from '../../database/tables.ts';
import type { Notifications } from '../../database/notifications.ts';
import { ContentError } from '@quire/blocks/content-error';
import { endJob } from '../../queue/claims.ts';
import type { JobQueue } from '../../queue/job-queue.ts';
import { newId } from '../../shared/uuid.ts';
import { storageKeys } from '../../storage/layout.ts';
import type { ObjectStore } from '../../storage/object-store.ts';
import type { WorkspaceQuota } from '../workspaces/quota.ts';
import { lockArchives, settleArchive } from './archive.ts';
import { AttemptSuperseded, type Attempt } from './attempt.ts';
import { insertDocuments, type NewRecord } from './batches/batched-inserts.ts';
import { requireCopiesWithinLimit } from './copied-metadata.ts';
import { enqueueIngestions } from './enqueue.ts';
import { lockAttempts } from './lock-attempts.ts';
import { DocumentRepository } from './repository.ts';
import { UNREAD_MEMBER } from './unread-member.ts';

/** A member of an archive as a file on local disk, or the reason why it could not be unpacked. */
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
  /** Default: no limit. */
  quota?: WorkspaceQuota | undefined;
}

/** A member to write, and the document that an earlier attempt or revision made of it. */
interface MemberWrite {
  member: UnpackedMember;
  existing: DocumentRecord | undefined;
  record: NewRecord;
}

/** Maximum number of members that one transaction writes. */
const MAX_BATCH_SIZE = 32;

export class ArchiveIngestion {
  readonly #deps: ArchiveIngestionDeps;

  constructor(deps: ArchiveIngestionDeps) {
    this.#deps = deps;
  }

  /**
   * Makes a document of each member, keeps members whose bytes are unchanged, and deletes those that are gone. The
   * archive ends when its last member does. Throws `AttemptSuperseded` and writes nothing more as soon as the archive
   * is deleted, replaced or purged.
   */
  async storeMembers(attempt: Attempt, members: readonly UnpackedMember[]): Promise<void> {
    if (members.length === 0) throw new ContentError('no_readable_member', 'The archive is empty');
    const archive = attempt.document;
    const present = await this.#present(archive.id);
    const writes: MemberWrite[] = [];
    for (const member of members) {
      const existing = present.get(member.archivePath);
      present.delete(member.archivePath);
      if (existing !== undefined && existing.sha256 === member.sha256 && existing.status !== 'failed') continue;
      writes.push({ member, existing, record: newRecord(archive, member, existing?.id ?? newId()) });
    }
    await this.#requireRoom(archive, writes);
    for (let start = 0; start < writes.length; start += MAX_BATCH_SIZE) {
      await this.#storeBatch(attempt, writes.slice(start, start + MAX_BATCH_SIZE));
    }
    await this.#finish(attempt, [...present.values()]);
  }

  /** Counts what all members will write, before the first one is written. */
  async #requireRoom(archive: DocumentRecord, writes: readonly MemberWrite[]): Promise<void> {
    const { database, quota } = this.#deps;
    const created = writes.filter(({ existing }) => existing === undefined).length;
    await requireCopiesWithinLimit(database, archive, created);
    const bytes = writes.reduce((sum, { record }) => sum + record.size_bytes, 0);
    await quota?.check(database, archive.workspace_id, { documents: created, bytes });
  }

  async #present(archiveId: string): Promise<Map<string, DocumentRecord>> {
    const rows = await new DocumentRepository(this.#deps.database).liveMembers(archiveId);
    return new Map(rows.map((row) => [String(row.metadata['archivePath']), row]));
  }

  /** Stores the files, then commits the records. Deletes the files again when the records could not be committed. */
  async #storeBatch(attempt: Attempt, writes: readonly MemberWrite[]): Promise<void> {
    const stored: string[] = [];
    try {
      for (const { member, record } of writes) {
        if (member.path === null) continue;
        const key = storageKeys.original(record, record.content_id);
        stored.push(key);
        await this.#deps.store.putFile(key, member.path);
      }
      await this.#deps.database.transaction().execute(async (transaction) => {
        await lockArchive(transaction, attempt);
        await this.#writeRecords(transaction, attempt.document.workspace_id, writes);
      });
    } catch (error) {
      for (const key of stored) await this.#deps.store.delete(key);
      throw error;
    }
  }

  async #writeRecords(
    transaction: Transaction<Database>,
    workspaceId: string,
    writes: readonly MemberWrite[],
  ): Promise<void> {
    const documents = new DocumentRepository(transaction);
    const created = writes.filter(({ existing }) => existing === undefined).map(({ record }) => record);
    const inserted = created.length === 0 ? [] : await insertDocuments(transaction, created, this.#deps.quota);
    const written = inserted.filter((record) => record !== undefined);
    const replaced = await documents.lockLive(
      workspaceId,
      writes.flatMap(({ existing }) => existing?.id ?? []),
    );
    for (const former of replaced) {
      const write = writes.find(({ record }) => record.id === former.id);
      if (write === undefined) continue;
      const { id: _id, metadata: _metadata, parent_id: _parent, ...content } = write.record;
      const changes = { ...content, revision: former.revision + 1, attempts: 0, attempt_token: null };
      const record = await documents.update(workspaceId, former.id, { ...changes, modified_at: new Date() });
      if (record !== undefined) written.push(record);
      if (former.content_id === former.searchable_content_id) continue;
      const prefix = storageKeys.content(former, former.content_id);
      await this.#deps.queue.enqueue(transaction, 'purge-content', { prefix });
    }
    await enqueueIngestions(
      transaction,
      this.#deps.queue,
      written.filter(({ status }) => status === 'indexing'),
    );
  }

  /** Deletes members that are gone, ends the job, and the archive if all of its members have ended already. */
  async #finish({ document, token, job }: Attempt, gone: readonly DocumentRecord[]): Promise<void> {
    await this.#deps.database.transaction().execute(async (transaction) => {
      const documents = new DocumentRepository(transaction);
      await lockArchive(transaction, { document, token });
      if (gone.length > 0) {
        const ids = gone.map((row) => row.id);
        await documents.markDeleted(document.workspace_id, document.collection_id, (eb) =>
          eb('documents.id', '=', eb.fn.any(eb.val(ids))),
        );
      }
      const changes = { stage: 'writing' as const, deadline_at: null, searchable_revision: null };
      await documents.update(document.workspace_id, document.id, changes);
      await settleArchive(transaction, document.id, this.#deps.notifications);
      await endJob(transaction, job);
    });
  }
}

/** Locks the archive, after the archives that contain it. Throws when the attempt at it was superseded. */
async function lockArchive(transaction: Transaction<Database>, attempt: Pick<Attempt, 'document' | 'token'>) {
  await lockArchives(transaction, attempt.document);
  const tokens = await lockAttempts(transaction, [attempt], 'wait');
  if (!tokens.has(attempt.token)) throw new AttemptSuperseded(attempt);
}

function newRecord(archive: DocumentRecord, member: UnpackedMember, id: string): NewRecord {
  const { failure } = member;
  return {
    id,
    workspace_id: archive.workspace_id,
    collection_id: archive.collection_id,
    parent_id: archive.id,
    metadata: JSON.stringify({ ...archive.metadata, archivePath: member.archivePath }),
    name: member.name,
    format: member.format ?? UNREAD_MEMBER.format,
    content_type: member.contentType ?? UNREAD_MEMBER.contentType,
    size_bytes: member.sizeBytes,
    sha256: member.sha256,
    content_id: newId(),
    is_archive: member.format === 'zip',
    status: failure === null ? 'indexing' : 'failed',
    stage: failure === null ? 'queued' : null,
    error_type: failure?.type ?? null,
    error_message: failure?.message ?? null,
  };
}

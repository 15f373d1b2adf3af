/**
 * Fetches one file of a source and imports it. Its document and what is known of the file are written in one fenced
 * transaction, so that a crash at any point neither loses nor repeats a document.
 */
import type { Connector, FetchedFile, SourceEntry } from '@quire/connectors/connector';
import { CredentialsRefused, ItemFailed, SourceUnavailable } from '@quire/connectors/connector-error';
import { isStorageFull } from '@quire/shared/free-space';
import { sql, type Kysely, type Transaction, type Updateable } from 'kysely';
import type { ConnectorItemsTable, Database, DocumentRecord, SourceItemRecord } from '../../../database/tables.ts';
import { ApiError } from '../../../errors.ts';
import { DocumentRepository } from '../../documents/repository.ts';
import type { DocumentRemoval } from '../../documents/removal.ts';
import type { DocumentService } from '../../documents/service.ts';
import type { Upload } from '../../documents/types.ts';
import { QuotaExceeded } from '../../workspaces/quota.ts';
import { storableText } from './storable-text.ts';
import { documentName } from './skip-rules.ts';
import type { Executor } from '../../../database/transaction.ts';
import { knownFile } from './verification.ts';
import { SyncSuperseded, type Increments, type SyncAttempt } from './sync-attempt.ts';

export interface TransferDeps {
  database: Kysely<Database>;
  documents: DocumentService;
  removal: DocumentRemoval;
  /** Writes a stream to a spool file. Rejects with `FileTooLarge` (by name) beyond the limit. */
  spool: (source: AsyncIterable<Buffer>, maxBytes: number) => Promise<Pick<Upload, 'path' | 'sizeBytes' | 'sha256'>>;
  discard: (upload: Pick<Upload, 'path'>) => Promise<void>;
  maxFileBytes: number;
  /** Delay before the next try of a file, in ms, by the number of failed tries. */
  retryDelayMs: (failures: number) => number;
}

/** Number of missing files with the content of a new one that are verified. */
const MAX_CANDIDATES = 5;
/** Maximum number of tries of a file in one synchronisation. */
const MAX_TRIES = 5;
/** Time after which a file that cannot be read is tried again although it has not changed, in ms. */
const RETRY_UNREADABLE_MS = 24 * 3_600_000;

/** Errors of inspection for files that cannot be searched; they count as skipped and not as failed. */
const NOT_IMPORTABLE = new Set(['unsupported_file_type', 'file_type_mismatch', 'file_empty']);

/** `unavailable`: the source did not answer; the file is tried again. */
export type TransferOutcome =
  | { kind: 'settled' }
  | { kind: 'unavailable'; retryAfterMs: number | null; message: string }
  | { kind: 'credentials'; message: string };

interface Failure {
  type: string;
  message: string;
  /** The next try may succeed although the file is the same. */
  passing: boolean;
  retryAfterMs?: number | null;
}

/** A file that a listing did not contain and whose document may be the one of a moved file. */
type Missing = Pick<SourceItemRecord, 'path' | 'source_id' | 'url' | 'document_id' | 'is_reported'>;

interface Received {
  file: FetchedFile;
  upload: Upload;
}

export async function transferItem(
  attempt: SyncAttempt,
  connector: Connector,
  item: SourceItemRecord,
  deps: TransferDeps,
  signal: AbortSignal,
): Promise<TransferOutcome> {
  const entry = entryOf(item);
  const isGone = async (missing: Missing): Promise<boolean> =>
    missing.is_reported || (await connector.exists(knownFile(missing), signal)) === 'absent';
  try {
    const received = await receive(attempt, connector, entry, deps, signal);
    try {
      await new Import(attempt, item, received, deps, isGone).run();
    } finally {
      await deps.discard(received.upload);
    }
    return { kind: 'settled' };
  } catch (error) {
    if (error instanceof SyncSuperseded || signal.aborted) throw error;
    if (error instanceof CredentialsRefused) return { kind: 'credentials', message: error.message };
    if (error instanceof ApiError && (error.status === 404 || error.details[0]?.type === 'deleted')) throw error;
    const failure = failureOf(error);
    if (failure === undefined) throw error;
    await settleFailure(attempt, item, failure, deps);
    if (!(error instanceof SourceUnavailable)) return { kind: 'settled' };
    return { kind: 'unavailable', retryAfterMs: error.retryAfterMs, message: error.message };
  }
}

function entryOf(item: SourceItemRecord): SourceEntry {
  return {
    path: item.path,
    version: item.listed_version,
    ...(item.source_id === null ? {} : { id: item.source_id }),
    ...(item.url === null ? {} : { url: item.url }),
    ...(item.name === null ? {} : { name: item.name }),
    ...(item.size_bytes === null ? {} : { sizeBytes: Number(item.size_bytes) }),
    ...(item.source_modified_at === null ? {} : { modifiedAt: item.source_modified_at }),
    ...(item.content_type === null ? {} : { contentType: item.content_type }),
    ...(item.permissions === null ? {} : { permissions: item.permissions }),
  };
}

async function receive(
  { connector: record }: SyncAttempt,
  connector: Connector,
  entry: SourceEntry,
  deps: TransferDeps,
  signal: AbortSignal,
): Promise<Received> {
  const maxBytes = Math.min(deps.maxFileBytes, Number(record.max_file_bytes ?? deps.maxFileBytes));
  const file = await connector.fetch(entry, signal);
  // The connection may be cut before the spool reads the body, which then reports the error. An error without a
  // listener ends the process.
  file.body.on('error', () => undefined);
  try {
    const spooled = await deps.spool(file.body, maxBytes);
    const contentType = file.contentType ?? entry.contentType ?? null;
    return { file, upload: { ...spooled, name: documentName(entry), contentType } };
  } finally {
    file.body.destroy();
  }
}

/** Returns undefined for an error that does not concern this file alone. */
function failureOf(error: unknown): Failure | undefined {
  if (error instanceof ItemFailed) {
    const { reason, message } = error;
    return { type: reason, message, passing: reason === 'network' || reason === 'changed' };
  }
  if (error instanceof SourceUnavailable) {
    return { type: 'network', message: error.message, passing: true, retryAfterMs: error.retryAfterMs };
  }
  if (error instanceof ApiError) {
    const [detail] = error.details;
    return { type: detail?.type ?? 'internal', message: error.message, passing: error instanceof QuotaExceeded };
  }
  if (isStorageFull(error)) {
    return { type: 'storage_full', message: 'The service has no storage space left', passing: true };
  }
  if (error instanceof Error && error.name === 'FileTooLarge') {
    return { type: 'too_large', message: 'The file is larger than the limit', passing: false };
  }
  return undefined;
}

/** Tries again later, or ends the work on the file for this synchronisation. */
async function settleFailure(
  attempt: SyncAttempt,
  item: SourceItemRecord,
  failure: Failure,
  deps: TransferDeps,
): Promise<void> {
  const { type, message, passing, retryAfterMs } = failure;
  const answered = type !== 'network';
  const tries = item.attempts + 1;
  const error = { error_type: type, error_message: storableText(message) };
  if (passing && tries < MAX_TRIES) {
    const delayMs = Math.max(retryAfterMs ?? 0, deps.retryDelayMs(tries));
    const next = new Date(Date.now() + delayMs);
    return settle(attempt, item, { ...error, attempts: tries, next_attempt_at: next }, {}, answered);
  }
  const done = { attempts: tries, todo: null, todo_sync: null } as const;
  if (type === 'gone') return settle(attempt, item, { ...done, next_attempt_at: null }, { fetched: 1 }, answered);
  if (type === 'unsupported' || type === 'too_large' || type === 'file_too_large' || NOT_IMPORTABLE.has(type)) {
    const named = type === 'unsupported' ? 'unsupported_file_type' : type.replace('file_too_large', 'too_large');
    const skipped = { ...error, error_type: named, version: item.listed_version, status: 'skipped' } as const;
    return settle(attempt, item, { ...done, ...skipped }, { fetched: 1, skipped: 1 }, answered);
  }
  const retry = passing || type === 'permission' ? null : new Date(Date.now() + RETRY_UNREADABLE_MS);
  const failed = { ...done, ...error, status: 'failed', next_attempt_at: retry } as const;
  return settle(attempt, item, failed, { fetched: 1, failed: 1 }, answered);
}

async function settle(
  attempt: SyncAttempt,
  item: SourceItemRecord,
  changes: Updateable<ConnectorItemsTable>,
  increments: Increments,
  answered: boolean,
): Promise<void> {
  await attempt.write((transaction) => writeItem(transaction, attempt, item, changes, increments, answered));
}

async function writeItem(
  transaction: Transaction<Database>,
  attempt: SyncAttempt,
  item: SourceItemRecord,
  changes: Updateable<ConnectorItemsTable>,
  increments: Increments,
  answered = true,
): Promise<void> {
  await transaction
    .updateTable('connector_items')
    .set(changes)
    .where('connector_id', '=', item.connector_id)
    .where('path', '=', item.path)
    .execute();
  if (answered) await attempt.advance(transaction, {}, increments);
  else await attempt.update(transaction, {}, increments);
}

/** Returns what the metadata of a document says of its source. */
export function sourceOf(
  item: Pick<SourceItemRecord, 'connector_id' | 'path' | 'url' | 'source_modified_at' | 'permissions'>,
) {
  return {
    connectorId: item.connector_id,
    path: item.path,
    url: item.url,
    modifiedAt: item.source_modified_at?.toISOString() ?? null,
    ...(item.permissions === null ? {} : { permissions: item.permissions }),
  };
}

/** Imports the received content of one file. */
class Import {
  readonly #attempt: SyncAttempt;
  readonly #item: SourceItemRecord;
  readonly #received: Received;
  readonly #deps: TransferDeps;
  readonly #isGone: (missing: Missing) => Promise<boolean>;

  constructor(
    attempt: SyncAttempt,
    item: SourceItemRecord,
    received: Received,
    deps: TransferDeps,
    isGone: (missing: Missing) => Promise<boolean>,
  ) {
    this.#attempt = attempt;
    this.#item = item;
    this.#received = received;
    this.#deps = deps;
    this.#isGone = isGone;
  }

  async run(): Promise<void> {
    const { document_id: documentId } = this.#item;
    const document = documentId === null ? undefined : await this.#find(documentId);
    if (document === undefined) return (await this.#adopt()) ? undefined : this.#create();
    if (document.deleted_at === null) return this.#update(document, 'unchanged');
    // A document that this connector deleted comes back; one that a user deleted stays deleted.
    if (this.#item.status !== 'deleted' && this.#item.status !== 'skipped') return this.#create();
    return this.#update(await this.#deps.removal.undelete(document.workspace_id, document.id), 'added');
  }

  async #find(documentId: string): Promise<DocumentRecord | undefined> {
    const { workspace_id: workspaceId, collection_id: collectionId } = this.#attempt.connector;
    const document = await this.#deps.documents.findById(workspaceId, documentId);
    return document?.collection_id === collectionId ? document : undefined;
  }

  async #create(): Promise<void> {
    const { connector } = this.#attempt;
    const metadata = { ...connector.metadata, source: sourceOf(this.#item) };
    const { upload } = this.#received;
    const input = { upload, name: upload.name, metadata, duplicates: 'allow' as const };
    const { workspace_id: workspaceId, collection_id: collectionId } = connector;
    await this.#deps.documents.create(workspaceId, collectionId, input, null, (transaction, { id }) =>
      this.#settle(transaction, id, 'added'),
    );
  }

  /** Gives the document the new content, unless it has it already. */
  async #update(document: DocumentRecord, same: 'unchanged' | 'added'): Promise<void> {
    const { upload } = this.#received;
    if (document.sha256 === upload.sha256) {
      await this.#attempt.write(async (transaction) => {
        await this.#describe(transaction, document);
        await this.#settle(transaction, document.id, same);
      });
      return;
    }
    const outcome = same === 'added' ? 'added' : 'updated';
    const input = { upload, name: upload.name };
    await this.#deps.documents.replace(document.workspace_id, document.id, input, null, async (transaction) => {
      await this.#describe(transaction, document);
      await this.#settle(transaction, document.id, outcome);
    });
  }

  /**
   * Takes the document of a missing file with the same content over: the file was moved. A missing file that exists is
   * one that the listing left out, and keeps its document.
   */
  async #adopt(): Promise<boolean> {
    const candidates = await this.#candidates(this.#deps.database);
    for (const { path, ...missing } of candidates) {
      if ((await this.#isGone({ path, ...missing })) && (await this.#adoptFrom(path))) return true;
    }
    return false;
  }

  /** Returns missing files with the content; of a path, it is locked. */
  async #candidates(executor: Executor, path: string | null = null): Promise<(Missing & { document_id: string })[]> {
    const { connector, id } = this.#attempt;
    const { sha256 } = this.#received.upload;
    const { rows } = await sql<Missing & { document_id: string }>`
      select i.path, i.source_id, i.url, i.document_id, i.is_reported
      from connector_items i join documents d on d.id = i.document_id
      where i.connector_id = ${connector.id} and i.sha256 = ${sha256} and i.todo = 'delete' and i.todo_sync = ${id}
        and i.is_missing and d.deleted_at is null and d.sha256 = ${sha256} and (${path}::text is null or i.path = ${path})
      order by i.path limit ${MAX_CANDIDATES} ${path === null ? sql`` : sql`for update of i`}`.execute(executor);
    return rows;
  }

  async #adoptFrom(path: string): Promise<boolean> {
    const { connector } = this.#attempt;
    const { upload } = this.#received;
    return this.#attempt.write(async (transaction) => {
      const [moved] = await this.#candidates(transaction, path);
      if (moved === undefined) return false;
      await transaction
        .deleteFrom('connector_items')
        .where('connector_id', '=', connector.id)
        .where('path', '=', moved.path)
        .execute();
      const documents = new DocumentRepository(transaction);
      await documents.update(connector.workspace_id, moved.document_id, { name: upload.name });
      await documents.mergeMetadata(connector.workspace_id, moved.document_id, { source: sourceOf(this.#item) });
      await this.#settle(transaction, moved.document_id, 'updated');
      return true;
    });
  }

  async #describe(transaction: Transaction<Database>, document: DocumentRecord): Promise<void> {
    const source = sourceOf(this.#item);
    if (JSON.stringify(document.metadata['source']) === JSON.stringify(source)) return;
    await new DocumentRepository(transaction).mergeMetadata(document.workspace_id, document.id, { source });
  }

  async #settle(
    transaction: Transaction<Database>,
    documentId: string,
    outcome: 'added' | 'updated' | 'unchanged',
  ): Promise<void> {
    const { upload, file } = this.#received;
    await this.#attempt.fence(transaction);
    const changes: Updateable<ConnectorItemsTable> = {
      status: 'synced',
      version: file.version,
      sha256: upload.sha256,
      size_bytes: upload.sizeBytes,
      document_id: documentId,
      synced_at: new Date(),
      error_type: null,
      error_message: null,
      attempts: 0,
      next_attempt_at: null,
      todo: null,
      todo_sync: null,
    };
    const increments = { fetched: 1, fetched_bytes: upload.sizeBytes, [outcome]: 1 };
    await writeItem(transaction, this.#attempt, this.#item, changes, increments);
  }
}

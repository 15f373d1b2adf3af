/**
 * The states of a document while a worker processes it. Every change is fenced: it holds only while the document still
 * carries the token of this attempt. A worker that was stopped and wakes late finds another token and changes nothing.
 * What several attempts of this process do at the same time goes to PostgreSQL together, in one transaction.
 */
import { sql, type Kysely, type Transaction } from 'kysely';
import type {
  ChunkRecord,
  CollectionIndexRecord,
  CollectionRecord,
  Database,
  DocumentRecord,
  DocumentStage,
  NewChunk,
} from '../../database/tables.ts';
import type { Notifications } from '../../database/notifications.ts';
import type { ContentErrorType } from '../../errors.ts';
import type { JobQueue } from '../../queue/job-queue.ts';
import {
  forgetPartialEmbeddings,
  keepPartialEmbeddings,
  partialEmbeddings,
  type VectorsByContent,
} from '../../database/partial-embeddings.ts';
import { CollectionRepository } from '../collections/repository.ts';
import { GroupedCalls } from '../../shared/grouped-calls.ts';
import { storageKeys } from '../../storage/layout.ts';
import { recordEvent } from '../events/outbox.ts';
import { lockArchives, settleArchive } from './archive.ts';
import { claimTogether, type Claim } from './claim-together.ts';
import { storeTogether, type StoredPassages } from './store-together.ts';
import { liveCount, succeedTogether, type Success } from './succeed-together.ts';
import { documentTopic } from './types.ts';

/** After so many interrupted attempts a document is given up: each one took its worker down. */
const MAX_ATTEMPTS = 20;

export interface Attempt {
  token: string;
  document: DocumentRecord;
  collection: CollectionRecord;
  /** The live index and one that is being built, if any: both get the document's passages. */
  indexes: CollectionIndexRecord[];
}

/** Of a transaction that writes for several attempts at once. */
const DOCUMENTS_TOGETHER = 32;
/** Their passages wait for a disk write, and the index rests for longer than this between its own. */
const STORE_REST_MS = 25;
/** In passages. */
const LARGE_DOCUMENT = 500;

/** Longer than any request that may still read what was superseded. */
const SWEEP_DELAY_MS = 60_000;

/** The collection's indexes are not those that the attempt wrote to; the job is to run again. */
export class IndexesChanged extends Error {
  override readonly name = 'IndexesChanged';
}

/** Thrown when another attempt, new content or a deletion took the document away; the job is simply over. */
export class AttemptSuperseded extends Error {
  override readonly name = 'AttemptSuperseded';
}

export interface ReadyDocument {
  language: string | null;
  pageCount: number | null;
  /** Passages by the generation of the index that they were made for. */
  chunkCounts: ReadonlyMap<number, number>;
}

export interface IngestionDeps {
  database: Kysely<Database>;
  queue: JobQueue;
  notifications: Notifications;
  deadlineMs: number;
  /** Told when attempts could not share a transaction, and have one each. */
  onGroupFailed: (error: unknown) => void;
}

export class DocumentIngestion {
  readonly #deps: IngestionDeps;

  readonly #claims: GroupedCalls<Claim, Attempt | null>;
  readonly #stores: GroupedCalls<StoredPassages, bigint[]>;
  readonly #successes: GroupedCalls<Success, true>;

  constructor(deps: IngestionDeps) {
    this.#deps = deps;
    const { database, deadlineMs, onGroupFailed } = deps;
    this.#claims = new GroupedCalls({
      most: DOCUMENTS_TOGETHER,
      together: (claims) => claimTogether(database, claims, deadlineMs),
      alone: (claim) => this.#claimAlone(claim),
      onGroupFailed,
    });
    this.#stores = new GroupedCalls({
      most: DOCUMENTS_TOGETHER,
      together: (passages) => storeTogether(database, passages),
      alone: (passages) => this.#storeAlone(passages),
      onGroupFailed,
      restMs: STORE_REST_MS,
    });
    this.#successes = new GroupedCalls({
      most: DOCUMENTS_TOGETHER,
      together: (successes) => succeedTogether(database, successes),
      alone: (success) => this.#succeedAlone(success),
      onGroupFailed,
    });
  }

  /** Begins an attempt; undefined when there is nothing (left) to do for this revision. */
  async claim(workspaceId: string, documentId: string, revision: number): Promise<Attempt | undefined> {
    const attempt = await this.#claims.call({ workspaceId, documentId, revision });
    if (attempt === null || attempt.document.attempts <= MAX_ATTEMPTS) return attempt ?? undefined;
    await this.fail(attempt, 'internal', `Processing was interrupted ${MAX_ATTEMPTS} times`);
    return undefined;
  }

  async #claimAlone(claim: Claim): Promise<Attempt | null> {
    const { database, deadlineMs } = this.#deps;
    const [attempt] = await claimTogether(database, [claim], deadlineMs, 'wait');
    return attempt ?? null;
  }

  /** Where a slow document stands; false when the attempt is superseded. */
  async progress(attempt: Attempt, stage: DocumentStage, fraction: number): Promise<boolean> {
    const result = await this.#deps.database
      .updateTable('documents')
      .set({ stage, progress: fraction })
      .where('id', '=', attempt.document.id)
      .where('attempt_token', '=', attempt.token)
      .executeTakeFirst();
    return result.numUpdatedRows > 0n;
  }

  /**
   * Stores the passages of this revision for one index, in place of what an earlier attempt left. They are invisible
   * until `succeed`. Returns their keys in order.
   */
  storeChunks(attempt: Attempt, generation: number, chunks: readonly NewChunk[]): Promise<bigint[]> {
    const passages = { attempt, generation, chunks };
    // Others do not wait for a large document.
    return chunks.length > LARGE_DOCUMENT ? this.#storeAlone(passages) : this.#stores.call(passages);
  }

  async #storeAlone(passages: StoredPassages): Promise<bigint[]> {
    const [keys] = await storeTogether(this.#deps.database, [passages], 'wait');
    if (keys === undefined) throw superseded(passages.attempt);
    return keys;
  }

  /** The vectors that unchanged passages of the document already have, and those that an earlier attempt has left. */
  async knownEmbeddings(attempt: Attempt, index: CollectionIndexRecord, model: string): Promise<VectorsByContent> {
    const kept = await partialEmbeddings(this.#deps.database, attempt.document, model);
    if (attempt.document.searchable_revision === null) return kept;
    const rows: Pick<ChunkRecord, 'content_hash' | 'embedding'>[] = await this.#deps.database
      .selectFrom('chunks')
      .select(['content_hash', 'embedding'])
      .where('document_id', '=', attempt.document.id)
      .where('generation', '=', index.generation)
      .where('embedding', 'is not', null)
      .execute();
    for (const row of rows) if (row.embedding) kept.set(row.content_hash.toString('hex'), row.embedding);
    return kept;
  }

  /** What an outside provider has made so far stays for the next attempt at this document. */
  keepEmbeddings(attempt: Attempt, model: string, vectors: VectorsByContent): Promise<void> {
    return keepPartialEmbeddings(this.#deps.database, attempt.document, model, vectors);
  }

  /** Makes the revision the one that searches see, and tells of it, in one transaction. */
  async succeed(attempt: Attempt, ready: ReadyDocument): Promise<void> {
    await this.#successes.call({ attempt, ready });
  }

  async #succeedAlone({ attempt, ready }: Success): Promise<true> {
    const { document } = attempt;
    await this.#fenced(attempt, async (transaction) => {
      const active = await this.#requireSameIndexes(transaction, attempt);
      await transaction
        .updateTable('documents')
        .set({
          status: 'ready',
          stage: null,
          progress: 1,
          error_type: null,
          error_message: null,
          language: ready.language,
          page_count: ready.pageCount,
          chunk_count: liveCount(active, ready),
          searchable_revision: document.revision,
          searchable_content_id: document.content_id,
          attempt_token: null,
          deadline_at: null,
          // After the lock on the collection: who holds that one can tell who comes after, `now()` is when this began.
          ready_at: sql<Date>`statement_timestamp()`,
          modified_at: sql<Date>`statement_timestamp()`,
        })
        .where('id', '=', document.id)
        .execute();
      await forgetPartialEmbeddings(transaction, document.id);
      await this.#finish(transaction, document, 'document.ready', { status: 'ready', error: null });
      if (document.searchable_revision !== null) await this.#sweepLater(transaction, document);
    });
    return true;
  }

  /**
   * An index that appeared while this attempt ran lacks its passages: the attempt must run again. The key-share lock
   * holds off a cut-over until this transaction ends. Returns the indexes.
   */
  async #requireSameIndexes(
    transaction: Transaction<Database>,
    attempt: Attempt,
  ): Promise<readonly CollectionIndexRecord[]> {
    const collectionId = attempt.document.collection_id;
    await transaction.selectFrom('collections').select('id').where('id', '=', collectionId).forKeyShare().execute();
    const active = await new CollectionRepository(transaction).activeIndexes([collectionId]);
    const written = new Set(attempt.indexes.map((index) => index.table_name));
    if (active.some((index) => !written.has(index.table_name)))
      throw new IndexesChanged('the collection got a new index');
    return active;
  }

  /** The revision before is out of sight already; its rows and bytes are removed when nobody can be reading them. */
  async #sweepLater(transaction: Transaction<Database>, document: DocumentRecord): Promise<void> {
    const runAt = new Date(Date.now() + SWEEP_DELAY_MS);
    const { collection_id: collectionId, searchable_content_id: contentId } = document;
    await this.#deps.queue.enqueue(
      transaction,
      'sweep-index',
      { collectionId },
      { key: `sweep:${collectionId}`, runAt },
    );
    if (contentId !== null && contentId !== document.content_id) {
      const prefix = storageKeys.content(document, contentId);
      await this.#deps.queue.enqueue(transaction, 'purge-content', { prefix }, { runAt });
    }
  }

  /** Ends the revision as `failed`, with a reason. What was searchable before stays so. */
  async fail(attempt: Attempt, type: ContentErrorType, message: string): Promise<void> {
    await this.#fenced(attempt, (transaction) => this.#markFailed(transaction, attempt.document, type, message));
  }

  /** Gives the document back untouched: the job will run again. */
  async release(attempt: Attempt): Promise<void> {
    await this.#deps.database
      .updateTable('documents')
      .set({ attempt_token: null, stage: 'queued', deadline_at: null })
      .where('id', '=', attempt.document.id)
      .where('attempt_token', '=', attempt.token)
      .execute();
  }

  /** For the reaper: fails a document whatever attempt holds it, if it is still being processed. */
  async failOverdue(document: DocumentRecord, type: ContentErrorType, message: string): Promise<boolean> {
    return this.#deps.database.transaction().execute(async (transaction) => {
      await lockArchives(transaction, document);
      const locked = await transaction
        .selectFrom('documents')
        .select('id')
        .where('id', '=', document.id)
        .where('status', '=', 'indexing')
        .where('attempt_token', 'is not distinct from', document.attempt_token)
        .forUpdate()
        .executeTakeFirst();
      if (locked === undefined) return false;
      await this.#markFailed(transaction, document, type, message);
      return true;
    });
  }

  async #markFailed(
    transaction: Transaction<Database>,
    document: DocumentRecord,
    type: ContentErrorType,
    message: string,
  ): Promise<void> {
    await transaction
      .updateTable('documents')
      .set({
        status: 'failed',
        stage: null,
        error_type: type,
        error_message: message,
        attempt_token: null,
        deadline_at: null,
        modified_at: sql<Date>`now()`,
      })
      .where('id', '=', document.id)
      .execute();
    await this.#finish(transaction, document, 'document.failed', { status: 'failed', error: { type, message } });
  }

  async #finish(
    transaction: Transaction<Database>,
    document: DocumentRecord,
    event: 'document.ready' | 'document.failed',
    outcome: { status: string; error: { type: string; message: string } | null },
  ): Promise<void> {
    await recordEvent(transaction, document.workspace_id, event, {
      documentId: document.id,
      collectionId: document.collection_id,
      name: document.name,
      revision: document.revision,
      ...outcome,
    });
    if (document.parent_id !== null) await settleArchive(transaction, document.parent_id, this.#deps.notifications);
    await this.#deps.notifications.publish(transaction, documentTopic(document.id));
  }

  async #fenced<T>(attempt: Attempt, work: (transaction: Transaction<Database>) => Promise<T>): Promise<T> {
    return this.#deps.database.transaction().execute(async (transaction) => {
      await lockArchives(transaction, attempt.document);
      const held = await transaction
        .selectFrom('documents')
        .select('id')
        .where('id', '=', attempt.document.id)
        .where('attempt_token', '=', attempt.token)
        .where('revision', '=', attempt.document.revision)
        .forUpdate()
        .executeTakeFirst();
      if (held === undefined) throw superseded(attempt);
      return work(transaction);
    });
  }
}

const superseded = ({ document }: Attempt): AttemptSuperseded =>
  new AttemptSuperseded(`document ${document.id} went on without this attempt`);

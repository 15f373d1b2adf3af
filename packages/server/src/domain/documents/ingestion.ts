/**
 * The states of a document while a worker processes it. Every change is fenced: it takes effect only while the document
 * still carries the token of this attempt, so a worker that was suspended and resumes late changes nothing. Concurrent
 * attempts of this process share transactions.
 */
import { sql, type Kysely, type Transaction } from 'kysely';
import type {
  ChunkRecord,
  CollectionIndexRecord,
  Database,
  DocumentRecord,
  DocumentStage,
  NewChunk,
} from '../../database/tables.ts';
import type { Notifications } from '../../database/notifications.ts';
import type { ContentErrorType } from '@quire/blocks/content-error';
import type { ContentWarning } from '@quire/blocks/content-warning';
import { endJob } from '../../queue/claims.ts';
import type { JobClaim, JobQueue } from '../../queue/job-queue.ts';
import {
  keepPartialEmbeddings,
  partialEmbeddings,
  type VectorsByContent,
} from '../../database/chunks/partial-embeddings.ts';
import { BatchedCalls } from '../../shared/batched-calls.ts';
import { recordEvent } from '../events/outbox.ts';
import { lockArchives, settleArchive } from './archive.ts';
import { AttemptSuperseded, IndexesChanged, type Attempt, type ReadyDocument } from './attempt.ts';
import { claimBatch, type Claim } from './batches/batched-claims.ts';
import { writeChunkBatch, type ChunkWrite } from './batches/batched-chunk-writes.ts';
import { isBatchable, succeedBatch, type Success } from './batches/batched-successes.ts';
import { lockAttempts } from './lock-attempts.ts';
import { documentTopic } from './types.ts';

/** Maximum number of attempts that may end without a result; each one took its worker down. */
const MAX_ATTEMPTS = 20;
/** Maximum number of documents in a transaction that writes for several attempts. */
const MAX_BATCH_SIZE = 32;
/** Minimum time between two transactions of a kind, in ms: the attempts that arrive meanwhile share one. */
const LINGER_MS = 50;
/** Maximum number of chunks of a document that shares transactions: others do not wait for a larger one. */
const MAX_SHARED_CHUNKS = 500;

export interface IngestionDeps {
  database: Kysely<Database>;
  queue: JobQueue;
  notifications: Notifications;
  deadlineMs: number;
  /** Reports why a batch failed; each of its attempts then gets a transaction of its own. */
  onBatchFailed: (error: unknown) => void;
}

export class DocumentIngestion {
  readonly #deps: IngestionDeps;
  readonly #claims: BatchedCalls<Claim, Attempt | null>;
  readonly #chunkWrites: BatchedCalls<ChunkWrite, bigint[]>;
  readonly #successes: BatchedCalls<Success, true>;

  constructor(deps: IngestionDeps) {
    this.#deps = deps;
    const { database, deadlineMs, onBatchFailed } = deps;
    this.#claims = new BatchedCalls({
      maxBatchSize: MAX_BATCH_SIZE,
      runBatch: (claims) => claimBatch(database, claims, deadlineMs, 'skip'),
      runSingle: async (claim) => (await claimBatch(database, [claim], deadlineMs, 'wait'))[0] ?? null,
      onBatchFailed,
    });
    this.#chunkWrites = new BatchedCalls({
      maxBatchSize: MAX_BATCH_SIZE,
      runBatch: (writes) => writeChunkBatch(database, writes, 'skip'),
      runSingle: (write) => this.#writeChunks(write),
      onBatchFailed,
      lingerMs: LINGER_MS,
    });
    this.#successes = new BatchedCalls({
      maxBatchSize: MAX_BATCH_SIZE,
      runBatch: (successes) => this.#succeedBatch(successes),
      runSingle: (success) => this.#succeedSingle(success),
      onBatchFailed,
      lingerMs: LINGER_MS,
    });
  }

  /** Begins an attempt; returns undefined when this revision needs no further processing. */
  async claim(
    workspaceId: string,
    documentId: string,
    revision: number,
    job: JobClaim | null = null,
  ): Promise<Attempt | undefined> {
    const attempt = await this.#claims.call({ workspaceId, documentId, revision, job });
    if (attempt === null || attempt.document.attempts <= MAX_ATTEMPTS) return attempt ?? undefined;
    await this.fail(attempt, 'internal', `Processing was interrupted ${MAX_ATTEMPTS} times`);
    return undefined;
  }

  /** Records the stage of a slow document; returns false when the attempt was superseded. */
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
   * Stores the chunks of this revision for one index, replacing those of an earlier attempt. They are invisible until
   * `succeed`. Returns their keys in order.
   */
  storeChunks(attempt: Attempt, generation: number, chunks: readonly NewChunk[]): Promise<bigint[]> {
    const write = { attempt, generation, chunks };
    return chunks.length > MAX_SHARED_CHUNKS ? this.#writeChunks(write) : this.#chunkWrites.call(write);
  }

  async #writeChunks(write: ChunkWrite): Promise<bigint[]> {
    const [keys] = await writeChunkBatch(this.#deps.database, [write], 'wait');
    if (keys === undefined) throw new AttemptSuperseded(write.attempt);
    return keys;
  }

  /** Returns vectors that unchanged chunks of the document already have, and those that an earlier attempt stored. */
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

  /** Stores the vectors that an outside provider has made so far, for the next attempt at this document. */
  keepEmbeddings(attempt: Attempt, model: string, vectors: VectorsByContent): Promise<void> {
    return keepPartialEmbeddings(this.#deps.database, attempt.document, model, vectors);
  }

  /** Makes the revision searchable, records the event and ends the job, in one transaction. */
  async succeed(attempt: Attempt, ready: ReadyDocument): Promise<void> {
    const success = { attempt, ready };
    const isLarge = [...ready.chunkCounts.values()].some((count) => count > MAX_SHARED_CHUNKS);
    await (isLarge ? this.#succeedSingle(success) : this.#successes.call(success));
  }

  async #succeedBatch(successes: readonly Success[]): Promise<(true | undefined)[]> {
    const batchable = successes.filter(isBatchable);
    const outcomes = await succeedBatch(this.#deps, batchable, 'skip');
    const done = new Set(batchable.filter((_, position) => outcomes[position] === 'done'));
    return successes.map((success) => (done.has(success) ? true : undefined));
  }

  async #succeedSingle(success: Success): Promise<true> {
    const [outcome] = await succeedBatch(this.#deps, [success], 'wait');
    if (outcome === 'superseded') throw new AttemptSuperseded(success.attempt);
    if (outcome === 'indexes-changed') throw new IndexesChanged();
    return true;
  }

  /**
   * Ends the revision as `failed`, with a reason, and the job with it. A revision that was searchable before stays
   * searchable.
   */
  async fail(
    attempt: Attempt,
    type: ContentErrorType,
    message: string,
    warnings: readonly ContentWarning[] = [],
  ): Promise<void> {
    await this.#deps.database.transaction().execute(async (transaction) => {
      await lockArchives(transaction, attempt.document);
      const tokens = await lockAttempts(transaction, [attempt], 'wait');
      if (!tokens.has(attempt.token)) throw new AttemptSuperseded(attempt);
      await this.#markFailed(transaction, attempt.document, { type, message }, warnings);
      await endJob(transaction, attempt.job);
    });
  }

  /** Returns the document to the queue without a result: the job will run again. The attempt does not count. */
  async release(attempt: Attempt): Promise<void> {
    await this.#deps.database
      .updateTable('documents')
      .set((eb) => ({
        attempt_token: null,
        attempts: eb.fn('greatest', [eb('attempts', '-', 1), eb.val(0)]),
        stage: 'queued',
        deadline_at: null,
      }))
      .where('id', '=', attempt.document.id)
      .where('attempt_token', '=', attempt.token)
      .execute();
  }

  /** Fails a document for the reaper, unless another attempt has begun. Returns whether the document has failed. */
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
      await this.#markFailed(transaction, document, { type, message }, []);
      return true;
    });
  }

  async #markFailed(
    transaction: Transaction<Database>,
    document: DocumentRecord,
    error: { type: ContentErrorType; message: string },
    warnings: readonly ContentWarning[],
  ): Promise<void> {
    await transaction
      .updateTable('documents')
      .set({
        status: 'failed',
        stage: null,
        error_type: error.type,
        error_message: error.message,
        warnings: JSON.stringify(warnings),
        attempt_token: null,
        deadline_at: null,
        modified_at: sql<Date>`now()`,
      })
      .where('id', '=', document.id)
      .execute();
    await recordEvent(transaction, document.workspace_id, 'document.failed', {
      documentId: document.id,
      collectionId: document.collection_id,
      name: document.name,
      revision: document.revision,
      status: 'failed',
      error,
      warnings: [...warnings],
    });
    if (document.parent_id !== null) await settleArchive(transaction, document.parent_id, this.#deps.notifications);
    await this.#deps.notifications.publish(transaction, documentTopic(document.id));
  }
}

/**
 * Runs a synchronisation for a slice of time: listing → comparing → fetching → brake → deleting. Every step is a fenced
 * transaction, so that the next slice continues, in whichever process, where the last one ended or was killed.
 */
import type { Connector } from '@quire/connectors/connector';
import type { Kysely } from 'kysely';
import type { Notifications } from '../../../database/notifications.ts';
import type { Database } from '../../../database/tables.ts';
import { ApiError } from '../../../errors.ts';
import { CollectionRepository } from '../../collections/repository.ts';
import { checkBrake, deleteNext } from './deletion.ts';
import { compareBatch } from './comparison.ts';
import {
  countIndexing,
  describeNext,
  dueFetches,
  hasAnswered,
  waitingFetches,
  type WaitingFetches,
} from './pending-work.ts';
import { previewSync } from './preview.ts';
import { RowBuffer } from './row-buffer.ts';
import { skipReasons } from './skip-rules.ts';
import { prepareListing, storePage } from './staging.ts';
import type { SyncAttempt } from './sync-attempt.ts';
import { transferItem, type TransferDeps, type TransferOutcome } from './transfer.ts';
import type { SyncEnd } from '../types.ts';

export interface PhaseDeps extends TransferDeps {
  database: Kysely<Database>;
  notifications: Pick<Notifications, 'publish'>;
  /** Opens the connection to the source; `changesSince` is a position in its change feed. */
  open: (attempt: SyncAttempt, changesSince: string | null) => Connector;
  /** Maximum number of files that are fetched at once from this source. */
  concurrency: (attempt: SyncAttempt) => number;
  now: () => number;
  /** Maximum number of documents of a connector that are processed at once. */
  maxIndexing: number;
  /** Delay before the backlog is counted again, in ms. */
  backlogDelayMs: number;
  /** Called for each fetch that ended. */
  observeFetch: (kind: string, outcome: 'settled' | 'unavailable') => void;
}

/** The synchronisation ends with the slice, or another slice follows after a delay. */
export type SliceResult = { kind: 'ended'; end: SyncEnd } | { kind: 'more'; delayMs: number };

/** The source did not answer; the slice is repeated after a delay. */
export class SourceDown extends Error {
  override readonly name = 'SourceDown';
  readonly retryAfterMs: number | null;

  constructor(message: string, retryAfterMs: number | null) {
    super(message);
    this.retryAfterMs = retryAfterMs;
  }
}

/** Time after which a kind with a change feed is listed in full again, in ms. */
const FULL_LISTING_MS = 24 * 3_600_000;
const FETCHES_PER_STEP = 50;
/** Number of fetches in a row that the source does not answer, after which it counts as down. */
const MAX_UNANSWERED = 20;

const MORE: SliceResult = { kind: 'more', delayMs: 0 };

export class SyncPhases {
  readonly #attempt: SyncAttempt;
  readonly #deps: PhaseDeps;
  readonly #signal: AbortSignal;
  readonly #until: number;
  #connector: Connector | undefined;
  #unansweredInRow = 0;

  /** The slice ends after the step in which the monotonic time `until` is reached. */
  constructor(attempt: SyncAttempt, deps: PhaseDeps, signal: AbortSignal, until: number) {
    this.#attempt = attempt;
    this.#deps = deps;
    this.#signal = signal;
    this.#until = until;
  }

  async run(): Promise<SliceResult> {
    try {
      for (;;) {
        this.#signal.throwIfAborted();
        const result = await this.#step().catch((error: unknown) => this.#explain(error));
        if (result !== undefined) return result;
        if (this.#isOver()) return MORE;
      }
    } finally {
      await this.#connector?.close();
    }
  }

  /** Returns the end if the collection was deleted during the step; throws other errors. */
  async #explain(error: unknown): Promise<SliceResult> {
    const end = error instanceof ApiError ? await this.#collectionGone() : undefined;
    if (end === undefined) throw error;
    return { kind: 'ended', end };
  }

  #isOver(): boolean {
    return performance.now() >= this.#until;
  }

  async #step(): Promise<SliceResult | undefined> {
    const { sync, connector } = this.#attempt;
    const gone = await this.#collectionGone();
    if (gone !== undefined) return { kind: 'ended', end: gone };
    switch (sync.phase) {
      case 'comparing':
        return this.#compare();
      case 'fetching':
        return this.#fetch();
      case 'deleting':
        return (await deleteNext(this.#attempt, this.#deps.notifications))
          ? undefined
          : { kind: 'ended', end: this.#done() };
      case 'listing':
      case null:
        return this.#list(connector.change_token);
    }
  }

  async #collectionGone(): Promise<SyncEnd | undefined> {
    const { workspace_id: workspaceId, collection_id: collectionId } = this.#attempt.connector;
    const collection = await new CollectionRepository(this.#deps.database).findById(workspaceId, collectionId);
    if (collection !== undefined && collection.deleted_at === null) return undefined;
    const error = { type: 'collection_deleted', message: 'The collection of the connector is deleted' };
    return { status: 'failed', condition: 'failing', error };
  }

  async #list(changeToken: string | null): Promise<SliceResult | undefined> {
    const { sync, connector } = this.#attempt;
    const isRecent = connector.listed_at !== null && this.#deps.now() - connector.listed_at.getTime() < FULL_LISTING_MS;
    const since = sync.refetch || sync.dry_run || !isRecent ? null : changeToken;
    const resumed = await prepareListing(this.#attempt, since);
    const source = this.#open(resumed ? this.#attempt.sync.changes_since : since);
    const skipReason = skipReasons({
      include: connector.include,
      exclude: connector.exclude,
      maxFileBytes: Math.min(this.#deps.maxFileBytes, Number(connector.max_file_bytes ?? this.#deps.maxFileBytes)),
    });
    const buffer = new RowBuffer();
    for await (const page of source.list(this.#attempt.sync.position, this.#signal)) {
      await storePage(this.#attempt, page, skipReason, buffer);
      if (page.resumeToken === null) return undefined;
      if (this.#isOver()) return MORE;
    }
    throw new Error('the listing ended without a last page');
  }

  async #compare(): Promise<SliceResult | undefined> {
    // After a crash of PostgreSQL the listing is empty and starts again.
    if (!(await prepareListing(this.#attempt, this.#attempt.sync.changes_since))) return undefined;
    if (!this.#attempt.sync.dry_run) {
      await compareBatch(this.#attempt);
      return undefined;
    }
    await this.#attempt.write(async (transaction) => {
      const { counts, changes } = await previewSync(transaction, this.#attempt);
      await this.#attempt.advance(transaction, { ...counts, changes: JSON.stringify(changes) });
    });
    return { kind: 'ended', end: this.#done() };
  }

  async #fetch(): Promise<SliceResult | undefined> {
    const { database, maxIndexing, backlogDelayMs } = this.#deps;
    const room = maxIndexing - (await countIndexing(database, this.#attempt, maxIndexing));
    if (room <= 0) return { kind: 'more', delayMs: backlogDelayMs };
    const items = await dueFetches(database, this.#attempt, Math.min(room, FETCHES_PER_STEP));
    if (items.length === 0) {
      const waiting = await waitingFetches(database, this.#attempt);
      if (waiting !== null) return this.#wait(waiting);
      while (await describeNext(this.#attempt)) if (this.#isOver()) return MORE;
      return (await this.#unanswered()) ?? this.#brake();
    }
    const source = this.#open(null);
    const queue = items.values();
    const stop: { end?: SyncEnd; down?: SourceDown } = {};
    const fetchAll = async (): Promise<void> => {
      // At least one file each, so that every slice makes progress.
      for (const item of queue) {
        Object.assign(stop, this.#judge(await transferItem(this.#attempt, source, item, this.#deps, this.#signal)));
        if (stop.end !== undefined || stop.down !== undefined || this.#isOver()) return;
      }
    };
    const fetchers = Array.from({ length: this.#deps.concurrency(this.#attempt) }, fetchAll);
    const failed = (await Promise.allSettled(fetchers)).find((result) => result.status === 'rejected');
    if (failed !== undefined) throw failed.reason;
    if (stop.down !== undefined) throw stop.down;
    return stop.end === undefined ? undefined : { kind: 'ended', end: stop.end };
  }

  /** Ends the slice until a file is fetched again, and shows the reason. */
  async #wait({ count, at, message }: WaitingFetches): Promise<SliceResult> {
    const files = count === 1 ? '1 file could not be fetched and is' : `${count} files could not be fetched and are`;
    const error = { type: 'items_failed', message: `${files} tried again: ${message}` };
    await this.#attempt.reportFailure({ error, failures: this.#attempt.sync.attempts, nextTryAt: at });
    return { kind: 'more', delayMs: Math.max(1, at.getTime() - this.#deps.now()) };
  }

  #judge(outcome: TransferOutcome): { end?: SyncEnd; down?: SourceDown } {
    if (outcome.kind === 'credentials') {
      const error = { type: 'credentials_refused', message: outcome.message };
      return { end: { status: 'failed', condition: 'needs_attention', error } };
    }
    this.#deps.observeFetch(this.#attempt.connector.kind, outcome.kind);
    if (outcome.kind === 'settled') {
      this.#unansweredInRow = 0;
      return {};
    }
    this.#unansweredInRow += 1;
    // A source that limits the rate is left alone by every fetcher.
    if (outcome.retryAfterMs === null && this.#unansweredInRow < MAX_UNANSWERED) return {};
    return { down: new SourceDown(outcome.message, outcome.retryAfterMs) };
  }

  /** A source that answered none of the fetches is down, and nothing is deleted. */
  async #unanswered(): Promise<SliceResult | undefined> {
    const { fetched, failed } = this.#attempt.sync;
    if (fetched === 0 || failed < fetched || (await hasAnswered(this.#deps.database, this.#attempt))) return undefined;
    const error = { type: 'source_unavailable', message: 'The source did not answer any of the requests for files' };
    return { kind: 'ended', end: { status: 'failed', condition: 'failing', error } };
  }

  async #brake(): Promise<SliceResult | undefined> {
    return this.#attempt.write(async (transaction) => {
      const brake = await checkBrake(transaction, this.#attempt);
      await this.#attempt.advance(transaction, {
        to_delete: brake.deletions,
        ...(brake.reason === null ? { phase: 'deleting' } : { changes: JSON.stringify(brake.examples) }),
      });
      if (brake.reason === null) return undefined;
      const error = { type: 'held', message: brake.reason };
      return { kind: 'ended', end: { status: 'held', condition: 'held', error } };
    });
  }

  #done(): SyncEnd {
    const { failed, failed_folders: folders } = this.#attempt.sync;
    if (failed === 0 && folders === 0) return { status: 'done', condition: 'idle', error: null };
    const parts = [
      ...(folders === 0 ? [] : [`${folders} folders could not be listed; their files are unchanged`]),
      ...(failed === 0
        ? []
        : [`${failed} ${failed === 1 ? 'file' : 'files'} could not be fetched; the list of items names the reasons`]),
    ];
    const type = folders === 0 ? 'items_failed' : 'listing_failed';
    return { status: 'done_with_errors', condition: 'idle', error: { type, message: parts.join('. ') } };
  }

  #open(changesSince: string | null): Connector {
    this.#connector ??= this.#deps.open(this.#attempt, changesSince);
    return this.#connector;
  }
}

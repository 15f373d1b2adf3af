/**
 * Runs a synchronisation for a slice of time: listing → comparing → fetching → brake → deleting; a dry run: listing →
 * comparing → checking. Every step is a fenced
 * transaction, so that the next slice continues, in whichever process, where the last one ended or was killed.
 */
import type { Connector, KnownFile } from '@quire/connectors/connector';
import type { Kysely, Transaction } from 'kysely';
import type { Notifications } from '../../../database/notifications.ts';
import type { Database } from '../../../database/tables.ts';
import { ApiError } from '../../../errors.ts';
import { CollectionRepository } from '../../collections/repository.ts';
import { brakeReason, checkBrake, CHECKS_PER_STEP, countVerdicts, deleteNext } from './deletion.ts';
import { compareBatch, countKnown } from './comparison.ts';
import {
  countIndexing,
  describeNext,
  dueFetches,
  hasAnswered,
  waitingFetches,
  type WaitingFetches,
} from './pending-work.ts';
import { nextChecks, previewSync, storeChecks } from './preview.ts';
import { RowBuffer } from './row-buffer.ts';
import { skipReasons } from './skip-rules.ts';
import { prepareListing, storePage } from './staging.ts';
import type { SyncAttempt } from './sync-attempt.ts';
import { transferItem, type TransferDeps, type TransferOutcome } from './transfer.ts';
import { knownFile, MAX_UNANSWERED, SourceDown, verify, type Verdicts } from './verification.ts';
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

/** Time after which a kind with a change feed is listed in full again, in ms. */
const FULL_LISTING_MS = 24 * 3_600_000;
const FETCHES_PER_STEP = 50;

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
      case 'checking':
        return this.#check();
      case 'deleting':
        return this.#delete();
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
    const mayDelete = await this.#attempt.write((transaction) => this.#preview(transaction));
    return mayDelete ? undefined : { kind: 'ended', end: this.#done() };
  }

  /** Shows what would change. Returns whether the files that would be deleted are still to be verified. */
  async #preview(transaction: Transaction<Database>): Promise<boolean> {
    const { sync, connector } = this.#attempt;
    const { counts, changes } = await previewSync(transaction, this.#attempt);
    const known = await countKnown(transaction, connector.id);
    // The brake holds before anything is verified.
    const isHeld = brakeReason(counts.deleted, { ...sync, known }, connector.max_deletion_share) !== null;
    const isMirror = connector.deletions === 'mirror';
    const mayDelete = isMirror && sync.phase === 'comparing' && counts.deleted > 0 && !isHeld;
    await this.#attempt.advance(transaction, {
      ...counts,
      changes: JSON.stringify(changes),
      ...(mayDelete ? { phase: 'checking', position: '' } : {}),
    });
    return mayDelete;
  }

  /** Verifies the next files that a dry run would delete. */
  async #check(): Promise<SliceResult | undefined> {
    const { sync, id } = this.#attempt;
    if (!(await prepareListing(this.#attempt, sync.changes_since))) return undefined;
    const due = await nextChecks(this.#deps.database, this.#attempt, sync.position ?? '', CHECKS_PER_STEP);
    if (due.length === 0) {
      await this.#attempt.write((transaction) => this.#preview(transaction));
      return { kind: 'ended', end: this.#done() };
    }
    const { answers, stop } = await this.#verify(due.map(knownFile));
    // Only what was answered without a gap is behind the position.
    const gap = due.findIndex(({ path }) => !answers.has(path));
    const asked = gap === -1 ? due : due.slice(0, gap);
    const taken = new Map([...answers].filter(([path]) => asked.some((each) => each.path === path)));
    const position = asked.at(-1)?.path;
    if (position !== undefined) {
      await this.#attempt.write(async (transaction) => {
        await storeChecks(transaction, id, taken);
        await this.#attempt.advance(transaction, { position }, countVerdicts(taken));
      });
    }
    if (stop !== undefined) throw stop;
    return undefined;
  }

  async #delete(): Promise<SliceResult | undefined> {
    const { database, notifications } = this.#deps;
    const deps = { notifications, verify: (files: readonly KnownFile[]) => this.#verify(files) };
    return (await deleteNext(this.#attempt, database, deps)) ? undefined : { kind: 'ended', end: this.#done() };
  }

  #verify(files: readonly KnownFile[]): Promise<Verdicts> {
    const options = {
      concurrency: this.#deps.concurrency(this.#attempt),
      failures: this.#attempt.sync.attempts,
      isOver: () => this.#isOver(),
    };
    return verify(this.#open(null), files, options, this.#signal);
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
    const { failed, failed_folders: folders, unconfirmed } = this.#attempt.sync;
    if (failed === 0 && folders === 0 && unconfirmed === 0) return { status: 'done', condition: 'idle', error: null };
    const parts = [
      ...(folders === 0 ? [] : [`${folders} folders could not be listed; their files are unchanged`]),
      ...(failed === 0
        ? []
        : [`${failed} ${failed === 1 ? 'file' : 'files'} could not be fetched; the list of items names the reasons`]),
      ...(unconfirmed === 0 ? [] : [`The source did not say whether ${unconfirmed} missing files exist; they stay`]),
    ];
    const type = folders > 0 ? 'listing_failed' : failed > 0 ? 'items_failed' : 'deletions_unconfirmed';
    return { status: 'done_with_errors', condition: 'idle', error: { type, message: parts.join('. ') } };
  }

  #open(changesSince: string | null): Connector {
    this.#connector ??= this.#deps.open(this.#attempt, changesSince);
    return this.#connector;
  }
}

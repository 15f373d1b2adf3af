/** Runs slices of synchronisations, and decides what follows a failure of the source. */
import { CredentialsRefused, ListingFailed, SourceUnavailable } from '@quire/connectors/connector-error';
import type { Kysely } from 'kysely';
import type { Notifications } from '../../../database/notifications.ts';
import type { Database, SyncRecord } from '../../../database/tables.ts';
import { ApiError } from '../../../errors.ts';
import { endJob } from '../../../queue/claims.ts';
import type { JobClaim, JobEnd, JobQueue } from '../../../queue/job-queue.ts';
import { endSync, type EndingDeps } from './ending.ts';
import { clearListings } from './staging.ts';
import { SyncAttempt, SyncSuperseded } from './sync-attempt.ts';
import { SyncPhases, type PhaseDeps, type SliceResult } from './sync-phases.ts';
import { SourceDown } from './verification.ts';
import { enqueueSync } from './syncs.ts';
import { syncTopic, type SyncEnd } from '../types.ts';

export interface SyncRunDeps extends PhaseDeps, EndingDeps {
  database: Kysely<Database>;
  queue: JobQueue;
  notifications: Notifications;
  /** Duration of a slice in ms; other connectors get their turn between two slices. */
  sliceMs: number;
  /** Delay before the source is called again, in ms, by the number of failures since the last progress. */
  sourceDelayMs: (failures: number) => number;
  /** Called for each synchronisation that ended. */
  observeSync: (kind: string, status: SyncRecord['status'], seconds: number) => void;
  /** Called for an error that is no fault of the source. */
  onError: (error: unknown, syncId: string) => void;
}

/** Number of failures since the last progress after which a synchronisation fails. */
const MAX_FAILURES = 6;

export class SyncRuns {
  readonly #deps: SyncRunDeps;

  constructor(deps: SyncRunDeps) {
    this.#deps = deps;
  }

  /** Runs one slice and queues the next one, or ends the synchronisation; either of them ends the job too. */
  async runSlice(syncId: string, signal: AbortSignal, job: JobClaim | null = null): Promise<JobEnd> {
    const attempt = await SyncAttempt.claim(this.#deps.database, syncId, job);
    if (attempt === undefined) return undefined;
    const { lost, stop } = this.#watch(attempt);
    try {
      await this.#conclude(attempt, await this.#run(attempt, AbortSignal.any([signal, lost])));
      return 'recorded';
    } catch (error) {
      if (lost.aborted || error instanceof SyncSuperseded) return undefined;
      throw error;
    } finally {
      stop();
    }
  }

  async #run(attempt: SyncAttempt, signal: AbortSignal): Promise<SliceResult> {
    try {
      const until = performance.now() + this.#deps.sliceMs;
      return await new SyncPhases(attempt, this.#deps, signal, until).run();
    } catch (error) {
      if (signal.aborted || error instanceof SyncSuperseded) throw error;
      const final = finalFailure(error);
      if (final !== undefined) return { kind: 'ended', end: final };
      return this.#retry(attempt, error);
    }
  }

  async #retry(attempt: SyncAttempt, error: unknown): Promise<SliceResult> {
    const down = error instanceof SourceUnavailable || error instanceof SourceDown ? error : undefined;
    if (down === undefined) this.#deps.onError(error, attempt.id);
    const failures = attempt.sync.attempts + 1;
    const failure =
      down === undefined
        ? { type: 'internal', message: 'An unexpected error occurred; the log of the service has it' }
        : { type: 'source_unavailable', message: down.message };
    if (failures >= MAX_FAILURES) {
      return { kind: 'ended', end: { status: 'failed', condition: 'failing', error: failure } };
    }
    const delayMs = Math.max(down?.retryAfterMs ?? 0, this.#deps.sourceDelayMs(failures));
    await attempt.reportFailure({ error: failure, failures, nextTryAt: new Date(this.#deps.now() + delayMs) });
    return { kind: 'more', delayMs };
  }

  async #conclude(attempt: SyncAttempt, result: SliceResult): Promise<void> {
    if (result.kind === 'more') {
      await attempt.write(async (transaction) => {
        await endJob(transaction, attempt.job);
        await enqueueSync(transaction, this.#deps.queue, attempt.sync, result.delayMs);
      });
      return;
    }
    const ended = await attempt.write(async (transaction) => {
      await endJob(transaction, attempt.job);
      return endSync(transaction, attempt.sync, attempt.connector, result.end, this.#deps);
    });
    const seconds = ((ended.finished_at?.getTime() ?? this.#deps.now()) - ended.started_at.getTime()) / 1000;
    this.#deps.observeSync(attempt.connector.kind, ended.status, seconds);
    await clearListings(this.#deps.database);
  }

  /** `lost` is aborted when the synchronisation was ended or taken over by another process. */
  #watch(attempt: SyncAttempt): { lost: AbortSignal; stop: () => void } {
    const controller = new AbortController();
    const check = async (): Promise<void> => {
      const held = await this.#deps.database
        .selectFrom('connector_syncs')
        .select('id')
        .where('id', '=', attempt.id)
        .where('attempt_token', '=', attempt.token)
        .executeTakeFirst();
      if (held === undefined) controller.abort(new SyncSuperseded(`synchronisation ${attempt.id} was taken away`));
    };
    // A failed check is ignored: the fence of the next write finds a lost synchronisation.
    const listener = (): void => void check().catch(() => undefined);
    return { lost: controller.signal, stop: this.#deps.notifications.subscribe(syncTopic(attempt.id), listener) };
  }
}

/** Returns how the failure ends the synchronisation; undefined if another try may help. */
function finalFailure(error: unknown): SyncEnd | undefined {
  const failed = (condition: SyncEnd['condition'], type: string, message: string): SyncEnd => ({
    status: 'failed',
    condition,
    error: { type, message },
  });
  if (error instanceof CredentialsRefused) return failed('needs_attention', error.type, error.message);
  if (error instanceof ListingFailed) return failed('failing', error.type, error.message);
  if (error instanceof ApiError) return failed('failing', error.details[0]?.type ?? 'internal', error.message);
  return undefined;
}

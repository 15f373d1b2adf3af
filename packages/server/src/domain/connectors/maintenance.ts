/**
 * Starts scheduled synchronisations and ends those that no worker continues. Every process runs it; rows that another
 * process has locked are skipped, and every step is idempotent.
 */
import type { Kysely } from 'kysely';
import type { ConnectorRecord, Database, SyncRecord } from '../../database/tables.ts';
import type { JobQueue } from '../../queue/job-queue.ts';
import { endSync, type EndingDeps } from './sync/ending.ts';
import { ConnectorRepository } from './repository.ts';
import { nextDue } from './schedule.ts';
import { clearListings } from './sync/staging.ts';
import { beginSync, enqueueSync } from './sync/syncs.ts';
import { syncJobKey } from './types.ts';

export interface MaintenanceDeps extends EndingDeps {
  database: Kysely<Database>;
  queue: JobQueue;
  /** Time since the last progress after which a synchronisation fails with `timeout`, in ms. */
  deadlineMs: number;
}

const CONNECTORS_PER_ROUND = 100;
/** Minimum time without progress after which a synchronisation is examined: it may be between two slices. */
const SETTLING_MS = 60_000;
const SYNCS_PER_ROUND = 500;

export class ConnectorMaintenance {
  readonly #deps: MaintenanceDeps;

  constructor(deps: MaintenanceDeps) {
    this.#deps = deps;
  }

  /** Runs one round and returns the number of synchronisations that it started, queued again or ended. */
  async run(): Promise<number> {
    const started = await this.#startDue();
    const tended = await this.#tend();
    await clearListings(this.#deps.database);
    return started + tended;
  }

  /** Starts what is due. Times that were missed collapse into one synchronisation. */
  async #startDue(): Promise<number> {
    return this.#deps.database.transaction().execute(async (transaction) => {
      const now = new Date(this.#deps.now());
      const due = await transaction
        .selectFrom('connectors')
        .selectAll()
        .where('next_sync_at', '<=', now)
        .where('deleted_at', 'is', null)
        .orderBy('next_sync_at')
        .limit(CONNECTORS_PER_ROUND)
        .forUpdate()
        .skipLocked()
        .execute();
      let count = 0;
      for (const connector of due) {
        const next = nextDue(scheduleOf(connector), now, this.#deps.random());
        await new ConnectorRepository(transaction).update(connector.workspace_id, connector.id, { next_sync_at: next });
        if (connector.paused) continue;
        const request = { trigger: 'schedule', dryRun: false, full: false } as const;
        if ((await beginSync(transaction, this.#deps.queue, connector, request)) !== undefined) count += 1;
      }
      return count;
    });
  }

  async #tend(): Promise<number> {
    const settled = new Date(this.#deps.now() - SETTLING_MS);
    const suspects = await this.#deps.database
      .selectFrom('connector_syncs')
      .selectAll()
      .where('status', '=', 'running')
      .where('progress_at', '<', settled)
      .orderBy('progress_at')
      .limit(SYNCS_PER_ROUND)
      .execute();
    const states = await this.#deps.queue.states(suspects.map(({ id }) => syncJobKey(id)));
    let count = 0;
    for (const sync of suspects) {
      const isOverdue = this.#deps.now() - sync.progress_at.getTime() > this.#deps.deadlineMs;
      if (isOverdue) count += (await this.#fail(sync)) ? 1 : 0;
      else if (!states.has(syncJobKey(sync.id))) {
        await enqueueSync(this.#deps.database, this.#deps.queue, sync);
        count += 1;
      }
    }
    return count;
  }

  #fail({ workspace_id: workspaceId, connector_id: connectorId, id }: SyncRecord): Promise<boolean> {
    return this.#deps.database.transaction().execute(async (transaction) => {
      const connectors = new ConnectorRepository(transaction);
      const sync = await connectors.lockSync(workspaceId, connectorId, id);
      const connector = await connectors.findById(workspaceId, connectorId);
      if (sync === undefined || connector === undefined || sync.status !== 'running') return false;
      const message = `There was no progress for ${Math.round(this.#deps.deadlineMs / 3_600_000)} hours`;
      const end = { status: 'failed', condition: 'failing', error: { type: 'timeout', message } } as const;
      await endSync(transaction, sync, connector, end, this.#deps);
      return true;
    });
  }
}

const scheduleOf = ({ schedule, paused, failures, condition }: ConnectorRecord) => ({
  schedule,
  paused,
  failures,
  needsAttention: condition === 'needs_attention',
});

/**
 * Starts scheduled synchronisations and ends those that no worker continues. Every process runs it; rows that another
 * process has locked are skipped, and every step is idempotent.
 */
import { sql, type Kysely } from 'kysely';
import type { ConnectorRecord, Database, SyncRecord } from '../../database/tables.ts';
import { hasJob, tendAbandoned, type WorkKind } from '../../queue/abandoned-work.ts';
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

const key = sql`${syncJobKey('')}::text || connector_syncs.id`;

type QueuedSync = Pick<SyncRecord, 'id' | 'workspace_id'>;

export class ConnectorMaintenance {
  readonly #deps: MaintenanceDeps;

  constructor(deps: MaintenanceDeps) {
    this.#deps = deps;
  }

  /** Runs one round and returns the number of synchronisations that it started, queued again or ended. */
  async run(): Promise<number> {
    const started = await this.#startDue();
    const tended = await tendAbandoned(this.#deps.database, this.#work());
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

  #work(): WorkKind<QueuedSync, SyncRecord> {
    const { database, queue, deadlineMs } = this.#deps;
    return {
      findJobless: async (transaction, limit) => {
        const { rows } = await sql<QueuedSync>`
          select id, workspace_id from connector_syncs where status = 'running' and not ${hasJob(key)}
          order by progress_at limit ${limit} for update skip locked`.execute(transaction);
        return rows;
      },
      enqueue: async (transaction, syncs) => {
        for (const sync of syncs) await enqueueSync(transaction, queue, sync);
      },
      findOverdue: async (limit) => {
        const { rows } = await sql<SyncRecord>`
          select * from connector_syncs
          where status = 'running' and progress_at < ${new Date(this.#deps.now() - deadlineMs)}
          order by progress_at limit ${limit}`.execute(database);
        return rows;
      },
      fail: (sync) => this.#fail(sync),
    };
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

/**
 * Frees the jobs of processes that died or hang, so that others run them: heartbeats come every 10 s, a process counts
 * as dead after 30 s without one, and the sweep runs every 5 s, so the jobs of a killed process run again within 35 s.
 * Every process has a sweeper; one sweeps at a time. It also reports jobs that used up their attempts.
 */
import { sql, type Kysely } from 'kysely';
import type { Logger } from '../logger.ts';
import type { Database } from '../database/tables.ts';
import type { Executor } from '../database/transaction.ts';
import { findExhausted, removeExhausted, unlockSilent } from './locks.ts';

/** Called for a job that will not run again; called again later if it throws. */
export type ExhaustedHook = (name: string, payload: unknown, error: Error) => Promise<void>;

export interface SweeperOptions {
  db: Kysely<Database>;
  logger: Logger;
  onExhausted: ExhaustedHook;
  intervalMs?: number;
  silenceMs?: number;
}

const SWEEP_LOCK = 'quire job sweep';
const EXHAUSTED_PER_SWEEP = 100;

export class Sweeper {
  readonly #options: SweeperOptions;
  readonly #silenceMs: number;
  readonly #timer: NodeJS.Timeout;
  #sweeping: Promise<void> | undefined;

  constructor(options: SweeperOptions) {
    this.#options = options;
    this.#silenceMs = options.silenceMs ?? 30_000;
    this.#timer = setInterval(() => {
      this.#sweeping ??= this.#sweepQuietly();
    }, options.intervalMs ?? 5000);
  }

  async stop(): Promise<void> {
    clearInterval(this.#timer);
    await this.#sweeping;
  }

  async #sweepQuietly(): Promise<void> {
    try {
      await this.sweep();
    } catch (error) {
      this.#options.logger.warn({ err: error }, 'the job sweep failed');
    } finally {
      this.#sweeping = undefined;
    }
  }

  /** Does nothing while another process sweeps. */
  async sweep(): Promise<void> {
    const { db, logger } = this.#options;
    const unlocked = await db.transaction().execute(async (transaction) => {
      if (!(await this.#lock(transaction))) return 0;
      await sql`delete from instances
        where heartbeat_at < now() - ${this.#silenceMs * 10} * interval '1 millisecond'`.execute(transaction);
      return unlockSilent(transaction, this.#silenceMs);
    });
    if (unlocked > 0) logger.warn({ jobs: unlocked }, 'freed the jobs of a process without a heartbeat');
    await this.#reportExhausted();
  }

  async #lock(transaction: Executor): Promise<boolean> {
    const { rows } = await sql<{ held: boolean }>`
      select pg_try_advisory_xact_lock(hashtext(${SWEEP_LOCK})) as held`.execute(transaction);
    return rows[0]?.held === true;
  }

  async #reportExhausted(): Promise<void> {
    const { db, logger, onExhausted } = this.#options;
    await db.transaction().execute(async (transaction) => {
      if (!(await this.#lock(transaction))) return;
      for (const { id, name, payload, lastError } of await findExhausted(transaction, EXHAUSTED_PER_SWEEP)) {
        try {
          await onExhausted(name, payload, new Error(lastError ?? 'The process died while it ran this job'));
          await removeExhausted(transaction, id);
        } catch (error) {
          logger.error({ err: error, job: name, jobId: id }, 'could not report a job that used up its attempts');
        }
      }
    });
  }
}

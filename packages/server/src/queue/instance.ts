/** The registration of this process: a row with a heartbeat and the ids of its lanes. */
import { hostname } from 'node:os';
import { sql, type Kysely } from 'kysely';
import type { Logger } from '../logger.ts';
import type { Database } from '../database/tables.ts';
import { newId } from '../shared/uuid.ts';

export interface InstanceOptions {
  db: Kysely<Database>;
  role: string;
  logger: Logger;
  heartbeatMs?: number;
}

/** Heartbeats come every 10 s. */
const SILENT_MS = 30_000;

/** Returns whether a process uses this database; a killed one counts for another 30 s. */
export async function hasLiveInstances(db: Kysely<Database>): Promise<boolean> {
  const since = sql<Date>`now() - ${SILENT_MS} * interval '1 millisecond'`;
  const alive = await db.selectFrom('instances').select('id').where('heartbeat_at', '>', since).executeTakeFirst();
  return alive !== undefined;
}

export class Instance {
  readonly id = newId();
  readonly #db: Kysely<Database>;
  readonly #role: string;
  readonly #logger: Logger;
  readonly #laneIds: string[] = [];
  #timer: NodeJS.Timeout | undefined;
  #beating: Promise<void> = Promise.resolve();

  private constructor({ db, role, logger }: InstanceOptions) {
    this.#db = db;
    this.#role = role;
    this.#logger = logger;
  }

  static async start(options: InstanceOptions): Promise<Instance> {
    const instance = new Instance(options);
    await instance.beat();
    instance.#timer = setInterval(() => {
      instance.#beating = instance.beat().catch((error: unknown) => {
        instance.#logger.warn({ err: error }, 'the heartbeat failed');
      });
    }, options.heartbeatMs ?? 10_000);
    return instance;
  }

  /** Registers a lane, so that its locks count as those of a live process. */
  async addLane(id: string): Promise<void> {
    this.#laneIds.push(id);
    await this.beat();
  }

  /** Also restores the row if other processes removed it while this one was suspended. */
  async beat(): Promise<void> {
    const row = { id: this.id, role: this.#role, hostname: hostname(), pid: process.pid };
    const alive = { worker_pool_ids: [...this.#laneIds], heartbeat_at: sql<Date>`now()` };
    await this.#db
      .insertInto('instances')
      .values({ ...row, ...alive })
      .onConflict((conflict) => conflict.column('id').doUpdateSet(alive))
      .execute();
  }

  async stop(): Promise<void> {
    clearInterval(this.#timer);
    await this.#beating;
    await this.#db.deleteFrom('instances').where('id', '=', this.id).execute();
  }
}

/** This process as the others see it: a row with a heartbeat and the id of its worker pools. */
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

/** Whether a process works on this database; one that was killed counts for half a minute more. */
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
  #workerPoolIds: string[] = [];
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

  /** From now on the locks of this pool, and not of the one that it takes the place of, are a living process's. */
  async addWorkerPool(id: string, former: string | undefined): Promise<void> {
    this.#workerPoolIds = [...this.#workerPoolIds.filter((each) => each !== former), id];
    await this.beat();
  }

  /** Also brings the row back when others have removed it while this process was stopped. */
  async beat(): Promise<void> {
    const row = { id: this.id, role: this.#role, hostname: hostname(), pid: process.pid };
    const alive = { worker_pool_ids: this.#workerPoolIds, heartbeat_at: sql<Date>`now()` };
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

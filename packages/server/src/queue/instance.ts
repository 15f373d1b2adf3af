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
  /** Maximum number of database connections that this process opens. Default 0. */
  connections?: number;
}

/** Heartbeats come every 10 s. */
const SILENT_MS = 30_000;

/** A process that uses this database; a killed one counts for another 30 s. */
export interface LiveInstance {
  /** In the order of the starts. */
  id: string;
  hostname: string;
  pid: number;
  /** Null for a process of a version that does not report it. */
  connections: number | null;
}

export function liveInstances(db: Kysely<Database>): Promise<LiveInstance[]> {
  const since = sql<Date>`now() - ${SILENT_MS} * interval '1 millisecond'`;
  return db
    .selectFrom('instances')
    .select(['id', 'hostname', 'pid', 'connections'])
    .where('heartbeat_at', '>', since)
    .execute();
}

export const hasLiveInstances = async (db: Kysely<Database>): Promise<boolean> => (await liveInstances(db)).length > 0;

export class Instance {
  readonly id = newId();
  readonly connections: number;
  readonly #db: Kysely<Database>;
  readonly #role: string;
  readonly #logger: Logger;
  readonly #laneIds: string[] = [];
  #timer: NodeJS.Timeout | undefined;
  #beating: Promise<void> = Promise.resolve();

  private constructor({ db, role, logger, connections = 0 }: InstanceOptions) {
    this.connections = connections;
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
    const row = {
      id: this.id,
      role: this.#role,
      hostname: hostname(),
      pid: process.pid,
      connections: this.connections,
    };
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

/** Reads the change feed, which triggers write, and deletes its old rows. */
import { sql, type Kysely } from 'kysely';
import { settled, UNSETTLED_LOG_END } from '../../database/settle.ts';
import type { Database } from '../../database/tables.ts';
import type { Position } from './position.ts';

export interface LoggedChange {
  key: string;
  kind: 'document' | 'run' | 'collection' | 'connector' | 'sync';
  id: string;
  collectionId: string | null;
}

/** Time for which changes are kept, in ms: a reader that was away for longer reads the lists again. */
export const KEPT_MS = 2 * 3_600_000;
const DELETE_BATCH = 5_000;

export class ChangeLog {
  readonly #database: Kysely<Database>;

  constructor(database: Kysely<Database>) {
    this.#database = database;
  }

  /** Takes a snapshot that outlasts a crash of PostgreSQL. */
  snapshot(): Promise<string> {
    return settled(this.#database, async (connection) => {
      const { rows } = await sql<{ snapshot: string; logEnd: string | null }>`
        select pg_current_snapshot()::text as snapshot, ${sql.raw(UNSETTLED_LOG_END)} as "logEnd"`.execute(connection);
      return { result: rows[0]?.snapshot ?? '', logEnd: rows[0]?.logEnd ?? null };
    });
  }

  /** Returns whether the snapshot is of this database and not of its future, as after a restore. */
  async hasReached(snapshot: string): Promise<boolean> {
    const { rows } = await sql<{ reached: boolean }>`
      select pg_snapshot_xmax(${snapshot}::pg_snapshot) <= pg_snapshot_xmax(pg_current_snapshot()) as reached`.execute(
      this.#database,
    );
    return rows[0]?.reached === true;
  }

  /** Returns the changes that `upto` sees and `from` does not, in the order of their keys, after the key `after`. */
  async read(
    workspaceId: string,
    { from, window }: Pick<Position, 'from' | 'window'>,
    upto: string,
    limit: number,
  ): Promise<LoggedChange[]> {
    const { rows } = await sql<LoggedChange>`
      select changes.key::text as key, kind, id, collection_id as "collectionId" from changes
      where workspace_id = ${workspaceId}
        and xid >= pg_snapshot_xmin(${from}::pg_snapshot) and xid < pg_snapshot_xmax(${upto}::pg_snapshot)
        and not pg_visible_in_snapshot(xid, ${from}::pg_snapshot)
        and pg_visible_in_snapshot(xid, ${upto}::pg_snapshot)
        and changes.key > ${window?.after ?? '0'}::bigint
      order by changes.key limit ${limit}`.execute(this.#database);
    return rows;
  }

  /** Deletes changes older than `KEPT_MS`, oldest first, and returns their number. */
  async removeOld(): Promise<number> {
    let removed = 0;
    for (;;) {
      const { rows } = await sql<{ old: boolean }>`
        with oldest as (select key, changed_at from changes order by key limit ${DELETE_BATCH}),
          removed as (
            delete from changes using oldest
            where changes.key = oldest.key and oldest.changed_at < now() - ${KEPT_MS} * interval '1 millisecond'
            returning changes.key
          )
        select true as old from removed`.execute(this.#database);
      removed += rows.length;
      if (rows.length < DELETE_BATCH) return removed;
    }
  }
}

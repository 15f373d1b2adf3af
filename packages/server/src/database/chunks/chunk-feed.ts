/**
 * The chunks in PostgreSQL as the records of search indexes in memory (`RowSource`). A position is a snapshot that
 * outlasts a crash: the changes since are those of transactions that it did not see, so none is missed that commits
 * late. Uses connections of its own, because a load takes seconds.
 */
import type { Pool, PoolClient, QueryResult, QueryResultRow } from 'pg';
import { to as copyTo } from 'pg-copy-streams';
import type { KeyRange } from '@quire/search/resident/key-ranges';
import type { RowChanges, RowSource, SourceTable } from '@quire/search/resident/row-source';
import type { IndexTable } from '@quire/search/search-index';
import type { ConnectionWatch } from '../connection-watch.ts';
import { settle, UNSETTLED_LOG_END } from '../settle.ts';
import { batchesOfCopy } from './chunk-copy.ts';

/** The topic that announces written and removed chunks. */
export const CHUNKS_TOPIC = 'chunks';
/** Time for which removals are kept, in ms: a process that was away for longer loads its tables again. */
export const REMOVALS_KEPT_MS = 7 * 24 * 3_600_000;
const POSITION = /^\d+:\d+:[\d,]*$/;
const BUFFER_BYTES = 2 ** 20;

interface FeedEnd {
  position: string;
  /** The end of the write-ahead log that must be on disk before the position outlasts a crash; null if it is. */
  logEnd: string | null;
}

export class ChunkFeed implements RowSource {
  readonly #pool: Pool;
  readonly #watch: ConnectionWatch | undefined;

  /** Without a `watch`, a reading whose connection lost its server ends when the kernel gives it up. */
  constructor(pool: Pool, watch?: ConnectionWatch) {
    this.#pool = pool;
    this.#watch = watch;
  }

  async find({ name }: IndexTable): Promise<SourceTable | undefined> {
    const { rows } = await this.#query<{ identity: string; rows: string }>(
      `select index_feed.identity || ' ' || i.collection_id || ' ' || i.generation as identity,
         (select coalesce(sum(chunk_count), 0) from documents
           where documents.collection_id = i.collection_id and searchable_revision is not null) as rows
       from collection_indexes as i, index_feed where i.table_name = $1`,
      [name],
    );
    const [found] = rows;
    return found && { identity: found.identity, rows: Number(found.rows) };
  }

  async tableNamed(name: string): Promise<IndexTable | undefined> {
    const { rows } = await this.#query<IndexTable>(
      'select table_name as name, dimensions from collection_indexes where table_name = $1',
      [name],
    );
    return rows[0];
  }

  async read(
    table: IndexTable,
    since: string | null,
    changes: RowChanges,
    known: readonly KeyRange[] = [],
  ): Promise<string | undefined> {
    if (since !== null && !POSITION.test(since)) return undefined;
    return this.#connected(async (client) => {
      await this.#awaited(client, client.query('begin isolation level repeatable read read only'));
      const end = await this.#readAll(client, table, since, changes, known);
      await this.#awaited(client, client.query('commit'));
      if (end !== undefined) await this.#awaited(client, settle(client, end.logEnd));
      return end?.position;
    });
  }

  async successors(names: readonly string[]): Promise<IndexTable[]> {
    const { rows } = await this.#query<IndexTable>(
      `select building.table_name as name, building.dimensions from collection_indexes as live
         join collection_indexes as building using (collection_id)
       where live.table_name = any($1) and building.status = 'building' and building.generation > live.generation`,
      [names],
    );
    return rows;
  }

  async compare(tables: readonly { name: string; position: string | null }[]): Promise<Map<string, string | null>> {
    const text = `select given.name, ${UNSETTLED_LOG_END} as "logEnd", case when given.position is not null
         and pg_snapshot_xmax(given.position::pg_snapshot) <= pg_snapshot_xmax(pg_current_snapshot())
         and not exists (select from chunks as c where c.collection_id = i.collection_id
           and c.generation = i.generation and ${isNew('c', 'given.position::pg_snapshot')})
         and not exists (select from removed_chunks as r where r.collection_id = i.collection_id
           and r.generation = i.generation and ${isNew('r', 'given.position::pg_snapshot')})
         then pg_current_snapshot()::text end as position
       from unnest($1::text[], $2::text[]) as given (name, position)
       join collection_indexes as i on i.table_name = given.name`;
    const values = [tables.map(({ name }) => name), tables.map(({ position }) => position)];
    return this.#connected(async (client) => {
      const compared = client.query<{ name: string; position: string | null; logEnd: string | null }>(text, values);
      const { rows } = await this.#awaited(client, compared);
      const unchanged = rows.find(({ position }) => position !== null);
      if (unchanged !== undefined) await this.#awaited(client, settle(client, unchanged.logEnd));
      return new Map(rows.map(({ name, position }) => [name, position]));
    });
  }

  /** Deletes old removals. */
  async removeOld(): Promise<void> {
    await this.#query(
      `with old as (
         delete from removed_chunks where removed_at < now() - $1 * interval '1 millisecond' returning changed_in
       )
       update index_feed set forgotten_through = greatest(forgotten_through, (select max(changed_in) from old))
       where exists (select from old)`,
      [REMOVALS_KEPT_MS],
    );
  }

  async #readAll(
    client: PoolClient,
    table: IndexTable,
    since: string | null,
    changes: RowChanges,
    known: readonly KeyRange[],
  ): Promise<FeedEnd | undefined> {
    const state = await this.#state(client, table.name, since);
    if (state === undefined) return undefined;
    const { collectionId, generation, ...end } = state;
    // COPY takes no parameters. The id and the number come from PostgreSQL; the position was checked; keys are bigints.
    const from = since === null ? null : `'${since}'::pg_snapshot`;
    const where = (name: string): string =>
      `${name}.collection_id = '${collectionId}'::uuid and ${name}.generation = ${generation}` +
      (from === null ? '' : ` and ${isNew(name, from)}`);
    const copied = client.query(
      copyTo(
        `copy (select c.key, d.key, c.revision, c.terms, c.embedding from chunks as c
           join documents as d on d.id = c.document_id where ${where('c')} ${except(known)}) to stdout (format binary)`,
        { highWaterMark: BUFFER_BYTES },
      ),
    );
    for await (const batch of batchesOfCopy(this.#watchedParts(client, copied), table.dimensions))
      await changes.add(batch);
    if (from === null) return end;
    const { rows: removals } = await this.#awaited(
      client,
      client.query<{ key: string }>(
        `select unnest(r.chunk_keys)::text as key from removed_chunks as r where ${where('r')}`,
      ),
    );
    if (removals.length > 0) await changes.remove(BigInt64Array.from(removals, ({ key }) => BigInt(key)));
    return end;
  }

  /** Returns undefined when the table does not exist, or the changes since the position are not known. */
  async #state(
    client: PoolClient,
    name: string,
    since: string | null,
  ): Promise<(FeedEnd & { collectionId: string; generation: number }) | undefined> {
    const query = client.query<FeedEnd & { collectionId: string; generation: number }>(
      `select i.collection_id as "collectionId", i.generation, pg_current_snapshot()::text as position,
         ${UNSETTLED_LOG_END} as "logEnd"
       from collection_indexes as i, index_feed
       where i.table_name = $1 and ($2::pg_snapshot is null
         or pg_snapshot_xmax($2::pg_snapshot) <= pg_snapshot_xmax(pg_current_snapshot())
         and forgotten_through < pg_snapshot_xmin($2::pg_snapshot))`,
      [name, since],
    );
    const { rows } = await this.#awaited(client, query);
    return rows[0];
  }

  #query<Row extends QueryResultRow>(text: string, values: unknown[]): Promise<QueryResult<Row>> {
    return this.#connected((client) => this.#awaited(client, client.query<Row>(text, values)));
  }

  async #connected<T>(work: (client: PoolClient) => Promise<T>): Promise<T> {
    const client = await this.#pool.connect();
    let isBroken = true;
    try {
      const result = await work(client);
      isBroken = false;
      return result;
    } finally {
      // A stopped copy leaves the connection unusable.
      client.release(isBroken);
    }
  }

  /** Waits for an answer; the watch closes the connection if it has lost its server. */
  async #awaited<T>(client: PoolClient, answer: Promise<T>): Promise<T> {
    const finished = this.#watch?.begin(client);
    try {
      return await answer;
    } finally {
      finished?.();
    }
  }

  /** Watches the connection while the next part is awaited only: the server waits while a part is used. */
  async *#watchedParts(client: PoolClient, stream: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    const parts = stream[Symbol.asyncIterator]();
    try {
      for (;;) {
        const { done, value } = await this.#awaited(client, parts.next());
        if (done === true) return;
        yield value;
      }
    } finally {
      await parts.return?.();
    }
  }
}

/** The condition that a chunk's key is in none of the ranges. */
const except = (known: readonly KeyRange[]): string =>
  known.length === 0
    ? ''
    : `and not c.key <@ '{${known.map(({ first, last }) => `[${first},${last}]`).join(',')}}'::int8multirange`;

/** The condition that a row was written by a transaction that the snapshot did not see, in this database. */
const isNew = (row: string, snapshot: string): string =>
  `${row}.changed_in >= pg_snapshot_xmin(${snapshot}) and ${row}.changed_in < pg_snapshot_xmax(pg_current_snapshot())
     and not pg_visible_in_snapshot(${row}.changed_in, ${snapshot})`;

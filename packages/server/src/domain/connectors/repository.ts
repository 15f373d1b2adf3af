/** SQL over connectors, their synchronisations and the files of their sources. Every statement filters by workspace. */
import { sql, type Insertable, type Updateable } from 'kysely';
import { fetchPage } from '../../database/fetch-page.ts';
import type { ConnectorRecord, ConnectorsTable, SourceItemRecord, SyncRecord } from '../../database/tables.ts';
import type { Executor } from '../../database/transaction.ts';
import type { ListPage, ListQuery } from '../../shared/list.ts';
import type { ITEM_STATUSES, ItemCounts } from './types.ts';

export interface ItemFilter {
  status?: (typeof ITEM_STATUSES)[number] | undefined;
  /** Beginning of the path. */
  path?: string | undefined;
}

export class ConnectorRepository {
  readonly #executor: Executor;

  constructor(executor: Executor) {
    this.#executor = executor;
  }

  insert(connector: Insertable<ConnectorsTable>): Promise<ConnectorRecord> {
    return this.#executor.insertInto('connectors').values(connector).returningAll().executeTakeFirstOrThrow();
  }

  /** Returns the record, also of a deleted one. */
  findById(workspaceId: string, connectorId: string): Promise<ConnectorRecord | undefined> {
    return this.#one(workspaceId, connectorId).executeTakeFirst();
  }

  lock(workspaceId: string, connectorId: string): Promise<ConnectorRecord | undefined> {
    return this.#one(workspaceId, connectorId).forUpdate().executeTakeFirst();
  }

  #one(workspaceId: string, connectorId: string) {
    return this.#executor
      .selectFrom('connectors')
      .selectAll()
      .where('workspace_id', '=', workspaceId)
      .where('id', '=', connectorId);
  }

  list(workspaceId: string, query: ListQuery): Promise<ListPage<ConnectorRecord>> {
    const rows = this.#executor
      .selectFrom('connectors')
      .selectAll()
      .where('workspace_id', '=', workspaceId)
      .where('deleted_at', 'is', null);
    return fetchPage(rows, query, { executor: this.#executor, columns: ['metadata', 'config', 'include', 'exclude'] });
  }

  update(
    workspaceId: string,
    connectorId: string,
    changes: Updateable<ConnectorsTable>,
  ): Promise<ConnectorRecord | undefined> {
    return this.#executor
      .updateTable('connectors')
      .set(changes)
      .where('workspace_id', '=', workspaceId)
      .where('id', '=', connectorId)
      .returningAll()
      .executeTakeFirst();
  }

  async erase(workspaceId: string, connectorId: string): Promise<void> {
    await this.#executor
      .deleteFrom('connectors')
      .where('workspace_id', '=', workspaceId)
      .where('id', '=', connectorId)
      .execute();
  }

  #sync(workspaceId: string, connectorId: string, syncId: string) {
    return this.#executor
      .selectFrom('connector_syncs')
      .selectAll()
      .where('workspace_id', '=', workspaceId)
      .where('connector_id', '=', connectorId)
      .where('id', '=', syncId);
  }

  findSync(workspaceId: string, connectorId: string, syncId: string): Promise<SyncRecord | undefined> {
    return this.#sync(workspaceId, connectorId, syncId).executeTakeFirst();
  }

  lockSync(workspaceId: string, connectorId: string, syncId: string): Promise<SyncRecord | undefined> {
    return this.#sync(workspaceId, connectorId, syncId).forUpdate().executeTakeFirst();
  }

  runningSync(connectorId: string): Promise<SyncRecord | undefined> {
    return this.#executor
      .selectFrom('connector_syncs')
      .selectAll()
      .where('connector_id', '=', connectorId)
      .where('status', '=', 'running')
      .forUpdate()
      .executeTakeFirst();
  }

  /** Returns the latest synchronisation that was no dry run. */
  async latestSync(connectorId: string): Promise<SyncRecord | undefined> {
    return (await this.latestSyncs([connectorId])).get(connectorId);
  }

  async latestSyncs(connectorIds: readonly string[]): Promise<Map<string, SyncRecord>> {
    const rows = await this.#executor
      .selectFrom('connector_syncs')
      .selectAll()
      .distinctOn('connector_id')
      .where('connector_id', '=', (eb) => eb.fn.any(eb.val([...connectorIds])))
      .where('dry_run', '=', false)
      .orderBy('connector_id')
      .orderBy('id', 'desc')
      .execute();
    return new Map(rows.map((row) => [row.connector_id, row]));
  }

  /** Returns which of the connectors have a running synchronisation, dry runs included. */
  async running(connectorIds: readonly string[]): Promise<Set<string>> {
    const rows = await this.#executor
      .selectFrom('connector_syncs')
      .select('connector_id')
      .where('connector_id', '=', (eb) => eb.fn.any(eb.val([...connectorIds])))
      .where('status', '=', 'running')
      .execute();
    return new Set(rows.map((row) => row.connector_id));
  }

  listSyncs(workspaceId: string, connectorId: string, query: ListQuery): Promise<ListPage<SyncRecord>> {
    const rows = this.#executor
      .selectFrom('connector_syncs')
      .selectAll()
      .where('workspace_id', '=', workspaceId)
      .where('connector_id', '=', connectorId);
    return fetchPage(rows, query);
  }

  async itemCounts(connectorIds: readonly string[]): Promise<Map<string, ItemCounts>> {
    const rows = await this.#executor
      .selectFrom('connector_items')
      .select(['connector_id', 'status', (eb) => eb.fn.countAll<string>().as('count')])
      .where('connector_id', '=', (eb) => eb.fn.any(eb.val([...connectorIds])))
      .where('status', 'in', ['synced', 'failed', 'skipped'])
      .groupBy(['connector_id', 'status'])
      .execute();
    const counts = new Map(connectorIds.map((id) => [id, { synced: 0, failed: 0, skipped: 0 }]));
    for (const { connector_id: id, status, count } of rows) {
      Object.assign(counts.get(id) ?? {}, { [status]: Number(count) });
    }
    return counts;
  }

  /** Returns a page of the known files in the order of their paths; files that were never fetched are left out. */
  async listItems(connectorId: string, filter: ItemFilter, query: ListQuery): Promise<ListPage<SourceItemRecord>> {
    let rows = this.#executor
      .selectFrom('connector_items')
      .where('connector_id', '=', connectorId)
      .where('status', '<>', 'pending');
    if (filter.status !== undefined) rows = rows.where('status', '=', filter.status);
    const prefix = filter.path;
    if (prefix !== undefined && prefix !== '') {
      rows = rows.where('path', '>=', prefix).where(sql<boolean>`starts_with(path, ${prefix})`);
    }
    let page = rows
      .selectAll()
      .orderBy('path')
      .limit(query.limit + 1);
    if (query.after !== undefined) page = page.where('path', '>', query.after);
    const [found, { total }] = await Promise.all([
      page.execute(),
      rows.select((eb) => eb.fn.countAll<string>().as('total')).executeTakeFirstOrThrow(),
    ]);
    const items = found.slice(0, query.limit);
    return { items, next: found.length > query.limit ? (items.at(-1)?.path ?? null) : null, total: Number(total) };
  }
}

/**
 * The audit log: reads it, and writes the entries that no transaction of a request has written. Refusals are buffered,
 * so that a flood of them costs one statement a second.
 */
import type { Kysely } from 'kysely';
import { fetchPage } from '../../database/fetch-page.ts';
import { insertAudit } from '../../database/insert-audit.ts';
import type { AuditEntry } from '../../database/pending-audit.ts';
import type { AuditRecord, Database } from '../../database/tables.ts';
import type { ListPage, ListQuery } from '../../shared/list.ts';

/** Maximum number of refusals that are kept in a second; further ones are only in the log of the service. */
const MAX_REFUSALS = 500;
const EXPORTED_PER_READ = 1_000;
const REMOVED_PER_DELETE = 5_000;

export interface AuditFilter {
  action?: string | undefined;
  resourceType?: string | undefined;
  resourceId?: string | undefined;
  keyId?: string | undefined;
  outcome?: 'done' | 'refused' | undefined;
  since?: Date | undefined;
  until?: Date | undefined;
}

export interface AuditServiceDeps {
  database: Kysely<Database>;
  /** Age in ms at which entries are removed; null keeps them. */
  retentionMs: number | null;
  now: () => number;
}

export class AuditService {
  readonly #deps: AuditServiceDeps;
  #refusals: AuditEntry[] = [];

  constructor(deps: AuditServiceDeps) {
    this.#deps = deps;
  }

  async write(entry: AuditEntry): Promise<void> {
    await this.#deps.database.executeQuery(insertAudit([entry]));
  }

  /** Adds a refused request to those that `flush` writes. */
  refuse(entry: AuditEntry): void {
    if (this.#refusals.length < MAX_REFUSALS) this.#refusals.push(entry);
  }

  /** Writes the refusals of known workspaces. */
  async flush(): Promise<void> {
    const entries = this.#refusals;
    if (entries.length === 0) return;
    this.#refusals = [];
    await this.#deps.database.executeQuery(insertAudit(entries, true));
  }

  list(workspaceId: string, filter: AuditFilter, query: ListQuery): Promise<ListPage<AuditRecord>> {
    return fetchPage(this.#entries(workspaceId, filter).selectAll(), query);
  }

  /** Yields all matching entries, in pages. */
  async *all(workspaceId: string, filter: AuditFilter, order: 'asc' | 'desc'): AsyncGenerator<AuditRecord[]> {
    for (let after: string | undefined; ;) {
      let page = this.#entries(workspaceId, filter).selectAll().orderBy('id', order).limit(EXPORTED_PER_READ);
      if (after !== undefined) page = page.where('id', order === 'asc' ? '>' : '<', after);
      const entries = await page.execute();
      if (entries.length > 0) yield entries;
      if (entries.length < EXPORTED_PER_READ) return;
      after = entries.at(-1)?.id;
    }
  }

  /** Removes entries that are older than the retention period, in batches, and returns their number. */
  async prune(): Promise<number> {
    const { database, retentionMs, now } = this.#deps;
    if (retentionMs === null) return 0;
    const before = firstIdAt(new Date(now() - retentionMs));
    for (let count = 0; ;) {
      const { numDeletedRows } = await database
        .deleteFrom('audit_entries')
        .where('id', 'in', (eb) =>
          eb.selectFrom('audit_entries').select('id').where('id', '<', before).limit(REMOVED_PER_DELETE),
        )
        .executeTakeFirstOrThrow();
      count += Number(numDeletedRows);
      if (Number(numDeletedRows) < REMOVED_PER_DELETE) return count;
    }
  }

  #entries(workspaceId: string, filter: AuditFilter) {
    let rows = this.#deps.database.selectFrom('audit_entries').where('workspace_id', '=', workspaceId);
    if (filter.action !== undefined) rows = rows.where('action', '=', filter.action);
    if (filter.resourceType !== undefined) rows = rows.where('resource_type', '=', filter.resourceType);
    if (filter.resourceId !== undefined) rows = rows.where('resource_id', '=', filter.resourceId);
    if (filter.keyId !== undefined) rows = rows.where('key_id', '=', filter.keyId);
    if (filter.outcome !== undefined) rows = rows.where('outcome', '=', filter.outcome);
    if (filter.since !== undefined) rows = rows.where('id', '>=', firstIdAt(filter.since));
    if (filter.until !== undefined) rows = rows.where('id', '<', firstIdAt(filter.until));
    return rows;
  }
}

/** Returns the smallest version 7 UUID of a time: the index on ids then answers conditions on times. */
function firstIdAt(time: Date): string {
  const hex = Math.max(0, time.getTime()).toString(16).padStart(12, '0');
  return `${hex.slice(0, 8)}-${hex.slice(8)}-0000-0000-000000000000`;
}

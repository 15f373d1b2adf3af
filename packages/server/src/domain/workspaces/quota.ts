/**
 * The limits on what a workspace stores: its documents, members of archives included, and the bytes of their files and
 * of the inputs of its runs. Deleted documents count until they are purged.
 */
import { sql, type Kysely, type Transaction } from 'kysely';
import type { Database } from '../../database/tables.ts';
import type { Executor } from '../../database/transaction.ts';
import { ApiError } from '../../errors.ts';

export interface Usage {
  documents: number;
  bytes: number;
}

/** A write would exceed the quota of its workspace. */
export class QuotaExceeded extends ApiError {
  override readonly name = 'QuotaExceeded';

  constructor(what: keyof Usage, limit: number, used: number, needed: number) {
    const msg = `The workspace may store ${limit} ${what}; it stores ${used}, and ${needed} more are needed`;
    super(429, [{ loc: [], msg, type: 'quota_exceeded', ctx: { quota: what, limit, used, needed } }]);
  }
}

export class WorkspaceQuota {
  readonly #limits: Usage;

  /** Limits of every workspace; 0 for none. */
  constructor(limits: Usage) {
    this.#limits = limits;
  }

  /** Throws `QuotaExceeded` if there is no room; cheap, for a check before a file is stored. */
  async check(executor: Executor, workspaceId: string, added: Usage): Promise<void> {
    const limits = this.#limitsOf(workspaceId);
    if (limits === null) return;
    const used = await readUsage(executor, workspaceId);
    for (const what of ['documents', 'bytes'] as const) {
      const exceeds = added[what] > 0 && used[what] + added[what] > limits[what];
      if (limits[what] > 0 && exceeds) throw new QuotaExceeded(what, limits[what], used[what], added[what]);
    }
  }

  /**
   * Does the same, and keeps other transactions from adding to the workspace until this one ends, so that they count
   * what it writes.
   */
  async reserve(transaction: Transaction<Database>, added: ReadonlyMap<string, Usage>): Promise<void> {
    // One order, so that transactions of several workspaces do not wait for each other.
    for (const workspaceId of [...added.keys()].toSorted()) {
      const usage = added.get(workspaceId);
      if (usage === undefined || this.#limitsOf(workspaceId) === null) continue;
      await sql`select pg_advisory_xact_lock(hashtextextended(${`quota:${workspaceId}`}, 0))`.execute(transaction);
      await this.check(transaction, workspaceId, usage);
    }
  }

  /** The one place that decides about limits; null for none. */
  #limitsOf(_workspaceId: string): Usage | null {
    const { documents, bytes } = this.#limits;
    return documents === 0 && bytes === 0 ? null : this.#limits;
  }
}

/** Sums up what the rows add to each workspace. */
export function usageOf(
  rows: readonly { workspace_id: string; documents: number; bytes: number }[],
): Map<string, Usage> {
  const sums = new Map<string, Usage>();
  for (const { workspace_id: id, documents, bytes } of rows) {
    const sum = sums.get(id) ?? { documents: 0, bytes: 0 };
    sums.set(id, { documents: sum.documents + documents, bytes: sum.bytes + bytes });
  }
  return sums;
}

export async function readUsage(executor: Executor, workspaceId: string): Promise<Usage> {
  const { rows } = await sql<Usage>`
    select coalesce(sum(documents), 0)::float8 as documents, coalesce(sum(bytes), 0)::float8 as bytes from (
      select documents, bytes from workspace_usage where workspace_id = ${workspaceId}
      union all
      select documents, bytes from workspace_usage_changes where workspace_id = ${workspaceId}
    ) as usage`.execute(executor);
  return rows[0] ?? { documents: 0, bytes: 0 };
}

/** Adds the changes to the totals, so that few rows are read for a workspace. Several processes may call it at once. */
export async function foldUsage(database: Kysely<Database>): Promise<void> {
  await sql`
    with moved as (delete from workspace_usage_changes returning *)
    insert into workspace_usage as u (workspace_id, documents, bytes)
    select workspace_id, sum(moved.documents), sum(moved.bytes) from moved
    where exists (select from workspaces where workspaces.id = moved.workspace_id)
    group by workspace_id order by workspace_id
    on conflict (workspace_id) do update set documents = u.documents + excluded.documents, bytes = u.bytes + excluded.bytes
  `.execute(database);
}

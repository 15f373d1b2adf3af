import { sql, type Insertable, type SqlBool } from 'kysely';
import type { ApiKeyRecord, ApiKeysTable } from '../../database/tables.ts';
import { fetchPage } from '../../database/fetch-page.ts';
import type { Executor } from '../../database/transaction.ts';
import type { ListPage, ListQuery } from '../../shared/list.ts';

export class KeyRepository {
  readonly #executor: Executor;

  constructor(executor: Executor) {
    this.#executor = executor;
  }

  insert(key: Insertable<ApiKeysTable>): Promise<ApiKeyRecord> {
    return this.#executor.insertInto('api_keys').values(key).returningAll().executeTakeFirstOrThrow();
  }

  /** Returns the keys with these hashes that have not expired and whose workspace was not deleted. */
  findByHashes(hashes: readonly Buffer[]): Promise<ApiKeyRecord[]> {
    return this.#live()
      .where(sql<SqlBool>`api_keys.key_hash = any(${hashes}::bytea[])`)
      .execute();
  }

  #live() {
    return this.#executor
      .selectFrom('api_keys')
      .leftJoin('workspaces', 'workspaces.id', 'api_keys.workspace_id')
      .selectAll('api_keys')
      .where((eb) => eb.or([eb('expires_at', 'is', null), eb('expires_at', '>', sql<Date>`now()`)]))
      .where('workspaces.deleted_at', 'is', null);
  }

  /** Returns the keys with these ids that have not expired and whose workspace was not deleted. */
  findLive(keyIds: readonly string[]): Promise<ApiKeyRecord[]> {
    return this.#live()
      .where(sql<SqlBool>`api_keys.id = any(${keyIds}::uuid[])`)
      .execute();
  }

  findById(workspaceId: string, keyId: string): Promise<ApiKeyRecord | undefined> {
    return this.#executor
      .selectFrom('api_keys')
      .selectAll()
      .where('workspace_id', '=', workspaceId)
      .where('id', '=', keyId)
      .executeTakeFirst();
  }

  list(workspaceId: string, query: ListQuery): Promise<ListPage<ApiKeyRecord>> {
    const base = this.#executor.selectFrom('api_keys').where('workspace_id', '=', workspaceId);
    return fetchPage(base.selectAll(), query);
  }

  delete(workspaceId: string, keyId: string): Promise<ApiKeyRecord | undefined> {
    return this.#executor
      .deleteFrom('api_keys')
      .where('workspace_id', '=', workspaceId)
      .where('id', '=', keyId)
      .returningAll()
      .executeTakeFirst();
  }

  /** Stores the encrypted token secret of a key that has none. */
  async setTokenSecret(keyId: string, sealed: string): Promise<void> {
    await this.#executor.updateTable('api_keys').set({ token_secret: sealed }).where('id', '=', keyId).execute();
  }

  async deleteRoot(): Promise<void> {
    await this.#executor.deleteFrom('api_keys').where('permission', '=', 'root').execute();
  }

  async hasRoot(): Promise<boolean> {
    const row = await this.#executor
      .selectFrom('api_keys')
      .select('id')
      .where('permission', '=', 'root')
      .executeTakeFirst();
    return row !== undefined;
  }

  /** Records the last use, at most once in five minutes to save writes. */
  async touch(keyId: string): Promise<void> {
    await this.#executor
      .updateTable('api_keys')
      .set({ last_used_at: sql<Date>`now()` })
      .where('id', '=', keyId)
      .where((eb) =>
        eb.or([eb('last_used_at', 'is', null), eb('last_used_at', '<', sql<Date>`now() - interval '5 minutes'`)]),
      )
      .execute();
  }
}

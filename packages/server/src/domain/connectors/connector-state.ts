import type { ConnectorState } from '@quire/connectors/connector';
import { sql } from 'kysely';
import type { Executor } from '../../database/transaction.ts';

/** Reads the stored state of a connector. It is written together with the pages of a listing. */
export class StoredState implements ConnectorState {
  readonly #executor: Executor;
  readonly #connectorId: string;

  constructor(executor: Executor, connectorId: string) {
    this.#executor = executor;
    this.#connectorId = connectorId;
  }

  async get(key: string): Promise<string | null> {
    const row = await this.#executor
      .selectFrom('connector_state')
      .select('value')
      .where('connector_id', '=', this.#connectorId)
      .where('key', '=', key)
      .executeTakeFirst();
    return row?.value ?? null;
  }

  async scan(prefix: string, after: string, limit: number): Promise<readonly (readonly [string, string])[]> {
    const rows = await this.#executor
      .selectFrom('connector_state')
      .select(['key', 'value'])
      .where('connector_id', '=', this.#connectorId)
      .where('key', '>=', prefix)
      .where('key', '>', after)
      .where(sql<boolean>`starts_with(key, ${prefix})`)
      .orderBy('key')
      .limit(limit)
      .execute();
    return rows.map(({ key, value }) => [key, value] as const);
  }
}

/** The row that binds a database to one secret key and one store of originals. */
import type { ClientBase, Pool } from 'pg';

/** A connection, or the pool of connections. */
export type Queryable = Pick<ClientBase, 'query'>;

export interface InstallationRow {
  /** Null until a process has started. */
  secretKeyId: string | null;
  /** Null until a process has started. */
  storageId: string | null;
}

const READ = `select secret_key_id as "secretKeyId", storage_id as "storageId" from installation`;
const NOTHING: InstallationRow = { secretKeyId: null, storageId: null };

export async function readInstallation(client: Queryable): Promise<InstallationRow> {
  const { rows } = await client.query<InstallationRow>(READ);
  return rows[0] ?? NOTHING;
}

/** Calls `change` while no other process does, and stores the row that it returns. */
export async function changeInstallation(
  pool: Pool,
  change: (client: ClientBase, row: InstallationRow) => Promise<InstallationRow>,
): Promise<void> {
  const client = await pool.connect();
  try {
    await client.query('begin');
    // Locks the table and not the row, which a restored backup may lack.
    await client.query('lock table installation in share row exclusive mode');
    await writeInstallation(client, await change(client, await readInstallation(client)));
    await client.query('commit');
    client.release();
  } catch (error) {
    // Closing the connection rolls back.
    client.release(true);
    throw error;
  }
}

export async function writeInstallation(client: Queryable, row: InstallationRow): Promise<void> {
  await client.query(
    `insert into installation (secret_key_id, storage_id) values ($1, $2)
     on conflict (is_only) do update set secret_key_id = excluded.secret_key_id, storage_id = excluded.storage_id`,
    [row.secretKeyId, row.storageId],
  );
}

/** Returns the identifiers of the keys that sealed the stored secrets. */
export async function listSealingKeys(client: Queryable): Promise<string[]> {
  const { rows } = await client.query<{ id: string }>(
    `select distinct split_part(sealed, '.', 2) as id from (
       select token_secret from api_keys where token_secret is not null
       union all select secret from webhooks
       union all select value from configurations, jsonb_each_text(secrets)
       union all select value from connectors, jsonb_each_text(secrets)
     ) as secrets (sealed)`,
  );
  return rows.map(({ id }) => id);
}

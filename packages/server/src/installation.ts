/**
 * Refuses a process whose secret key or store of originals is not that of its database. Two processes with different
 * keys cannot read each other's credentials, tokens and cursors; two with different stores fail each other's documents.
 */
import path from 'node:path';
import type { Pool } from 'pg';
import type { Config } from './config/config.ts';
import { ConfigurationError } from './config/env.ts';
import {
  changeInstallation,
  listSealingKeys,
  readInstallation,
  writeInstallation,
  type InstallationRow,
  type Queryable,
} from './database/installation.ts';
import type { ObjectStore } from './storage/object-store.ts';
import { ensureStorageId, readStorageId, STORAGE_ID_KEY } from './storage/storage-id.ts';

type Settings = Pick<Config, 'secretKey' | 'dataDir' | 'storage'>;

/** Binds the database to the key and the store at the first start; throws `ConfigurationError` if either is another. */
export async function joinInstallation(
  pool: Pool,
  config: Settings,
  own: { keyId: string; store: ObjectStore },
): Promise<void> {
  await changeInstallation(pool, async (client, row) => {
    await requireKey(client, config, row, own.keyId);
    const storageId = row.storageId ?? (await ensureStorageId(own.store));
    await requireStorage(config, { ...row, storageId }, own.store);
    return { secretKeyId: own.keyId, storageId };
  });
}

/** Throws `ConfigurationError` if the store is not that of the database; the database of an upgrade may have none. */
export async function requireOwnStorage(client: Queryable, config: Settings, store: ObjectStore): Promise<void> {
  await requireStorage(config, await readInstallation(client), store);
}

/** Throws `ConfigurationError` if the key is not that of the database. */
export async function requireOwnKey(client: Queryable, config: Settings, keyId: string): Promise<void> {
  await requireKey(client, config, await readInstallation(client), keyId);
}

/**
 * Binds a restored database to the store that it was restored into; runs in the transaction of the restore. Throws
 * `ConfigurationError` if the key is not that of the backup, unless that one is lost.
 */
export async function bindRestored(
  client: Queryable,
  own: { keyId: string | null; store: ObjectStore },
  isKeyLost: boolean,
): Promise<void> {
  const known = await knownKeys(client, await readInstallation(client));
  if (!isKeyLost && isForeign(known, own.keyId)) {
    throw new ConfigurationError(
      `Settings:\n  QUIRE_SECRET_KEY: the backup was made with the secret key ${known.join(' or ')}, and this one is ` +
        `${own.keyId ?? 'not set'}. Set the key of the backup, or add --lost-key if it is lost`,
    );
  }
  await writeInstallation(client, { secretKeyId: own.keyId, storageId: await ensureStorageId(own.store) });
}

/** A database of a former version says by its secrets which key it has. */
const knownKeys = async (client: Queryable, { secretKeyId }: InstallationRow): Promise<string[]> =>
  secretKeyId === null ? listSealingKeys(client) : [secretKeyId];

const isForeign = (known: readonly string[], keyId: string | null): boolean =>
  known.length > 0 && (keyId === null || !known.includes(keyId));

async function requireKey(client: Queryable, config: Settings, row: InstallationRow, keyId: string): Promise<void> {
  const known = await knownKeys(client, row);
  if (!isForeign(known, keyId)) return;
  const [place, remedy] =
    config.secretKey === null
      ? [path.join(config.dataDir, 'secret.key'), 'put the former file back, or finish an interrupted rotation']
      : ['QUIRE_SECRET_KEY', 'every process needs the same one'];
  throw new ConfigurationError(
    `Settings:\n  ${place}: the database has the secret key ${known.join(' or ')}, and this one is ${keyId}; ` +
      `${remedy}. If the former key is lost, run 'npm run rotate-secret-key -- --lost-key'`,
  );
}

async function requireStorage({ storage }: Settings, { storageId }: InstallationRow, store: ObjectStore) {
  const found = await readStorageId(store);
  if (storageId === null || found === storageId) return;
  const place =
    storage.kind === 'folder'
      ? path.join(storage.folder, 'objects', STORAGE_ID_KEY)
      : `the object ${storage.location.prefix}${STORAGE_ID_KEY} of the bucket`;
  throw new ConfigurationError(
    `Settings:\n  QUIRE_STORAGE_URL: the files of this database are in the storage ${storageId}, and this one is ` +
      `${found ?? 'another'}; every process needs the same folder or bucket. If the files were moved here, write ` +
      `${storageId} to ${place}`,
  );
}

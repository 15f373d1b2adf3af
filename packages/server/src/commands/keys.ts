/**
 * `npm run keys -- list | create WORKSPACE NAME PERMISSION | revoke KEY_ID | chats FROM TO | root`: manages keys from
 * the machine of the service, without a key. The service may run meanwhile; none of its modules is loaded, so it takes
 * about a second.
 */
import { toConfig } from '../config/config.ts';
import { readEnvironment } from '../config/env.ts';
import { loadSecrets } from '../config/secrets.ts';
import { requireOwnKey } from '../installation.ts';
import { KeyService } from '../domain/keys/service.ts';
import { createLogger } from '../logger.ts';
import { openDatabase, type OpenDatabase } from '../open-database.ts';
import { SecretBox } from '../shared/secret-box.ts';
import { ensurePrivateFolder } from '../config/private-folder.ts';

const USAGE =
  'Usage: npm run keys -- list | create WORKSPACE_ID NAME read|write|admin | revoke KEY_ID | ' +
  'chats FROM_KEY_ID|unknown TO_KEY_ID | root';
const ROOT = { keyId: '', permission: 'root', workspaceId: null, collectionIds: null } as const;
const PERMISSIONS = ['read', 'write', 'admin'] as const;

type Output = { write(text: string): unknown };
type Verb = (args: readonly string[], database: Stores, output: Output) => Promise<void>;

/** `seals`: the verb stores a secret, which only the key of the database may seal. */
const VERBS: Readonly<Record<string, { argumentCount: number; run: Verb; seals?: boolean }>> = {
  list: { argumentCount: 0, run: list },
  create: { argumentCount: 3, run: create, seals: true },
  revoke: { argumentCount: 1, run: revoke },
  chats: { argumentCount: 2, run: handOverChats },
  root: { argumentCount: 0, run: replaceRoot },
};

export async function manageKeys(args: readonly string[], output: Output = process.stdout): Promise<void> {
  const [name = '', ...rest] = args;
  const verb = VERBS[name];
  if (verb === undefined || verb.argumentCount !== rest.length) throw new Error(USAGE);
  const config = toConfig(readEnvironment());
  if (name === 'root' && config.rootKey !== null) {
    throw new Error('The root key is set by QUIRE_ROOT_KEY: change it there');
  }
  await ensurePrivateFolder(config.dataDir, 'QUIRE_DATA_DIR');
  const database = await openDatabase(config, createLogger({ level: 'warn' }), { poolSize: 2 });
  try {
    const secrets = await loadSecrets(config);
    if (verb.seals === true) await requireOwnKey(database.pool, config, secrets.keyId);
    await verb.run(rest, { ...database, secretBox: new SecretBox(secrets) }, output);
  } finally {
    await database.close();
  }
}

interface Stores extends OpenDatabase {
  secretBox: SecretBox;
}

const keyService = ({ db, secretBox }: Stores): KeyService =>
  new KeyService({ database: db, secretBox, now: Date.now });

async function list(_args: readonly string[], { db }: OpenDatabase, output: Output): Promise<void> {
  const keys = await db.selectFrom('api_keys').selectAll().orderBy('workspace_id').orderBy('created_at').execute();
  const rows = keys.map((key) => [
    key.id,
    key.workspace_id ?? '(all workspaces)',
    key.permission,
    key.key_hint,
    key.last_used_at?.toISOString() ?? 'never used',
    key.expires_at === null ? 'no expiry' : `expires ${key.expires_at.toISOString()}`,
    key.name,
  ]);
  output.write(rows.map((row) => `${row.join('  ')}\n`).join(''));
}

async function create(args: readonly string[], database: Stores, output: Output): Promise<void> {
  const [workspaceId = '', name = '', wanted] = args;
  const permission = PERMISSIONS.find((each) => each === wanted);
  if (permission === undefined) throw new Error(USAGE);
  const { db } = database;
  const found = await db
    .selectFrom('workspaces')
    .select('id')
    .where((eb) => eb(eb.cast<string>('id', 'text'), '=', workspaceId))
    .where('deleted_at', 'is', null)
    .executeTakeFirst();
  if (found === undefined) throw new Error(`There is no workspace ${workspaceId}`);
  const { record, key } = await keyService(database).create(found.id, ROOT, { name, permission });
  output.write(`New key ${record.id} (shown once): ${key}\n`);
}

async function revoke(args: readonly string[], { db }: OpenDatabase, output: Output): Promise<void> {
  const [keyId = ''] = args;
  const revoked = await db
    .deleteFrom('api_keys')
    .where((eb) => eb(eb.cast<string>('id', 'text'), '=', keyId))
    .where('workspace_id', 'is not', null)
    .returning('name')
    .executeTakeFirst();
  if (revoked === undefined) throw new Error(`There is no key ${keyId}, or it is the root key`);
  output.write(`Revoked the key ${keyId} (${revoked.name}); a running service refuses it within a second.\n`);
}

/** Gives a key the chats of another one, which may be revoked, or those whose creator is not known. */
async function handOverChats(args: readonly string[], { db }: OpenDatabase, output: Output): Promise<void> {
  const [from = '', to = ''] = args;
  const target = await db
    .selectFrom('api_keys')
    .select(['id', 'name', 'workspace_id'])
    .where((eb) => eb(eb.cast<string>('id', 'text'), '=', to))
    .executeTakeFirst();
  if (target === undefined || target.workspace_id === null) {
    throw new Error(`There is no key ${to}, or it is the root key`);
  }
  const { numUpdatedRows } = await db
    .updateTable('chats')
    .set({ key_id: target.id })
    .where('workspace_id', '=', target.workspace_id)
    .where((eb) => (from === 'unknown' ? eb('key_id', 'is', null) : eb(eb.cast<string>('key_id', 'text'), '=', from)))
    .executeTakeFirstOrThrow();
  output.write(`The key ${target.id} (${target.name}) has ${numUpdatedRows} more chats.\n`);
}

async function replaceRoot(_args: readonly string[], database: Stores, output: Output): Promise<void> {
  output.write(`New root key (shown once): ${await keyService(database).replaceRootKey()}\n`);
}

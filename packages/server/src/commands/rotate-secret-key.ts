/**
 * `npm run rotate-secret-key`, with the service stopped: encrypts all stored credentials under a new secret key. With
 * QUIRE_SECRET_KEY the new one is read from QUIRE_NEW_SECRET_KEY and takes its place afterwards; the key that was made
 * at first start is replaced in the data directory. When it is cut short, running it again finishes it. With
 * `--lost-key` the database accepts the present key in place of one that is lost.
 */
import { toConfig, type Config } from '../config/config.ts';
import { readEnvironment } from '../config/env.ts';
import { adoptNextKey, deriveSecrets, loadSecrets, LOST_KEY, prepareNextKey } from '../config/secrets.ts';
import { changeInstallation, listSealingKeys, readInstallation } from '../database/installation.ts';
import { rotateSecrets } from '../domain/configurations/secret-rotation.ts';
import { createLogger } from '../logger.ts';
import { requireOwnKey } from '../installation.ts';
import { openDatabase, type OpenDatabase } from '../open-database.ts';
import { hasLiveInstances } from '../queue/instance.ts';
import { SecretBox } from '../shared/secret-box.ts';

export async function rotateSecretKey(args: readonly string[]): Promise<void> {
  const isKeyLost = args[0] === LOST_KEY;
  if (args.length > (isKeyLost ? 1 : 0)) throw new Error(`Usage: npm run rotate-secret-key [-- ${LOST_KEY}]`);
  const config = toConfig(readEnvironment());
  if (!isKeyLost && (config.secretKey === null) !== (config.newSecretKey === null)) {
    throw new Error('QUIRE_SECRET_KEY and QUIRE_NEW_SECRET_KEY: either both (the old key and the new), or none');
  }
  const database = await openDatabase(config, createLogger({ level: 'warn' }), { poolSize: 2 });
  try {
    // A running process would keep the old key, which decrypts nothing after the rotation.
    if (!database.sole && (await hasLiveInstances(database.db))) {
      throw new Error('The service is running (or was killed less than 30 s ago): stop it first');
    }
    await (isKeyLost ? adoptKey(config, database) : rotate(config, database));
  } finally {
    await database.close();
  }
}

async function rotate(config: Config, database: OpenDatabase): Promise<void> {
  const current = await loadSecrets(config);
  const next = deriveSecrets(config.newSecretKey ?? (await prepareNextKey(config.dataDir)));
  const { secretKeyId } = await readInstallation(database.pool);
  // The database has the next key if a rotation was interrupted after its transaction.
  if (secretKeyId !== next.keyId) await requireOwnKey(database.pool, config, current.keyId);
  const count = await rotateSecrets(database.db, new SecretBox(current), new SecretBox(next));
  if (config.secretKey === null) await adoptNextKey(config.dataDir);
  process.stdout.write(`Encrypted ${count} credentials under key ${next.keyId} (before: ${current.keyId}).\n`);
  if (config.secretKey !== null) process.stdout.write('Set QUIRE_SECRET_KEY to the new key before the next start.\n');
}

/** Accepts the present key, or a new one, in place of a lost key, whose secrets cannot be decrypted any more. */
async function adoptKey(config: Config, database: OpenDatabase): Promise<void> {
  const { keyId } = await loadSecrets(config);
  const lost = (await listSealingKeys(database.pool)).filter((id) => id !== keyId);
  await changeInstallation(database.pool, async (_client, row) => ({ ...row, secretKeyId: keyId }));
  process.stdout.write(`The database has the secret key ${keyId} now.\n`);
  if (lost.length > 0)
    process.stdout.write(`Set all credentials again that were encrypted under key ${lost.join(' or ')}.\n`);
}

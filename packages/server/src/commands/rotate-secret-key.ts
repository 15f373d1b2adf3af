/**
 * `npm run rotate-secret-key`, with the service stopped: encrypts all stored credentials under a new secret key. With
 * QUIRE_SECRET_KEY the new one is read from QUIRE_NEW_SECRET_KEY and takes its place afterwards; the key that was made
 * at first start is replaced in the data directory. When it is cut short, running it again finishes it.
 */
import { toConfig } from '../config/config.ts';
import { readEnvironment } from '../config/env.ts';
import { adoptNextKey, deriveSecrets, loadSecrets, prepareNextKey } from '../config/secrets.ts';
import { rotateSecrets } from '../domain/configurations/secret-rotation.ts';
import { createLogger } from '../logger.ts';
import { openDatabase } from '../open-database.ts';
import { hasLiveInstances } from '../queue/instance.ts';
import { SecretBox } from '../shared/secret-box.ts';

export async function rotateSecretKey(args: readonly string[]): Promise<void> {
  if (args.length > 0) throw new Error('Usage: npm run rotate-secret-key (without arguments)');
  const config = toConfig(readEnvironment());
  if ((config.secretKey === null) !== (config.newSecretKey === null)) {
    throw new Error('QUIRE_SECRET_KEY and QUIRE_NEW_SECRET_KEY: either both (the old key and the new), or none');
  }
  const current = await loadSecrets(config);
  const database = await openDatabase(config, createLogger({ level: 'warn' }), { poolSize: 2 });
  try {
    // A running process would keep the old key, which decrypts nothing after the rotation.
    if (!database.sole && (await hasLiveInstances(database.db))) {
      throw new Error('The service is running (or was killed less than 30 s ago): stop it first');
    }
    const next = deriveSecrets(config.newSecretKey ?? (await prepareNextKey(config.dataDir)));
    const count = await rotateSecrets(database.db, new SecretBox(current), new SecretBox(next));
    if (config.secretKey === null) await adoptNextKey(config.dataDir);
    process.stdout.write(`Encrypted ${count} credentials under key ${next.keyId} (before: ${current.keyId}).\n`);
    if (config.secretKey !== null) process.stdout.write('Set QUIRE_SECRET_KEY to the new key before the next start.\n');
  } finally {
    await database.close();
  }
}

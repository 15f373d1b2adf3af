/** `npm run keys -- root`: replaces a lost root key. */
import { toConfig } from '../config/config.ts';
import { readEnvironment } from '../config/env.ts';
import { KeyService } from '../domain/keys/service.ts';
import { createLogger } from '../logger.ts';
import { openDatabase } from '../open-database.ts';

export async function createRootKey(args: readonly string[]): Promise<void> {
  if (args[0] !== 'root' || args.length > 1) throw new Error('Usage: npm run keys -- root');
  const config = toConfig(readEnvironment());
  if (config.rootKey !== null) throw new Error('The root key is set by QUIRE_ROOT_KEY: change it there');
  const logger = createLogger({ level: 'warn' });
  const database = await openDatabase(config, logger, 2);
  try {
    const key = await new KeyService({ database: database.db, now: Date.now }).replaceRootKey();
    process.stdout.write(`New root key (shown once): ${key}\n`);
  } finally {
    await database.close();
  }
}

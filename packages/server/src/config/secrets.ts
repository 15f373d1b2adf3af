/** The secret key: from the settings, or made at first start beside the embedded database (mode 600). */
import { createHmac, hkdfSync, randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, open, readFile, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import type { Config } from './config.ts';

export interface Secrets {
  /** Encrypts stored credentials. */
  encryptionKey: Buffer;
  /** Signs list cursors. */
  cursorKey: Buffer;
  /** Signs short-lived artifact links. */
  linkKey: Buffer;
  /** Identifier of the key that reveals nothing about it; stored beside the values that it encrypted. */
  keyId: string;
}

/** Argument of commands that accept the present key for a database whose former one is lost. */
export const LOST_KEY = '--lost-key';

const keyFile = (dataDir: string): string => path.join(dataDir, 'secret.key');

async function readOrCreate(file: string): Promise<string> {
  try {
    return (await readFile(file, 'utf8')).trim();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
  const value = randomBytes(32).toString('base64url');
  const handle = await open(file, 'wx', 0o600);
  try {
    await handle.writeFile(`${value}\n`);
    await handle.sync();
  } finally {
    await handle.close();
  }
  return value;
}

/** One key per purpose, derived with HKDF-SHA256 (RFC 5869) from the one secret. */
export function deriveSecrets(secretKey: string): Secrets {
  const derive = (purpose: string): Buffer => Buffer.from(hkdfSync('sha256', secretKey, '', `quire ${purpose}`, 32));
  return {
    encryptionKey: derive('credentials'),
    cursorKey: derive('cursors'),
    linkKey: derive('links'),
    keyId: createHmac('sha256', derive('key id')).update('id').digest('hex').slice(0, 12),
  };
}

export async function loadSecrets(config: Pick<Config, 'secretKey' | 'dataDir'>): Promise<Secrets> {
  if (config.secretKey !== null) return deriveSecrets(config.secretKey);
  await mkdir(config.dataDir, { recursive: true });
  return deriveSecrets(await readOrCreate(keyFile(config.dataDir)));
}

/** Returns the identifier of the key of the settings or of the data directory; null if there is none yet. */
export async function findKeyId(config: Pick<Config, 'secretKey' | 'dataDir'>): Promise<string | null> {
  const hasKey = config.secretKey !== null || existsSync(keyFile(config.dataDir));
  return hasKey ? (await loadSecrets(config)).keyId : null;
}

/** Removes the key that `loadSecrets` has made for a database that has another one. */
export const discardKey = (dataDir: string): Promise<void> => rm(keyFile(dataDir), { force: true });

/**
 * Returns whether the data directory has a database but no longer its key: `loadSecrets` then makes a new one, which
 * does not decrypt what the former one encrypted.
 */
export const isKeyLost = ({ secretKey, dataDir }: Pick<Config, 'secretKey' | 'dataDir'>): boolean =>
  secretKey === null && existsSync(path.join(dataDir, 'postgres')) && !existsSync(keyFile(dataDir));

/** Returns the next key of the data directory: a new one, or the one of an interrupted rotation. */
export const prepareNextKey = (dataDir: string): Promise<string> => readOrCreate(`${keyFile(dataDir)}.next`);

/** Replaces the key of the data directory with the prepared one. */
export const adoptNextKey = (dataDir: string): Promise<void> => rename(`${keyFile(dataDir)}.next`, keyFile(dataDir));

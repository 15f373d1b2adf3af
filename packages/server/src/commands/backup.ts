/**
 * `npm run backup -- FILE|-`, `npm run restore -- FILE|-` and `npm run verify -- FILE`: see docs/guide/operations.md.
 * With QUIRE_BACKUP_PASSPHRASE the backup is encrypted.
 */
import { existsSync } from 'node:fs';
import { mkdtemp, open, rename, rm, type FileHandle } from 'node:fs/promises';
import path from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { errorCode } from '@quire/shared/error-code';
import { ArchiveWriter } from '../backup/archive.ts';
import { writeBackup, type BackupSummary } from '../backup/create.ts';
import { decrypt, encrypt } from '../backup/encryption.ts';
import { recordBackup } from '../backup/last-backup.ts';
import { restoreBackup } from '../backup/restore.ts';
import { searchRestored } from '../backup/search-restored.ts';
import { toConfig, type Config, type StorageConfig } from '../config/config.ts';
import { readEnvironment } from '../config/env.ts';
import { ensurePrivateFolder, openRuntimeFolder } from '../config/private-folder.ts';
import { findKeyId, loadSecrets, LOST_KEY } from '../config/secrets.ts';
import { bindRestored, requireOwnStorage } from '../installation.ts';
import { createLogger } from '../logger.ts';
import { openDatabase } from '../open-database.ts';
import { requireFreeSpace } from '@quire/shared/free-space';
import type { ObjectStore } from '../storage/object-store.ts';
import { openStore } from '../wiring/storage.ts';

/** Standard output may be the backup itself. */
const report = (line: string): boolean => process.stderr.write(`${line}\n`);

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: 'no such file or folder',
  EACCES: 'permission denied',
  EISDIR: 'it is a folder',
  ENOSPC: 'no space left',
};

/** Opens a file of the user. The streams of `fs` would report a fault only after the database is open. */
async function opened(file: string, flags: 'r' | 'w'): Promise<FileHandle> {
  try {
    return await open(file, flags, 0o600);
  } catch (error) {
    const reason = REASONS[errorCode(error) ?? ''] ?? String(error);
    throw new Error(`Cannot ${flags === 'r' ? 'read' : 'write'} ${file}: ${reason}`, { cause: error });
  }
}

const describe = ({ rows, files, fileBytes, missing }: BackupSummary): string => {
  const total = Object.values(rows).reduce((sum, count) => sum + count, 0);
  const purged = missing === 0 ? '' : `, ${missing} documents or runs without files`;
  return `${total} rows and ${files} files (${(fileBytes / 1_000_000).toFixed(1)} MB)${purged}`;
};

export async function backup(args: readonly string[]): Promise<void> {
  const [file] = args;
  if (file === undefined || args.length > 1) throw new Error('Usage: npm run backup -- FILE|-');
  const config = toConfig(readEnvironment());
  if (file !== '-' && existsSync(file)) throw new Error(`${file} exists already`);
  const partial = `${file}.partial`;
  const output: Writable =
    file === '-' ? process.stdout : (await opened(partial, 'w')).createWriteStream({ flush: true });
  try {
    const summary = await writeTo(output, file === '-' ? null : path.dirname(path.resolve(file)), config);
    if (file !== '-') await rename(partial, file);
    report(`Backup written: ${describe(summary)}.`);
    if (config.backupPassphrase === null) report('It is not encrypted and holds secrets: keep it safe.');
  } catch (error) {
    if (file !== '-') await rm(partial, { force: true });
    throw error;
  }
}

/** Ends the backup before it takes the space that the service needs, if it is written to a disk of the service. */
async function* leavingSpace(
  source: AsyncIterable<Buffer>,
  folder: string | null,
  { limits }: Config,
): AsyncGenerator<Buffer> {
  for await (const bytes of source) {
    if (folder !== null) await requireFreeSpace([folder], limits.minFreeBytes);
    yield bytes;
  }
}

/** `place`: the folder of the backup; null for standard output. */
async function writeTo(output: Writable, place: string | null, config: Config): Promise<BackupSummary> {
  const database = await openDatabase(config, createLogger({ level: 'warn' }), { poolSize: 2 });
  const client = await database.pool.connect();
  try {
    const archive = new ArchiveWriter();
    const secretKeyFile = config.secretKey === null ? path.join(config.dataDir, 'secret.key') : null;
    const { backupPassphrase } = config;
    const content = backupPassphrase === null ? archive.stream : await encrypt(archive.stream, backupPassphrase);
    return await withStore(config, async (store) => {
      await requireOwnStorage(client, config, store);
      const [summary] = await Promise.all([
        writeBackup({ client, store, secretKeyFile }, archive).catch((error: unknown) => {
          archive.stream.destroy();
          throw error;
        }),
        pipeline(content, (source: AsyncIterable<Buffer>) => leavingSpace(source, place, config), output),
      ]);
      await recordBackup(store, new Date());
      return summary;
    });
  } finally {
    client.release(true);
    await database.close();
  }
}

async function withStore<Result>(config: Config, use: (store: ObjectStore) => Promise<Result>): Promise<Result> {
  const spool = await openRuntimeFolder(config.spoolDir, 'QUIRE_SPOOL_DIR');
  try {
    const store = await openStore(config, spool.path);
    try {
      return await use(store);
    } finally {
      await store.close();
    }
  } finally {
    await spool.remove();
  }
}

export async function restore(args: readonly string[]): Promise<void> {
  const isKeyLost = args.includes(LOST_KEY);
  const [file, ...more] = args.filter((arg) => arg !== LOST_KEY);
  if (file === undefined || more.length > 0) throw new Error(`Usage: npm run restore -- FILE|- [${LOST_KEY}]`);
  const config = toConfig(readEnvironment());
  const summary = await restoreInto(config, file, isKeyLost);
  report(`Restored ${describe(summary)}. The first start rebuilds the search index.`);
}

async function restoreInto(config: Config, file: string, isKeyLost: boolean): Promise<BackupSummary> {
  const input: Readable = file === '-' ? process.stdin : (await opened(file, 'r')).createReadStream();
  const source = await decrypt(input, config.backupPassphrase);
  await ensurePrivateFolder(config.dataDir, 'QUIRE_DATA_DIR');
  const logger = createLogger({ level: 'warn' });
  const database = await openDatabase(config, logger, { poolSize: 2, exclusive: true, restoring: true });
  const client = await database.pool.connect();
  try {
    const { dataDir } = config;
    return await withStore(config, (store) => {
      const complete = async (): Promise<void> => {
        const keyId = isKeyLost ? (await loadSecrets(config)).keyId : await findKeyId(config);
        await bindRestored(client, { keyId, store }, isKeyLost);
      };
      return restoreBackup(source, { client, dataDir, store, complete });
    });
  } finally {
    client.release(true);
    await database.close();
  }
}

/** Restores into a temporary folder with a database of its own, and searches there. */
export async function verify(args: readonly string[]): Promise<void> {
  const [file] = args;
  if (file === undefined || args.length > 1) throw new Error('Usage: npm run verify -- FILE');
  const config = toConfig(readEnvironment());
  await ensurePrivateFolder(config.spoolDir, 'QUIRE_SPOOL_DIR');
  const dataDir = await mkdtemp(path.join(config.spoolDir, 'verify-'));
  try {
    const storage: StorageConfig = { kind: 'folder', folder: path.join(dataDir, 'storage') };
    // The key that the backup needs may be on another machine.
    const summary = await restoreInto({ ...config, dataDir, storage, databaseUrl: null }, file, true);
    report(`Restored into a temporary folder: ${describe(summary)}; counts and checksums match.`);
    const searches = await searchRestored(dataDir, config);
    report(`${searches} searches found their documents. The backup is good.`);
  } finally {
    await rm(dataDir, { recursive: true, force: true });
  }
}

/**
 * Restores a backup into an empty database and an empty storage directory. The rows become visible in one transaction,
 * after the checksum of the whole backup was found right; a marker in the data directory keeps the service from
 * starting on a restore that was interrupted, and lets the next restore begin again.
 */
import { createWriteStream } from 'node:fs';
import { mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ClientBase } from 'pg';
import { BackupError, collect, readArchive } from './archive.ts';
import { FORMAT, readMigrationNames, type BackupManifest, type BackupSummary } from './create.ts';
import { RESTORE_MARKER } from './restore-marker.ts';
import { advanceSequences, countRows, writeRows, type TableList } from './tables.ts';

export interface RestoreTarget {
  client: ClientBase;
  dataDir: string;
  storageDir: string;
}

export async function restoreBackup(source: Readable, target: RestoreTarget): Promise<BackupSummary> {
  const { client, dataDir, storageDir } = target;
  await refuseUsed(target);
  const marker = path.join(dataDir, RESTORE_MARKER);
  await writeFile(marker, '', { mode: 0o600 });
  await client.query('begin');
  try {
    const restore = new Restore(target);
    await readArchive(source, (name, _size, content) => restore.entry(name, content));
    const summary = await restore.finish();
    await client.query('commit');
    await rm(marker);
    return summary;
  } catch (error) {
    await client.query('rollback').catch(() => undefined);
    await rm(path.join(storageDir, 'objects'), { recursive: true, force: true });
    throw error;
  }
}

async function refuseUsed({ client, dataDir, storageDir }: RestoreTarget): Promise<void> {
  const { rowCount } = await client.query('select from workspaces limit 1');
  if (rowCount !== 0) throw new BackupError('The database is not empty: restore into an empty one');
  const objects = path.join(storageDir, 'objects');
  const interrupted = (await readdir(dataDir)).includes(RESTORE_MARKER);
  if (interrupted) await rm(objects, { recursive: true, force: true });
  const stored = await readdir(objects).catch(() => []);
  if (stored.length > 0) throw new BackupError(`${objects} is not empty: restore into an empty data directory`);
}

class Restore {
  readonly #target: RestoreTarget;
  #manifest: BackupManifest | undefined;
  #summary: BackupSummary | undefined;
  #files = 0;

  constructor(target: RestoreTarget) {
    this.#target = target;
  }

  async entry(name: string, content: Readable): Promise<void> {
    if (name === 'manifest.json')
      return this.#begin(JSON.parse((await collect(content)).toString('utf8')) as BackupManifest);
    if (name === 'summary.json') {
      this.#summary = JSON.parse((await collect(content)).toString('utf8')) as BackupSummary;
    } else if (name === 'secret.key') {
      await writeFile(path.join(this.#target.dataDir, 'secret.key'), await collect(content), { mode: 0o600 });
    } else if (name.startsWith('tables/')) {
      await writeRows(this.#target.client, this.#table(name), content);
    } else if (name.startsWith('objects/')) {
      await this.#file(name, content);
    } else {
      throw new BackupError(`The backup holds an entry of an unknown kind: ${name}`);
    }
  }

  /** Compares what was restored with what the backup says it holds. */
  async finish(): Promise<BackupSummary> {
    const { client } = this.#target;
    const summary = this.#summary;
    const tables = this.#manifest?.tables ?? [];
    if (summary === undefined) throw new BackupError('The backup is incomplete: it has no summary');
    for (const table of tables) {
      await client.query(`alter table ${table.name} enable trigger user`);
      const count = await countRows(client, table);
      if (count !== summary.rows[table.name]) {
        throw new BackupError(`${table.name} has ${count} rows instead of ${summary.rows[table.name]}`);
      }
    }
    if (this.#files !== summary.files) throw new BackupError(`${this.#files} files instead of ${summary.files}`);
    await advanceSequences(client, tables);
    return summary;
  }

  async #begin(manifest: BackupManifest): Promise<void> {
    const { client } = this.#target;
    if (manifest.format !== FORMAT)
      throw new BackupError('A newer version of Quire made this backup: use that version');
    const known = await readMigrationNames(client);
    const unknown = manifest.migrations.find((name) => !known.includes(name));
    if (unknown !== undefined) {
      throw new BackupError(`A newer version of Quire made this backup (migration ${unknown}): use that version`);
    }
    const missing = known.find((name) => !manifest.migrations.includes(name));
    if (missing !== undefined) {
      throw new BackupError(
        `An older version of Quire made this backup (without migration ${missing}): restore it with that version, ` +
          'then start this one on the data',
      );
    }
    this.#manifest = manifest;
    const names = manifest.tables.map(({ name }) => name).join(', ');
    await client.query(`truncate ${names} cascade`);
    for (const { name } of manifest.tables) await client.query(`alter table ${name} disable trigger user`);
  }

  #table(name: string): TableList {
    const table = this.#manifest?.tables[Number(name.split('/')[1])];
    if (table === undefined) throw new BackupError(`The backup has rows of an unknown table (${name})`);
    return table;
  }

  async #file(name: string, content: Readable): Promise<void> {
    const { storageDir } = this.#target;
    const file = path.resolve(storageDir, name);
    if (!file.startsWith(`${path.resolve(storageDir, 'objects')}${path.sep}`)) {
      throw new BackupError(`The backup holds a file outside of the storage directory: ${name}`);
    }
    await mkdir(path.dirname(file), { recursive: true, mode: 0o700 });
    await pipeline(content, createWriteStream(file, { mode: 0o600, flush: true }));
    this.#files += 1;
  }
}

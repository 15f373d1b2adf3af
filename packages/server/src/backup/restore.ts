/**
 * Restores a backup into an empty database and an empty object store. The rows become visible in one transaction,
 * after the checksum of the whole backup was found right; a marker in the data directory keeps the service from
 * starting on a restore that was interrupted, and lets the next restore begin again.
 */
import { readdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Readable } from 'node:stream';
import type { ClientBase } from 'pg';
import { ALL_WORKSPACES } from '../storage/layout.ts';
import { ObjectKeyError } from '../storage/keys.ts';
import type { ObjectStore } from '../storage/object-store.ts';
import { BackupError, collect, readArchive } from './archive.ts';
import { FORMAT, readMigrationNames, type BackupManifest, type BackupSummary } from './create.ts';
import { RESTORE_MARKER } from './restore-marker.ts';
import { advanceSequences, countRows, writeRows, type TableList } from './tables.ts';

export interface RestoreTarget {
  client: ClientBase;
  dataDir: string;
  store: ObjectStore;
  /** Called in the transaction of the restore, after its last row. */
  complete?: () => Promise<void>;
}

export async function restoreBackup(source: Readable, target: RestoreTarget): Promise<BackupSummary> {
  const { client, dataDir, store } = target;
  await refuseUsed(target);
  const marker = path.join(dataDir, RESTORE_MARKER);
  await writeFile(marker, '', { mode: 0o600 });
  await client.query('begin');
  try {
    const restore = new Restore(target);
    await readArchive(source, (name, _size, content) => restore.entry(name, content));
    const summary = await restore.finish();
    await target.complete?.();
    await client.query('commit');
    await rm(marker);
    return summary;
  } catch (error) {
    await client.query('rollback').catch(() => undefined);
    await store.deletePrefix(ALL_WORKSPACES);
    throw error;
  }
}

async function refuseUsed({ client, dataDir, store }: RestoreTarget): Promise<void> {
  const { rowCount } = await client.query('select from workspaces limit 1');
  if (rowCount !== 0) throw new BackupError('The database is not empty: restore into an empty one');
  const interrupted = (await readdir(dataDir)).includes(RESTORE_MARKER);
  if (interrupted) await store.deletePrefix(ALL_WORKSPACES);
  for await (const { key } of store.list(ALL_WORKSPACES)) {
    throw new BackupError(`The object store is not empty (it holds ${key}): restore into an empty one`);
  }
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
    const key = name.slice('objects/'.length);
    if (!key.startsWith(ALL_WORKSPACES)) throw new BackupError(`The backup holds a file of no workspace: ${name}`);
    try {
      await this.#target.store.put(key, content);
    } catch (error) {
      if (error instanceof ObjectKeyError)
        throw new BackupError(`The backup holds a file without a valid name: ${name}`);
      throw error;
    }
    this.#files += 1;
  }
}

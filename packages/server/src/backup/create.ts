/**
 * Writes a backup while the service runs: all rows of one REPEATABLE READ snapshot, which blocks no writes,
 * and the files that these rows refer to. Stored files never change, so copying them later is safe; a file that was
 * purged since the snapshot is counted as missing. The search index is left out, as it is rebuilt from the rows.
 */
import { readFile } from 'node:fs/promises';
import type { ClientBase } from 'pg';
import { storageKeys } from '../storage/layout.ts';
import type { ObjectStore } from '../storage/object-store.ts';
import type { ArchiveWriter } from './archive.ts';
import { listTables, readRows, type TableList } from './tables.ts';

export const FORMAT = 1;

export interface BackupManifest {
  format: typeof FORMAT;
  createdAt: string;
  /** Names of the migrations of the database, in order. */
  migrations: string[];
  tables: TableList[];
}

export interface BackupSummary {
  /** Number of rows by table. */
  rows: Record<string, number>;
  files: number;
  fileBytes: number;
  /** Number of folders of documents and runs that were purged since the snapshot. */
  missing: number;
}

export interface BackupSource {
  client: ClientBase;
  store: ObjectStore;
  /** The secret key of the data directory, if the settings do not hold it. */
  secretKeyFile: string | null;
}

export async function writeBackup(source: BackupSource, archive: ArchiveWriter): Promise<BackupSummary> {
  const { client } = source;
  await client.query('begin isolation level repeatable read read only');
  try {
    const tables = await listTables(client);
    const manifest: BackupManifest = {
      format: FORMAT,
      createdAt: new Date().toISOString(),
      migrations: await readMigrationNames(client),
      tables,
    };
    await archive.add('manifest.json', Buffer.from(JSON.stringify(manifest)));
    if (source.secretKeyFile !== null) await archive.add('secret.key', await readFile(source.secretKeyFile));
    const folders = await listFolders(client);
    const rows: Record<string, number> = {};
    for (const [position, table] of tables.entries())
      rows[table.name] = await addTable(client, table, position, archive);
    await client.query('commit');
    const summary = { rows, ...(await addFiles(source.store, folders, archive)) };
    await archive.add('summary.json', Buffer.from(JSON.stringify(summary)));
    await archive.seal();
    return summary;
  } catch (error) {
    await client.query('rollback').catch(() => undefined);
    throw error;
  }
}

export async function readMigrationNames(client: ClientBase): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>('select name from schema_migrations order by name');
  return rows.map(({ name }) => name);
}

async function addTable(
  client: ClientBase,
  table: TableList,
  position: number,
  archive: ArchiveWriter,
): Promise<number> {
  let part = 0;
  let rows = 0;
  for await (const bytes of readRows(client, table)) {
    for (let at = bytes.indexOf(0x0a); at >= 0; at = bytes.indexOf(0x0a, at + 1)) rows += 1;
    await archive.add(`tables/${position}/${part}`, bytes);
    part += 1;
  }
  return rows;
}

/** The storage folders of all documents and runs of the snapshot. */
async function listFolders(client: ClientBase): Promise<string[]> {
  const documents = await client.query<{ id: string; workspace_id: string; collection_id: string }>(
    'select id, workspace_id, collection_id from documents order by id',
  );
  const runs = await client.query<{ id: string; workspace_id: string }>(
    'select id, workspace_id from runs order by id',
  );
  return [
    ...documents.rows.map((row) => storageKeys.document(row.workspace_id, row.collection_id, row.id)),
    ...runs.rows.map((row) => storageKeys.run(row.workspace_id, row.id)),
  ];
}

async function addFiles(
  store: ObjectStore,
  folders: readonly string[],
  archive: ArchiveWriter,
): Promise<Omit<BackupSummary, 'rows'>> {
  const counts = { files: 0, fileBytes: 0, missing: 0 };
  for (const folder of folders) {
    let isMissing = true;
    for await (const { key, sizeBytes } of store.list(folder)) {
      // Undefined if it was deleted since it was listed.
      const content = await store.get(key);
      if (content === undefined) continue;
      isMissing = false;
      await archive.addStream(`objects/${key}`, sizeBytes, content);
      counts.files += 1;
      counts.fileBytes += sizeBytes;
    }
    if (isMissing) counts.missing += 1;
  }
  return counts;
}

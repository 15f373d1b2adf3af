/** Looks up the present states of changed resources. */
import type { Kysely } from 'kysely';
import type { Database } from '../../database/tables.ts';
import type { LoggedChange } from './change-log.ts';
import { connectorStates, syncStates } from './connector-states.ts';
import type { Change, CollectionState, DocumentState, RunState } from './types.ts';

/** Returns each change with the state of its resource; null for a row that names no collection although it has one. */
export async function withStates(
  database: Kysely<Database>,
  workspaceId: string,
  logged: readonly LoggedChange[],
): Promise<(Change | null)[]> {
  const idsOf = (kind: LoggedChange['kind']): string[] => logged.flatMap((each) => (each.kind === kind ? each.id : []));
  const [documents, runs, collections, connectors, syncs] = await Promise.all([
    documentStates(database, workspaceId, idsOf('document')),
    runStates(database, workspaceId, idsOf('run')),
    collectionStates(database, workspaceId, idsOf('collection')),
    connectorStates(database, workspaceId, idsOf('connector')),
    syncStates(database, workspaceId, idsOf('sync')),
  ]);
  return logged.map(({ kind, id, collectionId }): Change | null => {
    switch (kind) {
      case 'run':
        return { kind, id, collectionId: null, state: runs.get(id) ?? null };
      case 'connector':
        return { kind, id, collectionId: null, state: connectors.get(id) ?? null };
      case 'sync':
        return { kind, id, collectionId: null, state: syncs.get(id) ?? null };
      case 'document':
        return collectionId === null ? null : { kind, id, collectionId, state: documents.get(id) ?? null };
      case 'collection':
        return collectionId === null ? null : { kind, id, collectionId, state: collections.get(id) ?? null };
    }
  });
}

async function documentStates(
  database: Kysely<Database>,
  workspaceId: string,
  ids: readonly string[],
): Promise<Map<string, DocumentState>> {
  if (ids.length === 0) return new Map();
  const rows = await database
    .selectFrom('documents')
    .select(['id', 'status', 'stage', 'progress', 'deadline_at', 'revision'])
    .select(['searchable_revision', 'error_type', 'deleted_at'])
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', (eb) => eb.fn.any(eb.val([...ids])))
    .execute();
  return new Map(
    rows.map((row) => [
      row.id,
      {
        status: row.status,
        stage: row.stage,
        progress: row.progress,
        deadlineAt: row.deadline_at?.toISOString() ?? null,
        revision: row.revision,
        searchableRevision: row.searchable_revision,
        errorType: row.error_type,
        deleted: row.deleted_at !== null,
      },
    ]),
  );
}

async function runStates(
  database: Kysely<Database>,
  workspaceId: string,
  ids: readonly string[],
): Promise<Map<string, RunState>> {
  if (ids.length === 0) return new Map();
  const rows = await database
    .selectFrom('runs')
    .select(['id', 'status', 'progress', 'error_type'])
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', (eb) => eb.fn.any(eb.val([...ids])))
    .execute();
  return new Map(
    rows.map((row) => [row.id, { status: row.status, progress: row.progress, errorType: row.error_type }]),
  );
}

async function collectionStates(
  database: Kysely<Database>,
  workspaceId: string,
  ids: readonly string[],
): Promise<Map<string, CollectionState>> {
  if (ids.length === 0) return new Map();
  const rows = await database
    .selectFrom('collections')
    .select((eb) => [
      'id',
      'deleted_at',
      eb
        .exists(
          eb
            .selectFrom('collection_indexes')
            .select('collection_id')
            .whereRef('collection_id', '=', 'collections.id')
            .where('status', '=', 'building'),
        )
        .as('reindexing'),
    ])
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', (eb) => eb.fn.any(eb.val([...ids])))
    .execute();
  return new Map(
    rows.map(({ id, deleted_at: deletedAt, reindexing }) => [
      id,
      { deleted: deletedAt !== null, reindexing: Boolean(reindexing) },
    ]),
  );
}

/** The engine of connectors: killed at every point, sources that fail, moves, the brake, two replicas. */
import { CredentialsRefused, ItemFailed, ListingFailed, SourceUnavailable } from '@quire/connectors/connector-error';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { countsOf, Engine, Killed } from './connectors/engine.ts';

let engine: Engine;
beforeEach(async () => {
  engine = await Engine.start();
});
afterEach(async () => {
  expect(engine.errors.filter((error) => !(error instanceof Killed))).toEqual([]);
  await engine.stop();
});

const PATHS = ['a/1.txt', 'a/2.txt', 'a/b/3.txt', 'c/4.txt', 'c/5.txt', '6.txt', '7.txt'];

function fill(paths: readonly string[] = PATHS): void {
  for (const path of paths) engine.source.put(path, `content of ${path}`);
}

const numbered = (count: number, folder = 'many'): string[] =>
  Array.from({ length: count }, (_each, at) => `${folder}/${String(at).padStart(5, '0')}.txt`);

describe('resumption', () => {
  test('a synchronisation in steps of one transaction imports every file once', async () => {
    fill();
    engine.source.maxPageEntries = 2;
    await engine.connect();
    const sync = await engine.finish((await engine.begin()).id, 0);
    expect([sync.status, countsOf(sync)]).toEqual(['done', { listed: 7, added: 7 }]);
    expect(await engine.documents()).toEqual(PATHS.toSorted());
    expect(engine.source.fetches.toSorted()).toEqual(PATHS.toSorted());
  });

  test('killed before every page and every fetch, it loses and repeats nothing', async () => {
    fill();
    engine.source.maxPageEntries = 2;
    await engine.connect();
    const { id } = await engine.begin();
    const survived = new Set<string>();
    const dieOnce = (place: string): void => {
      if (survived.has(place)) return;
      survived.add(place);
      throw new Killed(place);
    };
    engine.source.beforePage = (page) => dieOnce(`page ${page}`);
    engine.source.beforeFetch = (path) => dieOnce(path);
    const sync = await engine.finish(id);
    expect([sync.status, countsOf(sync)]).toEqual(['done', { listed: 7, added: 7 }]);
    expect(survived.size).toBe(4 + 7);
    expect(await engine.documents()).toEqual(PATHS.toSorted());
  });

  test('a replica that continues late changes nothing', async () => {
    fill();
    await engine.connect();
    const { id } = await engine.begin();
    let release: () => void = () => undefined;
    const suspended = new Promise<void>((resolve) => (release = resolve));
    let reached: () => void = () => undefined;
    const fetching = new Promise<void>((resolve) => (reached = resolve));
    engine.source.beforeFetch = async () => {
      reached();
      await suspended;
    };
    const late = engine.slice(id);
    await fetching;
    engine.source.beforeFetch = () => undefined;
    const sync = await engine.finish(id);
    release();
    await late;
    expect([sync.status, countsOf(sync)]).toEqual(['done', { listed: 7, added: 7 }]);
    expect(countsOf(await engine.read(id))).toEqual({ listed: 7, added: 7 });
    expect(await engine.documents()).toEqual(PATHS.toSorted());
  });

  test('a crash of PostgreSQL that empties the listing starts it again and deletes nothing', async () => {
    fill();
    await engine.connect();
    await engine.run();
    const { id } = await engine.begin();
    await engine.slice(id, { sliceMs: 0 });
    expect((await engine.read(id)).phase).toBe('comparing');
    await engine.database.db.deleteFrom('connector_listing').execute();
    await engine.database.db.deleteFrom('connector_folders').execute();
    const sync = await engine.finish(id, 0);
    expect([sync.status, countsOf(sync)]).toEqual(['done', { listed: 7, unchanged: 7 }]);
    expect(await engine.documents()).toEqual(PATHS.toSorted());
  });
});

describe('a source that fails', () => {
  beforeEach(async () => {
    fill([...PATHS, ...numbered(13)]);
    engine.source.maxPageEntries = 3;
    await engine.connect();
    await engine.run();
    engine.source.fetches.length = 0;
  });

  test.each([
    ['does not answer', () => new SourceUnavailable('the source does not answer'), 'source_unavailable', 'failing'],
    ['lost its root', () => new ListingFailed('', 'the folder does not exist'), 'listing_failed', 'failing'],
    ['refuses the credentials', () => new CredentialsRefused('refused'), 'credentials_refused', 'needs_attention'],
  ])('in the middle of the listing because it %s deletes nothing', async (_case, error, type, condition) => {
    engine.source.files.clear();
    fill(['a/1.txt']);
    const before = await engine.documents();
    const { pages } = engine.source;
    engine.source.beforePage = (page) => {
      if (page > pages) throw error();
    };
    fill(PATHS);
    const sync = await engine.run();
    expect([sync.status, sync.error_type, sync.deleted]).toEqual(['failed', type, 0]);
    expect(await engine.documents()).toEqual(before);
    const { record } = await engine.connectors.get(engine.workspaceId, engine.connectorId);
    expect(record.condition).toBe(condition);
  });

  test('in one folder spares that folder, and deletes elsewhere', async () => {
    engine.source.files.delete('a/1.txt');
    engine.source.files.delete('c/4.txt');
    engine.source.fault = { kind: 'folder', folder: 'a' };
    const sync = await engine.run();
    expect([sync.status, sync.error_type]).toEqual(['done_with_errors', 'listing_failed']);
    expect(countsOf(sync)).toEqual({ listed: 16, unchanged: 16, deleted: 1 });
    expect(await engine.documents()).toEqual(
      [...PATHS, ...numbered(13)].filter((path) => path !== 'c/4.txt').toSorted(),
    );
  });

  test('at 30 % of the downloads is healed by the next synchronisation', async () => {
    const paths = [...PATHS, ...numbered(13)];
    fill(paths);
    for (const path of paths) engine.source.put(path, `changed ${path}`);
    const failing = new Set(paths.filter((_path, at) => at % 10 < 3));
    engine.source.beforeFetch = (path) => {
      if (failing.has(path)) throw new ItemFailed(path, 'network', 'the connection ended');
    };
    const first = await engine.run();
    expect([first.status, countsOf(first)]).toEqual(['done_with_errors', { listed: 20, updated: 14, failed: 6 }]);
    engine.source.beforeFetch = () => undefined;
    engine.source.fetches.length = 0;
    const second = await engine.run();
    expect([second.status, countsOf(second)]).toEqual(['done', { listed: 20, updated: 6, unchanged: 14 }]);
    expect(engine.source.fetches.toSorted()).toEqual([...failing].toSorted());
  });

  test('at every download fails the synchronisation and deletes nothing', async () => {
    engine.source.put('new.txt', 'new');
    engine.source.files.delete('6.txt');
    engine.source.beforeFetch = () => {
      throw new SourceUnavailable('the source does not answer');
    };
    const sync = await engine.run();
    expect([sync.status, sync.error_type, sync.deleted]).toEqual(['failed', 'source_unavailable', 0]);
    expect(await engine.documents()).toContain('6.txt');
  });
});

describe('a source that is down', () => {
  const down = (): never => {
    throw new SourceUnavailable('files.example.com cannot be reached (ECONNREFUSED)');
  };
  const shown = async (id: string): Promise<unknown[]> => {
    const { status, attempts, error_type: type, error_message: message, next_try_at: next } = await engine.read(id);
    return [status, attempts, type, message, next === null ? null : next.getTime() - engine.clock];
  };
  const delays = { sourceDelayMs: (failures: number) => 5_000 * failures };

  test('shows the reason and the time of the next try at once, and neither after it answered', async () => {
    fill();
    engine.source.maxPageEntries = 2;
    await engine.connect();
    const { id } = await engine.begin();
    engine.source.beforePage = down;
    const message = 'files.example.com cannot be reached (ECONNREFUSED)';
    await engine.slice(id, delays);
    expect(await shown(id)).toEqual(['running', 1, 'source_unavailable', message, 5_000]);
    await engine.slice(id, delays);
    expect(await shown(id)).toEqual(['running', 2, 'source_unavailable', message, 10_000]);
    engine.source.beforePage = () => undefined;
    await engine.slice(id, { sliceMs: 0 });
    expect(await shown(id)).toEqual(['running', 0, null, null, null]);
    expect((await engine.finish(id)).status).toBe('done');
  });

  test('fails the synchronisation after six tries, with the last reason', async () => {
    await engine.connect();
    engine.source.beforePage = down;
    const sync = await engine.run();
    expect([sync.status, sync.error_type, sync.next_try_at]).toEqual(['failed', 'source_unavailable', null]);
    expect(sync.error_message).toBe('files.example.com cannot be reached (ECONNREFUSED)');
  });

  test('during the fetches fails after six tries as well, however many files are left', async () => {
    fill(numbered(100));
    await engine.connect();
    const { id } = await engine.begin();
    let tries = 0;
    engine.source.beforeFetch = () => {
      tries += 1;
      if (tries > 10) down();
    };
    await engine.slice(id, delays);
    expect((await shown(id)).slice(0, 3)).toEqual(['running', 1, 'source_unavailable']);
    const sync = await engine.finish(id);
    expect([sync.status, sync.error_type, sync.added]).toEqual(['failed', 'source_unavailable', 10]);
    expect(tries).toBeLessThan(200);
    engine.source.beforeFetch = () => undefined;
    expect(countsOf(await engine.run())).toEqual({ listed: 100, added: 90, unchanged: 10 });
  });

  test('for one file shows that the file is tried again', async () => {
    fill();
    await engine.connect();
    const { id } = await engine.begin();
    engine.source.beforeFetch = (path) => {
      if (path === 'c/4.txt') throw new ItemFailed(path, 'network', 'the connection ended');
    };
    engine.clock = Date.now();
    await engine.slice(id, { retryDelayMs: () => 3_600_000 });
    const message = '1 file could not be fetched and is tried again: the connection ended';
    const { status, added, error_type: type, error_message: text, next_try_at: next } = await engine.read(id);
    expect([status, added, type, text]).toEqual(['running', 6, 'items_failed', message]);
    expect(next).toEqual((await engine.items()).find(({ path }) => path === 'c/4.txt')?.next_attempt_at);
  });
});

describe('the brake', () => {
  beforeEach(async () => {
    fill(numbered(20));
    await engine.connect();
    await engine.run();
  });

  test('holds the deletions of an empty source, and the approval carries out exactly those', async () => {
    engine.source.files.clear();
    const held = await engine.run();
    expect([held.status, held.error_type, held.deleted, held.changes.length]).toEqual(['held', 'held', 0, 20]);
    expect((await engine.documents()).length).toBe(20);
    engine.source.put('late.txt', 'late');
    await engine.syncs.approve(engine.workspaceId, engine.connectorId, held.id);
    const approved = await engine.finish(held.id);
    expect([approved.status, approved.deleted]).toEqual(['done', 20]);
    expect(await engine.documents()).toEqual([]);
  });

  test('lets a share up to the limit go, holds more, and a later synchronisation replaces the held one', async () => {
    for (const path of numbered(4)) engine.source.files.delete(path);
    expect(countsOf(await engine.run())).toEqual({ listed: 16, unchanged: 16, deleted: 4 });
    for (const path of numbered(8)) engine.source.files.delete(path);
    engine.source.put('new.txt', 'new');
    const held = await engine.run();
    expect([held.status, countsOf(held)]).toEqual(['held', { listed: 13, added: 1, unchanged: 12 }]);
    fill(numbered(8));
    const next = await engine.run();
    expect([next.status, next.deleted]).toEqual(['done', 0]);
    await expect(engine.syncs.approve(engine.workspaceId, engine.connectorId, held.id)).rejects.toThrow(/later/);
  });

  test('a moved folder is no deletion: every document keeps its id, by the id of the source or by the content', async () => {
    const before = new Map((await engine.items()).map(({ sha256, document_id: id }) => [sha256, id]));
    for (const path of numbered(10)) engine.source.move(path, path.replace('many/', 'moved/'));
    for (const path of numbered(20).slice(10)) {
      engine.source.files.delete(path);
      engine.source.put(path.replace('many/', 'other/'), `content of ${path}`);
    }
    const { pages } = engine.source;
    expect(pages).toBe(1);
    const sync = await engine.run();
    expect([sync.status, countsOf(sync)]).toEqual(['done', { listed: 20, updated: 20 }]);
    const after = await engine.items();
    expect(after.map(({ sha256, document_id: id }) => [sha256, id]).toSorted()).toEqual([...before].toSorted());
    expect(await engine.documents()).toEqual([...numbered(10, 'moved'), ...numbered(20, 'other').slice(10)]);
    const revisions = await engine.database.db.selectFrom('documents').select('revision').distinct().execute();
    expect(revisions).toEqual([{ revision: 1 }]);
  });
});

describe('concurrency', () => {
  test('one synchronisation runs at a time, also when two replicas find the schedule due', async () => {
    fill();
    await engine.connect({ schedule: '0 * * * *' });
    engine.clock += 3_600_000;
    const started = await Promise.all([engine.maintenance.run(), engine.maintenance.run()]);
    expect(started.toSorted()).toEqual([0, 1]);
    await expect(engine.begin()).rejects.toMatchObject({ status: 409, details: [{ type: 'conflict' }] });
  });

  test('missed times collapse into one synchronisation, and a paused connector has none', async () => {
    fill();
    await engine.connect({ schedule: '0 * * * *' });
    engine.clock += 50 * 3_600_000 + 60_000;
    expect([await engine.maintenance.run(), await engine.maintenance.run()]).toEqual([1, 0]);
    const { id, trigger } = await engine.running();
    expect([trigger, (await engine.finish(id)).status]).toEqual(['schedule', 'done']);
    const { record } = await engine.connectors.get(engine.workspaceId, engine.connectorId);
    expect(record.next_sync_at).toEqual(new Date('2026-03-04T03:00:00Z'));
    await engine.connectors.update(engine.workspaceId, engine.connectorId, { paused: true });
    engine.clock += 50 * 3_600_000;
    expect(await engine.maintenance.run()).toBe(0);
  });

  test('a collection that is deleted in the middle ends the synchronisation', async () => {
    fill();
    await engine.connect();
    const { id } = await engine.begin();
    engine.source.beforeFetch = async () => {
      await engine.database.db.updateTable('collections').set({ deleted_at: new Date() }).execute();
    };
    const sync = await engine.finish(id);
    expect(sync.status).toBe('failed');
    expect(sync.error_type).toBe('collection_deleted');
    expect(await engine.documents()).toEqual([]);
  });

  test('a document that a user deletes stays deleted until its file changes', async () => {
    fill();
    await engine.connect();
    await engine.run();
    await engine.database.db
      .updateTable('documents')
      .set({ deleted_at: new Date() })
      .where('name', '=', '6.txt')
      .execute();
    expect(countsOf(await engine.run())).toEqual({ listed: 7, unchanged: 7 });
    engine.source.put('6.txt', 'changed');
    expect(countsOf(await engine.run())).toEqual({ listed: 7, added: 1, unchanged: 6 });
    expect(await engine.documents()).toEqual(PATHS.toSorted());
  });

  test('a connector that is deleted in the middle stops its synchronisation', async () => {
    fill();
    await engine.connect();
    const { id } = await engine.begin();
    engine.source.beforeFetch = async () => {
      engine.source.beforeFetch = () => undefined;
      await engine.connectors.remove(engine.workspaceId, engine.connectorId, { documents: 'keep', purge: false });
    };
    await engine.slice(id, { concurrency: () => 1 });
    expect((await engine.read(id)).status).toBe('cancelled');
    expect(await engine.documents()).toEqual([]);
  });

  test('without progress a synchronisation is queued again, and fails after a day', async () => {
    fill();
    await engine.connect();
    const { id } = await engine.begin();
    await engine.database.pool.query('delete from graphile_worker._private_jobs');
    engine.clock = Date.now() + 2 * 60_000;
    expect(await engine.maintenance.run()).toBe(1);
    engine.clock = Date.now() + 25 * 3_600_000;
    await engine.maintenance.run();
    const sync = await engine.read(id);
    expect([sync.status, sync.error_type]).toEqual(['failed', 'timeout']);
  });
});

test('permissions are metadata, and a change of them alone fetches nothing', async () => {
  fill(['a/1.txt']);
  engine.source.describe = (entry) => ({ ...entry, permissions: ['group:staff'] });
  await engine.connect();
  await engine.run();
  engine.source.describe = (entry) => ({ ...entry, permissions: ['user:ada@example.com', 'group:staff'] });
  engine.source.fetches.length = 0;
  expect(countsOf(await engine.run())).toEqual({ listed: 1, updated: 1 });
  expect(engine.source.fetches).toEqual([]);
  const document = await engine.database.db.selectFrom('documents').selectAll().executeTakeFirstOrThrow();
  expect([document.revision, document.metadata['source']]).toEqual([
    1,
    {
      connectorId: engine.connectorId,
      path: 'a/1.txt',
      url: null,
      modifiedAt: null,
      permissions: ['user:ada@example.com', 'group:staff'],
    },
  ]);
});

test('a dry run names every change with its reason and changes nothing', async () => {
  fill(['keep.txt', 'gone.txt', 'change.txt']);
  await engine.connect({ exclude: ['drafts/**'] });
  await engine.run();
  engine.source.files.delete('gone.txt');
  engine.source.put('change.txt', 'changed');
  fill(['drafts/new.txt', 'new.txt', 'program.exe']);
  const before = await engine.items();
  engine.source.fetches.length = 0;
  const sync = await engine.run({ dryRun: true });
  expect([sync.status, countsOf(sync)]).toEqual([
    'done',
    { listed: 5, added: 1, updated: 1, unchanged: 1, skipped: 2, deleted: 1 },
  ]);
  expect(sync.changes.toSorted((one, other) => (one.path < other.path ? -1 : 1))).toEqual([
    { path: 'change.txt', change: 'update', reason: null },
    { path: 'drafts/new.txt', change: 'skip', reason: 'A pattern of `exclude` matches the path' },
    { path: 'gone.txt', change: 'delete', reason: 'The source does not contain the file any more' },
    { path: 'new.txt', change: 'add', reason: null },
    { path: 'program.exe', change: 'skip', reason: 'Files of this type are not supported' },
  ]);
  expect([await engine.items(), engine.source.fetches]).toEqual([before, []]);
});

test('a change feed lists only changes, deletes what it names, and is replaced by a full listing after a day', async () => {
  fill(PATHS);
  engine.source.turn = (page) => ({ ...page, changeToken: 'token 1' });
  await engine.connect();
  await engine.run();
  const id = engine.source.files.get('6.txt')!.id;
  engine.source.files.clear();
  engine.source.put('8.txt', 'new');
  engine.source.turn = (page) => ({ ...page, completeFolders: [], removed: [{ id }], changeToken: 'token 2' });
  const changes = await engine.run();
  expect([changes.changes_since, changes.status, countsOf(changes)]).toEqual([
    'token 1',
    'done',
    { listed: 1, added: 1, deleted: 1 },
  ]);
  expect(await engine.documents()).toEqual([...PATHS.filter((path) => path !== '6.txt'), '8.txt'].toSorted());
  engine.clock += 25 * 3_600_000;
  engine.source.turn = (page) => page;
  fill(PATHS);
  expect((await engine.run()).changes_since).toBe(null);
});

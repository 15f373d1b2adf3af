/** Listings that leave out files which exist: each is verified before its document is deleted. */
import { CredentialsRefused, ItemFailed, SourceUnavailable } from '@quire/connectors/connector-error';
import { sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { SyncRecord } from '../../src/database/tables.ts';
import { presentSync } from '../../src/domain/connectors/sync/sync-view.ts';
import { countsOf, Engine, Killed } from './engine.ts';

const FILES = 30;
/** Files that the listing leaves out; fewer than the brake holds back. */
const LEFT_OUT = ['files/03.txt', 'files/07.txt'];
const GONE = ['files/05.txt', 'files/11.txt', 'files/12.txt'];
const ALL = Array.from({ length: FILES }, (_each, at) => `files/${String(at).padStart(2, '0')}.txt`);
const REMAINING = ALL.filter((path) => !GONE.includes(path));

let engine: Engine;
beforeEach(async () => {
  engine = await Engine.start();
  for (const path of ALL) engine.source.put(path, `content of ${path}`);
  await engine.connect();
  await engine.run();
});
afterEach(async () => {
  expect(engine.errors.filter((error) => !(error instanceof Killed))).toEqual([]);
  await engine.stop();
});

function leaveOut(paths: readonly string[] = LEFT_OUT, gone: readonly string[] = GONE): void {
  for (const path of paths) engine.source.hidden.add(path);
  for (const path of gone) engine.source.files.delete(path);
}

/** Writes the rows that an earlier import of the files would have left. */
async function know(paths: readonly string[]): Promise<void> {
  const files = paths.map((path) => ({ path, version: engine.source.files.get(path)!.version }));
  await sql`
    insert into connector_items (connector_id, path, status, version, listed_version, document_id, synced_at)
    select ${engine.connectorId}, path, 'synced', version, version, gen_random_uuid(), now()
    from jsonb_to_recordset(${JSON.stringify(files)}::jsonb) as f(path text, version text)`.execute(engine.database.db);
}

const verificationOf = (sync: SyncRecord): unknown => presentSync(sync).verification;
const statuses = async (paths: readonly string[]): Promise<unknown[]> =>
  (await engine.items()).filter(({ path }) => paths.includes(path)).map(({ status }) => status);

describe('a file that the listing leaves out', () => {
  test('keeps its document while the source has it, and the result says so', async () => {
    leaveOut();
    const sync = await engine.run();
    expect([sync.status, countsOf(sync)]).toEqual(['done', { listed: 25, unchanged: 25, deleted: 3 }]);
    expect(verificationOf(sync)).toEqual({ checked: 5, present: 2, unknown: 0 });
    expect(presentSync(sync).warnings).toEqual([
      { type: 'files_left_out', message: 'The listing left out 2 files that exist; their documents stay' },
    ]);
    expect(await engine.documents()).toEqual(REMAINING);
    expect(await statuses(LEFT_OUT)).toEqual(['synced', 'synced']);
    expect(engine.source.asked.toSorted()).toEqual([...LEFT_OUT, ...GONE].toSorted());
    engine.source.hidden.clear();
    expect(countsOf(await engine.run())).toEqual({ listed: 27, unchanged: 27 });
  });

  test('keeps its document when a new file has the same content', async () => {
    leaveOut(LEFT_OUT, []);
    engine.source.put('copy.txt', `content of ${LEFT_OUT[0]}`);
    expect(countsOf(await engine.run())).toEqual({ listed: 29, added: 1, unchanged: 28 });
    expect(await engine.documents()).toEqual(['copy.txt', ...ALL]);
  });

  test('is not verified if its deletion was reported, or its id is at another path', async () => {
    const [removed = '', moved = '', suspected = '', outside = ''] = ALL;
    const idOf = (path: string): string => engine.source.files.get(path)!.id;
    const reports = [
      { id: idOf(removed) },
      { id: idOf(suspected), isInferred: true as const },
      { id: idOf(outside), isInferred: true as const },
    ];
    engine.source.files.delete(removed);
    engine.source.files.delete(outside);
    engine.source.hidden.add(suspected);
    // The file takes the path of another known one.
    engine.source.files.set(ALL[10]!, engine.source.files.get(moved)!);
    engine.source.files.delete(moved);
    engine.source.turn = (page) => ({ ...page, removed: reports });
    const sync = await engine.run();
    expect(engine.source.asked).toEqual([suspected, outside]);
    expect(verificationOf(sync)).toEqual({ checked: 2, present: 1, unknown: 0 });
    expect(await engine.documents()).toEqual(ALL.filter((path) => ![removed, moved, outside].includes(path)));
  });

  test('is not verified if deletions are kept', async () => {
    await engine.connectors.update(engine.workspaceId, engine.connectorId, { deletions: 'keep' });
    leaveOut();
    expect([countsOf(await engine.run()), countsOf(await engine.run({ dryRun: true }))]).toEqual([
      { listed: 25, unchanged: 25 },
      { listed: 25, unchanged: 25 },
    ]);
    expect(engine.source.asked).toEqual([]);
  });
});

describe('a source that does not answer for a file', () => {
  test('keeps its document, and the next synchronisation verifies it again', async () => {
    leaveOut([]);
    const [refused, silent] = GONE;
    engine.source.beforeAnswer = ({ path }) => {
      if (path === refused) throw new ItemFailed(path, 'permission', 'reading is not allowed');
      if (path === silent) throw new SourceUnavailable('the server ended the connection');
    };
    const sync = await engine.run();
    expect([sync.status, sync.error_type, sync.deleted]).toEqual(['done_with_errors', 'deletions_unconfirmed', 1]);
    expect(sync.error_message).toBe('The source did not say whether 2 missing files exist; they stay');
    expect(verificationOf(sync)).toEqual({ checked: 3, present: 0, unknown: 2 });
    expect(await statuses(GONE.slice(0, 2))).toEqual(['synced', 'synced']);
    engine.source.beforeAnswer = () => undefined;
    const next = await engine.run();
    expect([next.status, next.deleted]).toEqual(['done', 2]);
  });

  test.each([
    ['is down', () => new SourceUnavailable('the source does not answer'), 'source_unavailable', 'failing'],
    ['refuses the credentials', () => new CredentialsRefused('refused'), 'credentials_refused', 'needs_attention'],
  ])('for any because it %s: the synchronisation fails and deletes nothing', async (_case, error, type, condition) => {
    await engine.connectors.update(engine.workspaceId, engine.connectorId, { maxDeletionShare: 1 });
    leaveOut([], ALL.slice(0, 25));
    engine.source.beforeAnswer = () => {
      throw error();
    };
    const sync = await engine.run();
    expect([sync.status, sync.error_type, sync.deleted]).toEqual(['failed', type, 0]);
    expect(await engine.documents()).toEqual(ALL);
    const { record } = await engine.connectors.get(engine.workspaceId, engine.connectorId);
    expect(record.condition).toBe(condition);
  });

  test('is called again after the delay that it names, and no answer is requested twice', async () => {
    leaveOut([]);
    engine.source.beforeAnswer = ({ path }) => {
      if (path === GONE[1]) throw new SourceUnavailable('too many requests', 30_000);
    };
    const { id } = await engine.begin();
    await engine.slice(id, { concurrency: () => 1 });
    const waiting = await engine.read(id);
    expect([waiting.status, waiting.phase, waiting.deleted]).toEqual(['running', 'deleting', 1]);
    expect((waiting.next_try_at?.getTime() ?? 0) - engine.clock).toBe(30_000);
    engine.source.beforeAnswer = () => undefined;
    expect((await engine.finish(id)).deleted).toBe(3);
    expect(engine.source.asked).toEqual(GONE);
  });
});

describe('the requests for single files', () => {
  test('come after the brake: an approval verifies each file, and deletes only those that are gone', async () => {
    const gone = ALL.slice(0, 8);
    const hidden = ALL.slice(8, 16);
    leaveOut(hidden, gone);
    const held = await engine.run();
    expect([held.status, held.to_delete, engine.source.asked]).toEqual(['held', 16, []]);
    await engine.syncs.approve(engine.workspaceId, engine.connectorId, held.id);
    const approved = await engine.finish(held.id);
    expect([approved.status, approved.deleted, verificationOf(approved)]).toEqual([
      'done',
      8,
      { checked: 16, present: 8, unknown: 0 },
    ]);
    expect(await engine.documents()).toEqual(ALL.slice(8));
  });

  test('survive a kill before each of them, and repeat none that was stored', async () => {
    leaveOut();
    const died = new Set<string>();
    engine.source.beforeAnswer = ({ path }) => {
      if (died.has(path)) return;
      died.add(path);
      throw new Killed(path);
    };
    const { id } = await engine.begin();
    const sync = await engine.finish(id, 0);
    expect([sync.status, countsOf(sync), verificationOf(sync)]).toEqual([
      'done',
      { listed: 25, unchanged: 25, deleted: 3 },
      { checked: 5, present: 2, unknown: 0 },
    ]);
    expect([died.size, await engine.documents()]).toEqual([5, REMAINING]);
  });

  test('are bounded: at most four at the same time, stored 100 at a time, none twice', async () => {
    const many = Array.from({ length: 1000 }, (_each, at) => `many/${String(at).padStart(4, '0')}.txt`);
    for (const path of many) engine.source.put(path, `content of ${path}`);
    await know(many);
    leaveOut([], many.slice(0, 200));
    let [inFlight, most, answered] = [0, 0, 0];
    engine.source.beforeAnswer = async () => {
      inFlight += 1;
      most = Math.max(most, inFlight);
      await new Promise((resolve) => setImmediate(resolve));
      inFlight -= 1;
      answered += 1;
      if (answered === 150) throw new Killed('after 150 answers');
    };
    const sync = await engine.run();
    expect([sync.status, sync.deleted, most]).toEqual(['done', 200, 4]);
    expect(engine.source.asked.length).toBeLessThanOrEqual(200 + 100);
    expect(engine.source.asked.slice(0, 100)).toEqual(many.slice(0, 100));
  });
});

describe('a dry run', () => {
  const shown = (sync: SyncRecord): unknown[] => [sync.status, countsOf(sync), verificationOf(sync), sync.changes];
  const expected = [
    'done',
    { listed: 25, unchanged: 25, deleted: 3 },
    { checked: 5, present: 2, unknown: 0 },
    GONE.map((path) => ({ path, change: 'delete', reason: 'The source does not contain the file any more' })),
  ];

  test('verifies as well, shows the same, and changes nothing', async () => {
    leaveOut();
    const before = await engine.items();
    const dry = await engine.run({ dryRun: true });
    expect(shown(dry)).toEqual(expected);
    expect(await engine.items()).toEqual(before);
    const real = await engine.run();
    expect([real.status, countsOf(real), verificationOf(real)]).toEqual(expected.slice(0, 3));
  });

  test('continues after a kill and after a crash of PostgreSQL', async () => {
    leaveOut();
    const died = new Set<string>();
    engine.source.beforeAnswer = async ({ path }) => {
      if (died.has(path)) return;
      died.add(path);
      if (path === GONE[1]) {
        await engine.database.db.deleteFrom('connector_listing').execute();
        await engine.database.db.deleteFrom('connector_folders').execute();
      }
      throw new Killed(path);
    };
    const { id } = await engine.begin({ dryRun: true });
    expect(shown(await engine.finish(id, 0))).toEqual(expected);
  });

  test('verifies nothing that the brake would hold back', async () => {
    leaveOut(ALL.slice(0, 10), []);
    const dry = await engine.run({ dryRun: true });
    expect([dry.deleted, engine.source.asked]).toEqual([10, []]);
  });
});

test('warnings of a listing are in the result, one of each type', async () => {
  engine.source.maxPageEntries = 10;
  engine.source.turn = (page) => ({
    ...page,
    warnings: [{ type: 'unordered_listing', message: `page ${engine.source.pages}` }],
  });
  engine.source.pages = 0;
  const { warnings } = presentSync(await engine.run());
  expect(warnings).toEqual([{ type: 'unordered_listing', message: 'page 1' }]);
});

// large: starts servers of every kind
// root: starts pure-ftpd
/** Each kind through the engine while its source fails: nothing is deleted, and the next synchronisation heals. */
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { findProgram } from '@quire/connectors/testing/programs';
import { startPureFtpd } from '@quire/connectors/testing/servers/ftp-servers';
import { sql } from 'kysely';
import { expect, onTestFinished, test } from 'vitest';
import { countsOf, Engine } from './engine.ts';
import { KINDS_OF_SOURCES, SETUPS, testsKind } from './kind-sources.ts';
import { WatchedKinds } from './watched-kinds.ts';

const FILES = 20;

const fileAt = (at: number): string => `folder ${at % 4}/file ${String(at).padStart(2, '0')}.txt`;

test.each(SETUPS.filter(({ missing }) => missing === null))(
  '$name: cut downloads heal, an unchanged source is not downloaded, and a stopped one deletes nothing',
  async ({ start, hasFeed = false, deletesLate = false }) => {
    const source = await start();
    let isOpen = true;
    const close = async (): Promise<void> => {
      if (isOpen) await source.close();
      isOpen = false;
    };
    onTestFinished(close);
    for (let at = 0; at < FILES; at += 1) await source.write(fileAt(at), Buffer.from(`The report ${at}.`));
    const watched = new WatchedKinds(KINDS_OF_SOURCES);
    const engine = await Engine.start({}, watched.kinds);
    onTestFinished(() => engine.stop());
    await engine.connect({ kind: source.kind, config: source.config });
    // The start page of a site is listed as well.
    const pages = deletesLate ? 1 : 0;
    const listed = FILES + pages;

    const paths = (await engine.run({ dryRun: true })).changes.map((change) => change.path);
    watched.cut = new Set(paths.filter((each) => /file(?: |%20)\d[0-2]\.txt$/.test(each)));
    expect([paths.length, watched.cut.size]).toEqual([listed, 6]);
    const first = await engine.run();
    expect([first.status, countsOf(first)]).toEqual(['done_with_errors', { listed, added: listed - 6, failed: 6 }]);

    const cut = [...watched.cut].toSorted();
    watched.cut = new Set();
    watched.fetches.length = 0;
    const healed = await engine.run();
    const others = hasFeed ? {} : { listed, unchanged: listed - 6 };
    expect([healed.status, countsOf(healed)]).toEqual(['done', { ...others, added: 6 }]);
    expect(watched.fetches.toSorted()).toEqual(cut);
    expect((await engine.documents()).length).toBe(listed);

    watched.fetches.length = 0;
    expect(countsOf(await engine.run())).toEqual(hasFeed ? {} : { listed, unchanged: listed });
    expect(watched.fetches).toEqual([]);

    for (const at of [0, 1, 2]) await source.remove(fileAt(at));
    watched.maxPageEntries = 4;
    const { id } = await engine.begin({ full: true });
    await engine.slice(id, { sliceMs: 0 });
    const half = await engine.read(id);
    expect([half.phase, half.listed > 0 && half.listed < listed]).toEqual(['listing', true]);
    await close();
    await engine.slice(id);
    const waiting = await engine.read(id);
    const next = { status: 'running', error_type: 'source_unavailable', next_try_at: new Date(engine.clock) };
    expect(waiting).toMatchObject({ ...next, attempts: 1 });
    expect(waiting.error_message).toMatch(/./);
    const stopped = await engine.finish(id);
    expect([stopped.status, stopped.error_type, stopped.deleted]).toEqual(['failed', 'source_unavailable', 0]);
    expect((await engine.documents()).length).toBe(listed);
    expect(engine.errors).toEqual([]);
  },
);

const isRoot = process.getuid?.() === 0;
const [pureFtpd, purePw] = ['pure-ftpd', 'pure-pw'].map((name) => (isRoot ? findProgram(name) : null));

test.skipIf(!pureFtpd || !purePw || !testsKind('ftp'))(
  'pure-ftpd (skipped without it or without root) cuts a list of 12,000 files at 10,000: none is deleted or fetched',
  async () => {
    const server = await startPureFtpd(pureFtpd ?? '', purePw ?? '');
    onTestFinished(() => server.stop());
    await mkdir(path.join(server.root, 'many'));
    for (let at = 0; at < 12_000; at += 1) await writeFile(path.join(server.root, 'many', `${at}.txt`), '');
    await writeFile(path.join(server.root, 'few.txt'), 'few');
    const watched = new WatchedKinds(KINDS_OF_SOURCES);
    const engine = await Engine.start({}, watched.kinds);
    onTestFinished(() => engine.stop());
    const address = { host: '127.0.0.1', port: server.port, allowPlaintext: true };
    await engine.connect({ kind: 'ftp', config: { ...server.config, protocol: 'ftp', ...address } });
    await sql`
      insert into connector_items (connector_id, path, status, version, listed_version, sha256, document_id, synced_at)
      select ${engine.connectorId}, 'many/' || at || '.txt', 'synced', 'v', 'v', md5(at::text), gen_random_uuid(), now()
      from generate_series(0, 11999) as at`.execute(engine.database.db);
    const sync = await engine.run();
    expect([sync.status, sync.error_type, countsOf(sync), sync.failed_folders]).toEqual([
      'done_with_errors',
      'listing_failed',
      { listed: 1, added: 1 },
      1,
    ]);
    expect(watched.fetches).toEqual(['few.txt']);
    const { rows } = await sql<{ status: string; todo: string | null; items: number }>`
      select status, todo, count(*)::int as items from connector_items group by status, todo`.execute(
      engine.database.db,
    );
    expect(rows).toEqual([{ status: 'synced', todo: null, items: 12_001 }]);
  },
);

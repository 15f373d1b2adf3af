// large: takes minutes and needs QUIRE_MANY_OBJECTS
/**
 * A source of many objects through the engine, whose process is killed ten times. Runs only with QUIRE_MANY_OBJECTS,
 * the number of objects: `npm run connector-scale`.
 */
import { sql } from 'kysely';
import { expect, onTestFinished, test } from 'vitest';
import type { SyncRecord } from '../../src/database/tables.ts';
import { spawnProcess } from '../processes/spawn.ts';
import { countsOf, Engine } from './engine.ts';
import { CHANGED_EACH, GENERATED_KINDS } from './many-source.ts';

const OBJECTS = Number(process.env['QUIRE_MANY_OBJECTS'] ?? 0);
const KILLS = 10;
/** Limit of the growth of memory during a synchronisation after its first 20,000 objects, in bytes. */
const MAX_GROWTH_BYTES = 50_000_000;
const POLL_MS = 20;

interface Measured {
  /** Resident memory at the start, after the first 20,000 objects, and at most. */
  startBytes: number;
  warmBytes: number;
  peakBytes: number;
  cpuMs: number;
  ms: number;
}

/** Runs a process until the synchronisation has reached a place, and kills it. */
async function runUntil(engine: Engine, syncId: string, isReached: (sync: SyncRecord) => boolean): Promise<SyncRecord> {
  const worker = spawnProcess('sync-worker', syncId, ...engine.place);
  await worker.nextLine();
  let sync = await engine.read(syncId);
  while (sync.status === 'running' && !isReached(sync)) {
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
    sync = await engine.read(syncId);
  }
  await worker.kill();
  return sync;
}

/** Runs a process to its end and returns what it measured. */
async function runToEnd(engine: Engine, syncId: string): Promise<Measured> {
  const worker = spawnProcess('sync-worker', syncId, ...engine.place);
  await worker.nextLine();
  return JSON.parse(await worker.nextLine()) as Measured;
}

const megabytes = (bytes: number): string => `${(bytes / 1e6).toFixed(1)} MB`;

/** Makes all objects known that are not new, as after an earlier synchronisation. */
async function makeKnown({ database, connectorId }: Engine): Promise<number> {
  const { numAffectedRows } = await sql`
    insert into connector_items (connector_id, path, status, version, listed_version, sha256, document_id, synced_at)
    select ${connectorId}, 'folder ' || lpad((at / 1000)::text, 5, '0') || '/object ' || lpad(at::text, 9, '0') || '.txt',
      'synced', md5(at::text), md5(at::text), md5(at::text), gen_random_uuid(), now()
    from generate_series(0, ${OBJECTS - 1}::int) as at where at % ${CHANGED_EACH}::int <> 0`.execute(database.db);
  await sql`analyze connector_items`.execute(database.db);
  return Number(numAffectedRows ?? 0n);
}

/** Eight places in the listing, one in the comparison and one between fetches. */
const PLACES: readonly ((sync: SyncRecord) => boolean)[] = [
  ...Array.from(
    { length: KILLS - 2 },
    (_each, at) =>
      ({ listed }: SyncRecord) =>
        listed > (OBJECTS / 9) * (at + 1),
  ),
  ({ unchanged }) => unchanged > 0,
  ({ fetched }) => fetched > 0,
];

test.skipIf(OBJECTS === 0)(
  `a synchronisation of ${OBJECTS} objects that is killed ten times loses and repeats nothing`,
  async () => {
    const engine = await Engine.start({}, GENERATED_KINDS);
    onTestFinished(() => engine.stop());
    const changed = OBJECTS / CHANGED_EACH;
    const listed = OBJECTS - changed;
    await engine.connect({ config: { count: OBJECTS } });
    expect(await makeKnown(engine)).toBe(listed);
    const { id } = await engine.begin();
    const kills: string[] = [];
    const startedMs = performance.now();
    for (const isReached of PLACES) {
      const { phase, listed: soFar, fetched } = await runUntil(engine, id, isReached);
      kills.push(`${phase} ${soFar} ${fetched}`);
    }
    await runToEnd(engine, id);
    const sync = await engine.read(id);
    const seconds = Math.round((performance.now() - startedMs) / 1000);
    expect([sync.status, countsOf(sync)]).toEqual([
      'done',
      { listed, added: changed, unchanged: listed - changed, deleted: changed },
    ]);
    const { rows } = await sql<{ status: string; items: number; documents: number }>`
      select status, count(*)::int as items, count(distinct document_id)::int as documents from connector_items
      where connector_id = ${engine.connectorId} group by status order by status`.execute(engine.database.db);
    expect(rows).toEqual([
      { status: 'deleted', items: changed, documents: changed },
      { status: 'synced', items: listed, documents: listed },
    ]);
    expect((await engine.documents()).length).toBe(changed);

    // The next one is not killed and shows what an unchanged source costs.
    const next = await engine.begin();
    const { startBytes, warmBytes, peakBytes, cpuMs, ms } = await runToEnd(engine, next.id);
    const unchanged = await engine.read(next.id);
    expect(countsOf(unchanged)).toEqual({ listed, unchanged: listed });
    console.log(
      `${OBJECTS} objects, killed at: ${kills.join(', ')}; ${seconds} s. Unchanged: ${ms} ms, CPU of the process ` +
        `${cpuMs} ms, memory ${megabytes(startBytes)} at the start, ${megabytes(warmBytes)} after 20,000 objects, ` +
        `${megabytes(peakBytes)} at most`,
    );
    expect(peakBytes - warmBytes).toBeLessThan(MAX_GROWTH_BYTES);
  },
);

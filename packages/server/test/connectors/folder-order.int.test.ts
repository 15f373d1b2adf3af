// large: starts SeaweedFS
/** Buckets whose listing is in the order of folders: nothing is skipped, and nothing that exists is deleted. */
import { findProgram } from '@quire/connectors/testing/programs';
import { BUCKET, KEYS, startS3Server } from '@quire/connectors/testing/s3-server';
import { seaweedStore } from '@quire/connectors/testing/servers/object-stores';
import { expect, onTestFinished, test } from 'vitest';
import { presentSync } from '../../src/domain/connectors/sync/sync-view.ts';
import { countsOf, Engine } from './engine.ts';
import { KINDS_OF_SOURCES, testsKind } from './kind-sources.ts';
import { WatchedKinds } from './watched-kinds.ts';

/** `b` and `c` are objects and folders; `b-1.txt` follows `b/…` in the order of folders. */
const OBJECTS = ['a/1.txt', 'b', 'b-1.txt', 'b/1.txt', 'b/2.txt', 'b/d/3.txt', 'c', 'c/1.txt', 'c/2.txt'];

interface Bucket {
  port: number;
  put(key: string): Promise<void>;
  close(): Promise<void>;
}

async function wire(): Promise<Bucket> {
  const server = await startS3Server();
  Object.assign(server, { order: 'folders', tokens: 'keys' });
  const { port, close } = server;
  return { port, close, put: async (key) => server.write(key, Buffer.from(`content of ${key}`)) };
}

async function seaweed(program: string): Promise<Bucket> {
  const store = await seaweedStore(program);
  return { ...store, put: (key) => store.put(key, Buffer.from(`content of ${key}`)) };
}

const weed = findProgram('weed');
const SERVERS: [string, (() => Promise<Bucket>) | null][] = [
  ['object_storage', wire],
  ['object_storage on SeaweedFS', weed === null ? null : () => seaweed(weed)],
];

const started = SERVERS.flatMap(([name, start]) => (start === null ? [] : [{ name, start }]));

test.skipIf(!testsKind('object_storage')).each(started)(
  '$name: at any border of pages, every object is listed and keeps its document',
  async ({ start }) => {
    const bucket = await start();
    onTestFinished(() => bucket.close());
    for (const key of OBJECTS) await bucket.put(key);
    const watched = new WatchedKinds(KINDS_OF_SOURCES);
    const engine = await Engine.start({}, watched.kinds);
    onTestFinished(() => engine.stop());
    const config = { bucket: BUCKET, endpoint: `http://127.0.0.1:${bucket.port}`, ...KEYS };
    await engine.connect({ kind: 'object_storage', config });
    const listed = OBJECTS.length;
    expect(countsOf(await engine.run())).toMatchObject({ listed });
    const documents = await engine.documents();
    for (const size of [1, 2, 4, 5, 8, 9]) {
      watched.maxPageEntries = size;
      const sync = await engine.finish((await engine.begin()).id, 0);
      const { verification, warnings } = presentSync(sync);
      expect([size, sync.status, sync.listed, sync.deleted, verification.checked]).toEqual([
        size,
        'done',
        listed,
        0,
        0,
      ]);
      expect(warnings.map(({ type }) => type)).toContain('unordered_listing');
    }
    expect(await engine.documents()).toEqual(documents);
    expect(engine.errors).toEqual([]);
  },
);

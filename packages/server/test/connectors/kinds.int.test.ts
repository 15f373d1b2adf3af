/** Each kind through the whole service: from the record over synchronisations to documents that searches find. */
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { createCollection, createWorkspace, type AnyRecord, type TestWorkspace } from '../factories.ts';
import { startTestService, type TestService } from '../server.ts';
import { counts, type Item, type Sync } from './connector-requests.ts';
import { mintToken } from '../mint-token.ts';
import { steadyCall } from './steady-call.ts';
import { googleDrive, graph, KINDS_OF_SOURCES, SETUPS, testsKind, type KindSource } from './kind-sources.ts';

let service: TestService;
let workspace: TestWorkspace;

beforeAll(async () => {
  service = await startTestService({ QUIRE_ALLOW_PRIVATE_NETWORK: '127.0.0.0/8' }, undefined, {
    kinds: KINDS_OF_SOURCES,
  });
  workspace = await createWorkspace(service);
});
afterAll(() => service.stop());

const call = <T = AnyRecord>(method: string, url: string, json?: unknown): Promise<T> =>
  steadyCall<T>(service, method, `${workspace.url}${url}`, {
    key: workspace.admin,
    ...(json === undefined ? {} : { json }),
  });

class Imported {
  readonly #collectionId: string;
  readonly #connector: string;

  private constructor(collectionId: string, connector: string) {
    this.#collectionId = collectionId;
    this.#connector = connector;
  }

  static async from(name: string, { kind, config }: KindSource): Promise<Imported> {
    const collection = await createCollection(service, workspace, { name });
    const { id } = await call('POST', '/connectors', { collectionId: collection.id, name, kind, config });
    return new Imported(collection.id, `/connectors/${id}`);
  }

  get collectionUrl(): string {
    return `${workspace.url}/col/${this.#collectionId}`;
  }

  test(): Promise<{ ok: boolean; message: string; sample: string[] }> {
    return call('POST', `${this.#connector}/test`);
  }

  /** Synchronises, waits until all documents can be searched, and returns the counters. */
  async sync(query = ''): Promise<Record<string, number>> {
    const { id } = await call('POST', `${this.#connector}/sync${query}`);
    const sync = await call<Sync>('GET', `${this.#connector}/syncs/${id}?wait=60`);
    expect([sync.status, sync.error]).toEqual(['done', null]);
    for (const { id: documentId } of await this.#documents()) {
      const document = await call('GET', `/col/${this.#collectionId}/docs/${documentId}?wait=60`);
      expect([document['name'], document['status']]).toEqual([document['name'], 'ready']);
    }
    return sync.counts;
  }

  async #documents(): Promise<AnyRecord[]> {
    const { items } = await call<{ items: AnyRecord[] }>('GET', `/col/${this.#collectionId}/docs?limit=100`);
    return items.filter(({ name }) => !isStartPage(String(name)));
  }

  async idsByName(): Promise<Record<string, string>> {
    return Object.fromEntries((await this.#documents()).map(({ name, id }) => [String(name), id]));
  }

  /** Returns the names of the documents that have the word. */
  async namesWith(word: string): Promise<string[]> {
    const body = { query: word, mode: 'sparse' };
    const { hits } = await call<{ hits: AnyRecord[] }>('POST', `/col/${this.#collectionId}/search`, body);
    const ids = new Set(hits.map(({ documentId }) => documentId));
    const names = (await this.#documents()).filter(({ id }) => ids.has(id)).map(({ name }) => String(name));
    return names.toSorted();
  }

  async items(query: string): Promise<Item[]> {
    return (await call<{ items: Item[] }>('GET', `${this.#connector}/items${query}`)).items;
  }
}

/** The page that links to all others is a document of a site, and of no other kind. */
const isStartPage = (name: string): boolean => name.endsWith('.html');

const FILES = {
  'plain.txt': 'The walrus sleeps on the ice.',
  'deep/notes.txt': 'The heron waits in the reeds.',
  'deep/er/other.txt': 'The badger digs at night.',
  'ünï çödé.txt': 'The lynx hunts hares.',
};

test.each(SETUPS.filter(({ missing }) => missing !== null).map(({ name, missing }) => [name, missing]))(
  '%s is not tested here: %s',
  (_name, _reason) => undefined,
);

test.each(SETUPS.filter(({ missing }) => missing === null))(
  '$name: files are imported, found, replaced, moved, deleted and left alone',
  async ({ name, start, hasFeed = false, deletesLate = false }) => {
    const source = await start();
    onTestFinished(() => source.close());
    const write = (file: string, text: string) => source.write(file, Buffer.from(text));
    for (const [file, text] of Object.entries(FILES)) await write(file, text);
    const imported = await Imported.from(name, source);
    // The start page of a site is listed, and changes with its links.
    const pages = deletesLate ? 1 : 0;
    const tested = await imported.test();
    expect([tested.ok, tested.message, tested.sample.length]).toEqual([true, 'The source can be read', 4 + pages]);

    expect(await imported.sync()).toEqual(counts({ listed: 4 + pages, added: 4 + pages }));
    const before = await imported.idsByName();
    expect(Object.keys(before).toSorted()).toEqual(['notes.txt', 'other.txt', 'plain.txt', 'ünï çödé.txt']);
    expect(await imported.namesWith('walrus')).toEqual(['plain.txt']);
    expect(await imported.namesWith('heron')).toEqual(['notes.txt']);
    const unchanged = hasFeed ? {} : { listed: 4 + pages, unchanged: 4 + pages };
    expect(await imported.sync()).toEqual(counts(unchanged));

    await write('plain.txt', 'The ostrich runs over the plain, and no bird is faster.');
    await source.move('deep/notes.txt', 'moved/memo.txt');
    await source.remove('deep/er/other.txt');
    await write('new.txt', 'The otter swims on its back.');
    if (deletesLate) {
      expect(await imported.sync()).toEqual(counts({ listed: 7, added: 2, updated: 2, unchanged: 3 }));
      expect(await imported.sync()).toEqual(counts({ listed: 5, unchanged: 5, deleted: 2 }));
    } else {
      expect(await imported.sync()).toEqual(counts({ listed: 4, added: 1, updated: 2, unchanged: 1, deleted: 1 }));
    }
    const after = await imported.idsByName();
    expect(Object.keys(after).toSorted()).toEqual(['memo.txt', 'new.txt', 'plain.txt', 'ünï çödé.txt']);
    expect([after['plain.txt'], after['ünï çödé.txt']]).toEqual([before['plain.txt'], before['ünï çödé.txt']]);
    if (!deletesLate) expect(after['memo.txt']).toBe(before['notes.txt']);
    const found = await Promise.all(
      ['walrus', 'ostrich', 'badger', 'otter', 'heron'].map((word) => imported.namesWith(word)),
    );
    expect(found).toEqual([[], ['plain.txt'], [], ['new.txt'], ['memo.txt']]);
    const gone = await imported.items('?status=deleted');
    expect(gone.map(({ path }) => path.split('/').at(-1)).toSorted()).toEqual(
      deletesLate ? ['notes.txt', 'other.txt'] : ['other.txt'],
    );

    await write('new.txt', 'The otter swims on its back, and the kiwi does not fly.');
    const changed = hasFeed ? { listed: 1 } : { listed: 4 + pages, unchanged: 3 + pages };
    expect(await imported.sync()).toEqual(counts({ ...changed, updated: 1 }));
    expect(await imported.namesWith('kiwi')).toEqual(['new.txt']);
  },
);

test.skipIf(!testsKind('cloud_drive')).each([
  ['google_drive', googleDrive],
  ['microsoft_graph', graph],
])(
  '%s: readers are metadata, by which a filter and a scoped token find only what a person may read',
  async (name, start) => {
    const source = await start();
    onTestFinished(() => source.close());
    await source.share('board.txt', ['ada@example.com', 'board@example.com']);
    await source.share('staff.txt', ['staff@example.com', 'ada@example.com']);
    const imported = await Imported.from(name, source);
    await imported.sync();
    const search = async (readers: string[], key: string): Promise<unknown[]> => {
      const filter = { 'metadata.source.permissions': { in: readers } };
      const json = { query: 'report', ...(readers.length === 0 ? {} : { filter }) };
      const answer = await service.call<{ hits: AnyRecord[] }>('POST', `${imported.collectionUrl}/search`, {
        key,
        json,
      });
      return answer.data.hits.map(({ documentName }) => documentName).toSorted();
    };
    expect(await search(['user:ada@example.com'], workspace.admin)).toEqual(['board.txt', 'staff.txt']);
    expect(await search(['user:staff@example.com', 'public'], workspace.admin)).toEqual(['staff.txt']);
    expect(await search(['public'], workspace.admin)).toEqual([]);
    const { data } = await service.call<{ keyId: string }>('GET', '/v1/whoami', { key: workspace.admin });
    const filter = { 'metadata.source.permissions': { in: ['user:board@example.com'] } };
    const token = mintToken(data.keyId, workspace.admin, { permission: 'read', filter });
    expect(await search([], token)).toEqual(['board.txt']);

    // A change of the readers alone processes nothing.
    await source.share('staff.txt', ['board@example.com']);
    expect(await imported.sync()).toMatchObject({ updated: 1, added: 0 });
    expect(await search([], token)).toEqual(['board.txt', 'staff.txt']);
  },
);

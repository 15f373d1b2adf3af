/** CONTRACT sections 4 and 5: chunks in pages, pages of hits, blank queries. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createChat, createCollection, createDocument, createWorkspace, type TestWorkspace } from '../factories.ts';
import { startTestService, type TestAnswer, type TestService } from '../server.ts';

interface Chunk {
  id: string;
  ordinal: number;
  text: string;
  sparse?: { terms: string[] };
}

interface ChunkList {
  items: Chunk[];
  total: number;
  cursor: string | null;
}

let service: TestService;
let workspace: TestWorkspace;
let collectionUrl: string;
let collectionId: string;
let url: string;

beforeAll(async () => {
  service = await startTestService();
  workspace = await createWorkspace(service);
  const collection = await createCollection(service, workspace, { chunking: { maxTokens: 32, overlapTokens: 0 } });
  collectionUrl = collection.url;
  collectionId = collection.id;
  const sections = Array.from({ length: 7 }, (_, at) => `# Part ${at}\n\nThe lease of house number ${at} ends in May.`);
  const document = await createDocument(service, collection, { name: 'leases.md', content: sections.join('\n\n') });
  url = `${collection.url}/docs/${document.id}/chunks`;
});
afterAll(() => service.stop());

test('a record has at most 100 chunks and a cursor that continues their list', async () => {
  const few = await service.call<{ chunks: Chunk[]; chunksCursor: string | null }>(
    'GET',
    `${url.replace(/\/chunks$/, '')}?include=chunks`,
  );
  expect([few.data.chunks.length > 5, few.data.chunksCursor]).toEqual([true, null]);
  const sections = Array.from(
    { length: 130 },
    (_, at) => `# Part ${at}\n\nThe lease of barn number ${at} ends in May.`,
  );
  const json = { name: 'barns.md', content: sections.join('\n\n'), contentType: 'text/markdown' };
  const { data } = await service.call<{ id: string; chunkCount: number }>('POST', `${collectionUrl}/docs/raw?wait=60`, {
    json,
  });
  const documentUrl = `${collectionUrl}/docs/${data.id}`;
  for (const [include, suffix] of [
    ['chunks', ''],
    ['vectors', '&include=vectors'],
  ]) {
    const record = await service.call<{ chunks: Chunk[]; chunksCursor: string }>(
      'GET',
      `${documentUrl}?include=${include}`,
    );
    const { chunks, chunksCursor } = record.data;
    const rest = await service.call<ChunkList>(
      'GET',
      `${documentUrl}/chunks?limit=100&cursor=${chunksCursor}${suffix}`,
    );
    const ordinals = [...chunks, ...rest.data.items].map(({ ordinal }) => ordinal);
    expect([chunks.length, ordinals]).toEqual([100, Array.from({ length: data.chunkCount }, (_, at) => at)]);
  }
});

test('chunks come in pages in reading order, each once, and one can be read alone', async () => {
  const all = await service.call<ChunkList>('GET', `${url}?limit=100`);
  expect(all.data.items.length).toBeGreaterThan(5);
  expect(all.data.items.map(({ ordinal }) => ordinal)).toEqual(all.data.items.map((_, at) => at));
  const seen: Chunk[] = [];
  let cursor: string | null = '';
  while (cursor !== null) {
    const page: TestAnswer<ChunkList> = await service.call('GET', `${url}?limit=3&cursor=${cursor}`);
    expect(page.data.total).toBe(all.data.items.length);
    seen.push(...page.data.items);
    ({ cursor } = page.data);
  }
  expect(seen).toEqual(all.data.items);
  const one = await service.call<Chunk>('GET', `${url}/${seen[4]!.id}?include=vectors`);
  expect(one.data).toMatchObject(seen[4]!);
  // Seven terms of its own, and the number in the document's title, `Part 0`.
  expect(one.data.sparse?.terms).toHaveLength(8);
  expect(seen[4]).not.toHaveProperty('sparse');
  expect((await service.call('GET', `${url}/${workspace.id}`)).status).toBe(404);
});

test('an offset skips the hits before it', async () => {
  const search = async (json: object) =>
    (await service.call<{ hits: { chunkId: string }[] }>('POST', `${collectionUrl}/search`, { json })).data.hits.map(
      ({ chunkId }) => chunkId,
    );
  const query = 'lease of a house';
  const first = await search({ query, mode: 'sparse', limit: 6 });
  expect(first).toHaveLength(6);
  expect(await search({ query, mode: 'sparse', limit: 3, offset: 3 })).toEqual(first.slice(3));
  const tooFar = await service.call('POST', `${collectionUrl}/search`, { json: { query, offset: 1001 } });
  expect(tooFar.detail.map(({ loc, type }) => [loc, type])).toEqual([[['body', 'offset'], 'less_than_equal']]);
});

test('a blank query is refused by search and chat', async () => {
  const chat = await createChat(service, workspace, { collection_id: collectionId });
  const refused = [
    await service.call('POST', `${collectionUrl}/search`, { json: { query: ' \n\t' } }),
    await service.call('POST', `${chat.url}/message`, { json: { query: '\u3000' } }),
  ];
  for (const { status, detail } of refused) {
    expect([status, detail.map(({ loc, msg }) => [loc, msg])]).toEqual([
      422,
      [[['body', 'query'], 'Value error, the text is blank']],
    ]);
  }
});

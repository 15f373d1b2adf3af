/** CONTRACT sections 3, 5 and 8: collections whose vectors an external provider computes, also during failures. */
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { createCollection, createDocument, createWorkspace, type AnyRecord, type TestWorkspace } from '../factories.ts';
import { startFakeEmbeddings, type FakeEmbeddings } from '../fake-embeddings.ts';
import { startTestService, type TestService } from '../server.ts';

const KEY = 'sk-embedding-0123456789';

let service: TestService;
let workspace: TestWorkspace;
let provider: FakeEmbeddings;

beforeAll(async () => {
  provider = await startFakeEmbeddings();
  service = await startTestService({ QUIRE_ALLOW_PRIVATE_NETWORK: '127.0.0.1' });
  workspace = await createWorkspace(service);
});
afterEach(() => {
  provider.mood = () => 'well';
  provider.calls.length = 0;
});
afterAll(async () => {
  await service.stop();
  await provider.stop();
});

async function createEmbedder(config: Record<string, unknown> = {}): Promise<string> {
  const answer = await service.call<AnyRecord>('POST', `${workspace.url}/config/embedders`, {
    json: {
      name: 'Outside',
      config: { provider: 'provider_a', model: 'm', apiKey: KEY, baseUrl: provider.baseUrl, ...config },
    },
  });
  if (answer.status !== 201) throw new Error(answer.text);
  return answer.data.id;
}

interface SearchAnswer {
  hits: { documentName: string; explain?: { dense: unknown } }[];
  warnings: { type: string; message: string }[];
}

const search = async (collection: { url: string }, json: object) =>
  (await service.call<SearchAnswer>('POST', `${collection.url}/search`, { json })).data;

/** Returns the length of the vectors of the live index of the document’s collection. */
async function vectorLength(document: { url: string }): Promise<number> {
  const answer = await service.call<{ chunks: { dense: number[] }[] }>('GET', `${document.url}?include=chunks,vectors`);
  return answer.data.chunks[0]?.dense.length ?? 0;
}

async function reindexed(collection: { url: string }): Promise<void> {
  for (;;) {
    const { data } = await service.call<{ reindex: { status: string } | null }>('GET', collection.url);
    if (data.reindex?.status !== 'running') return expect(data.reindex?.status).toBe('done');
    await new Promise((resolve) => setImmediate(resolve));
  }
}

test('documents and queries get their vectors from the provider, whose own length of vectors is found and kept', async () => {
  const collection = await createCollection(service, workspace, { embedderId: await createEmbedder() });
  expect(provider.calls).toEqual([]);
  const document = await createDocument(service, collection, { name: 'lease.md', content: 'The lease ends in May.' });
  await createDocument(service, collection, { name: 'fox.md', content: 'A quick brown fox.' });
  const found = await search(collection, { query: 'when does the lease end', mode: 'dense', explain: true });
  expect(found.warnings).toEqual([]);
  expect(found.hits[0]).toMatchObject({ documentName: 'lease.md', explain: { dense: { rank: 1 } } });
  expect(await vectorLength(document)).toBe(32);
  expect(new Set(provider.calls.map(({ authorization }) => authorization))).toEqual(new Set([`Bearer ${KEY}`]));
  const metrics = (await service.call('GET', '/metrics')).text;
  expect(metrics).toMatch(
    /quire_provider_call_duration_seconds_count\{provider="provider_a",operation="embed",outcome="ok"\} \d/,
  );
  expect(metrics).toMatch(/quire_provider_tokens_total\{provider="provider_a",operation="embed",direction="in"\} \d/);
});

test('a document that the provider embeds in part is carried on from there', async () => {
  const collection = await createCollection(service, workspace, {
    embedderId: await createEmbedder({ dimensions: 8, maxConcurrency: 1 }),
    chunking: { maxTokens: 64, overlapTokens: 0 },
  });
  const words = (place: number) => `Section ${place} holds ${'some more words of its own '.repeat(6)}`;
  const content = Array.from({ length: 100 }, (_, place) => `# Heading ${place}\n\n${words(place)}`).join('\n\n');
  let failures = 0;
  provider.mood = ({ input }) => (input.length < 64 && failures++ < 5 ? 503 : 'well');
  const document = await createDocument(service, collection, { content });
  expect([document['status'], document['chunkCount'] as number]).toEqual(['ready', expect.any(Number)]);
  const sizes = provider.calls.map(({ input }) => input.length);
  expect([failures, sizes.filter((size) => size === 64).length]).toEqual([
    6,
    Math.floor((document['chunkCount'] as number) / 64),
  ]);
});

test('a provider that is down costs a search its dense half, and says so', async () => {
  const collection = await createCollection(service, workspace, { embedderId: await createEmbedder() });
  await createDocument(service, collection, { name: 'lease.md', content: 'The lease ends in May.' });
  provider.mood = () => 401;
  const found = await search(collection, { query: 'lease' });
  expect(found.hits.map(({ documentName }) => documentName)).toEqual(['lease.md']);
  expect(found.warnings).toEqual([
    {
      type: 'dense_unavailable',
      message:
        'Answered by terms (sparse) where the embedder failed: The provider answered 401: it does not accept the key',
    },
  ]);
});

test('a provider that hangs holds a search for some seconds once, and the next ones not at all', async () => {
  const collection = await createCollection(service, workspace, { embedderId: await createEmbedder() });
  await createDocument(service, collection, { name: 'lease.md', content: 'The lease ends in May.' });
  provider.mood = () => 'hang';
  const [first, calls] = [await search(collection, { query: 'lease' }), provider.calls.length];
  const second = await search(collection, { query: 'lease ends' });
  expect([first, second].map(({ hits, warnings }) => [hits.length, warnings[0]?.message])).toEqual([
    [1, 'Answered by terms (sparse) where the embedder failed: the embedder did not answer within 5 s'],
    [1, 'Answered by terms (sparse) where the embedder failed: the embedder did not answer within 5 s'],
  ]);
  expect(provider.calls.length).toBe(calls);
});

test('a provider that refuses fails the document with its reason; after a PATCH of the key, retry makes it ready', async () => {
  const embedderId = await createEmbedder();
  const collection = await createCollection(service, workspace, { embedderId });
  provider.mood = ({ authorization }) => (authorization === 'Bearer the-right-one' ? 'well' : 401);
  const document = await createDocument(service, collection);
  expect([document['status'], document['error']]).toEqual([
    'failed',
    { type: 'provider_error', message: 'The provider answered 401: it does not accept the key' },
  ]);
  const url = `${workspace.url}/config/embedders/${embedderId}`;
  await service.call('PATCH', url, { json: { config: { apiKey: 'the-right-one' } } });
  await service.call('POST', `${document.url}/retry`);
  expect((await service.call('GET', `${document.url}?wait=60`)).data['status']).toBe('ready');
});

test('other dimensions, another model or another host start a re-index; until it is done the old vectors serve', async () => {
  const embedderId = await createEmbedder();
  const collection = await createCollection(service, workspace, { embedderId });
  const document = await createDocument(service, collection, { name: 'lease.md', content: 'The lease ends in May.' });
  expect(await vectorLength(document)).toBe(32);
  const url = `${workspace.url}/config/embedders/${embedderId}`;
  await service.call('PATCH', url, { json: { config: { dimensions: 8 } } });
  await reindexed(collection);
  expect(await vectorLength(document)).toBe(8);
  expect((await search(collection, { query: 'lease', mode: 'dense' })).warnings).toEqual([]);
  provider.calls.length = 0;
  await service.call('PATCH', url, { json: { config: { requestsPerMinute: 1000 } } });
  expect((await service.call('GET', collection.url)).data['reindex']).toMatchObject({ status: 'done' });
  expect(provider.calls).toEqual([]);
  const other = await startFakeEmbeddings();
  try {
    await service.call('PATCH', url, { json: { config: { baseUrl: other.baseUrl, apiKey: 'sk-of-the-other-host' } } });
    await reindexed(collection);
    await search(collection, { query: 'lease ends', mode: 'dense' });
    expect(new Set(other.calls.map(({ authorization }) => authorization))).toEqual(
      new Set(['Bearer sk-of-the-other-host']),
    );
    expect(provider.calls).toEqual([]);
  } finally {
    await other.stop();
  }
});

test('a text that is longer than the server reads is read in parts', async () => {
  const collection = await createCollection(service, workspace, {
    embedderId: await createEmbedder({ dimensions: 8 }),
  });
  provider.mood = ({ input }) => (input.some((text) => text.length > 300) ? 'too long' : 'well');
  const document = await createDocument(service, collection, { content: 'Many words stand in this one. '.repeat(30) });
  expect([document['status'], await vectorLength(document)]).toEqual(['ready', 8]);
});

test('the language of the sparse embedder applies to all chunks and queries, and changing it re-indexes', async () => {
  const answer = await service.call<AnyRecord>('POST', `${workspace.url}/config/embedders`, {
    json: { name: 'German', config: { provider: 'bm25' } },
  });
  const collection = await createCollection(service, workspace, { sparseEmbedderId: answer.data.id });
  await createDocument(service, collection, { name: 'wohnen.md', content: 'Häuser' });
  const names = async () =>
    (await search(collection, { query: 'Haus', mode: 'sparse' })).hits.map(({ documentName }) => documentName);
  expect(await names()).toEqual([]);
  const url = `${workspace.url}/config/embedders/${answer.data.id}`;
  await service.call('PATCH', url, { json: { config: { language: 'de' } } });
  await reindexed(collection);
  expect(await names()).toEqual(['wohnen.md']);
});

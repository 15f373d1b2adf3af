/** CONTRACT section 5: rerankers. The provider scores a text by its number of times "owl". */
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { json } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createCollection, createDocument, createWorkspace, type AnyRecord, type TestWorkspace } from '../factories.ts';
import { startTestService, type TestService } from '../server.ts';

interface Found {
  hits: { documentName: string; score: number; explain?: { rerank?: { rank: number; score: number } } }[];
  warnings: { type: string; message: string }[];
}

let service: TestService;
let workspace: TestWorkspace;
let server: Server;
let isUp = true;
let model: string;
let birds: AnyRecord & { url: string };

beforeAll(async () => {
  server = createServer((request, response) => {
    void (async () => {
      const { documents } = (await json(request)) as { documents: string[] };
      const results = documents.map((text, index) => ({
        index,
        relevance_score: Math.min(1, text.split('owl').length / 10),
      }));
      response.writeHead(isUp ? 200 : 400, { 'content-type': 'application/json' }).end(JSON.stringify({ results }));
    })();
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  service = await startTestService({ QUIRE_ALLOW_PRIVATE_NETWORK: '127.0.0.1' });
  workspace = await createWorkspace(service);
  const config = { provider: 'provider_a', model: 'reranker', baseUrl: `http://127.0.0.1:${port}` };
  const configuration = await service.call<AnyRecord>('POST', `${workspace.url}/config/models`, {
    json: { name: 'Reranker', config },
  });
  model = configuration.data.id;
  birds = await createCollection(service, workspace, { name: 'Birds', rerank: { model, topK: 2 } });
  for (const [name, content] of [
    ['best.txt', 'reeds reeds reeds heron'],
    ['owl.txt', 'The reeds are full of mice, says the owl to another owl, and hunts them in every winter night.'],
    ['late.txt', 'Many other birds live here as well, and nobody ever counted them all: one sits beside the reeds.'],
  ]) {
    await createDocument(service, birds, { name, content, contentType: 'text/plain' });
  }
});
afterAll(async () => {
  await service.stop();
  server.close();
});

const search = async (body: Record<string, unknown> = {}) =>
  (
    await service.call<Found>('POST', `${birds.url}/search`, {
      json: { query: 'reeds', mode: 'sparse', explain: true, ...body },
    })
  ).data;
const names = ({ hits }: Found): string[] => hits.map(({ documentName }) => documentName);

test('the reranker of the collection orders its best hits, and the others follow', async () => {
  const found = await search();
  expect(names(found)[0]).toBe('owl.txt');
  expect(found.hits.map(({ explain }) => explain?.rerank)).toEqual([
    { rank: expect.any(Number), score: 0.3, tookMs: expect.any(Number) },
    { rank: expect.any(Number), score: 0.1, tookMs: expect.any(Number) },
    undefined,
  ]);
  const scores = found.hits.map(({ score }) => score);
  expect(scores).toEqual(scores.toSorted((a, b) => b - a));
});

test('a search can turn the reranker off, or request another one', async () => {
  expect(names(await search({ rerank: null }))[0]).toBe('best.txt');
  expect(names(await search({ rerank: { model }, limit: 1 }))).toEqual(['owl.txt']);
});

test('a reranker that is missing or fails leaves the order, with a warning', async () => {
  const missing = await search({ rerank: { model: 'bge-reranker-base' } });
  expect([names(missing)[0], missing.warnings]).toEqual([
    'best.txt',
    [
      {
        type: 'rerank_unavailable',
        message: "The hits are not reranked: the reranker 'bge-reranker-base' is not available",
      },
    ],
  ]);
  isUp = false;
  const failed = await search();
  isUp = true;
  expect([names(failed)[0], failed.warnings.map(({ type }) => type)]).toEqual(['best.txt', ['rerank_unavailable']]);
});

test('the record shows the reranker, and a change removes it', async () => {
  const other = await createCollection(service, workspace, { name: 'Other', rerank: { model } });
  const read = async () => (await service.call<{ rerank: unknown }>('GET', other.url)).data.rerank;
  expect(await read()).toEqual({ model, topK: 20 });
  await service.call('PATCH', other.url, { json: { rerank: null } });
  expect(await read()).toBe(null);
});

test('bad values are refused', async () => {
  const { status, detail } = await service.call('POST', `${birds.url}/search`, {
    json: { query: 'reeds', rerank: { model: '', topK: 101, more: 1 } },
  });
  expect([status, detail.map(({ type, loc }) => [type, ...loc.slice(1)])]).toEqual([
    422,
    [
      ['string_too_short', 'rerank', 'model'],
      ['less_than_equal', 'rerank', 'topK'],
      ['extra_forbidden', 'rerank', 'more'],
    ],
  ]);
});

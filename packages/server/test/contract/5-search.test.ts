/** CONTRACT section 5: search. */
import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  createCollection,
  createDocument,
  createKey,
  createWorkspace,
  type AnyRecord,
  type TestWorkspace,
} from '../factories.ts';
import { startTestService, type TestService } from '../server.ts';

interface Hit {
  documentId: string;
  documentName: string;
  collectionId: string;
  chunkId: string;
  score: number;
  relevance: number;
  text: string;
  snippet: string;
  highlights: [number, number][];
  nameHighlights: [number, number][];
  headingHighlights: [number, number][][];
  headings: string[];
  explain?: { dense: unknown; sparse: { rank: number; score: number } | null; fused: number; likeness?: number };
}
interface Found {
  hits: Hit[];
  warnings: { type: string; message: string }[];
  tookMs: number;
}

let service: TestService;
let workspace: TestWorkspace;
let birds: AnyRecord & { url: string };
let fish: AnyRecord & { url: string };
let heron: AnyRecord & { url: string };

beforeAll(async () => {
  service = await startTestService();
  workspace = await createWorkspace(service);
  birds = await createCollection(service, workspace, { name: 'Birds' });
  fish = await createCollection(service, workspace, { name: 'Fish' });
  const text = (content: string, name: string, metadata: Record<string, unknown>) => ({
    content,
    name,
    metadata,
    contentType: 'text/plain',
  });
  heron = await createDocument(
    service,
    birds,
    text('The heron waits in the reeds for a trout.', 'heron.txt', { legs: 2, tags: ['grey', 'wading'] }),
  );
  await createDocument(service, birds, text('The owl hunts mice at night.', 'owl.txt', { legs: 2, tags: ['brown'] }));
  await createDocument(service, fish, text('The trout swims against the stream.', 'trout.txt', { legs: 0 }));
});
afterAll(() => service.stop());

const search = (json: Record<string, unknown>, url = birds.url) =>
  service.call<Found>('POST', `${url}/search`, { json });
const names = (answer: { data: Found }): string[] => answer.data.hits.map((hit) => hit.documentName);

test('a hit has its document, chunk and the data of a citation', async () => {
  const { status, data } = await search({ query: 'heron', mode: 'sparse' });
  expect(status).toBe(200);
  expect(data).toEqual({
    hits: [
      {
        documentId: heron.id,
        documentName: 'heron.txt',
        collectionId: birds.id,
        chunkId: expect.stringMatching(/^[0-9a-f-]{36}$/),
        relevance: 0.2647,
        revision: 1,
        score: expect.any(Number),
        text: 'The heron waits in the reeds for a trout.',
        snippet: expect.stringContaining('heron'),
        highlights: [],
        nameHighlights: [],
        headingHighlights: [],
        highlightBoxes: [],
        highlightBlocks: [],
        headings: [],
        boxes: [],
        blockIds: [expect.any(String)],
        metadata: { legs: 2, tags: ['grey', 'wading'] },
      },
    ],
    warnings: [],
    tookMs: expect.any(Number),
  });
});

test('highlights are the positions of the words, and explain returns the ranks', async () => {
  const { data } = await search({ query: 'reeds heron', mode: 'sparse', highlight: true, explain: true });
  const hit = data.hits[0]!;
  expect(hit.highlights.map(([start, end]) => hit.text.slice(start, end))).toEqual(['heron', 'reeds']);
  expect(hit.explain).toEqual({
    dense: null,
    sparse: { rank: 1, score: expect.any(Number) },
    fused: expect.any(Number),
  });
});

describe('file name, title and headings', () => {
  const ofFilings = async (documents: [name: string, content: string, contentType: string][]) => {
    const filings = await createCollection(service, workspace, { name: 'Filings' });
    for (const [name, content, contentType] of documents) {
      await createDocument(service, filings, { name, content, contentType, metadata: {} });
    }
    return filings;
  };
  const rate = (percent: string): string =>
    `The effective tax rate was ${percent}. The effective tax rate excludes the tax rate of others.`;

  test('a document is found by its file name, without the extension, and the name is highlighted', async () => {
    const filings = await ofFilings([
      ['airbus_2022.txt', rate('20 %'), 'text/plain'],
      ['Boeing_2022_10K.txt', rate('21 %').slice(0, 40), 'text/plain'],
      ['embraer_2022.txt', rate('22 %'), 'text/plain'],
    ]);
    const query = { query: "Boeing's effective tax rate", mode: 'sparse', highlight: true };
    const [hit] = (await search(query, filings.url)).data.hits;
    expect(hit?.documentName).toBe('Boeing_2022_10K.txt');
    expect(hit?.nameHighlights.map(([start, end]) => hit.documentName.slice(start, end))).toEqual(['Boeing']);
  });

  test('later sections are found by the title of the document, and headings are highlighted', async () => {
    const section = (title: string): string =>
      `# ${title}\n\nIntroduction.\n\n# Taxes\n\n${rate('20 %')}\n\n# Outlook\n\nNone.`;
    const filings = await ofFilings([
      ['report.md', section('Annual report of Airbus'), 'text/markdown'],
      ['report.md', section('Annual report of Boeing'), 'text/markdown'],
    ]);
    const query = { query: 'taxes Boeing rate', mode: 'sparse', highlight: true };
    const [hit] = (await search(query, filings.url)).data.hits;
    const { text } = await service.call('GET', `${filings.url}/docs/${hit!.documentId}/markdown`);
    expect(text).toContain('Boeing');
    const words = hit!.headings.map((each, at) =>
      hit!.headingHighlights[at]!.map(([from, to]) => each.slice(from, to)),
    );
    expect(words).toEqual([['Taxes']]);
  });
});

describe('filters', () => {
  test.each<[filter: Record<string, unknown>, found: string[]]>([
    [{ 'metadata.legs': 2 }, ['heron.txt', 'owl.txt']],
    [{ 'metadata.tags': 'wading' }, ['heron.txt']],
    [{ name: { ne: 'owl.txt' } }, ['heron.txt']],
    [{ not: { 'metadata.tags': { in: ['grey', 'white'] } } }, ['owl.txt']],
    [{ or: [{ name: 'owl.txt' }, { 'metadata.legs': { gt: 5 } }] }, ['owl.txt']],
    [
      { and: [{ 'metadata.legs': { gte: 2, lte: 2 } }, { 'metadata.wings': { exists: false } }] },
      ['heron.txt', 'owl.txt'],
    ],
    [{ 'metadata.legs': 3 }, []],
  ])('%j', async (filter, found) => {
    expect(names(await search({ query: 'heron owl', filter })).toSorted()).toEqual(found);
  });

  test('any plain field of a document', async () => {
    const fields = ['id', 'collectionId', 'name', 'status', 'contentType', 'sizeBytes', 'sha256', 'chunkCount'];
    for (const field of [...fields, 'revision', 'searchableRevision', 'createdAt', 'modifiedAt', 'readyAt']) {
      const found = names(await search({ query: 'heron owl', filter: { [field]: heron[field] } }));
      expect([field, found.includes('heron.txt')]).toEqual([field, true]);
      expect([field, names(await search({ query: 'heron', filter: { [field]: { exists: false } } }))]).toEqual([
        field,
        [],
      ]);
    }
    expect(names(await search({ query: 'heron owl', filter: { sha256: heron['sha256'] } }))).toEqual(['heron.txt']);
    expect(names(await search({ query: 'heron owl', filter: { not: { revision: 1 } } }))).toEqual([]);
    const json = { query: 'trout heron', collectionIds: [birds.id, fish.id], filter: { collectionId: fish.id } };
    expect(names(await search(json, workspace.url))).toEqual(['trout.txt']);
  });

  test('a wrong one is a 422 at its place', async () => {
    const answer = await search({ query: 'heron', filter: { nothing: 1, 'metadata.legs': { above: 1 } } });
    expect(answer.status).toBe(422);
    expect(answer.detail.map((detail) => detail.loc.slice(0, 3))).toEqual([
      ['body', 'filter', 'nothing'],
      ['body', 'filter', 'metadata.legs'],
    ]);
  });
});

describe('over several collections', () => {
  test('finds in all that are named', async () => {
    const answer = await search({ query: 'trout', mode: 'sparse', collectionIds: [birds.id, fish.id] }, workspace.url);
    expect(names(answer).toSorted()).toEqual(['heron.txt', 'trout.txt']);
  });

  test('names each collection that is not there, or not the key’s', async () => {
    const foreign = await createCollection(service, await createWorkspace(service));
    const key = await createKey(service, workspace, { permission: 'read', collectionIds: [birds.id] });
    const json = { query: 'trout', collectionIds: [birds.id, foreign.id, fish.id] };
    const places = async (as: string): Promise<unknown[]> =>
      (await service.call('POST', `${workspace.url}/search`, { json, key: as })).detail.map(({ type, loc }) => [
        type,
        ...loc,
      ]);
    expect(await places(workspace.admin)).toEqual([['value_error', 'body', 'collectionIds', 1]]);
    expect(await places(key)).toEqual([
      ['value_error', 'body', 'collectionIds', 1],
      ['value_error', 'body', 'collectionIds', 2],
    ]);
    const allowed = await service.call<Found>('POST', `${workspace.url}/search`, {
      json: { query: 'trout', mode: 'sparse', collectionIds: [birds.id] },
      key,
    });
    expect(names(allowed)).toEqual(['heron.txt']);
  });
});

describe('over all collections of a workspace', () => {
  const over = (own: TestWorkspace, key = own.admin, more: Record<string, unknown> = {}) =>
    service.call<Found>('POST', `${own.url}/search`, { json: { query: 'pelican', mode: 'sparse', ...more }, key });

  test('a search without collectionIds finds in every collection that the key may read', async () => {
    const own = await createWorkspace(service);
    const [north, south, empty] = [
      await createCollection(service, own, { name: 'North' }),
      await createCollection(service, own, { name: 'South' }),
      await createCollection(service, own, { name: 'Empty' }),
    ];
    for (const [name, collection] of [['north.txt', north] as const, ['south.txt', south] as const]) {
      const document = { name, content: `The pelican of ${name} fishes.`, contentType: 'text/plain' };
      await createDocument(service, collection, { ...document, metadata: { name } });
    }
    expect(names(await over(own)).toSorted()).toEqual(['north.txt', 'south.txt']);
    expect((await over(own)).data.warnings).toEqual([]);
    expect(names(await over(own, own.admin, { filter: { 'metadata.name': 'south.txt' } }))).toEqual(['south.txt']);
    const limited = await createKey(service, own, { permission: 'read', collectionIds: [south.id, empty.id] });
    expect(names(await over(own, limited))).toEqual(['south.txt']);
    await service.call('DELETE', south.url);
    expect(names(await over(own))).toEqual(['north.txt']);
    expect((await over(own, limited)).data.hits).toEqual([]);
    await service.call('DELETE', `${north.url}?purge=true`);
    expect((await over(own)).data.hits).toEqual([]);
  });

  test('a workspace without documents answers without hits', async () => {
    const own = await createWorkspace(service);
    const answer = await over(own, own.admin, { mode: 'hybrid', filter: { name: 'x' } });
    expect([answer.status, answer.data.hits, answer.data.warnings]).toEqual([200, [], []]);
  });
});

test('the body is checked like any other', async () => {
  const { status, detail } = await search({
    query: '',
    limit: 0,
    mode: 'best',
    fusion: { method: 'sum', denseWeight: 2 },
    minScore: 'x',
    highlight: 'maybe',
    more: 1,
  });
  expect([status, detail.map(({ type, loc }) => [type, ...loc.slice(1)])]).toEqual([
    422,
    [
      ['string_too_short', 'query'],
      ['greater_than_equal', 'limit'],
      ['enum', 'mode'],
      ['enum', 'fusion', 'method'],
      ['less_than_equal', 'fusion', 'denseWeight'],
      ['float_type', 'minScore'],
      ['bool_type', 'highlight'],
      ['extra_forbidden', 'more'],
    ],
  ]);
});

test('limit and minScore cut the list', async () => {
  // One of the two scores far higher under any statistics; indexing continues in the background and changes scores.
  const query = 'the heron waits, reeds, trout, owl';
  const all = await search({ query, mode: 'sparse' });
  expect(all.data.hits).toHaveLength(2);
  expect(names(await search({ query, mode: 'sparse', limit: 1 }))).toEqual([all.data.hits[0]!.documentName]);
  const [best, other] = all.data.hits.map(({ relevance }) => relevance);
  const [low, high] = [Math.min(best!, other!), Math.max(best!, other!)];
  expect(low).toBeLessThan(high);
  expect(names(await search({ query, mode: 'sparse', minScore: low })).toSorted()).toEqual(names(all).toSorted());
  expect((await search({ query, mode: 'sparse', minScore: high })).data.hits).toHaveLength(1);
  expect((await search({ query, mode: 'sparse', minScore: 1000 })).data.hits).toEqual([]);
});

test('a nonsense query has no hit above the documented gate, a question about the collection has one', async () => {
  for (const mode of ['hybrid', 'dense', 'sparse']) {
    for (const query of ['qxzv blorptag fnurgle', 'zzkrph', 'wmbl 77q xanthoid grelp']) {
      expect((await search({ query, mode, minScore: 0.2 })).data.hits).toEqual([]);
    }
    const query = 'Where does the heron wait for trout?';
    const [hit] = (await search({ query, mode, minScore: 0.2 })).data.hits;
    expect(hit!.relevance).toBeGreaterThan(0.2);
  }
  const [ungated] = (await search({ query: 'qxzv blorptag heron', mode: 'hybrid' })).data.hits;
  expect(ungated!.relevance).toBeGreaterThanOrEqual(0);
});

test('the relevance of a hit does not depend on the other hits or on the page', async () => {
  const query = 'heron reeds trout';
  const { hits } = (await search({ query, limit: 10 })).data;
  const [first] = (await search({ query, limit: 1 })).data.hits;
  expect(first!.relevance).toBe(hits[0]!.relevance);
  const [second] = (await search({ query, limit: 1, offset: 1 })).data.hits;
  expect(second!.relevance).toBe(hits[1]!.relevance);
  const filtered = await search({ query, filter: { id: hits[1]!.documentId }, limit: 1 });
  expect(filtered.data.hits.map(({ relevance }) => relevance)).toEqual([hits[1]!.relevance]);
});

test('what a DELETE that answered has hidden is hidden from the very next query', async () => {
  const own = await createCollection(service, workspace);
  const documents = [];
  for (let count = 0; count < 5; count += 1) {
    documents.push(
      await createDocument(service, own, {
        name: `${count}.txt`,
        content: `The crane number ${count} dances.`,
        contentType: 'text/plain',
      }),
    );
  }
  for (const [at, document] of documents.entries()) {
    await service.call('DELETE', document.url);
    const found = names(await search({ query: 'crane dances' }, own.url)).toSorted();
    expect(found).toEqual(documents.slice(at + 1).map((each) => each['name']));
  }
});

describe('what another replica changed is seen by the next search', () => {
  /** Runs a statement like another process that shares only the database with this one. */
  const elsewhere = async (statement: string, ...values: unknown[]): Promise<void> => {
    const client = new Client(service.connectionString);
    await client.connect();
    await client.query(statement, values);
    await client.end();
  };
  const setUp = async () => {
    const collection = await createCollection(service, workspace, { name: 'Gulls' });
    const content = 'The gull follows the plough.';
    const gull = await createDocument(service, collection, { content, name: 'gull.txt', contentType: 'text/plain' });
    const find = () => search({ query: 'gull' }, collection.url);
    // The second search uses the data that the first one has cached.
    await find();
    expect(names(await find())).toEqual(['gull.txt']);
    return { collection, gull, find };
  };

  test('a deleted document', async () => {
    const { gull, find } = await setUp();
    await elsewhere('update documents set deleted_at = now() where id = $1', gull.id);
    expect(names(await find())).toEqual([]);
  });

  test('a deleted collection, also when nothing is found in it', async () => {
    const { collection, find } = await setUp();
    await elsewhere('update collections set deleted_at = now() where id = $1', collection.id);
    expect((await find()).status).toBe(409);
    await elsewhere('update collections set deleted_at = null where id = $1', collection.id);
    expect(names(await find())).toEqual(['gull.txt']);
    await elsewhere('update collections set deleted_at = now() where id = $1', collection.id);
    expect((await search({ query: 'albatross' }, collection.url)).status).toBe(409);
  });

  test('a purged collection', async () => {
    const { collection, find } = await setUp();
    await elsewhere('delete from collections where id = $1', collection.id);
    expect((await find()).status).toBe(404);
    const many = { query: 'gull', collectionIds: [collection.id] };
    expect((await search(many, workspace.url)).status).toBe(422);
  });

  test('another index', async () => {
    const { collection, find } = await setUp();
    await elsewhere(
      `update collection_indexes set table_name = table_name || '_r1' where collection_id = $1`,
      collection.id,
    );
    const answer = await find();
    expect([names(answer), answer.data.warnings]).toEqual([['gull.txt'], []]);
  });
});

test('any text that is not blank is a query', async () => {
  for (const query of ['"', '(', 'AND OR', '*', '的', '\u202e', 'a'.repeat(10_000), '😀']) {
    expect([query.slice(0, 5), (await search({ query })).status]).toEqual([query.slice(0, 5), 200]);
  }
});

test('a word that only a document in a rare language has is found as that language has it, soon after it came', async () => {
  const letters = await createCollection(service, workspace, { name: 'Letters' });
  const text = (content: string, name: string) => ({ content, name, contentType: 'text/plain' });
  const english = 'The landlord and the tenant may both end this agreement at the end of any month that they like.';
  await Promise.all(
    Array.from({ length: 12 }, (_, at) => createDocument(service, letters, text(english, `${at}.txt`))),
  );
  const found = await search({ query: 'tenant', mode: 'sparse' }, letters.url);
  expect(found.data.hits.length).toBeGreaterThan(0);
  const german = 'Für die Wohnung gelten die gesetzlichen Kündigungsfristen, und der Mieter hat sie zu beachten.';
  await createDocument(service, letters, text(german, 'vertrag.txt'));
  for (const query of ['Kündigungsfristen', 'kundigungsfrist']) {
    await expect.poll(async () => names(await search({ query, mode: 'sparse' }, letters.url))).toEqual(['vertrag.txt']);
  }
  const [hit] = (await search({ query: 'Kündigungsfrist', mode: 'sparse', highlight: true }, letters.url)).data.hits;
  expect(hit?.highlights.map(([start, end]) => hit.text.slice(start, end))).toEqual(['Kündigungsfristen']);
});

test('a collection that does not fit into the memory of the index is refused with 503, and the others are served', async () => {
  const small = await startTestService({ QUIRE_SEARCH_MEMORY: '600000' });
  const own = await createWorkspace(small);
  const fields = { chunking: { maxTokens: 64, overlapTokens: 0 } };
  const [notes, archive] = await Promise.all([
    createCollection(small, own, fields),
    createCollection(small, own, fields),
  ]);
  await createDocument(small, notes);
  const words = Array.from({ length: 50_000 }, (_, at) => `word${at % 500}`);
  await createDocument(small, archive, { content: words.join(' ') });
  const search = (collection: { url: string }) =>
    small.call<Found>('POST', `${collection.url}/search`, { json: { query: 'leases word7' } });
  const refused = await search(archive);
  expect([refused.status, refused.headers.get('retry-after'), refused.detail]).toEqual([
    503,
    expect.stringMatching(/^\d+$/),
    [
      {
        type: 'unavailable',
        loc: [],
        msg: expect.stringMatching(/^The index of \d+ chunks does not fit into QUIRE_SEARCH_MEMORY \(600000 bytes\)$/),
        ctx: { requestId: expect.any(String) },
      },
    ],
  ]);
  expect((await search(notes)).data.hits).toHaveLength(1);
  await small.stop();
});

test('German chunks are ranked by meaning too, unless the search names a mode or weights', async () => {
  const rules = await createCollection(service, workspace, { name: 'Hausordnung' });
  const texts = {
    'garten.txt': 'Man darf den Garten des Vereins im Sommer für Feste mieten, und zwar an jedem Wochenende.',
    'verbot.txt': 'Alkoholische Getränke sind in den Räumen des Vereins untersagt, man darf sie nicht mitbringen.',
    'buecher.txt': 'Die Bücher der Bibliothek werden jedes Jahr im Januar von zwei Mitgliedern gezählt.',
  };
  for (const [name, content] of Object.entries(texts)) {
    await createDocument(service, rules, { name, content, contentType: 'text/plain' });
  }
  const query = 'Darf man Bier trinken?';
  const found = await search({ query, explain: true }, rules.url);
  expect(names(found)[0]).toBe('verbot.txt');
  expect(found.data.hits[0]?.explain).toMatchObject({ likeness: expect.any(Number), fused: expect.any(Number) });
  for (const body of [{ mode: 'sparse' }, { fusion: { method: 'minmax', denseWeight: 0, sparseWeight: 1 } }]) {
    const other = await search({ query, explain: true, ...body }, rules.url);
    expect(other.data.hits.map(({ explain }) => explain?.likeness)).toEqual(other.data.hits.map(() => undefined));
  }
  const [first] = (await search({ query, limit: 1 }, rules.url)).data.hits;
  expect(first?.documentName).toBe('verbot.txt');
});

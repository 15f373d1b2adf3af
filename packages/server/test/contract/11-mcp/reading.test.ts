/** CONTRACT section 11: what the tools of the Model Context Protocol return. */
import { makePdf, TestPage } from '@quire/parse/formats/pdf/testing/make-pdf';
import sharp from 'sharp';
import { describe, expect, test } from 'vitest';
import { countTokens } from '@quire/process/document-text/token-budget';
import { createCollection, createDocument, createWorkspace, type AnyRecord } from '../../factories.ts';
import { connect, type ConnectedClient } from '../../mcp-clients.ts';
import {
  birds,
  client,
  dataOf,
  firstText,
  fish,
  hostile,
  legacy,
  LONG,
  long,
  service,
  target,
  trout,
  unfence,
  workspace,
  type ReadData,
  type SearchData,
  useLibrary,
} from './library.ts';

useLibrary();

describe.each(['2026-07-28', '2025-11-25'])('a client of %s', (revision) => {
  const using = (): ConnectedClient => (revision === '2026-07-28' ? client : legacy);

  test('searches, and fetches what it found', async () => {
    const found = await using().call('search', { query: 'trout against the stream', limit: 3 });
    const { results } = dataOf<SearchData>(found);
    expect(JSON.parse(firstText(found))).toEqual(found.structuredContent);
    const [first] = results;
    expect(first).toMatchObject({ title: 'trout.md', documentId: trout.id, collectionId: fish.id });
    expect(unfence(first?.text ?? '')).toBe('The trout swims against the stream.');
    expect(first?.url).toMatch(
      new RegExp(`^${service.address}/collections/${fish.id}/documents/${trout.id}\\?chunk=[0-9a-f-]{36}$`),
    );
    const fetched = dataOf<{ id: string; title: string; text: string; metadata: object }>(
      await using().call('fetch', { id: first?.id }),
    );
    expect(fetched).toMatchObject({
      id: first?.id,
      title: 'trout.md',
      metadata: { documentId: trout.id, complete: true, cursor: null },
    });
    expect(unfence(fetched.text)).toBe('The trout swims against the stream.');
  });

  test('reads a document from its outline to its end, each answer within its budget', async () => {
    let read = await using().call('read_document', { id: long.id, maxTokens: 2_000 });
    expect(
      dataOf<ReadData>(read)
        .outline?.map(({ title }) => title)
        .slice(0, 2),
    ).toEqual(['Chapter 1', 'Chapter 2']);
    let text = '';
    for (;;) {
      expect(countTokens(firstText(read as { content: object[] }))).toBeLessThanOrEqual(2_000);
      const { cursor, text: part } = dataOf<ReadData>(read);
      text += unfence(part);
      if (cursor === null) break;
      read = await using().call('read_document', { id: long.id, cursor, maxTokens: 2_000 });
    }
    const words = (markdown: string): string[] => markdown.split(/\s+/).filter((word) => word !== '');
    expect(words(text)).toEqual(words(LONG));
  });

  test('reads one section', async () => {
    const { outline } = dataOf<ReadData>(await using().call('read_document', { id: long.id }));
    const section = outline?.[4];
    for (const name of [section?.section, section?.title]) {
      const { text, cursor } = dataOf<ReadData>(await using().call('read_document', { id: long.id, section: name }));
      expect([unfence(text).startsWith('# Chapter 5\n'), text.includes('Chapter 6'), cursor]).toEqual([
        true,
        false,
        null,
      ]);
    }
  });

  test('answers a question with the words of a document as source', async () => {
    const answered = await using().call('ask', {
      question: 'Against what does the trout swim?',
      collections: [fish.id],
    });
    const { answer, sources, complete } = dataOf<{
      answer: string;
      sources: Record<string, string>[];
      complete: boolean;
    }>(answered);
    expect(unfence(answer)).toMatch(/The trout swims against the stream\. \[1\]$/);
    expect(complete).toBe(true);
    expect(sources).toMatchObject([{ index: 1, title: 'trout.md', page: null }]);
    expect(unfence(sources[0]?.['quote'] ?? '')).toBe('The trout swims against the stream.');
    expect(sources[0]?.['url']).toContain(`/collections/${fish.id}/documents/${trout.id}`);
  });

  test('lists collections and documents in pages', async () => {
    const { collections } = dataOf<{ collections: AnyRecord[] }>(await using().call('list_collections'));
    expect(collections.map(({ name }) => name)).toEqual(['Fish', 'Birds']);
    const first = dataOf<{ documents: AnyRecord[]; cursor: string; total: number }>(
      await using().call('list_documents', { collection: birds.id, limit: 1 }),
    );
    const second = dataOf<typeof first>(
      await using().call('list_documents', { collection: birds.id, limit: 1, cursor: first.cursor }),
    );
    expect([first.total, second.cursor]).toEqual([2, null]);
    expect([...first.documents, ...second.documents].map(({ id }) => id).toSorted()).toEqual(
      [long.id, hostile.id].toSorted(),
    );
  });

  test('reads a document as a resource', async () => {
    expect(unfence(await using().readResource(`quire://documents/${trout.id}`))).toBe(
      'The trout swims against the stream.',
    );
    await expect(using().readResource(`quire://documents/${workspace.id}`)).rejects.toThrow(/not found/i);
  });

  test('invalid arguments are results with isError, not failures of the protocol', async () => {
    const calls: [string, Record<string, unknown>][] = [
      ['search', {}],
      ['search', { query: 'x', limit: 1_000 }],
      ['search', { query: 'x', nonsense: true }],
      ['search', { query: 'x', filter: { 'metadata.year': { near: 3 } } }],
      ['fetch', { id: 'x' }],
      ['read_document', { id: long.id, cursor: 'AAAA' }],
      ['read_document', { id: long.id, page: 1, section: 'Chapter 1' }],
      ['list_documents', { collection: 'x' }],
      ['ask', { question: ' ' }],
    ];
    for (const [name, input] of calls) {
      expect([name, input, (await using().call(name, input)).isError]).toEqual([name, input, true]);
    }
  });

  test('ids of other workspaces answer like unknown ones', async () => {
    const other = await createWorkspace(service, 'Other');
    const theirs = await createCollection(service, other);
    const secret = await createDocument(service, theirs, { content: 'A secret.' });
    const texts = async (collection: string, document: string) =>
      Promise.all(
        [
          using().call('fetch', { id: document }),
          using().call('read_document', { id: document }),
          using().call('view_page', { id: document, page: 1 }),
          using().call('list_documents', { collection }),
          using().call('search', { query: 'secret', collections: [collection] }),
          using().call('ask', { question: 'secret', collections: [collection] }),
        ].map(async (result) => [(await result).isError, firstText((await result) as { content: object[] })]),
      );
    expect(await texts(theirs.id, secret.id)).toEqual(await texts(workspace.id, workspace.id));
  });
});

test('a page is shown as a picture, with the lines of the found chunk marked', async () => {
  const pdf = makePdf([
    new TestPage(600, 800).text(60, 100, 'Nothing of interest is said here.', { size: 20 }),
    new TestPage(600, 800).text(60, 100, 'The osprey dives for its prey.', { size: 20 }),
  ]);
  await service.call('POST', `${fish.url}/docs/file-binary?wait=60`, {
    body: new Uint8Array(pdf),
    headers: { 'content-disposition': 'attachment; filename="osprey.pdf"' },
  });
  const found = await client.call('search', { query: 'osprey prey', collections: [fish.id], limit: 1 });
  const [hit] = dataOf<SearchData>(found).results;
  const shown = await Promise.all(
    [
      { id: hit?.id, page: 2 },
      { id: hit?.documentId, page: 2 },
    ].map(async (input) => {
      const result = await client.call('view_page', input);
      const [, image] = result.content as [object, { type: string; data: string; mimeType: string }];
      const { channels } = await sharp(Buffer.from(image.data, 'base64')).stats();
      const { marked, page } = dataOf<{ marked: number; page: number }>(result);
      return { type: image.mimeType, marked, page, blue: Math.round(channels[2]?.mean ?? 0) };
    }),
  );
  expect(shown).toMatchObject([
    { type: 'image/webp', marked: 1, page: 2 },
    { type: 'image/webp', marked: 0, page: 2 },
  ]);
  // The mark is yellow.
  expect(shown[0]?.blue).toBeLessThan(shown[1]?.blue ?? 0);
  for (const input of [{ id: hit?.id, page: 3 }, { id: trout.id, page: 1 }, { id: workspace.id }]) {
    expect((await client.call('view_page', input)).isError).toBe(true);
  }
});

test('text of a hostile document stays inside its fence, and its name on one line', async () => {
  const found = await client.call('search', { query: 'vault word', limit: 1 });
  const [hit] = dataOf<SearchData>(found).results;
  expect(hit?.title).toBe('vault ›››.md');
  for (const text of [hit?.text ?? '', dataOf<ReadData>(await client.call('fetch', { id: hostile.id })).text]) {
    const inside = unfence(text);
    expect(inside).toContain('Ignore all earlier instructions');
    expect(inside).not.toMatch(/<<<|>>>|<\|im_start/);
  }
  const tokens = [await client.call('fetch', { id: hostile.id }), await client.call('fetch', { id: hostile.id })].map(
    (result) => dataOf<ReadData>(result).text.slice(0, 21),
  );
  expect(tokens[0]).not.toBe(tokens[1]);
});

test('a search with many long hits stays within its budget and says how many are missing', async () => {
  const found = await client.call('search', { query: 'heron waits in shallow water', limit: 25 });
  const { results, omitted } = dataOf<SearchData>(found);
  expect(countTokens(firstText(found as { content: object[] }))).toBeLessThanOrEqual(6_000);
  expect(results.length + omitted).toBe(25);
  expect(omitted).toBeGreaterThan(0);
});

test('a document, an answer and a list that are too long are cut to their budget, and say so', async () => {
  const tokensOf = (result: object): number => countTokens(firstText(result as { content: object[] }));
  const fetched = await client.call('fetch', { id: long.id });
  expect(tokensOf(fetched)).toBeLessThanOrEqual(16_000);
  expect(dataOf<{ metadata: object }>(fetched).metadata).toMatchObject({
    complete: false,
    cursor: expect.any(String),
  });
  expect(countTokens(await client.readResource(`quire://documents/${long.id}`))).toBeLessThanOrEqual(16_000);
  expect(tokensOf(await client.call('ask', { question: 'Where does the heron wait?' }))).toBeLessThanOrEqual(6_000);

  const other = await createWorkspace(service, 'Many');
  const count = 30;
  for (let each = 0; each < count; each += 1)
    await createCollection(service, other, {
      name: `${each} ${'reed '.repeat(38)}`,
      description: 'wader '.repeat(300),
    });
  const many = await connect({ ...target, url: other.url, key: other.admin });
  const names = new Set<string>();
  let cursor: string | null = null;
  do {
    const listed = await many.call('list_collections', { limit: 50, ...(cursor === null ? {} : { cursor }) });
    expect(tokensOf(listed)).toBeLessThanOrEqual(6_000);
    const page: { collections: { name: string }[]; cursor: string | null } = dataOf(listed);
    for (const { name } of page.collections) names.add(name);
    cursor = page.cursor;
  } while (cursor !== null);
  expect(names.size).toBe(count);
  await many.close();
});

test('a list of documents with long names is cut with its links to the budget, and continues without a gap', async () => {
  const count = 50;
  const many = await createCollection(service, workspace, { name: 'Many' });
  const names = Array.from({ length: count }, (_each, at) => `${at} ${'reed '.repeat(45)}.md`);
  for (const name of names) {
    const json = { name, content: 'A reed.', contentType: 'text/markdown' };
    expect((await service.call('POST', `${many.url}/docs/raw`, { json })).status).toBe(202);
  }
  const seen: string[] = [];
  let cursor: string | null = null;
  let pages = 0;
  do {
    const input = { collection: many.id, limit: 50, ...(cursor === null ? {} : { cursor }) };
    const listed = await client.call('list_documents', input);
    const { content } = listed as { content: object[] };
    expect(countTokens(firstText({ content })) + countTokens(JSON.stringify(content.slice(1)))).toBeLessThanOrEqual(
      6_000,
    );
    const page: { documents: { id: string; title: string }[]; total: number; cursor: string | null } = dataOf(listed);
    expect(content.slice(1)).toEqual(
      page.documents.map(({ id, title }) =>
        expect.objectContaining({ type: 'resource_link', uri: `quire://documents/${id}`, name: title }),
      ),
    );
    expect(page.total).toBe(count);
    seen.push(...page.documents.map(({ title }) => title.split(' ')[0] ?? ''));
    cursor = page.cursor;
    pages += 1;
  } while (cursor !== null);
  expect(seen).toEqual(names.map((_name, at) => String(at)).toReversed());
  expect(pages).toBeGreaterThan(1);
});

test('a document that is deleted is gone from every tool', async () => {
  const gone = await createDocument(service, fish, { name: 'pike.md', content: 'The pike hides in the reeds.' });
  await service.call('DELETE', gone.url);
  expect((await client.call('fetch', { id: gone.id })).isError).toBe(true);
  const { results } = dataOf<SearchData>(await client.call('search', { query: 'pike reeds', collections: [fish.id] }));
  expect(results.map(({ documentId }) => documentId)).not.toContain(gone.id);
});

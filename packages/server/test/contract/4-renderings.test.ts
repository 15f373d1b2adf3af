/** CONTRACT section 4: renderings of documents whose tree is large, which are made outside of the service's process. */
import { readdirSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createCollection, createWorkspace, type AnyRecord, type TestWorkspace } from '../factories.ts';
import { connect, type ConnectedClient } from '../mcp-clients.ts';
import { startTestService, type TestService } from '../server.ts';

const chapters = Array.from(
  { length: 1500 },
  (_, at) => `# Chapter ${at + 1}\n\n${`Heron ${at + 1} waits in shallow water for fish. `.repeat(5).trim()}`,
);
const LARGE = `${chapters.join('\n\n')}\n`;

let service: TestService;
let workspace: TestWorkspace;
let collection: AnyRecord & { url: string };
let large: AnyRecord & { url: string };
let client: ConnectedClient;

beforeAll(async () => {
  service = await startTestService();
  workspace = await createWorkspace(service);
  collection = await createCollection(service, workspace);
  large = await upload('large.md', LARGE);
  client = await connect({ address: service.address, url: workspace.url, key: workspace.admin });
});
afterAll(async () => {
  await client.close();
  await service.stop();
});

async function upload(name: string, content: string): Promise<AnyRecord & { url: string }> {
  const { data } = await service.call<AnyRecord>('POST', `${collection.url}/docs/file-binary?wait=60`, {
    body: content,
    headers: { 'content-disposition': `attachment; filename="${name}"` },
  });
  expect(data['status']).toBe('ready');
  return { ...data, url: `${collection.url}/docs/${data.id}` };
}

/** Returns the names of the stored renderings of a document. */
const storedRenderings = (documentId: string): string[] =>
  readdirSync(service.dataDir, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.includes(documentId) && file.includes('rendering-'))
    .map((file) => path.basename(file))
    .toSorted();

describe('a document with a large tree', () => {
  test('is rendered once in the sandbox, and answers as a small one', async () => {
    expect(storedRenderings(large.id)).toEqual([]);
    const [first, second] = await Promise.all([
      service.call('GET', `${large.url}/markdown`),
      service.call('GET', `${large.url}/markdown`),
    ]);
    expect([first.text, second.text]).toEqual([LARGE, LARGE]);
    const stored = await service.call('GET', `${large.url}/markdown`, { headers: { 'accept-encoding': 'identity' } });
    expect(stored.text).toBe(LARGE);
    expect(stored.headers.get('content-length')).toBe(String(LARGE.length));
    expect(stored.headers.get('content-type')).toBe('text/markdown; charset=utf-8');
    const headers = { range: 'bytes=2-8', 'accept-encoding': 'identity' };
    const part = await service.call('GET', `${large.url}/markdown`, { headers });
    expect([part.status, part.text, part.headers.get('content-range')]).toEqual([
      206,
      'Chapter',
      `bytes 2-8/${LARGE.length}`,
    ]);
    const etag = stored.headers.get('etag') ?? '';
    expect((await service.call('GET', `${large.url}/markdown`, { headers: { 'if-none-match': etag } })).status).toBe(
      304,
    );
    expect(storedRenderings(large.id)).toEqual(['rendering-1.markdown.gz']);
    const html = await service.call('GET', `${large.url}/html`);
    expect(html.text.match(/<h1 /g)).toHaveLength(1500);
  });

  test('is sent with its blocks as a stream, with the fields of a record', async () => {
    const plain = await service.call<AnyRecord>('GET', large.url);
    const url = `${large.url}?include=blocks,chunks`;
    const { data, headers, text } = await service.call<AnyRecord>('GET', url, {
      headers: { 'accept-encoding': 'identity' },
    });
    const { blocks, chunks, chunksCursor, ...record } = data as AnyRecord & Record<'blocks' | 'chunks', object[]>;
    expect(record).toEqual(plain.data);
    expect(blocks).toHaveLength(1500);
    expect(blocks[1499]).toEqual({
      id: 'b4498',
      type: 'section',
      children: [
        { id: 'b4499', type: 'heading', level: 1, text: 'Chapter 1500' },
        { id: 'b4500', type: 'paragraph', text: `Heron 1500 waits in shallow water for fish. `.repeat(5).trim() },
      ],
    });
    expect([chunks.length, typeof chunksCursor]).toEqual([100, 'string']);
    expect(JSON.parse(text)).toEqual({ data, status: 'ok' });
    expect(headers.get('content-length')).toBe(String(Buffer.byteLength(text)));
    expect(headers.get('content-type')).toBe('application/json; charset=utf-8');
  });

  test('is read by assistants section by section and page by page', async () => {
    type Read = { text: string; cursor: string | null; outline: { section: string; title: string }[] | null };
    const call = async (input: object): Promise<Read> =>
      (await client.call('read_document', { id: large.id, ...input })).structuredContent as Read;
    const start = await call({ maxTokens: 2000 });
    expect(start.outline?.[0]).toEqual({ section: 'b2', title: 'Chapter 1', level: 1, page: null });
    expect(start.text).toContain('# Chapter 1\n');
    const next = await call({ cursor: start.cursor, maxTokens: 2000 });
    expect(next.outline).toBeNull();
    const section = await call({ section: 'Chapter 1499' });
    expect([section.text.includes('Heron 1499 waits'), section.text.includes('Chapter 1500'), section.cursor]).toEqual([
      true,
      false,
      null,
    ]);
    const missing = await client.call('read_document', { id: large.id, page: 3 });
    expect(JSON.stringify(missing)).toContain('the document has no text on this page');
  });
});

describe('a table whose cells span without measure', () => {
  test('is rendered with each cell once', async () => {
    const rows = Array.from({ length: 23_000 }, (_, at) => `<tr><td colspan=1000>${at}</td><td colspan=9>b</td></tr>`);
    const table = await upload('spans.html', `<table>${rows.join('')}</table>`);
    expect(table['warnings']).toEqual([
      {
        type: 'simplified',
        message: 'Cells of a table span far more rows or columns than it has: their spans were reduced',
        pages: [],
      },
    ]);
    const markdown = await service.call('GET', `${table.url}/markdown`);
    expect(markdown.text).toBe(
      `| 0 | b |\n| --- | --- |\n${rows
        .slice(1)
        .map((_, at) => `| ${at + 1} | b |\n`)
        .join('')}`,
    );
    const html = await service.call('GET', `${table.url}/html`);
    expect(html.text).not.toContain('colspan');
    const { data } = await service.call<{ blocks: { rows: object[][] }[] }>('GET', `${table.url}?include=blocks`);
    expect(data.blocks[0]?.rows[1]).toEqual([
      { text: '1', rowSpan: 1, colSpan: 1, header: false },
      { text: 'b', rowSpan: 1, colSpan: 1, header: false },
    ]);
  });
});

test('renderings are erased with their document', async () => {
  const erased = await upload('erased.md', LARGE);
  await service.call('GET', `${erased.url}/html`);
  expect(storedRenderings(erased.id)).toEqual(['rendering-1.html.gz']);
  await service.call('DELETE', `${erased.url}?purge=true`);
  await expect.poll(() => storedRenderings(erased.id)).toEqual([]);
});

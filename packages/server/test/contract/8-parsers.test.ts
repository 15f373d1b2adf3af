/** CONTRACT sections 4 and 8: documents whose pages an external provider reads, also during failures. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import sharp from 'sharp';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { makePdf, TestPage } from '@quire/parse/formats/pdf/testing/make-pdf';
import {
  createCollection,
  createDocument,
  createWorkspace,
  runForm,
  type AnyRecord,
  type TestWorkspace,
} from '../factories.ts';
import { startTestService, type TestService } from '../server.ts';

let service: TestService;
let workspace: TestWorkspace;
let baseUrl: string;
/** Widths of the requested pictures of pages, in order. */
const asked: number[] = [];
const fine = (page: number): unknown => `# Page ${page}\n\nThe lease of flat ${page} ends in May.`;
let respond: (page: number) => unknown = fine;

/** Pages of the PDFs here differ in their width: 100 points and one more for each page. */
const pageOf = (width: number): number => Math.round((width * 72) / 200) - 100;

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  const body = Buffer.concat(parts).toString();
  const base64 = /(?:base64,|"data":")([^"]+)"/.exec(body)?.[1] ?? '';
  const { width = 0 } = await sharp(Buffer.from(base64, 'base64')).metadata();
  asked.push(pageOf(width));
  const said = respond(pageOf(width));
  if (typeof said === 'number') return void response.writeHead(said, { 'retry-after': '0' }).end('{}');
  const isGemini = request.url?.includes(':generateContent') === true;
  const gemini = { candidates: [{ content: { parts: [{ text: said }] }, finishReason: 'STOP' }] };
  response.end(JSON.stringify(isGemini ? gemini : { pages: [said] }));
}

const server = createServer((request, response) => void answer(request, response));

beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
  service = await startTestService({ QUIRE_ALLOW_PRIVATE_NETWORK: '127.0.0.1' });
  workspace = await createWorkspace(service);
});
afterEach(() => {
  asked.length = 0;
  respond = fine;
});
afterAll(async () => {
  await service.stop();
  server.closeAllConnections();
  server.close();
});

async function createParser(config: Record<string, unknown>): Promise<string> {
  const made = await service.call<AnyRecord>('POST', `${workspace.url}/config/parsers`, {
    json: { name: 'Outside', config: { apiKey: 'key-of-the-parser', baseUrl, ...config } },
  });
  if (made.status !== 201) throw new Error(made.text);
  return made.data.id;
}

const gemini = { provider: 'provider_b', model: 'gemini-2.5-flash' };

async function upload(collection: { url: string }, pages: number): Promise<AnyRecord & { url: string }> {
  const drawn = Array.from({ length: pages }, (_, at) => new TestPage(101 + at, 100).text(10, 50, 'Text'));
  const { data } = await service.call<AnyRecord>('POST', `${collection.url}/docs/file-binary?wait=60`, {
    body: new Uint8Array(makePdf(drawn)),
    headers: { 'content-disposition': 'attachment; filename=lease.pdf' },
  });
  return { ...data, url: `${collection.url}/docs/${data.id}` };
}

interface Block {
  type: string;
  text?: string;
  page?: number;
  bbox?: number[];
  children?: Block[];
}
const flat = (blocks: readonly Block[]): Block[] =>
  blocks.flatMap((block) => [block, ...flat(block.children ?? [])]).filter(({ text }) => text !== undefined);

async function blocksOf(document: { url: string }): Promise<Block[]> {
  const { data } = await service.call<{ blocks: Block[] }>('GET', `${document.url}?include=blocks`);
  return flat(data.blocks);
}

test('the pages of a PDF are read from their pictures; what is found in them has its page', async () => {
  const collection = await createCollection(service, workspace, { parserId: await createParser(gemini) });
  const document = await upload(collection, 6);
  expect([document['status'], document['pageCount']]).toEqual(['ready', 6]);
  expect(asked.toSorted((a, b) => a - b)).toEqual([1, 2, 3, 4, 5, 6]);
  expect((await blocksOf(document)).map(({ type, text, page }) => [type, text, page]).slice(0, 3)).toEqual([
    ['heading', 'Page 1', 1],
    ['paragraph', 'The lease of flat 1 ends in May.', 1],
    ['heading', 'Page 2', 2],
  ]);
  const found = await service.call<{ hits: { boxes: { page: number }[] }[] }>('POST', `${collection.url}/search`, {
    json: { query: 'flat 5' },
  });
  expect(found.data.hits.some(({ boxes }) => boxes.some(({ page }) => page === 5))).toBe(true);
});

test('blocks of an OCR service keep their boxes', async () => {
  const corners = { top_left_x: 10, top_left_y: 20, bottom_right_x: 50, bottom_right_y: 40 };
  respond = () => ({
    markdown: 'The lease',
    blocks: [{ type: 'text', content: 'The lease', ...corners }],
    dimensions: { dpi: 72, width: 100, height: 200 },
  });
  const collection = await createCollection(service, workspace, {
    parserId: await createParser({ provider: 'provider_c' }),
  });
  expect(await blocksOf(await upload(collection, 1))).toEqual([
    expect.objectContaining({ type: 'paragraph', text: 'The lease', page: 1, bbox: [0.1, 0.1, 0.5, 0.2] }),
  ]);
});

test('a reading that breaks off is carried on at the page where it did', async () => {
  let troubles = 0;
  respond = (page) => (page === 6 && (troubles += 1) <= 5 ? 503 : fine(page));
  const collection = await createCollection(service, workspace, {
    parserId: await createParser({ ...gemini, maxConcurrency: 2 }),
  });
  const document = await upload(collection, 8);
  expect(document['status']).toBe('ready');
  const times = [1, 2, 3, 4, 5, 6, 7, 8].map((page) => asked.filter((each) => each === page).length);
  expect(times).toEqual([1, 1, 1, 1, 1, 6, 1, 1]);
});

test('a provider that refuses fails the document with its reason', async () => {
  respond = () => 401;
  const collection = await createCollection(service, workspace, { parserId: await createParser(gemini) });
  const document = await upload(collection, 1);
  expect([document['status'], document['error']]).toEqual([
    'failed',
    { type: 'provider_error', message: 'The provider answered 401: it does not accept the key' },
  ]);
});

test('formats that a provider cannot see, and pictures in which it finds nothing, are read by the built-in parser', async () => {
  const collection = await createCollection(service, workspace, { parserId: await createParser(gemini) });
  const note = await createDocument(service, collection);
  expect([note['status'], asked]).toEqual(['ready', []]);
  respond = () => '';
  const picture = await sharp({ create: { width: 280, height: 40, channels: 3, background: '#fff' } })
    .png()
    .toBuffer();
  const { data } = await service.call<AnyRecord>('POST', `${collection.url}/docs/file-binary?wait=60`, {
    body: new Uint8Array(picture),
    headers: { 'content-disposition': 'attachment; filename=empty.png' },
  });
  expect([data['status'], asked.length]).toEqual(['ready', 1]);
  expect((await blocksOf({ url: `${collection.url}/docs/${data.id}` }))[0]?.text).toContain('empty.png');
});

test('an outside parser is tried with a small picture; its failure is an answer', async () => {
  const id = await createParser(gemini);
  const tryOut = () =>
    service.call<{ ok: boolean; message: string }>('POST', `${workspace.url}/config/parsers/${id}/test`);
  respond = () => 'The lease ends in May.';
  expect((await tryOut()).data).toMatchObject({ ok: true, message: 'A page was read: 22 characters' });
  respond = () => 403;
  expect((await tryOut()).data).toMatchObject({
    ok: false,
    message: 'The provider answered 403: the key may not do this',
  });
});

test('a run is parsed by the provider that it requests', async () => {
  const other = await createWorkspace(service);
  const json = { name: 'Outside', config: { apiKey: 'key-of-the-parser', baseUrl, ...gemini } };
  await service.call('POST', `${other.url}/config/parsers`, { json });
  const pdf = makePdf([new TestPage(101, 100).text(10, 50, 'Text')]);
  const body = runForm({ 'lease.pdf': pdf }, { parserConfig: { provider: 'provider_b' } });
  const { data } = await service.call<{
    status: string;
    outcome: { files: { parse: { markdown: { content: string } } }[] };
  }>('POST', `${other.url}/process?wait=60`, { body });
  expect([data.status, data.outcome.files[0]?.parse.markdown.content, asked]).toEqual([
    'done',
    '# Page 1\n\nThe lease of flat 1 ends in May.\n',
    [1],
  ]);
});

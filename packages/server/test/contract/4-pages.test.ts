/** CONTRACT sections 4 and 7: the pages of documents and of files of runs as pictures. */
import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { makePdf, TestPage } from '@quire/parse/formats/pdf/testing/make-pdf';
import {
  ask,
  createChat,
  createCollection,
  createDocument,
  createRun,
  createWorkspace,
  type TestWorkspace,
} from '../factories.ts';
import { startTestService, type TestService } from '../server.ts';

const pdf = makePdf([
  new TestPage(600, 800).text(60, 100, 'The first page of the lease.', { size: 20 }),
  new TestPage(600, 400).text(60, 100, 'The second page of the lease.', { size: 20 }),
]);
/** The words of the first page, in 0..1 of the page. */
const WORDS = '0.08,0.09,0.6,0.14';

let service: TestService;
let workspace: TestWorkspace;
let collection: { id: string; url: string };
let document: { id: string; url: string };

beforeAll(async () => {
  service = await startTestService();
  workspace = await createWorkspace(service);
  collection = await createCollection(service, workspace);
  document = await upload('lease.pdf', pdf);
});
afterAll(() => service.stop());

async function upload(name: string, body: Buffer): Promise<{ id: string; url: string }> {
  const { data, text } = await service.call<{ id: string; status: string }>(
    'POST',
    `${collection.url}/docs/file-binary?wait=60`,
    { body: new Uint8Array(body), headers: { 'content-disposition': `attachment; filename="${name}"` } },
  );
  if (data.status !== 'ready') throw new Error(text);
  return { id: data.id, url: `${collection.url}/docs/${data.id}` };
}

async function fetchPicture(url: string, headers: Record<string, string> = {}): Promise<Response> {
  return fetch(`${service.address}${url}`, { headers });
}

async function picture(url: string) {
  const { key } = { key: workspace.admin };
  const answer = await fetchPicture(url, { authorization: `Bearer ${key}` });
  expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'image/webp']);
  const bytes = Buffer.from(await answer.arrayBuffer());
  const { width, height } = await sharp(bytes).metadata();
  const { data, info } = await sharp(bytes).removeAlpha().raw().toBuffer({ resolveWithObject: true });
  const count = (matches: (r: number, g: number, b: number) => boolean): number => {
    let found = 0;
    for (let at = 0; at < data.length; at += info.channels) {
      if (matches(data[at] ?? 0, data[at + 1] ?? 0, data[at + 2] ?? 0)) found += 1;
    }
    return found / (width * height);
  };
  return {
    size: [width, height],
    dark: count((r, g, b) => r + g + b < 200),
    yellow: count((r, g, b) => r > 200 && g > 150 && b < 150),
  };
}

const pictureFolder = (...parts: string[]): string =>
  path.join(service.dataDir, 'storage', 'objects', 'page-pictures', 'workspaces', workspace.id, ...parts);

test('the pages of a PDF are listed with their sizes and drawn at the requested width', async () => {
  expect((await service.call('GET', `${document.url}/pages`)).data).toEqual([
    { page: 1, width: 600, height: 800 },
    { page: 2, width: 600, height: 400 },
  ]);
  const page = await picture(`${document.url}/pages/1?width=600`);
  expect(page.size).toEqual([600, 800]);
  expect(page.dark).toBeGreaterThan(0.001);
  expect((await picture(`${document.url}/pages/2`)).size).toEqual([1200, 800]);
});

test('boxes are marked on the whole page, or the picture is cropped to their area', async () => {
  const marked = await picture(`${document.url}/pages/1?width=600&box=${WORDS}&box=0.5,0.5,0.6,0.6&mark=true`);
  expect(marked.size).toEqual([600, 800]);
  // The boxes cover 0.026 and 0.01 of the page.
  expect(marked.yellow).toBeGreaterThan(0.025);
  expect(marked.yellow).toBeLessThan(0.036);
  expect(marked.dark).toBeGreaterThan(0.001);
  const cropped = await picture(`${document.url}/pages/1?width=600&box=${WORDS}`);
  expect(cropped.size).toEqual([312, 40]);
  expect(cropped.dark).toBeGreaterThan(0.05);
  const area = await picture(`${document.url}/pages/1?width=600&box=0.1,0.1,0.2,0.2&box=0.5,0.2,0.6,0.4`);
  expect(area.size).toEqual([300, 240]);
});

test('a picture has an entity tag and is stored, so that it is drawn once', async () => {
  const url = `${document.url}/pages/1?width=700`;
  const [first, second] = await Promise.all([service.call('GET', url), service.call('GET', url)]);
  const etag = first.headers.get('etag')!;
  expect(second.headers.get('etag')).toBe(etag);
  const again = await service.call('GET', url, { headers: { 'if-none-match': etag } });
  expect([again.status, again.text]).toEqual([304, '']);
  const other = await service.call('GET', `${url}&box=${WORDS}`, { headers: { 'if-none-match': etag } });
  expect(other.status).toBe(200);
  expect((await service.call('GET', url)).headers.get('etag')).toBe(etag);
  const metrics = await service.call('GET', '/metrics');
  const drawn = /quire_page_picture_duration_seconds_count\{outcome="drawn"\} (\d+)/.exec(metrics.text)?.[1];
  // Both pages of this file's first test, this one, and two lists at most.
  expect(Number(drawn)).toBeLessThanOrEqual(5);
});

test('wrong parameters are refused, each at its place, and a page that does not exist is 404', async () => {
  const wrong = await service.call('GET', `${document.url}/pages/1?width=300&box=0.5,0.5,0.4,0.6&box=1,2&mark=2`);
  expect([wrong.status, wrong.detail.map(({ loc, type }) => [loc.join('.'), type])]).toEqual([
    422,
    [
      ['query.width', 'greater_than_equal'],
      ['query.box.0', 'value_error'],
      ['query.box.1', 'value_error'],
      ['query.mark', 'bool_parsing'],
    ],
  ]);
  const paths = [`${document.url}/pages/0`, `${document.url}/pages/x`, `${document.url}/pages/3`];
  const answers = await Promise.all(paths.map((url) => service.call('GET', url)));
  expect(answers.map(({ status, detail }) => [status, detail[0]?.loc, detail[0]?.type])).toEqual([
    [422, ['path', 'page'], 'greater_than_equal'],
    [422, ['path', 'page'], 'int_parsing'],
    [404, ['path', 'page'], 'not_found'],
  ]);
});

test('images have pages, also each page of a TIFF, and are not enlarged', async () => {
  const image = sharp({ create: { width: 500, height: 250, channels: 3, background: '#335577' } });
  const png = await upload('photo.png', await image.png().toBuffer());
  expect((await service.call('GET', `${png.url}/pages`)).data).toEqual([{ page: 1, width: 500, height: 250 }]);
  expect((await picture(`${png.url}/pages/1`)).size).toEqual([500, 250]);
  expect((await picture(`${png.url}/pages/1?width=400&box=0,0,0.5,0.5`)).size).toEqual([200, 100]);
  const frames = Buffer.concat([Buffer.alloc(600 * 400 * 3, 200), Buffer.alloc(600 * 400 * 3, 40)]);
  const tiff = await sharp(frames, { raw: { width: 600, height: 800, channels: 3, pageHeight: 400 } })
    .tiff({ compression: 'lzw' })
    .toBuffer();
  const scan = await upload('scan.tiff', tiff);
  expect((await service.call<unknown[]>('GET', `${scan.url}/pages`)).data).toHaveLength(2);
  expect((await picture(`${scan.url}/pages/2?width=600`)).dark).toBe(1);
});

test('a format without pages answers 404 no_picture with the reason', async () => {
  const note = await createDocument(service, collection);
  for (const url of [`${note.url}/pages`, `${note.url}/pages/1`]) {
    const { status, detail } = await service.call('GET', url);
    expect([status, detail[0]?.type, detail[0]?.ctx]).toEqual([404, 'no_picture', { reason: 'unsupported' }]);
  }
});

test('signed links reach the list of pages and each picture without a key', async () => {
  const { data } = await service.call<Record<string, string>>('POST', `${document.url}/links`, { json: {} });
  const list = await fetchPicture(data['pages'] ?? '');
  expect([list.status, ((await list.json()) as { data: unknown[] }).data.length]).toEqual([200, 2]);
  const page = (data['page'] ?? '').replace('{page}', '2');
  expect((await fetchPicture(`${page}&width=400`)).status).toBe(200);
  expect((await fetchPicture(page.replace('/pages/2', '/original'))).status).toBe(401);
});

test('the files of a run have pages until the run is deleted', async () => {
  const run = await createRun(service, workspace, { files: { 'lease.pdf': pdf, 'note.md': 'A note.' } });
  const pages = `${run.url}/files/1/pages`;
  expect((await service.call<unknown[]>('GET', pages)).data).toHaveLength(2);
  expect((await picture(`${pages}/2?width=400`)).size).toEqual([400, 266]);
  expect((await service.call('GET', `${run.url}/files/2/pages`)).detail[0]?.type).toBe('no_picture');
  expect((await service.call('GET', `${run.url}/files/3/pages`)).detail[0]?.type).toBe('not_found');
  expect(readdirSync(pictureFolder('runs', run.id))).toHaveLength(1);
  expect((await service.call('DELETE', run.url)).status).toBe(200);
  expect((await service.call('GET', `${pages}/2?width=400`)).status).toBe(404);
  expect(existsSync(pictureFolder('runs', run.id))).toBe(false);
});

test('purging a document deletes its pictures', async () => {
  const purged = await upload('purged.pdf', makePdf([new TestPage().text(60, 100, 'To be purged.')]));
  await picture(`${purged.url}/pages/1`);
  const folder = pictureFolder('collections', collection.id, 'documents', purged.id);
  expect(existsSync(folder)).toBe(true);
  expect((await service.call('DELETE', `${purged.url}?purge=true`)).status).toBe(200);
  await expect.poll(() => existsSync(folder), { timeout: 20_000 }).toBe(false);
  expect((await service.call('GET', `${purged.url}/pages/1`)).status).toBe(404);
});

interface PlacedHit {
  text: string;
  highlights: [number, number][];
  highlightBoxes: { page: number; bbox: [number, number, number, number] }[];
  highlightBlocks: { blockId: string; start?: number; end?: number }[];
  boxes: unknown[];
}

async function hitsOf(query: string, documentId: string, highlight: boolean): Promise<PlacedHit[]> {
  const json = { query, mode: 'sparse', highlight, filter: { id: documentId } };
  return (await service.call<{ hits: PlacedHit[] }>('POST', `${collection.url}/search`, { json })).data.hits;
}

test('hits have the boxes of the lines with highlights, beside those of the chunk', async () => {
  const lines = [
    'A paragraph has several lines, and only',
    'those with a walrus are marked for',
    'readers of the page.',
  ];
  const page = new TestPage(600, 800).lines(60, 100, lines);
  const placed = await upload('walrus.pdf', makePdf([page]));
  const [hit] = await hitsOf('walrus', placed.id, true);
  expect(hit?.highlightBlocks).toEqual([]);
  expect(hit?.highlightBoxes).toHaveLength(1);
  const {
    page: number,
    bbox: [x0, y0, x1, y1],
  } = hit!.highlightBoxes[0]!;
  // The second line: its baseline is 112 of 800 points from the top.
  expect([number, x0 > 0.09 && x1 < 0.5, y0 > 100 / 800 && y0 < 108 / 800, y1 > 111 / 800 && y1 < 117 / 800]).toEqual([
    1,
    true,
    true,
    true,
  ]);
  expect(hit?.boxes).toHaveLength(1);
  expect((await hitsOf('walrus', placed.id, false))[0]?.highlightBoxes).toEqual([]);
});

test('hits and citations of a format without pages name the block and the range in its text', async () => {
  const content = '<h1>Sea</h1><p>Whales sing in the deep water of the north.</p><p>The walrus sleeps on ice.</p>';
  const note = await createDocument(service, collection, { name: 'sea.html', content, contentType: 'text/html' });
  const [hit] = await hitsOf('walrus', note.id, true);
  const { data } = await service.call<{ blocks: unknown }>('GET', `${note.url}?include=blocks`);
  const blocks = new Map<string, string>();
  const collect = (value: unknown): void => {
    if (Array.isArray(value)) for (const each of value) collect(each);
    else if (typeof value === 'object' && value !== null) {
      const { id, text, children } = value as { id: string; text?: string; children?: unknown };
      if (text !== undefined) blocks.set(id, text);
      collect(children);
    }
  };
  collect(data.blocks);
  const [range] = hit!.highlightBlocks;
  expect(blocks.get(range!.blockId)?.slice(range!.start, range!.end)).toBe('walrus');
  expect((await service.call('GET', `${note.url}/html`)).text).toContain(`id="${range!.blockId}"`);
  const chat = await createChat(service, workspace, { collection_id: collection.id, filter: { id: note.id } });
  const { messages } = await ask(service, chat, 'Where does the walrus sleep?');
  const [citation] = messages[1].citations;
  expect([citation?.collectionId, citation?.boxes]).toEqual([collection.id, []]);
  const quoted = citation!.blocks.map(({ blockId, start, end }) => blocks.get(blockId)?.slice(start, end));
  expect(citation!.snippet).toContain('The walrus sleeps on ice.');
  expect(quoted.at(-1)).toBe('The walrus sleeps on ice.');
});

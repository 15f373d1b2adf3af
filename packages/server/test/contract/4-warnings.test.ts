// large: recognises pages
/** CONTRACT section 4: warnings about what could not be read of a document. */
import { execFileSync } from 'node:child_process';
import pg from 'pg';
import sharp from 'sharp';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createCollection, createWorkspace, subscribe, type AnyRecord, type TestWorkspace } from '../factories.ts';
import { startTestService, type TestService } from '../server.ts';

const SCRIPT_MISSING = {
  type: 'ocr_language_missing',
  message: 'Text in Cyrillic script was left out: the OCR languages (eng) do not cover it',
  pages: [1],
};
const WITHOUT_TEXT = { type: 'pages_without_text', message: 'No text was read from these pages', pages: [1] };

const LINES = [
  'Смотритель порта ведёт книгу, в которую',
  'записывают каждое большое судно вместе с',
  'днём прибытия и его родным портом.',
];
const DRAWING = new URL('../../../parse/dist/ocr/testing/text-picture.js', import.meta.url).href;

/** Draws a page in a script that no installed model reads, in a process of its own, because fonts are chosen once. */
function russianPage(): Buffer {
  const texts = LINES.map((text, index) => ({ text, x: 80, y: 140 + index * 60, size: 40 }));
  const script = `const { textPicture } = await import(${JSON.stringify(DRAWING)});
    process.stdout.write(await textPicture(${JSON.stringify(texts)}));`;
  return execFileSync(process.execPath, ['--input-type=module', '-e', script], { maxBuffer: 10_000_000 });
}

let service: TestService;
let workspace: TestWorkspace;
let collection: AnyRecord & { url: string };
let scan: Uint8Array<ArrayBuffer>;

beforeAll(async () => {
  service = await startTestService();
  workspace = await createWorkspace(service);
  const post = (url: string, json: unknown) => service.call('POST', url, { json });
  await subscribe(post, workspace.url, 'document.ready', 'document.failed');
  collection = await createCollection(service, workspace);
  scan = new Uint8Array(russianPage());
});
afterAll(() => service.stop());

const upload = (body: Uint8Array<ArrayBuffer>, name: string, contentType = 'image/png') =>
  service.call('POST', `${collection.url}/docs/file-binary?wait=60`, {
    body,
    headers: { 'content-disposition': `attachment; filename="${name}"`, 'content-type': contentType },
  });

const listed = async (query: string): Promise<unknown[]> => {
  const { data } = await service.call<{ items: AnyRecord[] }>('GET', `${collection.url}/docs?${query}`);
  return data.items.map(({ name }) => name);
};

async function eventOf(documentId: unknown): Promise<unknown> {
  const client = new pg.Client({ connectionString: service.connectionString });
  await client.connect();
  try {
    const { rows } = await client.query<{ type: string; data: { warnings: unknown } }>(
      `select type, data from events where data->>'documentId' = $1`,
      [documentId],
    );
    return rows.map(({ type, data }) => [type, data.warnings]);
  } finally {
    await client.end();
  }
}

test('a scan in a script without an OCR language fails with no_text and warnings that name the script', async () => {
  const { data } = await upload(scan, 'Rapport annuel de la direction.png');
  expect([data['status'], data['language'], data['chunkCount'], data['error'], data['warnings']]).toEqual([
    'failed',
    null,
    0,
    {
      type: 'no_text',
      message: `The document holds no readable text. ${SCRIPT_MISSING.message}. ${WITHOUT_TEXT.message}`,
    },
    [SCRIPT_MISSING, WITHOUT_TEXT],
  ]);
  expect(await eventOf(data['id'])).toEqual([['document.failed', [SCRIPT_MISSING, WITHOUT_TEXT]]]);
});

test('a picture without text is ready with a warning, and its name does not decide its language', async () => {
  const pixel = await sharp({ create: { width: 1, height: 1, channels: 3, background: '#000' } })
    .png()
    .toBuffer();
  const { data } = await upload(new Uint8Array(pixel), 'Le rapport annuel de la direction générale.png');
  expect([data['status'], data['language'], data['chunkCount'], data['warnings']]).toEqual([
    'ready',
    null,
    1,
    [WITHOUT_TEXT],
  ]);
  expect(await eventOf(data['id'])).toEqual([['document.ready', [WITHOUT_TEXT]]]);
});

test('documents are listed by the type of a warning, and counted in the metrics', async () => {
  const plain = await upload(new TextEncoder().encode('The heron stands in the reeds.'), 'heron.txt', 'text/plain');
  expect(plain.data['warnings']).toEqual([]);
  expect(await listed('warning=ocr_language_missing')).toEqual(['Rapport annuel de la direction.png']);
  expect(await listed('warning=pages_without_text&status=ready')).toEqual([
    'Le rapport annuel de la direction générale.png',
  ]);
  expect(await listed('warning=truncated')).toEqual([]);
  const unknown = await service.call('GET', `${collection.url}/docs?warning=none`);
  expect([unknown.status, unknown.detail[0]?.type]).toEqual([422, 'enum']);
  const metrics = (await service.call('GET', '/metrics')).text;
  expect(metrics).toContain('quire_document_warnings_total{type="ocr_language_missing"} 1');
  expect(metrics).toContain('quire_document_warnings_total{type="pages_without_text"} 2');
});

test('new content removes the warnings of the old content', async () => {
  const { data } = await service.call<{ items: AnyRecord[] }>(
    'GET',
    `${collection.url}/docs?warning=ocr_language_missing`,
  );
  const url = `${collection.url}/docs/${data.items[0]?.id}/raw?wait=60`;
  const json = { name: 'note.md', content: 'The owl sees at night.', contentType: 'text/markdown' };
  const replaced = await service.call('PUT', url, { json });
  expect([replaced.data['status'], replaced.data['warnings']]).toEqual(['ready', []]);
});

test('a run reports the warnings of each file it parsed', async () => {
  const body = new FormData();
  body.append('files', new Blob([scan], { type: 'image/png' }), 'scan.png');
  const { data } = await service.call<{
    status: string;
    outcome: { files: { parse: { warnings: unknown; language: unknown } }[] };
  }>('POST', `${workspace.url}/process?wait=60`, { body });
  const parsed = data.outcome.files[0]?.parse;
  expect([data.status, parsed?.language, parsed?.warnings]).toEqual(['done', null, [SCRIPT_MISSING, WITHOUT_TEXT]]);
});

import { expect, test } from 'vitest';
import { describeDocumentParser, fixture, picture, stage } from '../../document-parser-conformance.ts';

const wire = {
  provider: 'provider_c',
  fixtures: new URL('fixtures/', import.meta.url),
  baseUrl: (origin: string) => `${origin}/v1`,
} as const;
const { signal } = new AbortController();

describeDocumentParser(wire);

test('a request follows the API’s documentation, with the newest model by default', async () => {
  const { parser, requests } = await stage(wire, [await fixture(wire, 'page')], { model: undefined });
  await parser.readPage(picture, signal);
  const [request] = requests;
  expect([request?.path, request?.headers.authorization, request?.body]).toEqual([
    '/v1/ocr',
    'Bearer sk-conformance-0123456789',
    {
      model: 'mistral-ocr-latest',
      document: { type: 'image_url', image_url: 'data:image/jpeg;base64,/9j/' },
      include_image_base64: false,
      include_blocks: true,
    },
  ]);
});

test('images in the Markdown become figures with their boxes', async () => {
  const { parser } = await stage(wire, [await fixture(wire, 'page')]);
  const { parts } = await parser.readPage(picture, signal);
  expect(parts.filter(({ type }) => type !== null)).toEqual([
    { type: 'figure', markdown: '', bbox: [0.2, 0.5, 0.6, 0.75] },
  ]);
});

test('boxes of blocks are fractions of the page; running headers are dropped', async () => {
  const { parser } = await stage(wire, [await fixture(wire, 'page-with-blocks')]);
  expect((await parser.readPage(picture, signal)).parts).toEqual([
    { type: 'heading', markdown: '# Lease', bbox: [0.1, 0.1, 0.5, 0.15] },
    { type: null, markdown: 'The lease ends in May.', bbox: [0.1, 0.2, 0.9, 0.3] },
  ]);
});

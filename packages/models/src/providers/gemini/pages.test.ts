import { expect, test } from 'vitest';
import { describeDocumentParser, fixture, picture, stage } from '../../document-parser-conformance.ts';
import { answer } from '../../testing/wire-server.ts';

const wire = {
  provider: 'provider_b',
  fixtures: new URL('fixtures/', import.meta.url),
  baseUrl: (origin: string) => `${origin}/v1beta`,
} as const;
const { signal } = new AbortController();

describeDocumentParser(wire);

test('a request follows the API’s documentation, and tokens are counted', async () => {
  const { parser, requests, calls } = await stage(wire, [await fixture(wire, 'page')], { model: 'gemini-2.5-flash' });
  await parser.readPage(picture, signal);
  const [request] = requests;
  expect([request?.path, request?.headers['x-goog-api-key']]).toEqual([
    '/v1beta/models/gemini-2.5-flash:generateContent',
    'sk-conformance-0123456789',
  ]);
  expect(request?.body).toEqual({
    contents: [
      {
        role: 'user',
        parts: [
          { inlineData: { mimeType: 'image/jpeg', data: '/9j/' } },
          { text: expect.stringContaining('Transcribe this page') },
        ],
      },
    ],
    generationConfig: { temperature: 0, maxOutputTokens: 16_384 },
  });
  expect(calls.map(({ inputTokens, outputTokens }) => [inputTokens, outputTokens])).toEqual([[1290, 31]]);
});

test('a refused or truncated page gives a warning', async () => {
  const say = async (body: unknown) => {
    const { parser } = await stage(wire, [answer(200, JSON.stringify(body))]);
    const { parts, warnings } = await parser.readPage(picture, signal);
    return [parts.map(({ markdown }) => markdown), warnings.map(({ type, message, pages }) => [type, message, pages])];
  };
  expect(await say({ promptFeedback: { blockReason: 'PROHIBITED_CONTENT' } })).toEqual([
    [],
    [['truncated', 'A page was not read: the provider refused it (PROHIBITED_CONTENT)', [3]]],
  ]);
  expect(await say({ candidates: [{ finishReason: 'RECITATION' }] })).toEqual([
    [''],
    [['truncated', 'A page was not read: the provider refused it (RECITATION)', [3]]],
  ]);
  const cut = { candidates: [{ content: { parts: [{ text: '# Le' }] }, finishReason: 'MAX_TOKENS' }] };
  expect(await say(cut)).toEqual([['# Le'], [['truncated', 'A page was cut off at the limit of output tokens', [3]]]]);
});

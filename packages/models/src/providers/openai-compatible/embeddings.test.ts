import { expect, test } from 'vitest';
import { describeEmbedder, stage } from '../../embedder-conformance.ts';
import { answer, type SeenRequest } from '../../testing/wire-server.ts';

const wire = {
  provider: 'provider_a',
  fixtures: new URL('fixtures/', import.meta.url),
  baseUrl: (origin: string) => `${origin}/v1`,
  vectors: (vectors: readonly (readonly number[])[]) => ({
    data: vectors.map((embedding, index) => ({ object: 'embedding', index, embedding })),
  }),
  textsOf: ({ body }: SeenRequest) => (body as { input: string[] }).input,
} as const;

describeEmbedder(wire);

test('a request follows the API’s documentation, and tokens are counted', async () => {
  const body = { ...wire.vectors([[1, 0, 0]]), usage: { prompt_tokens: 7, total_tokens: 7 } };
  const { embedder, requests, calls, origin } = await stage(wire, [answer(200, JSON.stringify(body))]);
  await embedder.embedQuery('When?', new AbortController().signal);
  const [request] = requests;
  expect([request?.path, request?.headers.authorization, request?.body]).toEqual([
    '/v1/embeddings',
    'Bearer sk-conformance-0123456789',
    { model: 'm', input: ['When?'], encoding_format: 'float' },
  ]);
  expect(calls.map(({ inputTokens }) => inputTokens)).toEqual([7]);
  expect(embedder.modelId).toBe(`provider_a/m/3@${new URL(origin).host}/v1`);
});

import { expect, test } from 'vitest';
import { describeEmbedder, stage } from '../../embedder-conformance.ts';
import { answer, type SeenRequest } from '../../testing/wire-server.ts';

interface Body {
  requests: { taskType: string; content: { parts: { text: string }[] } }[];
}
const requestsOf = ({ body }: SeenRequest) => (body as Body).requests;

const wire = {
  provider: 'provider_b',
  fixtures: new URL('fixtures/', import.meta.url),
  baseUrl: (origin: string) => `${origin}/v1beta`,
  vectors: (vectors: readonly (readonly number[])[]) => ({ embeddings: vectors.map((values) => ({ values })) }),
  textsOf: (request: SeenRequest) => requestsOf(request).map(({ content }) => content.parts[0]?.text ?? ''),
} as const;

describeEmbedder(wire);

test('documents and queries have different task types', async () => {
  const { embedder, requests } = await stage(wire, [answer(200, JSON.stringify(wire.vectors([[1, 0, 0]])))]);
  const { signal } = new AbortController();
  await embedder.embedDocuments(['a'], signal);
  await embedder.embedQuery('b', signal);
  expect(requests.map((request) => [request.path, request.headers['x-goog-api-key']])).toEqual([
    ['/v1beta/models/m:batchEmbedContents', 'sk-conformance-0123456789'],
    ['/v1beta/models/m:batchEmbedContents', 'sk-conformance-0123456789'],
  ]);
  expect(requests.map((request) => requestsOf(request)[0]?.taskType)).toEqual([
    'RETRIEVAL_DOCUMENT',
    'RETRIEVAL_QUERY',
  ]);
});

import { expect, test } from 'vitest';
import { embedTexts } from './embed-texts.ts';
import type { EmbeddingSettings } from './embedding-protocol.ts';
import { openAiEmbeddings } from '../providers/openai-compatible/embeddings.ts';
import { geminiEmbeddings } from '../providers/gemini/embeddings.ts';
import { ProviderError, type ProviderCall } from './provider-client.ts';

const signal = new AbortController().signal;

/** Returns a provider that answers with `respond`, and the calls that it received. */
function playing(respond: (call: ProviderCall, count: number) => unknown) {
  const calls: ProviderCall[] = [];
  const postJson = async (call: ProviderCall): Promise<unknown> => {
    calls.push(call);
    return respond(call, calls.length);
  };
  return { calls, client: { postJson } };
}

const inputs = (call: ProviderCall): string[] => (call.body as { input: string[] }).input;
const settings: EmbeddingSettings = { model: 'm', apiKey: 'k', baseUrl: 'https://a.example/v1/', dimensions: 2 };
const vectors = (texts: string[]) => ({
  data: texts.map((text, index) => ({ index, embedding: [Number(text), 1] })).toReversed(),
});

test('provider_a: the request, and normalised vectors in the order of the texts', async () => {
  const { calls, client } = playing((call) => vectors(inputs(call)));
  const found = await embedTexts({ protocol: openAiEmbeddings, settings, client }, ['0', '1'], 'document', signal);
  expect(calls).toEqual([
    {
      url: 'https://a.example/v1/embeddings',
      headers: { authorization: 'Bearer k' },
      body: { model: 'm', input: ['0', '1'], encoding_format: 'float', dimensions: 2 },
      signal,
      apiKey: 'k',
      urgent: false,
      inputTokens: expect.any(Function),
    },
  ]);
  expect(found).toEqual([Float32Array.of(0, 1), Float32Array.of(Math.SQRT1_2, Math.SQRT1_2)]);
});

test('provider_b: the request, with the role of the text', async () => {
  const { calls, client } = playing(() => ({ embeddings: [{ values: [3, 4] }] }));
  const remote = { protocol: geminiEmbeddings, settings: { model: 'gemini-embedding', apiKey: 'k' }, client };
  expect(await embedTexts(remote, ['x'], 'query', signal)).toEqual([Float32Array.of(0.6, 0.8)]);
  expect(calls).toEqual([
    {
      url: 'https://generativelanguage.googleapis.com/v1beta/models/gemini-embedding:batchEmbedContents',
      headers: { 'x-goog-api-key': 'k' },
      body: {
        requests: [
          { model: 'models/gemini-embedding', content: { parts: [{ text: 'x' }] }, taskType: 'RETRIEVAL_QUERY' },
        ],
      },
      signal,
      apiKey: 'k',
      urgent: true,
      inputTokens: expect.any(Function),
    },
  ]);
});

test('texts are sent in batches, and only missing vectors are requested again', async () => {
  const texts = Array.from({ length: 100 }, (_, index) => String(index));
  const { calls, client } = playing((call, count) => vectors(inputs(call).slice(0, count === 1 ? 10 : undefined)));
  const found = await embedTexts({ protocol: openAiEmbeddings, settings, client }, texts, 'document', signal);
  expect(calls.map((call) => [inputs(call)[0], inputs(call).length])).toEqual([
    ['0', 64],
    ['10', 64],
    ['74', 26],
  ]);
  expect(found.map((vector) => Math.round(vector[0]! / vector[1]!))).toEqual(texts.map(Number));
});

test('wrong dimensions, missing vectors, non-numbers and zero vectors are errors of the provider', async () => {
  const fail = (answer: unknown) =>
    expect(
      embedTexts(
        { protocol: openAiEmbeddings, settings, client: playing(() => answer).client },
        ['1'],
        'query',
        signal,
      ),
    ).rejects;
  const data = (...embedding: unknown[]) => ({ data: [{ index: 0, embedding }] });
  await fail(data(1, 2, 3)).toThrow('The provider answered vectors of 3 dimensions, not 2');
  await fail({ data: [] }).toThrow('The provider answered without any vector');
  await fail(data(1, 'x')).toThrow('The provider answered something that is not a list of vectors');
  await fail(data(0, 0)).toThrow('The provider answered a vector without direction');
  await fail({ error: {} }).toThrow(ProviderError);
});

test('a provider that returns vectors at wrong positions ends in an error, not in endless requests', async () => {
  const { client } = playing(() => ({ data: [{ index: 9, embedding: [1, 1] }] }));
  const remote = { protocol: openAiEmbeddings, settings, client };
  await expect(embedTexts(remote, ['1'], 'query', signal)).rejects.toThrow('without any vector');
});

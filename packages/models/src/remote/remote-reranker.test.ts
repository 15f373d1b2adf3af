import { expect, test } from 'vitest';
import { playProvider } from '../testing/provider-stage.ts';
import { answer } from '../testing/wire-server.ts';
import { RemoteReranker } from './remote-reranker.ts';

const signal = new AbortController().signal;

async function score(body: unknown, texts = ['first', 'second']) {
  const stage = await playProvider([answer(200, JSON.stringify(body))]);
  const settings = { provider: 'provider_a', model: 'm', baseUrl: `${stage.origin}/v1`, apiKey: 'sk-0123456789' };
  const reranker = new RemoteReranker({ ...settings, configurationId: 'c' }, stage.connections);
  return { ...stage, scores: reranker.score('query', texts, signal) };
}

test('sends the query and the texts, and returns the scores in the order of the texts', async () => {
  const results = [
    { index: 1, relevance_score: 0.9 },
    { index: 0, relevance_score: 0.2 },
  ];
  const { scores, requests, calls } = await score({ results });
  expect(await scores).toEqual([0.2, 0.9]);
  const [request] = requests;
  expect([request?.path, request?.headers.authorization, request?.body]).toEqual([
    '/v1/rerank',
    'Bearer sk-0123456789',
    { model: 'm', query: 'query', documents: ['first', 'second'], top_n: 2 },
  ]);
  expect(calls.map(({ operation, outcome }) => [operation, outcome])).toEqual([['rerank', 'ok']]);
});

test('reads a bare list, and maps logits to 0..1', async () => {
  const { scores } = await score([
    { index: 0, score: -1 },
    { index: 1, score: 0 },
  ]);
  expect((await scores).map((each) => Number(each.toFixed(3)))).toEqual([0.269, 0.5]);
});

test.each([[{ results: [{ index: 0, relevance_score: 1 }] }], [{ results: 'none' }], [{}]])(
  'an answer without a score for each text is a failure: %j',
  async (body) => {
    const { scores } = await score(body);
    await expect(scores).rejects.toThrow('The provider did not score every text');
  },
);

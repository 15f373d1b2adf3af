/**
 * Conformance tests for every `Embedder` of an outside provider; the test file of a provider calls `describeEmbedder`.
 * Its fixture has the vectors [3, 4, 0] and [0, 0, 2] in the provider's format. Only imported by tests.
 */
import { readFile } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import { findDimensions, RemoteEmbedder, type RemoteEmbedderSettings } from './remote/remote-embedder.ts';
import { expectTrouble, KEY, TROUBLES } from './testing/json-troubles.ts';
import { playProvider, type ProviderStage } from './testing/provider-stage.ts';
import { answer, type Act, type SeenRequest } from './testing/wire-server.ts';

export interface EmbeddingWire {
  provider: RemoteEmbedderSettings['provider'];
  fixtures: URL;
  baseUrl: (origin: string) => string;
  /** Returns an answer with these vectors in the provider's format. */
  vectors: (vectors: readonly (readonly number[])[]) => unknown;
  /** Returns the texts of a request. */
  textsOf: (request: SeenRequest) => string[];
}

interface Stage extends ProviderStage {
  embedder: RemoteEmbedder;
  settings: RemoteEmbedderSettings;
}

const neverAborted = new AbortController().signal;

export async function stage(wire: EmbeddingWire, acts: readonly Act[], dimensions = 3): Promise<Stage> {
  const provider = await playProvider(acts);
  const identity = { configurationId: 'c', provider: wire.provider, model: 'm', apiKey: KEY };
  const settings = { ...identity, baseUrl: wire.baseUrl(provider.origin) };
  return { ...provider, embedder: new RemoteEmbedder(settings, dimensions, provider.connections), settings };
}

export function describeEmbedder(wire: EmbeddingWire): void {
  const recorded = async (): Promise<Act> =>
    answer(200, await readFile(new URL('embeddings.json', wire.fixtures), 'utf8'));
  const answering = (vectors: readonly (readonly number[])[]): Act =>
    answer(200, JSON.stringify(wire.vectors(vectors)));

  describe(`${wire.provider}: embeddings`, () => {
    test('vectors are returned in the order of the texts, with length one', async () => {
      const { embedder, requests, calls } = await stage(wire, [await recorded()]);
      const vectors = await embedder.embedDocuments(['a', 'b'], neverAborted);
      expect(vectors.map((vector) => [...vector].map((value) => Math.round(value * 1e6) / 1e6))).toEqual([
        [0.6, 0.8, 0],
        [0, 0, 1],
      ]);
      expect(requests.map(wire.textsOf)).toEqual([['a', 'b']]);
      expect(calls.map(({ provider, operation, outcome }) => [provider, operation, outcome])).toEqual([
        [wire.provider, 'embed', 'ok'],
      ]);
    });

    test('repeated queries are embedded once', async () => {
      const { embedder, requests } = await stage(wire, [answering([[0, 3, 0]])]);
      const [first, second] = [
        await embedder.embedQuery('q', neverAborted),
        await embedder.embedQuery('q', neverAborted),
      ];
      expect([[...first], first === second, requests.length]).toEqual([[0, 1, 0], true, 1]);
    });

    test('the first call determines the dimensions', async () => {
      const { settings, connections } = await stage(wire, [answering([[1, 1, 1, 1, 1]])]);
      expect(await findDimensions(settings, connections, neverAborted)).toBe(5);
    });

    test('only vectors that an answer lacks are requested again', async () => {
      const { embedder, requests } = await stage(wire, [answering([[1, 0, 0]]), answering([[0, 1, 0]])]);
      expect((await embedder.embedDocuments(['a', 'b'], neverAborted)).map((vector) => [...vector])).toEqual([
        [1, 0, 0],
        [0, 1, 0],
      ]);
      expect(requests.map(wire.textsOf)).toEqual([['a', 'b'], ['b']]);
    });

    test('after a temporary failure, only the failed batch is sent again', async () => {
      const [busy, fine] = [answer(503), answering([[1, 0, 0]])];
      const { embedder, requests } = await stage(wire, [busy, fine]);
      await embedder.embedDocuments(['a'], neverAborted);
      expect(requests.map(wire.textsOf)).toEqual([['a'], ['a']]);
    });

    test('a text that is too long for the server is embedded in halves', async () => {
      const tooLong = answer(400, '{"error":{"message":"maximum context length is 20 tokens"}}');
      const acts = [
        tooLong,
        answering([
          [1, 0, 0],
          [0, 1, 0],
        ]),
      ];
      const { embedder } = await stage(wire, acts);
      const text = `${'word '.repeat(20)}end`;
      const [vector] = await embedder.embedDocuments([text], neverAborted);
      expect([...(vector ?? [])].map((value) => Math.round(value * 1e4) / 1e4)).toEqual([0.7071, 0.7071, 0]);
    });

    test.each([
      ['other dimensions', [[1, 0]], 'vectors of 2 dimensions, not 3'],
      ['no vectors at all', [], 'without any vector'],
      ['a vector without direction', [[0, 0, 0]], 'without direction'],
    ])('%s are an error of the provider', async (_name, vectors, message) => {
      const { embedder } = await stage(wire, [answering(vectors)]);
      await expect(embedder.embedDocuments(['a'], neverAborted)).rejects.toThrow(message);
    });

    test('a response that is not a list of vectors is an error of the provider', async () => {
      const { embedder } = await stage(wire, [answer(200, '{"error":{}}')]);
      await expect(embedder.embedDocuments(['a'], neverAborted)).rejects.toThrow('not a list of vectors');
    });

    test('an aborted call ends immediately and closes its connection', async () => {
      // Not `silence`, which has a short time limit.
      const { embedder, requests, calls } = await stage(wire, [() => undefined]);
      const giveUp = new AbortController();
      const call = embedder.embedDocuments(['a'], giveUp.signal);
      while (requests.length === 0) await new Promise((resolve) => setImmediate(resolve));
      giveUp.abort(new Error('enough'));
      await expect(call).rejects.toThrow('enough');
      await requests[0]?.closed;
      expect(calls.map(({ outcome }) => outcome)).toEqual(['cancelled']);
    });

    test.each(TROUBLES)('$name', async (trouble) => {
      const { embedder, clock, requests } = await stage(wire, trouble.acts);
      await expectTrouble(trouble, {
        call: () => embedder.embedDocuments(['a'], neverAborted),
        clock,
        count: () => requests.length,
      });
    });
  });
}

import { expect, test } from 'vitest';
import type { AnalysedChunk } from '@quire/process/tasks/sandbox-client';
import { contentHash } from './chunk-rows.ts';
import { toFloat16 } from '@quire/shared/float16';
import { embedChunks } from './embed-chunks.ts';
import { TextTooLongError, type Embedder } from '@quire/models/embedder';

/** Counts one token per character, four for an ellipsis. A text's vector points along its first letter, `a` or `b`. */
class LetterEmbedder implements Embedder {
  readonly modelId = 'letters';
  readonly dimensions = 2;
  readonly maxTokens = 10;
  readonly tokenCounter = { count: (text: string): number => text.replaceAll('…', '....').length };
  readonly seen: string[] = [];

  embedDocuments(texts: readonly string[]): Promise<Float32Array[]> {
    const longest = Math.max(...texts.map((text) => this.tokenCounter.count(text)));
    if (longest > this.maxTokens) return Promise.reject(new TextTooLongError(longest, this.maxTokens));
    this.seen.push(...texts);
    return Promise.resolve(texts.map((text) => Float32Array.from(text.trim().startsWith('a') ? [1, 0] : [0, 1])));
  }
  embedQuery(): Promise<Float32Array> {
    return Promise.reject(new Error('no query here'));
  }
  close(): Promise<void> {
    return Promise.resolve();
  }
}

const chunk = (text: string): AnalysedChunk => ({
  ordinal: 0,
  text,
  headings: [],
  blockIds: [],
  boxes: [],
  tokenCount: 1,
  terms: '',
});
const embed = (embedder: Embedder, chunks: AnalysedChunk[], known = new Map<string, Buffer>()) =>
  embedChunks(chunks, embedder, { known, keep: async () => {}, onProgress: () => {} }, new AbortController().signal);

test('a chunk beyond the limit of the model is embedded in parts, and its vector is their mean', async () => {
  const embedder = new LetterEmbedder();
  const [vector, other] = await embed(embedder, [chunk('aaaa aaaa bbbb bbbb'), chunk('b')]);
  expect(embedder.seen.join('')).toBe('aaaa aaaa bbbb bbbbb');
  expect(embedder.seen.every((text) => text.length <= 10)).toBe(true);
  expect(vector?.[0]).toBeCloseTo(Math.SQRT1_2, 6);
  expect(vector?.[1]).toBeCloseTo(Math.SQRT1_2, 6);
  expect([...(other ?? [])]).toEqual([0, 1]);
});

test('a chunk with more tokens than characters is embedded in parts too', async () => {
  const embedder = new LetterEmbedder();
  const [vector] = await embed(embedder, [chunk('aa… bb…'), chunk('b')]);
  expect(embedder.seen).toEqual(['aa…', ' bb…', 'b']);
  expect(vector?.[0]).toBeCloseTo(Math.SQRT1_2, 6);
});

test('a chunk with known text keeps its vector', async () => {
  const embedder = new LetterEmbedder();
  const kept = chunk('a');
  const known = new Map([[contentHash(kept).toString('hex'), toFloat16(Float32Array.from([0.5, 0.5]))]]);
  const vectors = await embed(embedder, [kept, chunk('b')], known);
  expect(vectors.map((vector) => [...vector])).toEqual([
    [0.5, 0.5],
    [0, 1],
  ]);
  expect(embedder.seen).toEqual(['b']);
});

/** A model that takes 16 ms for a batch and never waits, as a static model does. */
class BusyEmbedder extends LetterEmbedder {
  override embedDocuments(texts: readonly string[]): Promise<Float32Array[]> {
    const until = performance.now() + 16;
    while (performance.now() < until);
    return super.embedDocuments(texts);
  }
}

test('other work continues between the batches of a model that never waits', async () => {
  const batches = 5;
  let [turns, isDone] = [0, false];
  const count = (): void => {
    turns += 1;
    if (!isDone) setImmediate(count);
  };
  setImmediate(count);
  const vectors = await embed(
    new BusyEmbedder(),
    Array.from({ length: 64 * batches }, () => chunk('a')),
  );
  isDone = true;
  expect(vectors).toHaveLength(64 * batches);
  expect(turns).toBeGreaterThanOrEqual(batches - 1);
});

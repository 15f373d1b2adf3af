import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { TextTooLongError } from '../embedder.ts';
import { convertSafetensors } from './convert-model.ts';
import { readModelFiles } from './model-files.ts';
import { OnnxEmbedder } from './onnx-embedder.ts';
import { writeTinyModel, type TinyModel } from './testing/tiny-model.ts';

const signal = new AbortController().signal;
const cosine = (a: Float32Array, b: Float32Array) => a.reduce((sum, value, i) => sum + value * b[i]!, 0);

describe.each([
  { pooling: 'mean', format: 'block8', wordBits: 8, least: 0.998 },
  { pooling: 'cls', format: 'block8', wordBits: 8, least: 0.998 },
  { pooling: 'mean', format: 'dynamic8', wordBits: 8, least: 0.98 },
  { pooling: 'mean', format: 'dynamic8', wordBits: 4, least: 0.97 },
] as const)(
  'OnnxEmbedder with $pooling, $format and words in $wordBits bits',
  ({ pooling, format, wordBits, least }) => {
    let folder: string;
    let tiny: TinyModel;
    let embedder: OnnxEmbedder;

    beforeAll(async () => {
      folder = await mkdtemp(path.join(os.tmpdir(), 'quire-onnx-'));
      tiny = await writeTinyModel(folder, pooling);
      const settings = { modelId: 'tiny/int8', maxTokens: 512, pooling, queryPrefix: 'air ', documentPrefix: '' };
      await convertSafetensors(folder, folder, { ...settings, source: 'a test' }, { format }, wordBits);
      embedder = await OnnxEmbedder.open((await readModelFiles(folder))!);
    });

    afterAll(async () => {
      await embedder.close();
      await rm(folder, { recursive: true });
    });

    it('returns the vectors of the reference, in the order of the texts', async () => {
      const vectors = await embedder.embedDocuments(['the flow of air', 'wings', 'a b a b a b a b'], signal);
      const expected = [
        [2, 10, 7, 9, 11, 3],
        [2, 6, 8, 3],
        [2, 4, 5, 4, 5, 4, 5, 4, 5, 3],
      ].map((ids) => tiny.embed(ids, pooling));
      for (const [index, vector] of vectors.entries()) expect(cosine(vector, expected[index]!)).toBeGreaterThan(least);
      expect(vectors.map((vector) => vector.length)).toEqual([64, 64, 64]);
    });

    it('gives a text the same vector by itself and in a batch with longer ones', async () => {
      const [alone] = await embedder.embedDocuments(['wings'], signal);
      const [beside] = await embedder.embedDocuments(['wings', 'the flow of the air of the wing'], signal);
      expect(cosine(alone!, beside!)).toBeCloseTo(1, 5);
    });

    it('adds the prefix to a query', async () => {
      const query = await embedder.embedQuery('flow', signal);
      expect(cosine(query, tiny.embed([2, 11, 7, 3], pooling))).toBeGreaterThan(least);
      expect(cosine(query, query)).toBeCloseTo(1, 5);
    });

    it('counts tokens as the model does, and reserves room for special tokens and prefix', () => {
      expect(embedder.tokenCounter.count('Wings of the flow!')).toBe(6);
      expect(embedder.maxTokens).toBe(32 - 2 - 1);
    });

    it('refuses a text that exceeds the model’s limit', async () => {
      await expect(embedder.embedDocuments(['a '.repeat(31)], signal)).rejects.toThrow(TextTooLongError);
    });

    it('rejects when aborted', async () => {
      const reason = new Error('stopped');
      await expect(embedder.embedDocuments(['a'], AbortSignal.abort(reason))).rejects.toBe(reason);
    });
  },
);

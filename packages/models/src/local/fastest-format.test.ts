import { mkdtemp, readdir, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';
import { cheapestFormat } from './fastest-format.ts';
import { LocalEmbedders } from './local-embedders.ts';
import { readModelFiles } from './model-files.ts';
import { writeTinyModel } from './testing/tiny-model.ts';

test.each([
  // Milliseconds a chunk, as measured on processors without and with instructions for int8.
  { block8: 118, dynamic8: 47, float: 76, chosen: 'dynamic8' },
  { block8: 118, dynamic8: 110, float: 76, chosen: 'float' },
  { block8: 20, dynamic8: 18, float: 40, chosen: 'block8' },
])('the cheapest format is chosen, or a preferred one that costs nearly as little: $chosen', ({ chosen, ...costs }) => {
  expect(cheapestFormat(costs)).toBe(chosen);
});

test('a converted model records its format and what each format cost, and keeps both', async () => {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'quire-formats-'));
  const cacheDir = path.join(folder, 'cache');
  const source = path.join(folder, 'tiny');
  try {
    await writeTinyModel(source);
    const first = new LocalEmbedders({ cacheDir });
    const { modelId } = await first.describe(source);
    const embedder = await first.open(modelId);
    expect((await embedder.embedDocuments(['the flow'], new AbortController().signal))[0]).toHaveLength(64);
    await first.close();
    const [place, ...others] = await readdir(cacheDir);
    expect(others).toEqual([]);
    const files = await readModelFiles(path.join(cacheDir, place!));
    expect(files?.modelId).toBe(modelId);
    expect(files?.measured).toMatch(/^block8 [\d.]+ ms, dynamic8 [\d.]+ ms, float [\d.]+ ms for 32 tokens$/);
    expect(modelId.endsWith(`/${files?.format}`)).toBe(files?.format !== 'block8');
    expect(files?.runsSingleTexts).toBe(files?.format === 'dynamic8');
    const second = new LocalEmbedders({ cacheDir });
    expect((await second.describe(source)).modelId).toBe(modelId);
    await second.close();
  } finally {
    await rm(folder, { recursive: true });
  }
});

import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pino } from 'pino';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { modelFolder, readModelFiles, writeModelSettings } from '@quire/models/local/model-files';
import { resolveDefaultModel } from './default-model.ts';
import { SharedModels } from './shared-models.ts';
import { FilesystemStore } from './storage/filesystem-store.ts';

const MODEL = 'small-model@0123456789ab';
const { signal } = new AbortController();
let folder: string;
let store: FilesystemStore;

beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'quire-models-'));
  store = await FilesystemStore.open(path.join(folder, 'store'));
});
afterEach(async () => {
  await store.close();
  await rm(folder, { recursive: true, force: true });
});

/** Writes a model to the cache of a process. */
async function writeModel(cacheDir: string): Promise<void> {
  const place = modelFolder(cacheDir, MODEL);
  await mkdir(place, { recursive: true });
  await writeFile(path.join(place, 'model.onnx'), 'weights');
  await writeFile(path.join(place, 'tokenizer.json'), '{}');
  const modelSha256 = createHash('sha256').update('weights').digest('hex');
  const texts = { modelId: MODEL, queryPrefix: '', documentPrefix: '', source: 'test', modelSha256 };
  const numbers = { version: 1 as const, dimensions: 3, maxTokens: 64, paddingId: 0, runsSingleTexts: false };
  await writeModelSettings(place, { ...texts, ...numbers, pooling: 'mean' });
}

test('a process with an empty cache gets the model that another one has stored', async () => {
  const [first, second] = [path.join(folder, 'first'), path.join(folder, 'second')];
  await writeModel(first);
  const shared = new SharedModels(store, second);
  await shared.fetch(MODEL, signal);
  expect(await readModelFiles(modelFolder(second, MODEL))).toBeUndefined();
  await new SharedModels(store, first).keep(MODEL, signal);
  await shared.fetch(MODEL, signal);
  const files = await readModelFiles(modelFolder(second, MODEL));
  expect(files).toMatchObject({ modelId: MODEL, dimensions: 3 });
  expect(await readFile(files?.modelFile ?? '', 'utf8')).toBe('weights');
});

test('a copy without its settings, which are stored last, is not used', async () => {
  await store.put(`models/${MODEL.replace('@', '-')}/model.onnx`, Buffer.from('half'));
  const shared = new SharedModels(store, path.join(folder, 'cache'));
  await shared.fetch(MODEL, signal);
  expect(await readModelFiles(modelFolder(path.join(folder, 'cache'), MODEL))).toBeUndefined();
});

test('the recorded model is pending until it is brought, also without downloads', async () => {
  const [first, second] = [path.join(folder, 'first'), path.join(folder, 'second')];
  await writeModel(first);
  await new SharedModels(store, first).keep(MODEL, signal);
  const shared = new SharedModels(store, second);
  const recorded = { modelId: MODEL, dimensions: 3, source: 'test' };
  const embedders = { recordedDefault: async () => recorded, defaultModel: async () => recorded };
  const logger = pino({ level: 'silent' });
  await resolveDefaultModel({ embedders, resolver: null, logger, output: { write: () => true }, shared }, signal);
  expect(shared.isPending).toBe(true);
  await expect.poll(() => shared.isPending).toBe(false);
  expect(await readModelFiles(modelFolder(second, MODEL))).toMatchObject({ modelId: MODEL });
});

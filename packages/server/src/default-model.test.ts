import { pino } from 'pino';
import { expect, test } from 'vitest';
import { resolveDefaultModel } from './default-model.ts';
import type { EmbeddingModel } from './domain/configurations/dense-embedders.ts';

const { signal } = new AbortController();

function setUp(recorded: EmbeddingModel | undefined) {
  const asked: string[] = [];
  let known = recorded;
  const found = { modelId: 'quire-static/1', dimensions: 256, source: 'shipped with the service' };
  const embedders = {
    recordedDefault: async () => known,
    defaultModel: async () => (known ??= found),
  };
  const fetchFile = async (url: string): Promise<never> => {
    asked.push(url);
    throw new Error('connect ENETUNREACH');
  };
  const places = { cacheDir: '/nonexistent/models', modelDir: null, hubUrl: 'https://hub.example' };
  const deps = { embedders, logger: pino({ level: 'silent' }), output: { write: () => true }, shared: null };
  const resolver = { ...places, fetchFile, downloadArchive: null };
  return { asked, known: () => known?.modelId, deps: { ...deps, resolver } };
}

test('the first start of a machine without a network records the model that ships', async () => {
  const { asked, known, deps } = setUp(undefined);
  await resolveDefaultModel(deps, signal);
  expect([asked.length, known()]).toEqual([1, 'quire-static/1']);
});

test('what is recorded stays, and nothing is downloaded for it', async () => {
  const { asked, known, deps } = setUp({ modelId: 'quire-static/1', dimensions: 256 });
  await resolveDefaultModel(deps, signal);
  expect([asked, known()]).toEqual([[], 'quire-static/1']);
});

test('without a download the first collection resolves the model', async () => {
  const { asked, known, deps } = setUp(undefined);
  await resolveDefaultModel({ ...deps, resolver: null }, signal);
  expect([asked, known()]).toEqual([[], undefined]);
});

import { expect, test } from 'vitest';
import { stage } from '../../chat-model-conformance.ts';
import { answer, cut, silence, type Act } from '../../testing/wire-server.ts';

const wire = {
  provider: 'provider_a',
  fixtures: new URL('fixtures/', import.meta.url),
  baseUrl: (origin: string) => `${origin}/v1/`,
} as const;

const list = (...data: object[]): Act => answer(200, JSON.stringify({ object: 'list', data }));
const other = { id: 'other', max_model_len: 512 };

test.each([
  ['vLLM', { id: 'm', owned_by: 'vllm', max_model_len: 32_768 }, 32_768],
  ['OpenRouter', { id: 'm', context_length: 163_840, top_provider: { context_length: 65_536 } }, 163_840],
  ['Groq', { id: 'm', context_window: 131_072 }, 131_072],
  ['Mistral', { id: 'm', max_context_length: 40_000 }, 40_000],
  ['LM Studio', { id: 'm', max_context_length: 131_072, loaded_context_length: 4096 }, 4096],
])('the context length that %s reports for the model is used', async (_server, entry, expected) => {
  const { model, requests } = await stage(wire, [list(other, entry)]);
  expect([model.contextTokens, model.isContextAssumed]).toEqual([8192, true]);
  await model.learnContext?.();
  expect([model.contextTokens, model.isContextAssumed]).toEqual([expected, false]);
  expect(requests.map(({ path, headers }) => [path, headers.authorization])).toEqual([
    ['/v1/models', 'Bearer sk-conformance-0123456789'],
  ]);
});

test('llama.cpp reports the length that it was started with, not that of the training', async () => {
  const entry = { id: '/models/x.gguf', owned_by: 'llamacpp', meta: { n_ctx_train: 131_072 } };
  const props = answer(200, JSON.stringify({ default_generation_settings: { n_ctx: 16_384 }, total_slots: 1 }));
  const { model, requests } = await stage(wire, [list(entry), props]);
  await model.learnContext?.();
  expect([model.contextTokens, model.isContextAssumed]).toEqual([16_384, false]);
  expect(requests.map(({ path }) => path)).toEqual(['/v1/models', '/props']);
});

test('the server’s answer takes precedence over the table of known names', async () => {
  const { model } = await stage(wire, [list({ id: 'deepseek-r1', max_model_len: 16_384 })], { model: 'deepseek-r1' });
  expect(model.contextTokens).toBe(128_000);
  await model.learnContext?.();
  expect(model.contextTokens).toBe(16_384);
});

test.each([
  ['does not list the model', list(other)],
  ['reports no length, as Ollama', list({ id: 'm', object: 'model', owned_by: 'library' })],
  ['reports something else', list({ id: 'm', max_model_len: '32k', context_length: -1, context_window: 2 })],
  ['answers with a list of its own kind', answer(200, '["m"]')],
  ['answers with a page', answer(200, '<html></html>', { 'content-type': 'text/html' })],
  ['has no list', answer(404, 'not found')],
  ['does not accept the key', answer(401, '{"error":{"message":"no"}}')],
  ['hangs up', cut('{"da', 'destroyed')],
])('a server that %s leaves 8,192 tokens, marked as assumed', async (_what, act) => {
  const { model } = await stage(wire, [act]);
  await model.learnContext?.();
  expect([model.contextTokens, model.isContextAssumed]).toEqual([8192, true]);
});

test('a server that does not answer delays by three seconds, once in a minute', async () => {
  const { model, requests, clock } = await stage(wire, [silence, list({ id: 'm', max_model_len: 32_768 })]);
  await Promise.all([model.learnContext?.(), model.learnContext?.()]);
  await model.learnContext?.();
  expect([requests.length, model.contextTokens]).toEqual([1, 8192]);
  await clock.pause(60_000, new AbortController().signal);
  await model.learnContext?.();
  expect([requests.length, model.contextTokens]).toEqual([2, 32_768]);
});

test('a length that the server has changed is noticed after ten minutes, and kept while it is away', async () => {
  const acts = [32_768, 16_384].map((tokens) => list({ id: 'm', max_model_len: tokens }));
  const { model, clock } = await stage(wire, [...acts, answer(503)]);
  const seen: number[] = [];
  for (let round = 0; round < 3; round++) {
    await model.learnContext?.();
    seen.push(model.contextTokens);
    await clock.pause(600_000, new AbortController().signal);
  }
  expect(seen).toEqual([32_768, 16_384, 16_384]);
});

test.each([
  ['the configuration sets it', { contextTokens: 4096 }],
  ['the provider is OpenAI', { baseUrl: undefined }],
])('no request is sent if %s', async (_why, settings) => {
  const { model, requests } = await stage(wire, [list()], settings);
  await model.learnContext?.();
  expect(requests).toEqual([]);
});

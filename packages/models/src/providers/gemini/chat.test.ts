import { expect, test } from 'vitest';
import { collect, describeChatModel, fixture, question, stage } from '../../chat-model-conformance.ts';
import { events } from '../../testing/wire-server.ts';

const wire = {
  provider: 'provider_b',
  fixtures: new URL('fixtures/', import.meta.url),
  baseUrl: (origin: string) => `${origin}/v1beta`,
} as const;
const { signal } = new AbortController();

describeChatModel(wire);

test('a request follows the API’s documentation and requests the thoughts of a thinking model', async () => {
  const text = events(await fixture(wire, 'text'));
  const { model, requests } = await stage(wire, [text], { model: 'models/gemini-2.5-flash', temperature: 0.2 });
  const images = [{ contentType: 'image/png', bytes: Uint8Array.of(1, 2) }];
  const turns = [
    { role: 'system' as const, text: 'Be short.' },
    { role: 'user' as const, text: 'What is this?', images },
  ];
  await collect(model.stream({ turns, maxOutputTokens: 99 }, signal));
  const [request] = requests;
  expect(model.modelId).toBe('provider_b/gemini-2.5-flash');
  expect([request?.path, request?.headers['x-goog-api-key']]).toEqual([
    '/v1beta/models/gemini-2.5-flash:streamGenerateContent?alt=sse',
    'sk-conformance-0123456789',
  ]);
  expect(request?.body).toEqual({
    systemInstruction: { parts: [{ text: 'Be short.' }] },
    contents: [
      { role: 'user', parts: [{ text: 'What is this?' }, { inlineData: { mimeType: 'image/png', data: 'AQI=' } }] },
    ],
    generationConfig: { temperature: 0.2, maxOutputTokens: 99, thinkingConfig: { includeThoughts: true } },
  });
});

test('the signature of a call is sent back with it', async () => {
  const acts = [events(await fixture(wire, 'tool-calls')), events(await fixture(wire, 'text'))];
  const { model, requests } = await stage(wire, acts, { model: 'gemini-3-pro' });
  const all = await collect(model.stream(question, signal));
  const [call] = all.flatMap((event) => (event.type === 'toolCall' ? [event.call] : []));
  expect(call?.signature).toBe('CiQB0e2KbzCvZ0NvbmZvcm1hbmNl');
  const answered = [
    { role: 'assistant' as const, text: '', toolCalls: [call!] },
    { role: 'tool' as const, call: call!, text: 'May' },
  ];
  await collect(model.stream({ turns: [...question.turns, ...answered] }, signal));
  const { contents } = requests[1]!.body as { contents: { parts: Record<string, unknown>[] }[] };
  expect(contents[1]?.parts[0]).toMatchObject({
    functionCall: { name: 'retrieve', args: { query: 'lease end' } },
    thoughtSignature: 'CiQB0e2KbzCvZ0NvbmZvcm1hbmNl',
  });
});

test('a blocked question gives a filtered answer', async () => {
  const blocked = { promptFeedback: { blockReason: 'SAFETY' }, usageMetadata: { promptTokenCount: 4 } };
  const { model } = await stage(wire, [events(`data: ${JSON.stringify(blocked)}\n\n`)]);
  expect(await collect(model.stream(question, signal))).toMatchObject([{ type: 'end', reason: 'filtered' }]);
});

test('a schema with references is written into the prompt, as the API does not support them', async () => {
  const { model, requests } = await stage(wire, [events(await fixture(wire, 'json'))]);
  const schema = { $defs: { year: { type: 'integer' } }, properties: { year: { $ref: '#/$defs/year' } } };
  await collect(model.stream({ ...question, output: { name: 'x', schema } }, signal));
  const { contents, generationConfig } = requests[0]!.body as Record<string, unknown>;
  expect(generationConfig).toEqual({ responseMimeType: 'application/json' });
  expect(JSON.stringify(contents)).toContain('Answer with JSON of this JSON Schema');
});

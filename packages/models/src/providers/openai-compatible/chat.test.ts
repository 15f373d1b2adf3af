import { expect, test } from 'vitest';
import { collect, describeChatModel, fixture, question, stage } from '../../chat-model-conformance.ts';
import { answer, events } from '../../testing/wire-server.ts';

const wire = {
  provider: 'provider_a',
  fixtures: new URL('fixtures/', import.meta.url),
  baseUrl: (origin: string) => `${origin}/v1/`,
} as const;
const { signal } = new AbortController();

describeChatModel(wire);

test('a request follows the API’s documentation', async () => {
  const { model, requests } = await stage(wire, [events(await fixture(wire, 'text'))], { maxOutputTokens: 99 });
  const images = [{ contentType: 'image/png', bytes: Uint8Array.of(1, 2) }];
  const turns = [
    { role: 'system' as const, text: 'Be short.' },
    { role: 'user' as const, text: 'What is this?', images },
  ];
  await collect(model.stream({ turns, temperature: 0 }, signal));
  const [request] = requests;
  expect([model.modelId, request?.path, request?.headers.authorization]).toEqual([
    'provider_a/m',
    '/v1/chat/completions',
    'Bearer sk-conformance-0123456789',
  ]);
  expect(request?.body).toEqual({
    model: 'm',
    max_tokens: 99,
    temperature: 0,
    messages: [
      { role: 'system', content: 'Be short.' },
      {
        role: 'user',
        content: [
          { type: 'text', text: 'What is this?' },
          { type: 'image_url', image_url: { url: 'data:image/png;base64,AQI=' } },
        ],
      },
    ],
    stream: true,
    stream_options: { include_usage: true },
  });
});

test.each([
  [{ type: 'object', properties: { a: {} }, required: ['a'], additionalProperties: false }, true],
  [{ type: 'object', properties: { a: {} }, required: [], additionalProperties: false }, false],
  [{ type: 'object', properties: { a: {} }, required: ['a'] }, false],
])('strict mode is requested if the schema is closed: %j', async (schema, strict) => {
  const { model, requests } = await stage(wire, [events(await fixture(wire, 'json'))]);
  await collect(model.stream({ ...question, output: { name: 'the lease!', schema } }, signal));
  expect(requests[0]?.body).toMatchObject({
    response_format: { type: 'json_schema', json_schema: { name: 'the_lease_', schema, strict } },
  });
});

test('a server without schema support gets the schema in the prompt, from then on', async () => {
  const refusal = JSON.stringify({ error: { message: 'This response_format type is unavailable now' } });
  const { model, requests } = await stage(wire, [answer(400, refusal), events(await fixture(wire, 'json'))]);
  const request = { ...question, output: { name: 'x', schema: { type: 'object' } } };
  await collect(model.stream(request, signal));
  await collect(model.stream(request, signal));
  const sent = requests.map(({ body }) => body as { response_format: { type: string }; messages: unknown[] });
  expect(sent.map(({ response_format: { type }, messages }) => [type, messages.length])).toEqual([
    ['json_schema', 1],
    ['json_object', 2],
    ['json_object', 2],
  ]);
});

test.each([
  'registry.ollama.ai/library/gemma3:1b does not support tools',
  '"auto" tool choice requires --enable-auto-tool-choice and --tool-call-parser to be set',
  'No endpoints found that support tool use',
])('a server that says “%s” is remembered as one without tools', async (message) => {
  const { model } = await stage(wire, [answer(400, JSON.stringify({ error: { message } }).replaceAll('\\"', "'"))]);
  expect(model.callsTools).toBe(true);
  const tools = [{ name: 'retrieve', description: 'd', inputSchema: { type: 'object' } }];
  await expect(collect(model.stream(question, signal))).rejects.toMatchObject({ status: 400 });
  expect(model.callsTools).toBe(true);
  await expect(collect(model.stream({ ...question, tools }, signal))).rejects.toMatchObject({ status: 400 });
  expect(model.callsTools).toBe(false);
});

test('no key is sent if there is none', async () => {
  const { model, requests } = await stage(wire, [events(await fixture(wire, 'text'))], { apiKey: undefined });
  await collect(model.stream(question, signal));
  expect(requests[0]?.headers.authorization).toBeUndefined();
});

test('Ollama’s reasoning field, think tags and missing usage are supported', async () => {
  const chunk = (delta: object, finish: string | null = null) =>
    `data: ${JSON.stringify({ choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`;
  const act = events(
    [chunk({ reasoning: 'One' }), chunk({ content: '\n<thi' }), chunk({ content: 'nk>two</think>\n\nMay' })].join('') +
      chunk({ content: '.' }, 'stop'),
  );
  const { model } = await stage(wire, [act]);
  expect(await collect(model.stream(question, signal))).toEqual([
    { type: 'reasoning', text: 'One' },
    { type: 'reasoning', text: 'two' },
    { type: 'text', text: 'May' },
    { type: 'text', text: '.' },
    { type: 'end', reason: 'stop', usage: { inputTokens: 12, outputTokens: 12 } },
  ]);
});

test('a call with input that is not JSON keeps the input as text', async () => {
  const call = { index: 0, id: 'c1', type: 'function', function: { name: 'retrieve', arguments: '{"query": lease}' } };
  const choices = [{ index: 0, delta: { tool_calls: [call] }, finish_reason: 'stop' }];
  const { model } = await stage(wire, [events(`data: ${JSON.stringify({ choices })}\n\n`)]);
  expect(await collect(model.stream(question, signal))).toMatchObject([
    { type: 'toolCall', call: { id: 'c1', name: 'retrieve', input: '{"query": lease}' } },
    { type: 'end', reason: 'toolCalls' },
  ]);
});

test.each([
  ['gpt-4.1-mini', undefined, 1_047_576, false],
  ['gpt-4', undefined, 8192, false],
  ['my-model', undefined, 8192, true],
  ['my-model', 32_000, 32_000, false],
])('%s with contextTokens %j has a context of %d tokens', async (name, contextTokens, expected, isAssumed) => {
  const { model } = await stage(wire, [events('')], { model: name, contextTokens });
  expect([model.contextTokens, model.isContextAssumed]).toEqual([expected, isAssumed]);
});

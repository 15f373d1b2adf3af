/** Tests the way of a question to the process of a model and back, with a substitute for the native runtime. */
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { ChatEvent, ChatRequest } from '../../chat-model.ts';
import type { ProviderCallRecord } from '../../provider-observer.ts';
import { fakeClock } from '../../testing/fake-clock.ts';
import { GgufChatModel } from './gguf-chat-model.ts';
import { GgufHost } from './gguf-host.ts';

const runtime = path.join(import.meta.dirname, '..', 'testing', 'fake-llama.mjs');
const { signal } = new AbortController();

function open(modelFile = '/models/tiny.gguf') {
  const calls: ProviderCallRecord[] = [];
  const clock = fakeClock();
  let starts = 0;
  const load = { runtime, modelFile, contextTokens: 64, threads: 1 };
  const host = new GgufHost({ load, clock, onStart: () => (starts += 1) });
  onTestFinished(() => host.close());
  const observe = (call: ProviderCallRecord) => void calls.push(call);
  const options = { host, name: 'tiny', contextTokens: 64, maxOutputTokens: undefined, observe, now: clock.now };
  return { model: new GgufChatModel(options), host, calls, starts: () => starts };
}

const say = (text: string, more: Partial<ChatRequest> = {}): ChatRequest => ({
  turns: [{ role: 'user', text }],
  ...more,
});

async function collect(events: AsyncIterable<ChatEvent>): Promise<ChatEvent[]> {
  const all: ChatEvent[] = [];
  for await (const event of events) all.push(event);
  return all;
}

test('text and reasoning are streamed, with their usage', async () => {
  const { model, calls } = open();
  expect(await collect(model.stream(say('hm the lease'), signal))).toEqual([
    { type: 'reasoning', text: 'hm ' },
    { type: 'text', text: 'the ' },
    { type: 'text', text: 'lease' },
    { type: 'end', reason: 'stop', usage: { inputTokens: 3, outputTokens: 3 } },
  ]);
  expect(calls).toEqual([
    { provider: 'local', operation: 'chat', outcome: 'ok', seconds: 0, inputTokens: 3, outputTokens: 3 },
  ]);
});

test('an answer ends at the limit, and within the context', async () => {
  const { model } = open();
  const limited = await collect(model.stream(say('for ever', { maxOutputTokens: 5 }), signal));
  expect(limited.at(-1)).toMatchObject({ reason: 'length', usage: { outputTokens: 5 } });
  const whole = await collect(model.stream(say('for ever'), signal));
  expect(whole.at(-1)).toMatchObject({ reason: 'length', usage: { inputTokens: 2, outputTokens: 61 } });
  await expect(collect(model.stream(say('word '.repeat(60)), signal))).rejects.toThrow(
    'The local model failed: the conversation has 61 tokens, the model reads 64',
  );
});

test('the schema is converted to a grammar and also written into the prompt', async () => {
  const { model } = open();
  const output = { name: 'x', schema: { anyOf: [{ type: 'null' }] } };
  const [first] = await collect(model.stream(say('now', { output }), signal));
  expect(first).toEqual({ type: 'text', text: '{"oneOf":[{"type":"null"}]}' });
});

test('consecutive questions use one process', async () => {
  const { model, starts } = open();
  const answers = await Promise.all(['one two', 'three four'].map((text) => collect(model.stream(say(text), signal))));
  const texts = answers.map((all) => all.map((event) => ('text' in event ? event.text : '')).join(''));
  expect([texts, starts()]).toEqual([['one two', 'three four'], 1]);
});

test('an abort stops the model, and waiting calls continue', async () => {
  const { model, calls } = open();
  const controller = new AbortController();
  const reading = (async () => {
    for await (const event of model.stream(say('for ever', { maxOutputTokens: 59 }), controller.signal)) {
      expect(event.type).toBe('text');
      controller.abort(new Error('enough'));
    }
  })();
  const next = collect(model.stream(say('next'), signal));
  await expect(reading).rejects.toThrow('enough');
  expect(await next).toHaveLength(2);
  for await (const event of model.stream(say('for ever'), signal)) if (event.type === 'text') break;
  expect(await collect(model.stream(say('last'), signal))).toHaveLength(2);
  expect(calls.map(({ outcome }) => outcome)).toEqual(['cancelled', 'ok', 'cancelled', 'ok']);
});

test('a crash fails one answer; the next question starts the model again', async () => {
  const { model, starts, calls } = open();
  await expect(collect(model.stream(say('crash'), signal))).rejects.toMatchObject({
    type: 'provider_error',
    message: 'The local model’s process ended (SIGSEGV)',
  });
  expect(await collect(model.stream(say('again'), signal))).toHaveLength(2);
  expect([starts(), calls.map(({ outcome }) => outcome)]).toEqual([2, ['failed', 'ok']]);
});

test('a file that the runtime cannot read is an error with its message, without the path', async () => {
  const { model } = open('/models/broken.gguf');
  await expect(collect(model.stream(say('x'), signal))).rejects.toThrow(
    /^The local model failed: tensor missing in the file$/,
  );
});

test('the process inherits no environment of the service', async () => {
  process.env['QUIRE_SECRET_KEY'] = 'canary';
  onTestFinished(() => void delete process.env['QUIRE_SECRET_KEY']);
  const { model } = open();
  const [first] = await collect(model.stream(say('environment'), signal));
  expect(first).toMatchObject({ text: expect.not.stringContaining('QUIRE') as string });
});

test('tokens are counted by the measured rates, with a margin', async () => {
  const { model } = open();
  expect(model.tokenCounter.count('a'.repeat(300))).toBe(102);
  await collect(model.stream(say('x'), signal));
  expect(model.tokenCounter.count('a'.repeat(300))).toBe(Math.ceil(300 * 0.5 * 1.15));
});

test('an unused model is released on request', async () => {
  const { model, host, starts } = open();
  await collect(model.stream(say('x'), signal));
  expect([host.isLoaded, host.release(), host.isLoaded]).toEqual([true, true, false]);
  await collect(model.stream(say('x'), signal));
  expect(starts()).toBe(2);
});

test('images are refused, and consecutive turns of one role are joined', async () => {
  const { model } = open();
  const images = [{ contentType: 'image/png', bytes: new Uint8Array() }];
  await expect(collect(model.stream({ turns: [{ role: 'user', text: 'x', images }] }, signal))).rejects.toThrow(
    'The model reads no images',
  );
  const turns = [
    { role: 'user' as const, text: 'one' },
    { role: 'user' as const, text: 'two' },
  ];
  const [first] = await collect(model.stream({ turns }, signal));
  expect(first).toMatchObject({ text: 'one\n\ntwo' });
});

// large: loads a language model
/**
 * Runs a real model if the data directory (QUIRE_DATA_DIR) has one: `npm run models -- add gguf` and `npm run models --
 * pull gemma-3-270m`. The model also answers as an OpenAI-compatible server on loopback.
 */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test, type TestContext } from 'vitest';
import { AddressRules } from '@quire/outbound/address-rules';
import { OutboundClient } from '@quire/outbound/outbound-client';
import type { ChatEvent, ChatModel, ChatRequest } from '../../chat-model.ts';
import type { ProviderCallRecord } from '../../provider-observer.ts';
import { systemClock } from '../../remote/clock.ts';
import { PROVIDERS } from '../../providers/registry.ts';
import { RemoteChatModels } from '../../remote/remote-chat-models.ts';
import { serveOpenAi } from '../../testing/openai-server.ts';
import { LocalChatModels } from '../local-chat-models.ts';

const dataDir = path.resolve(process.env['QUIRE_DATA_DIR'] ?? 'data');
const resolver = { modelDir: null, hubUrl: '', fetchFile: null, downloadArchive: null };
const calls: ProviderCallRecord[] = [];
const observe = (call: ProviderCallRecord) => void calls.push(call);
const { signal } = new AbortController();
const short: ChatRequest = { turns: [{ role: 'user', text: 'The lease ends in May.' }], maxOutputTokens: 4 };

let models: LocalChatModels;
let model: ChatModel | undefined;
let missing = '';

beforeAll(async () => {
  const cacheDir = path.join(dataDir, 'models');
  models = new LocalChatModels({ resolver: { ...resolver, cacheDir }, dataDir, clock: systemClock, observe });
  model = await models.open('gemma-3-270m', {}).catch((error: unknown) => {
    missing = `${dataDir}: ${(error as Error).message}`;
    return undefined;
  });
});
afterAll(() => models.close());

function needModel(context: TestContext): ChatModel {
  return model ?? context.skip(missing);
}

async function collect(events: AsyncIterable<ChatEvent>): Promise<{ text: string; end: ChatEvent | undefined }> {
  let text = '';
  let last: ChatEvent | undefined;
  for await (const event of events) {
    if (event.type === 'text') text += event.text;
    last = event;
  }
  return { text, end: last };
}

const schema = {
  type: 'object',
  properties: {
    kind: { enum: ['lease', 'sale'] },
    month: { type: ['integer', 'null'] },
    end: { anyOf: [{ type: 'boolean' }] },
  },
  required: ['kind', 'month', 'end'],
};

test('text is generated, counted and cut at the limit', async (context) => {
  const { text, end } = await collect(needModel(context).stream(short, signal));
  expect(text.length).toBeGreaterThan(0);
  expect(end).toMatchObject({ type: 'end', reason: 'length', usage: { outputTokens: 4 } });
  expect(calls.at(-1)).toMatchObject({ provider: 'local', operation: 'chat', outcome: 'ok', outputTokens: 4 });
});

test('an answer conforms to its schema, also with the model as a server', async (context) => {
  const local = needModel(context);
  const outbound = new OutboundClient(new AddressRules(['127.0.0.1']));
  const baseUrl = `${await serveOpenAi(local)}/v1`;
  const remote = new RemoteChatModels(PROVIDERS, { outbound, clock: systemClock, observe });
  const served = remote.open({ configurationId: 'c', provider: 'provider_a', model: 'gemma', baseUrl });
  for (const each of [local, served]) {
    const request = { turns: short.turns, output: { name: 'deed', schema } };
    const { text, end } = await collect(each.stream(request, signal));
    expect(Object.keys(JSON.parse(text) as object), each.modelId).toEqual(['kind', 'month', 'end']);
    expect(end).toMatchObject({ type: 'end', reason: 'stop' });
  }
});

test('an abort frees the model for the next question', async (context) => {
  const local = needModel(context);
  const controller = new AbortController();
  const reading = (async () => {
    for await (const event of local.stream({ turns: short.turns }, controller.signal)) {
      expect(event.type).toBe('text');
      controller.abort(new Error('enough'));
    }
  })();
  const next = collect(local.stream(short, signal));
  await expect(reading).rejects.toThrow('enough');
  expect((await next).end).toMatchObject({ type: 'end', reason: 'length' });
  expect(calls.map(({ outcome }) => outcome).slice(-2)).toEqual(['cancelled', 'ok']);
});

test('a conversation that is too long is refused with its length', async (context) => {
  const turns = [{ role: 'user' as const, text: 'word '.repeat(9000) }];
  await expect(collect(needModel(context).stream({ turns }, signal))).rejects.toThrow(
    /the conversation has 90\d\d tokens, the model reads 8192$/,
  );
});

test('a file that the runtime cannot read fails only its own answer', async (context) => {
  needModel(context);
  const directory = await mkdtemp(path.join(tmpdir(), 'quire-gguf-'));
  context.onTestFinished(() => rm(directory, { recursive: true }));
  const text = (value: string) =>
    Buffer.concat([Buffer.from(BigUint64Array.of(BigInt(value.length)).buffer), Buffer.from(value)]);
  const uint32 = (value: number) => Buffer.from(Uint32Array.of(value).buffer);
  const counts = Buffer.from(BigUint64Array.of(9n, 2n).buffer);
  const entries = [
    text('general.architecture'),
    uint32(8),
    text('gemma3'),
    text('gemma3.context_length'),
    uint32(4),
    uint32(512),
  ];
  const file = path.join(directory, 'broken.gguf');
  await writeFile(file, Buffer.concat([Buffer.from('GGUF'), uint32(3), counts, ...entries]));
  const broken = await models.open(file, {});
  await expect(collect(broken.stream(short, signal))).rejects.toMatchObject({ type: 'provider_error' });
});

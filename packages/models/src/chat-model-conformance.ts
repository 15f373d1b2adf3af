/**
 * Conformance tests for every `ChatModel` of an outside provider; the test file of a provider calls
 * `describeChatModel`. Its fixtures have the same content in the provider's format; the failures are the same for all.
 * Only imported by tests.
 */
import { readFile } from 'node:fs/promises';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { ChatEvent, ChatModel, ChatRequest, ToolCall } from './chat-model.ts';
import { PROVIDERS } from './providers/registry.ts';
import type { ProviderError } from './remote/provider-error.ts';
import type { ChatSettings } from './remote/chat-settings.ts';
import { RemoteChatModels } from './remote/remote-chat-models.ts';
import { playProvider, type ProviderStage } from './testing/provider-stage.ts';
import { answer, cut, events, timeLimitMs, silence, stalled, type Act } from './testing/wire-server.ts';

/** The wire format of a provider; `fixtures` contains `text.sse`, `tool-calls.sse` and others. */
export interface ChatWire {
  provider: ChatSettings['provider'];
  fixtures: URL;
  /** Returns the base URL on a server. */
  baseUrl: (origin: string) => string;
}

interface Stage extends ProviderStage {
  model: ChatModel;
}

const KEY = 'sk-conformance-0123456789';

/** Returns a model whose provider plays the acts. */
export async function stage(wire: ChatWire, acts: readonly Act[], more: Partial<ChatSettings> = {}): Promise<Stage> {
  const provider = await playProvider(acts);
  const { outbound, clock, calls } = provider;
  const limits = { firstByteMs: timeLimitMs(acts), idleMs: timeLimitMs(acts), timeoutMs: 120_000 };
  const models = new RemoteChatModels(PROVIDERS, { outbound, clock, observe: (call) => calls.push(call) }, limits);
  const settings = { configurationId: 'c', provider: wire.provider, model: 'm', apiKey: KEY };
  const model = models.open({ ...settings, baseUrl: wire.baseUrl(provider.origin), ...more });
  return { ...provider, model };
}

export const fixture = async (wire: Pick<ChatWire, 'fixtures'>, name: string): Promise<string> =>
  readFile(new URL(`${name}.sse`, wire.fixtures), 'utf8');

export const question: ChatRequest = { turns: [{ role: 'user', text: 'When does the lease end?' }] };
const neverAborted = new AbortController().signal;

export async function collect(events_: AsyncIterable<ChatEvent>): Promise<ChatEvent[]> {
  const all: ChatEvent[] = [];
  for await (const event of events_) all.push(event);
  return all;
}

/** Returns the events up to the failure, and the failure. */
async function untilFailure(events_: AsyncIterable<ChatEvent>): Promise<{ texts: string[]; error: unknown }> {
  const texts: string[] = [];
  try {
    for await (const event of events_) if (event.type === 'text') texts.push(event.text);
  } catch (error) {
    return { texts, error };
  }
  throw new Error('it did not fail');
}

const textOf = (all: readonly ChatEvent[]): string =>
  all.flatMap((event) => (event.type === 'text' ? [event.text] : [])).join('');

export function describeChatModel(wire: ChatWire): void {
  const open = (...acts: readonly Act[]) => stage(wire, acts);
  const recorded = async (name: string): Promise<Act> => events(await fixture(wire, name));

  beforeEach(() => {
    vi.stubGlobal('fetch', () => {
      throw new Error('the global fetch was called');
    });
  });
  afterEach(() => void vi.unstubAllGlobals());

  describe(`${wire.provider}: answers`, () => {
    test('text comes in the order of generation, then the end with its usage', async () => {
      const { model, calls } = await open(await recorded('text'));
      expect(await collect(model.stream(question, neverAborted))).toEqual([
        { type: 'text', text: 'The lease' },
        { type: 'text', text: ' ends in May' },
        { type: 'text', text: ' – 五月.' },
        { type: 'end', reason: 'stop', usage: { inputTokens: 19, outputTokens: 9 } },
      ]);
      expect(calls).toEqual([
        { provider: wire.provider, operation: 'chat', outcome: 'ok', seconds: 0, inputTokens: 19, outputTokens: 9 },
      ]);
    });

    test('reasoning is separate from the answer', async () => {
      const { model } = await open(await recorded('reasoning'));
      expect(await collect(model.stream(question, neverAborted))).toEqual([
        { type: 'reasoning', text: 'The note' },
        { type: 'reasoning', text: ' says May.' },
        { type: 'text', text: 'May.' },
        { type: 'end', reason: 'stop', usage: { inputTokens: 19, outputTokens: 12 } },
      ]);
    });

    test('tool calls are complete, and their results are sent back with the call', async () => {
      const { model, requests } = await open(await recorded('tool-calls'), await recorded('text'));
      const inputSchema = { type: 'object', properties: { query: { type: 'string' } }, required: ['query'] };
      const tools = [{ name: 'retrieve', description: 'Searches the documents.', inputSchema }];
      const first = await collect(model.stream({ ...question, tools }, neverAborted));
      const toolCalls = first.flatMap((event) => (event.type === 'toolCall' ? [event.call] : []));
      expect(toolCalls.map(({ name, input }) => [name, input])).toEqual([
        ['retrieve', { query: 'lease end' }],
        ['retrieve', { query: '租约' }],
      ]);
      expect(new Set(toolCalls.map(({ id }) => id)).size).toBe(2);
      expect(first.at(-1)).toEqual({
        type: 'end',
        reason: 'toolCalls',
        usage: { inputTokens: 82, outputTokens: 34 },
      });
      const results = toolCalls.map((call: ToolCall, at) => ({ role: 'tool' as const, call, text: `passage ${at}` }));
      const turns = [...question.turns, { role: 'assistant' as const, text: '', toolCalls }, ...results];
      expect(textOf(await collect(model.stream({ turns, tools }, neverAborted)))).toBe('The lease ends in May – 五月.');
      const sent = JSON.stringify(requests[1]?.body);
      for (const part of ['lease end', '租约', 'passage 0', 'passage 1', 'Searches the documents.']) {
        expect(sent).toContain(part);
      }
    });

    test('a schema is sent, and the answer is JSON that conforms to it', async () => {
      const { model, requests } = await open(await recorded('json'));
      const properties = { month: { type: 'string' }, year: { type: 'integer' } };
      const schema = { type: 'object', properties, required: ['month', 'year'], additionalProperties: false };
      const all = await collect(model.stream({ ...question, output: { name: 'lease end', schema } }, neverAborted));
      expect(JSON.parse(textOf(all))).toEqual({ month: 'May', year: 2027 });
      expect(JSON.stringify(requests[0]?.body)).toContain('"month":{"type":"string"}');
    });

    test.each([
      ['length', 'length'],
      ['filtered', 'filtered'],
    ])('an answer that ends by %s says so', async (name, reason) => {
      const { model } = await open(await recorded(name));
      expect((await collect(model.stream(question, neverAborted))).at(-1)).toMatchObject({ type: 'end', reason });
    });
  });

  describe(`${wire.provider}: leaving`, () => {
    test('an abort during the answer ends the call with its reason', async () => {
      const { model, requests, calls } = await open(stalled(await fixture(wire, 'begun')));
      const controller = new AbortController();
      const seen: string[] = [];
      const reading = (async () => {
        for await (const event of model.stream(question, controller.signal)) {
          seen.push(event.type);
          controller.abort(new Error('no longer wanted'));
        }
      })();
      await expect(reading).rejects.toThrow('no longer wanted');
      await requests[0]?.closed;
      expect([seen, calls.map(({ outcome }) => outcome)]).toEqual([['text'], ['cancelled']]);
    });

    test('a reader that stops early ends the call and frees its slot', async () => {
      const begun = stalled(await fixture(wire, 'begun'));
      const { model, requests } = await stage(wire, [begun, await recorded('text')], { maxConcurrency: 1 });
      for await (const event of model.stream(question, neverAborted)) {
        expect(event).toEqual({ type: 'text', text: 'The lease' });
        break;
      }
      await requests[0]?.closed;
      expect(textOf(await collect(model.stream(question, neverAborted)))).toBe('The lease ends in May – 五月.');
    });

    test('no request is made after an abort', async () => {
      const { model, requests } = await open(silence);
      await expect(collect(model.stream(question, AbortSignal.abort(new Error('never'))))).rejects.toThrow('never');
      expect(requests).toEqual([]);
    });
  });

  describe(`${wire.provider}: troubles`, () => {
    test('a 429 is retried after the time that the provider requests', async () => {
      const { model, clock, calls } = await open(answer(429, '', { 'retry-after': '7' }), await recorded('text'));
      expect(textOf(await collect(model.stream(question, neverAborted)))).toBe('The lease ends in May – 五月.');
      expect(clock.pauses).toEqual([7000]);
      expect(calls.map(({ outcome }) => outcome)).toEqual(['rate_limited', 'ok']);
    });

    test('5xx, silence and streams that end before they begin are attempted five times', async () => {
      const troubles = [answer(503), silence, cut('', 'ended'), cut('data: ', 'destroyed')];
      const { model, clock } = await open(...troubles, await recorded('text'));
      expect(textOf(await collect(model.stream(question, neverAborted)))).toBe('The lease ends in May – 五月.');
      expect(clock.pauses).toEqual([500, 1000, 2000, 4000]);
      const down = await open(answer(500, 'a stack trace'));
      await expect(collect(down.model.stream(question, neverAborted))).rejects.toMatchObject({
        type: 'provider_error',
        status: 500,
        message: 'The provider answered 500',
      });
      expect(down.requests).toHaveLength(5);
    });

    test.each([
      ['stalled', /did not answer in time$/],
      ['destroyed', /^The provider ended the stream before its answer was complete$/],
      ['ended', /^The provider ended the stream before its answer was complete$/],
      ['error', /^The provider failed while it answered: .* overloaded for ••••$/],
      ['malformed', /^The provider answered something that does not follow its API$/],
    ])('a request is not repeated once a part was yielded: %s', async (trouble, message) => {
      const begun = await fixture(wire, 'begun');
      const acts: Record<string, Act> = {
        stalled: stalled(begun),
        destroyed: cut(begun, 'destroyed'),
        ended: cut(begun, 'ended'),
        error: await recorded('error'),
        malformed: events(`${begun}data: {"choices": [\n\n`),
      };
      const { model, requests } = await open(acts[trouble] ?? silence);
      const { texts, error } = await untilFailure(model.stream(question, neverAborted));
      expect([texts, requests.length]).toEqual([['The lease'], 1]);
      expect([(error as ProviderError).type, (error as ProviderError).message]).toEqual([
        'provider_error',
        expect.stringMatching(message),
      ]);
    });

    test('a client error has the provider’s message and is not retried', async () => {
      const body = JSON.stringify({ error: { code: 404, message: `no model m for ${KEY}`, status: 'NOT_FOUND' } });
      const { model, requests } = await open(answer(404, body));
      await expect(collect(model.stream(question, neverAborted))).rejects.toThrow(
        /^The provider answered 404: no model m for ••••$/,
      );
      expect(requests).toHaveLength(1);
    });

    test('a web page is named as such, and is not requested again', async () => {
      const { model, requests } = await open(answer(200, '<html>Sign in</html>', { 'content-type': 'text/html' }));
      await expect(collect(model.stream(question, neverAborted))).rejects.toMatchObject({
        type: 'provider_error',
        message: 'The address answered with a web page instead of the API: check baseUrl',
      });
      expect(requests).toHaveLength(1);
    });

    test('no error contains the key or the question, for any failure', async () => {
      const body = JSON.stringify({ error: { message: `bad key ${KEY}` } });
      const troubles = [answer(400, body), answer(401, body), answer(403, body), answer(429, body), answer(500, body)];
      for (const trouble of [...troubles, await recorded('error'), cut(`data: ${body}\n\n`, 'ended')]) {
        const { model, calls } = await open(trouble);
        const { error } = await untilFailure(model.stream(question, neverAborted));
        const { message, stack, cause } = error as Error;
        const told = [message, stack, JSON.stringify(error), String(cause), JSON.stringify(calls)].join('\n');
        expect(told).not.toContain(KEY);
        expect(told).not.toContain('When does the lease end?');
      }
    });
  });

  test(`${wire.provider}: a configuration's calls are as many at once as it allows`, async () => {
    const text = await recorded('text');
    const { model, requests } = await stage(wire, [stalled(await fixture(wire, 'begun')), text], { maxConcurrency: 1 });
    const first = model.stream(question, neverAborted)[Symbol.asyncIterator]();
    await first.next();
    const second = collect(model.stream(question, neverAborted));
    expect(requests).toHaveLength(1);
    await first.return?.();
    expect(textOf(await second)).toBe('The lease ends in May – 五月.');
    expect(requests).toHaveLength(2);
  });
}

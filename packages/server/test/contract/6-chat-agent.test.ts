/** CONTRACT section 6: chats answered by a language model, over the wire of an OpenAI-compatible provider. */
import { Fold, LineReader } from '@quire/diffcp';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import type { Conversation, Message } from '../../src/domain/chats/conversation.ts';
import { startChatProvider, type ChatProvider, type ProviderRequest, type Said } from '../chat-provider.ts';
import {
  ask,
  createChat,
  createCollection,
  createDocument,
  createWorkspace,
  type AnyRecord,
  type TestWorkspace,
} from '../factories.ts';
import { startTestService, type TestService } from '../server.ts';

type Made = AnyRecord & { url: string };

let service: TestService;
let workspace: TestWorkspace;
let library: Made;
let provider: ChatProvider;
let answer: (request: ProviderRequest, call: number) => readonly Said[] | { status: number; error: string };
let modelId: string;

const HOURS = '# Opening hours\n\nThe library is open from nine to five. On Thursdays it closes at eight.';
const FEES = '# Fees\n\nA late book costs ten cents a day. A lost card costs five euros.';

beforeAll(async () => {
  service = await startTestService({ QUIRE_ALLOW_PRIVATE_NETWORK: '127.0.0.1' });
  workspace = await createWorkspace(service);
});
afterAll(() => service.stop());

beforeEach(async () => {
  provider = await startChatProvider((request, call) => answer(request, call));
  library = await createCollection(service, workspace, { name: 'Library' });
  await createDocument(service, library, { name: 'hours.md', content: HOURS });
  await createDocument(service, library, { name: 'fees.md', content: FEES });
  const config = { provider: 'provider_a', model: 'm', baseUrl: provider.baseUrl };
  modelId = (await service.call('POST', `${workspace.url}/config/models`, { json: { name: 'M', config } })).data[
    'id'
  ] as string;
});
afterEach(() => provider.close());

const newChat = (fields: Record<string, unknown> = {}): Promise<Made> =>
  createChat(service, workspace, { collection_id: library.id, modelId, ...fields });

const history = async (chat: Made): Promise<Message[]> =>
  (await service.call<{ items: Message[] }>('GET', `${chat.url}/history`)).data.items;

/** Returns the counts of dropped citation marks and of input tokens from the metrics. */
async function counts(): Promise<number[]> {
  const { text } = await service.call('GET', '/metrics');
  const names = ['quire_chat_dropped_marks_total{reason="unknown"} ', 'quire_chat_tokens_total{kind="input"} '];
  return names.map((name) => Number(text.split(name)[1]?.split('\n')[0] ?? 0));
}

/** Returns the source number of the chunk with these words in the prompt. */
function numberOf(request: ProviderRequest, words: string): number {
  const shown = request.messages.map((message) => message.content).join('\n');
  const heads = [...shown.slice(0, shown.indexOf(words)).matchAll(/^(?:\[|Passage )(\d+)(?:\] | \()/gmu)];
  return Number(heads.at(-1)?.[1]);
}

async function stream(chat: Made, query: string): Promise<Conversation> {
  const { text } = await service.call('POST', `${chat.url}/message`, { json: { query } });
  const reader = new LineReader();
  const fold = new Fold();
  for (const line of [...reader.push(new TextEncoder().encode(text)), ...reader.end()]) fold.push(line);
  const state = fold.state as unknown as Conversation;
  expect(state.messages).toEqual((await history(chat)).slice(-2));
  return state;
}

test('a model searches, answers, and its marks become citations; those of nothing are left out', async () => {
  answer = (request, call) =>
    call === 0
      ? [{ reasoning: 'I look it ' }, { reasoning: 'up.' }, { search: 'closing time Thursday' }]
      : [
          'On Thursdays it closes at ',
          'eight [',
          `${numberOf(request, 'nine to five')}`,
          '].',
          ' Bring a card [',
          '77].',
        ];
  const before = await counts();
  const chat = await newChat({ instructions: 'Speak like a librarian.' });
  const { messages } = await stream(chat, 'When does it close on Thursdays?');
  const [, assistant] = messages;
  expect(assistant.parts).toEqual([
    { type: 'reasoning', text: 'I look it up.' },
    { type: 'tool', name: 'retrieve', input: { query: 'closing time Thursday' }, status: 'done', resultCount: 2 },
    { type: 'text', text: 'On Thursdays it closes at eight [1]. Bring a card.' },
  ]);
  expect(assistant).toMatchObject({ status: 'done', error: null });
  expect(assistant.citations).toEqual([
    {
      index: 1,
      collectionId: expect.any(String),
      documentId: expect.any(String),
      documentName: 'hours.md',
      documentDeleted: false,
      snippet: 'On Thursdays it closes at eight.',
      chunkId: expect.any(String),
      revision: 1,
      headings: ['Opening hours'],
      boxes: expect.any(Array),
      blocks: [{ blockId: expect.any(String), start: 39, end: 71 }],
      spans: [{ part: 2, start: 0, end: 'On Thursdays it closes at eight'.length }],
    },
  ]);
  // The answer was requested once more because of its second statement, and was the same.
  expect(assistant.usage).toEqual({
    inputTokens: 300,
    outputTokens: 30,
    retrievals: 1,
    firstLineMs: expect.any(Number),
    firstTextMs: expect.any(Number),
    totalMs: expect.any(Number),
  });
  expect([assistant.support, assistant.droppedMarks]).toEqual([
    [
      { part: 2, start: 0, end: 'On Thursdays it closes at eight [1].'.length, supported: true },
      { part: 2, start: 37, end: 37 + 'Bring a card.'.length, supported: false },
    ],
    1,
  ]);
  expect(provider.requests[0]?.messages[0]?.content).toContain('Speak like a librarian.');
  const after = await counts();
  expect(after.map((count, at) => count - (before[at] ?? 0))).toEqual([1, 300]);
});

test('without a stream the same message comes as one JSON', async () => {
  answer = (request, call) =>
    call === 0 ? [{ search: 'late book' }] : [`Ten cents a day [${numberOf(request, 'ten cents')}].`];
  const chat = await newChat();
  const { messages } = await ask(service, chat, 'What does a late book cost a day?');
  expect(messages[1].citations[0]?.snippet).toBe('A late book costs ten cents a day.');
  expect([messages[1].support.map(({ supported }) => supported), messages[1].droppedMarks]).toEqual([[true], 0]);
  expect(messages).toEqual(await history(chat));
});

test('if a provider breaks off, the message fails with the text received so far, and the chat continues', async () => {
  answer = (_request, call) =>
    [[{ search: 'fees' }], ['A late book costs ', { hangUp: true as const }], [{ search: 'fees' }], ['Ten cents.']][
      call
    ] ?? [];
  const chat = await newChat();
  const { messages } = await stream(chat, 'What does a late book cost?');
  expect(messages[1]).toMatchObject({
    status: 'failed',
    parts: [{ type: 'tool' }, { type: 'text', text: 'A late book costs' }],
    error: { type: 'provider_error', message: expect.any(String) },
  });
  expect(messages[1].usage?.inputTokens).toBeGreaterThan(100);
  expect((await ask(service, chat, 'And now?')).messages[1]).toMatchObject({ status: 'done', error: null });
});

test('a model without tools gets what the question finds, and nothing it says without is shown', async () => {
  const seen: boolean[] = [];
  answer = (request) => {
    seen.push(request.tools !== undefined);
    if (request.tools !== undefined) return { status: 400, error: 'this model does not support tools' };
    return [`A lost card costs five euros [${numberOf(request, 'five euros')}].`];
  };
  const { messages } = await stream(await newChat(), 'What does a lost card cost?');
  expect(seen).toEqual([true, false]);
  expect(messages[1]).toMatchObject({
    status: 'done',
    parts: [
      { type: 'reasoning', text: 'Searching the collection for “What does a lost card cost?”.' },
      { type: 'tool', input: { query: 'What does a lost card cost?' } },
      { type: 'text', text: 'A lost card costs five euros [1].' },
    ],
    citations: [{ snippet: 'A lost card costs five euros.' }],
  });
});

test('a model that does not search is made to answer from the collection', async () => {
  answer = (request) =>
    request.tools === undefined
      ? [`Five euros for a lost card [${numberOf(request, 'five euros')}].`]
      : ['I know that: it costs nothing.'];
  const { messages } = await stream(await newChat(), 'What does a lost card cost?');
  expect(messages[1].parts.map((part) => ('text' in part ? part.text : part.type))).toEqual([
    'Searching the collection for “What does a lost card cost?”.',
    'tool',
    'Five euros for a lost card [1].',
  ]);
});

test('a follow-up question is sent with the previous conversation', async () => {
  answer = (request, call) =>
    call % 2 === 0 ? [{ search: 'late book' }] : [`Ten cents a day [${numberOf(request, 'ten cents')}].`];
  const chat = await newChat();
  await ask(service, chat, 'What does a late book cost?');
  await ask(service, chat, 'and per day?');
  expect(provider.requests[2]?.messages.slice(1).map(({ role, content }) => [role, content])).toEqual([
    ['user', 'What does a late book cost?'],
    ['assistant', 'Ten cents a day.'],
    ['user', 'and per day?'],
  ]);
});

test('history marks citations of documents that are deleted, and folds of a stream read later do too', async () => {
  answer = (request, call) =>
    call === 0 ? [{ search: 'late book' }] : [`Ten cents a day [${numberOf(request, 'ten cents')}].`];
  const chat = await newChat();
  const { messages } = await ask(service, chat, 'What does a late book cost?');
  const { documentId, snippet } = messages[1].citations[0]!;
  const resumed = async (): Promise<Message[]> => {
    const { text } = await service.call('GET', `${chat.url}/message/${messages[1].id}/stream`);
    const reader = new LineReader();
    const fold = new Fold();
    for (const line of reader.push(new TextEncoder().encode(text))) fold.push(line);
    return (fold.state as unknown as Conversation).messages;
  };
  const url = `${library.url}/docs/${documentId}`;
  for (const [method, path, documentDeleted] of [
    ['DELETE', url, true],
    ['PUT', `${url}/undelete`, false],
  ] as const) {
    expect((await service.call(method, path)).status).toBeLessThan(300);
    const now = await history(chat);
    expect(now[1]?.citations).toMatchObject([{ documentId, documentDeleted, snippet }]);
    expect(await resumed()).toEqual(now);
  }
  // A purge is final: no quote is left in the history or in the stream.
  expect((await service.call('DELETE', `${url}?purge=true`)).status).toBe(200);
  const purged = await history(chat);
  expect(purged[1]?.citations).toMatchObject([{ documentId, documentDeleted: true, snippet: '' }]);
  expect(JSON.stringify(purged)).not.toContain(snippet);
  expect(await resumed()).toEqual(purged);
});

test('a model in use by chats is kept, unless they move to the default', async () => {
  const chat = await newChat();
  const url = `${workspace.url}/config/models/${modelId}`;
  const refused = await service.call('DELETE', url);
  expect([refused.status, refused.detail[0]?.type, refused.detail[0]?.ctx]).toEqual([
    409,
    'in_use',
    { isDefault: false, chatIds: [chat.id], chatCount: 1 },
  ]);
  await service.call('DELETE', chat.url);
  expect((await service.call('DELETE', `${url}?force=true&purge=true`)).status).toBe(200);
  const moved = await service.call('PUT', `${chat.url}/undelete`);
  expect(moved.data['modelId']).not.toBe(modelId);
  expect(
    (await ask(service, { url: chat.url }, 'What does a late book cost a day?')).messages[1].citations,
  ).not.toEqual([]);
});

test('a chat that is purged is gone with its history, also under an answer that is being given', async () => {
  let goOn: () => void = () => undefined;
  const wait = new Promise<void>((resolve) => (goOn = resolve));
  answer = (_request, call) => (call === 0 ? [{ search: 'late book' }] : ['Ten cents', { wait }, ' a day.']);
  const chat = await newChat();
  const answered = service.call('POST', `${chat.url}/message`, { json: { query: 'What does a late book cost?' } });
  while (provider.requests.length < 2) await new Promise((resolve) => setImmediate(resolve));
  expect((await service.call('DELETE', `${chat.url}?purge=true`)).status).toBe(200);
  goOn();
  const lines = (await answered).text.trim().split('\n');
  expect(lines.filter((line) => line.includes('"done"') && line.includes('/messages/1/status'))).toEqual([]);
  expect((await service.call('GET', `${chat.url}/history`)).status).toBe(404);
});

/** Answers of chats through the client: resumed over cut connections, read slowly, shared, left and stopped. */
import { ConflictError, FailedError, Quire, type AnswerEvent, type Conversation } from '@quire/client';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startChatProvider, type ChatProvider, type Said } from '../chat-provider.ts';
import { createWorkspace } from '../factories.ts';
import { startTestService, type TestService } from '../server.ts';
import { cuttingFetch, seeded } from './cutting-fetch.ts';

const QUESTION = 'When does the library close on Thursdays?';
const PIECES = Array.from({ length: 12 }, (_, index) => `Sentence ${index} of the answer. `);
const TOTAL_CUTS = 100;
const AT_ONCE = 10;

let service: TestService;
let provider: ChatProvider;
let url: string;
let key: string;
let quire: Quire;
let collectionId: string;
let modelId: string;
/** The answers of the provider, by the question. */
const spoken = new Map<string, readonly Said[]>();

beforeAll(async () => {
  provider = await startChatProvider(({ messages }) => {
    if (messages.some(({ role }) => role === 'tool')) {
      const question = messages.findLast(({ role }) => role === 'user')?.content ?? '';
      return spoken.get(question) ?? PIECES.flatMap((piece) => [piece, { wait: new Promise(setImmediate) }]);
    }
    return [{ search: 'closing time' }];
  });
  service = await startTestService({ QUIRE_ALLOW_PRIVATE_NETWORK: '127.0.0.1' });
  const { admin } = await createWorkspace(service);
  [url, key] = [service.address, admin];
  quire = new Quire({ url, key });
  collectionId = (await quire.collections.create({ name: 'Library' })).id;
  await quire.collection(collectionId).documents.upload({ name: 'hours.md', content: 'It closes at eight.' }).ready();
  const config = { provider: 'provider_a' as const, model: 'm', baseUrl: provider.baseUrl };
  modelId = (await quire.models.create({ name: 'M', config })).id;
});

afterAll(async () => {
  await service.stop();
  await provider.close();
});

const createChat = async (): Promise<string> =>
  (await quire.chats.create({ title: 'Chat', collection_id: collectionId, modelId })).id;

const answerIn = async (chat: string) => (await quire.chat(chat).history().all())[1];

/** Returns an answer of the provider that continues when `goOn` is called. */
function paused(): { said: Said[]; goOn: () => void } {
  let goOn: () => void = () => undefined;
  const wait = new Promise<void>((resolve) => (goOn = resolve));
  return { said: ['Before. ', { wait }, 'After.'], goOn };
}

test(`answers survive ${TOTAL_CUTS} cuts at random places of their connections`, async () => {
  const random = seeded(20_261_122);
  const kinds = new Set<string>();
  const askOnce = async (): Promise<number> => {
    const cutting = cuttingFetch(random, 5, 4_000);
    const chat = await createChat();
    const answer = new Quire({ url, key, fetch: cutting.fetch }).chat(chat).ask(QUESTION);
    const states: Conversation[] = [];
    for await (const state of answer) states.push(state);
    expect(states.at(-1)?.messages[1]).toEqual(await answerIn(chat));
    expect(await answer.final).toMatchObject({ status: 'done', error: null });
    // The question was not sent twice.
    expect((await quire.chat(chat).history().page()).total).toBe(2);
    for (const kind of cutting.cuts) kinds.add(kind);
    return cutting.cuts.length;
  };
  for (let cuts = 0; cuts < TOTAL_CUTS;)
    for (const made of await Promise.all(Array.from({ length: AT_ONCE }, askOnce))) cuts += made;
  expect([...kinds].toSorted()).toEqual(['broken', 'ended', 'lost', 'refused']);
});

test('events add up to the answer, over cut connections too', async () => {
  const chat = await createChat();
  const cutting = cuttingFetch(seeded(7), 4, 3_000);
  const answer = new Quire({ url, key, fetch: cutting.fetch }).chat(chat).ask(QUESTION);
  const events: AnswerEvent[] = [];
  for await (const event of answer.events()) events.push(event);
  const message = await answer.final;
  const texts = message.parts.map(({ type }, index) =>
    type === 'tool' ? '' : events.map((event) => ('text' in event && event.part === index ? event.text : '')).join(''),
  );
  expect(texts).toEqual(message.parts.map((part) => ('text' in part ? part.text : '')));
  expect(events.at(-1)).toEqual({ type: 'end', message });
  expect(events.find((event) => event.type === 'tool')).toMatchObject({ tool: { name: 'retrieve' } });
});

test('a slow reader gets the complete answer, in fewer states', async () => {
  const { said, goOn } = paused();
  spoken.set('Slowly?', said);
  const chat = await createChat();
  const answer = quire.chat(chat).ask('Slowly?');
  const states = answer[Symbol.asyncIterator]();
  await states.next();
  goOn();
  // The answer is complete on the server before the reader continues.
  await quire.chat(chat).follow((await answerIn(chat))?.id ?? '').final;
  let last: Conversation | undefined;
  for await (const state of { [Symbol.asyncIterator]: () => states }) last = state;
  expect(last?.messages[1]).toEqual(await answerIn(chat));
});

test('two readers share one answer', async () => {
  const chat = await createChat();
  const answer = quire.chat(chat).ask(QUESTION);
  const read = async (): Promise<Conversation | undefined> => {
    let last: Conversation | undefined;
    for await (const state of answer) last = state;
    return last;
  };
  const [one, other, final] = await Promise.all([read(), read(), answer.final]);
  expect(one).toEqual(other);
  expect(one?.messages[1]).toEqual(final);
  expect(final).toEqual(await answerIn(chat));
});

test('a loop that is left early can be continued', async () => {
  const { said, goOn } = paused();
  spoken.set('Leave?', said);
  const chat = await createChat();
  const answer = quire.chat(chat).ask('Leave?');
  for await (const { messages } of answer) if (JSON.stringify(messages).includes('Before.')) break;
  expect(answer.state?.messages[1]?.status).toBe('streaming');
  goOn();
  expect(await answer.final).toEqual(await answerIn(chat));
});

test('stopping keeps what there is', async () => {
  const { said, goOn } = paused();
  spoken.set('Stop?', said);
  const chat = await createChat();
  const answer = quire.chat(chat).ask('Stop?');
  for await (const { messages } of answer)
    if (JSON.stringify(messages).includes('Before.')) expect((await answer.stop()).status).toBe('stopped');
  goOn();
  expect(await answer.final).toMatchObject({ status: 'stopped' });
  expect(await answer.final).toEqual(await answerIn(chat));
});

test('aborting ends the reading with the reason of the signal and leaves the answer running', async () => {
  const { said, goOn } = paused();
  spoken.set('Abort?', said);
  const chat = await createChat();
  const controller = new AbortController();
  const answer = quire.chat(chat).ask('Abort?', { signal: controller.signal });
  const reason = new Error('the reader left');
  const read = (async () => {
    for await (const { messages } of answer) if (JSON.stringify(messages).includes('Before.')) controller.abort(reason);
  })();
  await expect(read).rejects.toBe(reason);
  await expect(answer.final).rejects.toBe(reason);
  goOn();
  expect(await quire.chat(chat).follow((await answerIn(chat))?.id ?? '').final).toMatchObject({ status: 'done' });
});

test('a second question meanwhile is a conflict, and is not sent again', async () => {
  const { said, goOn } = paused();
  spoken.set('First?', said);
  const chat = await createChat();
  const first = quire.chat(chat).ask('First?');
  for await (const _ of first) break;
  const second = quire.chat(chat).ask('Second?');
  await expect(second.final).rejects.toThrow(ConflictError);
  await expect(second[Symbol.asyncIterator]().next()).rejects.toThrow(ConflictError);
  goOn();
  expect((await first.final).status).toBe('done');
  expect((await quire.chat(chat).history().page()).total).toBe(2);
});

test('an answer that fails has its reason', async () => {
  spoken.set('Fail?', [{ hangUp: true }]);
  const chat = await createChat();
  const answer = quire.chat(chat).ask('Fail?');
  await expect(answer.final).rejects.toThrow(FailedError);
  expect(answer.state?.messages[1]).toEqual(await answerIn(chat));
});

test('an answer that takes longer than its time limit ends with a timeout', async () => {
  const { said, goOn } = paused();
  spoken.set('Long?', said);
  const answer = quire.chat(await createChat()).ask('Long?', { timeoutMs: 50 });
  await expect(answer.final).rejects.toMatchObject({ type: 'timeout' });
  goOn();
});

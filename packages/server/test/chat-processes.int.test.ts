// large: starts and kills whole services
/** If a process dies during an answer, the generated text is kept and the chat continues. */
import { Fold, LineReader } from '@quire/diffcp';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Conversation, Message } from '../src/domain/chats/conversation.ts';
import { startChatProvider, type ChatProvider, type Said } from './chat-provider.ts';
import { createTestDatabase } from './postgres.ts';
import { removeDirectory, startService, type ServiceProcess } from './service-process.ts';

const HOURS = '# Opening hours\n\nThe library is open from nine to five. On Thursdays it closes at eight.';
const ENV = { QUIRE_ALLOW_PRIVATE_NETWORK: '127.0.0.1' };

let provider: ChatProvider;
let goOn: () => void;
let said: Said[][];

beforeEach(async () => {
  const wait = new Promise<void>((resolve) => (goOn = resolve));
  const slow: Said[] = ['On Thursdays it closes ', { wait }, 'at eight.'];
  said = [[{ search: 'closing time' }], slow, [{ search: 'closing time' }], ['At eight.']];
  provider = await startChatProvider((_request, call) => said[call] ?? []);
});
afterEach(async () => {
  goOn();
  await provider.close();
});

/** Creates a chat with the provider's model and returns its path. */
async function createChat(service: ServiceProcess): Promise<string> {
  const ws = (await service.request<{ id: string }>('POST', '/workspaces', { name: 'chats' })).id;
  const { id: col } = await service.request<{ id: string }>('POST', `/w/${ws}/col`, { name: 'Library' });
  const document = { name: 'hours.md', content: HOURS, contentType: 'text/markdown' };
  await service.request('POST', `/w/${ws}/col/${col}/docs/raw?wait=60`, document);
  const config = { provider: 'provider_a', model: 'm', baseUrl: provider.baseUrl };
  const model = await service.request<{ id: string }>('POST', `/w/${ws}/config/models`, { name: 'M', config });
  const body = { collection_id: col, modelId: model.id };
  return `/w/${ws}/chat/${(await service.request<{ id: string }>('POST', `/w/${ws}/chat`, body)).id}`;
}

const history = async (service: ServiceProcess, chat: string): Promise<Message[]> =>
  (await service.request<{ items: Message[] }>('GET', `${chat}/history`)).items;

/**
 * Posts a question. `begun` resolves at the first text, `ended` with the folded state when the stream ends or breaks
 * off.
 */
function ask(service: ServiceProcess, chat: string): { begun: Promise<void>; ended: Promise<Conversation> } {
  let begin: () => void = () => undefined;
  const begun = new Promise<void>((resolve) => (begin = resolve));
  const ended = (async () => {
    const fold = new Fold();
    const reader = new LineReader();
    const response = await fetch(`${service.address}/v1${chat}/message`, {
      method: 'POST',
      headers: { authorization: `Bearer ${service.rootKey}` },
      body: JSON.stringify({ query: 'When does it close on Thursdays?' }),
    });
    try {
      for await (const piece of response.body ?? []) {
        for (const line of reader.push(piece)) fold.push(line);
        if (JSON.stringify(fold.state).includes('it closes')) begin();
      }
    } catch {
      // The process was killed during the stream.
    }
    return fold.state as unknown as Conversation;
  })();
  return { begun, ended };
}

/** Polls the history until the answer satisfies the condition. */
async function untilAnswer(
  service: ServiceProcess,
  chat: string,
  is: (answer: Message) => boolean,
): Promise<Message[]> {
  for (;;) {
    const messages = await history(service, chat);
    if (messages[1] !== undefined && is(messages[1])) return messages;
  }
}

const isTold = (answer: Message): boolean => JSON.stringify(answer.parts).includes('it closes');

test('a service killed in the middle of an answer ends it after the restart, and the chat continues', async () => {
  let service = await startService({ env: ENV });
  const { dataDir, rootKey } = service;
  try {
    const chat = await createChat(service);
    const { begun, ended } = ask(service, chat);
    await begun;
    await untilAnswer(service, chat, isTold);
    await service.kill();
    await ended;
    service = await startService({ dataDir, rootKey, env: ENV });
    const [, answer] = await history(service, chat);
    expect(answer).toMatchObject({
      status: 'failed',
      parts: [{ type: 'tool' }, { type: 'text', text: 'On Thursdays it closes' }],
      error: { type: 'interrupted' },
    });
    const body = { query: 'And now?', stream: false };
    const next = await service.request<Conversation>('POST', `${chat}/message`, body);
    expect(next.messages[1]).toMatchObject({ status: 'done', error: null });
  } finally {
    await service.stop();
    removeDirectory(dataDir);
  }
});

test('a worker that is killed does no harm to an answer; of an api process that is, another one ends it', async () => {
  const database = await createTestDatabase();
  const env = {
    ...ENV,
    QUIRE_DATABASE_URL: database.connectionString,
    QUIRE_SECRET_KEY: 'the-secret-key-of-the-tests',
  };
  const first = await startService({ env: { ...env, QUIRE_ROLE: 'api' } });
  const { dataDir, rootKey } = first;
  const start = (role: string): Promise<ServiceProcess> =>
    startService({ dataDir, rootKey, env: { ...env, QUIRE_ROLE: role } });
  const [second, worker] = [await start('api'), await start('worker')];
  try {
    const [harmless, cut] = [await createChat(first), await createChat(first)];
    said = [[{ search: 'closing time' }], said[1] ?? [], [{ search: 'closing time' }], said[1] ?? []];
    const one = ask(second, harmless);
    await one.begun;
    await worker.kill();
    const two = ask(first, cut);
    await two.begun;
    await untilAnswer(second, cut, isTold);
    await first.kill();
    goOn();
    expect((await one.ended).messages).toEqual(await history(second, harmless));
    expect((await one.ended).messages[1].status).toBe('done');
    const [, answer] = await untilAnswer(second, cut, ({ status }) => status !== 'streaming');
    expect(answer).toMatchObject({ status: 'failed', error: { type: 'interrupted' } });
    expect(isTold(answer!)).toBe(true);
  } finally {
    await worker.kill();
    await first.kill();
    await second.stop();
    await database.drop();
    removeDirectory(dataDir);
  }
});

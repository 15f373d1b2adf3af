/** A small collection with opening hours and fees, and the reading of answers, for the tests of chats. */
import { Fold, LineReader, type Line } from '@quire/diffcp';
import { afterAll, beforeAll, expect } from 'vitest';
import type { Conversation, Message } from '../../../src/domain/chats/conversation.ts';
import {
  createChat,
  createCollection,
  createDocument,
  createWorkspace,
  type AnyRecord,
  type TestWorkspace,
} from '../../factories.ts';
import { startTestService, type TestService } from '../../server.ts';

type Made = AnyRecord & { url: string };

export let service: TestService;
export let workspace: TestWorkspace;
export let library: Made;

const HOURS = '# Opening hours\n\nThe library is open from nine to five. On Thursdays it closes at eight.';
const FEES = `# Fees

A late book costs ten cents a day.

| Card | Price in 2018 | Price in 2019 |
|---|---|---|
| Adults | 10 euros | 12 euros |
| Children | nothing | nothing |
| Companies | 80 euros | 95 euros |
`;

export const newChat = (fields: Record<string, unknown> = {}): Promise<Made> =>
  createChat(service, workspace, { collection_id: library.id, ...fields });

export const history = async (chat: Made, query = ''): Promise<Message[]> =>
  (await service.call<{ items: Message[] }>('GET', `${chat.url}/history${query}`)).data.items;

export function readAll(text: string): Line[] {
  const reader = new LineReader();
  return [...reader.push(new TextEncoder().encode(text)), ...reader.end()];
}

export function fold(lines: readonly Line[]): Conversation {
  const folded = new Fold();
  for (const line of lines) folded.push(line);
  return folded.state as unknown as Conversation;
}

/** Returns the lines of an answer after checking that their folded state equals the stored message. */
export async function stream(
  chat: Made,
  query: string,
): Promise<{ lines: Line[]; state: Conversation; headers: Headers }> {
  const answer = await service.call('POST', `${chat.url}/message`, { json: { query } });
  expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'application/x-ndjson']);
  const lines = readAll(answer.text);
  const state = fold(lines);
  const last = (await history(chat, '?order=desc&limit=2')).toReversed();
  expect(state).toEqual({ chat: (await service.call('GET', chat.url)).data, messages: last });
  return { lines, state, headers: answer.headers };
}

export const textOf = (message: Message): string =>
  message.parts.map((part) => (part.type === 'text' ? part.text : '')).join('');

/** Starts the service with the collection for the tests of a file. */
export function useLibrary(): void {
  beforeAll(async () => {
    service = await startTestService();
    workspace = await createWorkspace(service);
    library = await createCollection(service, workspace, { name: 'Library' });
    await createDocument(service, library, { name: 'hours.md', content: HOURS, metadata: { audience: 'public' } });
    await createDocument(service, library, { name: 'fees.md', content: FEES, metadata: { audience: 'staff' } });
  });
  afterAll(() => service.stop());
}

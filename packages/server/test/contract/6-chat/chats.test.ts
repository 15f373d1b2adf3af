/** CONTRACT section 6: records of chats. */
import { describe, expect, test } from 'vitest';
import {
  ask,
  createChat,
  createCollection,
  createKey,
  createWorkspace,
  shareChats,
  type AnyRecord,
} from '../../factories.ts';
import { service, workspace, library, newChat, history, useLibrary } from './library.ts';

useLibrary();

describe('chats', () => {
  test('a chat names its collection and model, and starts empty', async () => {
    const filter = { 'metadata.audience': 'public' };
    const answer = await service.call('POST', `${workspace.url}/chat`, {
      json: { title: 'Desk', collection_id: library.id, instructions: 'Be brief', filter, metadata: { user: 7 } },
    });
    expect([answer.status, answer.data]).toEqual([
      201,
      {
        id: expect.any(String),
        workspaceId: workspace.id,
        collection_id: library.id,
        title: 'Desk',
        modelId: expect.any(String),
        instructions: 'Be brief',
        filter,
        metadata: { user: 7 },
        messageCount: 0,
        createdAt: expect.any(String),
        modifiedAt: expect.any(String),
        deletedAt: null,
      },
    ]);
  });

  test('what does not fit is named at its place', async () => {
    const foreign = await createCollection(service, await createWorkspace(service));
    const problems = async (json: Record<string, unknown>) =>
      (await service.call('POST', `${workspace.url}/chat`, { json })).detail.map(({ type, loc }) => [type, ...loc]);
    expect(await problems({ title: '', modelId: 'x', more: 1 })).toEqual([
      ['string_too_short', 'body', 'title'],
      ['missing', 'body', 'collection_id'],
      ['uuid_parsing', 'body', 'modelId'],
      ['extra_forbidden', 'body', 'more'],
    ]);
    expect(await problems({ collection_id: foreign.id })).toEqual([['value_error', 'body', 'collection_id']]);
    expect(await problems({ collection_id: library.id, modelId: library['parserId'] })).toEqual([
      ['value_error', 'body', 'modelId'],
    ]);
    const wrong = await problems({ collection_id: library.id, filter: { nothing: 1 } });
    expect(wrong[0]?.slice(0, 4)).toEqual([expect.any(String), 'body', 'filter', 'nothing']);
  });

  test('PATCH changes what it names; null clears', async () => {
    const chat = await newChat({ instructions: 'Be brief', filter: { name: 'x' } });
    const json = { title: 'New', instructions: null, filter: null, metadata: { a: 1 } };
    const { data } = await service.call('PATCH', chat.url, { json });
    expect(data).toMatchObject(json);
    expect((await service.call('PATCH', chat.url, { json: { collection_id: library.id } })).status).toBe(422);
  });

  test('a deleted chat is out of lists, readable, unchangeable, and comes back', async () => {
    const collection = await createCollection(service, workspace);
    const chat = await createChat(service, workspace, { collection_id: collection.id });
    await ask(service, chat, 'Anything?');
    const ids = async (query: string) =>
      (
        await service.call<{ items: AnyRecord[] }>(
          'GET',
          `${workspace.url}/chat?collection_id=${collection.id}${query}`,
        )
      ).data.items.map((each) => each.id);
    const gone = await service.call('DELETE', chat.url);
    expect((await service.call('DELETE', chat.url)).data).toEqual(gone.data);
    expect([await ids(''), await ids('&includeDeleted=true')]).toEqual([[], [chat.id]]);
    expect(await history(chat)).toHaveLength(2);
    for (const [method, url, json] of [
      ['PATCH', chat.url, { title: 'x' }],
      ['POST', `${chat.url}/message`, { query: 'x' }],
    ] as const) {
      const refused = await service.call(method, url, { json });
      expect([refused.status, refused.detail[0]?.type]).toEqual([409, 'deleted']);
    }
    expect((await service.call('PUT', `${chat.url}/undelete`)).data['deletedAt']).toBeNull();
    expect(await ids('')).toEqual([chat.id]);
  });

  test('a chat over a deleted collection answers 409, and answers again when that is restored', async () => {
    const collection = await createCollection(service, workspace);
    const chat = await createChat(service, workspace, { collection_id: collection.id });
    await service.call('DELETE', collection.url);
    const refused = await service.call('POST', `${chat.url}/message`, { json: { query: 'x' } });
    expect([refused.status, refused.detail[0]?.type]).toEqual([409, 'deleted']);
    await service.call('PUT', `${collection.url}/undelete`);
    expect((await ask(service, chat, 'x')).messages[1].status).toBe('done');
  });

  test('a limited key sees the chats of its collections only, also if chats are shared', async () => {
    await shareChats(service, workspace);
    const other = await createCollection(service, workspace);
    const [mine, foreign] = [await newChat(), await createChat(service, workspace, { collection_id: other.id })];
    const key = await createKey(service, workspace, { permission: 'write', collectionIds: [other.id] });
    const listed = await service.call<{ items: AnyRecord[] }>('GET', `${workspace.url}/chat`, { key });
    expect(listed.data.items.map((each) => each.id)).toEqual([foreign.id]);
    for (const [method, url] of [
      ['GET', mine.url],
      ['GET', `${mine.url}/history`],
      ['DELETE', mine.url],
      ['POST', `${mine.url}/message`],
    ] as const) {
      expect((await service.call(method, url, { key })).status).toBe(404);
    }
    const refused = await service.call('POST', `${workspace.url}/chat`, { key, json: { collection_id: library.id } });
    expect(refused.detail[0]?.loc).toEqual(['body', 'collection_id']);
  });
});

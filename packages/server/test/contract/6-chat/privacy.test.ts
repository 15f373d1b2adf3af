/** CONTRACT section 6: who sees which chats, on every route of a chat. */
import { Client } from 'pg';
import { beforeAll, describe, expect, test } from 'vitest';
import { describeWithoutServices } from '../../../src/app.ts';
import { createCollection, createKey, createWorkspace, type AnyRecord } from '../../factories.ts';
import { mintToken, type TokenFields } from '../../mint-token.ts';
import { ROOT_KEY } from '../../server.ts';
import { library, service, useLibrary, workspace } from './library.ts';

useLibrary();

const NOWHERE = '0192f0c4-0000-7000-8000-00000000ffff';
const FILTER = { 'metadata.audience': 'public' };
const CHAT_PATH = '/v1/w/{ws}/chat/{chat_id}';

const described = describeWithoutServices() as { paths: Record<string, Record<string, { operationId: string }>> };
/** Every operation on one chat. A chat is deleted before it is restored, and changed by nothing else. */
const OPERATIONS = Object.entries(described.paths)
  .filter(([path]) => path.startsWith(CHAT_PATH))
  .flatMap(([path, methods]) => Object.keys(methods).map((method) => ({ method: method.toUpperCase(), path })))
  .toSorted((a, b) => Number(a.path.endsWith('/undelete')) - Number(b.path.endsWith('/undelete')));

interface MadeChat {
  id: string;
  messageId: string;
}

const callers: Record<string, string> = {};
const chats: Record<string, MadeChat> = {};

async function createChatBy(caller: string): Promise<MadeChat> {
  const key = callers[caller] ?? '';
  const json = { collection_id: library.id, title: `Secret of ${caller}` };
  const { data } = await service.call<AnyRecord>('POST', `${workspace.url}/chat`, { key, json });
  const question = { query: 'What does a late book cost?', stream: false };
  const asked = await service.call<{ messages: AnyRecord[] }>('POST', `${workspace.url}/chat/${data.id}/message`, {
    key,
    json: question,
  });
  return { id: data.id, messageId: asked.data.messages[1]!.id };
}

async function forgetCreator(chatId: string): Promise<void> {
  const client = new Client({ connectionString: service.connectionString });
  await client.connect();
  await client.query('update chats set key_id = null, subject = null where id = $1', [chatId]);
  await client.end();
}

const share = (chatSharing: string, key = workspace.admin) =>
  service.call('PATCH', workspace.url, { key, json: { chatSharing } });

beforeAll(async () => {
  const owner = await createKey(service, workspace, { permission: 'write' });
  const keyId = String((await service.call('GET', '/v1/whoami', { key: owner })).data['keyId']);
  const token = (fields: TokenFields): string => mintToken(keyId, owner, { permission: 'write', ...fields });
  const otherId = String((await service.call('GET', '/v1/whoami', { key: workspace.admin })).data['keyId']);
  const elsewhere = await createCollection(service, workspace);
  Object.assign(callers, {
    owner,
    ada: token({ sub: 'ada' }),
    'filtered ada': token({ sub: 'ada', filter: FILTER }),
    bob: token({ sub: 'bob' }),
    'no subject': token({}),
    'ada of another key': mintToken(otherId, workspace.admin, { permission: 'admin', sub: 'ada' }),
    read: await createKey(service, workspace, { permission: 'read' }),
    write: await createKey(service, workspace, { permission: 'write' }),
    admin: workspace.admin,
    limited: await createKey(service, workspace, { permission: 'write', collectionIds: [elsewhere.id] }),
    foreign: (await createWorkspace(service)).admin,
    root: ROOT_KEY,
  });
  for (const name of ['owner', 'ada', 'filtered ada', 'bob', 'no subject', 'ada of another key', 'admin', 'root']) {
    chats[name] = await createChatBy(name);
  }
  chats['unknown'] = await createChatBy('write');
  await forgetCreator(chats['unknown'].id);
});

const OWN: Readonly<Record<string, readonly string[]>> = {
  owner: ['owner', 'ada', 'filtered ada', 'bob', 'no subject'],
  ada: ['ada', 'filtered ada'],
  'filtered ada': ['filtered ada'],
  bob: ['bob'],
  'no subject': ['owner', 'no subject'],
  'ada of another key': ['ada of another key'],
  read: [],
  write: [],
  admin: ['admin', 'ada of another key'],
  limited: [],
  foreign: [],
};
const ALL = [...Object.keys(OWN).filter((name) => !['read', 'write', 'limited', 'foreign'].includes(name)), 'root'];
const EVERY = [...ALL, 'unknown'];
const SHARED: typeof OWN = {
  ...OWN,
  ...Object.fromEntries(['owner', 'read', 'write', 'admin'].map((n) => [n, EVERY])),
};

const urlOf = (path: string, { id, messageId }: MadeChat): string =>
  path.replace('{ws}', workspace.id).replace('{chat_id}', id).replace('{message_id}', messageId);

async function listed(key: string): Promise<{ total: unknown; ids: string[] }> {
  const { data } = await service.call<{ items: AnyRecord[]; total: number }>('GET', `${workspace.url}/chat`, { key });
  return { total: data.total, ids: data.items.map(({ id }) => id).toSorted() };
}

/** Returns the status of each operation on the chat, with a body that changes nothing. */
async function statuses(key: string, chat: MadeChat): Promise<Record<string, number>> {
  const found: Record<string, number> = {};
  const hidden = (await service.call('GET', urlOf(CHAT_PATH, { id: NOWHERE, messageId: NOWHERE }), { key })).text;
  for (const { method, path } of OPERATIONS) {
    const json = ['GET', 'DELETE'].includes(method) ? {} : { json: {} };
    const answer = await service.call(method, urlOf(path, chat), { key, ...json });
    found[`${method} ${path.slice(CHAT_PATH.length)}`] = answer.status;
    if (answer.status === 404) expect(answer.text).toBe(hidden);
  }
  return found;
}

const HIDDEN = Object.fromEntries(
  OPERATIONS.map(({ method, path }) => [`${method} ${path.slice(CHAT_PATH.length)}`, 404]),
);
const WRITES = ['PATCH ', 'DELETE ', 'PUT /undelete'];
const VISIBLE = { ...Object.fromEntries(Object.keys(HIDDEN).map((name) => [name, 200])), 'POST /message': 422 };
const READ_ONLY = { ...VISIBLE, ...Object.fromEntries(WRITES.map((name) => [name, 403])) };

describe.each([
  { chatSharing: 'private', visible: OWN },
  { chatSharing: 'workspace', visible: SHARED },
])('with the setting $chatSharing', ({ chatSharing, visible }) => {
  beforeAll(async () => {
    expect((await share(chatSharing)).data).toMatchObject({ chatSharing });
  });

  test.each([...Object.entries(visible), ['root', EVERY] as const])('%s sees these chats', async (caller, seen) => {
    const key = callers[caller] ?? '';
    if (caller !== 'foreign') {
      const ids = seen.map((name) => chats[name]!.id).toSorted();
      expect(await listed(key)).toEqual({ total: ids.length, ids });
    }
    for (const [name, chat] of Object.entries(chats)) {
      const expected = !seen.includes(name) ? HIDDEN : caller === 'read' ? READ_ONLY : VISIBLE;
      expect([name, await statuses(key, chat)]).toEqual([name, expected]);
    }
  });
});

test('a message of another chat is not found by the id of a chat that is visible', async () => {
  await share('private');
  const mixed = { id: chats['ada']!.id, messageId: chats['bob']!.messageId };
  const url = urlOf(`${CHAT_PATH}/message/{message_id}/stream`, mixed);
  expect((await service.call('GET', url, { key: callers['ada'] ?? '' })).status).toBe(404);
});

test('an administrator changes the setting, which the audit log records; a write key does not', async () => {
  expect((await service.call('GET', workspace.url)).data).toMatchObject({ chatSharing: 'private' });
  expect((await share('workspace', callers['owner'])).status).toBe(403);
  const wrong = await share('everybody');
  expect([wrong.status, wrong.detail]).toEqual([
    422,
    [
      {
        loc: ['body', 'chatSharing'],
        msg: "Input should be 'private' or 'workspace'",
        type: 'enum',
        input: 'everybody',
        ctx: { expected: "'private' or 'workspace'" },
      },
    ],
  ]);
  await share('workspace');
  await share('private');
  const { data } = await service.call<{ items: AnyRecord[] }>('GET', `${workspace.url}/audit?action=updateWorkspace`);
  expect(
    data.items
      .filter(({ outcome }) => outcome === 'done')
      .slice(0, 2)
      .map(({ details }) => details),
  ).toEqual([{ chatSharing: 'private' }, { chatSharing: 'workspace' }]);
});

test('the chats of a revoked key are reached by the root key, and by others while chats are shared', async () => {
  const key = await createKey(service, workspace, { permission: 'write' });
  callers['leaving'] = key;
  const chat = urlOf(CHAT_PATH, await createChatBy('leaving'));
  const { keyId } = (await service.call('GET', '/v1/whoami', { key })).data;
  await service.call('DELETE', `${workspace.url}/keys/${String(keyId)}`);
  const status = async (caller: string) => (await service.call('GET', chat, { key: callers[caller] ?? '' })).status;
  expect([await status('leaving'), await status('admin'), await status('root')]).toEqual([401, 404, 200]);
  await share('workspace');
  expect(await status('read')).toBe(200);
  await share('private');
});

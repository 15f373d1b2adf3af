/** CONTRACT section 2: chats and archives behind a filtered token. */
import { strToU8, zipSync } from 'fflate';
import { beforeAll, describe, expect, test } from 'vitest';
import { ask, createDocument, type AnyRecord } from '../../factories.ts';
import { mintToken } from '../../mint-token.ts';
import {
  FILTER,
  LEGAL,
  service,
  workspace,
  token,
  key,
  keyId,
  collection,
  see,
  useFilteredToken,
} from './filtered-token.ts';

useFilteredToken();

describe('a chat made with a filtered token', () => {
  let memo: AnyRecord & { url: string };
  let chat: AnyRecord & { url: string };
  const history = async (caller: string) => (await service.call('GET', `${chat.url}/history`, { key: caller })).text;

  beforeAll(async () => {
    memo = await createDocument(service, collection, {
      name: 'memo.md',
      content: 'The parking permit costs 30 per month.',
      metadata: LEGAL,
    });
    const { data } = await see('POST', `${workspace.url}/chat`, { collection_id: collection.id });
    chat = { ...(data as AnyRecord), url: `${workspace.url}/chat/${String(data['id'])}` };
  });

  test('is hidden from tokens with another filter or another subject', async () => {
    const others = [
      mintToken(keyId, key, { permission: 'read', filter: FILTER, sub: 'bob' }),
      mintToken(keyId, key, { permission: 'read', filter: { 'metadata.team': 'hr' }, sub: 'ada' }),
    ];
    for (const other of others) expect((await service.call('GET', chat.url, { key: other })).status).toBe(404);
    const same = mintToken(keyId, key, { permission: 'read', filter: FILTER, sub: 'ada', lifetime: 60 });
    expect((await service.call('GET', chat.url, { key: same })).status).toBe(200);
  });

  test('keeps the filter for questions of other callers, and when the chat is given another filter', async () => {
    await service.call('PATCH', chat.url, { json: { filter: { 'metadata.team': 'hr' } } });
    const answered = await ask(service, chat, 'What is the rent?');
    expect(answered.messages[1].citations).toEqual([]);
    await service.call('PATCH', chat.url, { json: { filter: null } });
  });

  test('hides an answer once a document behind it has left the filter', async () => {
    const asked = await see('POST', `${chat.url}/message`, {
      query: 'What does the parking permit cost?',
      stream: false,
    });
    const [, answer] = asked.data['messages'] as { id: string; citations: { documentId: string }[] }[];
    expect(answer?.citations.map(({ documentId }) => documentId)).toContain(memo.id);
    expect(await history(token)).toContain('costs 30 per month');
    await service.call('PATCH', memo.url, { json: { metadata: { team: 'hr' } } });
    const shown = [
      await history(token),
      (await see('GET', `${chat.url}/message/${answer?.id}/stream`)).text,
      (await see('POST', `${chat.url}/message/${answer?.id}/stop`)).text,
    ];
    for (const text of shown) {
      expect(text).not.toContain('costs 30 per month');
      expect(text).not.toContain(memo.id);
      expect(text).toContain('"type":"restricted"');
    }
    expect(await history(key)).toContain('costs 30 per month');
    const next = await see('POST', `${chat.url}/message`, { query: 'And the parking permit?', stream: false });
    expect(next.text).not.toContain('costs 30 per month');
  });
});

test('a filtered token cannot upload, change or delete an archive, whose members it may not see', async () => {
  const body = (): FormData => {
    const form = new FormData();
    form.append('file', new Blob([zipSync({ 'a.md': strToU8('A member.') }).slice()]), 'all.zip');
    form.append('metadata', JSON.stringify(LEGAL));
    return form;
  };
  const url = `${collection.url}/docs`;
  expect((await see('POST', `${url}/file-multipart`, undefined, { body: body() })).status).toBe(403);
  const made = (await service.call<AnyRecord>('POST', `${url}/file-multipart?wait=60`, { body: body() })).data;
  const archive = `${url}/${made.id}`;
  expect((await see('GET', archive)).status).toBe(200);
  for (const [method, path, json] of [
    ['PATCH', '', { name: 'x.zip' }],
    ['DELETE', '', undefined],
    ['PUT', '/undelete', {}],
    ['POST', '/retry', {}],
  ] as const) {
    expect([method, (await see(method, `${archive}${path}`, json)).status]).toEqual([method, 403]);
  }
  expect((await see('POST', `${url}/delete`, { documentIds: [made.id] })).data).toEqual({ deleted: 0 });
});

/** Documents inside and outside of the filter of a token, and calls with that token. */
import { afterAll, beforeAll, expect } from 'vitest';
import {
  ask,
  createChat,
  createCollection,
  createDocument,
  createKey,
  createRun,
  createWorkspace,
  type AnyRecord,
  type TestWorkspace,
} from '../../factories.ts';
import { mintToken } from '../../mint-token.ts';
import { startTestService, type CallOptions, type TestAnswer, type TestService } from '../../server.ts';

export interface Operation {
  method: string;
  path: string;
  operationId: string;
}

const NOWHERE = '0192f0c4-0000-7000-8000-00000000ffff';
/** Words that only documents outside of the filter contain. */
const SECRET = 'zyzzyva';
export const FILTER = { 'metadata.team': 'legal' };
export const LEGAL = { team: 'legal' };
export const HR = { team: 'hr' };

export let service: TestService;
export let workspace: TestWorkspace;
export let token: string;
export let key: string;
export let keyId: string;
export let collection: AnyRecord & { url: string };
/** In the filter. */
export let inside: AnyRecord & { url: string };
/** Outside of the filter: ready, failed and deleted. */
export let outside: AnyRecord & { url: string };
export let failed: AnyRecord & { url: string };
export let removed: AnyRecord & { url: string };
/** In the filter, but of another collection, which the limited token does not reach. */
export let elsewhere: AnyRecord & { url: string };
let foreignChat: AnyRecord & { url: string };
export let ownChat: AnyRecord & { url: string };
export let ids: Record<string, string>;
/** Texts that no answer to the token may contain. */
export let leaks: string[] = [];

export const items = (answer: TestAnswer<Record<string, unknown>>): AnyRecord[] => answer.data['items'] as AnyRecord[];

/** Calls with the token and checks that the answer shows nothing from outside of the filter. */
export async function see(
  method: string,
  url: string,
  json?: unknown,
  options: CallOptions = {},
): Promise<TestAnswer<Record<string, unknown>>> {
  const answer = await service.call(method, url, { key: token, ...(json === undefined ? {} : { json }), ...options });
  for (const leak of leaks) expect([method, url, answer.text.includes(leak)]).toEqual([method, url, false]);
  return answer;
}

export const read = async (url: string): Promise<unknown> => (await service.call('GET', url)).data;

export const urlOf = (path: string, changed: Record<string, string> = {}): string =>
  path.replaceAll(/\{(\w+)\}/g, (_, name: string) => changed[name] ?? ids[name] ?? NOWHERE);

/** Sends a request without a valid body: access is checked before the body is read. */
export const probe = async ({ method, path }: Operation, changed: Record<string, string> = {}): Promise<number> =>
  (await see(method, urlOf(path, changed), method === 'GET' || method === 'DELETE' ? undefined : {})).status;

/** Starts a service with these documents for the tests of a file. */
export function useFilteredToken(): void {
  beforeAll(async () => {
    service = await startTestService();
    workspace = await createWorkspace(service);
    collection = await createCollection(service, workspace);
    const other = await createCollection(service, workspace);
    const document = (fields: Record<string, unknown>, into = collection) => createDocument(service, into, fields);
    inside = await document({ name: 'lease.md', content: 'The lease ends in May. The rent is 900.', metadata: LEGAL });
    outside = await document({ name: 'wages.md', content: `The rent of ${SECRET} is 4,000.`, metadata: HR });
    failed = await document({ name: `${SECRET}.txt`, content: ' ', contentType: 'text/plain', metadata: HR });
    removed = await document({ name: 'old.md', content: `The rent of ${SECRET} was 3,000.`, metadata: HR });
    await service.call('DELETE', removed.url);
    elsewhere = await document({ name: 'other.md', content: 'The rent of another lease.', metadata: LEGAL }, other);
    key = await createKey(service, workspace, { permission: 'admin' });
    keyId = String((await service.call('GET', '/v1/whoami', { key })).data['keyId']);
    token = mintToken(keyId, key, { permission: 'admin', filter: FILTER, sub: 'ada' });

    foreignChat = await createChat(service, workspace, { collection_id: collection.id });
    const answered = await ask(service, foreignChat, `What is the rent of ${SECRET}?`);
    const [chunk] = items(await service.call('GET', `${outside.url}/chunks`));
    ownChat = (await see('POST', `${workspace.url}/chat`, { collection_id: collection.id })).data as never;
    ownChat.url = `${workspace.url}/chat/${ownChat.id}`;

    const { models, embedders, parsers } = Object.fromEntries(
      await Promise.all(
        ['models', 'embedders', 'parsers'].map(async (kind) => [
          kind,
          items(await service.call('GET', `${workspace.url}/config/${kind}`))[0]!.id,
        ]),
      ),
    ) as Record<'models' | 'embedders' | 'parsers', string>;
    const hook = {
      name: 'w',
      url: 'https://receiver.invalid/',
      signingSecret: 'a secret of the tests',
      events: ['document.ready'],
    };
    const webhook = (await service.call('POST', `${workspace.url}/webhooks`, { json: hook })).data;
    const delivery = (await service.call('POST', `${workspace.url}/webhooks/${String(webhook['id'])}/test`)).data;
    const run = await createRun(service, workspace, { files: { 'a.txt': 'A file of somebody else.' } });
    ids = {
      ws: workspace.id,
      col: collection.id,
      doc_id: outside.id,
      chunk_id: chunk!.id,
      key_id: keyId,
      model_id: models,
      embedder_id: embedders,
      parser_id: parsers,
      chat_id: foreignChat.id,
      message_id: answered.messages[1].id,
      run_id: run.id,
      webhook_id: String(webhook['id']),
      delivery_id: String(delivery['id']),
      page: '1',
      file: '1',
      path: 'outputs/a.md',
    };
    leaks = [SECRET, outside.id, failed.id, removed.id, chunk!.id, String(outside['sha256'])];
  });
  afterAll(() => service.stop());
}

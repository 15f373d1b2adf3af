/** Creates records for tests of the contract through the HTTP API, as a client does. */
import { Client } from 'pg';
import type { Conversation } from '../src/domain/chats/conversation.ts';
import type { TestAnswer, TestService } from './server.ts';

export interface AnyRecord {
  id: string;
  [field: string]: unknown;
}

const expectData = <T>(answer: TestAnswer<T>): T => {
  if (answer.status >= 300) throw new Error(`${answer.status}: ${answer.text}`);
  return answer.data;
};

export interface TestWorkspace {
  id: string;
  /** `/v1/w/<id>` */
  url: string;
  admin: string;
}

export async function createWorkspace(service: TestService, name = 'Workspace'): Promise<TestWorkspace> {
  const { id } = expectData(await service.call<AnyRecord>('POST', '/v1/workspaces', { json: { name } }));
  const workspace = { id, url: `/v1/w/${id}` };
  return { ...workspace, admin: await createKey(service, workspace, { permission: 'admin' }) };
}

export async function createKey(
  service: TestService,
  workspace: Pick<TestWorkspace, 'url'>,
  fields: { permission: string; collectionIds?: string[] },
): Promise<string> {
  const answer = await service.call<{ key: string }>('POST', `${workspace.url}/keys`, {
    json: { name: fields.permission, ...fields },
  });
  return expectData(answer).key;
}

/** Creates a read key whose time has passed. */
export async function createExpiredKey(
  service: TestService,
  workspace: Pick<TestWorkspace, 'url'>,
): Promise<{ id: string; key: string }> {
  const json = { name: 'expired', permission: 'read', expiresAt: '2999-01-01T00:00:00Z' };
  const answer = await service.call<{ id: string; key: string }>('POST', `${workspace.url}/keys`, { json });
  const { id, key } = expectData(answer);
  const client = new Client({ connectionString: service.connectionString });
  await client.connect();
  await client.query("update api_keys set expires_at = now() - interval '1 second' where id = $1", [id]);
  await client.end();
  return { id, key };
}

export async function createCollection(
  service: TestService,
  workspace: Pick<TestWorkspace, 'url'>,
  fields: Record<string, unknown> = {},
): Promise<AnyRecord & { url: string }> {
  const json = { name: 'Collection', ...fields };
  const record = expectData(await service.call<AnyRecord>('POST', `${workspace.url}/col`, { json }));
  return { ...record, url: `${workspace.url}/col/${record.id}` };
}

/** Polls a document or run until it is in a final state and returns it. */
async function settled(service: TestService, url: string, answer: TestAnswer<AnyRecord>): Promise<AnyRecord> {
  let record = expectData(answer);
  while (['indexing', 'queued', 'running'].includes(String(record['status'])))
    record = expectData(await service.call<AnyRecord>('GET', `${url}/${record.id}?wait=60`));
  return record;
}

/** Creates a text document and resolves when it is searchable. */
export async function createDocument(
  service: TestService,
  collection: { url: string },
  fields: Record<string, unknown> = {},
): Promise<AnyRecord & { url: string }> {
  const json = { name: 'note.md', content: 'A note about leases.', contentType: 'text/markdown', ...fields };
  const answer = await service.call<AnyRecord>('POST', `${collection.url}/docs/raw?wait=60`, { json });
  const record = await settled(service, `${collection.url}/docs`, answer);
  return { ...record, url: `${collection.url}/docs/${record.id}` };
}

/** Lets every key of the workspace see the chats of all keys. */
export async function shareChats(service: TestService, workspace: Pick<TestWorkspace, 'url'>): Promise<void> {
  expectData(await service.call('PATCH', workspace.url, { json: { chatSharing: 'workspace' } }));
}

/** Creates a chat of the root key, which other keys see after `shareChats`. */
export async function createChat(
  service: TestService,
  workspace: Pick<TestWorkspace, 'url'>,
  fields: Record<string, unknown>,
): Promise<AnyRecord & { url: string }> {
  const record = expectData(await service.call<AnyRecord>('POST', `${workspace.url}/chat`, { json: fields }));
  return { ...record, url: `${workspace.url}/chat/${record.id}` };
}

/** Creates a webhook, as events without a subscriber are not stored. Deliveries to it fail. */
export async function subscribe(
  request: (url: string, json: unknown) => Promise<unknown>,
  workspaceUrl: string,
  ...events: string[]
): Promise<void> {
  const url = 'https://receiver.invalid/';
  await request(`${workspaceUrl}/webhooks`, { name: 'w', url, signingSecret: 'a secret of the tests', events });
}

/** Builds the form of a run from files by name and blocks. */
export function runForm(files: Record<string, string | Buffer>, blocks: Record<string, unknown> = {}): FormData {
  const form = new FormData();
  for (const [name, block] of Object.entries(blocks)) form.append(name, JSON.stringify(block));
  for (const [name, content] of Object.entries(files))
    form.append('files', new Blob([new Uint8Array(Buffer.from(content))]), name);
  return form;
}

/** Creates a run and returns it in its final state. */
export async function createRun(
  service: TestService,
  workspace: Pick<TestWorkspace, 'url'>,
  { files, blocks }: { files: Record<string, string | Buffer>; blocks?: Record<string, unknown> },
): Promise<AnyRecord & { url: string }> {
  const body = runForm(files, blocks);
  const url = `${workspace.url}/process`;
  const record = await settled(service, url, await service.call<AnyRecord>('POST', `${url}?wait=60`, { body }));
  return { ...record, url: `${url}/${record.id}` };
}

/** Posts a message without streaming and returns the conversation after the answer. */
export async function ask(service: TestService, chat: { url: string }, query: string): Promise<Conversation> {
  return expectData(
    await service.call<Conversation>('POST', `${chat.url}/message`, { json: { query, stream: false } }),
  );
}

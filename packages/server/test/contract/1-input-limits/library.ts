/** The service and the records that the tests of input limits send their values to. */
import { afterAll, beforeAll } from 'vitest';
import {
  createChat,
  createCollection,
  createDocument,
  createKey,
  createWorkspace,
  type AnyRecord,
} from '../../factories.ts';
import { signClaims } from '../../mint-token.ts';
import { startTestService, type Detail, type TestService } from '../../server.ts';

export interface Outcome {
  status: number;
  detail: Detail[];
}

export let service: TestService;
export let ws: string;
export let collection: AnyRecord & { url: string };
export let document: AnyRecord & { url: string };
export let chat: AnyRecord & { url: string };
export let connector: string;
let key: string;
let keyId: string;

/** Starts the service with the records for the tests of a file. */
export function useRecords(): void {
  beforeAll(async () => {
    service = await startTestService();
    const workspace = await createWorkspace(service);
    ws = workspace.url;
    collection = await createCollection(service, workspace);
    document = await createDocument(service, collection);
    chat = await createChat(service, workspace, { collection_id: collection.id });
    const made = await service.call('POST', `${ws}/connectors`, { json: connectorBody({}) });
    connector = `${ws}/connectors/${String(made.data['id'])}`;
    key = await createKey(service, workspace, { permission: 'admin' });
    keyId = String((await service.call('GET', '/v1/whoami', { key })).data['keyId']);
  });
  afterAll(() => service.stop());
}

export const connectorBody = (fields: Record<string, unknown>): Record<string, unknown> => ({
  collectionId: collection.id,
  name: 'Files',
  kind: 'ftp',
  config: { protocol: 'ftps', host: 'files.invalid', username: 'u', password: 'p' },
  ...fields,
});

export const send = async (method: string, url: string, json?: unknown): Promise<Outcome> => {
  const { status, detail = [] } = await service.call(method, url, json === undefined ? {} : { json });
  return { status, detail };
};

/** Sends a body as it is written. */
export const sendText = async (method: string, url: string, body: string): Promise<Outcome> => {
  const { status, detail = [] } = await service.call(method, url, { body });
  return { status, detail };
};

export const raw = (fields: Record<string, unknown>): Promise<Outcome> =>
  send('POST', `${collection.url}/docs/raw`, { name: 'a.md', contentType: 'text/markdown', content: 'A', ...fields });

/** Sends the blocks of a staged run, which has no file. */
export const run = (blocks: Record<string, unknown>): Promise<Outcome> =>
  send('POST', `${ws}/process?staged=true`, blocks);

export const operation = (fields: Record<string, unknown>): Promise<Outcome> =>
  run({ editConfig: { operations: [fields] } });

/** Sends an upload as a form: text parts as they are, and a file of one letter. */
export const form = async (parts: readonly (readonly [string, string])[], fileName = 'a.md'): Promise<Outcome> => {
  const body = new FormData();
  for (const [name, value] of parts) body.append(name, value);
  body.append('file', new Blob(['A']), fileName);
  const { status, detail = [] } = await service.call('POST', `${collection.url}/docs/file-multipart`, { body });
  return { status, detail };
};

/** Lists the documents with a token of these claims, as JSON. */
export const withClaims = async (claims: string): Promise<Outcome> => {
  const exp = Math.floor(Date.now() / 1000) + 600;
  const token = signClaims(keyId, key, `{"permission":"read","exp":${exp},${claims}}`);
  const { status, detail = [] } = await service.call('GET', `${collection.url}/docs`, { key: token });
  return { status, detail };
};

/** Calls an MCP tool with arguments that are written as JSON. Returns the text of the result or of the error. */
export const callTool = async (name: string, args: string): Promise<{ text: string; failed: boolean }> => {
  const body = `{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"${name}","arguments":${args}}}`;
  const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
  const answer = await service.call('POST', `${ws}/mcp`, { body, headers, key });
  const json = /\{.*\}/s.exec(answer.text)?.[0] ?? '{}';
  const { id, result, error } = JSON.parse(json) as McpMessage;
  if (id !== 7) throw new Error(`no answer to the message: ${answer.text}`);
  return {
    text: error?.message ?? result?.content[0]?.text ?? '',
    failed: error !== undefined || result?.isError === true,
  };
};

interface McpMessage {
  id: number;
  result?: { isError?: boolean; content: { text: string }[] };
  error?: { message: string };
}

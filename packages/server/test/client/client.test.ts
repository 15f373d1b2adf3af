/** The TypeScript client against a running service. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { ConflictError, NotFoundError, Quire, type Conversation, type QuireError } from '@quire/client';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createWorkspace } from '../factories.ts';
import { startTestService, type TestService } from '../server.ts';

let service: TestService;
let quire: Quire;
let folder: string;

beforeAll(async () => {
  service = await startTestService();
  const { admin } = await createWorkspace(service);
  quire = new Quire({ url: service.address, key: admin });
  folder = await mkdtemp(path.join(tmpdir(), 'quire-client-'));
});

afterAll(async () => {
  await service.stop();
  await rm(folder, { recursive: true, force: true });
});

const HOURS = '# Opening hours\n\nThe library is open from nine to five. On Thursdays it closes at eight.';

test('from a file on disk to a cited answer', async () => {
  const { id } = await quire.collections.create({ name: 'Library' });
  const file = path.join(folder, 'hours (ä).md');
  await writeFile(file, HOURS);
  const sent: number[] = [];
  const collection = quire.collection(id);
  const document = await collection.documents
    .upload(file, { metadata: { year: 2026 }, onProgress: ({ sentBytes }) => sent.push(sentBytes) })
    .ready();
  expect(document).toMatchObject({ name: 'hours (ä).md', status: 'ready', metadata: { year: 2026 } });
  expect(sent.at(-1)).toBe(Buffer.byteLength(HOURS));

  const { hits } = await quire.search({ query: 'Thursdays', filter: { 'metadata.year': 2026 } });
  expect(hits.map((hit) => hit.documentId)).toEqual([document.id]);

  const chat = await quire.chats.create({ title: 'Hours', collection_id: id });
  const answer = quire.chat(chat.id).ask('When does the library close on Thursdays?');
  const states: Conversation[] = [];
  for await (const state of answer) states.push(state);
  const message = await answer.final;
  expect(states.at(-1)?.messages[1]).toEqual(message);
  expect(message.citations.map((citation) => citation.documentId)).toContain(document.id);
  expect((await quire.chat(chat.id).history().all())[1]).toEqual(message);
});

test('errors of the service have their family, type, place and request', async () => {
  const { id } = await quire.collections.create({ name: 'Families' });
  const reader = await quire.keys.create({ name: 'reader', permission: 'read' });
  const asReader = new Quire({ url: service.address, key: reader.key });
  const stranger = new Quire({ url: service.address, key: 'quire_wrong', retries: 0 });
  const { documents } = quire.collection(id);
  const calls: [() => Promise<unknown>, string, number, string][] = [
    [() => stranger.whoami(), 'AuthenticationError', 401, 'unauthorized'],
    [() => asReader.collections.create({ name: 'X' }), 'PermissionError', 403, 'forbidden'],
    [() => quire.collections.get(crypto.randomUUID()), 'NotFoundError', 404, 'not_found'],
    [() => documents.retry(id), 'NotFoundError', 404, 'not_found'],
    [() => quire.collections.create({ name: '' }), 'InvalidRequestError', 422, 'string_too_short'],
    [() => documents.upload({ name: 'a.exe', content: 'MZ' }), 'InvalidRequestError', 415, 'unsupported_file_type'],
  ];
  for (const [call, name, status, type] of calls) {
    const error: unknown = await call().catch((reason: unknown) => reason);
    expect(error).toMatchObject({ name, status, type, requestId: expect.stringMatching(/^[0-9a-f-]{36}$/) });
    expect((error as QuireError).detail[0]).toMatchObject({ type, msg: expect.any(String) });
  }
});

test('errors are typed', async () => {
  const { id } = await quire.collections.create({ name: 'Errors' });
  const { documents } = quire.collection(id);
  await documents.upload({ name: 'a.txt', content: 'Same content' });
  const again = documents.upload({ name: 'b.txt', content: 'Same content' }, { duplicates: 'reject' });
  await expect(again.ready()).rejects.toThrow(ConflictError);
  await expect(documents.get(crypto.randomUUID())).rejects.toThrow(NotFoundError);
});

test('a run parses one file in one request and six in parallel', async () => {
  const file = (index: number) => ({ name: `${index}.txt`, content: `Text number ${index}` });
  for (const count of [1, 6]) {
    const files = Array.from({ length: count }, (_, index) => file(index));
    const run = await quire.process({ files });
    expect(run.status).toBe('done');
    expect(run.outcome?.files.map(({ name }) => name).toSorted()).toEqual(files.map(({ name }) => name));
  }
});

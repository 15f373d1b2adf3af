/** CONTRACT section 11: tools within the rights of a key, and the tool that processes documents. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { countTokens } from '@quire/process/document-text/token-budget';
import { createDocument, createKey, type AnyRecord } from '../../factories.ts';
import { mintToken } from '../../mint-token.ts';
import { connect, type ConnectedClient } from '../../mcp-clients.ts';
import {
  birds,
  client,
  dataOf,
  firstText,
  fish,
  long,
  READ_TOOLS,
  service,
  target,
  trout,
  unfence,
  workspace,
  type SearchData,
  useLibrary,
} from './library.ts';

useLibrary();

test('a key that is limited to a collection finds and reads only that', async () => {
  const key = await createKey(service, workspace, { permission: 'read', collectionIds: [fish.id] });
  const limited = await connect({ ...target, key });
  const { results } = dataOf<SearchData>(await limited.call('search', { query: 'herons trout vault', limit: 25 }));
  expect(results.map(({ collectionId }) => collectionId)).toEqual([fish.id]);
  const { collections } = dataOf<{ collections: AnyRecord[] }>(await limited.call('list_collections'));
  expect(collections.map(({ id }) => id)).toEqual([fish.id]);
  for (const [name, input] of [
    ['fetch', { id: long.id }],
    ['list_documents', { collection: birds.id }],
    ['search', { query: 'heron', collections: [birds.id] }],
  ] as const) {
    expect([name, (await limited.call(name, input)).isError]).toEqual([name, true]);
  }
  await limited.close();
});

test('a token with a filter finds, lists and reads only the documents that match it', async () => {
  const created = await createDocument(service, fish, {
    name: 'carp.md',
    content: 'The carp is quiet.',
    metadata: { team: 'pond' },
  });
  const key = await createKey(service, workspace, { permission: 'write' });
  const { data } = await service.call('GET', '/v1/whoami', { key });
  const token = mintToken(String(data['keyId']), key, { permission: 'write', filter: { 'metadata.team': 'pond' } });
  const scoped = await connect({ ...target, key: token });
  expect((await scoped.tools()).length).toBe(READ_TOOLS);
  const { results } = dataOf<SearchData>(await scoped.call('search', { query: 'carp trout heron', limit: 25 }));
  expect(results.map(({ documentId }) => documentId)).toEqual([created.id]);
  const { documents } = dataOf<{ documents: AnyRecord[] }>(
    await scoped.call('list_documents', { collection: fish.id }),
  );
  expect(documents.map(({ id }) => id)).toEqual([created.id]);
  const refused = ['fetch', 'read_document', 'view_page'].map((name) => scoped.call(name, { id: trout.id }));
  expect((await Promise.all(refused)).map(({ isError }) => isError)).toEqual([true, true, true]);
  const { sources } = dataOf<{ sources: { id: string }[] }>(
    await scoped.call('ask', { question: 'Against what does the trout swim?' }),
  );
  expect(sources.filter(({ id }) => id.startsWith(trout.id))).toEqual([]);
  await expect(scoped.readResource(`quire://documents/${trout.id}`)).rejects.toThrow(/not found/i);
  await scoped.close();
});

describe('process', () => {
  const schema = { type: 'object', properties: { total: { type: 'string' } } };
  let writer: ConnectedClient;
  beforeAll(async () => {
    writer = await connect({ ...target, key: await createKey(service, workspace, { permission: 'write' }) });
  });
  afterAll(() => writer.close());

  test('is offered to write keys without limits only', async () => {
    const limited = await createKey(service, workspace, { permission: 'write', collectionIds: [fish.id] });
    const other = await connect({ ...target, key: limited });
    const names = async (each: ConnectedClient) => (await each.tools()).map(({ name }) => name);
    expect([(await names(writer)).at(-1), (await names(other)).at(-1)]).toEqual(['process', 'view_page']);
    await expect(client.call('process', { id: trout.id })).rejects.toThrow(/not found/i);
    await other.close();
  });

  test('extracts from a document, and waits for the run by its id', async () => {
    const invoice = await createDocument(service, birds, { name: 'invoice.md', content: 'Total: 42.50 EUR' });
    const started = await writer.call('process', { id: invoice.id, extract: { schema }, waitSeconds: 0 });
    const { runId } = dataOf<{ runId: string }>(started);
    let ended = dataOf<{ status: string; outcome: string; complete: boolean }>(await writer.call('process', { runId }));
    while (['queued', 'running'].includes(ended.status)) {
      ended = dataOf<typeof ended>(await writer.call('process', { runId }));
    }
    expect([ended.status, ended.complete]).toEqual(['done', true]);
    expect(JSON.parse(unfence(ended.outcome))).toMatchObject({
      extraction: { data: { total: expect.stringContaining('42.50') } },
    });
  });

  test('cuts an outcome that is too long to its budget, and says so', async () => {
    const numbers = Array.from({ length: 600 }, (_each, at) => at + 1);
    const content = numbers.map((each) => `Code ${each}: heron ${each} waits in the reeds`).join('\n\n');
    const codes = await createDocument(service, birds, { name: 'codes.md', content });
    const properties = Object.fromEntries(numbers.map((each) => [`code${each}`, { type: 'string' }]));
    const input = { id: codes.id, extract: { schema: { type: 'object', properties } } };
    let result = await writer.call('process', input);
    const { runId } = dataOf<{ runId: string }>(result);
    const stateOf = () => dataOf<{ status: string; outcome: string; complete: boolean }>(result);
    while (['queued', 'running'].includes(stateOf().status)) result = await writer.call('process', { runId });
    const { status, outcome, complete } = stateOf();
    expect([status, complete]).toEqual(['done', false]);
    const tokens = countTokens(firstText(result));
    expect(tokens).toBeLessThanOrEqual(12_000);
    expect(tokens).toBeGreaterThan(11_000);
    const run = await service.call<{ outcome: { files: { extraction: object }[] } }>(
      'GET',
      `${workspace.url}/process/${runId}`,
    );
    const whole = JSON.stringify({ extraction: run.data.outcome.files[0]?.extraction });
    const shown = unfence(outcome);
    expect(whole.startsWith(shown.slice(0, 20_000))).toBe(true);
  });

  test('refuses nothing to do, several sources, a wrong schema, private addresses and unknown ids', async () => {
    const refused = async (input: Record<string, unknown>) => {
      const result = await writer.call('process', input);
      return result.isError === true ? firstText(result).split(':')[0] : 'accepted';
    };
    expect(await refused({ id: trout.id })).toBe('value_error');
    expect(await refused({ id: trout.id, runId: trout.id, extract: { schema } })).toBe('value_error');
    expect(await refused({ id: trout.id, extract: { schema: { type: 'nonsense' } } })).toBe('value_error');
    expect(await refused({ url: 'http://127.0.0.1:1/a.pdf', summarise: {} })).toBe('value_error');
    expect(await refused({ id: workspace.id, summarise: {} })).toBe('not_found');
    expect(await refused({ runId: workspace.id })).toBe('not_found');
  });
});

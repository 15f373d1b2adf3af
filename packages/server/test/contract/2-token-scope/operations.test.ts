/** CONTRACT section 2: no route shows, counts, lists, streams, cites, links or changes a document outside of the filter
 * and the collections of a token. The operations come from the description of the API. */
import { describe, expect, test } from 'vitest';
import { mintToken } from '../../mint-token.ts';
import {
  service,
  workspace,
  key,
  keyId,
  collection,
  inside,
  outside,
  failed,
  removed,
  elsewhere,
  see,
  read,
  urlOf,
  useFilteredToken,
} from './filtered-token.ts';
import { OPERATIONS, CASES } from './cases.ts';

useFilteredToken();

test('every operation of the API has a case', () => {
  expect(Object.keys(CASES).toSorted()).toEqual(OPERATIONS.map(({ operationId }) => operationId).toSorted());
});

describe('with a filtered token', () => {
  test.each(OPERATIONS.map((operation) => [operation.operationId, operation] as const))(
    '%s neither shows nor changes a document outside of the filter',
    async (name, operation) => {
      const untouched = [outside, failed, removed];
      const before = await Promise.all(untouched.map(({ url }) => read(url)));
      await CASES[name]?.(operation);
      expect(await Promise.all(untouched.map(({ url }) => read(url)))).toEqual(before);
    },
  );
});

test('MCP tools show a filtered token nothing from outside of the filter', async () => {
  const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
  const call = async (name: string, input: object): Promise<string> => {
    const json = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: input } };
    const answer = await see('POST', `${workspace.url}/mcp`, json, { headers });
    expect([name, answer.status]).toEqual([name, 200]);
    return answer.text;
  };
  expect(await call('search', { query: 'the rent' })).toContain(inside.id);
  expect(await call('list_documents', { collection: collection.id })).toContain(inside.id);
  expect(await call('fetch', { id: outside.id })).toContain('There is no such document');
  await call('ask', { question: 'What is the rent?' });
});

describe('with a token for one collection', () => {
  const ofCollections = OPERATIONS.filter(({ path }) => path.includes('{col}'));
  test.each(ofCollections.map((operation) => [operation.operationId, operation] as const))(
    '%s answers 404 for another collection',
    async (_name, { method, path }) => {
      const limited = mintToken(keyId, key, { permission: 'admin', filter: {}, collectionIds: [collection.id] });
      const url = urlOf(path, { col: String(elsewhere['collectionId']), doc_id: elsewhere.id });
      const json = method === 'GET' || method === 'DELETE' ? {} : { json: {} };
      expect((await service.call(method, url, { key: limited, ...json })).status).toBe(404);
    },
  );
});

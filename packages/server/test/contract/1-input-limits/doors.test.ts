/** CONTRACT section 12: filters and metadata have the same limits on every way into the service. */
import { INPUT_LIMITS } from '@quire/shared/input-limits';
import { describe, expect, test } from 'vitest';
import { createDocument } from '../../factories.ts';
import {
  callTool,
  chat,
  collection,
  connectorBody,
  document,
  form,
  raw,
  send,
  sendText,
  service,
  useRecords,
  withClaims,
  ws,
  type Outcome,
} from './library.ts';
import { filled, nested } from './probes.ts';

useRecords();

const { metadata, fieldName, fieldPath, filterListValues } = INPUT_LIMITS;

/** Sends JSON as it is written, at `metadata` or `filter`. */
type Door = (json: string) => Promise<Outcome>;

const create = (path: string, fields: Record<string, unknown>): Door => {
  return (json) => sendText('POST', `${ws}${path}`, JSON.stringify({ ...fields, metadata: '?' }).replace('"?"', json));
};

const METADATA: Record<string, Door> = {
  'docs/raw': (json) =>
    sendText(
      'POST',
      `${collection.url}/docs/raw`,
      `{"name":"a.md","contentType":"text/plain","content":"A","metadata":${json}}`,
    ),
  'PUT docs/raw': (json) =>
    sendText(
      'PUT',
      `${document.url}/raw`,
      `{"name":"a.md","contentType":"text/plain","content":"A","metadata":${json}}`,
    ),
  'a form': (json) => form([['metadata', json]]),
  'PATCH of a document': (json) => sendText('PATCH', document.url, `{"metadata":${json}}`),
  'a collection': (json) => create('/col', { name: 'c' })(json),
  'PATCH of a collection': (json) => sendText('PATCH', collection.url, `{"metadata":${json}}`),
  'a chat': (json) => create('/chat', { collection_id: collection.id })(json),
  'PATCH of a chat': (json) => sendText('PATCH', chat.url, `{"metadata":${json}}`),
  'a connector': (json) => create('/connectors', connectorBody({}))(json),
};

const FILTERS: Record<string, Door> = {
  'search of a collection': (json) => sendText('POST', `${collection.url}/search`, `{"query":"a","filter":${json}}`),
  'search of a workspace': (json) => sendText('POST', `${ws}/search`, `{"query":"a","filter":${json}}`),
  'docs/delete': (json) => sendText('POST', `${collection.url}/docs/delete`, `{"filter":${json}}`),
  'docs/retry': (json) => sendText('POST', `${collection.url}/docs/retry`, `{"filter":${json}}`),
  'a chat': (json) => sendText('POST', `${ws}/chat`, `{"collection_id":"${collection.id}","filter":${json}}`),
  'PATCH of a chat': (json) => sendText('PATCH', chat.url, `{"filter":${json}}`),
};

const limits = ({ status, detail }: Outcome): unknown => [status, detail.map(({ loc, ctx }) => [loc, ctx?.['limit']])];

describe.each(Object.entries(METADATA))('metadata of %s', (_, door) => {
  test.each([
    ['size', JSON.stringify(filled(metadata.max + 1, {}, 'text')), metadata.max],
    ['name', JSON.stringify({ ['k'.repeat(fieldName.max + 1)]: 1 }), fieldName.max],
    ['nesting', JSON.stringify(nested(fieldPath.max + 1, { a: 1 }, (inner) => ({ a: inner }))), fieldPath.max],
  ])('are refused beyond the limit of their %s', async (_of, json, limit) => {
    expect(limits(await door(json))).toEqual([422, [[['body', 'metadata'], limit]]]);
  });

  test('are accepted at the limit of their size', async () => {
    expect((await door(JSON.stringify(filled(metadata.max, {}, 'text')))).status).toBeLessThan(300);
    expect((await door('{"text": null}')).status).toBeLessThan(300);
  });

  test.each(['1e400', '9007199254740993', '1546130668394913822'])(
    'refuse the number %s, and name its place',
    async (number) => {
      const { status, detail } = await door(`{"a":[{"ticketId":${number}}]}`);
      expect([status, detail[0]?.type, detail[0]?.loc]).toEqual([
        422,
        'value_error',
        ['body', 'metadata', 'a', 0, 'ticketId'],
      ]);
    },
  );
});

const tooMany = JSON.stringify({ 'metadata.a': { in: Array.from({ length: filterListValues.max + 1 }, () => 1) } });
const longName = JSON.stringify({ [`metadata.${'k'.repeat(400_000)}`]: { in: [1] } });
const longPath = JSON.stringify({ [`metadata.${Array.from({ length: 20_000 }, () => 'a').join('.')}`]: 1 });
const deep = JSON.stringify(nested(200, {}, (not) => ({ not })));

describe.each(Object.entries(FILTERS))('the filter of %s', (_, door) => {
  test.each([
    ['values of a list', tooMany, ['metadata.a', 'in'], filterListValues.max],
    ['size', longName, [], INPUT_LIMITS.filter.max],
    ['path', longPath, [expect.stringMatching(/^metadata\.a\.a/)], fieldPath.max],
  ])('is refused beyond the limit of its %s', async (_of, json, place, limit) => {
    expect(limits(await door(json))).toEqual([422, [[['body', 'filter', ...place], limit]]]);
  });

  test('is refused beyond the limit of its nesting', async () => {
    expect((await door(deep)).status).toBe(422);
  });

  test.each(['1e400', '9007199254740993'])('refuses the number %s', async (number) => {
    const { status, detail } = await door(`{"metadata.n":{"in":[1,${number}]}}`);
    expect([status, detail[0]?.type, detail[0]?.loc]).toEqual([
      422,
      'value_error',
      ['body', 'filter', 'metadata.n', 'in', 1],
    ]);
  });
});

test.each([
  ['a number that is not kept', '{"metadata.n":9007199254740993}'],
  ['an infinite number', '{"metadata.n":{"gt":1e400}}'],
  ['too many values', '{"metadata.a":{"in":[' + '1,'.repeat(filterListValues.max) + '1]}}'],
  ['a long path', JSON.stringify({ [`metadata.${Array.from({ length: 3_000 }, () => 'a').join('.')}`]: 1 })],
  ['deep nesting', JSON.stringify(nested(1_000, {}, (not) => ({ not })))],
])('a token is refused for a filter with %s', async (_, filter) => {
  expect((await withClaims('"filter":{"metadata.n":1}')).status).toBe(200);
  expect((await withClaims(`"filter":${filter}`)).status).toBe(401);
});

describe('an MCP tool', () => {
  test.each([
    ['a list', tooMany, 'a list of values has at most 1000 of them (filter.metadata.a.in)'],
    ['a name', longName, 'a filter has at most 65536 bytes (filter)'],
    ['a path', longPath, 'the path of a field has at most 32 parts'],
    ['a number', '{"metadata.n":9007199254740993}', 'the number 9007199254740993 cannot be kept exactly'],
    ['an infinite number', '{"metadata.n":{"gt":1e400}}', 'the number 1e400 cannot be kept exactly'],
  ])('search refuses %s beyond its limit in words', async (_, filter, words) => {
    const { failed, text } = await callTool('search', `{"query":"a","filter":${filter}}`);
    expect([failed, text]).toEqual([true, expect.stringContaining(words)]);
  });

  test('names the place of a number', async () => {
    const { text } = await callTool('search', '{"query":"a","filter":{"metadata.n":{"in":[1,1e400]}}}');
    expect(text).toContain('(params.arguments.filter.metadata.n.in.1)');
  });

  test('other tools have limits too', async () => {
    const long = await callTool('list_documents', `{"collection":"${collection.id}","name":"${'a'.repeat(1001)}"}`);
    expect(long.failed).toBe(true);
    const asked = await callTool('ask', `{"question":"a","filter":${tooMany}}`);
    expect([asked.failed, asked.text]).toEqual([true, expect.stringContaining('at most 1000')]);
  });

  test.each([
    ['nesting', `{"a":${'['.repeat(201)}${']'.repeat(201)}}`, 200],
    ['values', `{"a":[${'1,'.repeat(100_000)}1]}`, 100_000],
  ])('a body is refused beyond the limit of its %s', async (_, body, limit) => {
    const answer = await service.call('POST', `${ws}/mcp`, { body, headers: { 'content-type': 'application/json' } });
    expect(JSON.parse(answer.text)).toMatchObject({
      jsonrpc: '2.0',
      id: null,
      error: { code: -32_600, data: { detail: [{ ctx: { limit } }] } },
    });
    expect(answer.status).toBe(400);
  });
});

test('the metadata that a document has already count in a patch; a patch that only removes is accepted', async () => {
  const { url } = await createDocument(service, collection, { metadata: { a: 'x'.repeat(40_000) } });
  const patch = (fields: Record<string, unknown>) => send('PATCH', url, { metadata: fields });
  expect(limits(await patch({ b: 'x'.repeat(30_000) }))).toEqual([422, [[['body', 'metadata'], metadata.max]]]);
  expect((await patch({ b: 'x'.repeat(20_000) })).status).toBe(200);
  expect((await patch({ a: null })).status).toBe(200);
  expect((await service.call('GET', url)).data['metadata']).toEqual({ b: 'x'.repeat(20_000) });
  expect((await patch({ a: 'y'.repeat(40_000) })).status).toBe(200);
});

test('numbers of runs are kept or refused too', async () => {
  const outcome = await sendText(
    'POST',
    `${ws}/process?staged=true`,
    '{"extractionConfig":{"jsonSchema":{"maximum":1e400}}}',
  );
  expect([outcome.status, outcome.detail[0]?.loc]).toEqual([
    422,
    ['body', 'extractionConfig', 'jsonSchema', 'maximum'],
  ]);
  const part = new FormData();
  part.append('extractionConfig', '{"jsonSchema":{"maximum":9007199254740993}}');
  part.append('files', new Blob(['A']), 'a.txt');
  const { status, detail } = await service.call('POST', `${ws}/process`, { body: part });
  expect([status, detail[0]?.loc]).toEqual([422, ['body', 'extractionConfig', 'jsonSchema', 'maximum']]);
});

test('numbers that a double holds are kept as they were sent', async () => {
  const sent = '{"a":0.1,"b":1.0,"c":9007199254740991,"d":-1.5e300,"e":[1e21,5e-324]}';
  const made = await service.call('POST', `${collection.url}/docs/raw`, {
    body: `{"name":"n.md","contentType":"text/plain","content":"A","metadata":${sent}}`,
  });
  expect(made.data['metadata']).toEqual(JSON.parse(sent));
  expect((await raw({ metadata: { a: 1 } })).status).toBe(202);
});

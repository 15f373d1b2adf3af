/**
 * CONTRACT section 1 over the real service: order of checks, errors and access, for every route.
 */
import http from 'node:http';
import { json as readJson } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { kindsWith, ScriptedSource } from '../connectors/scripted-source.ts';
import {
  ask,
  createChat,
  createCollection,
  createDocument,
  createKey,
  createRun,
  createWorkspace,
  shareChats,
  type TestWorkspace,
} from '../factories.ts';
import { VERSION } from '../../src/version.ts';
import { ROOT_KEY, startTestService, type Detail, type TestAnswer, type TestService } from '../server.ts';

const UNKNOWN_ID = '0192f0c4-0000-7000-8000-00000000ffff';
/** Parameters that identify no record. */
const NUMBERS: ReadonlySet<string> = new Set(['page', 'file']);
const METHODS = ['get', 'post', 'put', 'patch', 'delete'] as const;

interface Operation {
  operationId: string;
  description: string;
  parameters: { name: string; in: string }[];
  requestBody?: { content: Record<string, { example?: unknown }> };
  security?: unknown[];
}
interface Ids {
  ws: string;
  col: string;
  doc_id: string;
  chunk_id: string;
  key_id: string;
  model_id: string;
  embedder_id: string;
  parser_id: string;
  chat_id: string;
  message_id: string;
  run_id: string;
  path: string;
  page: string;
  file: string;
  webhook_id: string;
  delivery_id: string;
  connector_id: string;
  sync_id: string;
}
interface Call {
  name: string;
  method: string;
  path: string;
  operation: Operation;
}

const sources = new Map<string, ScriptedSource>();
let service: TestService;
let calls: Call[];
let ours: TestWorkspace;
let ourIds: Ids;
let theirs: TestWorkspace;
let theirIds: Ids;

async function prepare(name: string): Promise<[TestWorkspace, Ids]> {
  const workspace = await createWorkspace(service, name);
  const collection = await createCollection(service, workspace, { name });
  const document = await createDocument(service, collection, { content: `A secret of ${name}` });
  await createKey(service, workspace, { permission: 'read' });
  const keys = await service.call<{ items: { id: string }[] }>('GET', `${workspace.url}/keys`);
  const configured = ['models', 'embedders', 'parsers'].map(async (kind) => {
    const { data } = await service.call<{ items: { id: string }[] }>('GET', `${workspace.url}/config/${kind}`);
    return data.items[0]!.id;
  });
  const [model_id = '', embedder_id = '', parser_id = ''] = await Promise.all(configured);
  const chunks = await service.call<{ items: { id: string }[] }>('GET', `${collection.url}/docs/${document.id}/chunks`);
  await shareChats(service, workspace);
  const chat = await createChat(service, workspace, { collection_id: collection.id });
  const { messages } = await ask(service, chat, 'What is the secret?');
  const webhook = await service.call<{ id: string }>('POST', `${workspace.url}/webhooks`, {
    json: { name, url: 'https://receiver.invalid/', signingSecret: 'x'.repeat(16), events: ['document.ready'] },
  });
  const delivery = await service.call<{ id: string }>('POST', `${workspace.url}/webhooks/${webhook.data.id}/test`);
  const sources = await startSync(workspace, collection.id, name);
  const hooks = { ...sources, webhook_id: webhook.data.id, delivery_id: delivery.data.id };
  const run = await createRun(service, workspace, { files: { [`${name}.md`]: `A secret of ${name}` } });
  const output = { ...hooks, run_id: run.id, path: `1/${name}.md`, page: '1', file: '1' };
  const chunk_id = chunks.data.items[0]!.id;
  const ids = { ws: workspace.id, col: collection.id, doc_id: document.id, chunk_id, key_id: keys.data.items[0]!.id };
  return [
    workspace,
    { ...ids, model_id, embedder_id, parser_id, chat_id: chat.id, message_id: messages[1].id, ...output },
  ];
}

/** Creates a connector with a synchronisation that found one file and imported none. */
async function startSync(workspace: TestWorkspace, collectionId: string, name: string) {
  const source = new ScriptedSource();
  source.put('file.md', `A file of ${name}`);
  sources.set(name, source);
  const url = `${workspace.url}/connectors`;
  const json = { collectionId, name, kind: 'ftp', config: { host: name }, exclude: ['**'] };
  const connector = await service.call<{ id: string }>('POST', url, { json });
  const sync = await service.call<{ id: string }>('POST', `${url}/${connector.data.id}/sync`);
  await service.call('GET', `${url}/${connector.data.id}/syncs/${sync.data.id}?wait=60`);
  return { connector_id: connector.data.id, sync_id: sync.data.id };
}

beforeAll(async () => {
  service = await startTestService({}, undefined, { kinds: kindsWith(sources) });
  const api = JSON.parse((await service.call('GET', '/openapi.json', { key: null })).text) as {
    paths: Record<string, Record<string, Operation>>;
  };
  calls = Object.entries(api.paths).flatMap(([path, operations]) =>
    METHODS.flatMap((method) => {
      const operation = operations[method];
      return operation === undefined
        ? []
        : [{ name: operation.operationId, method: method.toUpperCase(), path, operation }];
    }),
  );
  [ours, ourIds] = await prepare('ours');
  [theirs, theirIds] = await prepare('theirs');
});
afterAll(() => service.stop());

const paramsOf = (path: string): (keyof Ids)[] =>
  [...path.matchAll(/\{(\w+)\}/g)].map((match) => match[1] as keyof Ids);

function send(call: Call, ids: Ids, key: string | null): Promise<TestAnswer<unknown>> {
  const url = call.path.replaceAll(/\{(\w+)\}/g, (_, name: keyof Ids) => ids[name]);
  const example = call.operation.requestBody?.content['application/json']?.example;
  return service.call(call.method, url, { key, ...(example === undefined ? {} : { json: example }) });
}

const state = async (): Promise<unknown[]> => {
  const url = `/v1/w/${theirIds.ws}`;
  const collection = `${url}/col/${theirIds.col}`;
  const parts = await Promise.all(
    [
      url,
      `${url}/keys`,
      `${url}/chat`,
      `${url}/webhooks`,
      `${url}/deliveries`,
      `${url}/connectors`,
      collection,
      `${collection}/docs`,
      `${url}/config/models`,
    ].map((each) => service.call('GET', each)),
  );
  return parts.map((part) => part.data);
};

test('every route of another workspace answers the same 404 for existing and unknown ids, and changes nothing', async () => {
  const before = await state();
  let checked = 0;
  for (const call of calls) {
    const names = paramsOf(call.path).filter((name) => !NUMBERS.has(name));
    for (const [at, name] of names.entries()) {
      // Parameters before this one are ours; this one and all later ones are the other workspace's, or unknown.
      const foreign = { ...ourIds };
      const unknown = { ...ourIds };
      for (const later of names.slice(at)) {
        foreign[later] = theirIds[later];
        unknown[later] = UNKNOWN_ID;
      }
      const answers = [await send(call, foreign, ours.admin), await send(call, unknown, ours.admin)];
      for (const answer of answers) {
        expect([call.name, name, answer.status, answer.text]).toEqual([
          call.name,
          name,
          404,
          '{"detail":[{"loc":[],"msg":"Not found","type":"not_found"}]}',
        ]);
      }
      checked += 1;
    }
  }
  expect(checked).toBeGreaterThan(90);
  expect(await state()).toEqual(before);
});

test('an address that cannot be decoded or is too long is 404, after the key was checked', async () => {
  const headers = { 'x-request-id': 'mine' };
  for (const name of ['%zz', '%ff', 'x'.repeat(3000)]) {
    const url = `${ours.url}/process/${name}`;
    const answers = [
      await service.call('GET', url, { headers }),
      await service.call('GET', url, { key: null, headers }),
    ];
    expect(
      answers.map(({ status, detail, headers: sent }) => [status, detail[0]?.type, sent.get('x-request-id')]),
    ).toEqual([
      [404, 'not_found', 'mine'],
      [401, 'unauthorized', 'mine'],
    ]);
  }
});

test('a document is reached through its own collection only, on any route', async () => {
  const other = await createCollection(service, ours);
  for (const call of calls.filter(({ path }) => path.includes('{doc_id}'))) {
    const answer = await send(call, { ...ourIds, col: other.id }, ours.admin);
    expect([call.name, answer.status, answer.detail[0]?.type]).toEqual([call.name, 404, 'not_found']);
  }
});

test('what is not there is 404 also for a key that might not have touched it', async () => {
  const key = await createKey(service, ours, { permission: 'read' });
  const statuses = [ourIds.key_id, theirIds.key_id, UNKNOWN_ID].map(
    async (id) => (await service.call('DELETE', `${ours.url}/keys/${id}`, { key })).status,
  );
  expect(await Promise.all(statuses)).toEqual([403, 404, 404]);
});

test('a key limited to one collection sees none of the others, on any route', async () => {
  const other = await createCollection(service, ours);
  const document = await createDocument(service, other);
  const limited = await createKey(service, ours, { permission: 'admin', collectionIds: [ourIds.col] });
  for (const call of calls.filter(({ path }) => path.includes('{col}'))) {
    const answer = await send(call, { ...ourIds, col: other.id, doc_id: document.id }, limited);
    expect([call.name, answer.status, answer.detail[0]?.type]).toEqual([call.name, 404, 'not_found']);
  }
});

test('every route needs a key, but for those that are open', async () => {
  const open = calls.filter(({ operation }) => operation.security?.length === 0).map(({ path }) => path);
  expect(open).toEqual(['/healthz', '/readyz']);
  for (const call of calls.filter(({ path }) => !open.includes(path))) {
    for (const key of [null, 'quire_wrong', theirs.admin.slice(0, -1)]) {
      const answer = await send(call, ourIds, key);
      expect([call.name, answer.status, answer.headers.get('www-authenticate')]).toEqual([call.name, 401, 'Bearer']);
    }
  }
});

test('every route refuses keys below the permission that its description names, before it reads the body', async () => {
  const levels = ['read', 'write', 'admin', 'root'];
  const keys: Record<string, string> = { admin: ours.admin };
  for (const permission of ['read', 'write']) keys[permission] = await createKey(service, ours, { permission });
  for (const call of calls) {
    const needed = /Needs `(\w+)`|Needs the (root) key/.exec(call.operation.description);
    const level = levels.indexOf(needed?.[1] ?? needed?.[2] ?? 'read');
    for (const below of levels.slice(0, level)) {
      const url = call.path.replaceAll(/\{(\w+)\}/g, (_, name: keyof Ids) => ourIds[name]);
      const answer = await service.call(call.method, `${url}?limit=x`, {
        key: keys[below]!,
        ...(call.method === 'GET' ? {} : { body: '{' }),
      });
      expect([call.name, below, answer.status, answer.detail[0]?.type]).toEqual([call.name, below, 403, 'forbidden']);
    }
  }
});

describe('lists', () => {
  test('every list takes limit and cursor, and refuses wrong ones', async () => {
    const lists = calls.filter(({ operation }) => operation.parameters.some(({ name }) => name === 'cursor'));
    expect(lists.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['listWorkspaces', 'listKeys', 'listCollections', 'listDocuments']),
    );
    for (const { name, path } of lists) {
      const url = path.replaceAll(/\{(\w+)\}/g, (_, id: keyof Ids) => ourIds[id]);
      const key = name === 'listWorkspaces' ? {} : { key: ours.admin };
      const page = await service.call('GET', `${url}?limit=1`, key);
      expect(Object.keys(page.data)).toEqual(['items', 'cursor', 'limit', 'total']);
      expect([page.data['limit'], (page.data['items'] as unknown[]).length]).toEqual([1, 1]);
      const wrong = await service.call('GET', `${url}?limit=101&cursor=abc`, key);
      expect(wrong.detail.map(({ type, loc }) => [type, ...loc])).toEqual([
        ['less_than_equal', 'query', 'limit'],
        ['value_error', 'query', 'cursor'],
      ]);
    }
  });

  test('pages hold under inserts: nothing twice, nothing left out', async () => {
    const workspace = await createWorkspace(service);
    const names = Array.from({ length: 7 }, (_, index) => `collection ${index}`);
    for (const name of names) await createCollection(service, workspace, { name });
    interface Page {
      items: { name: string }[];
      cursor: string | null;
      total: number;
    }
    const seen: string[] = [];
    let cursor: string | null = '';
    while (cursor !== null) {
      const query: string = cursor === '' ? '' : `&cursor=${cursor}`;
      const { data } = await service.call<Page>('GET', `${workspace.url}/col?limit=3${query}`);
      seen.push(...data.items.map((item) => item.name));
      cursor = data.cursor;
      await createCollection(service, workspace, { name: 'inserted meanwhile' });
    }
    expect(seen).toEqual(names.toReversed());
  });
});

test('an error names every fault at once, and never a stack', async () => {
  const answer = await service.call('POST', `${ours.url}/keys`, {
    json: { permission: 'boss', collectionIds: ['x'], more: 1 },
    key: ours.admin,
  });
  expect([answer.status, JSON.parse(answer.text)]).toEqual([
    422,
    {
      detail: [
        { loc: ['body', 'name'], msg: 'Field required', type: 'missing' },
        {
          loc: ['body', 'permission'],
          msg: "Input should be 'read', 'write' or 'admin'",
          type: 'enum',
          input: 'boss',
          ctx: { expected: "'read', 'write' or 'admin'" },
        },
        {
          loc: ['body', 'collectionIds', 0],
          msg: 'Input should be a valid UUID, invalid character: found `x` at 0',
          type: 'uuid_parsing',
          input: 'x',
          ctx: { error: 'invalid character: found `x` at 0' },
        },
        { loc: ['body', 'more'], msg: 'Extra inputs are not permitted', type: 'extra_forbidden', input: 1 },
      ],
    },
  ]);
});

describe('every fault at once, each at its place', () => {
  const nobody = '0192f0c4-0000-7000-8000-00000000ffff';
  const faults = async (method: string, url: string, json: unknown): Promise<unknown> => {
    const { status, detail } = await service.call(method, url, { json, key: ours.admin });
    return [status, detail.map(({ loc, type }) => [loc.slice(1).join('.'), type])];
  };

  test('also inside of a filter', async () => {
    const filter = { or: [{ name: { like: 'x' } }, { nothing: 1 }] };
    const inFilter = [
      ['filter.or.0.name.like', 'value_error'],
      ['filter.or.1.nothing', 'value_error'],
    ];
    expect(await faults('POST', `${ours.url}/search`, { query: 1, limit: 0, filter })).toEqual([
      422,
      [['query', 'string_type'], ['limit', 'greater_than_equal'], ...inFilter],
    ]);
    expect(await faults('POST', `${ours.url}/chat`, { filter, more: 1 })).toEqual([
      422,
      [['collection_id', 'missing'], ...inFilter, ['more', 'extra_forbidden']],
    ]);
  });

  test('also ids that are those of nothing', async () => {
    const collection = await createCollection(service, ours);
    const collectionIds = [nobody, collection.id, nobody.replace('f', 'e')];
    expect(await faults('POST', `${ours.url}/keys`, { name: 'k', permission: 'read', collectionIds })).toEqual([
      422,
      [
        ['collectionIds.0', 'value_error'],
        ['collectionIds.2', 'value_error'],
      ],
    ]);
    expect(await faults('POST', `${ours.url}/chat`, { collection_id: nobody, modelId: nobody })).toEqual([
      422,
      [
        ['collection_id', 'value_error'],
        ['modelId', 'value_error'],
      ],
    ]);
    const chunking = { maxTokens: 64, overlapTokens: 63 };
    expect(await faults('POST', `${ours.url}/col`, { name: 'c', parserId: nobody, chunking })).toEqual([
      422,
      [
        ['parserId', 'value_error'],
        ['chunking.overlapTokens', 'value_error'],
      ],
    ]);
  });

  test('wrong input comes before what the state forbids', async () => {
    const gone = await createCollection(service, ours);
    await service.call('DELETE', gone.url);
    const search = (collectionIds: string[]) => faults('POST', `${ours.url}/search`, { query: 'x', collectionIds });
    expect(await search([gone.id, nobody])).toEqual([422, [['collectionIds.1', 'value_error']]]);
    expect(await search([gone.id])).toEqual([409, [['', 'deleted']]]);
  });

  test('the value at fault is shown: a number of tokens is no secret', async () => {
    const { detail } = await service.call('POST', `${ours.url}/col`, {
      json: { name: 'c', chunking: { maxTokens: 1 } },
    });
    expect(detail).toEqual([
      {
        loc: ['body', 'chunking', 'maxTokens'],
        msg: 'Input should be greater than or equal to 32',
        type: 'greater_than_equal',
        input: 1,
        ctx: { ge: 32 },
      },
    ]);
  });

  test('a cursor that is not text is reported once', async () => {
    const { detail } = await service.call('GET', `${ours.url}/col?cursor=%00`);
    expect(detail.map(({ msg }) => msg)).toEqual(['Value error, NUL characters are not allowed']);
  });
});

test('service routes are open, and /docs works without anything from elsewhere', async () => {
  const health = await service.call('GET', '/healthz', { key: null });
  expect([health.status, health.data]).toEqual([200, { alive: true, version: VERSION }]);
  const ready = await service.call<{ dependencies: Record<string, { ok: boolean }> }>('GET', '/readyz', { key: null });
  expect(ready.status).toBe(200);
  expect(Object.values(ready.data.dependencies).every((dependency) => dependency.ok)).toBe(true);
  const docs = await service.call('GET', '/docs/', { key: null });
  expect(docs.status).toBe(200);
  const sources = [...docs.text.matchAll(/(?:src|href)="([^"]+)"/g)].map((match) => match[1]!);
  expect(sources.filter((source) => /^(https?:)?\/\//.test(source))).toEqual([]);
  for (const source of sources) {
    const file = await fetch(new URL(source, `${service.address}/docs/`));
    expect([source, file.status, (await file.arrayBuffer()).byteLength > 0]).toEqual([source, 200, true]);
  }
});

/** Sends a request by `node:http`, which sends a body with every method. */
function sendBody(call: Call, body: string): Promise<{ status: number; detail: Detail[] }> {
  const url = call.path.replaceAll(/\{(\w+)\}/g, (_, name: keyof Ids) => ourIds[name]);
  const headers = { authorization: `Bearer ${ROOT_KEY}`, 'content-length': Buffer.byteLength(body) };
  const { promise, resolve, reject } = withResolvers<{ status: number; detail: Detail[] }>();
  const request = http.request(
    `${service.address}${url}`,
    { method: call.method, headers, agent: false },
    (response) => {
      const isJson = response.headers['content-type']?.startsWith('application/json') === true;
      if (response.statusCode !== 422 || !isJson) {
        response.destroy();
        resolve({ status: response.statusCode ?? 0, detail: [] });
        return;
      }
      readJson(response).then(
        (answer) => resolve({ status: 422, detail: (answer as { detail: Detail[] }).detail }),
        reject,
      );
    },
  );
  request.on('error', reject).end(body);
  return promise;
}

function withResolvers<T>(): { promise: Promise<T>; resolve: (value: T) => void; reject: (error: unknown) => void } {
  let resolve: (value: T) => void = () => undefined;
  let reject: (error: unknown) => void = () => undefined;
  const promise = new Promise<T>((...both) => ([resolve, reject] = both));
  return { promise, resolve, reject };
}

test('a body with fields is refused on every route without a body, so that no option in it is ignored', async () => {
  const before = await state();
  const bodiless = calls.filter(({ operation }) => operation.requestBody === undefined);
  expect(bodiless.map(({ name }) => name)).toEqual(
    expect.arrayContaining(['startSync', 'retryDocument', 'deleteDocument', 'undeleteDocument', 'getHealth']),
  );
  for (const call of bodiless) {
    const { status, detail } = await sendBody(call, '{"dryRun":true,"purge":true}');
    const refused = detail.map(({ loc, type }) => [loc, type]);
    expect([call.name, status, ...refused]).toEqual([
      call.name,
      422,
      [['body', 'dryRun'], 'extra_forbidden'],
      [['body', 'purge'], 'extra_forbidden'],
    ]);
    expect([call.name, (await sendBody(call, 'dryRun=true')).status]).toEqual([call.name, 422]);
    expect([call.name, (await sendBody(call, '[]')).status]).toEqual([call.name, 422]);
  }
  expect(await state()).toEqual(before);
  const reads = bodiless.filter(({ method }) => method === 'GET');
  for (const call of reads)
    for (const body of ['{}', 'null', '']) expect((await sendBody(call, body)).status).not.toBe(422);
});

const ODD_VALUES = [
  '9223372036854775808',
  '-9223372036854775809',
  '4503599627370495',
  '2147483648',
  '1e400',
  'NaN',
  '%00',
  'a%00b',
  '%ED%A0%80',
  '%F0%9F%98%80'.repeat(300),
  "'",
  '\\',
  '%25',
  '0001-01-01T00:00:00Z',
  '9999-12-31T23:59:59Z',
  '-infinity',
  '',
];

test('no value of a query or path parameter is a failure of the service', async () => {
  const asked = calls.filter(({ method, name }) => method === 'GET' && name !== 'followEvents');
  const failed: string[] = [];
  let sent = 0;
  const get = async (path: string): Promise<void> => {
    const url = path.replaceAll(/\{(\w+)\}/g, (_, name: keyof Ids) => ourIds[name]);
    const { status } = await service.call('GET', url);
    sent += 1;
    if (status >= 500) failed.push(`${status} ${url}`);
  };
  for (const { path, operation } of asked) {
    for (const value of ODD_VALUES) {
      const named = operation.parameters.filter(({ in: place }) => place === 'query');
      await Promise.all(named.map(({ name }) => get(`${path}?${name}=${value}`)));
      for (const name of paramsOf(path)) if (value !== '') await get(path.replace(`{${name}}`, value));
    }
  }
  expect(failed).toEqual([]);
  expect(sent).toBeGreaterThan(1_000);
});

/** Returns copies of the JSON value, each with one leaf replaced by one of the odd values. */
function* oddCopies(value: unknown): Generator {
  const odd = ['\0', '\ud800', 'a\0b', 9_223_372_036_854_776_000, -1, 1e300, 0.5, null, [], {}, '', 'x'.repeat(20_000)];
  if (Array.isArray(value)) {
    for (const [at, member] of value.entries()) for (const copy of oddCopies(member)) yield value.with(at, copy);
  } else if (typeof value === 'object' && value !== null) {
    for (const [name, member] of Object.entries(value)) {
      for (const copy of oddCopies(member)) yield { ...value, [name]: copy };
      yield { ...value, [`${name}\0`]: member };
    }
  } else yield* odd;
}

test('no value in a JSON body is a failure of the service', async () => {
  const failed: string[] = [];
  let sent = 0;
  const writing = calls.filter(({ operation, name }) => {
    const isAsked = operation.requestBody?.content['application/json']?.example !== undefined;
    return isAsked && name !== 'testConnector';
  });
  for (const call of writing) {
    const example = call.operation.requestBody?.content['application/json']?.example;
    const url = call.path.replaceAll(/\{(\w+)\}/g, (_, name: keyof Ids) => ourIds[name]);
    for (const json of oddCopies(example)) {
      const { status } = await service.call(call.method, url, { json });
      sent += 1;
      if (status >= 500) failed.push(`${status} ${call.name} ${JSON.stringify(json).slice(0, 300)}`);
    }
  }
  expect(failed).toEqual([]);
  expect(sent).toBeGreaterThan(500);
});

test('a boundary longer than 70 characters is refused before the form is read', async () => {
  const forms = [`${ours.url}/col/${ourIds.col}/docs/file-multipart`, `${ours.url}/process`];
  for (const url of forms) {
    for (const [length, status] of [
      [5_000, 422],
      [71, 422],
      [70, 202],
    ] as const) {
      const boundary = 'b'.repeat(length);
      const body = `--${boundary}\r\ncontent-disposition: form-data; name="file"; filename="a.txt"\r\n\r\ntext\r\n--${boundary}--\r\n`;
      const headers = { 'content-type': `multipart/form-data; boundary=${boundary}` };
      const answer = await service.call('POST', url, { body, headers });
      expect([answer.status, answer.detail?.[0]?.ctx]).toEqual([
        status,
        status === 202 ? undefined : { max_length: 70, limit: 70 },
      ]);
    }
  }
});
